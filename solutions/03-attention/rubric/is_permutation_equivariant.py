"""is_permutation_equivariant: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "is_permutation_equivariant",
    points={"plain functions": 2, "symmetric in part": 2, "rounding and faint positions": 1},
    section="permutation-equivariance",
    driver="permutation_test",
)


@exercise.probes
def probes(make):
    def probe(name, kind, group, n, d, **marks):
        strength = {key: marks.pop(key) for key in ("strength", "away") if key in marks}
        seed = int(make.randint(1, 100_000, (1,)))
        return make.probe(name, {"kind": kind, "d": d, "seed": seed} | strength, n, d, group=group, **marks)

    n, d = make.pick((8, 5), (10, 3), (12, 7))
    group = "plain functions"
    yield probe("f doubles x", "elementwise", group, n, d)
    yield probe("f multiplies each column by a number", "columns_scaled", group, n, d)
    yield probe("f gives every row the largest of all rows", "pooled", group, n, d)
    yield probe("f multiplies each row by its number", "rows_scaled", group, n, d)
    yield probe("f is causal attention", "causal", group, n, d)
    yield probe("f adds random noise", "noisy", group, n, d)
    group = "symmetric in part"
    for more in (0, make.pick(4, 2, 6)):
        rows = n + more
        yield probe(f"f looks at the row before, in a circle, {rows} rows", "cyclic", group, rows, d)
        yield probe(f"f looks at both neighbours, {rows} rows", "flip_symmetric", group, rows, d)
        yield probe(f"f sorts the rows, {rows} rows", "sorted", group, rows, d)
    yield probe("f adds up pairs of rows", "pairs", group, make.pick(12, 14, 16), make.pick(5, 3, 7))
    yield probe("f gives every row one sum that depends on order", "pooled_by_position", group, n, d)
    group = "rounding and faint positions"
    for rows, width in make.pick(((12, 5), (40, 7), (9, 16)), ((14, 3), (37, 6), (10, 16)),
                                 ((11, 4), (43, 8), (7, 16))):
        yield probe(f"f is attention, {rows} rows of {width}", "attention", group, rows, width)
    yield probe("f adds the mean of all rows", "deep_sets", group, make.pick(30, 33, 36), make.pick(6, 5, 8))
    yield probe("f treats each row alike", "each_row", group, n, d, edge=True)
    yield probe("f is attention and adds a little of the row's number", "positions", group,
                make.pick(9, 8, 10), d, strength=0.004)
    yield probe("f is attention and adds a little of the row's number, other weights", "positions", group,
                make.pick(7, 9, 8), d + 4, strength=0.004)
    yield probe("f is attention and adds some of the row's number", "positions", group, make.pick(8, 9, 10),
                d, strength=0.02, edge=True)
    rows = make.pick(40, 42, 44)
    yield probe(f"f is attention over {rows} rows", "attention", group, rows, d, long=True)
    yield probe("f looks at the row before, in a circle, 41 rows", "cyclic", group, 41, d, long=True)
    for rows, width in ((30, 8), make.pick((6, 4), (20, 5), (12, 6))):
        yield probe(f"f is attention, with outputs near 0, {rows} rows", "attention", group, rows, width,
                    away=0.0)
    yield probe("f adds the mean of all rows, with outputs near 0", "deep_sets", group, 25, 6, away=0.0)
    rows = make.pick(60, 66, 63)
    yield probe(f"f is attention, with outputs near 0, {rows} rows of 32", "attention", group, rows, 32,
                away=0.0)
    yield probe("f is attention, with outputs around 20", "attention", group, make.pick(30, 35, 40), 6,
                away=20.0, edge=True)
    yield probe("f is attention and adds the row's number in its last column alone", "positions",
                "symmetric in part", n, d, strength=torch.tensor([0.0] * (d - 1) + [1.0]))
    one_number = torch.zeros(n, d)
    one_number[0, -1] = 0.01
    yield probe("f adds 0.01 to one number of the first row", "more", group, n, d, strength=one_number,
                edge=True)
    group = "symmetric in part"
    for row, what in ((0, "first"), (n - 1, "last")):
        yield probe(f"f adds 1 to its {what} row", "more", group, n, d, strength=torch.eye(n)[:, [row]])
    yield probe("f turns the sign of every second row", "signs", group, n, d, away=0.0, edge=True)
    for kind, what in (("causal", "is causal attention"),
                       ("pooled_by_position", "gives every row one sum that depends on order")):
        yield probe(f"f {what}, two rows of 1", kind, "symmetric in part", 2, 1, edge=True)
    for number, (kind, what) in enumerate((
            ("rows_scaled", "multiplies each row by its number"), ("causal", "is causal attention"),
            ("rows_scaled", "multiplies each row by its number"), ("causal", "is causal attention"),
            ("pooled_by_position", "gives every row one sum that depends on order"))):
        width = number + make.pick(2, 3, 4)
        yield probe(f"f {what}, two rows of {width}", kind, "symmetric in part", 2, width)
    for kind, what, width in (("cyclic", "looks at the row before, in a circle", make.pick(3, 4, 2)),
                              ("flip_symmetric", "looks at both neighbours", make.pick(4, 2, 3)),
                              ("causal", "is causal attention", make.pick(2, 3, 5))):
        yield probe(f"f {what}, three rows", kind, "symmetric in part", 3, width)


@exercise.right
def reference(f, n, d):
    x = torch.randn(n, d)
    y = f(x)
    for _ in range(30):
        order = torch.randperm(n)
        if not torch.allclose(f(x[order]), y[order], rtol=1e-4, atol=1e-4):
            return False
    return True


@exercise.right("every input and order new, an absolute tolerance")
def plain(f, n, d):
    for _ in range(20):
        x = torch.randn(n, d)
        p = torch.randperm(n)
        if not torch.allclose(f(x[p]), f(x)[p], rtol=0, atol=1e-4):
            return False
    return True


@exercise.right("the inverse on the other side")
def inverse(f, n, d):
    generator = torch.Generator().manual_seed(1)
    same = torch.tensor(True)
    for _ in range(25):
        x = torch.rand(n, d, generator=generator) * 2 - 1
        p = torch.randperm(n, generator=generator)
        back = torch.argsort(p)
        same = same & torch.isclose(f(x[p])[back], f(x), rtol=0, atol=1e-3).all()
    return same


@exercise.right("all swaps of neighbours")
def swaps(f, n, d):
    x = torch.randn(n, d, dtype=torch.float64)
    for i in range(n - 1):
        p = torch.arange(n)
        p[i], p[i + 1] = i + 1, i
        if (f(x[p]) - f(x)[p]).abs().max().item() > 1e-6:
            return False
    return True


@exercise.right("several inputs, the largest difference")
def several(f, n, d):
    import random
    draw = random.Random(3)
    worst = 0.0
    for _ in range(30):
        x = torch.randn(n, d)
        p = draw.sample(range(n), n)
        worst = max(worst, float(torch.max(torch.abs(f(x[p]) - f(x)[p]))))
    return worst < 5e-5


exercise.also_right(
    full("same = []\n"
         "for _ in range(20):\n"
         "    x = torch.randn(n, d, dtype=torch.float64)\n"
         "    P = torch.eye(n, dtype=torch.float64)[torch.randperm(n)]\n"
         "    same.append((P @ f(x) - f(P @ x)).abs().max() < 1e-8)\n"
         "return bool(all(same))", "float64, a permutation matrix"),
    full("x = torch.randn(n, d)\n"
         "shift = list(range(1, n)) + [0]\n"
         "swap = [1, 0] + list(range(2, n))\n"
         "return all(torch.allclose(f(x[p]), f(x)[p], atol=1e-4) for p in (shift, swap))",
         "a shift and a swap"))


exercise.mistake("identity-permutation", "permutation-equivariance",
    "The rows are not shuffled: a permutation that changes nothing finds every function equivariant. Draw "
    "one with torch.randperm(n).",
    edit(plain, {"randperm": "arange"}))

exercise.mistake("always-true", "permutation-equivariance",
    "The answer is True for every function, even for one that gives random numbers. Compare f(x[p]) with "
    "f(x)[p].",
    full("return True"))

exercise.mistake("always-false", "permutation-equivariance",
    "The answer is False for every function. Compare f(x[p]) with f(x)[p] within rounding.",
    full("return False"))

exercise.mistake("invariance", "permutation-equivariance",
    "This tests invariance: f(x[p]) = f(x). Equivariance means that the output's rows move as the input's: "
    "apply the same permutation to f(x).",
    edit(plain, {"(x)[p]": "(x)"}))

exercise.mistake("input-not-permuted", "permutation-equivariance",
    "Only the output is shuffled. Apply the same permutation to the rows of x before f.",
    edit(plain, {"x[p]": "x"}))

exercise.mistake("inverse-permutation", "permutation-equivariance",
    "The output is put in order by the inverse permutation or another one, or twice, or on the wrong side. "
    "Draw one p, and compare f(x[p]) with f(x)[p].",
    edit(plain, {"(x)[p]": "(x)[torch.argsort(p)]"}))

exercise.mistake("too-tight", "permutation-equivariance",
    "Equivariant functions are rejected: sums in another order differ by rounding, about 1e-6 in float32, "
    "near 0 too, where a relative tolerance, such as torch.allclose has by default, is no help. Use an "
    "absolute one of about 1e-4.",
    edit(plain, {", rtol=0, atol=1e-4": ""}, "the default"),
    edit(reference, {", rtol=1e-4, atol=1e-4": ""}, "the default, one input"),
    edit(plain, {"atol=1e-4": "atol=1e-9"}, "1e-9"),
    edit(plain, {"not torch.allclose(f(x[p]), f(x)[p], rtol=0, atol=1e-4)":
                 "not torch.equal(f(x[p]), f(x)[p])"},
         "equal to the last digit"))

exercise.mistake("one-order", "permutation-equivariance",
    "One order is tried, or the same one each time. It may be the one that changes nothing, or one that this "
    "f survives: with few rows that is common. Draw a new order many times, and return True only behind the "
    "loop.",
    edit(plain, {"range(20)": "range(1)"}),
    full("for _ in range(50):\n"
         "    x = torch.randn(n, d)\n"
         "    order = torch.randperm(n)\n"
         "    same = torch.allclose(f(x[order]), f(x)[order], rtol=0, atol=1e-4)\n"
         "    return same", "return in the loop"),
    edit(plain, {"x = torch": "torch.manual_seed(0)\nx = torch"}, "the same seed each time"),
    edit(reference, {"range(30)": "range(1)", "y = f(x)": "y = f(x).clone()"}, "one input"),
    edit(several, {"range(30)": "range(1)"}, "by random"),
    full("p = torch.randperm(n)\n"
         "x = torch.randn(n, d)\n"
         "return torch.allclose(f(x[p]), f(x)[p], rtol=0, atol=1e-4)", "the order first"))

exercise.mistake("few-orders", "permutation-equivariance",
    "Too few orders are tried. With two rows every second order changes nothing, and with three or four "
    "orders in all this happens to be true of each of them. Draw 20 or more.",
    *(edit(plain, {"range(20)": f"range({times})"}, f"{times}") for times in (2, 3)))

exercise.mistake("a-row-stays", "permutation-equivariance",
    "One row never moves, the first or the last: with two rows nothing is shuffled at all. Draw the order of "
    "all rows, with torch.randperm(n).",
    edit(plain, {"torch.randperm(n)": "torch.cat((torch.randperm(n - 1), torch.tensor([n - 1])))"},
         "the last"),
    edit(plain, {"torch.randperm(n)": "torch.cat((torch.tensor([0]), torch.randperm(n - 1) + 1))"},
         "the first"))

exercise.mistake("any-agreement", "permutation-equivariance",
    "One order that agrees is enough for you, and the order that changes nothing always does. One that "
    "disagrees is enough for False: return True only if all agree.",
    edit(plain, {"if not": "if", "return False": "return True", "return True": "return False"}),
    edit(reference, {"if not": "if", "return False": "return True", "return True": "return False"},
         "one input"))

exercise.mistake("too-loose", "permutation-equivariance",
    "The tolerance is too loose, or the mean of the differences is compared, in which one of them hides: a "
    "function that adds a little of the position passes. Rounding is about 1e-6; for every number a tolerance "
    "of 1e-5 to 1e-4 is enough.",
    edit(plain, {"atol=1e-4": "atol=1.0"}, "1"),
    edit(plain, {"atol=1e-4": "atol=0.1"}, "0.1"),
    edit(plain, {"atol=1e-4": "atol=0.02"}, "0.02"),
    edit(plain, {"not torch.allclose(f(x[p]), f(x)[p], rtol=0, atol=1e-4)":
                 "(f(x[p]) - f(x)[p]).abs().mean() > 1e-3"}, "the mean of the differences"),
    edit(inverse, {"rtol=0": "rtol=1"}, "relative"))

exercise.mistake("compares-sums", "permutation-equivariance",
    "Only sums, means, norms or sorted values of the outputs are compared: these do not show which row went "
    "where. Compare every number with its partner.",
    edit(plain, {", f(x)[p], rtol=0": ".mean(), f(x)[p].mean(), rtol=0"}, "the mean"),
    edit(plain, {", f(x)[p], rtol=0": ".norm(), f(x)[p].norm(), rtol=0"}, "the norm"),
    edit(plain, {", f(x)[p], rtol=0": ".norm(dim=1), f(x)[p].norm(dim=1), rtol=0"}, "the norm of each row"),
    edit(plain, {", f(x)[p]": ".sort(dim=0).values, f(x).sort(dim=0).values"}, "sorted columns"))

exercise.mistake("only-shifts", "permutation-equivariance",
    "Only cyclic shifts are tried, and a function that looks at its neighbour in a circle survives these. "
    "Draw a random permutation.",
    edit(plain, {"p = torch.randperm(n)": "", every("[p]"): ".roll(1, 0)"}, "by 1"))

exercise.mistake("only-reversal", "permutation-equivariance",
    "Only the reversed order is tried, and a function that treats both neighbours alike survives it. Draw "
    "a random permutation.",
    edit(plain, {"p = torch.randperm(n)": "", every("[p]"): ".flip(0)"}))

exercise.mistake("only-one-swap", "permutation-equivariance",
    "Only two neighbouring rows are exchanged, and a function that treats these two alike survives it. "
    "Draw a random permutation of all rows.",
    edit(plain, {"randperm": "arange", "if not": "p[0], p[1] = 1, 0\nif not"}, "the first two"))

exercise.mistake("permutes-columns", "permutation-equivariance",
    "The columns (features) are shuffled. Shuffle the rows: x[p], not x[:, p].",
    edit(plain, {"randperm(n)": "randperm(d)", "x[p]": "x[:, p]", "(x)[p]": "(x)[:, p]"}))

exercise.mistake("constant-input", "permutation-equivariance",
    "All rows of the input are equal, so shuffling changes nothing. Draw x with torch.randn(n, d).",
    edit(plain, {"randn": "ones"}, "ones"),
    edit(plain, {"randn": "zeros"}, "zeros"))

exercise.mistake("wrong-input", "permutation-equivariance",
    "f was called with a tensor that is not of shape (n, d). Draw x with torch.randn(n, d), without a "
    "batch axis.",
    edit(plain, {"(n, d)": "(d, n)", "x[p]": "x[:, p]"}, "axes exchanged"),
    edit(plain, {"(n, d)": "(1, n, d)", "x[p]": "x[:, p]"}, "a batch axis"))

exercise.mistake("answer-turned", "permutation-equivariance",
    "True and False are exchanged: return True where f is equivariant.",
    edit(plain, {"return False": "return True", "return True": "return False"}))

exercise.built_in("returns-nothing",
    full("x = torch.randn(n, d)\n"
         "p = torch.randperm(n)\n"
         "torch.allclose(f(x[p]), f(x)[p], atol=1e-5)"))

exercise.built_in("ready-made",
    full("import allyouneed.nn.attention\n"
         "return allyouneed.nn.attention.is_permutation_equivariant(f, n, d)", "the library's own"))

exercise.built_in("timeout",
    full("while True:\n    pass"))

exercise.equal("which inputs and orders are drawn, and how many of them, is free", {
    "range(30)": ("range(29)", "range(31)"), "range(20)": ("range(19)", "range(21)"),
    "range(25)": ("range(24)", "range(26)"), "Random(3)": ("Random(2)", "Random(4)"),
    ".manual_seed(1)": ("", ".manual_seed(0)", ".manual_seed(2)"), ", generator=generator": "",
    "* 2 - 1": ("* 2 + 1", "* 2", "/ 2 - 1", "- 1", "* 2 - 2", "* 2 - 0", "* 3 - 1", "* 1 - 1"),
    "torch.rand(n, d, generator=generator) * 2 - 1": "1 - torch.rand(n, d, generator=generator) * 2"})
exercise.equal("a tolerance is free between rounding and a real difference, and relative to either side", {
    "rtol=1e-4, ": "", ", rtol=0": "", "> 1e-6": ">= 1e-6", "< 1e-8": "<= 1e-8", "< 5e-5": "<= 5e-5",
    "f(x[order]), y[order]": "y[order], f(x[order])", "f(x[p]), f(x)[p]": "f(x)[p], f(x[p])",
    "f(x[p])[back], f(x)": "f(x), f(x[p])[back]"})
exercise.equal("many inputs are drawn, and an order and the one back turn the sign of a difference", {
    ".abs().max() <": ".max() <", "torch.max(torch.abs(": "torch.max((",
    "f(x[p]) - f(x)[p]": "f(x)[p] - f(x[p])", "P @ f(x) - f(P @ x)": "f(P @ x) - P @ f(x)"})
exercise.equal("a tensor of one number or bool computes like it, and max takes its numbers in any order", {
    ".item()": "", "float(torch": "torch", "torch.tensor(True)": "True",
    "worst, float(torch.max(torch.abs(f(x[p]) - f(x)[p])))":
    "float(torch.max(torch.abs(f(x[p]) - f(x)[p]))), worst"})
