"""The rubric of alibi_bias: reference, probes, mistakes with their messages, and the evidence that they are right.

The driver takes out what a causal softmax cannot see: a constant in a row, and later keys.
"""

import math

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "alibi_bias",
    points={"slopes and distances": 3, "more keys than queries": 2},
    section="alibi",
    driver="causal_bias",
    properties=[{"rule": "non_positive", "what": "The bias of an earlier key, less that of the query's own position,"}],
    forbid=("ALiBi",),
    any_float=True,
    compact=True,
    mistakes={
        "positive-sign": ("The bias grows with the distance, so far keys are preferred. It is a penalty: minus the slope times the distance. "
                          "(Exchanging queries and keys would look the same: the shape is (H, T, S).)", "alibi"),
        "one-slope": ("All heads have the same slope. Head h has its own: 2^(−8h/H).", "alibi-slopes"),
        "slopes-off-by-one": ("The heads are not counted from 1, so the slopes are one head too early or too late. Head 1 has the slope 2^(−8/H), the last one 2^(−8).",
                              "alibi-slopes"),
        "slopes-for-eight-heads": ("The slopes are ½, ¼, ⅛, ... for any number of heads. That holds for 8 heads only: the exponent is −8h/H.", "alibi-slopes"),
        "slopes-of-powers-of-two": ("Where the number of heads is not a power of two, slopes of another power of two are picked, as some "
                                    "published code does (8 // H does too). Here the formula 2^(−8h/H) holds for every H.", "alibi-slopes"),
        "slopes-without-eight": ("The exponent lacks the 8: the slopes are 2^(−h/H). The last head's slope is 2^(−8).", "alibi-slopes"),
        "slopes-grow": ("The exponent is positive, so the slopes are above 1. They are 2^(−8h/H), with a minus.", "alibi-slopes"),
        "slopes-reversed": ("The slopes are in reverse order. Head 1 has the largest, the last head the smallest.", "alibi-slopes"),
        "slopes-other-base": ("The slopes are powers of a number other than 2. They are 2^(−8h/H).", "alibi-slopes"),
        "slopes-linear": ("The slopes do not fall by a constant factor from head to head. They must: head h has 2^(−8h/H).", "alibi-slopes"),
        "slopes-divisor": ("The exponent is divided by a number other than the number of heads. It is −8h/H.", "alibi-slopes"),
        "slopes-rounded": ("The exponent is rounded to a whole number. Divide with / instead of //.", "alibi-slopes"),
        "aligned-at-start": ("With more keys than queries, the queries are not put at the last positions everywhere. Query t stands at position "
                             "n_keys − n_queries + t, and a triangle (tril) must start there too.", "alibi"),
        "distance-not-linear": ("The penalty does not grow in step with the distance. It is the slope times the distance itself.", "alibi"),
        "no-penalty": ("Earlier keys get no penalty at all: the bias says nothing about distance. A key s places before the query gets "
                       "−slope·s; a mask for later keys is not part of it. (Exchanging queries and keys would look the same: the shape is "
                       "(H, T, S).)", "alibi"),
        "no-distance": ("All earlier keys get the same penalty. It must grow with the distance: multiply the slope by how far the key is from the query.", "alibi"),
        "distance-off-by-one": ("The distance is one too small. It is 0 at the query's own position, 1 at the key before it, and so on.", "alibi"),
        "distance-scaled": ("The distance is divided by the length of the text. It counts tokens: 0, 1, 2 and so on.", "alibi"),
        "returns-weights": ("These are weights, or factors, not a bias. The bias is added to the scores before the softmax: return −slope·distance.", "alibi"),
        "no-slope-sign-per-head": ("Some heads prefer far keys: the sign changes from head to head. Every head has a penalty.", "alibi"),
        "masked-earlier": ("Keys that the query may see are hidden with −∞ or a huge penalty. Only later keys may be hidden, and the mask does that anyway.", "alibi"),
        "heads-summed": ("There is no axis of heads, or the heads are added up. Each head has its own bias: (H, T, S).", "alibi"),
        "extra-axes": ("The bias has one axis too many. Return (H, T, S): broadcasting adds the batch.", "alibi"),
        "axes-moved": ("The axes are in another order. They are heads, queries, keys: (H, T, S).", "alibi"),
        "one-row": ("There is one row for all queries. Return a row for each query: (H, T, S).", "alibi"),
        "all-rows": ("There is a row for every key. Only the queries have rows, and they are the last positions: (H, T, S).", "alibi"),
        "keys-ignored": ("n_keys is not used: there are as many columns as queries. There is a column for each of the n_keys keys.", "alibi"),
        "slopes-only": ("These are the slopes. Multiply them by minus the distance from each query to each key: (H, T, S).", "alibi"),
        "whole-numbers": ("The bias is rounded to whole numbers, or it has an integer dtype. Make it a float tensor.", "alibi"),
        "exponent-brackets": ("A part of the exponent stands outside of it: a power is computed before a product or a quotient. Put brackets around the whole exponent, −8h/H.",
                              "alibi-slopes"),
        "head-left-out": ("One head gets no penalty at all: a loop leaves it out. There are H heads; with h from 1 to H, head h is number h − 1 in the tensor.", "alibi-slopes"),
        "query-left-out": ("The last query gets no penalty at all: a loop ends too early. There are n_queries queries.", "alibi"),
        "slopes-scaled": ("All slopes are too large or too small by one factor. The last head's slope is 2^(−8), whatever the number of heads.", "alibi-slopes"),
        "two-answers": ("More than one thing is returned. Return the bias alone, (H, T, S).", "alibi"),
    },
)


