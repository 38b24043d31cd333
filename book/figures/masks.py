"""Scores of one head of a real encoder for a sentence of five words, padded to seven places, and the weights
under each mask."""

import functools
import math

import torch

from allyouneed.nn.attention import causal_mask, padding_mask, softmax
from allyouneed.nn.local import local_causal_mask
from allyouneed.nn.multihead import split_heads
from allyouneed.pretrained.loading import load_minilm, minilm_tokenizer

WORDS, PLACES, WINDOW = ("the", "cat", "drank", "warm", "milk"), 7, 2
LAYER, HEAD = 0, 0
KINDS = ("none", "causal", "padding", "both", "window")


@functools.cache
def scores():
    """Queries against keys of one head, divided by the root of their width; (7, 7)."""
    model, tokenizer, kept = load_minilm(), minilm_tokenizer(), []
    tokens = [*WORDS, *["[PAD]"] * (PLACES - len(WORDS))]
    attention = model.layers[LAYER].attention
    hook = attention.register_forward_pre_hook(lambda module, arguments: kept.append(arguments[0]))
    with torch.no_grad():
        model(
            torch.tensor([[tokenizer.token_to_id(token) for token in tokens]]),
            torch.arange(PLACES)[None] < len(WORDS),
        )
        q, k = (
            split_heads(project(kept[0]), attention.n_heads)[0, HEAD]
            for project in (attention.q_proj, attention.k_proj)
        )
    hook.remove()
    return (q @ k.mT / math.sqrt(attention.d_head)).double().round(decimals=2)


def mask(kind):
    """The library's mask of that name, (7, 7)."""
    masks = {
        "none": torch.ones(PLACES, PLACES, dtype=torch.bool),
        "causal": causal_mask(PLACES),
        "padding": padding_mask([len(WORDS)], PLACES)[0, 0],
        "window": local_causal_mask(PLACES, WINDOW),
    }
    masks["both"] = masks["causal"] & masks["padding"]
    return masks[kind].expand(PLACES, PLACES)


def weights(kind):
    return softmax(scores().masked_fill(~mask(kind), -math.inf), dim=-1)


def data():
    return {
        "tokens": [*WORDS, *["[pad]"] * (PLACES - len(WORDS))],
        "length": len(WORDS),
        "window": WINDOW,
        "layer": LAYER,
        "head": HEAD,
        "scores": scores().tolist(),
    }


def fallback():
    """The weights of "drank" under each mask."""
    rows = [
        f"| weights of “drank” on | {' | '.join((*WORDS, 'pad', 'pad again'))} |",
        "|---" * (PLACES + 1) + "|",
    ]
    for kind in KINDS:
        rows.append(
            f"| mask: {kind} | "
            + " | ".join(f"{weight:.2f}" for weight in weights(kind)[WORDS.index("drank")].tolist())
            + " |"
        )
    return "\n".join(rows)
