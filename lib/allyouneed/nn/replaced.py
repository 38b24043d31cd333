"""Parts of a model put in the place of others, for as long as a `with` block lasts."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn

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
            _put(owner, name, part)
        yield
    finally:
        for owner, name, part in before:
            _put(owner, name, part)


def _put(owner, name, part) -> None:
    """setattr; a module in a module's place goes there at once, since generation does this for each token and
    `nn.Module.__setattr__` looks through all that a module holds."""
    modules = vars(owner).get("_modules", {})
    if name in modules and isinstance(part, nn.Module):
        modules[name] = part
    else:
        modules.pop(name, None)  # a method may go where a module was, and come back
        setattr(owner, name, part)
