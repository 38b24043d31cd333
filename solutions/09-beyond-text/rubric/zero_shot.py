"""The rubric of zero_shot: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

from ._shared import writer

exercise = Exercise(
    "zero_shot",
    points={"classes": 3, "one prompt, one image, float64": 1},
    section="zero-shot-classification",
    compact=True,
    mistakes={
        "mean-first": ("The prompts are averaged before each has length 1, so long prompts count more. Normalize every prompt first, then take the mean of a "
                       "class, then normalize the mean.", "prompt-averaging"),
        "not-renormalized": ("The mean of a class's prompts is not brought back to length 1. Classes whose prompts agree have a longer mean, and win too often; "
                             "averaging the cosines of the prompts is the same. Normalize the means before the product.", "prompt-averaging"),
        "not-normalized": ("Neither the prompts nor their mean have length 1, so a class with long vectors wins whatever its direction. Normalize every "
                           "prompt, then the mean of each class.", "prompt-averaging"),
        "wrong-axis": ("A length is taken along the wrong axis. Each vector lies along the last axis; F.normalize takes dim=1 unless told otherwise.",
                       "prompt-averaging"),
        "other-length": ("Vectors are brought to size by something other than their length, such as a sum, a squared length, the largest number or a softmax. "
                         "The length is the root of the sum of squares.", "unit-sphere"),
        "prompt-index": ("The number of a prompt is returned, not that of a class. Make one vector for each class, then take the argmax over the classes.",
                         "prompt-averaging"),
        "best-prompt": ("A single prompt of each class decides, the most or the least similar. Average the prompts of a class first, so that all of them "
                        "count.", "prompt-averaging"),
        "vote": ("The prompts vote for a class one by one. Average the normalized prompts of a class into one vector, then compare.", "prompt-averaging"),
        "one-prompt": ("Not all prompts of a class are used. Average all of them.", "prompt-averaging"),
        "other-average": ("The prompts of a class are joined by something other than their mean. Take the mean over the axis of the prompts, "
                          "the second one.",
                          "prompt-averaging"),
        "mean-over-classes": ("The mean runs over the classes, or the coordinates. Average over the prompts of a class, the second axis of prompts (C, P, D).",
                              "prompt-averaging"),
        "reshaped": ("The axes of prompts are exchanged by reshape or view, which puts prompts of different classes together. A mean over the second axis needs no new "
                     "shape; where one is needed, transpose moves an axis.", "prompt-averaging"),
        "least-similar": ("The least similar class is returned. The answer has the largest cosine.", "zero-shot-classification"),
        "absolute": ("The sign of the cosine is lost, so a class that points the other way counts as near. Compare the cosines themselves.",
                     "zero-shot-classification"),
        "distance": ("A distance decides: with vectors of different lengths, or with absolute differences, that is no comparison of directions. Take the "
                     "largest cosine.", "zero-shot-classification"),
        "over-images": ("The argmax runs over the images, or over everything. Each image chooses among the classes: the last axis of (B, C).",
                        "zero-shot-classification"),
        "softmax-over-images": ("A softmax over the images comes before the choice, and changes it. Each image compares its own cosines; no softmax is needed.",
                                "zero-shot-classification"),
        "from-1": ("The class numbers are too large by 1. Classes count from 0.", "zero-shot-classification"),
        "returns-scores": ("Similarities are returned. Return the number of the most similar class, int64 (B,).", "zero-shot-classification"),
        "returns-both": ("Two things are returned. Return only the class numbers, int64 (B,).", "zero-shot-classification"),
        "wrong-form": ("The classes are right, but their form is not. Return whole numbers of shape (B,), one for each image.", "zero-shot-classification"),
        "squeezed": ("With one image, one class or one prompt an axis gets lost: squeeze() without an axis removes every axis of size 1. Name the axis.",
                     "zero-shot-classification"),
    },
)
wrong, right = writer(exercise)


def _unit(x, axis=-1):
    return x / x.norm(dim=axis, keepdim=True)


def _rivals(image, prompts):
    """The right similarities, and those of other ways, (B, C) each; all are compared to find images on which they disagree."""
    u, p, z = _unit(image), _unit(prompts), prompts.mean(1)
    all_prompts = torch.einsum("bd,cpd->bcp", u, p)
    return [u @ _unit(p.mean(1)).T, u @ _unit(z).T, all_prompts.mean(2), image @ z.T, all_prompts.amax(2), u @ p[:, 0].T, u @ p[:, -1].T,
            u @ _unit(_unit(prompts, 1).mean(1)).T, _unit(image, 0) @ _unit(p.mean(1)).T, u @ _unit(_unit(prompts, 0).mean(1)).T,
            (u @ _unit(p.mean(1)).T).abs(), -torch.cdist(image, z), u @ _unit(p.median(1).values).T,
            u @ _unit((prompts / prompts.abs().sum(-1, keepdim=True)).mean(1)).T, u @ _unit((prompts / prompts.square().sum(-1, keepdim=True)).mean(1)).T,
            u @ _unit(p.mean(1), 0).T, (u @ _unit(p.mean(1)).T).softmax(0), -torch.cdist(u, p.mean(1)), u @ _unit((p / p.norm(dim=-1, keepdim=True).square()).amax(1)).T]


@exercise.probes
def _(make):
    def case(n_images, n_classes, n_prompts, width, dtype=torch.float32):
        """Images that the right way and the others classify with a margin, as differently as can be had."""
        middle = make.randn(n_classes, 1, width, dtype=torch.float64)
        prompts = (middle + 0.9 * make.randn(n_classes, n_prompts, width, dtype=torch.float64)) * torch.exp(make.randn(n_classes, n_prompts, 1, dtype=torch.float64))
        image = make.randn(40 * n_images, width, dtype=torch.float64) * torch.exp(0.5 * make.randn(40 * n_images, 1, dtype=torch.float64))
        scores = _rivals(image, prompts)
        if n_classes > 1:
            best = scores[0].topk(2).values
            ways = torch.stack([item.argmax(-1) for item in scores])                     # (ways, images)
            alike = (ways[None] == ways[:, None]).sum((0, 1)) + 1e6 * (best[:, 0] - best[:, 1] < 0.02)
            order = alike.argsort()
            image = image[order[:n_images]][torch.randperm(n_images, generator=make.generator)]
        return image[:n_images].to(dtype), prompts.to(dtype)

    yield make.probe("three images, three classes, two prompts, width 2", *case(3, 3, 2, 2), group="classes")
    yield make.probe("all sizes different", *case(*make.pick((12, 5, 3, 4), (14, 6, 3, 5), (13, 4, 3, 5))), group="classes")
    yield make.probe("many images", *case(*make.pick((24, 7, 4, 5), (22, 6, 5, 4), (26, 8, 3, 6))), group="classes")
    yield make.probe("more prompts than classes", *case(*make.pick((16, 3, 6, 5), (18, 4, 7, 6), (15, 3, 5, 4))), group="classes")
    yield make.probe("as many images as classes", *case(*make.pick((6, 6, 3, 4), (7, 7, 2, 4), (5, 5, 3, 6))), group="classes", edge=True)
    yield make.probe("as many classes as prompts as coordinates", *case(12, *make.pick((4, 4, 4), (5, 5, 5), (3, 3, 3))), group="classes", edge=True)
    yield make.probe("not contiguous", *case(*make.pick((9, 4, 3, 5), (10, 5, 2, 4), (8, 4, 2, 6))), group="classes", edge=True, strided=True)
    yield make.probe("long", *case(150, 20, 5, 8), group="classes", long=True)
    group = {"group": "one prompt, one image, float64", "edge": True}
    yield make.probe("one image", *case(1, make.pick(4, 5, 6), 3, 4), **group)
    yield make.probe("one prompt a class", *case(make.pick(9, 8, 10), 4, 1, 5), **group)
    yield make.probe("one class", *case(make.pick(3, 4, 5), 1, 2, 4), **group)
    yield make.probe("float64", *case(make.pick(10, 9, 11), 5, 3, 4, dtype=torch.float64), **group)


@exercise.right
def reference(image, prompts):
    classes = F.normalize(prompts, dim=-1).mean(dim=1)
    cosines = F.normalize(image, dim=-1) @ F.normalize(classes, dim=-1).T
    return torch.argmax(cosines, dim=-1)


STEPS = """
def zero_shot(image, prompts):
    image = image / image.norm(dim=-1, keepdim=True)
    prompts = prompts / prompts.norm(dim=-1, keepdim=True)
    centre = prompts.mean(dim=1)
    centre = centre / centre.norm(dim=-1, keepdim=True)
    scores = image @ centre.T
    return scores.argmax(dim=1)
