"""The steps of multi-head attention, each with its line of the library's source, and their shapes as the
library makes them."""

import inspect
import math

import torch

from allyouneed.nn import attention, multihead

# what happens, the line, where it stands, its axes (K is the width of a head), in words
STEPS = (
    (
        "the tokens come in",
        "x",
        multihead.MultiHeadAttention.forward,
        "BTD",
        "One row of d_model numbers for each token, for each of B texts. No head yet.",
    ),
    (
        "project",
        "self.q_proj(x)",
        multihead.MultiHeadAttention.project,
        "BTJ",
        (
            "One product makes the queries of all heads; head h owns columns h·K to (h+1)·K. Keys and values "
            "alike."
        ),
    ),
    (
        "cut the last axis",
        "x.unflatten(-1, (n_heads, -1))",
        multihead.split_heads,
        "BTHK",
        "The last axis becomes two, heads and width of a head. No number moves.",
    ),
    (
        "swap tokens and heads",
        ".transpose(-3, -2)",
        multihead.split_heads,
        "BHTK",
        "Now each head has a table of its own, one row a token.",
    ),
    (
        "scores",
        "q @ k.mT / math.sqrt(q.shape[-1])",
        attention.scaled_dot_product_attention,
        "BHTT",
        "In each head, every query meets every key of the same head. Divided by √K.",
    ),
    (
        "weights",
        "softmax(",
        attention.scaled_dot_product_attention,
        "BHTT",
        "Along each row: every query of every head hands out a total of 1.",
    ),
    (
        "mix the values",
        "weights @ v",
        attention.scaled_dot_product_attention,
        "BHTK",
        "Each head mixes its own values by its own weights.",
    ),
    ("swap back", "x.transpose(-3, -2)", multihead.merge_heads, "BTHK", "Tokens stand before heads again."),
    (
        "join",
        ".flatten(-2)",
        multihead.merge_heads,
        "BTJ",
        ("The heads lie side by side in one row for each token."),
    ),
    (
        "output projection",
        "self.o_proj(merge_heads(heads))",
        multihead.MultiHeadAttention.forward,
        "BTD",
        "W_o mixes what the heads found, and the width is d_model again: as it came in.",
    ),
)
SHOWN = {"softmax(": "softmax(scores, dim=-1)"}  # where the library's line is longer


def steps():
    for _, line, function, *_ in STEPS:
        if line not in inspect.getsource(function):
            raise ValueError(f"{function.__qualname__} no longer holds {line!r}.")
    return [
        {
            "name": name,
            "line": SHOWN.get(line, line),
            "where": f"{function.__module__.removeprefix('allyouneed.')}.{function.__qualname__}",
            "axes": axes,
            "words": words,
        }
        for name, line, function, axes, words in STEPS
    ]


def shapes(batch, tokens, d_model, n_heads):
    """The shapes of all steps, from the library's own layer."""
    layer, x = multihead.MultiHeadAttention(d_model, n_heads), torch.zeros(batch, tokens, d_model)
    with torch.no_grad():
        projected = layer.q_proj(x)
        cut = projected.unflatten(-1, (n_heads, -1))
        q = multihead.split_heads(projected, n_heads)
        scores = q @ q.mT / math.sqrt(q.shape[-1])
        mixed, weights = attention.scaled_dot_product_attention(q, q, q)
        back, merged = mixed.transpose(-3, -2), multihead.merge_heads(mixed)
    return [
        tuple(part.shape)
        for part in (x, projected, cut, q, scores, weights, mixed, back, merged, layer.o_proj(merged))
    ]


def data():
    return {"steps": steps(), "batch": 2, "tokens": 5, "width": 12, "heads": 3}


def fallback():
    """All steps for two texts of five tokens, width 12, three heads."""
    rows = ["| step | line of the library | axes | shape |", "|---|---|---|---|"]
    for step, shape in zip(steps(), shapes(2, 5, 12, 3)):
        rows.append(
            f"| {step['name']} | `{step['line']}` | "
            f"{', '.join(step['axes'].replace('J', 'Q')).replace('Q', 'H·K')} | {shape} |"
        )
    return "\n".join(rows)
