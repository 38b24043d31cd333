"""Mixture of experts: many feed-forward networks, of which each token uses a few."""

import torch
from torch import nn

from allyouneed.nn.layers import FeedForward
from allyouneed.tensors import Float, Int, Number, Tensor
from allyouneed.validate import check_integers

__all__ = ["MixtureOfExperts", "load_balance_loss", "route_top_k"]


def route_top_k(logits: Float[Tensor, "N E"], k: int) -> tuple[Float[Tensor, "N k"], Int[Tensor, "N k"]]:
    """Choose each token's k best experts: softmax over the chosen logits, best first.

    logits (N, E); returns (weights (N, k) that sum to 1 a token, expert_ids (N, k) int64).
    Raises ValueError where k is not 1 to E. Paper: Shazeer and others 2017.

    >>> route_top_k(torch.tensor([[0.0, 2.0, 2.0]]), k=2)[0].tolist()
    [[0.5, 0.5]]
    """
    if not 1 <= k <= logits.shape[-1]:
        raise ValueError(
            f"each of {logits.shape[-1]} experts can be chosen once: k must be 1 to "
            f"{logits.shape[-1]}, got {k}."
        )
    chosen, expert_ids = logits.topk(k, dim=-1)  # (N, k), sorted
    return chosen.softmax(dim=-1), expert_ids


def load_balance_loss(logits: Float[Tensor, "N E"], expert_ids: Int[Tensor, "N k"]) -> Number:
    """A loss that is 1 when experts share the work evenly and up to E when one does it all.

    E Σ_e f_e P_e, with f_e the share of all choices that fell on expert e, and P_e the mean router
    probability of e.
    Only P has a gradient; it lowers the probability of busy experts. logits (N, E), expert_ids (N, k);
    returns a scalar, 0 of no tokens.
    Paper: Fedus, Zoph and Shazeer 2022.

    >>> load_balance_loss(torch.zeros(4, 2), torch.tensor([[0], [1], [1], [0]])).item()
    1.0
    """
    n_experts = logits.shape[-1]
    share = torch.bincount(expert_ids.flatten(), minlength=n_experts) / max(expert_ids.numel(), 1)  # (E,)
    probability = logits.softmax(dim=-1).sum(dim=0) / max(len(logits), 1)  # (E,)
    return n_experts * (share.to(probability.dtype) * probability).sum()


class MixtureOfExperts(nn.Module):
    """For one feed-forward network: output = Σ over the token's k best experts of weight_e · expert_e(x).

    Takes n_experts times the parameters of one expert, and k times its work. d_ff is one expert's inner
    width.
    expert: what makes an expert from (d_model, d_ff), `FeedForward` or `SwiGLU`.
    x is (..., d_model). After each call `balance_loss` holds `load_balance_loss` for that call (add about
    0.01 of it to the training loss) and `load` the share of choices that fell on each expert (E,).
    Raises ValueError where k is not 1 to n_experts. Papers: Shazeer and others 2017; Fedus and others 2022.

    >>> MixtureOfExperts(d_model=4, d_ff=8, n_experts=3, k=2)(torch.zeros(2, 5, 4)).shape
    torch.Size([2, 5, 4])
    """

    def __init__(self, d_model, d_ff, n_experts, k=2, expert=FeedForward):
        super().__init__()
        check_integers(n_experts=n_experts)
        if not 1 <= k <= n_experts:
            raise ValueError(f"k must be 1 to n_experts={n_experts}, got {k}.")
        self.k = k
        self.router = nn.Linear(d_model, n_experts, bias=False)
        self.experts = nn.ModuleList(expert(d_model, d_ff) for _ in range(n_experts))
        self.balance_loss = self.load = None

    def __getstate__(self):
        return vars(self) | {"balance_loss": None, "load": None}  # a copy has no graph of the last call

    def forward(self, x: Float[Tensor, "*L D"]) -> Float[Tensor, "*L D"]:
        tokens = x.reshape(-1, x.shape[-1])  # (N, D)
        logits = self.router(tokens)  # (N, E)
        weights, expert_ids = route_top_k(logits, self.k)  # (N, k)
        output = torch.zeros_like(tokens)
        for index, expert in enumerate(self.experts):
            rows, rank = torch.where(expert_ids == index)  # the tokens that chose it
            share = expert(tokens[rows]) * weights[rows, rank, None]  # (n, D)
            output = output.index_add(0, rows, share.to(output.dtype))
        self.balance_loss = load_balance_loss(logits, expert_ids)
        self.load = torch.bincount(expert_ids.flatten(), minlength=len(self.experts)) / max(
            expert_ids.numel(), 1
        )
        return output.view_as(x)