@exercise.probes
def _(make):
    core = {"group": "slopes and distances"}
    yield make.probe("two heads", 2, make.pick(3, 4, 5), make.pick(3, 4, 5), **core)
    yield make.probe("four heads", 4, make.pick(3, 6, 5), make.pick(3, 6, 5), **core)
    yield make.probe("three heads", 3, make.pick(4, 5, 6), make.pick(4, 5, 6), **core)
    yield make.probe("six heads", make.pick(6, 5, 7), make.pick(2, 3, 4), make.pick(2, 3, 4), **core)
    yield make.probe("eight heads", 8, make.pick(4, 3, 5), make.pick(4, 3, 5), long=True, **core)
    yield make.probe("one head", 1, make.pick(4, 5, 3), make.pick(4, 5, 3), edge=True, **core)
    yield make.probe("twelve heads", make.pick(12, 10, 11), 3, 3, long=True, **core)
    yield make.probe("a long sequence", 2, make.pick(70, 80, 75), make.pick(70, 80, 75), long=True, **core)
    more = {"group": "more keys than queries", "edge": True}
    yield make.probe("two queries, five keys", 2, *make.pick((2, 5), (2, 6), (3, 5)), **more)
    yield make.probe("three queries, four keys", 3, *make.pick((3, 4), (4, 6), (5, 8)), **more)
    yield make.probe("one query", 4, 1, make.pick(5, 4, 6), **more)
    yield make.probe("a long sequence of keys", 3, 2, make.pick(200, 250, 300), group="more keys than queries", long=True)


@exercise.right
def reference(n_heads, n_queries, n_keys):
    slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    queries = torch.arange(n_keys - n_queries, n_keys)
    distance = (queries[:, None] - torch.arange(n_keys)[None, :]).abs()
    return -slopes[:, None, None] * distance


@exercise.alternative("no penalty for later keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).clamp(min=0)
    return -m[:, None, None] * distance


@exercise.alternative("later keys rewarded, as a plain difference")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = t - s
    return -m[:, None, None] * distance


@exercise.alternative("later keys at minus infinity")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s > t, -math.inf, -m[:, None, None] * distance)


@exercise.alternative("later keys not a number")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s > t, math.nan, -m[:, None, None] * distance)


