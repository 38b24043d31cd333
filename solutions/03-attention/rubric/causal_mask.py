"""causal_mask: probes, right versions, and each mistake with its message and its evidence."""


import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "causal_mask",
    points={"as many queries as keys": 2, "more keys than queries": 1},
    section="causal-mask",
    forbid=("generate_square_subsequent_mask", "causal_lower_right", "causal_upper_left", "CausalBias",
            "local_causal_mask"),
)


@exercise.probes
def probes(make):
    square, rectangular = "as many queries as keys", "more keys than queries"
    yield make.probe("a few positions", make.pick(3, 4, 5), group=square)
    yield make.probe("some more positions", make.pick(6, 7, 8), group=square)
    yield make.probe("n_keys is None", make.pick(4, 5, 6), None, group=square)
    yield make.probe("as many keys as queries, given", make.pick(5, 3, 4), make.pick(5, 3, 4), group=square)
    yield make.probe("one position", 1, group=square, edge=True)
    yield make.probe("two positions", 2, group=square, edge=True)
    yield make.probe("a long sequence", make.pick(140, 150, 160), group=square, long=True)
    yield make.probe("fewer queries than keys", *make.pick((3, 5), (2, 5), (4, 6)), group=rectangular)
    yield make.probe("fewer queries than keys, n_keys by its name", make.pick(4, 3, 5), n_keys=make.pick(7, 8, 9),
                     group=rectangular)
    yield make.probe("many more keys than queries", *make.pick((2, 9), (3, 10), (2, 7)), group=rectangular)
    yield make.probe("one query", 1, make.pick(5, 4, 6), group=rectangular, edge=True)
    yield make.probe("one key more than queries", *make.pick((4, 5), (3, 4), (5, 6)), group=rectangular,
                     edge=True)
    yield make.probe("a long sequence of keys", 3, make.pick(140, 150, 160), group=rectangular, long=True)
    yield make.probe("two queries, more than a thousand keys", 2, make.pick(1100, 1090, 1110),
                     group=rectangular, edge=True)


