"""Linear attention: another function than softmax, in time linear in the length."""

import torch

from allyouneed.tensors import Float, Keys, Queries, Tensor, Values
from allyouneed.validate import check_sequences

__all__ = ["linear_attention"]


def linear_attention(
    q: Queries, k: Keys, v: Values, is_causal: bool = False, block: int = 128
) -> Float[Tensor, "... T D"]:
    """Attention with φ(q)·φ(k) in place of exp(q·k), φ(x) = elu(x) + 1: time linear in the
    length, another function than softmax.

    output_t = φ(q_t) (Σ_s φ(k_s)ᵀ v_s) / φ(q_t) (Σ_s φ(k_s)ᵀ), all vectors rows, the sums over
    all s, or s <= t if causal. The sums are one (K, D_v) matrix and one (K,) vector, whatever
    the length: a recurrent network's state. q (..., T, K), k (..., S, K), v (..., S, D_v), with
    T = S if causal; returns (..., T, D_v). `block` tokens of the causal form are computed at a
    time. Raises ValueError where shapes do not fit or block < 1.
    Paper: Katharopoulos and others 2020.

    >>> linear_attention(torch.zeros(2, 5, 4), torch.zeros(2, 7, 4), torch.ones(2, 7, 3)).shape
    torch.Size([2, 5, 3])
    """
    check_sequences(q, k, v, block=block)
    # elu(x) + 1, which is positive, so weights are too: by a sum it would round to 0 below -17
    q, k = (torch.where(x > 0, x + 1, x.clamp(max=0.0).exp()) for x in (q, k))
    wide = torch.promote_types(v.dtype, torch.float32)  # a long sum of 16 bits stops growing, or overflows
    v = torch.cat((v, torch.ones_like(v[..., :1])), dim=-1)  # the ones sum the weights
    if not is_causal:
        output = q.to(wide) @ (k.to(wide).mT @ v.to(wide))  # (..., T, D_v + 1)
    else:
        if q.shape[-2] != k.shape[-2]:
            raise ValueError(
                f"causal linear attention needs as many keys as queries, got {k.shape[-2]} and {q.shape[-2]}."
            )
        state, outputs = 0.0, []  # Σ φ(k)ᵀ v of all earlier blocks
        for q_block, k_block, v_block in zip(q.split(block, -2), k.split(block, -2), v.split(block, -2)):
            within = (q_block @ k_block.mT).tril() @ v_block  # (..., block, D_v + 1)
            outputs.append(within + q_block.to(wide) @ state if outputs else within)
            state = state + (k_block.mT @ v_block).to(wide)  # (..., K, D_v + 1)
        output = torch.cat(outputs, dim=-2)
    return (output[..., :-1] / output[..., -1:]).to(v.dtype)
