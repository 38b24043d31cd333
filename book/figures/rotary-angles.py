"""One random query and one random key, eight wide, and the score that the library gives them at two
places."""

import functools

import torch

from allyouneed.nn.positions import apply_rotary

PLACES, SHIFTS = (12, 7), (0, 5, 20)


@functools.cache
def vectors():
    return torch.randn(2, 8, generator=torch.Generator().manual_seed(5)).round(decimals=2).double()


def data():
    query, key = vectors().tolist()
    return {"query": query, "key": key, "base": 10_000, "places": PLACES}


def score(query_place, key_place, base=10_000):
    """The dot product of the two, each turned to its place."""
    query, key = (
        apply_rotary(vector.view(1, 1, 1, -1), torch.tensor([place]), base).flatten()
        for vector, place in zip(vectors(), (query_place, key_place))
    )
    return (query @ key).item()


def fallback():
    """Scores at places that are equally and otherwise far apart."""
    rows = ["| position of the query | position of the key | difference | score |", "|---|---|---|---|"]
    for query_place, key_place in [(PLACES[0] + shift, PLACES[1] + shift) for shift in SHIFTS] + [
        (12, 12),
        (12, 3),
    ]:
        rows.append(
            f"| {query_place} | {key_place} | {query_place - key_place} | "
            f"{score(query_place, key_place):.3f} |"
        )
    return "\n".join(rows)
