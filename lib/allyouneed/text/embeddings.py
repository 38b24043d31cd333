"""Word vectors: looking them up, comparing them, and learning them from which words stand together."""

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.tensors import Float, Int, Number, Tensor

__all__ = [
    "SkipGram",
    "analogy",
    "cosine_similarity",
    "embed",
    "nearest",
    "skip_gram_loss",
    "skip_gram_pairs",
    "train_skip_gram",
]

Text = Int[Tensor, " n"] | list[int]  # as word numbers
Rows = Int[Tensor, " B"]


def embed(ids: Int[Tensor, "*L"] | int | list, E: Float[Tensor, "V D"]) -> Float[Tensor, "... D"]:
    """Look words up: row ids of the embedding matrix E. The numbers of one-hot(ids) E, without multiplying.

    ids: int64 of any shape. E (V, D). Returns (*ids.shape, D). Raises ValueError where an id is not 0 to V-1.

    >>> embed(torch.tensor([1, 1]), torch.tensor([[0.0, 0.1], [0.5, 0.25]])).tolist()
    [[0.5, 0.25], [0.5, 0.25]]
    """
    ids = torch.as_tensor(ids)
    if ids.numel() and not (0 <= ids.min() and ids.max() < len(E)):
        raise ValueError(
            f"E has rows 0 to {len(E) - 1}, but the ids are {int(ids.min())} to {int(ids.max())}."
        )
    return E[ids]


def cosine_similarity(a: Float[Tensor, "*L D"], b: Float[Tensor, "M D"]) -> Float[Tensor, "*L M"]:
    """The cosine of the angle between vectors: a·b / (|a| |b|), between -1 and 1; 0 where either is zero.

    a (..., D) and b (M, D) give (..., M): each of a with each of b.

    >>> cosine_similarity(torch.tensor([3.0, 0.0]), torch.tensor([[1.0, 0.0], [0.0, 5.0]])).tolist()
    [1.0, 0.0]
    """
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).mT


def nearest(v: Float[Tensor, " D"], E: Float[Tensor, "V D"], k: int, exclude=()) -> list[int]:
    """The k rows of E whose direction is nearest to v, best first, as a list of row numbers.

    v (D,), E (V, D), nearness by cosine; exclude: row numbers that do not count.
    Raises ValueError where k is not 1 to the number of rows that count.

    >>> nearest(torch.tensor([1.0, 0.1]), torch.eye(2), k=2)
    [0, 1]
    """
    exclude = sorted({int(row) for row in exclude})
    if not 1 <= k <= len(E) - len(exclude):
        raise ValueError(f"k must be 1 to the {len(E) - len(exclude)} rows that are not excluded, got {k}.")
    similarity = cosine_similarity(v, E)  # (V,)
    similarity[exclude] = -torch.inf
    return similarity.topk(k).indices.tolist()


def analogy(a: str, b: str, c: str, E: Float[Tensor, "V D"], words, k: int = 1) -> list[str]:
    """ "a is to b as what is to c?": the k words nearest to E[a] - E[b] + E[c], without the three themselves.

    a, b, c: words. E (V, D). words: the V words in the order of E's rows. Returns a list of k words.
    Raises ValueError for a word that is not there. Paper: Mikolov, Yih and Zweig 2013, whose rows all have
    length 1.

    >>> E = torch.tensor([[1.0, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [-1, 0, 0]])
    >>> analogy("king", "man", "woman", E, ["king", "man", "woman", "queen", "mud"])
    ['queen']
    """
    words = list(words)
    for word in (a, b, c):
        if word not in words:
            raise ValueError(f"{word!r} is not among the {len(words)} words.")
    rows = [words.index(word) for word in (a, b, c)]
    target = E[rows[0]] - E[rows[1]] + E[rows[2]]
    return [words[row] for row in nearest(target, E, k, exclude=rows)]