"""
TORCH = """
def zero_shot(image, prompts):
    e = F.normalize(prompts, p=2, dim=2)
    e = F.normalize(e.mean(1), dim=-1)
    x = F.normalize(image, dim=-1)
    similarity = torch.einsum('bd,cd->bc', x, e)
    values, classes = similarity.max(dim=-1)
    return classes
"""
LOOP = """
def zero_shot(image, prompts):
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
"""
right("step by step", STEPS)
right("max and its index", TORCH)
right("loops, a tensor of numbers", LOOP)
right("loops, a list of numbers", LOOP, ("return torch.tensor(answers)", "return answers"))
right("the images keep their lengths", STEPS, ("image = image / image.norm(dim=-1, keepdim=True)", "pass"))
right("a sum instead of a mean, which the length takes away", STEPS, ("prompts.mean(dim=1)", "prompts.sum(dim=1)"))
right("cosine_similarity", TORCH, ("torch.einsum('bd,cd->bc', x, e)", "torch.cosine_similarity(image.unsqueeze(1), e.unsqueeze(0), dim=-1)"))
right("the nearest on the sphere", STEPS, ("return scores.argmax(dim=1)", "return torch.cdist(image, centre).argmin(dim=-1)"))
right("a softmax over the classes, sorted", TORCH, ("values, classes = similarity.max(dim=-1)", "classes = torch.softmax(10 * similarity, dim=-1).topk(1).indices[:, 0]"))
right("mean of cosines over the length of the mean", TORCH, ("e = F.normalize(e.mean(1), dim=-1)", "lengths = e.mean(1).norm(dim=-1)"),
      ("torch.einsum('bd,cd->bc', x, e)", "torch.einsum('bd,cpd->bcp', x, e).mean(-1) / lengths"))
right("all prompts in one matrix", TORCH, ("e = F.normalize(prompts, p=2, dim=2)", "C, P, D = prompts.shape\n    e = F.normalize(prompts.reshape(C * P, D), dim=-1).reshape(C, P, D)"))
right("sorted, int32", STEPS, ("scores.argmax(dim=1)", "scores.argsort(dim=1, descending=True)[:, 0].int()"))
right("numpy", """
def zero_shot(image, prompts):
    import numpy as np
    x, y = image.numpy(), prompts.numpy()
    y = y / np.sqrt((y ** 2).sum(axis=2, keepdims=True))
    y = np.mean(y, axis=1)
    y = y / np.linalg.norm(y, axis=1)[:, None]
    return np.argmax(x @ y.T, axis=1)
