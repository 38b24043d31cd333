"""zero_shot: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "zero_shot",
    points={"classes": 3, "one prompt, one image, float64": 1},
    section="zero-shot-classification",
)


def _unit(x, axis=-1):
    return x / x.norm(dim=axis, keepdim=True)


def _rivals(image, prompts):
    """The right similarities, and those of other ways, (B, C) each; all are compared to find images on
    which they disagree."""
    u, p, z = _unit(image), _unit(prompts), prompts.mean(1)
    all_prompts = torch.einsum("bd,cpd->bcp", u, p)
    return [
        u @ _unit(p.mean(1)).T,
        u @ _unit(z).T,
        all_prompts.mean(2),
        image @ z.T,
        all_prompts.amax(2),
        u @ p[:, 0].T,
        u @ p[:, -1].T,
        u @ _unit(_unit(prompts, 1).mean(1)).T,
        _unit(image, 0) @ _unit(p.mean(1)).T,
        u @ _unit(_unit(prompts, 0).mean(1)).T,
        (u @ _unit(p.mean(1)).T).abs(),
        -torch.cdist(image, z),
        u @ _unit(p.median(1).values).T,
        u @ _unit((prompts / prompts.abs().sum(-1, keepdim=True)).mean(1)).T,
        u @ _unit((prompts / prompts.square().sum(-1, keepdim=True)).mean(1)).T,
        u @ _unit(p.mean(1), 0).T,
        (u @ _unit(p.mean(1)).T).softmax(0),
        -torch.cdist(u, p.mean(1)),
        u @ _unit((p / p.norm(dim=-1, keepdim=True).square()).amax(1)).T,
        u @ _unit((prompts / prompts.norm(p=3, dim=-1, keepdim=True)).mean(1)).T,
    ]


@exercise.probes
def probes(make):
    def case(n_images, n_classes, n_prompts, width, dtype=torch.float32):
        """Images that the right way and the others classify with a margin, as differently as can be had."""
        middle = make.randn(n_classes, 1, width, dtype=torch.float64)
        prompts = (middle + 0.9 * make.randn(n_classes, n_prompts, width, dtype=torch.float64)) * torch.exp(
            make.randn(n_classes, n_prompts, 1, dtype=torch.float64)
        )
        image = make.randn(40 * n_images, width, dtype=torch.float64) * torch.exp(
            0.5 * make.randn(40 * n_images, 1, dtype=torch.float64)
        )
        scores = _rivals(image, prompts)
        if n_classes > 1:
            best = scores[0].topk(2).values
            ways = torch.stack([item.argmax(-1) for item in scores])  # (ways, images)
            alike = (ways[None] == ways[:, None]).sum((0, 1)) + 1e6 * (best[:, 0] - best[:, 1] < 0.02)
            order = alike.argsort()
            image = image[order[:n_images]][torch.randperm(n_images, generator=make.generator)]
        return image[:n_images].to(dtype), prompts.to(dtype)

    yield make.probe("three images, three classes, two prompts, width 2", *case(3, 3, 2, 2), group="classes")
    yield make.probe(
        "all sizes different", *case(*make.pick((12, 5, 3, 4), (14, 6, 3, 5), (13, 4, 3, 5))), group="classes"
    )
    yield make.probe(
        "many images", *case(*make.pick((24, 7, 4, 5), (22, 6, 5, 4), (26, 8, 3, 6))), group="classes"
    )
    yield make.probe(
        "more prompts than classes",
        *case(*make.pick((16, 3, 6, 5), (18, 4, 7, 6), (15, 3, 5, 4))),
        group="classes",
    )
    yield make.probe(
        "as many images as classes",
        *case(*make.pick((6, 6, 3, 4), (7, 7, 2, 4), (5, 5, 3, 6))),
        group="classes",
        edge=True,
    )
    yield make.probe(
        "as many classes as prompts as coordinates",
        *case(12, *make.pick((4, 4, 4), (5, 5, 5), (3, 3, 3))),
        group="classes",
        edge=True,
    )
    yield make.probe(
        "not contiguous",
        *case(*make.pick((9, 4, 3, 5), (10, 5, 2, 4), (8, 4, 2, 6))),
        group="classes",
        edge=True,
        strided=True,
    )
    yield make.probe("long", *case(150, 20, 5, 8), group="classes", long=True)
    group = {"group": "one prompt, one image, float64", "edge": True}
    yield make.probe("one image", *case(1, make.pick(4, 5, 6), 3, 4), **group)
    yield make.probe("one prompt a class", *case(make.pick(9, 8, 10), 4, 1, 5), **group)
    image, prompts = case(make.pick(12, 14, 13), 5, 3, 4)
    yield make.probe("short prompts", image, prompts / 1000, **group)
    image, prompts = case(make.pick(24, 26, 22), 4, 3, 5)
    lengths = torch.tensor([1e-5, 1e6]).repeat(len(image) // 2)[:, None]
    yield make.probe("very short and very long pictures", F.normalize(image, dim=-1) * lengths, prompts, **group)
    yield make.probe("one class", *case(make.pick(3, 4, 5), 1, 2, 4), **group)
    yield make.probe("float64", *case(make.pick(10, 9, 11), 5, 3, 4, dtype=torch.float64), **group)


@exercise.right
def reference(image, prompts):
    classes = F.normalize(prompts, dim=-1).mean(dim=1)
    cosines = F.normalize(image, dim=-1) @ F.normalize(classes, dim=-1).T
    return torch.argmax(cosines, dim=-1)


@exercise.right("step by step")
def steps(image, prompts):
    image = image / image.norm(dim=-1, keepdim=True)
    prompts = prompts / prompts.norm(dim=-1, keepdim=True)
    centre = prompts.mean(dim=1)
    centre = centre / centre.norm(dim=-1, keepdim=True)
    scores = image @ centre.T
    return scores.argmax(dim=1)


@exercise.right("max and its index")
def max_index(image, prompts):
    e = F.normalize(prompts, p=2, dim=2)
    e = F.normalize(e.mean(1), dim=-1)
    x = F.normalize(image, dim=-1)
    similarity = torch.einsum("bd,cd->bc", x, e)
    values, classes = similarity.max(dim=-1)
    return classes


@exercise.right("loops, a tensor of numbers")
def loops(image, prompts):
    vectors = []
    for group in prompts:
        unit = torch.stack([prompt / prompt.norm() for prompt in group])
        vector = unit.sum(dim=0) / len(unit)
        vectors.append(vector / vector.norm())
    answers = []
    for x in image:
        cosines = [torch.dot(x, vector) / x.norm() for vector in vectors]
        answers.append(max(range(len(cosines)), key=lambda c: cosines[c]))
    return torch.tensor(answers)


@exercise.right("the images keep their lengths")
def images(image, prompts):
    pass
    prompts = prompts / prompts.norm(dim=-1, keepdim=True)
    centre = prompts.mean(dim=1)
    centre = centre / centre.norm(dim=-1, keepdim=True)
    scores = image @ centre.T
    return scores.argmax(dim=1)


@exercise.right("the nearest on the sphere")
def nearest(image, prompts):
    image = image / image.norm(dim=-1, keepdim=True)
    prompts = prompts / prompts.norm(dim=-1, keepdim=True)
    centre = prompts.mean(dim=1)
    centre = centre / centre.norm(dim=-1, keepdim=True)
    scores = image @ centre.T
    return torch.cdist(image, centre).argmin(dim=-1)


@exercise.right("numpy")
def by_numpy(image, prompts):
    import numpy as np

    x, y = image.numpy(), prompts.numpy()
    y = y / np.sqrt((y**2).sum(axis=2, keepdims=True))
    y = np.mean(y, axis=1)
    y = y / np.linalg.norm(y, axis=1)[:, None]
    return np.argmax(x @ y.T, axis=1)


PROMPTS = "prompts = prompts / prompts.norm(dim=-1, keepdim=True)"
CENTRE = "centre = centre / centre.norm(dim=-1, keepdim=True)"

exercise.also_right(
    edit(loops, {"torch.tensor(answers)": "answers"}, "loops, a list of numbers"),
    edit(steps, {"mean": "sum"}, "a sum instead of a mean, which the length takes away"),
    edit(max_index, {'einsum("bd,cd->bc", x, e)':
                     "cosine_similarity(image.unsqueeze(1), e.unsqueeze(0), dim=-1)"}, "cosine_similarity"),
    edit(max_index, {"values, classes = similarity.max(dim=-1)":
                     "classes = torch.softmax(10 * similarity, dim=-1).topk(1).indices[:, 0]"},
         "a softmax over the classes, sorted"),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "lengths = e.mean(1).norm(dim=-1)",
                     '("bd,cd->bc", x, e)': '("bd,cpd->bcp", x, e).mean(-1) / lengths'},
         "mean of cosines over the length of the mean"),
    edit(max_index, {"prompts):": "prompts):\n    C, P, D = prompts.shape",
                     "(prompts, p=2, dim=2)": "(prompts.reshape(C * P, D), dim=-1).reshape(C, P, D)"},
         "all prompts in one matrix"),
    edit(steps, {"argmax(dim=1)": "argsort(dim=1, descending=True)[:, 0].int()"}, "sorted, int32"))

exercise.mistake("mean-first", "prompt-averaging",
    "The prompts are averaged before each has length 1, so long prompts count more. Normalize every prompt "
    "first, then take the mean of a class, then normalize the mean.",
    edit(max_index, {"e = F.normalize(prompts, p=2, dim=2)": "e = prompts"}))

exercise.mistake("not-renormalized", "prompt-averaging",
    "The mean of a class's prompts is not brought back to length 1. Classes whose prompts agree have a "
    "longer mean, and win too often; averaging the cosines of the prompts is the same. Normalize the means "
    "before the product.",
    edit(max_index, {"F.normalize(e.mean(1), dim=-1)": "e.mean(1)"}),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass",
                     '("bd,cd->bc", x, e)': '("bd,cpd->bcp", x, e).softmax(1).mean(-1)'},
         "softmax of each prompt, averaged"))

exercise.mistake("not-normalized", "prompt-averaging",
    "Neither the prompts nor their mean have length 1, so a class with long vectors wins whatever its "
    "direction. Normalize every prompt, then the mean of each class.",
    edit(steps, {PROMPTS: "pass", CENTRE: "pass"}))

exercise.mistake("wrong-axis", "prompt-averaging",
    "A length is taken along the wrong axis. Each vector lies along the last axis; F.normalize takes dim=1 "
    "unless told otherwise.",
    edit(max_index, {", p=2, dim=2": ""}, "over the prompts, the default"),
    edit(max_index, {", p=2, dim=2": "",
                     "F.normalize(e.mean(1), dim=-1)": "e.mean(1)"}, "over the prompts, not again"),
    edit(steps, {"prompts.norm(dim=-1": "prompts.norm(dim=0"}, "over the classes"),
    full("image = image / image.norm(dim=-1, keepdim=True)\n"
         "prompts = prompts / prompts.norm(dim=0, keepdim=True)\n"
         "centre = prompts.mean(dim=1)\n"
         "pass\n"
         "scores = image @ centre.T\n"
         "return scores.argmax(dim=1)", "over the classes, not again"),
    edit(images, {"pass": "image = F.normalize(image, dim=0)"}, "the images"),
    edit(steps, {"centre / centre.norm(dim=-1, keepdim=True)": "F.normalize(centre, dim=0)"}, "the means"),
    edit(images, {"pass": "image = F.normalize(image, dim=0)",
                  "centre / centre.norm(dim=-1, keepdim=True)": "F.normalize(centre, dim=0)"},
         "images and means"),
    full("image = F.normalize(image, dim=0)\n"
         "prompts = F.normalize(prompts, dim=0)\n"
         "centre = prompts.mean(dim=1)\n"
         "centre = F.normalize(centre, dim=0)\n"
         "scores = image @ centre.T\n"
         "return scores.argmax(dim=1)", "all three, over the first"))

exercise.mistake("other-length", "unit-sphere",
    "Vectors are brought to size by something other than their length, such as a sum, a squared length, "
    "the largest number or a softmax. The length is the root of the sum of squares.",
    edit(steps, {"prompts.norm(dim=-1": "prompts.abs().sum(-1"}, "prompts: sum of absolute values"),
    edit(steps, {"centre.norm(dim=-1": "centre.abs().sum(-1"}, "means: sum of absolute values"),
    edit(steps, {"prompts.norm(dim=-1": "prompts.abs().sum(-1",
                 "centre.norm(dim=-1": "centre.abs().sum(-1"}, "both: sum of absolute values"),
    edit(steps, {"prompts.norm(dim=-1": "prompts.sum(-1"}, "prompts: sum"),
    edit(steps, {"centre.norm(dim=-1": "centre.sum(-1"}, "means: sum"),
    edit(steps, {"prompts.norm(dim=-1": "prompts.sum(-1",
                 "centre.norm(dim=-1": "centre.sum(-1"}, "both: sum"),
    edit(steps, {"prompts.norm(dim=-1": "prompts.square().sum(-1"}, "prompts: squared length"),
    edit(steps, {"centre.norm(dim=-1": "centre.square().sum(-1"}, "means: squared length"),
    edit(steps, {"prompts.norm(dim=-1": "prompts.square().sum(-1",
                 "centre.norm(dim=-1": "centre.square().sum(-1"}, "both: squared length"),
    edit(steps, {"prompts.norm(dim=-1": "prompts.abs().amax(-1"}, "prompts: the largest"),
    edit(steps, {"centre.norm(dim=-1": "centre.abs().amax(-1"}, "means: the largest"),
    edit(steps, {"prompts.norm(dim=-1": "prompts.abs().amax(-1",
                 "centre.norm(dim=-1": "centre.abs().amax(-1"}, "both: the largest"),
    edit(steps, {"prompts.norm(dim=-1, keepdim=True)": "prompts.norm(dim=-1, keepdim=True).sqrt()"},
         "prompts: root of the length"),
    edit(steps, {"centre.norm(dim=-1, keepdim=True)": "centre.norm(dim=-1, keepdim=True).sqrt()"},
         "means: root of the length"),
    edit(steps, {"prompts.norm(dim=-1, keepdim=True)": "prompts.norm(dim=-1, keepdim=True).sqrt()",
                 "centre.norm(dim=-1, keepdim=True)": "centre.norm(dim=-1, keepdim=True).sqrt()"},
         "both: root of the length"),
    edit(max_index, {"normalize(prompts, p=2, dim=2)": "layer_norm(prompts, prompts.shape[-1:])",
                     "normalize(e.mean(1), dim=-1)": "layer_norm(e.mean(1), prompts.shape[-1:])"},
         "layer norm"),
    edit(max_index, {"F.normalize(prompts, p=2, dim=2)": "prompts.softmax(-1)"}, "softmax"))

exercise.mistake("number-added-to-lengths", "unit-sphere",
    "Short vectors come out wrong: a number such as 0.01 is added to the lengths, or is their least value, "
    "and is not small beside them. Vectors may have any length but 0: divide by the length itself.",
    *(edit(steps, {"prompts.norm(dim=-1, keepdim=True)": f"(prompts.norm(dim=-1, keepdim=True) + {number})",
                   "centre.norm(dim=-1, keepdim=True)": f"(centre.norm(dim=-1, keepdim=True) + {number})"},
           f"{number}") for number in (0.01, 0.1, 1)),
    edit(steps, {"prompts.norm(dim=-1, keepdim=True)": "prompts.norm(dim=-1, keepdim=True).clamp(min=1)"},
         "at least 1"))

exercise.mistake("prompt-index", "prompt-averaging",
    "The number of a prompt is returned, not that of a class. Make one vector for each class, then take "
    "the argmax over the classes.",
    edit(max_index, {"F.normalize(e.mean(1), dim=-1)": "e.flatten(0, 1)"}),
    edit(max_index, {"e = F.normalize(prompts, p=2, dim=2)": "pass",
                     "F.normalize(e.mean(1), dim=-1)": "prompts.reshape(-1, prompts.shape[-1])"},
         "lengths are forgotten"),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass",
                     '("bd,cd->bc", x, e)': '("bd,cpd->bpc", x, e).flatten(1)'},
         "of the best class by prompts"),
    edit(max_index, {"F.normalize(e.mean(1), dim=-1)": "e.flatten(0, 1)",
                     "return classes": "return classes % prompts.shape[1]"}, "modulo the prompts"),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass",
                     '"bd,cd->bc"': '"bd,cpd->bcp"'}, "a prompt for each class"))

exercise.mistake("best-prompt", "prompt-averaging",
    "A single prompt of each class decides, the most or the least similar. Average the prompts of a class "
    "first, so that all of them count.",
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass",
                     '("bd,cd->bc", x, e)': '("bd,cpd->bcp", x, e).amax(-1)'}),
    edit(max_index, {"e = F.normalize(prompts, p=2, dim=2)\n"
                     "e = F.normalize(e.mean(1), dim=-1)":
                     "pass\n"
                     "pass",
                     '("bd,cd->bc", x, e)': '("bd,cpd->bcp", x, prompts).amax(-1)'}, "by the product"),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass",
                     '("bd,cd->bc", x, e)': '("bd,cpd->bcp", x, e).amin(-1)'}, "the worst prompt decides"))

exercise.mistake("vote", "prompt-averaging",
    "The prompts vote for a class one by one. Average the normalized prompts of a class into one vector, "
    "then compare.",
    full("e = F.normalize(prompts, p=2, dim=2)\n"
         "pass\n"
         "x = F.normalize(image, dim=-1)\n"
         "pass\n"
         'classes = torch.einsum("bd,cpd->bpc", x, e).argmax(-1).mode(dim=-1).values\n'
         "return classes"),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass",
                     '"bd,cd->bc"': '"bd,cpd->bpc"'}, "a class for each prompt"))

exercise.mistake("one-prompt", "prompt-averaging",
    "Not all prompts of a class are used. Average all of them.",
    edit(steps, {"centre = prompts.mean(dim=1)": "centre = prompts[:, 0]"}, "the first"),
    full("image = image / image.norm(dim=-1, keepdim=True)\n"
         "pass\n"
         "centre = prompts[:, 0]\n"
         "pass\n"
         "scores = image @ centre.T\n"
         "return scores.argmax(dim=1)", "the first, lengths are forgotten"),
    edit(steps, {".mean(dim=1)": "[:, -1]"}, "the last"),
    full("image = image / image.norm(dim=-1, keepdim=True)\n"
         "pass\n"
         "centre = prompts[:, -1]\n"
         "pass\n"
         "scores = image @ centre.T\n"
         "return scores.argmax(dim=1)", "the last, lengths are forgotten"),
    edit(steps, {".mean(dim=1)": "[:, 1:].mean(dim=1) if prompts.shape[1] > 1 else prompts[:, 0]"},
         "all but the first"))

exercise.mistake("other-average", "prompt-averaging",
    "The prompts of a class are joined by something other than their mean. Take the mean over the axis of "
    "the prompts, the second one.",
    edit(steps, {"mean(dim=1)": "median(dim=1).values"}, "median"),
    edit(steps, {"mean": "amax"}, "largest"),
    edit(steps, {"mean": "amin"}, "smallest"),
    edit(steps, {"mean": "prod"}, "product"),
    edit(steps, {"mean(dim=1)": "std(dim=1, correction=0)"}, "standard deviation"))

exercise.mistake("mean-over-classes", "prompt-averaging",
    "The mean runs over the classes, or the coordinates. Average over the prompts of a class, the second "
    "axis of prompts (C, P, D).",
    edit(steps, {"mean(dim=1)": "mean(dim=0)"}),
    edit(max_index, {"e = F.normalize(prompts, p=2, dim=2)": "pass",
                     "e.mean(1), dim=-1": "prompts.mean(0)"}, "lengths only after it"),
    full("image = image / image.norm(dim=-1, keepdim=True)\n"
         "pass\n"
         "centre = prompts.mean(0)\n"
         "pass\n"
         "scores = image @ centre.T\n"
         "return scores.argmax(dim=1)", "nothing normalized"),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass",
                     '("bd,cd->bc", x, e)': '("bd,cpd->bcp", x, e).mean(1)'}, "mean of cosines"),
    edit(steps, {"mean(dim=1)": "mean(dim=2)"}, "the coordinates"))

exercise.mistake("reshaped", "prompt-averaging",
    "The axes of prompts are exchanged by reshape or view, which puts prompts of different classes "
    "together. A mean over the second axis needs no new shape; where one is needed, transpose moves an axis.",
    edit(steps, {"mean(dim=1)": "reshape(prompts.shape[1], prompts.shape[0], -1).mean(0)"},
         "classes and prompts"),
    edit(steps, {PROMPTS: "",
                 "mean(dim=1)": "reshape(prompts.shape[1], prompts.shape[0], -1).mean(0)"},
         "classes and prompts, before the lengths"),
    edit(steps, {"mean(dim=1)": "reshape(prompts.shape[0], -1, prompts.shape[1]).mean(-1)"},
         "prompts at the end"),
    edit(steps, {PROMPTS: "",
                 "mean(dim=1)": "reshape(prompts.shape[0], -1, prompts.shape[1]).mean(-1)"},
         "prompts at the end, before the lengths"),
    edit(steps, {"prompts =":
                 "prompts = prompts.reshape(prompts.shape[0], -1, prompts.shape[1]).transpose(1, 2)\n"
                 "prompts ="}, "first of all"))

exercise.mistake("least-similar", "zero-shot-classification",
    "The least similar class is returned. The answer has the largest cosine.",
    edit(steps, {"argmax": "argmin"}))

exercise.mistake("absolute", "zero-shot-classification",
    "The sign of the cosine is lost, so a class that points the other way counts as near. Compare the "
    "cosines themselves.",
    edit(steps, {".argmax": ".abs().argmax"}))

exercise.mistake("distance", "zero-shot-classification",
    "A distance decides: with vectors of different lengths, or with absolute differences, that is no "
    "comparison of directions. Take the largest cosine.",
    full("pass\n"
         "pass\n"
         "centre = prompts.mean(dim=1)\n"
         "pass\n"
         "scores = image @ centre.T\n"
         "return torch.cdist(image, centre).argmin(dim=1)", "nothing normalized"),
    edit(nearest, {CENTRE: "pass", "(dim=-1)": "(dim=1)"}, "not again"),
    edit(images, {CENTRE: "pass",
                  "scores.argmax": "torch.cdist(image, centre).argmin"}, "not again, images neither"),
    full("image = image / image.norm(dim=-1, keepdim=True)\n"
         "pass\n"
         "centre = prompts.mean(dim=1)\n"
         "pass\n"
         "scores = image @ centre.T\n"
         "return (image[:, None] - centre[None]).square().sum(-1).argmin(dim=1)",
         "prompts keep their lengths"),
    edit(nearest, {", centre": ", centre, p=1", "(dim=-1)": "(dim=1)"}, "sum of differences"),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass",
                     'similarity = torch.einsum("bd,cd->bc", x, e)':
                     "similarity = -(image[:, None, None] - prompts[None]).norm(dim=-1).mean(-1)"},
         "mean of distances"))

exercise.mistake("over-images", "zero-shot-classification",
    "The argmax runs over the images, or over everything. Each image chooses among the classes: the last "
    "axis of (B, C).",
    edit(steps, {"argmax(dim=1)": "argmax(dim=0)"}),
    edit(images, {"argmax(dim=1)": "argmax(dim=0)"}, "which keep their lengths"),
    edit(steps, {"argmax(dim=1)": "argmax()"}, "over everything"))

exercise.mistake("class-lost", "zero-shot-classification",
    "One class is never the answer, the last or the first. All C classes compete.",
    edit(steps, {"centre.T": "centre[:-1].T"}, "the last"),
    edit(loops, {"max(range(len(cosines))": "max(range(min(1, len(cosines) - 1), len(cosines))"},
         "the first"))

exercise.mistake("best-starts-at-zero", "zero-shot-classification",
    "Where all cosines of an image are below 0 the class 0 comes back: the search starts with a best of 0. "
    "Start it at minus infinity.",
    edit(loops, {"cosines[c])": "max(cosines[c], 0 * cosines[c]))"}))

exercise.mistake("softmax-over-images", "zero-shot-classification",
    "A softmax over the images comes before the choice, and changes it. Each image compares its own "
    "cosines; no softmax is needed.",
    edit(steps, {".argmax": ".softmax(dim=0).argmax"}),
    edit(steps, {"scores.": "(100 * scores).softmax(dim=0)."}, "times 100"))

exercise.mistake("from-1", "zero-shot-classification",
    "The class numbers are too large by 1. Classes count from 0.",
    edit(steps, {"argmax(dim=1)": "argmax(dim=1) + 1"}))

exercise.mistake("returns-scores", "zero-shot-classification",
    "Similarities are returned. Return the number of the most similar class, int64 (B,).",
    edit(steps, {".argmax(dim=1)": ""}, "all cosines"),
    edit(max_index, {"return classes": "return values"}, "the best cosine"),
    edit(steps, {"argmax(dim=1)": "softmax(dim=-1)"}, "probabilities"),
    edit(steps, {"scores.argmax(dim=1)": "(100 * scores).softmax(dim=-1)"}, "scaled probabilities"),
    edit(max_index, {"e = F.normalize(e.mean(1), dim=-1)": "pass", '"bd,cd->bc"': '"bd,cpd->bcp"',
                     "return classes": "return similarity"}, "cosines of the prompts"))

exercise.mistake("returns-both", "zero-shot-classification",
    "Two things are returned. Return only the class numbers, int64 (B,).",
    edit(max_index, {"return": "return values,"}),
    edit(max_index, {"return classes": "return classes, values"}, "the other way round"),
    edit(steps, {"argmax(dim=1)": "argmax(dim=1), scores"}, "with all cosines"))

exercise.mistake("wrong-form", "zero-shot-classification",
    "The classes are right, but their form is not. Return whole numbers of shape (B,), one for each image.",
    edit(steps, {"argmax(dim=1)": "argmax(dim=1, keepdim=True)"}, "a column"),
    edit(steps, {"argmax(dim=1)": "argmax(dim=1).to(image.dtype)"}, "floating"),
    edit(steps, {"scores.argmax(dim=1)": "F.one_hot(scores.argmax(dim=1), len(prompts))"}, "one-hot"),
    edit(steps, {".argmax(dim=1)": "== scores.amax(1, keepdim=True)"}, "whether it is the best"),
    edit(steps, {"argmax(dim=1)": "argsort(dim=1, descending=True)"}, "the ranking"))

exercise.mistake("squeezed", "zero-shot-classification",
    "With one image, one class or one prompt an axis gets lost: squeeze() without an axis removes every "
    "axis of size 1. Name the axis.",
    edit(steps, {"argmax(dim=1)": "argmax(dim=1).squeeze()"}),
    edit(steps, {".argmax(dim=1)": ".squeeze().argmax(dim=-1)"}, "the scores"),
    edit(steps, {".mean": ".squeeze().mean"}, "the prompts"))

exercise.built_in("changes-input",
    edit(steps, {"= prompts /": "/="}),
    edit(steps, {"= image /": "/=",
                 "= prompts / prompts.norm(dim=-1, keepdim=True)":
                 ".div_(prompts.norm(dim=-1, keepdim=True))"}, "images and prompts"))

exercise.built_in("returns-nothing",
    edit(steps, {"return": "best ="}))


def timeout(image, prompts):
    import time

    c = 0
    while c < len(prompts):
        time.sleep(0.05)
        e = F.normalize(F.normalize(prompts[c], dim=-1).mean(0), dim=-1)
    return c


exercise.built_in("timeout",
    full(timeout))

exercise.built_in("ready-made",
    full("from transformers.pipelines import zero_shot as theirs\n"
         "\n"
         "return theirs(image, prompts)", "from an invented library"))

exercise.equal(
    "multiplying a vector, or all cosines of an image, by one number above 0 changes no order", {
    ".mean(dim=1)": ".sum(dim=1)", ".mean(1)": ".sum(1)", "F.normalize(image, dim=-1) @": "image @",
    "x = F.normalize(image, dim=-1)": "x = image",
    "/ image.norm(dim=-1, keepdim=True)": ("", "* image.norm(dim=-1, keepdim=True)",
                                            "/ image.norm(keepdim=True)"),
    "image = image / image.norm(dim=-1, keepdim=True)": "pass", "/ len(unit)": ("* len(unit)", ""),
    "unit.sum(dim=0)": "unit.mean(dim=0)", "/ x.norm()": ("* x.norm()", ""), "np.mean": "np.sum",
    ".sum(axis=2": ".mean(axis=2", ".mean(-1)": ".sum(-1)",
    "10 * similarity": ("similarity", "11 * similarity", "9 * similarity"),
    "torch.softmax(10 * similarity, dim=-1)": "(10 * similarity)"})
exercise.equal(
    "F.normalize takes the second axis, sorting the last, and lengths are Euclidean unless told", {
    ", dim=-1": "", "dim=1, ": "", "p=2, ": ""})
exercise.equal(
    "cosine_similarity divides by the lengths itself, and what it does not take is not used", {
    "e = F.normalize(e.mean(1), dim=-1)": "e = e.mean(1)",
    "x = F.normalize(image, dim=-1)": ("x = F.normalize(prompts, dim=-1)", "x = F.normalize(image, dim=-2)",
                                        "x = F.normalize(image, dim=0)"),
    "scores = image @": "scores = prompts @"})
exercise.equal("the cosine of two vectors has no order, and torch lines classes up by itself", {
    "torch.dot(x, vector)": "torch.dot(vector, x)",
    "image.unsqueeze(1), e.unsqueeze(0)": ("e.unsqueeze(0), image.unsqueeze(1)", "image.unsqueeze(1), e")})
exercise.equal(
    "any whole dtype will do, the first of one is the last, and an axis is normalized in any layout", {
    ".int()": "", "indices[:, 0]": "indices[:, -1]", "image.numpy()": "image",
    "F.normalize(prompts.reshape(C * P, D), dim=-1)": "F.normalize(prompts, dim=-1)"})
