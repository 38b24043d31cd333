"""relative_bucket: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "relative_bucket",
    points={"both directions": 3, "other shapes, buckets and reaches": 1},
    section="buckets-by-rule",
    forbid=("relative_buckets", "RelativeBias", "_relative_position_bucket"),
)


def clear(distance, n_buckets, max_distance):
    """Distances whose place on the logarithmic scale is no whole number, so that rounding does not decide."""
    side, far = n_buckets // 2, distance.abs()
    exact = side // 2
    place = torch.log(far.clamp(min=1).double() / exact) / math.log(max_distance / exact) * (side - exact)
    sure = ((place - place.round()).abs() > 1e-4) | (far <= exact) | (far >= max_distance)
    return distance[sure]


@exercise.probes
def probes(make):
    def probe(name, distance, n_buckets, max_distance, group="both directions", shape=None, **marks):
        distance = clear(distance, n_buckets, max_distance)
        if shape:
            distance = distance[: math.prod(shape)].reshape(shape)
        return make.probe(name, distance, n_buckets, max_distance, group=group, **marks)

    yield probe("near ones, both directions", torch.arange(-3, 4), 16, 40)
    yield probe("keys further left", -torch.arange(0, make.pick(30, 34, 38)),
                *make.pick((16, 25), (20, 29), (12, 31)))
    yield probe("keys further right", torch.arange(0, make.pick(30, 34, 38)),
                *make.pick((16, 25), (20, 29), (12, 31)))
    yield probe("as in T5", torch.arange(-150, 151, make.pick(3, 7, 5)), 32, 128)
    yield probe("mixed", make.randint(-60, 61, (40,)), *make.pick((24, 50), (20, 45), (28, 55)))
    yield probe("far beyond the reach", torch.tensor([-10_000, -500, -131, 131, 500, 10_000]), 32,
                make.pick(128, 100, 120))
    group = "other shapes, buckets and reaches"
    places = torch.arange(9)
    yield probe("a table of queries and keys", (places[None] - places[:, None]).flatten(),
                *make.pick((8, 7), (8, 11),
                (12, 7)), group=group, shape=make.pick((4, 7), (5, 6), (7, 4)))
    yield probe("one exact bucket a side", torch.arange(-12, 13), 4, make.pick(7, 9, 11), group=group,
                edge=True)
    yield probe("the first shared bucket holds one distance", torch.arange(-make.pick(6, 7, 5), 7), 6, 3,
                group=group, edge=True)
    yield probe("an odd number of buckets a side", torch.arange(-40, 41),
                *make.pick((14, 30), (22, 35), (18, 33)),
                group=group, edge=True)
    yield probe("a short reach", torch.arange(-20, 21), *make.pick((24, 7), (32, 11), (28, 9)), group=group,
                edge=True)
    yield probe("three axes", make.randint(-90, 91, (60,)), 32, 64, group=group, shape=(2, 3, 4), edge=True)
    yield make.probe("one number", torch.tensor(make.pick(-45, 37, -51)), 32, 128, group=group, edge=True)
    yield probe("a long line", torch.arange(-300, 301), 32, 128, group=group, long=True)


@exercise.right
def reference(distance, n_buckets, max_distance):
    side = n_buckets // 2
    exact = side // 2
    far = distance.abs()
    place = torch.log(far.clamp(min=1) / exact) / math.log(max_distance / exact)
    shared = exact + (place * (side - exact)).long()
    shared = shared.clamp(max=side - 1)
    bucket = torch.where(far < exact, far, shared)
    return bucket + side * (distance > 0)


@exercise.right("number by number")
def number_by_number(distance, n_buckets, max_distance):
    side = n_buckets // 2
    exact = side // 2

    def one(d):
        n = abs(d)
        if n < exact:
            bucket = n
        else:
            bucket = exact + int(math.log(n / exact) / math.log(max_distance / exact) * (side - exact))
            bucket = min(bucket, side - 1)
        return bucket + side if d > 0 else bucket

    return torch.tensor([one(d) for d in distance.flatten().tolist()],
                        dtype=torch.int64).reshape(distance.shape)


@exercise.right("T5's own order of steps")
def as_t5(distance, n_buckets, max_distance):
    n_buckets //= 2
    buckets = (distance > 0).to(torch.long) * n_buckets
    n = torch.abs(distance)
    max_exact = n_buckets // 2
    is_small = n < max_exact
    large = max_exact + (torch.log(n.float() / max_exact) / math.log(max_distance / max_exact)
                         * (n_buckets - max_exact)).to(torch.long)
    large = torch.min(large, torch.full_like(large, n_buckets - 1))
    return buckets + torch.where(is_small, n, large)


@exercise.right("counting where buckets begin")
def counting(distance, n_buckets, max_distance):
    side = n_buckets // 2
    exact = side // 2
    n = side - exact
    begins = [exact * (max_distance / exact) ** (i / n) for i in range(1, n)]
    far = distance.abs()
    bucket = far.clamp(max=exact)
    for begin in begins:
        bucket = bucket + (far >= begin)
    return bucket + side * (distance > 0)


@exercise.right("looked up between the beginnings")
def looked_up(distance, n_buckets, max_distance):
    side = n_buckets // 2
    exact = side // 2
    n = side - exact
    begins = [float(i) for i in range(1, exact + 1)]
    begins += [exact * (max_distance / exact) ** (i / n) for i in range(1, n)]
    bucket = torch.bucketize(distance.abs(), torch.tensor(begins), right=True)
    return bucket + side * (distance > 0)


exercise.also_right(
    edit(looked_up, {"torch.bucketize(distance.abs(), torch.tensor(begins), right=True)":
                     "torch.searchsorted(torch.tensor(begins), distance.abs().float(), side='right')"},
         "searched"),
    edit(reference, {"bucket = torch.where(far < exact, far, shared)": "bucket = shared.clone()\n"
                     "bucket[far < exact] = far[far < exact]"}, "written into places"),
    edit(reference, {"(place * (side - exact)).long()": "torch.floor(place * (side - exact)).to(torch.int64)",
                     "math.log(max_distance / exact)": "(math.log(max_distance) - math.log(exact))"},
         "floor"))


exercise.mistake("directions-exchanged", "buckets-by-rule",
    "The halves are exchanged: keys further left, negative distances, have the first half of the buckets, "
    "keys further right the second.",
    edit(reference, {"(distance > 0)": "(distance < 0)"}),
    edit(number_by_number, {"if d > 0": "if d < 0"}, "number by number"),
    edit(reference, {"side * (distance > 0)": "side * (distance <= 0)"}, "0 too"))

exercise.mistake("zero-to-the-right", "buckets-by-rule",
    "The distance 0 gets the first bucket of the second half. A token's own place is bucket 0.",
    edit(reference, {"(distance > 0)": "(distance >= 0)"}),
    edit(as_t5, {"(distance > 0)": "(distance >= 0)"}, "T5's steps"))

exercise.mistake("one-direction", "buckets-by-rule",
    "Both directions share their buckets, or one of them gets bucket 0 throughout. Half of the buckets are "
    "for keys further left, half for keys further right.",
    edit(reference, {" + side * (distance > 0)": ""}),
    edit(reference, {"n_buckets // 2": "n_buckets", " + side * (distance > 0)": ""}, "all buckets for both"),
    edit(reference, {"n_buckets // 2": "n_buckets", "distance.abs()": "(-distance).clamp(min=0)",
                     " + side * (distance > 0)": ""}, "left alone"))

exercise.mistake("buckets-not-halved", "buckets-by-rule",
    "Each direction has all n_buckets for itself, so that there are twice as many. Half of them are for "
    "each direction.",
    edit(reference, {"n_buckets // 2": "n_buckets"}),
    edit(as_t5, {"n_buckets //= 2": ""}, "T5's steps"))

exercise.mistake("logarithm-from-0", "buckets-by-rule",
    "The logarithmic scale does not begin where the exact buckets end, or does not end at max_distance. At "
    "the distance n/2 (n buckets a side) it is 0, at max_distance 1: both distances are divided by n/2 "
    "before the logarithm.",
    edit(reference, {"min=1) / exact)": "min=1))", "log(max_distance / exact)": "log(max_distance)"}),
    edit(reference, {"min=1) / exact)": "min=1))"}, "the distance alone"),
    edit(reference, {"log(max_distance / exact)": "log(max_distance)"}, "the reach alone"),
    edit(reference, {"far.clamp(min=1) / exact": "(far - exact + 1).clamp(min=1)"}, "the difference"),
    edit(reference, {"far.clamp(min=1) / exact": "1 + far / exact"}, "1 added"),
    edit(reference, {"log(max_distance / exact)": "log(max_distance / side)"}, "the reach by n"))

exercise.mistake("last-bucket-lost", "buckets-by-rule",
    "Far distances are shared out over too few buckets. Of the n buckets of a direction n/2 are for them, "
    "and all distances from max_distance on share bucket n − 1.",
    edit(reference, {"max=side - 1": "max=side - 2"}),
    edit(reference, {"(side - exact)": "(side - 1 - exact)"}, "a shorter scale"),
    edit(as_t5, {"torch.full_like(large, n_buckets - 1)": "torch.full_like(large, n_buckets - 2)"},
         "T5's steps"))

exercise.mistake("no-last-bucket", "buckets-by-rule",
    "Far distances run beyond the last bucket of their direction, into those of the other or to numbers "
    "that no bucket has. Limit each direction to its last bucket.",
    edit(reference, {"shared = shared.clamp(max=side - 1)": ""}),
    edit(reference, {"max=side - 1": "max=side"}, "one too many"),
    edit(reference, {"shared = shared.clamp(max=side - 1)":
                     "shared = torch.where(far > max_distance, side - 1, shared)"}, "at max_distance itself"),
    edit(reference, {"shared = shared.clamp(max=side - 1)": "", "return bucket + side * (distance > 0)":
                     "return (bucket + side * (distance > 0)).clamp(max=n_buckets - 1)"},
         "limited after both halves"),
    edit(reference, {"max=side - 1": "max=n_buckets - 1"}, "the last of all"))

exercise.mistake("rounded", "buckets-by-rule",
    "Places on the logarithmic scale are rounded to the nearest bucket, or up. Round down: a bucket begins "
    "at its whole number.",
    edit(reference, {"(place * (side - exact)).long()": "(place * (side - exact)).round().long()"}),
    edit(reference, {"(place * (side - exact)).long()": "(place * (side - exact)).ceil().long()"}, "up"),
    edit(number_by_number, {"int(math": "round(math"}, "number by number"))

exercise.mistake("another-scale", "buckets-by-rule",
    "Far distances share buckets of equal width, or on another scale. Their ranges grow in proportion to "
    "the distance: the logarithm goes evenly from the last exact bucket to max_distance.",
    edit(reference, {"torch.log(far.clamp(min=1) / exact) / math.log(max_distance / exact)":
                     "(far - exact) / (max_distance - exact)"}, "equal widths"),
    edit(reference, {"torch.log(far": "torch.log2(far"}, "two logarithms"),
    edit(reference, {"torch.log(far": "torch.log10(far"}, "decimal and natural"),
    edit(reference, {" / math.log(max_distance / exact)": ""}, "the reach left out"))

exercise.mistake("scale-too-wide", "buckets-by-rule",
    "The logarithmic scale begins behind the exact buckets and is as wide as all buckets of a direction, so "
    "it runs past their end. It has only those that are left, n minus the exact ones.",
    edit(reference, {"(side - exact)": "side"}),
    edit(reference, {"exact + (place * (side - exact))": "(place * side)"}, "from bucket 0"))

exercise.mistake("as-many-shared-as-exact", "buckets-by-rule",
    "The logarithmic scale has as many buckets as are exact. Where a direction has an odd number of buckets, "
    "one more is left: n minus the exact ones.",
    edit(reference, {"(side - exact)": "exact"}),
    edit(as_t5, {"(n_buckets - max_exact)": "max_exact"}, "T5's steps"))

exercise.mistake("begins-one-later", "buckets-by-rule",
    "The distance at which a bucket begins gets the bucket before it: 1 shares the bucket of 0. A bucket "
    "holds the distance at which it begins.",
    edit(looked_up, {", right=True": ""}),
    edit(counting, {"begins = [": "begins = [*range(1, exact + 1), *(", "for i in range(1, n)]":
                    "for i in range(1, n))]", "far.clamp(max=exact)": "0 * far", "(far >= begin)":
                    "(far > begin)"}, "counted"))

exercise.mistake("exact-not-added", "buckets-by-rule",
    "The shared buckets begin at number 0 again, and mix with the exact ones. They come behind them: the "
    "first shared bucket is number n/2.",
    edit(reference, {"exact + (place * (side - exact))": "(place * (side - exact))"}),
    edit(as_t5, {"large = max_exact + (": "large = ("}, "T5's steps"))

exercise.mistake("halves-not-at-n", "buckets-by-rule",
    "The half for keys further right does not begin at bucket n, or the other half counts backwards. Both "
    "count from near to far: bucket n plus what the same distance to the left would get.",
    edit(reference, {"+ side * (distance": "+ (side - 1) * (distance"}),
    edit(reference, {"+ side * (distance": "+ (side + 1) * (distance"}, "one too many"),
    edit(reference, {"return bucket + side * (distance > 0)":
                     "return torch.where(distance > 0, side + bucket, side - 1 - bucket)"}, "mirrored"))

exercise.mistake("right-counted-from-0", "buckets-by-rule",
    "Keys further right are counted from 0, so that distance 1 gets bucket n. It gets bucket n + 1, as to the "
    "left it gets bucket 1; bucket n stays empty.",
    edit(reference, {"far = distance.abs()": "far = torch.where(distance > 0, distance - 1, -distance)"}))

exercise.mistake("exact-buckets", "buckets-by-rule",
    "There are too many or too few exact buckets. In each direction, half of its buckets are exact: the "
    "distances 0 to n/2 − 1.",
    edit(reference, {"exact = side // 2": "exact = side // 4 + 1"}, "fewer"),
    edit(reference, {"far < exact": "far < exact - 1"}, "one fewer"),
    edit(reference, {"far < exact": "far < side"}, "up to n"),
    edit(reference, {"exact = side // 2": "exact = (side + 1) // 2"}, "rounded up"),
    edit(reference, {"far < exact": "far <= exact", "exact + (place * (side - exact))":
                     "exact + 1 + (place * (side - exact - 1))"}, "one more"))

exercise.mistake("nothing-exact", "buckets-by-rule",
    "Near distances are on the logarithmic scale, too. Below n/2 each distance has a bucket of its own.",
    edit(reference, {"torch.where(far < exact, far, shared)": "shared.clamp(min=0)"}),
    edit(reference, {"torch.where(far < exact, far, shared)": "shared"}, "negative ones"))

exercise.mistake("nothing-shared", "buckets-by-rule",
    "Every distance has a bucket of its own until there are none left. Only the first n/2 of a direction "
    "are exact, the others share on a logarithmic scale.",
    edit(reference, {"torch.where(far < exact, far, shared)": "far.clamp(max=side - 1)"}),
    edit(reference, {"exact = side // 2": "exact = side - 1"}, "nearly all exact"),
    edit(reference, {"torch.where(far < exact, far, shared)": "far"}, "no end"))

exercise.mistake("sign-kept", "buckets-by-rule",
    "Negative distances give negative numbers, or an error. How far away a key is has no sign; the "
    "direction chooses the half.",
    edit(reference, {"distance.abs()": "distance"}),
    edit(number_by_number, {"abs(d)": "d"}, "number by number"))

exercise.mistake("not-whole", "buckets-by-rule",
    "Buckets come as floats, or not rounded. They are row numbers of a table: int64.",
    edit(reference, {".long()": ""}),
    edit(reference,
         {"return bucket + side * (distance > 0)": "return (bucket + side * (distance > 0)).float()"},
         "whole, but floats"))

exercise.mistake("another-shape", "buckets-by-rule",
    "Distances come in any shape: one number, a line, a table. It is wrong for some shapes, or the result "
    "has another shape than they have.",
    edit(number_by_number, {".reshape(distance.shape)": ""}),
    edit(number_by_number, {"one(d) for d in distance.flatten().tolist()": "one(d.item()) for d in distance",
                            ".reshape(distance.shape)": ""}, "a line alone"))

exercise.built_in("returns-nothing", edit(reference, {"return": "bucket ="}))

exercise.built_in("changes-input", edit(as_t5, {"n = torch.abs(distance)": "n = distance.abs_()"}))

exercise.built_in("ready-made", full(
    "from allyouneed import relative_buckets\n"
    "n = min(int(distance.abs().max()), 300) + 1\n"
    "return relative_buckets(n, 2 * n, n_buckets, max_distance)[0, distance.clamp(-n, n)]"))

exercise.equal("the logarithm of the first shared distance is 0", {"far < exact": "far <= exact",
    "n < exact": "n <= exact", "n < max_exact": "n <= max_exact"})

exercise.equal("distances below n/2 have exact buckets, whatever the logarithm says of them", {
    ".clamp(min=1)": "", "min=1": "min=0", "torch.floor": ""})
exercise.equal("n_buckets is even, and a tensor of int64 rounds positive numbers down by itself", {
    "int(math": "(math", "n_buckets // 2": "n_buckets / 2"})
exercise.equal("whole numbers make an int64 tensor, and a logarithm or a search takes them as they are", {
    ", dtype=torch.int64": "", ".tolist()": "", ".to(torch.long)": "", "float(i)": "i", ".float()": ""})
exercise.equal("the smaller of two numbers has no order", {
    "bucket, side - 1": "side - 1, bucket",
    "large, torch.full_like(large, n_buckets - 1)": "torch.full_like(large, n_buckets - 1), large"})
exercise.equal("no distance at which rounding would decide is asked for", {"far >= begin": "far > begin"})
exercise.equal("the logarithmic scale is not read again", {".clone()": ""})
