"""Parts of a model put in the place of others, for as long as a `with` block lasts."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["replaced"]


@contextmanager
def replaced(parts) -> Iterator[None]:
    """Inside this `with` block, each (owner, name, part) of `parts` has `owner.name` be `part`.

    A cache, a record of attention maps and a step of your own are put into a model like this, so that the
    model itself knows none of them.

    >>> from torch import nn
    >>> model = nn.Sequential(nn.ReLU())
    >>> with replaced([(model, "0", nn.Tanh())]):
    ...     print(model[0])
    Tanh()
    >>> model[0]
    ReLU()
    """
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in parts]
    try:
        for owner, name, part in parts:
            setattr(owner, name, part)
        yield
    finally:
        for owner, name, part in before:
            setattr(owner, name, part)