def skip_gram_pairs(ids: Text, window: int) -> tuple[Int[Tensor, " P"], Int[Tensor, " P"]]:
    """Each word with each neighbour at most `window` places away: (centers (P,), contexts (P,)), int64.

    ids (n,): a text as word numbers. Raises ValueError where window < 1.
    Paper: Mikolov, Chen and others 2013.

    >>> [pairs.tolist() for pairs in skip_gram_pairs(torch.tensor([5, 6, 7]), window=1)]
    [[5, 6, 6, 7], [6, 7, 5, 6]]
    """
    if window < 1:
        raise ValueError(f"window must be at least 1, got {window}.")
    ids = torch.as_tensor(ids)
    ahead = [(ids[:-distance], ids[distance:]) for distance in range(1, min(window, len(ids) - 1) + 1)]
    pairs = ahead + [(later, earlier) for earlier, later in ahead]
    centers, contexts = zip(*pairs) if pairs else ((ids[:0],), (ids[:0],))
    return torch.cat(centers), torch.cat(contexts)


def skip_gram_loss(
    center: Float[Tensor, "B D"], context: Float[Tensor, "B D"], negatives: Float[Tensor, "B N D"]
) -> Number:
    """Tell a word's real neighbour from random words:
    -log σ(context·center) - Σ_N log σ(-negative·center).

    Vectors: center (B, D), context (B, D), negatives (B, N, D). Returns the mean over the
    batch, a scalar.
    Paper: Mikolov, Sutskever and others 2013 (negative sampling).

    >>> round(skip_gram_loss(
    ...     torch.zeros(1, 4), torch.zeros(1, 4), torch.zeros(1, 3, 4)
    ... ).item(), 4)  # 4 log 2
    2.7726
    """
    real = (context * center).sum(dim=-1)  # (B,)
    noise = torch.einsum("bnd,bd->bn", negatives, center)  # (B, N)
    return -(F.logsigmoid(real) + F.logsigmoid(-noise).sum(dim=-1)).mean()


class SkipGram(nn.Module):
    """Two vectors a word, one as center and one as neighbour; the centers are the embedding that is kept.

    Called with numbers centers (B,), contexts (B,), negatives (B, N); returns `skip_gram_loss`.
    Centers start uniform in ±1/(2D) from `generator`, contexts at 0, as in the paper's own program.
    Paper: Mikolov, Sutskever and others 2013.

    >>> SkipGram(vocab_size=9, d_model=4).center.shape
    torch.Size([9, 4])
    """

    def __init__(self, vocab_size, d_model, generator=None):
        super().__init__()
        if vocab_size < 1 or d_model < 1:
            raise ValueError(f"vocab_size and d_model must be at least 1, got {vocab_size} and {d_model}.")
        self.center = nn.Parameter((torch.rand(vocab_size, d_model, generator=generator) - 0.5) / d_model)
        self.context = nn.Parameter(torch.zeros(vocab_size, d_model))

    def forward(self, centers: Rows, contexts: Rows, negatives: Int[Tensor, "B N"]) -> Number:
        return skip_gram_loss(
            F.embedding(centers, self.center),
            F.embedding(contexts, self.context),
            F.embedding(negatives, self.context),
        )


def train_skip_gram(
    ids: Text,
    vocab_size: int,
    d_model=32,
    window=4,
    n_negatives=5,
    n_steps=1000,
    batch_size=512,
    learning_rate=0.01,
    generator=None,
) -> tuple[Float[Tensor, "V D"], list[float]]:
    """Learn word vectors from a text: returns (embedding (V, D), list of n_steps losses).

    ids (n,): the text as word numbers 0 to vocab_size-1. Negatives are drawn with probability ∝ count^(3/4),
    pairs uniformly, all from `generator`. Raises ValueError where the text has no two words.

    >>> E, losses = train_skip_gram(torch.tensor([0, 1, 2, 0, 1, 2]), vocab_size=3, d_model=2, n_steps=1)
    """
    centers, contexts = skip_gram_pairs(ids, window)
    if not len(centers):
        raise ValueError(f"a text of at least two words is needed, but ids has {len(ids)}.")
    noise = torch.bincount(torch.as_tensor(ids), minlength=vocab_size).double() ** 0.75  # (V,)
    model = SkipGram(vocab_size, d_model, generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    losses = []
    for _ in range(n_steps):
        rows = torch.randint(len(centers), (batch_size,), generator=generator)
        negatives = torch.multinomial(noise, batch_size * n_negatives, replacement=True, generator=generator)
        loss = model(centers[rows], contexts[rows], negatives.view(batch_size, n_negatives))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model.center.detach(), losses
