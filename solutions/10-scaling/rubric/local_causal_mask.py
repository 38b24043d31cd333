"""local_causal_mask: probes, right versions, and each mistake with its message and its evidence."""


import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "local_causal_mask",
    points={"the band": 2, "narrow and wide windows": 1},
    section="local-causal-mask",
    forbid=("local_attention", "create_block_mask"),
)


@exercise.probes
def probes(make):
    core, ends = {"group": "the band"}, {"group": "narrow and wide windows"}
    yield make.probe("five tokens, a window of 2", 5, 2, **core)
    yield make.probe("a window of 3", make.pick(7, 8, 10), 3, **core)
    yield make.probe("a window of 4", make.pick(9, 11, 13), 4, **core)
    yield make.probe("a window of 5", make.pick(12, 13, 14), 5, **core)
    yield make.probe("a window of 6", make.pick(16, 17, 19), 6, **core)
    yield make.probe("almost as wide as long", make.pick(6, 8, 7), make.pick(5, 7, 6), edge=True, **core)
    yield make.probe("300 tokens or more", make.pick(300, 310, 320), make.pick(100, 110, 96), edge=True,
                     long=True, **core)
    yield make.probe("a window of 1", make.pick(4, 5, 6), 1, edge=True, **ends)
    yield make.probe("as wide as long", *make.pick((5, 5), (6, 6), (7, 7)), edge=True, **ends)
    yield make.probe("wider than long", *make.pick((4, 9), (5, 12), (3, 8)), **ends)
    yield make.probe("one token", 1, make.pick(1, 3, 2), edge=True, **ends)


@exercise.right
def reference(n, window):
    query, key = torch.arange(n)[:, None], torch.arange(n)
    return (key <= query) & (query - key < window)


@exercise.right("two triangles")
def two_triangles(n, window):
    below = torch.tril(torch.ones(n, n))
    return (below - torch.tril(below, -window)).bool()


@exercise.right("a sum of diagonals")
def sum_diagonals(n, window):
    mask = torch.zeros(n, n)
    for back in range(min(window, n)):
        mask = mask + torch.diag(torch.ones(n - back), -back)
    return mask > 0


