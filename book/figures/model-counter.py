"""The published shapes, and what the library counts for each."""

from dataclasses import asdict

from allyouneed.models.sizes import PUBLISHED_SIZES


def data():
    return {
        name: {
            "config": asdict(model.config),
            "extra": model.extra,
            "reported": model.reported,
            "source": model.source,
            "note": model.note,
            "parameters": model.parameters,
        }
        for name, model in PUBLISHED_SIZES.items()
    }


def fallback():
    rows = [
        "| model | layers | width | heads | counted from the shape | published |",
        "|---|---|---|---|---|---|",
    ]
    for name, model in PUBLISHED_SIZES.items():
        shape = model.config
        rows.append(
            f"| {name} | {shape.n_layers} | {shape.d_model:,} | {shape.n_heads} | "
            f"{model.parameters:,} | {model.reported / 1e6:,.0f} M |"
        )
    return "\n".join(rows)
