"""FLOPs of one layer by length, as torch counts them in the library's own layer on tensors without memory."""

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from allyouneed.nn.layers import Block, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention

WIDTH, HEADS, LENGTHS = 512, 8, (128, 512, 2048, 3072, 8192, 32768)


def counted(n, d_model=WIDTH, n_heads=HEADS):
    """FLOPs of a block's forward pass over n tokens."""
    with (
        torch.device("meta"),
        torch.no_grad(),
        sdpa_kernel(SDPBackend.MATH),
        FlopCounterMode(display=False) as counter,
    ):
        attention = MultiHeadAttention(d_model, n_heads)
        Block(attention, FeedForward(d_model, 4 * d_model), LayerNorm(d_model))(torch.empty(1, n, d_model))
    return counter.get_total_flops()


def data():
    return {"width": WIDTH, "flops": [[n, counted(n)] for n in LENGTHS]}


def fallback():
    rows = [
        (
            f"| tokens, width {WIDTH} | FLOPs of one layer | of these attention's own products | bytes of "
            "all scores, 32 bits |"
        ),
        "|---|---|---|---|",
    ]
    for n, flops in data()["flops"]:
        rows.append(
            f"| {n:,} | {flops:,} | {100 * (flops - n * counted(1)) / flops:.0f} % | {4 * HEADS * n * n:,} |"
        )
    return "\n".join(rows)