@exercise.alternative("the same row for every query, expanded")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (m[:, None, None] * s).expand(n_heads, n_queries, n_keys)


@exercise.alternative("distance from the last key")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (n_keys - 1 - s).expand(n_queries, n_keys)
    return -m[:, None, None] * distance


@exercise.alternative("queries at the start, a plain difference")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_queries)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = t - s
    return -m[:, None, None] * distance


@exercise.alternative("loops, a nested list")
def _(n_heads, n_queries, n_keys):
    ratio = 2 ** (-8 / n_heads)
    return [[[-(ratio ** (h + 1)) * max(n_keys - n_queries + t - s, 0) for s in range(n_keys)] for t in range(n_queries)] for h in range(n_heads)]


@exercise.alternative("powers of the first slope, einsum, float64")
def _(n_heads, n_queries, n_keys):
    first = 2 ** (-8.0 / n_heads)
    slopes = torch.tensor([first ** (i + 1) for i in range(n_heads)], dtype=torch.float64)
    relative = torch.arange(n_keys)[None] - torch.arange(n_keys)[-n_queries:, None]
    return torch.einsum("h,ts->hts", slopes, relative.clamp(max=0).double())


@exercise.alternative("exp, filled row by row, later keys at −1e9")
def _(n_heads, n_queries, n_keys):
    out = torch.full((n_heads, n_queries, n_keys), -1e9)
    for h in range(n_heads):
        slope = math.exp(-8 * (h + 1) / n_heads * math.log(2))
        for row, position in enumerate(range(n_keys - n_queries, n_keys)):
            out[h, row, : position + 1] = slope * (torch.arange(position + 1) - position)
    return out


@exercise.alternative("cumulative products of a ratio, numpy")
def _(n_heads, n_queries, n_keys):
    import numpy as np
    m = np.cumprod(np.full(n_heads, np.exp2(-8 / n_heads)))
    return -np.multiply.outer(m, np.tril(np.subtract.outer(np.arange(n_keys), np.arange(n_keys)))[n_keys - n_queries:])


@exercise.wrong("positive-sign")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return m[:, None, None] * distance


@exercise.wrong("positive-sign", "keys minus queries, negated")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = s - t
    return -m[:, None, None] * distance


@exercise.wrong("positive-sign", "zero for later keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).clamp(min=0)
    return m[:, None, None] * distance


@exercise.wrong("positive-sign", "minus the key's index")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * s).expand(n_heads, n_queries, n_keys)


@exercise.wrong("one-slope", "1")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = torch.ones(n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("one-slope", "½")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = torch.full((n_heads,), 0.5)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("one-slope", "the first")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = torch.full((n_heads,), 2.0 ** (-8 / n_heads))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("one-slope", "the last")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = torch.full((n_heads,), 2.0 ** -8)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("one-slope", "2 to the minus number of heads")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = torch.full((n_heads,), 2.0 ** -n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("one-slope", "the first, for all keys of the start")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = torch.full((n_heads,), 2.0 ** (-8 / n_heads))
    t = torch.arange(n_queries)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-off-by-one")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(n_heads)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-off-by-one", "one too far")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(2, n_heads + 2)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-off-by-one", "in a loop")
def _(n_heads, n_queries, n_keys):
    out = torch.zeros(n_heads, n_queries, n_keys)
    for h in range(n_heads):
        for t in range(n_queries):
            for s in range(n_keys):
                out[h, t, s] = -(2 ** (-8 * h / n_heads)) * abs(t + n_keys - n_queries - s)
    return out


@exercise.wrong("slopes-for-eight-heads")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** -h
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-for-eight-heads", "shifted")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** -(h - 1)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-of-powers-of-two", "every other of the next")
def _(n_heads, n_queries, n_keys):
    def slopes(n):
        if math.log2(n).is_integer():
            return [2 ** (-8 * (i + 1) / n) for i in range(n)]
        near = 2 ** math.floor(math.log2(n))
        return slopes(near) + slopes(2 * near)[0::2][: n - near]


    m = torch.tensor(slopes(n_heads))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    return -m[:, None, None] * (t - torch.arange(n_keys)).abs()


