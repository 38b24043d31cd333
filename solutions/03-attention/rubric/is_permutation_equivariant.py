"""The rubric of is_permutation_equivariant: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "is_permutation_equivariant",
    points={"plain functions": 2, "symmetric in part": 2, "rounding and faint positions": 1},
    section="permutation-equivariance",
    driver="set_function",
    mistakes={
        "identity-permutation": ("The rows are not shuffled: a permutation that changes nothing finds every function equivariant. Draw one with "
                                 "torch.randperm(n).", "permutation-equivariance"),
        "always-true": ("The answer is True for every function, even for one that gives random numbers. Compare f(x[p]) with f(x)[p].",
                        "permutation-equivariance"),
        "always-false": ("The answer is False for every function. Compare f(x[p]) with f(x)[p] within rounding.", "permutation-equivariance"),
        "invariance": ("This tests invariance: f(x[p]) = f(x). Equivariance means that the output's rows move as the input's: apply the same "
                       "permutation to f(x).", "permutation-equivariance"),
        "input-not-permuted": ("Only the output is shuffled. Apply the same permutation to the rows of x before f.", "permutation-equivariance"),
        "inverse-permutation": ("The output is put in order by the inverse permutation or another one, or twice, or on the wrong side. Draw one p, and compare "
                                "f(x[p]) with f(x)[p].",
                                "permutation-equivariance"),
        "too-tight": ("Equivariant functions are rejected: sums in another order differ by rounding, about 1e-6 in float32. Use "
                      "torch.allclose with its default tolerance, or float64.", "permutation-equivariance"),
        "too-loose": ("The tolerance is too loose: a function that adds a little of the position passes. Rounding is about 1e-6; a tolerance of "
                      "1e-5 to 1e-4 is enough.", "permutation-equivariance"),
        "compares-sums": ("Only sums, means or sorted values of the outputs are compared, and these do not show which row went where. Compare "
                          "every number with its partner.", "permutation-equivariance"),
        "only-shifts": ("Only cyclic shifts are tried, and a function that looks at its neighbour in a circle survives these. Draw a random "
                        "permutation.", "permutation-equivariance"),
        "only-reversal": ("Only the reversed order is tried, and a function that treats both neighbours alike survives it. Draw a random "
                          "permutation.", "permutation-equivariance"),
        "only-one-swap": ("Only two neighbouring rows are exchanged, and a function that treats these two alike survives it. Draw a random "
                          "permutation of all rows.", "permutation-equivariance"),
        "permutes-columns": ("The columns (features) are shuffled. Shuffle the rows: x[p], not x[:, p].", "permutation-equivariance"),
        "constant-input": ("All rows of the input are equal, so shuffling changes nothing. Draw x with torch.randn(n, d).",
                           "permutation-equivariance"),
        "wrong-input": ("f was called with a tensor that is not of shape (n, d). Draw x with torch.randn(n, d), without a batch axis.",
                        "permutation-equivariance"),
        "answer-turned": ("True and False are exchanged: return True where f is equivariant.", "permutation-equivariance"),
    },
)


@exercise.probes
def _(make):
    def probe(name, kind, group, n, d, **marks):
        strength = {"strength": marks.pop("strength")} if "strength" in marks else {}
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
    for rows, width in make.pick(((12, 5), (40, 7), (9, 16)), ((14, 3), (37, 6), (10, 16)), ((11, 4), (43, 8), (7, 16))):
        yield probe(f"f is attention, {rows} rows of {width}", "attention", group, rows, width)
    yield probe("f adds the mean of all rows", "deep_sets", group, make.pick(30, 33, 36), make.pick(6, 5, 8))
    yield probe("f treats each row alike", "each_row", group, n, d, edge=True)
    yield probe("f is attention and adds a little of the row's number", "positions", group, make.pick(9, 8, 10), d, strength=0.004)
    yield probe("f is attention and adds a little of the row's number, other weights", "positions", group, make.pick(7, 9, 8), d + 4, strength=0.004)
    yield probe("f is attention and adds some of the row's number", "positions", group, make.pick(8, 9, 10), d, strength=0.02, edge=True)
    yield probe("f is attention over 150 rows", "attention", group, make.pick(150, 140, 160), d, long=True)
    yield probe("f looks at the row before, in a circle, 130 rows", "cyclic", group, 130, d, long=True)


@exercise.right
def reference(f, n, d):
    x = torch.randn(n, d)
    order = torch.randperm(n)
    return torch.allclose(f(x[order]), f(x)[order], atol=1e-4)


@exercise.alternative("default tolerance, several permutations")
def _(f, n, d):
    x = torch.randn(n, d)
    y = f(x)
    for _ in range(10):
        p = torch.randperm(n)
        if not torch.allclose(f(x[p]), y[p]):
            return False
    return True


@exercise.alternative("float64, a permutation matrix")
def _(f, n, d):
    x = torch.randn(n, d, dtype=torch.float64)
    P = torch.eye(n, dtype=torch.float64)[torch.randperm(n)]
    return bool((P @ f(x) - f(P @ x)).abs().max() < 1e-8)


@exercise.alternative("the inverse on the other side")
def _(f, n, d):
    generator = torch.Generator().manual_seed(1)
    x = torch.rand(n, d, generator=generator) * 2 - 1
    p = torch.randperm(n, generator=generator)
    back = torch.argsort(p)
    return torch.isclose(f(x[p])[back], f(x), rtol=0, atol=1e-3).all()


@exercise.alternative("a shift and a swap")
def _(f, n, d):
    x = torch.randn(n, d)
    shift = list(range(1, n)) + [0]
    swap = [1, 0] + list(range(2, n))
    return all(torch.allclose(f(x[p]), f(x)[p], atol=1e-5) for p in (shift, swap))


@exercise.alternative("all swaps of neighbours")
def _(f, n, d):
    x = torch.randn(n, d, dtype=torch.float64)
    for i in range(n - 1):
        p = torch.arange(n)
        p[i], p[i + 1] = i + 1, i
        if (f(x[p]) - f(x)[p]).abs().max().item() > 1e-6:
            return False
    return True


@exercise.alternative("several inputs, the largest difference")
def _(f, n, d):
    import random
    worst = 0.0
    for _ in range(5):
        x = torch.randn(n, d)
        p = random.Random(3).sample(range(n), n)
        worst = max(worst, float(torch.max(torch.abs(f(x[p]) - f(x)[p]))))
    return worst < 1e-5


@exercise.wrong("identity-permutation")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.arange(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("always-true")
def _(f, n, d):
    return True


@exercise.wrong("always-true", "compares a value with itself")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    y = f(x)
    return torch.allclose(y[p], y[p])


@exercise.wrong("always-false")
def _(f, n, d):
    return False


@exercise.wrong("always-false", "compares one tensor with another input's")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x), f(torch.randn(n, d))[p])


@exercise.wrong("invariance")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x), atol=1e-5)


@exercise.wrong("invariance", "exactly equal")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.equal(f(x[p]), f(x))


@exercise.wrong("invariance", "reversed")
def _(f, n, d):
    x = torch.randn(n, d)
    return torch.allclose(f(x.flip(0)), f(x), atol=1e-5)


@exercise.wrong("input-not-permuted")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x), f(x)[p], atol=1e-5)


@exercise.wrong("input-not-permuted", "exactly equal")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.equal(f(x), f(x)[p])


@exercise.wrong("inverse-permutation")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[torch.argsort(p)], atol=1e-5)


@exercise.wrong("inverse-permutation", "exactly equal")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.equal(f(x[p]), f(x)[torch.argsort(p)])


@exercise.wrong("inverse-permutation", "two permutations")
def _(f, n, d):
    x = torch.randn(n, d)
    return torch.allclose(f(x[torch.randperm(n)]), f(x)[torch.randperm(n)], atol=1e-5)


@exercise.wrong("inverse-permutation", "permuted twice")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p])[p], f(x), atol=1e-5)


@exercise.wrong("too-tight", "torch.equal")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.equal(f(x[p]), f(x)[p])


@exercise.wrong("too-tight", "1e-9")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], rtol=0, atol=1e-9)


@exercise.wrong("too-tight", "1e-7, several")
def _(f, n, d):
    x = torch.randn(n, d)
    return all(torch.allclose(f(x[p]), f(x)[p], rtol=0, atol=1e-7) for p in (torch.randperm(n) for _ in range(5)))


@exercise.wrong("too-loose", "1")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1.0)


@exercise.wrong("too-loose", "0.1")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=0.1)


@exercise.wrong("too-loose", "mean difference")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return (f(x[p]) - f(x)[p]).abs().mean().item() < 0.1


@exercise.wrong("compares-sums", "over the rows")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).sum(0), f(x).sum(0), atol=1e-4)


@exercise.wrong("compares-sums", "the mean")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).mean(), f(x)[p].mean(), atol=1e-4)


@exercise.wrong("compares-sums", "the norm")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).norm(), f(x)[p].norm(), atol=1e-4)


@exercise.wrong("compares-sums", "the mean difference with its sign")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return abs((f(x[p]) - f(x)[p]).mean().item()) < 1e-4


@exercise.wrong("compares-sums", "sorted columns")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).sort(dim=0).values, f(x).sort(dim=0).values, atol=1e-5)


@exercise.wrong("compares-sums", "sorted numbers")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).flatten().sort().values, f(x).flatten().sort().values, atol=1e-5)


@exercise.wrong("only-shifts", "by 1")
def _(f, n, d):
    x = torch.randn(n, d)
    return torch.allclose(f(x.roll(1, 0)), f(x).roll(1, 0), atol=1e-5)


@exercise.wrong("only-shifts", "all")
def _(f, n, d):
    x = torch.randn(n, d)
    return all(torch.allclose(f(torch.roll(x, s, 0)), torch.roll(f(x), s, 0), atol=1e-5) for s in range(n))


@exercise.wrong("only-reversal")
def _(f, n, d):
    x = torch.randn(n, d)
    return torch.allclose(f(x.flip(0)), f(x).flip(0), atol=1e-5)


@exercise.wrong("only-one-swap", "the first two")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.arange(n)
    p[0], p[1] = 1, 0
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("permutes-columns")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(d)
    return torch.allclose(f(x[:, p]), f(x)[:, p], atol=1e-5)


@exercise.wrong("constant-input", "ones")
def _(f, n, d):
    x = torch.ones(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("constant-input", "zeros")
def _(f, n, d):
    x = torch.zeros(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("constant-input", "one row repeated")
def _(f, n, d):
    x = torch.randn(1, d).repeat(n, 1)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("wrong-input", "axes exchanged")
def _(f, n, d):
    x = torch.randn(d, n)
    p = torch.randperm(n)
    return torch.allclose(f(x[:, p]), f(x)[:, p], atol=1e-5)


@exercise.wrong("wrong-input", "a batch axis")
def _(f, n, d):
    x = torch.randn(1, n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[:, p]), f(x)[:, p], atol=1e-5)


@exercise.wrong("answer-turned")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return not torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("returns-nothing")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("ready-made", "the library's own")
def _(f, n, d):
    import allyouneed.attention
    return allyouneed.attention.is_permutation_equivariant(f, n, d)


@exercise.wrong("timeout")
def _(f, n, d):
    while True:
        pass