@exercise.right
def reference(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


@exercise.right("positions compared")
def positions_compared(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    keys = torch.arange(n_keys)
    queries = torch.arange(n_keys - n_queries, n_keys)
    return keys[None, :] <= queries[:, None]


@exercise.right("loop")
def loop(n_queries, n_keys=None):
    n_keys = n_keys if n_keys is not None else n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for t in range(n_queries):
        mask[t, :n_keys - n_queries + t + 1] = True
    return mask


exercise.also_right(
    full("S = n_keys or n_queries\n"
         "return ~torch.triu(torch.ones(n_queries, S), diagonal=S - n_queries + 1).bool()",
         "upper triangle inverted"),
    full("S = n_queries if n_keys is None else n_keys\n"
         "return torch.tril(torch.ones(S, S))[-n_queries:] == 1", "last rows of a square"),
    full("n_keys = n_keys if n_keys is not None else n_queries\n"
         "offset = n_keys - n_queries\n"
         "return torch.tensor([[s - offset <= t for s in range(n_keys)] for t in range(n_queries)])",
         "lists"),
    full("S = n_keys or n_queries\n"
         "return (torch.eye(S).flip(1).cumsum(1).flip(1) > 0)[S - n_queries:]", "cumulative sum"))


exercise.mistake("diagonal-masked", "causal-mask",
    "A query cannot see its own position. A position sees itself and what came before: the diagonal is True.",
    edit(reference, {"- n_queries": "- n_queries - 1"}),
    edit(reference, {"n_keys - n_queries": "-1"}, "and aligned at the start"))

exercise.mistake("sees-the-next", "causal-mask",
    "A query sees one position too far, the one after it. The last True of each row is the query's own "
    "position.",
    edit(reference, {"- n_queries": "- n_queries + 1"}),
    edit(reference, {"n_keys - n_queries": "1"}, "and aligned at the start"))

exercise.mistake("transposed", "causal-mask",
    "The mask is transposed: each position sees itself and what comes after. Rows are queries, and True "
    "lies on the side of the earlier keys.",
    edit(reference, {"tril": "triu"}),
    edit(reference, {"tril(n_keys - n_queries)": "triu()"}, "and aligned at the start"),
    edit(reference, {"n_queries)": "n_queries).T"}, "shape as well"))

exercise.mistake("inverted", "masks-in-torch",
    "The mask is True where attention is forbidden. Here True means that the query may attend: invert it "
    "with ~.",
    edit(reference, {"tril": "triu", "- n_queries": "- n_queries + 1"}),
    edit(reference, {"tril(n_keys - n_queries)": "triu(1)"}, "and aligned at the start"))

exercise.mistake("aligned-at-start", "causal-mask",
    "With more keys than queries, the queries are taken for the first positions. They are the last ones: "
    "query t stands at position n_keys − n_queries + t.",
    edit(reference, {"n_keys - n_queries": ""}))

exercise.mistake("not-boolean", "masks-in-torch",
    "The mask does not hold True and False. Return a boolean tensor: True where the query may attend.",
    edit(reference, {", dtype=torch.bool": ""}, "floats 0 and 1"),
    edit(reference, {", dtype=torch.bool": "", "n_keys - n_queries": ""}, "floats, aligned at the start"),
    edit(reference, {"(n_keys - n_queries)": "().long()"}, "whole numbers, aligned at the start"),
    edit(reference, {"n_queries)": "n_queries).int()"}, "int32"),
    full("n_keys = n_queries if n_keys is None else n_keys\n"
         "return torch.full((n_queries, n_keys), -math.inf).triu(n_keys - n_queries + 1)", "0 and −∞"),
    full("n_keys = n_queries if n_keys is None else n_keys\n"
         "return torch.full((n_queries, n_keys), -math.inf).triu(1)", "0 and −∞, aligned at the start"),
    full("n_keys = n_queries if n_keys is None else n_keys\n"
         "return torch.full((n_queries, n_keys), -1e9).triu(n_keys - n_queries + 1)", "0 and −1e9"),
    edit(reference, {", dtype=torch.bool": "", "tril": "triu",
                     "- n_queries": "- n_queries + 1"}, "floats, 1 where hidden"),
    edit(reference, {", dtype=torch.bool": "",
                     "tril(n_keys - n_queries)": "triu(1)"}, "floats, 1 where hidden, aligned at the start"),
    edit(reference, {", dtype=torch.bool": "", "n_keys - n_queries": "-1"}, "floats without the diagonal"),
    edit(reference, {", dtype=torch.bool": "", "tril(n_keys - n_queries)": "triu()"}, "floats, transposed"))

exercise.mistake("keys-ignored", "causal-mask",
    "n_keys is not used: the mask always has as many columns as rows. It has a column for each of the "
    "n_keys keys.",
    full("return torch.ones(n_queries, n_queries, dtype=torch.bool).tril()"))

exercise.mistake("all-rows", "causal-mask",
    "The mask has a row for each key. It has a row for each query only, and the queries are the last "
    "positions.",
    edit(reference, {"n_queries, n_keys,": "n_keys, n_keys,", "n_keys - n_queries": ""}))

exercise.mistake("rows-and-columns-swapped", "causal-mask",
    "Rows and columns are exchanged in the mask's shape. It is (n_queries, n_keys).",
    edit(reference, {"n_queries, n_keys,": "n_keys, n_queries,", "n_keys - n_queries": ""}),
    edit(reference, {"n_queries, n_keys,": "n_keys, n_queries,",
                     "n_keys - n_queries": "n_queries - n_keys"}, "aligned at the end"),
    edit(reference, {"n_queries, n_keys,": "n_keys, n_queries,"}, "offset of the right shape"))

exercise.mistake("own-position-only", "causal-mask",
    "Each query sees its own position alone. It sees everything before it as well.",
    edit(reference, {"ones(n_queries,": "eye(", ".tril(n_keys - n_queries)": "[-n_queries:]"}),
    edit(reference, {"ones": "eye", ".tril(n_keys - n_queries)": ""}, "aligned at the start"))

exercise.mistake("one-row", "causal-mask",
    "The mask hides the same keys from every query. Each query sees one key more than the query before it.",
    edit(positions_compared, {"queries =": "return (", "n_keys -": "n_keys ) < n_queries).expand("}),
    edit(positions_compared, {"queries =": "return (",
                              "n_keys -": "n_keys ) <= n_keys - n_queries).expand("},
         "up to the first query"),
    edit(positions_compared, {"queries =": "return (",
                              "n_keys -": "n_keys ) < n_keys - 1).expand("}, "the last key hidden"))

exercise.mistake("nothing-hidden", "causal-mask", "The mask hides nothing. Later keys must be False.",
    edit(reference, {".tril(n_keys - n_queries)": ""}))

exercise.mistake("earlier-keys-hidden", "causal-mask",
    "Where there are more keys than queries, the earliest keys are hidden. Every query sees all keys "
    "before its own position.",
    edit(reference, {"n_queries)":
                     "n_queries).triu(n_keys - n_queries) | torch.nn.functional.pad(torch.ones(n_queries, "
                     "n_queries, dtype=torch.bool).tril(), (n_keys - n_queries, 0))"}))

exercise.mistake("extra-axes", "causal-mask",
    "The mask has extra axes of size 1. Return the two axes (queries, keys): broadcasting adds the others.",
    edit(reference, {"n_queries)": "n_queries)[None, None]"}, "two"),
    edit(reference, {"(n_keys - n_queries)": "()[None, None]"}, "two, aligned at the start"),
    edit(reference, {"n_queries)": "n_queries)[None]"}, "one"))

exercise.mistake("needs-keys", "causal-mask",
    "Without n_keys the function stops with an error. When n_keys is None there are as many keys as queries.",
    edit(reference, {"n_keys = n_queries if n_keys is None else n_keys": ""}),
    full("return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()", "aligned at the start"),
    full("return torch.arange(n_keys) <= torch.arange(n_queries)[:, None] + n_keys - n_queries",
         "by positions"),
    full("return torch.tensor([[s <= t + n_keys - n_queries for s in range(n_keys)] for t in "
         "range(n_queries)])", "by loop"))

exercise.mistake("offset-sign", "causal-mask",
    "The diagonal is moved the wrong way: with more keys than queries even the first query sees too "
    "little. The earlier keys come before the first query: flip the sign of the offset.",
    edit(reference, {"n_keys - n_queries": "n_queries - n_keys"}, "tril"))

exercise.mistake("fixed-size", "causal-mask",
    "The mask is cut from a table of a fixed size, which many keys outgrow. Build it from n_queries and "
    "n_keys each time.",
    *(full("n_keys = n_keys or n_queries\n"
           f"table = torch.ones({size}, {size}, dtype=torch.bool).tril()\n"
           "return table[n_keys - n_queries : n_keys, :n_keys]", f"{size}") for size in (200, 512, 1024)))

exercise.built_in("ready-made",
    full("n_keys = n_queries if n_keys is None else n_keys\n"
         "return nn.Transformer.generate_square_subsequent_mask(n_keys)[-n_queries:] == 0",
         "nn.Transformer's"),
    full("return nn.Transformer.generate_square_subsequent_mask(n_queries)", "nn.Transformer's, as it is"),
    full("from torch.nn.attention import bias\n"
         "n_keys = n_queries if n_keys is None else n_keys\n"
         "return bias.causal_lower_right(n_queries, n_keys)", "attention's bias"),
    full("import allyouneed.nn.attention as a\nreturn a.causal_mask(n_queries, n_keys)", "the library's own"))

exercise.built_in("returns-nothing",
    full("torch.ones(n_queries, n_keys or n_queries).tril()"))

exercise.built_in("timeout",
    full("while True:\n    pass"))


exercise.equal("a list of lists of truth values is read as a tensor", {"torch.tensor": ""})
exercise.equal("there is at least one query", {"S - n_queries": "-n_queries"})
exercise.equal("the last of two axes is the second", {"1": "-1"})
exercise.equal("the identity is symmetric, forwards and backwards",
    {"eye(S).flip(1)": ("eye(S).flip(-2)", "eye(S).flip(0)"), "cumsum(1)": ("cumsum(-2)", "cumsum(0)")})
