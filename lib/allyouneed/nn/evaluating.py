"""A model in evaluation mode for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["evaluating"]


@contextmanager
def evaluating(model) -> Iterator[None]:
    """Inside this `with` block the model is in evaluation mode; afterwards each part is as it was.

    `model.train()` would also wake the parts that somebody has put to evaluation, such as frozen ones.

    >>> from torch import nn
    >>> model = nn.Sequential(nn.Dropout(), nn.Dropout().eval())
    >>> with evaluating(model):
    ...     print(model.training)
    False
    >>> [part.training for part in model]
    [True, False]
    """
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for part, training in modes:
            part.training = training
