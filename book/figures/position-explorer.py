"""Sines and cosines of places: nothing to export but where the sliders stand, and a table of what they
say."""

from allyouneed.nn.positions import frequencies, sinusoidal_encoding

BASES, DISTANCES, WIDTH = (10, 1000, 10_000, 100_000), (1, 4, 16, 64), 64


def data():
    return {"width": WIDTH, "base": 10_000, "place": 20, "shift": 7}


def fallback():
    """The slowest wavelength and the similarity at four distances, for four bases."""
    rows = [
        (
            "| base | slowest wavelength (tokens) | "
            f"{' | '.join(f'similarity at distance {distance}' for distance in DISTANCES)} |"
        ),
        "|---" * 6 + "|",
    ]
    for base in BASES:
        encoding = sinusoidal_encoding(max(DISTANCES) + 1, WIDTH, base)
        similarity = encoding @ encoding[0] / (WIDTH / 2)
        rows.append(
            f"| {base:,} | {6.283185307 / frequencies(WIDTH, base)[-1].item():,.0f} | "
            + " | ".join(f"{similarity[distance]:.2f}" for distance in DISTANCES)
            + " |"
        )
    return "\n".join(rows)
