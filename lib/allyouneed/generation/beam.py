"""Beam search: keep the few best texts so far instead of one."""

import math

import torch

from allyouneed.generation.sampling import Prompts, TokenReader, left_pad
from allyouneed.nn.evaluating import evaluating
from allyouneed.tensors import Float, Int, Tensor
from allyouneed.validate import check_integers

__all__ = ["beam_search"]


def beam_search(
    model, prompts: Prompts, max_new_tokens, n_beams=4, stop_id=None, length_penalty=1.0, use_cache=True
) -> tuple[Int[Tensor, "B n"], Float[Tensor, " B"]]:
    """The continuation with the best score among the `n_beams` texts a prompt that the beam ends with.

    score = Σ_t log p(y_t | y_1 .. y_{t-1}) / n^length_penalty, over n tokens, the stop token included.
    While searching, texts compete by their sums, also those that have stopped; the division decides in the
    end. (The paper's divisor is ((5 + n) / 6)^length_penalty.) n_beams=1 is greedy.

    Returns (ids (B, n), scores (B,)): new tokens only; a text that has stopped repeats `stop_id`.
    Raises ValueError where n_beams is not in 1..V, max_new_tokens not at least 1, or the text too long.
    Papers: Sutskever and others 2014; Wu and others 2016 (length).

    >>> from allyouneed.models import GPT, GPTConfig
    >>> model = GPT(GPTConfig(9, 8, d_model=4, n_layers=1, n_heads=1))
    >>> beam_search(model, [[1, 2]], max_new_tokens=3)[0].shape
    torch.Size([1, 3])
    """
    check_integers(n_beams=n_beams, max_new_tokens=max_new_tokens)
    if not math.isfinite(length_penalty):
        raise ValueError(f"length_penalty must be a number, 0 to let sums decide, got {length_penalty}.")
    new, real = left_pad(prompts)
    n_rows = len(new)
    # (B*K, T): K copies of each prompt
    new = new.repeat_interleave(n_beams, dim=0)
    real = None if real is None else real.repeat_interleave(n_beams, dim=0)
    reader = TokenReader(model, real, new.shape[1] + max_new_tokens, use_cache)
    sums = torch.full((n_rows, n_beams), float("-inf"), device=new.device)
    # the copies are one text: count it once
    sums[:, 0] = 0.0
    texts = new[:, :0]  # (B*K, n)
    lengths = torch.zeros(n_rows * n_beams, device=new.device)
    stopped = torch.zeros(n_rows * n_beams, dtype=torch.bool, device=new.device)
    first_row = torch.arange(n_rows, device=new.device)[:, None] * n_beams  # (B, 1)
    with evaluating(model):
        for _ in range(max_new_tokens):
            logp = reader.next_logits(new).log_softmax(dim=-1)  # (B*K, V)
            vocab_size = logp.shape[-1]
            if n_beams > vocab_size:
                raise ValueError(f"n_beams={n_beams} is more than the {vocab_size} tokens there are.")
            # a stopped text goes on at no cost
            if stop_id is not None:
                logp = logp.masked_fill(stopped[:, None], float("-inf"))
                logp[stopped, stop_id] = 0.0
            totals = (sums[..., None] + logp.view(n_rows, n_beams, -1)).flatten(1)  # (B, K*V)
            sums, best = totals.topk(n_beams, dim=-1)  # (B, K)
            parents, tokens = (first_row + best // vocab_size).flatten(), (best % vocab_size).flatten()
            reader.reorder(parents)
            texts = torch.cat((texts[parents], tokens[:, None]), dim=1)
            lengths = lengths[parents] + ~stopped[parents]
            stopped = stopped[parents] | (tokens == stop_id) if stop_id is not None else stopped
            new = tokens[:, None]
            if stopped.all():
                break
    scores = sums / lengths.view(n_rows, n_beams) ** length_penalty
    winner = scores.argmax(dim=-1)  # (B,)
    return texts.view(n_rows, n_beams, -1)[torch.arange(n_rows), winner], scores.amax(dim=-1)
