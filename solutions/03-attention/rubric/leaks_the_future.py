"""leaks_the_future: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "leaks_the_future",
    points={"plain functions": 2, "hidden leaks": 2, "rounding and faint leaks": 1},
    section="causality-test",
    driver="future_test",
)


@exercise.probes
def probes(make):
    def probe(name, kind, group, n, d, strength=0.01, row=0, **marks):
        seed = int(make.randint(1, 100_000, (1,)))
        more = {key: marks.pop(key) for key in ("away", "raw") if key in marks}
        return make.probe(name, {"kind": kind, "n": n, "d": d, "seed": seed, "strength": strength, "row":
                                 row} | more, n, d,
                          group=group, **marks)

    n, d = make.pick((7, 4), (9, 3), (8, 5))
    group = "plain functions"
    yield probe("f treats each row by itself", "each_row", group, n, d)
    yield probe("f adds up the rows so far", "running_sum", group, n, d)
    yield probe("f is causal attention", "causal", group, n, d)
    yield probe("f adds the row before", "row_before", group, n, d + 2)
    yield probe("f lets the last row read all rows", "last_row_reads_all", group, n + 1, d)
    yield probe("f is attention without a mask", "no_mask", group, n, d)
    yield probe("f adds up the rows from the end", "reversed_sum", group, n, d)
    yield probe("f is causal attention, softmax over queries", "over_queries", group, n + 2, d)
    yield probe("f is attention with the mask after the softmax", "mask_after", group, n, d)
    yield probe("f gives always the same", "constant", group, n, d, edge=True)
    yield probe("two rows, causal attention", "causal", group, 2, d, edge=True)
    yield probe("two rows, no mask", "no_mask", group, 2, d, edge=True)
    yield probe("rows of one number, sum so far", "running_sum", group, n, 1, edge=True)
    group = "hidden leaks"
    for row in make.pick((0, 2, 3, 5), (0, 3, 4, 7), (0, 3, 4, 6)):
        yield probe(f"f lets row {row} read the next one", "one_row_peeks", group, n, d, row=row)
    yield probe("f lets row 1 read the next one", "one_row_peeks", group, n, d, row=1)
    yield probe("f lets the first row read the last", "first_reads_last", group, n, d)
    yield probe("f standardizes over time", "norm_over_time", group, n, d)
    yield probe("f lets each query see one key too many", "mask_one_late", group, n, d)
    yield probe("f adds the sum of the later rows", "mean_of_later", group, n, d)
    yield probe("f reads ahead in its last column alone", "one_column", group, n, d)
    yield probe("f reads the next row in its first column alone", "faint", group, n, d,
                strength=torch.tensor([1.0] + [0.0] * (d - 1)))
    yield probe("f takes a part of the next row away", "faint", group, n, d, strength=-0.3)
    yield probe("f reads the size of each number of the next row, two rows", "size_of_next", group, 2, d,
                edge=True)
    yield probe("f compares each row with the next", "compares", group, n, d)
    yield probe("f masks after the softmax and divides by the sum of all weights", "sum_of_all", group, n, d)
    yield probe("f adds numbers that sum to 0 in each row", "balanced", group, n, d)
    group = "rounding and faint leaks"
    for more in (0, make.pick(20, 15, 25)):
        yield probe(f"f shifts its scores by the largest of all, {n + more} rows", "shifted_by_all", group,
                    n + more, d)
        yield probe(f"f takes the later rows from the total, {n + more} rows", "backwards_sum", group,
                    n + more, d)
        yield probe(f"f masks after the softmax and brings each row to 1, {n + more} rows", "renormalized",
                    group,
                    n + more, d)
    yield probe("f reads a hundredth of the next row", "faint", group, n, d + 3)
    yield probe("f reads a hundredth of the next row, more rows", "faint", group, n + 4, d + 1)
    yield probe("f reads a twentieth of the next row", "faint", group, n, d, strength=0.05, edge=True)
    yield probe("f is causal attention over 66 rows", "causal", group, 66, d, long=True)
    yield probe("f lets row 64 of 66 read the next one", "one_row_peeks", group, 66, d, row=64, long=True)
    yield probe("f reads a hundredth of one number of the next row", "faint", group, n, 24,
                strength=torch.eye(24)[5] * 0.01, edge=True)
    for more in (0, make.pick(20, 15, 25)):
        yield probe(f"f shifts its scores, with outputs near 0, {n + more} rows", "shifted_by_all", group,
                    n + more, d, away=0.0)
        yield probe(f"f takes the later rows from the total, with outputs near 0, {n + more} rows",
                    "backwards_sum", group, n + more, d, away=0.0)
    rows = make.pick(30, 32, 34)
    yield probe(f"f takes the later rows from the total, with outputs near 0, {rows} rows of 16",
                "backwards_sum", group, rows, 16, away=0.0)
    yield probe("f takes the later rows from the total, without bounds", "backwards_sum", group, n, d,
                away=0.0, raw=True)
    group = "hidden leaks"
    yield probe("f is attention without a mask or bounds", "no_mask", group, n, d, away=0.0, raw=True)
    yield probe("f normalizes each row, then attends without a mask", "norm_first", group, n, d + 1, away=0.0,
                raw=True)
    yield probe("f reads the size of each number of the next row", "size_of_next", group, n, d)
    group = "plain functions"
    yield probe("f is causal attention without bounds", "causal", group, n, d, away=0.0, raw=True)


@exercise.right
def reference(f, n, d):
    x = torch.randn(n, d)
    before = f(x)
    for t in range(n - 1):
        changed = x.clone()
        changed[t + 1 :] = torch.randn(n - t - 1, d)
        if not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4):
            return True
    return False


@exercise.right("each row changed alone, the largest difference")
def one_row(f, n, d):
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(n, d, dtype=torch.float64, generator=generator)
    y = f(x)
    worst = 0.0
    for s in range(1, n):
        other = x.clone()
        other[s] += 1.0 + torch.rand(d, dtype=torch.float64, generator=generator)
        worst = max(worst, (f(other) - y)[:s].abs().max().item())
    return worst > 1e-4


@exercise.right("several draws, a table of differences")
def table(f, n, d):
    for _ in range(5):
        x = torch.randn(n, d)
        y = f(x)
        for s in range(n):
            other = torch.cat([x[:s], torch.randn(1, d), x[s + 1 :]])
            moved = (f(other) - y).abs().amax(dim=1)
            if (moved[:s] > 1e-4).any():
                return True
    return False


@exercise.right("later rows from another text")
def another(f, n, d):
    text, end = torch.rand(2, n, d) * 2 - 1
    leaks = []
    for keep in range(1, n):
        both = torch.where(torch.arange(n)[:, None] < keep, text, end)
        same = torch.isclose(f(both)[:keep], f(text)[:keep], rtol=0, atol=1e-3).all()
        leaks.append(not same)
    return any(leaks)


@exercise.right("100 and −100 in their place")
def hundred(f, n, d):
    x = torch.randn(n, d, dtype=torch.float64)
    y = f(x)

    def moved(t):
        z = x.clone()
        z[t:] = 100.0
        w = x.clone()
        w[t:] = -100.0
        return max((f(z) - y)[:t].abs().max(), (f(w) - y)[:t].abs().max()) > 1e-7

    return bool(any(moved(t) for t in range(1, n)))


exercise.mistake("always-true", "causality-test",
    "The answer is True for every function, even for one that treats each row by itself. Compare only rows "
    "before the change, and within rounding.",
    full("return True"),
    edit(reference, {"return False": "return True"}, "at the end too"))

exercise.mistake("always-false", "causality-test",
    "The answer is False for every function, even for attention without a mask. Give later rows other "
    "numbers, in a copy of x, and look whether an earlier row of the output moves. Both sides must not see "
    "the same input.",
    full("return False"),
    edit(reference, {"changed[t + 1 :] = torch.randn(n - t - 1, d)": ""}, "nothing changed"),
    edit(reference, {"torch.randn(n - t - 1, d)": "x[t + 1 :]"}, "the same numbers again"),
    edit(another, {"torch.rand(2, n, d) * 2 - 1": "torch.ones(2, n, d)"}, "ones everywhere"),
    edit(reference, {"x.clone()": "x", "before[: t + 1]": "f(x)[: t + 1]"}, "x itself changed"))

exercise.mistake("answer-turned", "causality-test",
    "True and False are exchanged: return True where f leaks, that is, where an earlier row moves.",
    edit(one_row, {"worst > 1e-4": "worst <= 1e-6"}),
    edit(another, {"not same": "same"}, "at each place"),
    edit(reference, {"if not": "if"}, "without not"),
    edit(reference, {"return True": "return False", "return False": "return True"}, "in the loop"))

exercise.mistake("compares-all-rows", "causality-test",
    "A changed row of the output is compared, too, or all rows are. What is changed may move, and so may all "
    "that comes after it: compare the rows before it alone. Do you write into x itself? Then its rows stay "
    "changed: take a fresh copy each time.",
    edit(reference, {every("[: t + 1]"): ""}),
    edit(one_row, {every("[:s]"): ""}, "the largest difference"),
    edit(table, {"moved[:s]": "moved"}, "a table"),
    edit(reference, {every("[: t + 1]"): "[: t + 2]"}, "the changed row"),
    edit(one_row, {every("[:s]"): "[: s + 1]"}, "the changed row, the largest difference"),
    edit(reference, {"changed[t + 1 :] = torch.randn(n - t - 1, d)": "changed[t:] = torch.randn(n - t, d)"},
         "one row more changed"),
    edit(reference, {"x.clone()": "x"}, "no copy"))

exercise.mistake("compares-later-rows", "causality-test",
    "The rows after the change are compared, or the early rows are changed. To read what came before is "
    "allowed: change later rows, and compare earlier ones.",
    edit(reference, {"[t + 1 :] = torch.randn(n - t - 1, d)": "[: t + 1] = torch.randn(t + 1, d)",
                     every("[: t + 1]"): "[t + 1 :]"}, "the past changed"),
    edit(one_row, {every("[:s]"): "[s + 1 :]"}, "rows after it"))

exercise.mistake("last-row-only", "causality-test",
    "Only the last row is changed, or only that place counts in the end. A row in the middle that reads its "
    "successor is not found so: change every later row once.",
    edit(reference, {"range(n - 1)": "[n - 2]"}),
    edit(table, {"range(n)": "[n - 1]"}, "a table"),
    edit(another, {"any(leaks)": "leaks[-1]"}, "the last place counts"))

exercise.mistake("first-row-only", "causality-test",
    "Only the first row of the output is compared, or the loop returns in its first turn. Any row may be the "
    "one that leaks: compare all rows before the change, for each place of the change.",
    edit(reference, {"range(n - 1)": "[0]"}),
    edit(one_row, {every("[:s]"): "[:1]"}, "for each row"),
    edit(reference,
         {"if not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4):\n    return True":
                     "return not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4)"},
                     "return in the loop"))

exercise.mistake("one-cut-only", "causality-test",
    "One place is tried, such as the middle. A row that reads only its successor is found only if the change "
    "begins right behind it: try every place.",
    edit(reference, {"range(n - 1)": "[n // 2]"}, "the middle"),
    edit(reference, {"range(n - 1)": "[n // 2 - 1]"}, "a row before the middle"))

exercise.mistake("last-cut-missed", "causality-test",
    "The last place is not tried, or the first one is not: range ends before its end. There are n − 1 "
    "places, after row 0 to after row n − 2.",
    edit(reference, {"range(n - 1)": "range(n - 2)"}, "the last"),
    edit(one_row, {every("range(1, n)"): "range(1, n - 1)"}, "the last, rows alone"),
    edit(reference, {"range(n - 1)": "range(1, n - 1)"}, "the first"))

exercise.mistake("gap", "causality-test",
    "The row right behind the compared ones is not changed, and a function that reads one row ahead is not "
    "found. Change every row after the compared ones.",
    edit(reference, {"changed[t + 1 :] = torch.randn(n - t - 1, d)":
                     "changed[t + 2 :] = torch.randn(max(n - t - 2, 0), d)"}),
    edit(one_row, {every("[:s].abs().max()"): "[: s - 1].abs().sum()"}, "compared one row too few"))

exercise.mistake("change-that-may-not-show", "causality-test",
    "The later rows are changed in a way that a function may not notice: a number added to all of a row, a "
    "factor, or a sign turned. A norm of each row takes out the first two, a size the last. Give them other "
    "random numbers.",
    edit(reference, {"torch.randn(n - t - 1, d)": "x[t + 1 :] + 1"}, "plus 1"),
    edit(reference, {"torch.randn(n - t - 1, d)": "x[t + 1 :] * 2"}, "times 2"),
    edit(reference, {"torch.randn(n - t - 1, d)": "-x[t + 1 :]"}, "the sign turned"),
    edit(table, {"torch.randn(1, d)": "x[s : s + 1] + 1"}, "one row plus 1"),
    edit(table, {"torch.randn(1, d)": "x[s : s + 1] * 2"}, "one row times 2"),
    edit(table, {"torch.randn(1, d)": "-x[s : s + 1]"}, "the sign of one row"))

exercise.mistake("shuffles-later-rows", "causality-test",
    "The later rows are only put in another order, and a function that reads their sum survives this, as one "
    "does that reads a single later row. Give them other numbers.",
    edit(reference, {"torch.randn(n - t - 1, d)": "x[t + 1 :].flip(0)"}, "reversed"),
    edit(reference, {"torch.randn(n - t - 1, d)": "x[t + 1 :][torch.randperm(n - t - 1)]"}, "by chance"))

exercise.mistake("compares-sums", "causality-test",
    "Only a sum, a mean or a norm is compared, or one column, and the change may cancel or not show there. "
    "Compare every number with its partner.",
    edit(reference, {"f(changed)[: t + 1], before[: t + 1], atol":
                     "f(changed)[: t + 1].sum(), before[: t + 1].sum(), atol"},
         "the sum"),
    edit(reference, {every("[: t + 1]"): "[: t + 1, 0]"}, "the first column"),
    edit(reference, {"not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4)":
                     "(f(changed) - before)[: t + 1].abs().mean() > 1e-3"}, "the mean of the differences"))

exercise.mistake("next-row-only", "causality-test",
    "Only the row right behind is changed, and only the one before it is compared. A row may read one that "
    "stands further back: change all later rows, or compare all rows before the changed one.",
    edit(reference, {"changed[t + 1 :] = torch.randn(n - t - 1, d)": "changed[t + 1] = torch.randn(d)",
                     every("[: t + 1]"): "[t]"}))

exercise.mistake("huge-change", "causality-test",
    "Functions that do not leak are accused: later rows are changed to huge numbers, whose rounding moves "
    "the earlier ones. Change them by about 1, as torch.randn does.",
    edit(reference, {"torch.randn(n - t - 1, d)": "1e6"}, "1e6"),
    edit(reference, {"torch.randn(n - t - 1, d)": "1000 * torch.randn(n - t - 1, d)"}, "thousands"))

exercise.mistake("too-tight", "causality-test",
    "Functions that do not leak are accused: a later row may change the rounding of an earlier one by about "
    "1e-6 in float32, near 0 too, where a tolerance relative to the number is no help. Compare with an "
    "absolute one of about 1e-4.",
    edit(reference, {", atol=1e-4": ""}, "the default tolerance"),
    edit(another, {", rtol=0, atol=1e-3": ""}, "the default tolerance, rows of another text"),
    edit(reference, {"not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4)":
                     "not torch.equal(f(changed)[: t + 1], before[: t + 1])"}, "equal to the last digit"),
    edit(reference, {"atol=1e-4": "rtol=0, atol=1e-9"}, "1e-9"),
    edit(table, {"1e-4": "0"}, "0"),
    edit(one_row, {every(" dtype=torch.float64,"): "", "1e-4": "1e-8"}, "1e-8 in float32"))

exercise.mistake("too-loose", "causality-test",
    "The tolerance is so wide that a faint leak fits into it, or the later rows are changed too little to "
    "show one. Rounding is about 1e-6: a tolerance of 1e-5 to 1e-4 is enough, with changes of about 1.",
    edit(reference, {"atol=1e-4": "atol=0.1"}, "0.1"),
    edit(reference, {"atol=1e-4": "atol=1.0"}, "1"),
    edit(reference, {"torch.randn(n - t - 1, d)": "x[t + 1 :] + 1e-3"}, "a change of 0.001"),
    edit(reference, {"torch.randn(n - t - 1, d)": "x[t + 1 :] + 1e-3",
                     "not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4)":
                     "((f(changed) - before)[: t + 1].abs() > 1e-4).any()"},
         "a change of 0.001, an absolute tolerance"),
    edit(reference, {"atol=1e-4": "atol=0.05"}, "0.05"),
    edit(table, {"range(5)": "range(3)", "1e-4": "0.1"}, "0.1, three draws"),
    edit(reference, {"atol=1e-4": "rtol=0.1"}, "relative"))

exercise.mistake("one-leak-not-enough", "causality-test",
    "A leak is reported only if it shows at every place, or in every number compared. One number of an "
    "earlier row that moves, once, is enough.",
    edit(another, {"any(leaks)": "all(leaks)"}, "all"),
    edit(hundred, {"any(moved": "all(moved"}, "all, 100 and −100"),
    edit(table, {"amax": "amin"}, "all numbers of a row"),
    edit(reference, {"not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4)":
                     "((f(changed) - before)[: t + 1].abs() > 1e-4).all()"}, "all numbers"),
    edit(another, {"isclose(f(both)[:keep], f(text)[:keep], rtol=0, atol=1e-3).all()":
                   "isclose(f(both)[:keep], f(text)[:keep], rtol=0, atol=1e-3).any()"}, "any equal number"))

exercise.mistake("derivatives-only", "causality-test",
    "Only derivatives or tiny changes are looked at, and nothing moves with these where a function compares "
    "or rounds, though its output depends on the later row. Change the later rows themselves, by about 1.",
    full("x = torch.randn(n, d)\n"
         "J = torch.autograd.functional.jacobian(f, x)\n"
         "sizes = J.abs().sum(dim=(1, 3))\n"
         "return bool((sizes.triu(1) > 1e-5).any())", "the Jacobian"),
    full("x = torch.randn(n, d, requires_grad=True)\n"
         "for t in range(n - 1):\n"
         "    y = f(x)[t]\n"
         "    if not y.requires_grad:\n"
         "        continue\n"
         "    for j in range(d):\n"
         "        grad, = torch.autograd.grad(y[j], x, retain_graph=True, allow_unused=True)\n"
         "        if grad is not None and (grad[t + 1 :].abs() > 1e-5).any():\n"
         "            return True\n"
         "return False", "autograd, number by number"))

exercise.mistake("nan-probe", "causality-test",
    "The later rows are set to NaN or infinity. A hidden key has the weight 0, but 0 times NaN or infinity is "
    "NaN, whose comparisons say nothing true. Use ordinary numbers.",
    edit(reference, {"torch.randn(n - t - 1, d)": "torch.nan"}, "NaN"),
    edit(reference, {"torch.randn(n - t - 1, d)": "torch.nan",
                     "not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4)":
                     "((f(changed) - before)[: t + 1].abs() > 1e-4).any()"}, "NaN, a difference"),
    edit(reference, {"torch.randn(n - t - 1, d)": "torch.inf"}, "infinity"),
    edit(reference, {"torch.randn(n - t - 1, d)": "torch.inf",
                     "not torch.allclose(f(changed)[: t + 1], before[: t + 1], atol=1e-4)":
                     "((f(changed) - before)[: t + 1].abs() > 1e-4).any()"}, "infinity, a difference"))

exercise.mistake("wrong-input", "causality-test",
    "f was called with a tensor that is not of shape (n, d). Draw x with torch.randn(n, d), and change rows "
    "of it: a shorter input, or one with a batch axis, is another function's.",
    edit(reference, {"f(changed)[: t + 1]": "f(x[: t + 1])"}, "cut short"),
    edit(reference, {"x = torch.randn(n, d)": "x = torch.randn(1, n, d)"}, "a batch axis"),
    edit(reference, {"x = torch.randn(n, d)": "x = torch.randn(d, n)"}, "axes exchanged"))

exercise.mistake("changes-columns", "causality-test",
    "Columns (features) are changed, or compared, where rows are meant. Tokens are rows: x[t + 1:], not x[:, "
    "t + 1:].",
    edit(another, {"torch.arange(n)[:, None] < keep": "torch.arange(d) < keep"}, "changed"))

exercise.built_in("returns-nothing",
    edit(one_row, {"return worst > 1e-4": "worst > 1e-4"}))

exercise.built_in("timeout",
    full("while True:\n    pass"))

exercise.equal("later rows may get any other numbers, drawn in any way, and more or less often", {
    "torch.randn(n - t - 1, d)": "(n - t - 1)", ".manual_seed(3)": ("", ".manual_seed(2)", ".manual_seed(4)"),
    ", generator=generator": "", "other[s] += 1.0": ("other[s] -= 1.0", "other[s] = 1.0"),
    "1.0 + torch.rand": ("1.0 - torch.rand", "torch.rand", "2.0 + torch.rand", "0.0 + torch.rand"),
    "(d, dtype=torch.float64, generator": "(d, generator",
    "(n, d, dtype=torch.float64, generator": "(n, d, generator",
    "range(5)": ("range(4)", "range(6)"),
    "* 2 - 1": ("* 2 + 1", "* 2", "/ 2 - 1", "- 1", "* 2 - 2", "* 2 - 0", "* 3 - 1", "* 1 - 1"),
    "torch.rand(2, n, d) * 2 - 1": "1 - torch.rand(2, n, d) * 2"})
exercise.equal("where no row is changed none moves, and where no row is compared none does", {
    "range(n - 1)": ("range(n - 1 + 1)", "range(n)", "range(n - 0)"),
    "range(1, n)": ("range(1, n + 1)", "range(0, n)")})
exercise.equal("a tolerance is free between rounding and a real difference, and relative to either side", {
    "f(changed)[: t + 1], before[: t + 1]": "before[: t + 1], f(changed)[: t + 1]", ", rtol=0": "",
    "f(both)[:keep], f(text)[:keep]": "f(text)[:keep], f(both)[:keep]",
    "> 1e-4": ">= 1e-4", "> 1e-7": ">= 1e-7"})
exercise.equal("a row is drawn anew five times, to rise and to fall, and any of its numbers may show it", {
    ".abs().amax(dim=1)": (".abs()", ".amax(dim=1)")})
exercise.equal("a size is the same either way round, and max takes numbers or tensors in any order", {
    "f(other) - y": "y - f(other)", "f(z) - y": "y - f(z)", "f(w) - y": "y - f(w)", ".item()": "",
    "worst, (f(other) - y)[:s].abs().max().item()": "(f(other) - y)[:s].abs().max().item(), worst",
    "(f(z) - y)[:t].abs().max(), (f(w) - y)[:t].abs().max()":
    "(f(w) - y)[:t].abs().max(), (f(z) - y)[:t].abs().max()"})
exercise.equal("later rows are changed twice, to numbers of either sign, where once is enough", {
    "z[t:] = 100.0": ("pass", "z[t:] = 200.0", "z[t:] = 0.0", "z[t:] = 1.0", "z[t + 1:] = 100.0"),
    "w[t:] = -100.0": ("pass", "w[t:] = 100.0", "w[t:] = -200.0", "w[t:] = 0.0", "w[t:] = 1.0",
                       "w[t + 1:] = -100.0"),
    "max((f(z)": "min((f(z)", "[:t].abs().max()": ("[:t].abs().min()", "[:t].max()")})
