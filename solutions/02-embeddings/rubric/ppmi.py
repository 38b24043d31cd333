"""ppmi: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "ppmi",
    points={"smoothed": 2, "plain": 1, "empty rows and columns": 1},
    section="pointwise-mutual-information",
    any_float=True,
    properties=[{"rule": "finite"}],
)


@exercise.probes
def probes(make):
    def counts(V, C, high=9, zeros=0.3):
        while True:
            found = make.randint(1, high, (V, C)) * (torch.rand(V, C, generator=make.generator) >= zeros)
            if found.sum(0).min() > 0 and found.sum(1).min() > 0 and (found == 0).any() and found.sum() % 10:
                return found

    def probe(name, table, group, *smoothing, dtype=torch.float32, **marks):
        return make.probe(name, table.to(dtype), *smoothing, group=group, **marks)

    group = "plain"
    yield probe("three words, four contexts", counts(3, make.pick(4, 5, 6)), group)
    yield probe("five words, three contexts", counts(5, make.pick(3, 4, 2)), group)
    yield probe("as many words as contexts", counts(4, 4), group)
    yield probe("a symmetric table", (lambda half: half + half.T)(counts(4, 4)), group)
    yield probe("float64", counts(make.pick(4, 6, 5), 3), group, dtype=torch.float64)
    yield probe("large counts", counts(3, 5, high=9000), group)
    yield probe("whole numbers", counts(4, make.pick(6, 5, 7)), group, dtype=torch.int64, edge=True)
    yield probe("smoothing 1, said", counts(3, 4), group, 1.0, edge=True)
    yield probe("not contiguous", counts(4, 5), group, edge=True, strided=True)
    yield probe("a large table", counts(make.pick(140, 150, 130), 160), group, edge=True, long=True)
    group = "smoothed"
    yield probe("smoothing 0.75", counts(make.pick(4, 3, 5), 6), group, 0.75)
    yield probe("smoothing 0.5", counts(6, make.pick(4, 5, 3)), group, 0.5)
    yield probe("a rare context, smoothing 0.75", torch.tensor([[1, 40, 7], [0, 35, 20], [make.pick(2, 1, 3),
                                                                                          0, 50]]),
                group, 0.75)
    yield probe("smoothing 0.75, float64", counts(3, make.pick(7, 5, 6)), group, 0.75, dtype=torch.float64)
    yield probe("smoothing 0.6, whole numbers", counts(5, 5), group, 0.6, dtype=torch.int64, edge=True)
    group = "empty rows and columns"
    table = counts(4, make.pick(5, 3, 6))
    table[1] = 0
    yield probe("an empty row", table, group, edge=True)
    table = counts(make.pick(5, 3, 4), 4)
    table[:, 2] = 0
    yield probe("an empty column", table, group, edge=True)
    yield probe("an empty column, smoothing 0.75", table, group, 0.75, edge=True)
    yield probe("nothing counted", torch.zeros(2, make.pick(3, 4, 5)), group, edge=True)
    yield probe("one word", torch.tensor([[3, 1, 0, make.pick(4, 2, 6)]]), group, 0.75, edge=True)
    yield probe("counts below 1", counts(4, make.pick(5, 6, 4)) * 0.0625, "plain", edge=True)


@exercise.right
def reference(counts, smoothing=1.0):
    counts = counts.double() if not counts.is_floating_point() else counts
    total = counts.sum()
    words = counts.sum(dim=1, keepdim=True) / total
    contexts = counts.sum(dim=0, keepdim=True) ** smoothing
    contexts = contexts / contexts.sum()
    ratio = counts / total / (words * contexts)
    return torch.where(counts > 0, torch.log(ratio), 0.0).clamp(min=0)


@exercise.right("only where something was counted")
def where_counted(counts, smoothing=1.0):
    result = torch.zeros(counts.shape, dtype=torch.float64)
    N = float(counts.sum())
    row_sums = counts.sum(1).double()
    powers = counts.sum(0).double() ** smoothing
    rows, columns = torch.nonzero(counts, as_tuple=True)
    pmi = torch.log(counts[rows, columns].double() / N) - torch.log(row_sums[rows] / N)
    pmi = pmi - torch.log(powers[columns] / powers.sum())
    result[rows, columns] = torch.relu(pmi)
    return result.to(counts.dtype) if counts.is_floating_point() else result


@exercise.right("entry by entry")
def entries(counts, smoothing=1.0):
    V, C = counts.shape
    result = torch.zeros(V, C)
    column_powers = [float(counts[:, c].sum()) ** smoothing for c in range(C)]
    for w in range(V):
        for c in range(C):
            n = float(counts[w, c])
            if n == 0:
                continue
            given_word = n / float(counts[w].sum())
            result[w, c] = max(0.0, math.log(given_word * sum(column_powers) / column_powers[c]))
    return result


@exercise.right("a conditional, NaN and −∞ mended")
def conditional(counts, smoothing=1.0):
    counts = counts.to(torch.float64)
    given_word = counts / counts.sum(1, keepdim=True)
    p_c = counts.sum(0).pow(smoothing)
    p_c = p_c / p_c.sum()
    pmi = (given_word / p_c).log()
    return torch.nan_to_num(pmi, nan=0.0, neginf=0.0).clamp(min=0.0)


exercise.also_right(
    full("counts = counts.double()\n"
         "N = counts.sum().clamp(min=1)\n"
         "joint = counts / N\n"
         "context = counts.sum(0) ** smoothing / (counts.sum(0) ** smoothing).sum().clamp(min=1e-12)\n"
         "expected = torch.outer(joint.sum(1), context)\n"
         "return torch.log((joint / expected.clamp(min=1e-300)).clamp(min=1))", "the ratio at least 1"))

SECTION = "pointwise-mutual-information"

exercise.mistake("negative-kept", SECTION,
    "Negative values come back. Positive mutual information keeps what is above 0, and gives 0 where two "
    "words meet less often than by chance.",
    edit(reference, {".clamp(min=0)": ""}))

exercise.mistake("absolute-value", SECTION,
    "Negative values have lost their sign: words that avoid each other count as friends. Give 0 there.",
    edit(reference, {".clamp(min=0)": ".abs()"}))

exercise.mistake("other-logarithm", SECTION,
    "The logarithm is to another base. Use the natural one.",
    edit(reference, {"torch.log(ratio)": "torch.log2(ratio)"}, "2"),
    edit(reference, {"torch.log(ratio)": "torch.log10(ratio)"}, "10"))

exercise.mistake("no-logarithm", SECTION,
    "The ratio itself comes back, without a logarithm.",
    edit(reference, {"torch.log(ratio)": "ratio"}),
    edit(reference, {"torch.log(ratio)": "ratio - 1"}, "minus 1"))

exercise.mistake("smoothing-ignored", SECTION,
    "The smoothing has no effect. Raise the contexts' counts to this power before they become probabilities.",
    edit(reference, {" ** smoothing": ""}),
    edit(where_counted, {" ** smoothing": ""}, "where counted"))

exercise.mistake("smoothing-of-words", SECTION,
    "The words' counts are raised to the power, too or instead. The smoothing is for the contexts: these are "
    "the columns, whose sums run along dim=0.",
    edit(reference, {"words = counts.sum(dim=1, keepdim=True) / total":
                     "words = counts.sum(dim=1, keepdim=True) ** smoothing\nwords = words / words.sum()"},
                     "too"),
    edit(reference, {"words = counts.sum(dim=1, keepdim=True) / total":
                     "words = counts.sum(dim=1, keepdim=True) ** smoothing\nwords = words / words.sum()",
                     " ** smoothing\ncontexts": "\ncontexts"}, "instead"),
    edit(reference, {"dim=1": "dim=0", "dim=0": "dim=1"}, "rows and columns exchanged"))

exercise.mistake("not-renormalized", SECTION,
    "After the power the contexts' numbers no longer sum to 1. Raise the counts first, then divide by the "
    "sum of what came out.",
    edit(reference, {"contexts / contexts.sum()": "contexts / total"}, "divided by N"),
    edit(reference, {"** smoothing": "/ total", "contexts / contexts.sum()": "contexts ** smoothing"},
         "the power of the probability"),
    edit(reference, {"contexts / contexts.sum()": "contexts / total ** smoothing"},
         "divided by N to the power"))

exercise.mistake("smoothing-of-all", SECTION,
    "All counts are raised to the power, those of the pairs as well. Only the contexts' sums are.",
    edit(reference, {"total = counts.sum()": "counts = counts ** smoothing\ntotal = counts.sum()",
                     "counts.sum(dim=0, keepdim=True) ** smoothing": "counts.sum(dim=0, keepdim=True)"},
                     "before the sums"),
    edit(reference, {"counts.sum(dim=0, keepdim=True) ** smoothing":
                     "(counts ** smoothing).sum(dim=0, keepdim=True)"},
         "each count of a column"))

exercise.mistake("smoothing-outside", SECTION,
    "The power stands at another place, such as at the result or the ratio. It belongs to the contexts' "
    "counts.",
    edit(reference, {" ** smoothing": "", "torch.log(ratio)": "torch.log(ratio) * smoothing"},
         "at the logarithm"),
    edit(reference, {" ** smoothing": "", "torch.log(ratio)": "torch.log(ratio ** (1 / smoothing))"},
         "inverse, at the ratio"))

exercise.mistake("below-one-is-none", SECTION,
    "A count below 1 is taken for none. Counts may be fractions: only 0 is none.",
    edit(reference, {"counts > 0": "counts >= 1"}))

exercise.mistake("added-count", SECTION,
    "The smoothing is added to the counts. Here it is an exponent.",
    edit(reference, {"total = counts.sum()": "counts = counts + smoothing\ntotal = counts.sum()",
                     " ** smoothing": ""}, "to all"),
    edit(reference, {"** smoothing": "+ smoothing"}, "to the contexts"))

exercise.mistake("axes-exchanged", SECTION,
    "Words and contexts are exchanged: each row is a word, each column a context. The sum of a row runs "
    "along dim=1, that of a column along dim=0.",
    edit(reference, {"dim=1": "dim=0"}, "columns twice"),
    edit(reference, {"dim=0": "dim=1"}, "rows twice"))

exercise.mistake("keepdim-missing", SECTION,
    "A sum over each row, (V,), meets the columns, since torch lines shapes up from the right. Keep its "
    "axis, (V, 1).",
    edit(reference, {"dim=1, keepdim=True": "dim=1"}),
    edit(conditional, {"counts.sum(1, keepdim=True)": "counts.sum(1)"}, "a conditional"))

exercise.mistake("total-missing", SECTION,
    "The number of all counts is missing: a count is no probability. P(w, c) = n/N, P(w) = (row's sum)/N.",
    edit(reference, {"counts / total / (words": "counts / (words"}))

exercise.mistake("all-zero", SECTION,
    "Every value, or nearly every one, is 0, since the ratio hardly ever passes 1. By chance two meet with "
    "the product P(w)·P(c): divide by both, not by one or by their sum, and divide by N as often as the "
    "formula does.",
    edit(reference, {"(words * contexts)": "contexts"}, "the context's alone"),
    edit(reference, {"(words * contexts)": "words"}, "the word's alone"),
    edit(reference, {"(words * contexts)": "(words + contexts)"}, "the sum"),
    edit(reference, {"keepdim=True) / total": "keepdim=True)"}, "the row's sum is not divided"),
    edit(reference, {"counts / total / (words": "counts / total / total / (words"}, "divided twice"))

exercise.mistake("inverted", SECTION,
    "The ratio is upside down: what meets rarely gets the largest value. Divide P(w, c) by P(w)·P(c).",
    edit(reference, {"torch.log(ratio)": "torch.log(1 / ratio)"}))

exercise.mistake("weighted", SECTION,
    "Each value is multiplied by the pair's probability, as in the mutual information of the whole table. "
    "The pointwise one is the logarithm alone.",
    edit(reference, {"torch.log(ratio)": "counts / total * torch.log(ratio)"}))

exercise.mistake("nan-or-infinite", SECTION,
    "NaN or infinite numbers come back: 0 / 0 for an empty row or column, or the logarithm of 0. A pair that "
    "was never counted gets 0, whatever its row and column hold.",
    edit(reference, {"torch.where(counts > 0, torch.log(ratio), 0.0)": "torch.log(ratio)"},
         "empty rows and columns"),
    edit(reference, {"torch.where(counts > 0, torch.log(ratio), 0.0).clamp(min=0)": "torch.log(ratio)"},
         "−∞"),
    edit(conditional, {"neginf=0.0": "posinf=None", "clamp(min=0.0)": "abs()"} ,
         "lowest number's absolute value"),
    edit(conditional, {"torch.nan_to_num(pmi, nan=0.0, neginf=0.0).clamp(min=0.0)": "pmi.clamp(min=0.0)"},
         "a conditional"))

exercise.mistake("small-number-added", SECTION,
    "A number is added inside the logarithm or to the counts to avoid log 0. This moves every value. Leave "
    "the counts as they are, and set the pairs that were never counted to 0.",
    edit(reference, {"torch.log(ratio)": "torch.log(ratio + 0.01)"}, "in the logarithm"),
    edit(reference, {"torch.log(ratio)": "torch.log1p(ratio)"}, "1 in the logarithm"),
    edit(reference, {"total = counts.sum()": "counts = counts + 1\ntotal = counts.sum()"},
         "one to every count"))

exercise.mistake("zero-set-to-other", SECTION,
    "The logarithm of each pair that was never counted comes out as another number than 0. Such a pair gets "
    "0.",
    edit(reference, {"0.0).clamp(min=0)": "1.0).clamp(min=0)"}))

exercise.mistake("whole-numbers", SECTION,
    "Whole numbers come back, so the values have lost what stands after the point. Compute with "
    "floating-point numbers.",
    edit(reference, {".clamp(min=0)": ".clamp(min=0).long()"}),
    edit(reference, {".clamp(min=0)": ".clamp(min=0).to(original)", "counts = counts.double()":
                     "original = counts.dtype\ncounts = counts.double()"}, "the dtype of whole counts"))

exercise.mistake("normalized-pmi", SECTION,
    "The values are divided by −log P(w, c): this is the normalized form, which lies between −1 and 1. "
    "Return the logarithm itself.",
    edit(reference, {"torch.log(ratio)": "torch.log(ratio) / -torch.log(counts / total)"}))

exercise.built_in("changes-input",
    edit(reference, {"total = counts.sum()": "total = counts.sum().clone()\ncounts /= total\ncounts *= 1.0",
                     "keepdim=True) / total": "keepdim=True)", "counts / total / (words": "counts / (words",
                     "counts.sum(dim=0, keepdim=True)": "(counts.sum(dim=0, keepdim=True) * total)"}))

exercise.built_in("returns-nothing",
    edit(reference, {"return torch.where": "torch.where"}))

exercise.equal("only ratios of counts count, so the number of all of them cancels wherever it stands in both",
               {
    "total = counts.sum()": ("total = counts", "total = counts.mean()"),
    "joint = counts / N": ("joint = counts * N", "joint = counts"), "min=1)": "min=2)",
    "counts.sum()": "counts.mean()"})
exercise.equal("sums and means of columns differ by one factor, which cancels", {
    "counts.sum(0)": "counts.mean(0)", "counts.sum(dim=0": "counts.mean(dim=0"})
exercise.equal("the table has two axes, and a row of sums lines up with its columns without an axis kept", {
    "dim=1": "dim=-1", "dim=0": "dim=-2", ".sum(1": ".sum(-1", ".sum(0)": ".sum(-2)",
    "dim=0, keepdim=True": ("dim=0", "dim=0, keepdim=False")})
exercise.equal("any floating dtype will do, and torch divides whole numbers and takes powers of them as well",
               {
    "counts = counts.double() if not counts.is_floating_point() else counts": "pass",
    "if not counts.is_floating_point()": ("if True", "if False", "if counts.is_floating_point()"),
    "counts.double() if": "counts if", "counts = counts.to(torch.float64)": ("pass", "counts = counts"),
    ".double()": "", "float(counts.sum())": "counts.sum()", "float(counts[w, c])": "counts[w, c]",
    "float(counts[w].sum())": "counts[w].sum()",
    "if counts.is_floating_point() else result": "if False else result",
    "result.to(counts.dtype) if": "result if"})
exercise.equal("of two numbers the larger is the same in either order, and what is NaN is 0 by default", {
    "max(0.0, math.log(given_word * sum(column_powers) / column_powers[c]))":
        "max(math.log(given_word * sum(column_powers) / column_powers[c]), 0.0)",
    "nan=0.0, neginf=0.0": ("neginf=0.0", "nan=0.0")})