@exercise.wrong("slopes-of-powers-of-two", "the first of the next")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / 2 ** math.ceil(math.log2(n_heads)))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-of-powers-of-two", "of the one below")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / 2 ** math.floor(math.log2(n_heads)))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-of-powers-of-two", "ratio of the one below, started again")
def _(n_heads, n_queries, n_keys):
    def slopes(n):
        if math.log2(n).is_integer():
            return [2 ** (-8 * (i + 1) / n) for i in range(n)]
        near = 2 ** math.floor(math.log2(n))
        return slopes(near) + slopes(2 * near)[: n - near]


    m = torch.tensor(slopes(n_heads))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    return -m[:, None, None] * (t - torch.arange(n_keys)).abs()


@exercise.wrong("slopes-without-eight")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-grow")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-grow", "sign of the exponent, and of the bias")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return m[:, None, None] * distance


@exercise.wrong("slopes-reversed")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(n_heads, 0, -1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-reversed", "and off by one")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(n_heads - 1, -1, -1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-other-base", "e")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = torch.exp(-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-other-base", "10")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 10.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-other-base", "8 to the minus 2")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 8.0 ** (-2 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-other-base", "8 to the −h/H")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 8.0 ** (-h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-linear", "1/h")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 1.0 / h
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-linear", "h/H")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = h / n_heads
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-linear", "H/(8h)")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 1.0 / (8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-linear", "equal steps")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = torch.linspace(2 ** (-8 / n_heads), 2 ** -8, n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-linear", "8h/H")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 8 * h / n_heads
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-linear", "2^(−8/h)")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 / h)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-divisor", "H + 1")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / (n_heads + 1))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-divisor", "H − 1")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / max(n_heads - 1, 1))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-divisor", "number of keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_keys)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-divisor", "from 0 to 8")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** -torch.linspace(0, 8, n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-divisor", "from 1 to 8")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** -torch.linspace(1, 8, n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-divisor", "no division")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8.0 * h)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-divisor", "from 0 to 8, H − 1")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * (h - 1) / max(n_heads - 1, 1))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-rounded")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h // n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-rounded", "towards zero")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** -(8 * h // n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-of-powers-of-two", "8 // H")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-h * (8 // n_heads))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("aligned-at-start", "absolute distance")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_queries)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("aligned-at-start", "zero for later keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_queries)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).clamp(min=0)
    return -m[:, None, None] * distance


@exercise.wrong("aligned-at-start", "later keys at minus infinity")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_queries)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s > t, -math.inf, -m[:, None, None] * distance)


@exercise.wrong("aligned-at-start", "shifted the wrong way")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_queries)[:, None] - (n_keys - n_queries)
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("aligned-at-start", "the first rows of a square")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    r = torch.arange(n_keys)
    return (-m[:, None, None] * (r[:, None] - r).abs())[:, :n_queries]


@exercise.wrong("aligned-at-start", "counted from the end, one too few")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None] - (n_keys > n_queries)
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("aligned-at-start", "shifted the wrong way, zero for later keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_queries)[:, None] - (n_keys - n_queries)
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).clamp(min=0)
    return -m[:, None, None] * distance


@exercise.wrong("distance-not-linear", "squared")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s) ** 2
    return -m[:, None, None] * distance


@exercise.wrong("distance-not-linear", "root")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs().sqrt()
    return -m[:, None, None] * distance


@exercise.wrong("distance-not-linear", "logarithm")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = torch.log1p((t - s).abs())
    return -m[:, None, None] * distance


@exercise.wrong("distance-not-linear", "logarithm of base 2")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = torch.log2(1 + (t - s).abs())
    return -m[:, None, None] * distance


@exercise.wrong("distance-not-linear", "slope to the power of the distance")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -(m[:, None, None] ** distance)


@exercise.wrong("distance-not-linear", "half squared")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s) ** 2 / 2
    return -m[:, None, None] * distance


