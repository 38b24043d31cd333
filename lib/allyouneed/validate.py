"""Refusing what cannot work, in one voice: what was expected, what came, and what to do about it."""

from numbers import Integral, Real

import torch

__all__ = [
    "check_flags",
    "check_ids",
    "check_images",
    "check_integers",
    "check_lengths",
    "check_positive",
    "check_share",
    "check_sizes",
]


def check_integers(owner="", at_least=1, **values):
    """Raise ValueError unless each value is an integer of at least `at_least`; True and False are none."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, Integral) or value < at_least:
            raise ValueError(f"{owner}{name} must be an integer of at least {at_least}, got {value!r}.")


def check_sizes(config, *names, at_least=1):
    """`check_integers` for a config's named fields; where "n_heads" is one, the heads must divide d_model."""
    owner = f"{type(config).__name__}: "
    check_integers(owner, at_least, **{name: getattr(config, name) for name in names})
    if "n_heads" in names and config.d_model % config.n_heads:
        raise ValueError(
            f"{owner}d_model={config.d_model} is not a multiple of n_heads={config.n_heads}: "
            "change one of them."
        )


def check_share(config, *names, whole=False):
    """Raise ValueError unless each named field is in [0, 1), or in [0, 1] where the `whole` may be taken."""
    for name in names:
        value = getattr(config, name)
        if not isinstance(value, Real) or not (0 <= value < 1 or whole and value == 1):
            raise ValueError(
                f"{type(config).__name__}: {name} must be in [0, 1{']' if whole else ')'}, got {value!r}."
            )


def check_positive(config, *names):
    """Raise ValueError unless each named field is a positive number, and not infinite."""
    for name in names:
        value = getattr(config, name)
        if not isinstance(value, Real) or not 0 < value < float("inf"):
            raise ValueError(f"{type(config).__name__}: {name} must be positive, got {value!r}.")


def check_flags(config, *names):
    """Raise ValueError unless each named field is True or False: any other word would count as True."""
    for name in names:
        if not isinstance(getattr(config, name), bool):
            raise ValueError(
                f"{type(config).__name__}: {name} must be True or False, got {getattr(config, name)!r}."
            )


def check_ids(ids, name="ids", real=None, max_len=None, start=0):
    """Raise unless `ids` are integer token ids (B, T), `real` is of their shape, and start + T ≤ max_len.

    Looks at shapes and dtypes only, so it costs nothing on a GPU either; `Embedding` finds ids that have no
    row.
    """
    if not isinstance(ids, torch.Tensor):
        raise TypeError(
            f"{name} must be a tensor of token ids, but they are a {type(ids).__name__}: use torch.tensor."
        )
    if ids.dim() != 2:
        raise ValueError(
            f"{name} must be (batch, tokens), but they are {tuple(ids.shape)}: give each text a row."
        )
    if ids.dtype not in (torch.int64, torch.int32):
        raise TypeError(
            f"{name} must be integers of 64 or 32 bits, but their dtype is {ids.dtype}: give "
            "token ids, converted with .long()."
        )
    if real is not None and real.shape != ids.shape:
        raise ValueError(
            f"real must have a place for each of the {name}, {tuple(ids.shape)}, but it is "
            f"{tuple(real.shape)}."
        )
    if max_len is not None and start + ids.shape[1] > max_len:
        raise ValueError(f"{start + ids.shape[1]} tokens came, but max_len is {max_len}: cut the text.")


def check_lengths(lengths, ids, at_least=0):
    """Raise ValueError unless `lengths` are integers (B,): how many tokens a row of ids (B, T) really has."""
    if (
        lengths.is_floating_point()
        or lengths.shape != ids.shape[:1]
        or not ((at_least <= lengths) & (lengths <= ids.shape[1])).all()
    ):
        raise ValueError(
            f"lengths must be {len(ids)} integers, one a row, from {at_least} to "
            f"{ids.shape[1]}, but they are {lengths.tolist()}."
        )


def check_images(images, channels, height, width):
    """Raise unless `images` are floating point numbers (B, channels, height, width)."""
    if images.dim() != 4 or images.shape[1:] != (channels, height, width):
        raise ValueError(
            f"images must be (batch, {channels}, {height}, {width}), but they are {tuple(images.shape)}."
        )
    if not images.is_floating_point():
        raise TypeError(
            f"images must be floating point, but their dtype is {images.dtype}: convert bytes "
            "with images / 255."
        )
