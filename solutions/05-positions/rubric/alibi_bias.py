"""alibi_bias: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "alibi_bias",
    points={"slopes and distances": 3, "more keys than queries": 2},
    section="alibi",
    driver="causal_bias",
    properties=[{"rule": "non_positive", "what": "The bias of an earlier key, less that of the query's own "
                                                 "position,"}],
    forbid=("ALiBi",),
    any_float=True,
)


@exercise.probes
def probes(make):
    core = {"group": "slopes and distances"}
    yield make.probe("two heads", 2, make.pick(3, 4, 5), make.pick(3, 4, 5), **core)
    yield make.probe("four heads", 4, make.pick(3, 6, 5), make.pick(3, 6, 5), **core)
    yield make.probe("three heads", 3, make.pick(4, 5, 6), make.pick(4, 5, 6), **core)
    yield make.probe("more heads than tokens", make.pick(6, 5, 7), make.pick(2, 3, 4), make.pick(2, 3, 4), **core)
    yield make.probe("eight heads", 8, make.pick(4, 3, 5), make.pick(4, 3, 5), long=True, **core)
    yield make.probe("one head", 1, make.pick(4, 5, 3), make.pick(4, 5, 3), edge=True, **core)
    yield make.probe("many heads", make.pick(12, 10, 11), make.pick(4, 3, 5), make.pick(4, 3, 5), edge=True,
                     **core)
    yield make.probe("a long sequence", 2, make.pick(70, 80, 75), make.pick(70, 80, 75), long=True, **core)
    more = {"group": "more keys than queries", "edge": True}
    yield make.probe("fewer queries than keys", 2, *make.pick((2, 5), (2, 6), (3, 5)), **more)
    yield make.probe("a few keys more than queries", 3, *make.pick((3, 4), (4, 6), (5, 8)), **more)
    yield make.probe("one query", 4, 1, make.pick(5, 4, 6), **more)
    yield make.probe("a long sequence of keys", 2, 1, make.pick(2101, 2203, 2305),
                     group="more keys than queries", long=True)
    yield make.probe("keys that are far away", 3, 2, make.pick(14, 15, 13), **more)


@exercise.right
def reference(n_heads, n_queries, n_keys):
    slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    queries = torch.arange(n_keys - n_queries, n_keys)
    distance = (queries[:, None] - torch.arange(n_keys)[None, :]).abs()
    return -slopes[:, None, None] * distance


@exercise.right("later keys not a number")
def later(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return torch.where(s > t, math.nan, -m[:, None, None] * distance)


@exercise.right("the same row for every query, expanded")
def same_row(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    s = torch.arange(n_keys)[None, :]
    return (m[:, None, None] * s).expand(n_heads, n_queries, n_keys)


@exercise.right("exp, filled row by row, later keys at −1e9")
def exp_filled(n_heads, n_queries, n_keys):
    out = torch.full((n_heads, n_queries, n_keys), -1e9)
    for h in range(n_heads):
        slope = math.exp(-8 * (h + 1) / n_heads * math.log(2))
        for row, position in enumerate(range(n_keys - n_queries, n_keys)):
            out[h, row, : position + 1] = slope * (torch.arange(position + 1) - position)
    return out


@exercise.right("step by step")
def plain(n_heads, n_queries, n_keys):
    h = torch.arange(1, n_heads + 1)
    m = 2.0 ** (-8 * h / n_heads)
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    s = torch.arange(n_keys)[None, :]
    distance = (t - s).abs()
    return -m[:, None, None] * distance


@exercise.right("step by step, another way")
def plain_other(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return -m[:, None, None] * distance


@exercise.right("step by step, 3")
def plain_3(n_heads, n_queries, n_keys):
    m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)
    return (-m[:, None, None] * distance).masked_fill(distance < 0, -math.inf)


@exercise.right("step by step, 4")
def plain_4(n_heads, n_queries, n_keys):
    bias = torch.zeros(n_heads, n_queries, n_keys)
    for h in range(n_heads):
        for t in range(n_queries):
            for s in range(n_keys):
                bias[h, t, s] = -(2 ** (-8 * (h + 1) / n_heads)) * (n_keys - n_queries + t - s)
    return bias


ABSOLUTE_DISTANCE = {"n_keys - n_queries, n_keys": "n_queries"}

exercise.also_right(
    edit(plain, {"abs()": "clamp(min=0)"}, "no penalty for later keys"),
    edit(plain, {"(t - s).abs()": "t - s"}, "later keys rewarded, as a plain difference"),
    edit(later, {"math.nan": "-math.inf"}, "later keys at minus infinity"),
    edit(plain, {"t = torch.arange(n_keys - n_queries, n_keys)[:, None]": "",
                 "(t - s).abs()": "(n_keys - 1 - s).expand(n_queries, n_keys)"},
         "distance from the last key"),
    edit(plain, ABSOLUTE_DISTANCE | {"(t - s).abs()": "t - s"}, "queries at the start, a plain difference"),
    full("ratio = 2 ** (-8 / n_heads)\n"
         "return [[[-(ratio ** (h + 1)) * max(n_keys - n_queries + t - s, 0) for s in range(n_keys)]\n"
         "         for t in range(n_queries)] for h in range(n_heads)]", "loops, a nested list"),
    full("first = 2 ** (-8.0 / n_heads)\n"
         "slopes = torch.tensor([first ** (i + 1) for i in range(n_heads)], dtype=torch.float64)\n"
         "relative = torch.arange(n_keys)[None] - torch.arange(n_keys)[-n_queries:, None]\n"
         'return torch.einsum("h,ts->hts", slopes, relative.clamp(max=0).double())',
         "powers of the first slope, einsum, float64"),
    full("import numpy as np\n"
         "m = np.cumprod(np.full(n_heads, np.exp2(-8 / n_heads)))\n"
         "return -np.multiply.outer(m, np.tril(np.subtract.outer(np.arange(n_keys),\n"
         "                                                       np.arange(n_keys)))[n_keys - n_queries:])",
         "cumulative products of a ratio, numpy"))

exercise.mistake("positive-sign", "alibi",
    "The bias grows with the distance, so far keys are preferred. It is a penalty: minus the slope times "
    "the distance. (Exchanging queries and keys would look the same: the shape is (H, T, S).)",
    edit(plain, {"return -m": "return m"}),
    edit(plain_3, {"masked_fill(distance < 0, -math.inf)": "transpose(1, 2)"},
         "keys before queries, plain difference"))

exercise.mistake("one-slope", "alibi-slopes", "All heads have the same slope. Head h has its own: 2^(−8h/H).",
    edit(plain, {"2.0 **": "torch.ones", "-8 * h /": ""}, "1"),
    edit(plain, {"2.0 ** (-8 * h / n_heads)": "torch.full((n_heads,), 0.5)"}, "½"),
    edit(plain, {"2.0 ** (-8 * h / n_heads)": "torch.full((n_heads,), 2.0 ** (-8 / n_heads))"}, "the first"),
    edit(plain, {"2.0 ** (-8 * h / n_heads)": "torch.full((n_heads,), 2.0 ** -8)"}, "the last"),
    edit(plain, {"2.0 ** (-8 * h / n_heads)": "torch.full((n_heads,), 2.0 ** - n_heads)"},
         "2 to the minus number of heads"),
    edit(plain, ABSOLUTE_DISTANCE | {"2.0 ** (-8 * h / n_heads)":
                                     "torch.full((n_heads,), 2.0 ** (-8 / n_heads))"},
         "the first, for all keys of the start"))

exercise.mistake("slopes-off-by-one", "alibi-slopes",
    "The heads are not counted from 1, so the slopes are one head too early or too late. Head 1 has the "
    "slope 2^(−8/H), the last one 2^(−8).",
    edit(plain, {"1, n_heads + 1": "n_heads"}),
    edit(plain, {every("1"): "2"}, "one too far"))

exercise.mistake("slopes-for-eight-heads", "alibi-slopes",
    "The slopes are ½, ¼, ⅛, ... for any number of heads. That holds for 8 heads only: the exponent is "
    "−8h/H.",
    edit(plain, {"(-8 * h / n_heads)": "-h"}),
    edit(plain, {"(-8 * h / n_heads)": "-(h - 1)"}, "shifted"),
    edit(plain, {"n_heads)": "min(n_heads, 8))"}, "from eight heads on"))

exercise.mistake("slopes-halved", "alibi-slopes",
    "The first slope is right, and each head after it has half of the one before. That is so for 8 heads "
    "only: from head to head the slope falls by the factor 2^(−8/H).",
    edit(plain, {"-8 * h / n_heads": "1 - h - 8 / n_heads"}))


def slopes_powers(n_heads, n_queries, n_keys):
    def slopes(n):
        if math.log2(n).is_integer():
            return [2 ** (-8 * (i + 1) / n) for i in range(n)]
        near = 2 ** math.floor(math.log2(n))
        return slopes(near) + slopes(2 * near)[0::2][: n - near]


    m = torch.tensor(slopes(n_heads))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    return -m[:, None, None] * (t - torch.arange(n_keys)).abs()


def slopes_powers_two(n_heads, n_queries, n_keys):
    def slopes(n):
        if math.log2(n).is_integer():
            return [2 ** (-8 * (i + 1) / n) for i in range(n)]
        near = 2 ** math.floor(math.log2(n))
        return slopes(near) + slopes(2 * near)[: n - near]


    m = torch.tensor(slopes(n_heads))
    t = torch.arange(n_keys - n_queries, n_keys)[:, None]
    return -m[:, None, None] * (t - torch.arange(n_keys)).abs()


exercise.mistake("slopes-of-powers-of-two", "alibi-slopes",
    "Where the number of heads is not a power of two, slopes of another power of two are picked, as some "
    "published code does (8 // H does too). Here the formula 2^(−8h/H) holds for every H.",
    full(slopes_powers, "every other of the next"),
    edit(plain, {"n_heads)": "2 ** math.ceil(math.log2(n_heads)))"}, "the first of the next"),
    edit(plain, {"n_heads)": "2 ** math.floor(math.log2(n_heads)))"}, "of the one below"),
    full(slopes_powers_two, "ratio of the one below, started again"),
    edit(plain, {"(-8 * h / n_heads)": "(-h * (8 // n_heads))"}, "8 // H"))

exercise.mistake("slopes-without-eight", "alibi-slopes",
    "The exponent lacks the 8: the slopes are 2^(−h/H). The last head's slope is 2^(−8).",
    edit(plain, {"-8 * h": "- h"}))

exercise.mistake("slopes-grow", "alibi-slopes",
    "The exponent is positive, so the slopes are above 1. They are 2^(−8h/H), with a minus.",
    edit(plain, {"-8 * h": "8 * h"}),
    edit(plain, {"-8 * h": "8 * h", "return -m": "return m"}, "sign of the exponent, and of the bias"))

exercise.mistake("slopes-reversed", "alibi-slopes",
    "The slopes are in reverse order. Head 1 has the largest, the last head the smallest.",
    edit(plain, {"1, n_heads + 1": "n_heads, 0, - 1"}),
    edit(plain, {"1, n_heads + 1": "n_heads - 1, -1, - 1"}, "and off by one"))

exercise.mistake("slopes-other-base", "alibi-slopes",
    "The slopes are powers of a number other than 2. They are 2^(−8h/H).",
    edit(plain, {"2.0 **": "torch.exp"}, "e"),
    edit(plain, {"2.0": "10.0"}, "10"),
    edit(plain, {"2.0": "8.0", "-8 * h": "-2 * h"}, "8 to the minus 2"),
    edit(plain, {"2.0": "8.0", "-8 * h": "- h"}, "8 to the −h/H"))

exercise.mistake("slopes-linear", "alibi-slopes",
    "The slopes do not fall by a constant factor from head to head. They must: head h has 2^(−8h/H).",
    edit(plain, {"2.0 ** (-8 * h / n_heads)": "1.0 / h"}, "1/h"),
    edit(plain, {"2.0 ** (-8 * h / n_heads)": "h / n_heads"}, "h/H"),
    edit(plain, {"2.0 ** (-8": "1.0 / (8"}, "H/(8h)"),
    edit(plain, {"2.0 ** (-8 * h / n_heads)": "torch.linspace(2 ** (-8 / n_heads), 2 ** -8, n_heads)"},
         "equal steps"),
    edit(plain, {"2.0 ** (-8 * h / n_heads)": "8 * h / n_heads"}, "8h/H"),
    edit(plain, {"8 * h / n_heads": "8 / h"}, "2^(−8/h)"),
    edit(plain_other, {"2.0 ** (-8": "1 / (2", " / n_heads": ""}, "1/(2h)"),
    edit(plain_other, {"2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)":
                       "torch.linspace(0.5, 1 / 256, n_heads)"}, "from ½ to 1/256 in equal steps"),
    edit(plain_other, {"2.0 ** (-8 *": "1 /", every("1"): "2", " / n_heads)": ""}, "1/(h + 1)"))

exercise.mistake("slopes-divisor", "alibi-slopes",
    "The exponent is divided by a number other than the number of heads. It is −8h/H.",
    edit(plain, {"n_heads)": "(n_heads + 1))"}, "H + 1"),
    edit(plain, {"n_heads)": "max(n_heads - 1, 1))"}, "H − 1"),
    edit(plain, {"h / n_heads": "h / n_keys"}, "number of keys"),
    edit(plain, {"(-8 * h / n_heads)": "-torch.linspace(0, 8, n_heads)"}, "from 0 to 8"),
    edit(plain, {"(-8 * h / n_heads)": "-torch.linspace(1, 8, n_heads)"}, "from 1 to 8"),
    edit(plain, {"8 * h / n_heads": "8.0 * h"}, "no division"))

exercise.mistake("slopes-rounded", "alibi-slopes",
    "The exponent is rounded to a whole number. Divide with / instead of //.",
    edit(plain, {"8 * h /": "8 * h //"}),
    edit(plain, {"(-8 * h / n_heads)": "-(8 * h // n_heads)"}, "towards zero"))

exercise.mistake("aligned-at-start", "alibi",
    "With more keys than queries, the queries are not put at the last positions everywhere. Query t stands "
    "at position n_keys − n_queries + t, and a triangle (tril) must start there too.",
    edit(plain, ABSOLUTE_DISTANCE, "absolute distance"),
    edit(plain, ABSOLUTE_DISTANCE | {"abs()": "clamp(min=0)"}, "zero for later keys"),
    edit(later, {"n_keys - n_queries, n_keys": "n_queries",
                 "math.nan": "-math.inf"}, "later keys at minus infinity"),
    edit(plain, {"(n_keys - n_queries, n_keys)[:, None]": "(n_queries)[:, None] - (n_keys - n_queries)"},
         "shifted the wrong way"),
    edit(plain, {"[:, None]": "[:, None] - (n_keys > n_queries)"}, "counted from the end, one too few"),
    edit(plain, {"(n_keys - n_queries, n_keys)[:, None]": "(n_queries)[:, None] - (n_keys - n_queries)",
                 "abs()": "clamp(min=0)"}, "shifted the wrong way, zero for later keys"),
    edit(reference, {"abs": "tril"}, "a triangle of the differences"))

exercise.mistake("distance-not-linear", "alibi",
    "The penalty does not grow in step with the distance. It is the slope times the distance itself.",
    edit(plain, {".abs()": "** 2"}, "squared"),
    edit(plain, {"abs()": "abs().sqrt()"}, "root"),
    edit(plain, {"(t - s).abs()": "torch.log1p((t - s).abs())"}, "logarithm"),
    edit(plain, {"(t - s).abs()": "torch.log2(1 + (t - s).abs())"}, "logarithm of base 2"),
    edit(plain, {"m[:, None, None] * distance": "(m[:, None, None] ** distance)"},
         "slope to the power of the distance"),
    edit(plain, {".abs()": "** 2 / 2"}, "half squared"),
    edit(plain, {".abs()": ".abs().clamp(max=8)"}, "cut off at 8"))

exercise.mistake("no-penalty", "alibi",
    "Earlier keys get no penalty at all: the bias says nothing about distance. A key s places before the "
    "query gets −slope·s; a mask for later keys is not part of it. (Exchanging queries and keys would look "
    "the same: the shape is (H, T, S).)",
    edit(plain, {"(t - s).abs()": "(s - t).clamp(min=0)"}, "cut off on the wrong side"),
    edit(plain_3, {"= torch": "=(torch", "(n_keys)": "(n_keys)).clamp(min=0)",
                   "masked_fill(distance < 0, -math.inf)": "transpose(1, 2)"},
         "keys before queries, nothing for later keys"))

exercise.mistake("no-distance", "alibi",
    "All earlier keys get the same penalty. It must grow with the distance: multiply the slope by how far "
    "the key is from the query.",
    edit(plain, {"abs()": "abs().clamp(max=1)"}, "cut off at 1"),
    edit(plain, {"-m[:, None, None] * distance":
                 "(-m[:, None, None] * t).expand(n_heads, n_queries, n_keys) * (s < t)"},
         "the query's position for earlier keys"))

exercise.mistake("distance-off-by-one", "alibi",
    "The distance is one too small. It is 0 at the query's own position, 1 at the key before it, and so on.",
    edit(plain, {"(t - s).abs()": "((t - s).abs() - 1).clamp(min=0)"}),
    edit(plain_other, {"= torch": "=(torch", ", n_keys)[:": "- 1, n_keys - 1)[:",
                       "(n_keys)": "(n_keys)).abs()"}, "size of the difference, one too small"))

exercise.mistake("distance-scaled", "alibi",
    "The distance is divided by the length of the text. It counts tokens: 0, 1, 2 and so on.",
    edit(plain, {"abs()": "abs() / n_keys"}, "by the keys"),
    edit(plain, {"abs()": "abs() / max(n_keys - 1, 1)"}, "by keys − 1"),
    edit(plain, {"abs()": "abs() / (t + 1)"}, "by the position"),
    edit(plain, {"abs()": "abs() / math.sqrt(n_heads)"}, "by the root of the heads"))

exercise.mistake("returns-weights", "alibi",
    "These are weights, or factors, not a bias. The bias is added to the scores before the softmax: return "
    "−slope·distance.",
    edit(plain, {"return": "return torch.softmax(", "* distance": "* distance, dim=-1)"}, "softmax"),
    edit(later, {"where(s > t, math.nan, -m[:, None, None] * distance)":
                 "softmax((-m[:, None, None] * distance).masked_fill(s > t, -math.inf), dim=-1)"},
         "causal softmax"),
    edit(later, {"where": "exp", "s > t, math.nan,": ""}, "exp"),
    edit(plain, {"-m[:, None, None] * distance": "1 / (1 + m[:, None, None] * distance)"},
         "1 − slope·distance, as a factor"),
    edit(plain, {"-m[:, None, None] *": "m[:, None, None] **"}, "slope to the distance"),
    edit(plain, {"return": "return 2 ** (", "* distance": "* distance)"}, "2 to the bias"))

exercise.mistake("no-slope-sign-per-head", "alibi",
    "Some heads prefer far keys: the sign changes from head to head. Every head has a penalty.",
    edit(plain, {"n_heads)": "n_heads) * (-1.0) ** (h + 1)"}))

exercise.mistake("masked-earlier", "alibi",
    "Keys that the query may see are hidden with −∞ or a huge penalty. Only later keys may be hidden, and "
    "the mask does that anyway.",
    edit(later, {"s > t, math.nan": "s < t, -math.inf"}, "earlier keys at minus infinity"),
    edit(later, {"s > t, math.nan": "s <= t, -math.inf"}, "the own position too"),
    edit(later, {"s > t, math.nan": "s >= t, -math.inf"}, "the own position"),
    edit(later, {"s > t, math.nan": "s < t, -1e9"}, "everything but the own position at −1e9"))

exercise.mistake("heads-summed", "alibi",
    "There is no axis of heads, or the heads are added up. Each head has its own bias: (H, T, S).",
    edit(plain, {"[:, None, None]": ".sum()"}, "no axis"),
    edit(plain, {":, None, None": "0"}, "the first head alone"),
    edit(plain, {"[:, None, None]": ".mean()"}, "the mean"),
    edit(plain, {"return -m[:, None, None] * distance": "return -distance.float()"}, "the distances alone"),
    edit(plain, {"[:, None, None] * distance": "[0] * distance[None]"}, "an axis of one"),
    full("return -(torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)).float()",
         "the distances alone, plain difference"),
    full("return -(torch.arange(n_keys - n_queries, n_keys)[:, None] - "
         "torch.arange(n_keys)).clamp(min=0).float()", "the distances alone, nothing for later keys"),
    full("return -2 ** (-8 / n_heads) * (torch.arange(n_keys - n_queries, n_keys)[:, None] - "
         "torch.arange(n_keys))", "the first head alone, plain difference"))

exercise.mistake("extra-axes", "alibi",
    "The bias has one axis too many. Return (H, T, S): broadcasting adds the batch.",
    edit(plain, {"return": "return(", "* distance": "* distance)[None]"}, "batch"),
    edit(plain, ABSOLUTE_DISTANCE | {"return": "return(",
                                     "* distance": "* distance)[None]"}, "batch, aligned at the start"),
    edit(plain, {"return": "return(", "* distance": "* distance)[..., None]"}, "behind"),
    edit(plain, {"return": "return(", "* distance": "* distance)[:, None]"}, "after the heads"),
    edit(plain_other, {"return": "return(", "* distance": "* distance)[None]"}, "batch, plain difference"),
    edit(plain_3, {"= torch": "=(torch", "(n_keys)": "(n_keys)).clamp(min=0)",
                   ".masked_fill(distance < 0, -math.inf)": "[None]"}, "batch, nothing for later keys"),
    edit(plain_3, {"inf)": "inf)[None]"}, "batch, minus infinity for later keys"))

exercise.mistake("axes-moved", "alibi",
    "The axes are in another order. They are heads, queries, keys: (H, T, S).",
    edit(plain, {"m[:, None, None] * distance": "distance[..., None] * m"}, "heads last"),
    edit(plain, {"-m[:, None, None] * distance":
                 "(-m[:, None, None] * distance).transpose(1, 2)"}, "keys before queries"),
    edit(plain, {"-m[:, None, None] * distance":
                 "(-m[:, None, None] * distance).transpose(0, 1)"}, "heads in the middle"),
    edit(plain_other, {"[:, None, None] * distance": "* distance[..., None]"},
         "heads last, plain difference"),
    edit(plain_other, {"= torch": "=(torch", "(n_keys)": "(n_keys)).clamp(min=0)",
                       "[:, None, None] * distance": "* distance[..., None]"},
         "heads last, nothing for later keys"),
    edit(plain_other, {"None,": "None] * distance[:,",
                       " * distance": ""}, "heads in the middle, plain difference"),
    edit(plain_3, {"inf)": "inf).permute(1, 2, 0)"}, "heads last, minus infinity for later keys"))

exercise.mistake("one-row", "alibi",
    "There is one row for all queries. Return a row for each query: (H, T, S).",
    edit(plain, {"return -m": "return m", "* distance": "* s"}),
    edit(plain, {"* distance": "* (n_keys - 1 - s)"}, "distance from the last key"),
    edit(plain, {"-m[:, None, None] * distance": "m[:, None] * s"}, "without an axis of queries"))

exercise.mistake("all-rows", "alibi",
    "There is a row for every key. Only the queries have rows, and they are the last positions: (H, T, S).",
    edit(plain, {" - n_queries, n_keys": ""}),
    full("m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)\n"
         "return -m[:, None, None] * (torch.arange(n_keys)[:, None] - torch.arange(n_keys))",
         "plain difference"),
    full("m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)\n"
         "return -m[:, None, None] * (torch.arange(n_keys)[:, None] - torch.arange(n_keys)).clamp(min=0)",
         "nothing for later keys"),
    edit(plain_3, {"n_keys - n_queries,": ""}, "minus infinity for later keys"))

exercise.mistake("keys-ignored", "alibi",
    "n_keys is not used: there are as many columns as queries. There is a column for each of the n_keys "
    "keys.",
    edit(plain, ABSOLUTE_DISTANCE | {"(n_keys)": "(n_queries)"}),
    full("m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)\n"
         "return -m[:, None, None] * (torch.arange(n_queries)[:, None] - torch.arange(n_queries))",
         "plain difference"),
    full("m = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)\n"
         "return -m[:, None, None] * (torch.arange(n_queries)[:, None] - "
         "torch.arange(n_queries)).clamp(min=0)", "nothing for later keys"))

exercise.mistake("slopes-only", "alibi",
    "These are the slopes. Multiply them by minus the distance from each query to each key: (H, T, S).",
    edit(plain, {"return -m[:, None, None] * distance": "return m"}),
    edit(plain, {"[:, None, None] * distance": ""}, "negative"),
    edit(plain, {"return -m[:, None, None] * distance": "return m.tolist()"}, "a list"),
    edit(plain, {"return -m": "return m", " * distance": ""}, "with axes"),
    edit(plain, {" * distance": ""}, "with axes, negative"))

exercise.mistake("whole-numbers", "alibi",
    "The bias is rounded to whole numbers, or it has an integer dtype. Make it a float tensor.",
    edit(plain, {"return": "return(", "* distance": "* distance).long()"}),
    edit(plain, {"-m[:, None, None] * distance":
                 "(-m[:, None, None] * distance).round().int()"}, "rounded"),
    edit(plain_4, {"zeros(n_heads, n_queries, n_keys)":
                   "zeros(n_heads, n_queries, n_keys, dtype=torch.int64)"},
         "plain difference, written to a table of integers"))

exercise.mistake("exponent-brackets", "alibi-slopes",
    "A part of the exponent stands outside of it: a power is computed before a product or a quotient. Put "
    "brackets around the whole exponent, −8h/H.",
    edit(plain_other, {"2.0 ** (-8": "2 **-8", "n_heads)": "n_heads"}),
    edit(plain_other, {"/ n_heads)": ") / n_heads"}, "divided outside"))

exercise.mistake("head-left-out", "alibi-slopes",
    "One head gets no penalty at all: a loop leaves it out. There are H heads; with h from 1 to H, head h "
    "is number h − 1 in the tensor.",
    edit(plain_4, {"(n_heads)": "(1, n_heads)",
                   "[h, t, s] = -(2 ** (-8 * (h + 1) / n_heads))": "[h- 1, t, s] = -2 ** (-8 * h / n_heads)"},
         "the last one"),
    full("bias = torch.zeros(n_heads, n_queries, n_keys)\n"
         "distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)\n"
         "for h in range(1, n_heads):\n"
         "    bias[h] = -2 ** (-8 * h / n_heads) * distance\n"
         "return bias", "the first one"),
    full("bias = torch.zeros(n_heads, n_queries, n_keys)\n"
         "distance = torch.arange(n_keys - n_queries, n_keys)[:, None] - torch.arange(n_keys)\n"
         "for h in range(1, n_heads):\n"
         "    bias[h] = -2 ** (-8 * (h + 1) / n_heads) * distance\n"
         "return bias", "the first one, the others with their own slopes"))

exercise.mistake("query-left-out", "alibi",
    "The last query gets no penalty at all: a loop ends too early. There are n_queries queries.",
    edit(plain_4, {"(n_queries)": "(n_queries - 1)"}, "the last one"))

exercise.mistake("slopes-scaled", "alibi-slopes",
    "All slopes are too large or too small by one factor. The last head's slope is 2^(−8), whatever the "
    "number of heads.",
    edit(plain_other, {"n_heads)": "n_heads) / 2"}, "halved"),
    edit(plain_other, {"n_heads)": "n_heads) * 2"}, "doubled"),
    edit(plain_other, {"n_heads)": "n_heads) / n_heads"}, "by the number of heads"))

exercise.mistake("two-answers", "alibi", "More than one thing is returned. Return the bias alone, (H, T, S).",
    edit(plain_other, {"return": "return m,"}, "slopes and bias"),
    edit(plain, {"* distance": "* distance, m"}, "bias and slopes"))

exercise.built_in("ready-made",
    full("from allyouneed.nn import relative\n"
         "return relative.alibi_bias(n_heads, n_queries, n_keys)", "the library's"),
    full("from allyouneed.nn.position_bias import ALiBi\n"
         "return ALiBi(n_heads)(n_queries, n_keys)", "the library's, from positions"))

exercise.built_in("returns-nothing",
    edit(plain, {"return": "bias ="}))

exercise.built_in("timeout",
    full("h = 1\n"
         "while h <= n_heads:\n"
         "    slope = 2 ** (-8 * h / n_heads)\n"
         "return slope"))

exercise.equal("the causal mask hides later keys, so what stands there is free", {
    ".abs()": "", "t - s": "s - t",
    "queries[:, None] - torch.arange(n_keys)[None, :]": "torch.arange(n_keys)[None, :] - queries[:, None]",
    "-1e9": "1e9", "-math.inf": ("math.inf", "-0.0"), "distance < 0": "distance < -1", "min=0": "min=-1",
    ", 0) for": ", -1) for", ".clamp(max=0)": "", "max=0": "max=1", "np.tril": ""})
exercise.equal("one number added to a whole row cancels in the softmax", {
    "position + 1) - position": ("position + 1) + position", "position + 1)", "position + 1) - row"),
    "n_keys - n_queries + t": ("", "n_keys - n_queries - t", "n_keys - n_queries", "t",
                               "n_keys + n_queries + t", "n_queries - n_keys + t", "n_keys + t",
                               "-n_queries + t", "n_heads - n_queries + t", "n_queries - n_queries + t",
                               "n_keys - n_keys + t", "n_keys - n_heads + t"),
    "n_keys - 1 - s": ("-s", "n_keys + 1 - s", "1 - n_keys - s", "n_keys - s", "-1 - s", "n_heads - 1 - s",
                       "n_queries - 1 - s", "n_keys - 2 - s", "n_keys - 0 - s"),
    "torch.arange(n_keys)[-n_queries": "torch.arange(n_keys + 1)[-n_queries",
    "outer(np.arange(n_keys)": "outer(n_keys"})
exercise.equal("every entry is written; at the last key stands the last query, whose bias is 0", {
    "torch.zeros": "torch.ones", "range(n_keys):": "range(n_keys - 1):"})
exercise.equal("float32 is exact enough, slopes make floats of whole distances, and max has no order", {
    ", dtype=torch.float64": "", ".double()": "", "[n_keys - n_queries:]": "[-n_queries:]",
    "max(n_keys - n_queries + t - s, 0)": "max(0, n_keys - n_queries + t - s)"})
