"""orthogonal_share: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "orthogonal_share",
    points={"a share of pairs": 2, "vectors of any length": 1, "few vectors": 1},
    section="johnson-lindenstrauss",
    any_float=True,
)


def _angles(vectors):
    unit = vectors.double() / vectors.double().norm(dim=1, keepdim=True)
    return torch.rad2deg((unit @ unit.T).clamp(-1, 1).acos())[*torch.triu_indices(len(unit), len(unit), 1)]


def _case(make, n, D, degrees, lengths=True, least=0.2):
    """Vectors with no angle near a bound, some pairs inside and some outside on either side, and a share that
    differs from what the usual slips give."""
    while True:
        vectors = make.randn(n, D, dtype=torch.float64)
        if not lengths:
            vectors = vectors / vectors.norm(dim=1, keepdim=True)
        else:
            vectors = vectors * (make.randn(n, 1, dtype=torch.float64) * 0.8).exp()
        off = _angles(vectors) - 90
        inside = int((off.abs() <= degrees).sum())
        above, below = int((off > degrees).sum()), int((off < -degrees).sum())
        if n == 2:
            if (off.abs() - degrees).abs().min() > 1:
                return vectors
            continue
        pairs = n * (n - 1) // 2
        upper = int(((off >= 0) & (off <= degrees)).sum())
        if (
            (off.abs() - degrees).abs().min() > least / n
            and min(inside, above, below) > 0
            and len({inside, above + below, above, below, upper, inside - upper, pairs}) == 7
            and above + inside != pairs - above
        ):
            return vectors


@exercise.probes
def probes(make):
    def probe(name, vectors, degrees, group, dtype=torch.float32, **marks):
        return make.probe(name, vectors.to(dtype), degrees, group=group, **marks)

    group = "a share of pairs"
    yield probe("seven unit vectors", _case(make, 7, make.pick(3, 4, 5), 20.0, lengths=False), 20.0, group)
    yield probe("nine unit vectors", _case(make, 9, make.pick(4, 3, 6), 15.0, lengths=False), 15.0, group)
    yield probe("more directions than dimensions", _case(make, make.pick(12, 14, 11), 3, 25.0, lengths=False),
                25.0,
                group)
    yield probe("as many vectors as dimensions", _case(make, *make.pick((8, 8), (7, 7), (9, 9)), 12.0,
                                                       lengths=False), 12.0, group)
    group = "vectors of any length"
    yield probe("eight vectors of other lengths", _case(make, 8, make.pick(3, 5, 4), 18.0), 18.0, group)
    yield probe("a wide band", _case(make, make.pick(11, 10, 12), 3, 40.0), 40.0, group)
    yield probe("float64", _case(make, 10, make.pick(4, 5, 3), 10.0), 10.0, group, dtype=torch.float64)
    yield probe("an int for the degrees", _case(make, 9, 4, 30), 30, group, edge=True)
    yield probe("not contiguous", _case(make, 8, 5, 20.0), 20.0, group, edge=True, strided=True)
    ways = torch.deg2rad(torch.tensor([0.0, 60.0, make.pick(145.0, 147.0, 143.0)], dtype=torch.float64))
    short = torch.stack([ways.cos(), ways.sin()], dim=1) * torch.tensor([[2.0], [1.0], [3.0]]) * 1e-6
    yield probe("three vectors of a few millionths", short, 20.0, group, edge=True)
    yield probe("100 vectors", _case(make, 100, make.pick(12, 10, 14), 9.0, least=0.02), 9.0, group,
                edge=True, long=True)
    group = "few vectors"
    turned = math.radians(make.pick(80.0, 79.0, 81.0))
    near = torch.tensor([[2.0, 0.0], [math.cos(turned), math.sin(turned)]], dtype=torch.float64)
    yield probe("two vectors, inside", near, 15.0, group, edge=True)
    yield probe("two vectors, outside", near, 5.0, group, edge=True)
    axes = torch.eye(make.pick(4, 3, 5), dtype=torch.float64)
    yield probe("axes", axes * 3, 1.0, group, edge=True)
    yield probe("axes, each twice", torch.cat([axes, axes * 0.3]), 1.0, group, edge=True)
    yield probe("axes and their opposites", torch.cat([axes, -axes]), 2.0, group, edge=True)
    ways = torch.tensor([[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0], [1.0, -1.0, 0.0]], dtype=torch.float64)
    yield probe("opposite vectors whose cosine is rounded to less than -1",
                ways[make.pick([0, 1, 2], [0, 1, 2, 0], [0, 1, 0, 1, 2])], 3.0, group, dtype=torch.float64,
                edge=True)
    line = torch.tensor([[1.0], [-2.0], [0.5]], dtype=torch.float64)
    yield probe("one dimension", line, 30.0, group, edge=True)
    ways = torch.deg2rad(torch.tensor([0.0, make.pick(77.5, 78.4, 76.5), 150.0], dtype=torch.float64))
    yield probe("a fraction of a degree decides", torch.stack([ways.cos(), ways.sin()], dim=1) * make.pick(1.0, 2.0, 0.5),
                make.pick(12.8, 11.9, 13.7), "a share of pairs", edge=True)


@exercise.right
def reference(vectors, degrees):
    n = len(vectors)
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    cosines = (unit @ unit.T).clamp(-1, 1)
    angles = torch.rad2deg(torch.acos(cosines))
    near = (angles - 90).abs() <= degrees
    return near.triu(1).sum().item() / (n * (n - 1) / 2)


@exercise.right("by the sine of the band, all pairs but the diagonal")
def sine(vectors, degrees):
    unit = F.normalize(vectors, dim=1)
    fits = (unit @ unit.T).abs() < math.sin(math.radians(degrees))
    fits.fill_diagonal_(False)
    n = fits.shape[0]
    return float(fits.sum()) / (n * (n - 1))


@exercise.right("a loop over pairs")
def loop(vectors, degrees):
    inside, total = 0, 0
    for i in range(len(vectors)):
        for j in range(i):
            a, b = vectors[i], vectors[j]
            cosine = a @ b / (a.norm() * b.norm())
            angle = math.degrees(math.acos(min(1.0, max(-1.0, float(cosine)))))
            if 90 - degrees <= angle <= 90 + degrees:
                inside += 1
            total += 1
    return inside / total


@exercise.right("the pairs picked out, their mean")
def picked(vectors, degrees):
    rows, columns = torch.triu_indices(len(vectors), len(vectors), 1)
    cosines = F.cosine_similarity(vectors[rows], vectors[columns], dim=1)
    off = torch.asin(cosines.clamp(-1, 1)).abs()
    return (off <= math.radians(degrees)).double().mean()


exercise.also_right(
    full("import itertools\n"
         "limit = math.cos(math.radians(90 - degrees))\n"
         "found = [abs(F.cosine_similarity(a, b, dim=0)) <= limit for a, b in "
         "itertools.combinations(vectors, 2)]\n"
         "return sum(map(bool, found)) / len(found)", "combinations"),
    edit(reference, {"(angles - 90).abs() <= degrees": "(angles >= 90 - degrees) & (angles <= 90 + degrees)",
                     ".triu(1)": ".tril(-1)"}, "two bounds, lower triangle"))

SECTION = "johnson-lindenstrauss"

exercise.mistake("counted-twice", SECTION,
    "Each pair is counted twice, (i, j) and (j, i), but divided by n(n − 1)/2. Count each pair once, or "
    "divide by n(n − 1).",
    edit(sine, {"(n * (n - 1))": "(n * (n - 1) / 2)"}),
    edit(reference, {".triu(1)": ""}, "the whole matrix"))

exercise.mistake("counted-half", SECTION,
    "Each pair is counted once, but divided by n(n − 1): the share is half of what it should be. There are "
    "n(n − 1)/2 pairs.",
    edit(reference, {" / 2)": ")"}))

exercise.mistake("self-pairs", SECTION,
    "A vector is paired with itself. Its angle with itself is 0, and it is no pair: leave the diagonal out, "
    "above and below the line.",
    edit(reference, {"near.triu(1).sum().item() / (n * (n - 1) / 2)": "near.float().mean().item()"},
         "the mean of all"),
    edit(reference, {".triu(1)": ".triu()", "(n * (n - 1) / 2)": "(n * (n + 1) / 2)"}, "half of the matrix"),
    edit(reference, {"(n * (n - 1) / 2)": "(n * n / 2)"}, "counted below the line only"),
    edit(loop, {"range(i)": "range(i + 1)"}, "in the loop"))

exercise.mistake("zeros-of-triangle", SECTION,
    "The entries that a triangle has set to zero or False are counted as well, so the number of pairs below "
    "the line is n², not n(n − 1)/2.",
    edit(reference, {"near.triu(1).sum().item() / (n * (n - 1) / 2)": "near.triu(1).float().mean().item()"},
         "the mean of a triangle"),
    edit(reference, {"torch.rad2deg(torch.acos(cosines))": "torch.rad2deg(torch.acos(cosines.triu(1)))",
                     "near.triu(1).sum().item() / (n * (n - 1) / 2)": "near.float().mean().item()"},
         "cosine 0 counts as a right angle"),
    edit(reference, {"torch.rad2deg(torch.acos(cosines))": "torch.rad2deg(torch.acos(cosines.triu(1)))",
                     ".triu(1).sum()": ".sum()"}, "cosine 0 counts, and is divided by the pairs"))

exercise.mistake("cosine-for-angle", SECTION,
    "The cosine is taken for the angle: a cosine is no number of degrees. Turn it into an angle with the "
    "inverse cosine, or the bounds into cosines.",
    edit(reference, {"(angles - 90).abs() <= degrees": "cosines.abs() <= degrees / 90"},
         "as if it fell evenly"),
    edit(reference, {"torch.rad2deg(torch.acos(cosines))": "90 - 90 * cosines"}, "90 times"),
    edit(sine, {"math.sin(math.radians(degrees))": "math.radians(degrees)"}, "the band in radians"),
    edit(sine, {"math.sin(math.radians(degrees))": "degrees / 180"}, "of 180"),
    edit(sine, {"math.sin(math.radians(degrees))": "degrees / 100"}, "as percent"))

exercise.mistake("radians", SECTION,
    "Degrees and radians are mixed: sin and cos of torch and of math count in radians. Convert the degrees "
    "first.",
    edit(sine, {"math.sin(math.radians(degrees))": "math.sin(degrees)"}, "sine of degrees"),
    edit(sine, {"math.sin(math.radians(degrees))": "abs(math.cos(90 - degrees))"}, "cosine of degrees"))

exercise.mistake("degrees-cut", SECTION,
    "The degrees are cut or rounded to a whole number. Keep the fraction.",
    edit(reference, {"<= degrees": "<= int(degrees)"}),
    edit(loop, {"90 - degrees": "90 - int(degrees)", "90 + degrees": "90 + int(degrees)"}, "in a loop"))

exercise.mistake("all-or-nothing", SECTION,
    "No pair counts, or every pair does, whatever the vectors are. Do you compare cosines or radians (acos "
    "gives radians, a right angle is π/2 there) with degrees, or ask for one bound or the other?",
    edit(reference, {"torch.rad2deg(torch.acos(cosines))": "torch.acos(cosines)"}, "acos beside 90"),
    edit(reference, {"torch.rad2deg(torch.acos(cosines))": "torch.acos(cosines)", "90": "math.pi / 2"},
         "π/2, and degrees"),
    edit(reference, {"rad2deg": "deg2rad"}, "deg2rad"),
    edit(reference, {"torch.rad2deg(torch.acos(cosines))": "cosines"}, "cosine − 90"),
    edit(sine, {"math.sin(math.radians(degrees))": "degrees"}, "cosines compared with degrees"),
    edit(reference, {"(angles - 90).abs() <= degrees": "(angles >= 90 - degrees) | (angles <= 90 + degrees)"},
         "or for and"))

exercise.mistake("sine-and-cosine", SECTION,
    "The bound on the cosine is that of another angle. The cosine of 90° ± degrees is ∓ the sine of degrees.",
    edit(sine, {"math.sin": "math.cos"}),
    edit(sine, {"math.sin(math.radians(degrees))": "1 - math.cos(math.radians(degrees))"},
         "1 minus the cosine"))

exercise.mistake("not-normalized", "cosine-similarity",
    "The vectors are not brought to length 1, so dot products stand for cosines. Divide each by its own "
    "length.",
    edit(reference, {"vectors / vectors.norm(dim=1, keepdim=True)": "vectors"}),
    edit(sine, {"F.normalize(vectors, dim=1)": "vectors"}, "beside the sine"),
    edit(loop, {"a @ b / (a.norm() * b.norm())": "a @ b"}, "in the loop"))

exercise.mistake("one-length", "cosine-similarity",
    "All vectors are divided by one length, or by one of the two. The cosine needs the length of each of the "
    "two.",
    edit(reference, {"vectors.norm(dim=1, keepdim=True)": "vectors.norm()"}, "of the whole matrix"),
    edit(reference, {"vectors.norm(dim=1, keepdim=True)": "vectors.norm(dim=1).max()"}, "the longest"),
    edit(loop, {"(a.norm() * b.norm())": "a.norm()"}, "one of the two"),
    edit(loop, {"(a.norm() * b.norm())": "(a.norm() + b.norm())"}, "the sum"))

exercise.mistake("length-made-larger", "cosine-similarity",
    "A small number is added to the lengths or to their product, or bounds them from below, and the cosines "
    "of short vectors come out too small. No vector has the length 0: divide by the length as it is.",
    edit(loop, {"(a.norm() * b.norm())": "(a.norm() * b.norm() + 1e-6)"}),
    edit(reference, {"vectors.norm(dim=1, keepdim=True)": "(vectors.norm(dim=1, keepdim=True) + 1e-6)"},
         "each length"))

exercise.mistake("nan-counted", "cosine-similarity",
    "The inverse cosine of a number that rounding has put beyond 1 or −1 is NaN, and NaN is outside of no "
    "bound, so such a pair counts as inside. Clamp the cosines to −1 and 1 first.",
    edit(reference, {".clamp(-1, 1)": "",
                     "(angles - 90).abs() <= degrees": "~((angles - 90).abs() > degrees)"}))

exercise.mistake("columns", "cosine-similarity",
    "The columns are compared, or the lengths are those of columns. Each row is a vector.",
    edit(sine, {"F.normalize(vectors, dim=1)": "F.normalize(vectors.T, dim=1)"}, "angles between columns"),
    edit(sine, {"dim=1": "dim=0"}, "lengths of columns"),
    edit(reference, {"dim=1": "dim=0"}, "lengths of columns, divided"))

exercise.mistake("one-side", SECTION,
    "One side of the right angle only is counted. Within 90 ± degrees means from 90 − degrees to 90 + "
    "degrees.",
    edit(reference, {"(angles - 90).abs() <= degrees": "(angles >= 90 - degrees) & (angles <= 90)"},
         "below 90"),
    edit(reference, {"(angles - 90).abs() <= degrees": "(angles >= 90) & (angles <= 90 + degrees)"},
         "above 90"))

exercise.mistake("open-end", SECTION,
    "One bound is missing, so all wide or all narrow angles count. Within 90 ± degrees means from 90 − "
    "degrees to 90 + degrees: both must hold, also for angles above 90°.",
    edit(reference, {"(angles - 90).abs() <= degrees": "angles >= 90 - degrees"}, "no upper bound"),
    edit(reference, {"(angles - 90).abs() <= degrees": "angles <= 90 + degrees"}, "no lower bound"),
    edit(sine, {".abs()": ""}, "abs missing"))

exercise.mistake("outside", SECTION,
    "The pairs outside of the band are counted. Count those within 90 ± degrees.",
    edit(reference, {"<=": ">"}),
    edit(sine, {"<": ">="}, "by the sine"))

exercise.mistake("near-parallel", SECTION,
    "The pairs that point nearly the same way are counted. A right angle is 90°, where the cosine is 0: "
    "compare the angle minus 90.",
    edit(reference, {"(angles - 90).abs()": "angles"}),
    edit(reference, {"acos": "asin"}, "the inverse sine, minus 90"),
    edit(reference, {"(angles - 90).abs()": "torch.minimum(angles, 180 - angles)"}, "or opposite ways"))

exercise.mistake("half-band", SECTION,
    "The band has another width: 90 ± degrees reaches from 90 − degrees to 90 + degrees.",
    edit(reference, {"<= degrees": "<= degrees / 2"}, "half"),
    edit(reference, {"<= degrees": "<= 2 * degrees"}, "double"))

exercise.mistake("not-a-share", SECTION,
    "The number of pairs comes back, or a percentage. Return a share between 0 and 1: divide by the n(n − "
    "1)/2 pairs.",
    edit(reference, {" / (n * (n - 1) / 2)": ""}, "the number"),
    edit(reference, {"near.triu(1).sum().item()": "100 * near.triu(1).sum().item()"}, "percent"))

exercise.mistake("neighbours-only", SECTION,
    "Only some pairs are compared, such as each vector with the next, or with the first. Compare every two "
    "different vectors.",
    edit(picked, {"rows, columns = torch.triu_indices(len(vectors), len(vectors), 1)":
                  "rows, columns = torch.arange(len(vectors) - 1), torch.arange(1, len(vectors))"},
                  "the next"),
    edit(picked, {"rows, columns = torch.triu_indices(len(vectors), len(vectors), 1)":
                  "rows, columns = torch.zeros(len(vectors) - 1).long(), torch.arange(1, len(vectors))"},
                  "the first"))

exercise.mistake("for-each-vector", SECTION,
    "A number for each vector or each pair comes back. Return one share for all pairs.",
    edit(reference, {"near.triu(1).sum().item() / (n * (n - 1) / 2)": "near.float().mean(dim=1)"},
         "for each vector"),
    edit(reference, {"near.triu(1).sum().item() / (n * (n - 1) / 2)": "near"}, "the table"))

exercise.built_in("changes-input",
    edit(reference, {"unit = vectors / vectors.norm(dim=1, keepdim=True)":
                     "vectors /= vectors.norm(dim=1, keepdim=True)\nunit = vectors"}))

exercise.built_in("returns-nothing",
    edit(reference, {"return near": "near"}))

exercise.equal("where a cosine is rounded to more than 1 or less than -1, its angle NaN is in no band", {
    ".clamp(-1, 1)": ("", ".clamp(-2, 1)", ".clamp(-1, 2)")})
exercise.equal("no angle at a bound is asked for, where rounding would decide", {
    "<= degrees": "< degrees", "abs() < math": "abs() <= math", "degrees <= angle": "degrees < angle",
    "angle <= 90": "angle < 90", "off <=": "off <", "<= limit": "< limit", "angles >=": "angles >",
    "angles <=": "angles <"})
exercise.equal("the angle of a vector with itself is 0, outside of every band", {
    ".triu(1)": ".triu(0)", ".tril(-1)": ".tril(0)", "fits.fill_diagonal_(False)": ("pass", "fits")})
exercise.equal("a number may come back in a tensor, and math takes it from one", {
    ".item()": "", "float(": ""})
exercise.equal("the table of all pairs is square, and the second axis is meant where none is given", {
    "fits.shape[0]": ("fits.shape[1]", "fits.shape[-1]"), ", dim=1": ""})
exercise.equal("a cosine, a distance from 90, a larger and a smaller number have no order", {
    "a @ b": "b @ a", "vectors[rows], vectors[columns]": "vectors[columns], vectors[rows]",
    "a, b, dim=0": "b, a, dim=0", "angles - 90": "90 - angles", "-1.0, float(cosine)": "float(cosine), -1.0",
    "1.0, max(-1.0, float(cosine))": "max(-1.0, float(cosine)), 1.0"})
exercise.equal("the cosine of an angle is that of its negative", {
    "cos(math": "cos(-math", "radians(90 - degrees)": "radians(degrees - 90)"})
