"""Refusing what cannot work, in one voice: what was expected, what came, and what to do about it."""

from itertools import zip_longest
from numbers import Integral, Real

import torch

__all__ = [
    "check_attention",
    "check_causal",
    "check_flags",
    "check_groups",
    "check_ids",
    "check_images",
    "check_integers",
    "check_kv_heads",
    "check_lengths",
    "check_mask",
    "check_padding",
    "check_positive",
    "check_room",
    "check_scores",
    "check_segments",
    "check_self_attention",
    "check_sequences",
    "check_share",
    "check_sizes",
    "check_split",
    "check_tokens",
    "head_width",
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


def check_segments(segment_ids, ids, n_segments):
    """Raise ValueError unless `segment_ids` are left out, or of the ids' shape where there are segments."""
    if segment_ids is not None and (not n_segments or segment_ids.shape != ids.shape):
        raise ValueError(
            f"segment_ids {tuple(segment_ids.shape)} came with ids {tuple(ids.shape)} "
            f"for n_segments={n_segments}: give them the shape of the ids, "
            "and leave them out where there are no segments."
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


def check_scores(x):
    """Raise TypeError unless the scores x are floating point."""
    if not x.is_floating_point():
        raise TypeError(f"softmax expects floating point scores, but got {x.dtype}: convert with x.float().")


def check_causal(n_queries, n_keys):
    """Raise ValueError where there are fewer keys than queries."""
    if n_queries < 0 or n_keys < n_queries:
        raise ValueError(
            f"causal_mask: the {n_queries} queries are the last of the keys, so there must be "
            f"at least as many keys, but n_keys={n_keys}. "
            "Is the order of the arguments (n_queries, n_keys)?"
        )


def check_padding(lengths, max_len):
    """Raise unless `lengths` are integers (B,) from 0 to max_len."""
    if lengths.numel() and (lengths.is_floating_point() or lengths.dtype == torch.bool):
        raise TypeError(
            f"padding_mask expects integer lengths, but got {lengths.dtype}: "
            "count the real tokens of each sequence."
        )
    if lengths.dim() != 1:
        raise ValueError(
            f"padding_mask expects lengths of shape (B,), one number a sequence, "
            f"but got {tuple(lengths.shape)}."
        )
    if ((lengths < 0) | (lengths > max_len)).any():
        raise ValueError(
            f"padding_mask: every length must be between 0 and max_len={max_len}, "
            f"but they are {lengths.tolist()}."
        )


def check_attention(q, k, v, mask=None, grouped=False):
    """Raise unless queries (..., T, K), keys (..., S, K), values (..., S, D) and a mask fit together.

    grouped: k and v may have fewer heads than q, each for a group of q's.
    """

    q_shape, k_shape, v_shape = q.shape, k.shape, v.shape  # once: this runs at each call of each layer

    def came():
        return f"q {tuple(q_shape)}, k {tuple(k_shape)}, v {tuple(v_shape)}"

    if min(len(q_shape), len(k_shape), len(v_shape)) < 2:
        raise ValueError(
            f"q, k and v need at least two axes, (tokens, width), but got {came()}. Add one with x[None, :]."
        )
    if not q.dtype == k.dtype == v.dtype or not q.is_floating_point():
        raise TypeError(
            f"q, k and v must share one floating point dtype, but got {q.dtype}, {k.dtype}, {v.dtype}: "
            "convert them with .to(torch.float32)."
        )
    if q_shape[-1] != k_shape[-1]:
        raise ValueError(
            f"queries and keys must have the same width (last axis), but got {came()}. Project both to d_k."
        )
    if k_shape[-2] != v_shape[-2]:
        raise ValueError(f"every key needs one value: k and v must agree in axis -2, but got {came()}.")
    leading = q_shape[:-2]
    if not leading == k_shape[:-2] == v_shape[:-2]:
        shared = [(*shape[:-3], *leading[-1:]) if grouped else shape[:-2] for shape in (k_shape, v_shape)]
        leading = _joined(leading, *shared)
    if leading is None:
        raise ValueError(f"the leading axes (batch, heads) do not fit together: {came()}.")
    if mask is not None:
        check_mask(mask, (*leading, q_shape[-2], k_shape[-2]))


def check_sequences(q, k, v, **sizes):
    """Queries, keys and values of several axes that fit, and sizes of at least 1."""
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, but it is {size}.")
    if q.shape[:-2] != k.shape[:-2] or k.shape[:-1] != v.shape[:-1] or q.shape[-1] != k.shape[-1]:
        raise ValueError(
            "expected q (..., T, K), k (..., S, K), v (..., S, D_v) with equal leading "
            f"axes, but they are {tuple(q.shape)}, {tuple(k.shape)}, {tuple(v.shape)}."
        )


def check_mask(mask, shape):
    """Raise unless the mask is boolean and broadcasts to the scores (..., T, S) of this shape."""
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask must be boolean, True = may attend, but it is {mask.dtype}: write mask = allowed.bool()."
        )
    # compare from the last axis, as broadcasting does
    ahead = zip(reversed(mask.shape), reversed(shape))
    if mask.dim() > len(shape) or any(given not in (1, needed) for given, needed in ahead):
        raise ValueError(
            f"mask must broadcast to the scores {tuple(shape)}, one row a query and one column a key, but it "
            f"is {tuple(mask.shape)}. Give it axes of size 1 where it is the same for all, or drop one "
            "(mask.squeeze(1)) where there are no heads."
        )


def _joined(*shapes):
    """The shape all broadcast to, or None. (torch.broadcast_shapes imports sympy first: half a second.)"""
    joined = []
    for sizes in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        wide = set(sizes) - {1}
        if len(wide) > 1:
            return None
        joined.append(wide.pop() if wide else 1)
    return tuple(reversed(joined))


def head_width(d_model, n_heads, d_head=None):
    """The width of a head, d_model / n_heads unless given. Raises ValueError where they do not fit."""
    check_integers(d_model=d_model, n_heads=n_heads)
    if d_head is None and d_model % n_heads:
        raise ValueError(
            f"d_model={d_model} is not a multiple of n_heads={n_heads}: change one of them, or give d_head."
        )
    d_head = d_model // n_heads if d_head is None else d_head
    check_integers(d_head=d_head)
    return d_head


def check_kv_heads(n_heads, n_kv_heads):
    """Raise ValueError unless each head of keys and values serves the same number of query heads."""
    check_integers(n_kv_heads=n_kv_heads)
    if n_heads % n_kv_heads:
        raise ValueError(f"n_heads={n_heads} must be a multiple of n_kv_heads={n_kv_heads}.")


def check_tokens(x, memory, d_model):
    """Raise ValueError unless x (B, T, D) and memory (B, S, D) have this width and one batch size."""
    for name, value in (("x", x), ("memory", memory)):
        if value is not None and (value.dim() != 3 or value.shape[-1] != d_model):
            raise ValueError(f"{name} must be (batch, tokens, {d_model}), but it is {tuple(value.shape)}.")
    if memory is not None and memory.shape[0] != x.shape[0] and 1 not in (memory.shape[0], x.shape[0]):
        raise ValueError(
            f"x and memory must have one batch size, but they are {tuple(x.shape)} and {tuple(memory.shape)}."
        )


def check_self_attention(q, k):
    """Raise ValueError unless queries and keys are of the same tokens, whose positions rotary turns need."""
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(
            "rotary positions are for self-attention: x and memory have no common positions. Leave memory "
            f"out (there are {q.shape[-2]} queries and {k.shape[-2]} keys)."
        )


def check_room(k, keys, end):
    """Raise ValueError unless new keys k (B, G, T, K) fit into a cache's `keys`, filled up to `end` then."""
    if k.shape[:2] != keys.shape[:2]:
        raise ValueError(
            f"the cache holds (batch, heads) = {tuple(keys.shape[:2])}, but k is {tuple(k.shape)}."
        )
    if k.shape[-1] != keys.shape[-1]:
        raise ValueError(f"the cache holds keys of width {keys.shape[-1]}, but k is {tuple(k.shape)}.")
    if end > keys.shape[2]:
        raise ValueError(
            f"the cache has room for {keys.shape[2]} tokens, but {end} came: make it with a larger max_len."
        )


def check_split(x, n_heads):
    """Raise ValueError unless the last axis of x can be cut into `n_heads` of one width."""
    if n_heads < 1 or x.shape[-1] % n_heads:
        raise ValueError(
            f"split_heads: the last axis must be a multiple of n_heads={n_heads}, but x is {tuple(x.shape)}."
        )


def check_groups(kv, n_query_heads):
    """Raise ValueError unless each group of kv (B, G, S, K) serves the same number of query heads."""
    n_groups = kv.shape[-3]
    if n_query_heads < 1 or n_query_heads % n_groups:
        raise ValueError(
            f"expand_kv: n_query_heads={n_query_heads} must be a multiple of "
            f"the {n_groups} groups in {tuple(kv.shape)}."
        )
