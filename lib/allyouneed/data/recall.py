"""A task whose memory span is a dial: a symbol, noise of any length, then the question which one it was."""

import torch

from allyouneed.tensors import Int, Tensor

N_SYMBOLS, N_NOISE = 8, 8
ASK = N_SYMBOLS + N_NOISE  # the id of the last token: "which symbol came first?"
RECALL_VOCAB_SIZE = ASK + 1


def make_recall(n: int, gap: int, generator=None) -> tuple[Int[Tensor, "n length"], Int[Tensor, " n"]]:
    """Return n sequences and their answers: ids `(n, gap + 2)` and answers `(n,)`, both int64.

    A sequence is one of 8 symbols (ids 0 to 7), then `gap` noise tokens (ids 8 to 15), then ASK (id 16); the
    answer is the symbol, so chance is 1/8 and `gap` is the number of tokens to remember it over. Everything
    is drawn evenly from `generator` (seed 0 if None). Raises `ValueError` for sizes that make no sequence.
    The task is made up; nothing in it but the distance is hard. After Hochreiter and Schmidhuber 1997,
    section 5.

    >>> ids, answers = make_recall(2, gap=3)
    >>> ids.shape, torch.equal(ids[:, 0], answers)
    (torch.Size([2, 5]), True)
    """
    if n < 1 or gap < 0:
        raise ValueError(f"need n ≥ 1 sequences and a gap ≥ 0, got {n} and {gap}")
    generator = generator or torch.Generator().manual_seed(0)
    symbol = torch.randint(N_SYMBOLS, (n, 1), generator=generator)
    noise = N_SYMBOLS + torch.randint(N_NOISE, (n, gap), generator=generator)
    return torch.cat((symbol, noise, torch.full((n, 1), ASK)), dim=1), symbol[:, 0]