@exercise.wrong("no-penalty", "cut off on the wrong side")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (s - t).clamp(min=0)
    return -m[:, None, None] * distance


@exercise.wrong("no-distance", "cut off at 1")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs().clamp(max=1)
    return -m[:, None, None] * distance


@exercise.wrong("no-penalty", "zero everywhere")
def _(n_heads, n_queries, n_keys):
    return torch.zeros(n_heads, n_queries, n_keys)


@exercise.wrong("distance-off-by-one")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = ((t - s).abs() - 1).clamp(min=0)
    return -m[:, None, None] * distance


@exercise.wrong("no-distance", "minus the slope for earlier keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (s < t).float()
    return -m[:, None, None] * distance


@exercise.wrong("no-distance", "minus the slope everywhere but the diagonal")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (s != t).float()
    return -m[:, None, None] * distance * 1


@exercise.wrong("no-distance", "the query's position for earlier keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * t).expand(n_heads, n_queries, n_keys) * (s < t)


@exercise.wrong("no-penalty", "the query's position")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * t).expand(n_heads, n_queries, n_keys)


@exercise.wrong("no-penalty", "a mask for later keys alone")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s > t, -math.inf, 0.0).expand(n_heads, n_queries, n_keys)


@exercise.wrong("distance-scaled", "by the keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs() / n_keys
    return -m[:, None, None] * distance


@exercise.wrong("distance-scaled", "by keys − 1")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs() / max(n_keys - 1, 1)
    return -m[:, None, None] * distance


@exercise.wrong("distance-scaled", "by the position")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs() / (t + 1)
    return -m[:, None, None] * distance


@exercise.wrong("distance-scaled", "by the root of the heads")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs() / math.sqrt(n_heads)
    return -m[:, None, None] * distance


@exercise.wrong("returns-weights", "softmax")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.softmax(-m[:, None, None] * distance, dim=-1)


@exercise.wrong("returns-weights", "causal softmax")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.softmax((-m[:, None, None] * distance).masked_fill(s > t, -math.inf), dim=-1)


@exercise.wrong("returns-weights", "exp")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.exp(-m[:, None, None] * distance)


@exercise.wrong("returns-weights", "1 − slope·distance, as a factor")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return 1 / (1 + m[:, None, None] * distance)


@exercise.wrong("returns-weights", "slope to the distance")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return m[:, None, None] ** distance


@exercise.wrong("returns-weights", "2 to the bias")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return 2 ** (-m[:, None, None] * distance)


@exercise.wrong("returns-weights", "exp, zero for later keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.exp(-m[:, None, None] * distance) * (s <= t)


@exercise.wrong("no-slope-sign-per-head")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads) * (-1.0) ** (h + 1)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("no-slope-sign-per-head", "(−2) to the h")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = (-2.0) ** (h + 1) * 2.0 ** (-8 * h / n_heads) * 2.0 ** (-h - 1)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("masked-earlier", "earlier keys at minus infinity")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s < t, -math.inf, -m[:, None, None] * distance)


@exercise.wrong("masked-earlier", "the own position too")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s <= t, -math.inf, -m[:, None, None] * distance)


@exercise.wrong("masked-earlier", "the own position")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s >= t, -math.inf, -m[:, None, None] * distance)


@exercise.wrong("masked-earlier", "everything but the own position at −1e9")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s < t, -1e9, -m[:, None, None] * distance)


@exercise.wrong("heads-summed", "no axis")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m.sum() * distance


@exercise.wrong("heads-summed", "the first head alone")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[0] * distance


@exercise.wrong("heads-summed", "the mean")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m.mean() * distance


@exercise.wrong("heads-summed", "the distances alone")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -distance.float()


@exercise.wrong("heads-summed", "an axis of one")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[0] * distance[None]


@exercise.wrong("extra-axes", "batch")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance)[None]


@exercise.wrong("extra-axes", "batch, aligned at the start")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_queries)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance)[None]


