"""The rubric of causal_mask: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "causal_mask",
    points={"as many queries as keys": 2, "more keys than queries": 1},
    section="causal-mask",
    forbid=("generate_square_subsequent_mask", "causal_lower_right", "causal_upper_left", "CausalBias", "local_causal_mask"),
    mistakes={
        "offset-sign": ("The diagonal is moved the wrong way: with more keys than queries even the first query sees too little. "
                        "The earlier keys come before the first query: flip the sign of the offset.", "causal-mask"),
        "diagonal-masked": ("A query cannot see its own position. A position sees itself and what came before: the diagonal is True.",
                            "causal-mask"),
        "sees-the-next": ("A query sees one position too far, the one after it. The last True of each row is the query's own position.",
                          "causal-mask"),
        "transposed": ("The mask is transposed: each position sees itself and what comes after. Rows are queries, and True lies on the side "
                       "of the earlier keys.", "causal-mask"),
        "inverted": ("The mask is True where attention is forbidden. Here True means that the query may attend: invert it with ~.",
                     "masks-in-torch"),
        "aligned-at-start": ("With more keys than queries, the queries are taken for the first positions. They are the last ones: query t stands "
                             "at position n_keys − n_queries + t.", "causal-mask"),
        "not-boolean": ("The mask does not hold True and False. Return a boolean tensor: True where the query may attend.", "masks-in-torch"),
        "keys-ignored": ("n_keys is not used: the mask always has as many columns as rows. It has a column for each of the n_keys keys.",
                         "causal-mask"),
        "all-rows": ("The mask has a row for each key. It has a row for each query only, and the queries are the last positions.", "causal-mask"),
        "rows-and-columns-swapped": ("Rows and columns are exchanged in the mask's shape. It is (n_queries, n_keys).", "causal-mask"),
        "own-position-only": ("Each query sees its own position alone. It sees everything before it as well.", "causal-mask"),
        "one-row": ("The mask hides the same keys from every query. Each query sees one key more than the query before it.", "causal-mask"),
        "nothing-hidden": ("The mask hides nothing. Later keys must be False.", "causal-mask"),
        "earlier-keys-hidden": ("Where there are more keys than queries, the earliest keys are hidden. Every query sees all keys before its own "
                                "position.", "causal-mask"),
        "extra-axes": ("The mask has extra axes of size 1. Return the two axes (queries, keys): broadcasting adds the others.", "causal-mask"),
        "needs-keys": ("Without n_keys the function stops with an error. When n_keys is None there are as many keys as queries.", "causal-mask"),
    },
)


@exercise.probes
def _(make):
    square, rectangular = "as many queries as keys", "more keys than queries"
    yield make.probe("three positions", make.pick(3, 4, 5), group=square)
    yield make.probe("six positions", make.pick(6, 7, 8), group=square)
    yield make.probe("n_keys is None", make.pick(4, 5, 6), None, group=square)
    yield make.probe("as many keys as queries, given", make.pick(5, 3, 4), make.pick(5, 3, 4), group=square)
    yield make.probe("one position", 1, group=square, edge=True)
    yield make.probe("two positions", 2, group=square, edge=True)
    yield make.probe("a long sequence", make.pick(140, 150, 160), group=square, long=True)
    yield make.probe("three queries, five keys", *make.pick((3, 5), (2, 5), (4, 6)), group=rectangular)
    yield make.probe("four queries, seven keys", make.pick(4, 3, 5), n_keys=make.pick(7, 8, 9), group=rectangular)
    yield make.probe("two queries, nine keys", *make.pick((2, 9), (3, 10), (2, 7)), group=rectangular)
    yield make.probe("one query", 1, make.pick(5, 4, 6), group=rectangular, edge=True)
    yield make.probe("one key more than queries", *make.pick((4, 5), (3, 4), (5, 6)), group=rectangular, edge=True)
    yield make.probe("a long sequence of keys", 3, make.pick(140, 150, 160), group=rectangular, long=True)


@exercise.right
def reference(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


@exercise.alternative("positions compared")
def _(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    keys = torch.arange(n_keys)
    queries = torch.arange(n_keys - n_queries, n_keys)
    return keys[None, :] <= queries[:, None]


@exercise.alternative("upper triangle inverted")
def _(n_queries, n_keys=None):
    S = n_keys or n_queries
    return ~torch.triu(torch.ones(n_queries, S), diagonal=S - n_queries + 1).bool()


@exercise.alternative("last rows of a square")
def _(n_queries, n_keys=None):
    S = n_queries if n_keys is None else n_keys
    return torch.tril(torch.ones(S, S))[-n_queries:] == 1


@exercise.alternative("loop")
def _(n_queries, n_keys=None):
    n_keys = n_keys if n_keys is not None else n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for t in range(n_queries):
        mask[t, :n_keys - n_queries + t + 1] = True
    return mask


@exercise.alternative("lists")
def _(n_queries, n_keys=None):
    n_keys = n_keys if n_keys is not None else n_queries
    offset = n_keys - n_queries
    return torch.tensor([[s - offset <= t for s in range(n_keys)] for t in range(n_queries)])


@exercise.alternative("cumulative sum")
def _(n_queries, n_keys=None):
    S = n_keys or n_queries
    return (torch.eye(S).flip(1).cumsum(1).flip(1) > 0)[S - n_queries:]


@exercise.wrong("diagonal-masked")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries - 1)


@exercise.wrong("diagonal-masked", "and aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(-1)


@exercise.wrong("sees-the-next")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries + 1)


@exercise.wrong("sees-the-next", "and aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(1)


@exercise.wrong("transposed")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries)


@exercise.wrong("transposed", "and aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu()


@exercise.wrong("transposed", "shape as well")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries).T


@exercise.wrong("inverted")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries + 1)


@exercise.wrong("inverted", "and aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(1)


@exercise.wrong("aligned-at-start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()


@exercise.wrong("not-boolean", "floats 0 and 1")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries)


@exercise.wrong("not-boolean", "floats, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril()


@exercise.wrong("not-boolean", "whole numbers")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries).long()


@exercise.wrong("not-boolean", "whole numbers, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril().long()


@exercise.wrong("not-boolean", "bytes")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries).to(torch.uint8)


@exercise.wrong("not-boolean", "int32")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries).int()


@exercise.wrong("not-boolean", "0 and −∞")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), -math.inf).triu(n_keys - n_queries + 1)


@exercise.wrong("not-boolean", "0 and −∞, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), -math.inf).triu(1)


@exercise.wrong("not-boolean", "0 and −1e9")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), -1e9).triu(n_keys - n_queries + 1)


@exercise.wrong("not-boolean", "floats, 1 where hidden")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).triu(n_keys - n_queries + 1)


@exercise.wrong("not-boolean", "floats, 1 where hidden, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).triu(1)


@exercise.wrong("not-boolean", "floats without the diagonal")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(-1)


@exercise.wrong("not-boolean", "floats, transposed")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).triu()


@exercise.wrong("keys-ignored")
def _(n_queries, n_keys=None):
    return torch.ones(n_queries, n_queries, dtype=torch.bool).tril()


@exercise.wrong("all-rows")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_keys, dtype=torch.bool).tril()


@exercise.wrong("rows-and-columns-swapped")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_queries, dtype=torch.bool).tril()


@exercise.wrong("rows-and-columns-swapped", "aligned at the end")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_queries, dtype=torch.bool).tril(n_queries - n_keys)


@exercise.wrong("rows-and-columns-swapped", "offset of the right shape")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_queries, dtype=torch.bool).tril(n_keys - n_queries)


@exercise.wrong("own-position-only")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.eye(n_keys, dtype=torch.bool)[-n_queries:]


@exercise.wrong("own-position-only", "aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.eye(n_queries, n_keys, dtype=torch.bool)


@exercise.wrong("one-row")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return (torch.arange(n_keys) < n_queries).expand(n_queries, n_keys)


@exercise.wrong("one-row", "up to the first query")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return (torch.arange(n_keys) <= n_keys - n_queries).expand(n_queries, n_keys)


@exercise.wrong("one-row", "the last key hidden")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return (torch.arange(n_keys) < n_keys - 1).expand(n_queries, n_keys)


@exercise.wrong("nothing-hidden")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool)


@exercise.wrong("earlier-keys-hidden")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries).triu(n_keys - n_queries) | torch.nn.functional.pad(torch.ones(n_queries, n_queries, dtype=torch.bool).tril(), (n_keys - n_queries, 0))


@exercise.wrong("extra-axes", "two")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)[None, None]


@exercise.wrong("extra-axes", "two, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()[None, None]


@exercise.wrong("extra-axes", "one")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)[None]


@exercise.wrong("needs-keys")
def _(n_queries, n_keys=None):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


@exercise.wrong("needs-keys", "aligned at the start")
def _(n_queries, n_keys=None):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()


@exercise.wrong("needs-keys", "by positions")
def _(n_queries, n_keys=None):
    return torch.arange(n_keys) <= torch.arange(n_queries)[:, None] + n_keys - n_queries


@exercise.wrong("needs-keys", "by loop")
def _(n_queries, n_keys=None):
    return torch.tensor([[s <= t + n_keys - n_queries for s in range(n_keys)] for t in range(n_queries)])


@exercise.wrong("ready-made", "nn.Transformer's")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return nn.Transformer.generate_square_subsequent_mask(n_keys)[-n_queries:] == 0


@exercise.wrong("ready-made", "nn.Transformer's, as it is")
def _(n_queries, n_keys=None):
    return nn.Transformer.generate_square_subsequent_mask(n_queries)


@exercise.wrong("ready-made", "attention's bias")
def _(n_queries, n_keys=None):
    from torch.nn.attention import bias
    n_keys = n_queries if n_keys is None else n_keys
    return bias.causal_lower_right(n_queries, n_keys)


@exercise.wrong("ready-made", "the library's own")
def _(n_queries, n_keys=None):
    import allyouneed.attention as a
    return a.causal_mask(n_queries, n_keys)


@exercise.wrong("returns-nothing")
def _(n_queries, n_keys=None):
    torch.ones(n_queries, n_keys or n_queries).tril()


@exercise.wrong("timeout")
def _(n_queries, n_keys=None):
    while True:
        pass


@exercise.wrong("offset-sign", "tril")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_queries - n_keys)


@exercise.wrong("offset-sign", "positions")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys) <= torch.arange(n_queries)[:, None] + n_queries - n_keys
