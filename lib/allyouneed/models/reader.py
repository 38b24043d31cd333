"""Read a sequence, answer once: the frame in which different layers are compared on the same task."""

from torch import nn

from allyouneed.models.common import Embedding, initialize
from allyouneed.tensors import Float, Ids, Tensor
from allyouneed.validate import check_ids, check_integers

__all__ = ["Reader"]


class Reader(nn.Module):
    """Embedding, any layer over the sequence, and an answer read off its output at the last token.

    body: a module that maps (B, T, d_model) to (B, T, d_body), or to a tuple that begins with it, as
    recurrent layers do. Positions, if it needs any, are its own matter. generator: where the starting weights
    of the rest are drawn from.
    Raises ValueError where a size is not at least 1 or an id is not 0 to vocab_size-1.

    >>> import torch; from allyouneed.nn.recurrent import GRU
    >>> reader = Reader(GRU(4, 6), vocab_size=9, d_model=4, d_body=6, n_answers=3)
    >>> reader(torch.tensor([[1, 2, 8]])).shape
    torch.Size([1, 3])
    """

    def __init__(self, body, vocab_size, d_model, d_body, n_answers, generator=None):
        super().__init__()
        check_integers(vocab_size=vocab_size, d_model=d_model, d_body=d_body, n_answers=n_answers)
        self.embedding = initialize(Embedding(vocab_size, d_model), generator, std=1.0)
        self.body = body
        self.head = initialize(nn.Linear(d_body, n_answers), generator, std=d_body**-0.5)

    def forward(self, ids: Ids) -> Float[Tensor, "B answers"]:
        """ids (B, T) to logits (B, n_answers)."""
        check_ids(ids)
        outputs = self.body(self.embedding(ids))
        outputs = outputs[0] if isinstance(outputs, tuple) else outputs  # (B, T, d_body)
        return self.head(outputs[:, -1])