@exercise.wrong("extra-axes", "behind")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance)[..., None]


@exercise.wrong("extra-axes", "after the heads")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance)[:, None]


@exercise.wrong("axes-moved", "heads last")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -distance[..., None] * m


@exercise.wrong("axes-moved", "keys before queries")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance).transpose(1, 2)


@exercise.wrong("axes-moved", "heads in the middle")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance).transpose(0, 1)


@exercise.wrong("axes-moved", "broadcast against the keys")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -(m * distance[..., None])


@exercise.wrong("one-row")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return m[:, None, None] * s


@exercise.wrong("one-row", "distance from the last key")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * (n_keys - 1 - s)


@exercise.wrong("one-row", "without an axis of queries")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return m[:, None] * s


@exercise.wrong("all-rows")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("keys-ignored")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_queries)[:, None]
    s = torch.arange(n_queries)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.wrong("slopes-only")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return m


@exercise.wrong("slopes-only", "negative")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m


@exercise.wrong("slopes-only", "a list")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return m.tolist()


@exercise.wrong("slopes-only", "with axes")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return m[:, None, None]


@exercise.wrong("slopes-only", "with axes, negative")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None]


@exercise.wrong("whole-numbers")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance).long()


@exercise.wrong("whole-numbers", "rounded")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance).round().int()


@exercise.wrong("whole-numbers", "int32")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return (-m[:, None, None] * distance).int()


@exercise.wrong("slopes-linear", "1/(2h)")
def _(n_heads, n_queries, n_keys):
    m = 1 / (2 * torch.arange(1, n_heads + 1))
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.wrong("slopes-linear", "from ½ to 1/256 in equal steps")
def _(n_heads, n_queries, n_keys):
    m = torch.linspace(0.5, 1 / 256, n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.wrong("slopes-linear", "1/(h + 1)")
def _(n_heads, n_queries, n_keys):
    m = 1 / torch.arange(2, n_heads + 2)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.wrong("exponent-brackets")
def _(n_heads, n_queries, n_keys):
    m = 2 ** -8 * torch.arange(1, n_heads + 1) / n_heads
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.wrong("exponent-brackets", "divided outside")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1)) / n_heads
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.wrong("head-left-out", "the last one")
def _(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys)
    for h in range(1, n_heads):
        for t in range(n_queries):
            for s in range(n_keys):
                bias[h - 1, t, s] = -2 ** (-8 * h / n_heads) * (n_keys - n_queries + t - s)
    return bias


@exercise.wrong("head-left-out", "the first one")
def _(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    for h in range(1, n_heads):
        bias[h] = -2 ** (-8 * h / n_heads) * distance
    return bias


@exercise.wrong("head-left-out", "the first one, the others with their own slopes")
def _(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    for h in range(1, n_heads):
        bias[h] = -2 ** (-8 * (h + 1) / n_heads) * distance
    return bias


@exercise.wrong("query-left-out", "the last one")
def _(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys)
    for h in range(n_heads):
        for t in range(n_queries - 1):
            for s in range(n_keys):
                bias[h, t, s] = -2 ** (-8 * (h + 1) / n_heads) * (n_keys - n_queries + t - s)
    return bias


@exercise.wrong("slopes-scaled", "halved")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads) / 2
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.wrong("slopes-scaled", "doubled")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads) * 2
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.wrong("slopes-scaled", "by the number of heads")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads) / n_heads
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.wrong("distance-off-by-one", "size of the difference, one too small")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_keys - n_queries - 1, n_keys - 1)[:, None] - torch.arange(n_keys)).abs()
    return -m[:, None, None] * distance


@exercise.wrong("distance-off-by-one", "later and own keys count down")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_keys) - torch.arange(n_keys - n_queries - 1, n_keys - 1)[:, None]).abs()
    return m[:, None, None] * -distance


@exercise.wrong("aligned-at-start", "a triangle of the differences")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)).tril()
    return -m[:, None, None] * distance