@exercise.right("step by step")
def plain(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (j > i - window)


@exercise.right("step by step, 3")
def plain_3(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for row in range(n):
        mask[row, max(0, row + 1 - window) : row + 1] = True
    return mask


exercise.also_right(
    edit(plain_3, {"n, n": "(n, n)"}, "one slice a row"),
    full("return [[0 <= i - j < window for j in range(n)] for i in range(n)]", "lists of booleans"),
    full("import numpy as np\n"
         "i, j = np.indices((n, n))\n"
         "return torch.from_numpy((j <= i) & (j > i - window))", "distances, numpy"),
    full("full = torch.ones(n, n, dtype=torch.uint8)\n"
         "return torch.triu(torch.tril(full), diagonal=-(window - 1)) == 1", "triu of tril"),
    full("rows = torch.arange(n).repeat(n, 1).T\n"
         "cols = torch.arange(n).expand(n, n)\n"
         "dist = rows.sub(cols)\n"
         "return dist.clamp(0, window - 1).eq(dist)", "distances that clamp leaves alone"))


exercise.mistake("one-too-many", "local-causal-mask",
    "Each query sees one token too many. The window counts the query itself: itself and window − 1 tokens "
    "before it.",
    edit(plain, {"j > i": "j >= i"}, "comparison"))

exercise.mistake("one-too-few", "local-causal-mask",
    "Each query sees one token too few. It sees itself and the window − 1 tokens before it: window in all.",
    edit(plain, {"i - window": "i - window + 1"}, "comparison"))

exercise.mistake("itself-hidden", "local-causal-mask",
    "A query does not see itself. The window ends with the query's own token.",
    edit(plain, {"j <= i": "j < i"}, "comparison"),
    edit(plain, {"j <= i": "j < i", "j > i": "j >= i"}, "window before it"))

exercise.mistake("symmetric", "local-causal-mask",
    "The window reaches to both sides. No query may see a later token.",
    edit(plain, {"(j <= i) & (j > i - window)": "(i - j).abs() < window"}, "comparison"),
    edit(plain, {"(j <= i) & (j > i - window)": "(i - j).abs() <= window"}, "one wider"))

exercise.mistake("centred", "local-causal-mask",
    "The window lies around the query, half before and half after it. It must end at the query.",
    edit(plain, {"(j <= i) & (j > i - window)": "(i - j).abs() <= window // 2"}, "comparison"),
    edit(plain, {"(j <= i) & (j > i - window)": "(i - j).abs() <= (window - 1) // 2"}, "(window - 1) // 2"))

exercise.mistake("future", "local-causal-mask",
    "The mask is turned round: queries see later tokens, not earlier ones. Rows are queries, columns are "
    "keys.",
    edit(plain, {"j <= i": "j >= i", "j > i -": "j < i +"}, "comparison"),
    edit(plain, {"j <= i": "j > i", "j > i -": "j < i +"}, "without itself"))

exercise.mistake("inverted", "local-causal-mask",
    "True and False have changed places. True means: may attend. Turn the comparison round, or write ~mask.",
    edit(plain, {"(j <= i) & (j > i - window)": "~((j <= i) & (j > i - window))"}, "comparison"))

exercise.mistake("window-ignored", "local-causal-mask",
    "The mask is causal, but has no window: tokens far before the query are seen too. Hide all but the "
    "last ones, as many as window says.",
    edit(plain, {" & (j > i - window)": ""}, "comparison"))

exercise.mistake("causal-ignored", "local-causal-mask",
    "Nothing is hidden after the query. A window alone is not causal: hide every key with j > i, too.",
    edit(plain, {" (j <= i) &": ""}, "comparison"))

exercise.mistake("blocks", "local-causal-mask",
    "Tokens see the tokens of their own block. A window moves along with each query.",
    edit(plain, {"j > i -": "i // window == j //"}, "comparison"),
    edit(plain, {"return (j <= i) & (j > i - window)": "return i // window == j // window"}, "not causal"))

exercise.mistake("two-blocks", "local-causal-mask",
    "Tokens see their own block and the one before. A window has the same length for each query.",
    edit(plain, {"j > i - window": "i // window - j // window <= 1"}, "comparison"))

exercise.mistake("far-tokens", "local-causal-mask",
    "The near tokens are hidden and the far ones are seen. Keep the nearest, as many as window says.",
    edit(plain, {"j > i": "j <= i"}, "comparison"),
    edit(plain, {"j <= i) & (j > i": "j < i"}, "one further"),
    full("i = torch.arange(n)\n"
         "d = i[:, None] - i[None, :]\n"
         "return (d >= 0) & ((d >= window) | (d == 0))", "and itself"))

exercise.mistake("first-tokens", "local-causal-mask",
    "Each query sees the first tokens of the sequence. The window moves along: it ends at the query.",
    edit(plain, {"j > i -": "j <"}, "comparison"),
    edit(plain, {"(j <= i) & (j > i - window)": "(j < window).expand(n, n)"}, "not causal"))

exercise.mistake("diagonal-alone", "local-causal-mask",
    "One diagonal is all that is True. The window is the query and the window − 1 tokens before it.",
    edit(plain, {"(j <= i) & (j > i - window)": "j == i - window + 1"}, "comparison"),
    edit(plain, {"(j <= i) & (j > i - window)": "j == i - window"}, "one further"),
    edit(plain, {"return (j <= i) & (j > i - window)": "return j == i"}, "itself"))

exercise.mistake("every-window-th", "local-causal-mask",
    "Every window-th token is seen. That is a dilated pattern; here the window has no gaps.",
    edit(plain, {"j > i - window": "(i - j) % window == 0"}, "comparison"))

exercise.mistake("negative-start", "local-causal-mask",
    "The first queries are wrong: start = query - window + 1 is negative there, and a negative index, or a "
    "roll, goes on at the other end. Take max(0, start).",
    edit(plain_3, {"row in": "i in", "row, max(0, row + 1 - window) : row": "i, i - window + 1:i"}),
    edit(plain_3, {"row in": "i in",
                   "mask[row, max(0, row + 1 - window) : row + 1] = True":
                   "for back in range(window):\n"
                   "    mask[i, (i - back) % n] = True"}, "indices"))

exercise.mistake("first-rows-full", "local-causal-mask",
    "The first queries see too much. They have fewer than window − 1 tokens before them, and later ones "
    "stay hidden.",
    edit(plain_3, {"row in": "i in", "range(n):": "range(n):\n    start = max(0, i - window + 1)",
                   "row, max(0, row + 1 - window) : row + 1": "i, start:start + window"}))

exercise.mistake("first-rows-empty", "local-causal-mask",
    "Queries with fewer than window − 1 tokens before them see nothing, or too little. They see what there "
    "is.",
    edit(plain_3, {"row in range(n)": "i in range(window - 1,n)",
                   "row, max(0, row + 1 - window) : row": "i, i - window + 1:i"}),
    full("mask = torch.eye(n, dtype=torch.bool)\n"
         "for i in range(window - 1, n):\n"
         "    mask[i, i - window + 1:i + 1] = True\n"
         "return mask", "themselves alone"))

exercise.mistake("not-boolean", "local-causal-mask",
    "The mask is not boolean. True and False are asked for: compare, or use dtype=torch.bool.",
    edit(plain, {"(j <= i) & (j > i - window)": "((j <= i) & (j > i - window)).int()"}, "comparison"),
    edit(two_triangles, {"bool": "float"}, "triangles"),
    edit(plain, {"return (j <= i) & (j > i - window)":
                 "return [[int(0 <= a - b < window) for b in range(n)] for a in range(n)]"},
         "lists of 0 and 1"),
    edit(plain, {"(j <= i) & (j > i - window)": "((j <= i) & (j > i - window)).double()"}, "float64"))

exercise.mistake("added-to-scores", "local-causal-mask",
    "This is a mask of 0 and −inf, to be added to scores. Return booleans, True = may attend.",
    edit(plain, {"(j <= i) & (j > i - window)": "torch.where((j <= i) & (j > i - window), 0.0, -math.inf)"},
         "comparison"),
    edit(plain, {"(j <= i) & (j > i - window)": "torch.where((j <= i) & (j > i - window), 0.0, -1e9)"},
         "-1e9"))

exercise.mistake("another-shape", "local-causal-mask",
    "The mask is not n by n: one row for each query, one column for each key, and no axes in front.",
    edit(plain, {"(j <= i) & (j > i - window)": "((j <= i) & (j > i - window))[None, None]"}, "comparison"),
    edit(plain, {"(j <= i) & (j > i - window)": "((j <= i) & (j > i - window))[None]"}, "one axis in front"),
    full("return torch.arange(n)[:, None] >= torch.arange(window).flip(0)", "n by window"),
    full("return torch.arange(n) >= n - window", "the last row alone"))

exercise.mistake("arguments-swapped", "local-causal-mask",
    "n and window have changed places: n is the length, window how many tokens a query sees.",
    edit(plain, {"n, window": "window, n"}, "comparison"))


def window_over(n, window):
    rows = []
    for i in range(n):
        row = [False] * n
        for j in range(max(0, i - window + 1), i + 1):
            row[j] = True
        rows.append(row)
    if window > n:
        raise ValueError("window must not be larger than n")
    return torch.tensor(rows)


exercise.mistake("window-over-n", "local-causal-mask",
    "A window longer than the sequence stops with an error. Then every query sees all up to itself.",
    full(window_over, "an error of its own"),
    edit(plain, {"i = torch": "assert window <= n\ni = torch"}, "an assertion"),
    edit(sum_diagonals, {"min(window, n)": "window"}, "diagonals"),
    full("m = torch.zeros(n, n, dtype=torch.bool)\n"
         "for d in range(window):\n"
         "    idx = torch.arange(n - d)\n"
         "    m[idx + d, idx] = True\n"
         "return m", "indices"))

exercise.mistake("wide-window-full", "local-causal-mask",
    "Where the window is as wide as the sequence, or wider, later tokens are seen. It is the plain causal "
    "mask then: no query sees a token after it.",
    edit(reference, {"query, key =": "if window > n:\n"
                                     "    return torch.ones(n, n, dtype=torch.bool)\n"
                                     "query, key ="}, "wider"),
    edit(reference, {"query, key =": "if window >= n:\n"
                                     "    return torch.ones(n, n, dtype=torch.bool)\n"
                                     "query, key ="}, "as wide, or wider"))

exercise.mistake("nothing-seen", "local-causal-mask",
    "Where the window is wider than 1, no query sees anything: the two conditions exclude each other. A "
    "sign is wrong: key j is seen where i - window < j <= i.",
    full("return torch.ones(n, n, dtype=torch.bool).tril().triu(window - 1)", "triangles"))

exercise.built_in("returns-nothing",
    full("mask = torch.zeros(n, n, dtype=torch.bool)\n"
         "for i in range(n):\n"
         "    for j in range(n):\n"
         "        if j <= i and i - j < window:\n"
         "            mask[i, j] = True"))

exercise.built_in("ready-made",
    full("from allyouneed.nn import blockwise\nreturn blockwise.local_causal_mask(n, window)"))

exercise.equal("what is not 0 is True, a table of booleans may be an array, a row is broadcast, and the "
    "smaller or the larger of two is so in either order", {
    "(below - torch.tril(below, -window))": "(torch.tril(below, -window) - below)",
    "min(window, n)": "min(n, window)", "max(0, row + 1 - window)": "max(row + 1 - window, 0)",
    ".unsqueeze(0)": "", "torch.from_numpy": "", ", dtype=torch.uint8": "", ".expand(n, n)": ""})
