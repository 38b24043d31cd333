"""The rubric of local_causal_mask: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "local_causal_mask",
    points={"the band": 2, "narrow and wide windows": 1},
    section="local-causal-mask",
    mistakes={
        "one-too-many": ("Each query sees one token too many. The window counts the query itself: itself and window − 1 tokens before it.", "local-causal-mask"),
        "one-too-few": ("Each query sees one token too few. It sees itself and the window − 1 tokens before it: window in all.", "local-causal-mask"),
        "itself-hidden": ("A query does not see itself. The window ends with the query's own token.", "local-causal-mask"),
        "symmetric": ("The window reaches to both sides. No query may see a later token.", "local-causal-mask"),
        "centred": ("The window lies around the query, half before and half after it. It must end at the query.", "local-causal-mask"),
        "future": ("The mask is turned round: queries see later tokens, not earlier ones. Rows are queries, columns are keys.", "local-causal-mask"),
        "inverted": ("True and False have changed places. True means: may attend. Turn the comparison round, or write ~mask.", "local-causal-mask"),
        "window-ignored": ("The mask is causal, but has no window: tokens far before the query are seen too. Hide all but the last ones, as many as window "
                           "says.", "local-causal-mask"),
        "causal-ignored": ("Nothing is hidden after the query. A window alone is not causal: hide every key with j > i, too.", "local-causal-mask"),
        "blocks": ("Tokens see the tokens of their own block. A window moves along with each query.", "local-causal-mask"),
        "two-blocks": ("Tokens see their own block and the one before. A window has the same length for each query.", "local-causal-mask"),
        "far-tokens": ("The near tokens are hidden and the far ones are seen. Keep the nearest, as many as window says.", "local-causal-mask"),
        "first-tokens": ("Each query sees the first tokens of the sequence. The window moves along: it ends at the query.", "local-causal-mask"),
        "diagonal-alone": ("One diagonal is all that is True. The window is the query and the window − 1 tokens before it.", "local-causal-mask"),
        "every-window-th": ("Every window-th token is seen. That is a dilated pattern; here the window has no gaps.", "local-causal-mask"),
        "negative-start": ("The first queries are wrong: start = query - window + 1 is negative there, and a negative index, or a roll, goes "
                           "on at the other end. Take max(0, start).",
                           "local-causal-mask"),
        "first-rows-full": ("The first queries see too much. They have fewer than window − 1 tokens before them, and later ones stay hidden.", "local-causal-mask"),
        "first-rows-empty": ("Queries with fewer than window − 1 tokens before them see nothing, or too little. They see what there is.", "local-causal-mask"),
        "nothing-seen": ("Where the window is wider than 1, no query sees anything: the two conditions exclude each other. A sign is wrong: key j is seen "
                         "where i - window < j <= i.", "local-causal-mask"),
        "not-boolean": ("The mask is not boolean. True and False are asked for: compare, or use dtype=torch.bool.", "local-causal-mask"),
        "added-to-scores": ("This is a mask of 0 and −inf, to be added to scores. Return booleans, True = may attend.", "local-causal-mask"),
        "another-shape": ("The mask is not n by n: one row for each query, one column for each key, and no axes in front.", "local-causal-mask"),
        "arguments-swapped": ("n and window have changed places: n is the length, window how many tokens a query sees.", "local-causal-mask"),
        "window-over-n": ("A window longer than the sequence stops with an error. Then every query sees all up to itself.", "local-causal-mask"),
    },
    forbid=("local_attention", "create_block_mask"),
)


@exercise.probes
def _(make):
    core, ends = {"group": "the band"}, {"group": "narrow and wide windows"}
    yield make.probe("five tokens, a window of 2", 5, 2, **core)
    yield make.probe("a window of 3", make.pick(7, 8, 10), 3, **core)
    yield make.probe("a window of 4", make.pick(9, 11, 13), 4, **core)
    yield make.probe("a window of 5", make.pick(12, 13, 14), 5, **core)
    yield make.probe("a window of 6", make.pick(16, 17, 19), 6, **core)
    yield make.probe("almost as wide as long", make.pick(6, 8, 7), make.pick(5, 7, 6), edge=True, **core)
    yield make.probe("150 tokens or more", make.pick(150, 160, 170), make.pick(20, 30, 24), edge=True, long=True, **core)
    yield make.probe("a window of 1", make.pick(4, 5, 6), 1, edge=True, **ends)
    yield make.probe("as wide as long", *make.pick((5, 5), (6, 6), (7, 7)), edge=True, **ends)
    yield make.probe("wider than long", *make.pick((4, 9), (5, 12), (3, 8)), **ends)
    yield make.probe("one token", 1, make.pick(1, 3, 2), edge=True, **ends)


@exercise.right
def reference(n, window):
    query, key = torch.arange(n)[:, None], torch.arange(n)
    return (key <= query) & (query - key < window)


@exercise.alternative("two triangles")
def version_1(n, window):
    below = torch.tril(torch.ones(n, n))
    return (below - torch.tril(below, -window)).bool()


@exercise.alternative("one slice a row")
def version_2(n, window):
    mask = torch.zeros((n, n), dtype=torch.bool)
    for row in range(n):
        mask[row, max(0, row + 1 - window):row + 1] = True
    return mask


@exercise.alternative("lists of booleans")
def version_3(n, window):
    return [[0 <= i - j < window for j in range(n)] for i in range(n)]


@exercise.alternative("a sum of diagonals")
def version_4(n, window):
    mask = torch.zeros(n, n)
    for back in range(min(window, n)):
        mask = mask + torch.diag(torch.ones(n - back), -back)
    return mask > 0


@exercise.alternative("distances, numpy")
def version_5(n, window):
    import numpy as np
    i, j = np.indices((n, n))
    return torch.from_numpy((j <= i) & (j > i - window))


@exercise.alternative("triu of tril")
def version_6(n, window):
    full = torch.ones(n, n, dtype=torch.uint8)
    return torch.triu(torch.tril(full), diagonal=-(window - 1)) == 1


@exercise.alternative("distances that clamp leaves alone")
def version_66(n, window):
    rows = torch.arange(n).repeat(n, 1).T
    cols = torch.arange(n).expand(n, n)
    dist = rows.sub(cols)
    return dist.clamp(0, window - 1).eq(dist)


@exercise.wrong("one-too-many", "comparison")
def version_7(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (j >= i - window)


@exercise.wrong("one-too-many", "loops")
def version_8(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            if j <= i and i - j <= window:
                mask[i, j] = True
    return mask


@exercise.wrong("one-too-many", "triangles")
def version_9(n, window):
    ones = torch.ones(n, n, dtype=torch.bool)
    return torch.tril(ones) & torch.triu(ones, -window)


@exercise.wrong("one-too-few", "comparison")
def version_10(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (j > i - window + 1)


@exercise.wrong("one-too-few", "loops")
def version_11(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            if j <= i and i - j < window - 1:
                mask[i, j] = True
    return mask


@exercise.wrong("one-too-few", "triangles")
def version_12(n, window):
    ones = torch.ones(n, n, dtype=torch.bool)
    return torch.tril(ones) & torch.triu(ones, -(window - 2))


@exercise.wrong("itself-hidden", "comparison")
def version_13(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j < i) & (j > i - window)


@exercise.wrong("itself-hidden", "window before it")
def version_14(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j < i) & (j >= i - window)


@exercise.wrong("symmetric", "comparison")
def version_15(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (i - j).abs() < window


@exercise.wrong("symmetric", "loops")
def version_16(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            if abs(i - j) < window:
                mask[i, j] = True
    return mask


@exercise.wrong("symmetric", "triangles")
def version_17(n, window):
    ones = torch.ones(n, n, dtype=torch.bool)
    return torch.tril(ones, window - 1) & torch.triu(ones, -(window - 1))


@exercise.wrong("symmetric", "one wider")
def version_18(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (i - j).abs() <= window


@exercise.wrong("symmetric", "one wider, loops")
def version_19(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            if abs(i - j) <= window:
                mask[i, j] = True
    return mask


@exercise.wrong("centred", "comparison")
def version_20(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (i - j).abs() <= window // 2


@exercise.wrong("centred", "(window - 1) // 2")
def version_21(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (i - j).abs() <= (window - 1) // 2


@exercise.wrong("future", "comparison")
def version_22(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j >= i) & (j < i + window)


@exercise.wrong("future", "without itself")
def version_23(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j > i) & (j < i + window)


@exercise.wrong("inverted", "comparison")
def version_24(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return ~((j <= i) & (j > i - window))


@exercise.wrong("window-ignored", "comparison")
def version_25(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i)


@exercise.wrong("causal-ignored", "comparison")
def version_26(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j > i - window)


@exercise.wrong("blocks", "comparison")
def version_27(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (i // window == j // window)


@exercise.wrong("blocks", "not causal")
def version_28(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return i // window == j // window


@exercise.wrong("two-blocks", "comparison")
def version_29(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (i // window - j // window <= 1)


@exercise.wrong("far-tokens", "comparison")
def version_30(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (j <= i - window)


@exercise.wrong("far-tokens", "one further")
def version_31(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j < i - window)


@exercise.wrong("first-tokens", "comparison")
def version_32(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (j < window)


@exercise.wrong("first-tokens", "not causal")
def version_33(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j < window).expand(n, n)


@exercise.wrong("diagonal-alone", "comparison")
def version_34(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return j == i - window + 1


@exercise.wrong("diagonal-alone", "one further")
def version_35(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return j == i - window


@exercise.wrong("diagonal-alone", "itself")
def version_36(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return j == i


@exercise.wrong("every-window-th", "comparison")
def version_37(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & ((i - j) % window == 0)


@exercise.wrong("negative-start")
def version_38(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i - window + 1:i + 1] = True
    return mask


@exercise.wrong("negative-start", "indices")
def version_39(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for back in range(window):
            mask[i, (i - back) % n] = True
    return mask


@exercise.wrong("negative-start", "roll")
def version_40(n, window):
    row = torch.zeros(n, dtype=torch.bool)
    row[:window] = True
    return torch.stack([torch.roll(row, i - window + 1) for i in range(n)])


@exercise.wrong("first-rows-full")
def version_41(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        start = max(0, i - window + 1)
        mask[i, start:start + window] = True
    return mask


@exercise.wrong("first-rows-empty")
def version_42(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(window - 1, n):
        mask[i, i - window + 1:i + 1] = True
    return mask


@exercise.wrong("first-rows-empty", "themselves alone")
def version_43(n, window):
    mask = torch.eye(n, dtype=torch.bool)
    for i in range(window - 1, n):
        mask[i, i - window + 1:i + 1] = True
    return mask


@exercise.wrong("not-boolean", "comparison")
def version_44(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return ((j <= i) & (j > i - window)).int()


@exercise.wrong("not-boolean", "loops")
def version_45(n, window):
    mask = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            if j <= i and i - j < window:
                mask[i, j] = 1
    return mask


@exercise.wrong("not-boolean", "triangles")
def version_46(n, window):
    ones = torch.ones(n, n, dtype=torch.bool)
    return (torch.tril(ones) & torch.triu(ones, -(window - 1))).float()


@exercise.wrong("not-boolean", "lists of 0 and 1")
def version_47(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return [[int(0 <= a - b < window) for b in range(n)] for a in range(n)]


@exercise.wrong("not-boolean", "float64")
def version_48(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return ((j <= i) & (j > i - window)).double()


@exercise.wrong("not-boolean", "bytes")
def version_49(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return ((j <= i) & (j > i - window)).to(torch.uint8)


@exercise.wrong("added-to-scores", "comparison")
def version_50(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return torch.where((j <= i) & (j > i - window), 0.0, -math.inf)


@exercise.wrong("added-to-scores", "-1e9")
def version_51(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return torch.where((j <= i) & (j > i - window), 0.0, -1e9)


@exercise.wrong("another-shape", "comparison")
def version_52(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return ((j <= i) & (j > i - window))[None, None]


@exercise.wrong("another-shape", "one axis in front")
def version_53(n, window):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return ((j <= i) & (j > i - window))[None]


@exercise.wrong("another-shape", "n by window")
def version_54(n, window):
    return torch.arange(n)[:, None] >= torch.arange(window).flip(0)


@exercise.wrong("another-shape", "the last row alone")
def version_55(n, window):
    return torch.arange(n) >= n - window


@exercise.wrong("arguments-swapped", "comparison")
def version_56(window, n):
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (j > i - window)


@exercise.wrong("window-over-n", "an error of its own")
def version_57(n, window):
    rows = []
    for i in range(n):
        row = [False] * n
        for j in range(max(0, i - window + 1), i + 1):
            row[j] = True
        rows.append(row)
    if window > n:
        raise ValueError("window must not be larger than n")
    return torch.tensor(rows)


@exercise.wrong("window-over-n", "an assertion")
def version_58(n, window):
    assert window <= n
    i = torch.arange(n).unsqueeze(1)
    j = torch.arange(n).unsqueeze(0)
    return (j <= i) & (j > i - window)


@exercise.wrong("window-over-n", "diagonals")
def version_59(n, window):
    mask = torch.zeros(n, n)
    for back in range(window):
        mask += torch.diag(torch.ones(n - back), -back)
    return mask.bool()


@exercise.wrong("nothing-seen", "triangles")
def version_62(n, window):
    return torch.ones(n, n, dtype=torch.bool).tril().triu(window - 1)


@exercise.wrong("nothing-seen", "a difference of the wrong sign")
def version_63(n, window):
    i, j = torch.arange(n)[:, None], torch.arange(n)
    return (j <= i) & (j - i >= window - 1)


@exercise.wrong("far-tokens", "and itself")
def version_64(n, window):
    i = torch.arange(n)
    d = i[:, None] - i[None, :]
    return (d >= 0) & ((d >= window) | (d == 0))


@exercise.wrong("window-over-n", "indices")
def version_65(n, window):
    m = torch.zeros(n, n, dtype=torch.bool)
    for d in range(window):
        idx = torch.arange(n - d)
        m[idx + d, idx] = True
    return m


@exercise.wrong("returns-nothing")
def version_60(n, window):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            if j <= i and i - j < window:
                mask[i, j] = True


@exercise.wrong("ready-made")
def version_61(n, window):
    from allyouneed import blockwise
    return blockwise.local_causal_mask(n, window)