@exercise.wrong("positive-sign", "keys before queries, plain difference")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return (-m[:, None, None] * distance).transpose(1, 2)


@exercise.wrong("no-penalty", "keys before queries, nothing for later keys")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)).clamp(min=0)
    return (-m[:, None, None] * distance).transpose(1, 2)


@exercise.wrong("axes-moved", "heads last, plain difference")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m * distance[..., None]


@exercise.wrong("axes-moved", "heads last, nothing for later keys")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)).clamp(min=0)
    return -m * distance[..., None]


@exercise.wrong("axes-moved", "heads in the middle, plain difference")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None] * distance[:, None]


@exercise.wrong("extra-axes", "batch, plain difference")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return (-m[:, None, None] * distance)[None]


@exercise.wrong("extra-axes", "batch, nothing for later keys")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)).clamp(min=0)
    return (-m[:, None, None] * distance)[None]


@exercise.wrong("extra-axes", "batch, minus infinity for later keys")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return (-m[:, None, None] * distance).masked_fill(distance < 0, -math.inf)[None]


@exercise.wrong("heads-summed", "the distances alone, plain difference")
def _(n_heads, n_queries, n_keys):
    return -(torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)).float()


@exercise.wrong("heads-summed", "the distances alone, nothing for later keys")
def _(n_heads, n_queries, n_keys):
    return -(torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)).clamp(min=0).float()


@exercise.wrong("heads-summed", "the first head alone, plain difference")
def _(n_heads, n_queries, n_keys):
    return -2 ** (-8 / n_heads) * (torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys))


@exercise.wrong("all-rows", "plain difference")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    return -m[:, None, None] * (torch.arange(n_keys)[:, None] - torch.arange(n_keys))


@exercise.wrong("all-rows", "nothing for later keys")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    return -m[:, None, None] * (torch.arange(n_keys)[:, None] - torch.arange(n_keys)).clamp(min=0)


@exercise.wrong("keys-ignored", "plain difference")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    return -m[:, None, None] * (torch.arange(n_queries)[:, None] - torch.arange(n_queries))


@exercise.wrong("keys-ignored", "nothing for later keys")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    return -m[:, None, None] * (torch.arange(n_queries)[:, None] - torch.arange(n_queries)).clamp(min=0)


@exercise.wrong("two-answers", "slopes and bias")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return m, -m[:, None, None] * distance


@exercise.wrong("two-answers", "bias and slopes")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = (torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)).abs()
    return -m[:, None, None] * distance, m


@exercise.wrong("whole-numbers", "plain difference, written to a table of integers")
def _(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys, dtype=torch.int64)
    for h in range(n_heads):
        for t in range(n_queries):
            for s in range(n_keys):
                bias[h, t, s] = -2 ** (-8 * (h + 1) / n_heads) * (n_keys - n_queries + t - s)
    return bias


@exercise.wrong("axes-moved", "heads last, minus infinity for later keys")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return (-m[:, None, None] * distance).masked_fill(distance < 0, -math.inf).permute(1, 2, 0)


@exercise.wrong("all-rows", "minus infinity for later keys")
def _(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys)[:, None] - torch.arange(n_keys)
    return (-m[:, None, None] * distance).masked_fill(distance < 0, -math.inf)


@exercise.wrong("ready-made", "the library's")
def _(n_heads, n_queries, n_keys):
    from allyouneed import relative
    return relative.alibi_bias(n_heads, n_queries, n_keys)


@exercise.wrong("ready-made", "the library's, from positions")
def _(n_heads, n_queries, n_keys):
    from allyouneed.positions import ALiBi
    return ALiBi(n_heads)(n_queries, n_keys)


@exercise.wrong("returns-nothing")
def _(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    bias = -m[:, None, None] * distance


@exercise.wrong("timeout")
def _(n_heads, n_queries, n_keys):
    h = 1
    while h <= n_heads:
        slope = 2 ** (-8 * h / n_heads)
    return slope
