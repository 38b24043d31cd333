"""The key–value cache: what attention has already computed about the text so far."""

from allyouneed.validate import check_integers

__all__ = ["KeyValueCache", "LayerCache"]


class LayerCache:
    """One layer's keys and values, in memory reserved once for `max_len` tokens.

    Joining old and new tensors at every token would copy the whole past each time. Here new entries are
    written behind the old ones, and what is returned is a view of the filled part: no copy.
    """

    def __init__(self, max_len):
        self.max_len, self.length = max_len, 0
        # reserved at the first update, which knows batch, heads, width, dtype and device
        self.keys = self.values = None

    def update(self, k, v):
        """Add k and v (B, G, T, K) of T new tokens; returns all keys and values (B, G, S, K), new ones last.

        Raises ValueError where the cache is full or k does not fit what it holds.
        """
        if self.keys is None:
            self.keys, self.values = (
                new.new_empty(*new.shape[:2], self.max_len, new.shape[-1]) for new in (k, v)
            )
        if k.shape[:2] != self.keys.shape[:2]:
            raise ValueError(
                f"the cache holds (batch, heads) = {tuple(self.keys.shape[:2])}, but k is {tuple(k.shape)}."
            )
        end = self.length + k.shape[-2]
        if end > self.max_len:
            raise ValueError(
                f"the cache has room for {self.max_len} tokens, but {end} came: "
                "make it with a larger max_len."
            )
        self.keys[:, :, self.length : end] = k
        self.values[:, :, self.length : end] = v
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]

    def reorder(self, rows):
        """Row i continues what row rows[i] held: beam search keeps and drops texts. rows: (B,) integers."""
        if self.keys is not None:
            self.keys, self.values = self.keys[rows], self.values[rows]


class KeyValueCache:
    """A `LayerCache` for each of a model's layers: `cache[i]` is layer i's, `cache.length` tokens are in it.

    Give the same cache at every call, and only the new tokens: the outputs are those of the whole text at
    once.
    With it a new token costs one row of attention instead of all of them, for memory of 2 · n_layers · G · K
    numbers a token.
    Keys and values are written in place, so gradients do not flow through it: use it under `torch.no_grad()`.
    Raises ValueError where a size is not at least 1, and from a layer where more than max_len tokens come.

    >>> KeyValueCache(n_layers=2, max_len=16).length
    0
    """

    def __init__(self, n_layers, max_len):
        check_integers(n_layers=n_layers, max_len=max_len)
        self.max_len = max_len
        self.layers = [LayerCache(max_len) for _ in range(n_layers)]

    def __getitem__(self, index):
        return self.layers[index]

    def __len__(self):
        return len(self.layers)

    @property
    def length(self):
        """How many tokens are in it."""
        return self.layers[0].length

    def reorder(self, rows):
        """`LayerCache.reorder` in every layer."""
        for layer in self.layers:
            layer.reorder(rows)
