"""average_gradients: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "average_gradients",
    points={"unequal parts": 2, "empty parts and missing names": 1},
    section="unequal-parts",
    driver="listed_dicts",
)

SHAPES = {"embedding.weight": (5, 3), "layer.weight": (3, 4), "layer.bias": (4,)}


@exercise.probes
def probes(make):
    core, pick = {"group": "unequal parts"}, make.pick
    rest = {"group": "empty parts and missing names", "edge": True}

    def gradients(n, dtype=torch.float32, shapes=SHAPES, scale=1.0):
        return [{name: make.randn(*shape, dtype=dtype, scale=scale) for name, shape in shapes.items()}
                for _ in range(n)]

    first, second = torch.tensor([pick(3.0, 6.0, 9.0), 0.0]), torch.tensor([0.0, pick(6.0, 3.0, 12.0)])
    yield make.probe("parts of 4 and 8", [{"w": first}, {"w": second}], [4, 8], **core)
    yield make.probe("three parts", gradients(3), pick([5, 2, 9], [7, 3, 11], [4, 13, 6]), **core)
    yield make.probe("five parts, float64", gradients(5, torch.float64),
                     pick([7, 1, 4, 12, 3], [2, 9, 5, 1, 13], [8, 3, 17, 2, 5]), **core)
    yield make.probe("large parts", gradients(4, scale=3.0), pick([512, 64, 300, 7], [128, 900, 33, 256],
                                                                  [640, 77, 512, 9]), **core)
    yield make.probe("equal parts", gradients(3), [pick(6, 5, 4)] * 3, edge=True, **core)
    yield make.probe("one part", gradients(1), [pick(3, 4, 5)], edge=True, **core)
    yield make.probe("a single number each", gradients(3, shapes={"bias": (1,), "scale": (1, 1)}),
                     pick([2, 3, 7], [5, 2, 4], [1, 8, 3]), edge=True, **core)
    yield make.probe("sizes in a tensor", gradients(3, torch.float64),
                     torch.tensor(pick([3, 8, 2], [5, 1, 7], [4, 9, 2])), edge=True, **core)

    empty = gradients(3)
    empty[pick(1, 0, 2)] = {name: torch.full(shape, float("nan")) for name, shape in SHAPES.items()}
    yield make.probe("a part without examples", empty, pick([4, 0, 9], [0, 7, 3], [5, 8, 0]), **rest)
    sparse = gradients(3)
    del sparse[0]["layer.bias"], sparse[2]["embedding.weight"]
    yield make.probe("names that not all parts have", sparse, pick([5, 2, 6], [3, 7, 4], [8, 3, 5]), **rest)
    alone = gradients(4, torch.float64)
    for place in (0, 1, 3):
        del alone[place]["layer.weight"]
    yield make.probe("a name of one part alone", alone, pick([3, 5, 2, 7], [6, 1, 4, 3], [2, 9, 5, 4]),
                     **rest)
    none = gradients(2)
    none[0] = {}
    yield make.probe("an empty dict", none, pick([3, 5], [6, 2], [4, 9]), **rest)

    first_empty = gradients(3)
    first_empty[0] = {name: torch.full(shape, float("nan")) for name, shape in SHAPES.items()}
    yield make.probe("a first part without examples", first_empty, pick([0, 4, 9], [0, 7, 3], [0, 5, 8]),
                     **rest)
    own = gradients(3)
    own[1] = {"layer.bias": make.randn(4), "expert.weight": make.randn(2, 3)}
    yield make.probe("a name that only a part without examples has", own,
                     pick([5, 0, 2], [3, 0, 8], [6, 0, 4]), **rest)
    each = gradients(3)
    for part, name in zip(each, pick(*(list(SHAPES)[place:] + list(SHAPES)[:place] for place in range(3)))):
        del part[name]
    yield make.probe("no part has all names", each, pick([4, 7, 3], [2, 9, 5], [8, 3, 6]), **rest)
    broken = gradients(3)
    broken[pick(1, 0, 2)]["layer.weight"][pick(2, 0, 1), pick(1, 3, 2)] = float("nan")
    yield make.probe("NaN in a part with examples", broken, pick([3, 6, 2], [7, 2, 4], [5, 3, 9]), **rest)
    zero = [part | {"layer.weight": torch.zeros(SHAPES["layer.weight"])} for part in gradients(2)]
    yield make.probe("a gradient of zeros", zero, pick([3, 7], [8, 2], [4, 5]), **rest)


@exercise.right
def reference(parts, sizes):
    total, mean = sum(sizes), {}
    for part, size in zip(parts, sizes):
        if size > 0:
            for name, gradient in part.items():
                mean[name] = mean.get(name, 0) + gradient * (size / total)
    return mean


@exercise.right("name by name, sums divided at the end")
def names_first(parts, sizes):
    pairs = [(part, int(size)) for part, size in zip(parts, sizes) if size]
    n = sum(size for _, size in pairs)
    names = {name for part, _ in pairs for name in part}
    result = {}
    for name in names:
        terms = [size * part[name] for part, size in pairs if name in part]
        result[name] = sum(terms) / n
    return result


@exercise.right("torch.stack and tensordot")
def stacked(parts, sizes):
    sizes = torch.as_tensor(sizes)
    parts, sizes = [part for part, size in zip(parts, sizes) if size > 0], sizes[sizes > 0]
    shares = sizes / sizes.sum()
    like = {name: gradient for part in parts for name, gradient in part.items()}
    result = {}
    for name, other in like.items():
        rows = torch.stack([part.get(name, torch.zeros_like(other)) for part in parts])
        result[name] = torch.tensordot(shares.to(rows.dtype), rows, dims=1)
    return result


@exercise.right("a running mean")
def running(parts, sizes):
    seen, mean = 0, {}
    for part, size in zip(parts, sizes):
        size = int(size)
        if size == 0:
            continue
        seen += size
        for name in {**mean, **part}:
            old, new = mean.get(name), part.get(name)
            old = torch.zeros_like(new) if old is None else old
            new = torch.zeros_like(old) if new is None else new
            mean[name] = old + (new - old) * size / seen
    return mean


exercise.also_right(
    full("out, total = {}, float(sum(sizes))\n"
         "for i in range(len(parts)):\n"
         "    if sizes[i] == 0:\n"
         "        continue\n"
         "    for key in parts[i]:\n"
         "        if key not in out:\n"
         "            out[key] = torch.zeros_like(parts[i][key])\n"
         "        out[key] += float(sizes[i]) / total * parts[i][key]\n"
         "return out", "zeros, added to in place"),
    full("sizes = [int(size) for size in sizes]\n"
         "flat = [(name, g, n) for part, n in zip(parts, sizes) if n for name, g in part.items()]\n"
         "return {name: sum(g * n for other, g, n in flat if other == name).div(sum(sizes)) for name, _, _ "
         "in flat}",
         "a flat list"))

TERM = "gradient * (size / total)"

exercise.mistake("plain-mean", "unequal-parts",
    "Each part counts alike, whatever its size. So an example of a small part weighs more than one of a "
    "large part: weigh each part by its share of all examples.",
    edit(reference, {TERM: "gradient / len(parts)"}),
    full("return {name: torch.stack([part[name] for part in parts]).mean(0) for name in parts[0]}",
         "torch's mean"),
    full("names = {name for part in parts for name in part}\n"
         "return {name: sum(p[name] for p in parts if name in p) / sum(name in p for p in parts) for name "
         "in names}",
         "over the parts that have the name"))

exercise.mistake("sum", "unequal-parts",
    "The gradients are added up. Each is that of a mean already: the mean over all weighs them by shares "
    "that sum to 1.",
    edit(reference, {TERM: "gradient"}),
    full("return {name: sum(part[name] for part in parts) for name in parts[0]}", "the first part's names"))

exercise.mistake("not-divided", "unequal-parts",
    "Each gradient is multiplied by its part's size, and the sum is not divided by the number of all "
    "examples. So this is the gradient of the sum of the losses, not of their mean.",
    edit(reference, {"(size / total)": "size"}),
    full("return {name: sum(n * part[name] for part, n in zip(parts, sizes)) for name in parts[0]}",
         "the first part's names"))

exercise.mistake("divided-by-parts", "unequal-parts",
    "The weighted sum is divided by the number of parts. Divide it by the number of all examples.",
    edit(reference, {"size / total": "size / len(parts)"}),
    full("return {name: sum(n * part[name] for part, n in zip(parts, sizes)) / len(parts) for name in "
         "parts[0]}",
         "the first part's names"))

exercise.mistake("divided-twice", "unequal-parts",
    "Something is divided too often: shares that sum to 1 need no further division, and a part's "
    "gradient is that of a mean already, so it must not be divided by the part's size.",
    edit(reference, {"(size / total)": "(size / total) / len(parts)"}, "by the number of parts"),
    edit(reference, {TERM: "gradient / size"}, "by the part's size"),
    edit(reference, {TERM: "gradient / size / len(parts)"}, "by the part's size, and a mean of these"),
    edit(reference, {"size / total": "1 / size / total"}, "by both"))

exercise.mistake("size-missing", "unequal-parts",
    "The gradients are added and divided by the number of all examples, but none is multiplied by the size "
    "of its part. A part's gradient is that of a mean: the size times it is the sum over its examples.",
    edit(reference, {TERM: "gradient / total"}),
    full("return {name: sum(part[name] for part in parts) / sum(sizes) for name in parts[0]}", "the sum"))

exercise.mistake("weights-inverted", "unequal-parts",
    "Small parts weigh more than large ones. A part's weight grows with its size: its share of all "
    "examples.",
    edit(reference, {TERM: "gradient / size / sum(1 / n for n in sizes if n)"}),
    edit(reference, {"size / total": "1 - size / total"}, "one minus the share"),
    edit(reference, {"size / total": "total / size"}, "the share turned round"))

exercise.mistake("another-normalization", "unequal-parts",
    "The weights do not sum to 1 or are not the shares: sizes are divided by the largest, or pass "
    "through a softmax, a square root or a square. Each part's weight is its size divided by the sum of "
    "all sizes.",
    edit(reference, {"sum(sizes)": "max(sizes)"}, "the largest"),
    edit(reference, {"size / total": "float(torch.softmax(torch.as_tensor(sizes).double(), "
                                     "0)[list(sizes).index(size)])"},
         "softmax"),
    edit(reference, {"size / total": "size**2 / sum(n**2 for n in sizes)"}, "squares"),
    edit(reference, {"size / total": "size**0.5 / sum(n**0.5 for n in sizes)"}, "roots"))

exercise.mistake("whole-division", "unequal-parts",
    "The shares are rounded to whole numbers, 0 or 1: // divides ints to an int. Divide with /.",
    edit(reference, {"size / total": "size // total"}))

exercise.mistake("one-part-alone", "unequal-parts",
    "One part's gradient comes back: the first, the last or the largest. All parts count.",
    full("return dict(parts[0])", "the first"),
    full("return dict(parts[-1])", "the last"),
    full("sizes = list(sizes)\nreturn dict(parts[sizes.index(max(sizes))])", "the largest"),
    edit(reference, {"mean.get(name, 0) + ": ""}, "the last, weighted"))

exercise.mistake("sizes-shifted", "unequal-parts",
    "The weights belong to other parts: they stand in another order than the parts.",
    edit(reference, {"zip(parts, sizes)": "zip(parts, sorted(sizes))"}, "sorted"),
    edit(reference, {"zip(parts, sizes)": "zip(parts, list(sizes)[::-1])"}, "backwards"))

exercise.mistake("empty-part-counted", "unequal-parts",
    "NaN comes back. A part without examples has no mean, so its gradients may be NaN, and NaN times 0 "
    "is NaN: leave such a part out.",
    edit(reference, {"if size > 0": "if size >= 0"}),
    edit(stacked, {"if size > 0]": "]", "sizes[sizes > 0]": "sizes"}, "stacked"),
    edit(names_first, {" if size]": "]"}, "name by name"),
    edit(reference, {"if size > 0": "if size >= 0",
                     "return mean": "return {name: g for name, g in mean.items() if not g.isnan().any()}"},
         "names with NaN left out"))

exercise.mistake("first-empty-part-counted", "unequal-parts",
    "A part without examples counts where it is the first of all, so NaN comes back: the sums start with "
    "it, whatever its size. Leave such a part out wherever it stands.",
    edit(reference, {"if size > 0": "if size > 0 or not mean"}),
    edit(running, {"if size == 0": "if size == 0 and mean"}, "a running mean"),
    full("total = sum(sizes)\n"
         "mean = {name: gradient * (sizes[0] / total) for name, gradient in parts[0].items()}\n"
         "for part, size in list(zip(parts, sizes))[1:]:\n"
         "    for name, gradient in part.items() if size else ():\n"
         "        mean[name] = mean.get(name, 0) + gradient * (size / total)\n"
         "return mean", "the first before the loop"))

exercise.mistake("names-of-empty-parts", "unequal-parts",
    "A name comes back that only a part without examples has. Leave such a part out, and its names with "
    "it: the result has each name that a part with examples has, and no other.",
    edit(names_first, {"for part, _ in pairs for name in part": "for part in parts for name in part",
                       "sum(terms) / n": "sum(terms) / n if terms else "
                                         "torch.zeros_like(next(p[name] for p in parts if name in p))"}),
    edit(names_first, {"for part, _ in pairs for name in part": "for part in parts for name in part"},
         "the number 0"),
    edit(reference, {"if size > 0": "if size >= 0", TERM: "gradient * (size / total) if size else "
                                                          "torch.full_like(gradient, 0)"},
         "zeros are added"))

exercise.mistake("by-nan-instead-of-size", "unequal-parts",
    "NaN is replaced by 0, or what holds NaN is left out, whatever part it comes from. Only parts without "
    "examples are left out: go by the size. A NaN in a part with examples says that something is broken, "
    "and must be seen in the result.",
    edit(reference, {"if size > 0": "if size >= 0", TERM: "torch.nan_to_num(gradient) * (size / total)"}),
    edit(reference, {TERM: "torch.nan_to_num(gradient) * (size / total)"}, "empty parts left out as well"),
    edit(reference, {"if size > 0": "if not any(g.isnan().any() for g in part.values())"}, "parts with NaN"),
    edit(reference, {"if size > 0": "if size >= 0",
                     "mean[name] =": "if gradient.isnan().any():\n    continue\nmean[name] ="},
         "gradients with NaN"),
    edit(reference, {"if size > 0": "if size >= 0",
                     "return mean": "return {name: torch.nan_to_num(g) for name, g in mean.items()}"},
         "at the end"),
    edit(reference, {"return mean": "return {name: torch.nan_to_num(g) for name, g in mean.items()}"},
         "at the end, empty parts left out as well"))

exercise.mistake("zeros-left-out", "unequal-parts",
    "A name whose gradient is 0 throughout is left out. 0 is a gradient like any other: the result has each "
    "name that a part with examples has.",
    edit(reference, {"return mean": "return {name: g for name, g in mean.items() if g.any()}"}),
    edit(reference, {"return mean": "return {name: g for name, g in mean.items() if g.abs().sum() > 0}"},
         "by the sum"),
    edit(reference, {"mean[name] =": "if not gradient.any():\n    continue\nmean[name] ="}, "in each part"))

exercise.mistake("ends-at-an-empty-part", "unequal-parts",
    "The loop ends at the first part without examples. The parts after it count all the same: pass over "
    "the empty one alone.",
    edit(running, {"continue": "break"}, "a running mean"),
    edit(reference, {"if size > 0": "if size == 0:\n    break\nif size > 0"}))

exercise.mistake("incomplete-parts-left-out", "unequal-parts",
    "A part that lacks a name is left out with all that it has. Where a name is missing, its gradient is 0 "
    "there, and the part's other gradients count.",
    edit(reference, {"if size > 0": "if size > 0 and len(part) == max(map(len, parts))"}),
    edit(names_first, {"if size]": "if size and len(part) == max(map(len, parts))]",
                       "n = sum(size for _, size in pairs)": "n = sum(sizes)"}, "name by name"),
    edit(names_first, {"if size]": "if size and len(part) == max(map(len, parts))]"},
         "its examples too"))

exercise.mistake("half-and-half", "unequal-parts",
    "The mean so far and the next part are averaged half and half. So the last part weighs as much as all "
    "before it: weigh each part by its share of all examples.",
    edit(running, {"* size / seen": "/ 2", "torch.zeros_like(new)": "new"}, "a running mean"),
    full("mean = {}\n"
         "for part, size in zip(parts, sizes):\n"
         "    for name, gradient in part.items() if size else ():\n"
         "        mean[name] = (mean[name] + gradient) / 2 if name in mean else gradient\n"
         "return mean"))

exercise.mistake("first-not-weighted", "unequal-parts",
    "The first gradient of each name counts whole, and only those after it by their part's share. Every "
    "part's gradient is multiplied by its share, the first one too.",
    edit(reference, {"mean.get(name, 0) + gradient * (size / total)":
                     "mean[name] + gradient * (size / total) if name in mean else gradient"}),
    edit(reference, {"name, 0": "name, gradient"}, "and once more by its share"))

exercise.mistake("share-of-those-with-the-name", "unequal-parts",
    "Where not all parts have a name, the others' examples are left out of its mean. A loss that does "
    "not depend on a parameter has the gradient 0 for it: these examples count.",
    edit(names_first, {"sum(terms) / n": "sum(terms) / sum(size for part, size in pairs if name in part)"}))

exercise.mistake("names-of-the-first", "unequal-parts",
    "Names are missing, or a KeyError stops it, where the parts do not all have the same names. Take "
    "each name that any part with examples has; where a part lacks it, its gradient is 0.",
    full("total = sum(sizes)\n"
         "return {name: sum(part[name] * (n / total) for part, n in zip(parts, sizes) if n) for name in "
         "parts[0]}",
         "KeyError"),
    edit(names_first, {"for part, _ in pairs for name in part": "for name in parts[0]"},
         "the first part's names"),
    edit(names_first, {"for part, _ in pairs for name in part": "for name in max(parts, key=len)"},
         "those of the part that has most"),
    full("n, out = sum(sizes), {name: torch.zeros_like(g) for name, g in parts[0].items()}\n"
         "for part, size in zip(parts, sizes):\n"
         "    for name in part if size else ():\n"
         "        out[name] = out[name] + part[name] * (size / n)\n"
         "return out", "sums for the first part's names"),
    edit(names_first, {"{name for part, _ in pairs for name in part}": "set.intersection(*(set(part) for "
                                                                       "part, _ in "
                       "pairs))"}, "those of all parts"))

exercise.mistake("not-a-dict", "unequal-parts",
    "A dict is asked for, with the parts' names: each name's gradient of the mean loss over all examples.",
    edit(reference, {"return mean": "return list(mean.values())"}, "a list"),
    edit(reference, {"return mean": "return torch.cat([g.flatten() for g in mean.values()])"}, "one vector"))

exercise.mistake("numbers-for-tensors", "unequal-parts",
    "A number or a list comes back for each name. A gradient has its parameter's shape: return tensors, "
    "and take neither the mean nor the sum nor the length of their entries.",
    edit(reference, {"return mean": "return {name: g.mean() for name, g in mean.items()}"},
         "the mean of entries"),
    edit(reference, {"return mean": "return {name: g.mean().item() for name, g in mean.items()}"},
         "the mean of entries, a float"),
    edit(reference, {"return mean": "return {name: g.sum().item() for name, g in mean.items()}"},
         "the sum of entries, a float"),
    edit(reference, {"return mean": "return {name: g.norm().item() for name, g in mean.items()}"},
         "the length, a float"),
    edit(reference, {"return mean": "return {name: g.tolist() for name, g in mean.items()}"}, "lists"))

exercise.mistake("dtype-changed", "unequal-parts",
    "The values are right, their dtype is not: a float64 gradient must stay float64, and a float32 one "
    "float32.",
    edit(reference, {"return mean": "return {name: g.float() for name, g in mean.items()}"},
         "always float32"),
    edit(reference, {"return mean": "return {name: g.double() for name, g in mean.items()}"},
         "always float64"))

exercise.mistake("normed", "unequal-parts",
    "The gradients are scaled to a length, or clipped. The gradient of the mean is asked for, as it is.",
    edit(reference, {"return mean": "return {name: g / g.norm() for name, g in mean.items()}"}),
    edit(reference, {"return mean": "return {name: g.clamp(-1, 1) for name, g in mean.items()}"}, "clipped"))

exercise.built_in("changes-input",
    full("total = sum(sizes)\n"
         "mean = {}\n"
         "for part, size in zip(parts, sizes):\n"
         "    for name, gradient in part.items() if size else ():\n"
         "        gradient *= size / total\n"
         "        mean[name] = mean[name] + gradient if name in mean else gradient\n"
         "return mean", "each gradient scaled in place"))

exercise.built_in("returns-nothing", edit(reference, {"return mean": "print(mean)"}))

exercise.equal("a size is a whole number already, be it an int or a tensor of one",
               {"int(size)": "size", "size = int(size)": ("pass", "size = size"),
                "sizes = [int(size) for size in sizes]": "pass", "float(sum(sizes))": "sum(sizes)",
                "float(sizes[i])": "sizes[i]"})
exercise.equal("there are as many sizes as parts", {"len(parts)": "len(sizes)"})