""")

UNIT, CENTRE, AGAIN = "prompts = prompts / prompts.norm(dim=-1, keepdim=True)", "centre = prompts.mean(dim=1)", "centre = centre / centre.norm(dim=-1, keepdim=True)"
IMAGE, END = "image = image / image.norm(dim=-1, keepdim=True)", "return scores.argmax(dim=1)"
FIRST, SECOND, THIRD = "e = F.normalize(prompts, p=2, dim=2)", "e = F.normalize(e.mean(1), dim=-1)", "similarity = torch.einsum('bd,cd->bc', x, e)"
PICK = "values, classes = similarity.max(dim=-1)"
wrong("mean-first", "", STEPS, (UNIT, "pass"))
wrong("mean-first", "in torch", TORCH, (FIRST, "e = prompts"))
wrong("not-renormalized", "", STEPS, (AGAIN, "pass"))
wrong("not-renormalized", "in torch", TORCH, (SECOND, "e = e.mean(1)"))
wrong("not-renormalized", "softmax of each prompt, averaged", TORCH, (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bcp', x, e).softmax(1).mean(-1)"))
wrong("not-normalized", "", STEPS, (UNIT, "pass"), (AGAIN, "pass"))
wrong("not-normalized", "nothing at all", STEPS, (IMAGE, "pass"), (UNIT, "pass"), (AGAIN, "pass"))
wrong("wrong-axis", "over the prompts, the default", TORCH, (FIRST, "e = F.normalize(prompts)"))
wrong("wrong-axis", "over the prompts, not again", TORCH, (FIRST, "e = F.normalize(prompts)"), (SECOND, "e = e.mean(1)"))
wrong("wrong-axis", "over the classes", STEPS, (UNIT, "prompts = prompts / prompts.norm(dim=0, keepdim=True)"))
wrong("wrong-axis", "over the classes, not again", STEPS, (UNIT, "prompts = prompts / prompts.norm(dim=0, keepdim=True)"), (AGAIN, "pass"))
wrong("wrong-axis", "the images", STEPS, (IMAGE, "image = F.normalize(image, dim=0)"))
wrong("wrong-axis", "the means", STEPS, (AGAIN, "centre = F.normalize(centre, dim=0)"))
wrong("wrong-axis", "images and means", STEPS, (IMAGE, "image = F.normalize(image, dim=0)"), (AGAIN, "centre = F.normalize(centre, dim=0)"))
wrong("wrong-axis", "all three, over the first", STEPS, (IMAGE, "image = F.normalize(image, dim=0)"), (UNIT, "prompts = F.normalize(prompts, dim=0)"), (AGAIN, "centre = F.normalize(centre, dim=0)"))
for label, length in (("sum of absolute values", "prompts.abs().sum(-1, keepdim=True)"), ("sum", "prompts.sum(-1, keepdim=True)"), ("squared length", "prompts.square().sum(-1, keepdim=True)"),
                      ("the largest", "prompts.abs().amax(-1, keepdim=True)"), ("root of the length", "prompts.norm(dim=-1, keepdim=True).sqrt()")):
    wrong("other-length", f"prompts: {label}", STEPS, (UNIT, f"prompts = prompts / {length}"))
    wrong("other-length", f"means: {label}", STEPS, (AGAIN, "centre = centre / " + length.replace("prompts", "centre")))
    wrong("other-length", f"both: {label}", STEPS, (UNIT, f"prompts = prompts / {length}"), (AGAIN, "centre = centre / " + length.replace("prompts", "centre")))
wrong("other-length", "layer norm", TORCH, (FIRST, "e = F.layer_norm(prompts, prompts.shape[-1:])"), (SECOND, "e = F.layer_norm(e.mean(1), prompts.shape[-1:])"))
wrong("other-length", "softmax", TORCH, (FIRST, "e = prompts.softmax(-1)"))
wrong("prompt-index", "", TORCH, (SECOND, "e = e.flatten(0, 1)"))
wrong("prompt-index", "lengths are forgotten", TORCH, (FIRST, "pass"), (SECOND, "e = prompts.reshape(-1, prompts.shape[-1])"))
wrong("prompt-index", "lengths of the images alone", STEPS, (UNIT, "prompts = prompts.flatten(0, 1)"), (CENTRE, "centre = prompts"))
wrong("prompt-index", "of the best class by prompts", TORCH, (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bpc', x, e).flatten(1)"))
wrong("prompt-index", "modulo the prompts", TORCH, (SECOND, "e = e.flatten(0, 1)"), ("return classes", "return classes % prompts.shape[1]"))
wrong("best-prompt", "", TORCH, (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bcp', x, e).amax(-1)"))
wrong("best-prompt", "divided by the prompts", TORCH, (SECOND, "e = e.flatten(0, 1)"), ("return classes", "return classes // prompts.shape[1]"))
wrong("best-prompt", "by the product", TORCH, (FIRST, "pass"), (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bcp', x, prompts).amax(-1)"))
wrong("best-prompt", "the worst prompt decides", TORCH, (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bcp', x, e).amin(-1)"))
wrong("vote", "", TORCH, (SECOND, "pass"), (THIRD, "pass"), (PICK, "classes = torch.einsum('bd,cpd->bpc', x, e).argmax(-1).mode(dim=-1).values"))
wrong("vote", "counted", TORCH, (SECOND, "pass"), (THIRD, "votes = torch.einsum('bd,cpd->bpc', x, e).argmax(-1)"), (PICK, "classes = F.one_hot(votes, len(prompts)).sum(1).argmax(-1)"))
for label, index in (("the first", "[:, 0]"), ("the last", "[:, -1]")):
    wrong("one-prompt", label, STEPS, (CENTRE, f"centre = prompts{index}"))
    wrong("one-prompt", f"{label}, lengths are forgotten", STEPS, (UNIT, "pass"), (CENTRE, f"centre = prompts{index}"), (AGAIN, "pass"))
wrong("one-prompt", "all but the first", STEPS, (CENTRE, "centre = prompts[:, 1:].mean(dim=1) if prompts.shape[1] > 1 else prompts[:, 0]"))
for label, way in (("median", "prompts.median(dim=1).values"), ("largest", "prompts.amax(dim=1)"), ("smallest", "prompts.amin(dim=1)"), ("product", "prompts.prod(dim=1)"),
                   ("standard deviation", "prompts.std(dim=1, correction=0)")):
    wrong("other-average", label, STEPS, (CENTRE, f"centre = {way}"))
wrong("mean-over-classes", "", STEPS, (CENTRE, "centre = prompts.mean(dim=0)"))
wrong("mean-over-classes", "not again", STEPS, (CENTRE, "centre = prompts.mean(dim=0)"), (AGAIN, "pass"))
wrong("mean-over-classes", "lengths only after it", TORCH, (FIRST, "pass"), (SECOND, "e = F.normalize(prompts.mean(0))"))
wrong("mean-over-classes", "nothing normalized", STEPS, (UNIT, "pass"), (CENTRE, "centre = prompts.mean(0)"), (AGAIN, "pass"))
wrong("mean-over-classes", "mean of cosines", TORCH, (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bcp', x, e).mean(1)"))
wrong("mean-over-classes", "the coordinates", STEPS, (CENTRE, "centre = prompts.mean(dim=2)"))
for label, table in (("classes and prompts", "prompts.reshape(prompts.shape[1], prompts.shape[0], -1).mean(0)"), ("prompts at the end", "prompts.reshape(prompts.shape[0], -1, prompts.shape[1]).mean(-1)"),
                     ("a flat list of prompts", "prompts.flatten(0, 1).unflatten(0, (prompts.shape[1], prompts.shape[0])).mean(0)")):
    wrong("reshaped", label, STEPS, ("prompts.mean(dim=1)", table))
    wrong("reshaped", label + ", before the lengths", STEPS, ("    prompts = prompts / prompts.norm(dim=-1, keepdim=True)\n", ""), ("prompts.mean(dim=1)", table))
wrong("reshaped", "first of all", STEPS, ("    prompts = prompts /", "    prompts = prompts.reshape(prompts.shape[0], -1, prompts.shape[1]).transpose(1, 2)\n    prompts = prompts /"))
wrong("least-similar", "", STEPS, (END, "return scores.argmin(dim=1)"))
wrong("least-similar", "min and its index", TORCH, (PICK, "values, classes = similarity.min(dim=-1)"))
wrong("absolute", "", STEPS, (END, "return scores.abs().argmax(dim=1)"))
wrong("absolute", "squared", TORCH, (THIRD, "similarity = torch.einsum('bd,cd->bc', x, e) ** 2"))
wrong("distance", "nothing normalized", STEPS, (IMAGE, "pass"), (UNIT, "pass"), (AGAIN, "pass"), (END, "return torch.cdist(image, centre).argmin(dim=1)"))
wrong("distance", "not again", STEPS, (AGAIN, "pass"), (END, "return torch.cdist(image, centre).argmin(dim=1)"))
wrong("distance", "not again, images neither", STEPS, (IMAGE, "pass"), (AGAIN, "pass"), (END, "return torch.cdist(image, centre).argmin(dim=1)"))
wrong("distance", "prompts keep their lengths", STEPS, (UNIT, "pass"), (AGAIN, "pass"), (END, "return (image[:, None] - centre[None]).square().sum(-1).argmin(dim=1)"))
wrong("distance", "sum of differences", STEPS, (END, "return torch.cdist(image, centre, p=1).argmin(dim=1)"))
wrong("distance", "mean of distances", TORCH, (SECOND, "pass"), (THIRD, "similarity = -(image[:, None, None] - prompts[None]).norm(dim=-1).mean(-1)"))
wrong("over-images", "", STEPS, (END, "return scores.argmax(dim=0)"))
wrong("over-images", "transposed", TORCH, (PICK, "classes = similarity.T.argmax(-1)"))
wrong("over-images", "over everything", STEPS, (END, "return scores.argmax()"))
wrong("softmax-over-images", "", STEPS, (END, "return scores.softmax(dim=0).argmax(dim=1)"))
wrong("softmax-over-images", "times 100", STEPS, (END, "return (100 * scores).softmax(dim=0).argmax(dim=1)"))
wrong("from-1", "", STEPS, (END, "return scores.argmax(dim=1) + 1"))
wrong("from-1", "in the loop", LOOP, ("return torch.tensor(answers)", "return torch.tensor([answer + 1 for answer in answers])"))
wrong("returns-scores", "all cosines", STEPS, (END, "return scores"))
wrong("returns-scores", "the best cosine", TORCH, ("return classes", "return values"))
wrong("returns-scores", "probabilities", STEPS, (END, "return scores.softmax(dim=-1)"))
wrong("returns-scores", "scaled probabilities", STEPS, (END, "return (100 * scores).softmax(dim=-1)"))
wrong("returns-scores", "cosines of the prompts", TORCH, (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bcp', x, e)"), ("return classes", "return similarity"))
wrong("returns-both", "", TORCH, ("return classes", "return values, classes"))
wrong("returns-both", "the other way round", TORCH, ("return classes", "return classes, values"))
wrong("returns-both", "with all cosines", STEPS, (END, "return scores.argmax(dim=1), scores"))
wrong("wrong-form", "a column", STEPS, (END, "return scores.argmax(dim=1, keepdim=True)"))
wrong("wrong-form", "floating", STEPS, (END, "return scores.argmax(dim=1).to(image.dtype)"))
wrong("wrong-form", "one-hot", STEPS, (END, "return F.one_hot(scores.argmax(dim=1), len(prompts))"))
wrong("wrong-form", "whether it is the best", STEPS, (END, "return scores == scores.amax(1, keepdim=True)"))
wrong("wrong-form", "the ranking", STEPS, (END, "return scores.argsort(dim=1, descending=True)"))
wrong("vote", "a class for each prompt", TORCH, (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bpc', x, e)"))
wrong("prompt-index", "a prompt for each class", TORCH, (SECOND, "pass"), (THIRD, "similarity = torch.einsum('bd,cpd->bcp', x, e)"))
wrong("squeezed", "", STEPS, (END, "return scores.argmax(dim=1).squeeze()"))
wrong("squeezed", "the scores", STEPS, (END, "return scores.squeeze().argmax(dim=-1)"))
wrong("squeezed", "the prompts", STEPS, (CENTRE, "centre = prompts.squeeze().mean(dim=1)"))
wrong("squeezed", "the images", STEPS, (IMAGE, "image = (image / image.norm(dim=-1, keepdim=True)).squeeze()"), (END, "return scores.argmax(dim=-1)"))
wrong("changes-input", "", STEPS, (UNIT, "prompts /= prompts.norm(dim=-1, keepdim=True)"))
wrong("changes-input", "images and prompts", STEPS, (UNIT, "prompts.div_(prompts.norm(dim=-1, keepdim=True))"), (IMAGE, "image /= image.norm(dim=-1, keepdim=True)"))
wrong("returns-nothing", "", STEPS, (END, "best = scores.argmax(dim=1)"))
wrong("timeout", "", """
def zero_shot(image, prompts):
    import time
    c = 0
    while c < len(prompts):
        time.sleep(0.05)
        e = F.normalize(F.normalize(prompts[c], dim=-1).mean(0), dim=-1)
    return c
""")
wrong("ready-made", "from an invented library", """
def zero_shot(image, prompts):
    from transformers.pipelines import zero_shot as theirs
    return theirs(image, prompts)
""")
