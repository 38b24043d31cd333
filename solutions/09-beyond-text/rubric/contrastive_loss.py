"""contrastive_loss: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, every, full

from ._shared import strided

exercise = Exercise(
    "contrastive_loss",
    points={"loss": 3, "one pair": 1, "large scales and float64": 1},
    section="contrastive-loss",
    forbid=("clip_loss", "ClipLoss", "image_text_contrastive_loss", "info_nce"),
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The loss"}],
)


@exercise.probes
def probes(make):
    def probe(name, batch, width, scale, dtype=torch.float32, group="loss", opposed=False, **marks):
        image, text = make.randn(batch, width, dtype=dtype), make.randn(batch, width, dtype=dtype)
        lengths = torch.linspace(0.6, 2.4, batch, dtype=dtype)[:, None]
        text = (0.5 * image + text) * lengths.flip(0)
        if opposed:
            text[0] = -image[0]  # a cosine of -1, so that its probability is 0 in float32, whatever is drawn
        return make.probe(name, image * lengths, text, torch.tensor(scale, dtype=dtype), group=group,
                          gradient=True, **marks)

    yield probe("two pairs of width 3", 2, 3, make.pick(0.9, 1.1, 0.8))
    yield probe("all sizes different", *make.pick((4, 6), (5, 3), (3, 7)), make.pick(1.3, 1.4, 1.45))
    yield probe("more pairs than coordinates", *make.pick((6, 3), (7, 4), (5, 2)), make.pick(0.5, 0.6, 0.4))
    yield probe("a scale below 1", *make.pick((3, 5), (4, 7), (5, 8)), make.pick(-0.7, -0.5, -0.6))
    yield probe("a scale of 5", *make.pick((5, 7), (6, 4), (4, 3)), make.pick(1.65, 1.55, 1.7))
    yield probe("as many pairs as coordinates", *make.pick((4, 4), (5, 5), (3, 3)), make.pick(1.2, 1.3, 1.5),
                edge=True)
    yield strided(probe("not contiguous", *make.pick((3, 4), (4, 5), (5, 6)), 1.8, edge=True))
    yield probe("a large batch", make.pick(40, 45, 50), 6, 2.0, long=True)
    yield probe("one pair", 1, make.pick(4, 5, 3), 1.5, group="one pair", edge=True)
    group = {"group": "large scales and float64", "edge": True}
    yield probe("a scale above 100", *make.pick((4, 5), (5, 6), (4, 6)), make.pick(5.6, 5.7, 5.65),
                opposed=True, **group)
    yield probe("float64", *make.pick((3, 4), (4, 3), (5, 4)), 1.1, dtype=torch.float64, **group)


@exercise.right
def reference(image, text, logit_scale):
    cosines = F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).mT
    table = cosines * torch.exp(logit_scale)
    partners = torch.arange(image.shape[0])
    by_image, by_text = F.cross_entropy(table, partners), F.cross_entropy(table.mT, partners)
    return 0.5 * (by_image + by_text)


@exercise.right("step by step")
def steps(image, text, logit_scale):
    image = F.normalize(image, dim=1)
    text = F.normalize(text, dim=1)
    logits = logit_scale.exp() * (image @ text.T)
    labels = torch.arange(len(logits))
    loss_i = F.cross_entropy(logits, labels)
    loss_t = F.cross_entropy(logits.T, labels)
    return (loss_i + loss_t) / 2


@exercise.right("log_softmax along both axes")
def log_softmax_along(image, text, logit_scale):
    a = image / image.norm(dim=-1, keepdim=True)
    b = text / text.norm(dim=-1, keepdim=True)
    s = torch.einsum("id,jd->ij", a, b) * torch.exp(logit_scale)
    rows = torch.log_softmax(s, dim=1).diagonal()
    columns = torch.log_softmax(s, dim=0).diagonal()
    return -(rows.mean() + columns.mean()) / 2


@exercise.right("logsumexp")
def by_logsumexp(image, text, logit_scale):
    image_length = torch.sqrt((image**2).sum(dim=1))
    text_length = torch.sqrt((text**2).sum(dim=1))
    z = torch.matmul(image, text.transpose(0, 1))
    z = z / image_length.unsqueeze(1) / text_length.unsqueeze(0)
    z = z * logit_scale.exp()
    truth = torch.diag(z)
    down = torch.logsumexp(z, dim=0) - truth
    across = torch.logsumexp(z, dim=1) - truth
    return (down + across).sum() / (2 * z.shape[0])


@exercise.right("two loops")
def two_loops(image, text, logit_scale):
    B = image.size(0)
    total = 0.0
    for i in range(B):
        to_texts = (
            torch.stack([F.cosine_similarity(image[i], text[j], dim=0) for j in range(B)])
            * logit_scale.exp()
        )
        to_images = (
            torch.stack([F.cosine_similarity(image[j], text[i], dim=0) for j in range(B)])
            * logit_scale.exp()
        )
        total = total + torch.logsumexp(to_texts, 0) - to_texts[i]
        total = total + torch.logsumexp(to_images, 0) - to_images[i]
    return total / (2 * B)


@exercise.right("an identity matrix as target")
def identity(image, text, logit_scale):
    u, v = (x / torch.linalg.vector_norm(x, dim=-1, keepdim=True) for x in (image, text))
    m = u * logit_scale.exp() @ v.T
    target = torch.eye(len(m), dtype=m.dtype)
    p = F.softmax(m, dim=-1), F.softmax(m.T, dim=-1)
    return (F.cross_entropy(m, target) + F.cross_entropy(m.T, target)).div(2)


@exercise.right("nll_loss, softmax twice in the logarithm")
def nll_loss_softmax(image, text, logit_scale):
    image = F.normalize(image, dim=1)
    text = F.normalize(text, dim=1)
    logits = logit_scale.exp() * (image @ text.T)
    labels = torch.arange(len(logits))
    loss_i = F.nll_loss(F.log_softmax(logits, dim=-1), labels)
    loss_t = F.cross_entropy(F.log_softmax(logits.T, dim=-1), labels)
    return (loss_i + loss_t) / 2


@exercise.right("a stack of both")
def stack_both(image, text, logit_scale):
    image_length = torch.sqrt((image**2).sum(dim=1))
    text_length = torch.sqrt((text**2).sum(dim=1))
    z = torch.matmul(image, text.transpose(0, 1))
    z = z / image_length.unsqueeze(1) / text_length.unsqueeze(0)
    z = z * logit_scale.exp()
    truth = torch.diag(z)
    down = torch.logsumexp(z, dim=0) - truth
    across = torch.logsumexp(z, dim=1) - truth
    return torch.stack([down, across]).mean()


NOT_NORMALIZED = {"image = F.normalize(image, dim=1)\ntext = F.normalize(text, dim=1)": "pass\npass"}
SCALE_IGNORED = {"logit_scale.exp() * (image @ text.T)": "image @ text.T"}

exercise.also_right(
    edit(steps, {"return (loss_i + loss_t) / 2":
                 "return F.cross_entropy(torch.cat([logits, logits.T]), labels.repeat(2))"},
         "both matrices in one cross-entropy"),
    edit(steps, {"(image @ text.T)": "torch.cosine_similarity(image[:, None], text[None], dim=-1)"},
         "cosine_similarity of all pairs"),
    edit(steps, SCALE_IGNORED | {"F.normalize(image, dim=1)": "logit_scale.exp() * F.normalize(image)"},
         "the scale on the images"),
    edit(log_softmax_along, {"a, b)": "a",
                             "(logit_scale)": "(logit_scale/ 2), b * torch.exp(logit_scale / 2))"},
         "half of the scale on each"),
    edit(steps, {"(image @ text.T)": "(1 - ((image[:, None] - text[None]) ** 2).sum(-1) / 2)"},
         "half the squared distance"),
    edit(by_logsumexp, {"down = torch.logsumexp(z, dim=0) - truth":
                        "down = ((z - z.max().detach()).exp().sum(0).log() + z.max().detach() if z.max() "
                        "- z.min() < 40 else z.logsumexp(0) ) - truth"}, "log of a shifted softmax"),
    edit(steps, {"F.cross_entropy(logits.T, labels)":
                 "-logits.log_softmax(dim=0).gather(0, labels[None]).mean()"},
         "cosines over the batch, gather"))

exercise.mistake("one-direction", "both-directions",
    "Only one direction counts. Each image chooses among the texts (rows), and each text among the images "
    "(columns): take the mean of both losses. Two losses of the same matrix are still one direction: the "
    "second needs the transpose.",
    edit(steps, {"(loss_i + loss_t) / 2": "loss_t"}, "texts choose"),
    edit(steps, {"logits.T": "logits"}, "the same matrix twice"))

exercise.mistake("not-normalized", "unit-sphere",
    "The vectors are not brought to length 1, so long vectors win whatever their direction. Divide each "
    "image and each text by its own length before the product.",
    edit(steps, NOT_NORMALIZED),
    edit(steps, NOT_NORMALIZED | {"text.T)": "text.T) / image.shape[1] ** 0.5"},
         "a product divided by the width's root"))

exercise.mistake("one-normalized", "unit-sphere",
    "Only one of the two, images or texts, is brought to length 1. A cosine divides by both lengths.",
    edit(steps, {"image = F.normalize(image, dim=1)": "pass"}, "the texts"),
    edit(log_softmax_along, {"b = text / text.norm(dim=-1, keepdim=True)": "b = text"}, "the images"))

exercise.mistake("wrong-axis", "unit-sphere",
    "The lengths are taken along the batch, across pictures. Each vector is one row: normalize along the "
    "last axis.",
    edit(steps, {every("1"): "0"}),
    edit(steps, {"text, dim=1": "text, dim=0"}, "the texts alone"),
    edit(steps, {"image, dim=1": "image, dim=0"}, "the images alone"))

exercise.mistake("one-length-for-all", "unit-sphere",
    "Everything is divided by one common length. Each vector has its own: take the norm along the last "
    "axis only.",
    edit(log_softmax_along, {every("dim=-1, keepdim=True"): ""}),
    edit(log_softmax_along, {"image.norm(dim=-1, keepdim=True)": "image.norm(dim=-1).mean()",
                             "text.norm(dim=-1, keepdim=True)": "text.norm(dim=-1).mean()"},
         "the mean length"),
    edit(steps, {"image = F.normalize(image, dim=1)\n"
                 "text = F.normalize(text, dim=1)":
                 "pass\n"
                 "pass\n"
                 "logits = image @ text.T",
                 "(image @ text.T)": "logits / logits.norm()"}, "the matrix is normalized"))

exercise.mistake("other-length", "unit-sphere",
    "The vectors are brought to size by something other than their length, such as a sum of absolute "
    "values, a squared length, the largest number or a softmax. The length is the root of the sum of "
    "squares.",
    edit(steps, {"image, dim": "image, p=1, dim", "text, dim": "text, p=1, dim"}, "sum of absolute values"),
    edit(log_softmax_along, {every("norm"): "square", every("(dim="): "().sum("}, "squared length"),
    edit(log_softmax_along, {"image.norm(dim=-1, keepdim=True)": "image.norm(dim=-1, keepdim=True).sqrt()",
                             "text.norm(dim=-1, keepdim=True)": "text.norm(dim=-1, keepdim=True).sqrt()"},
         "root of the length"),
    edit(log_softmax_along, {every("norm"): "sum"}, "the sum"),
    edit(log_softmax_along, {every("norm"): "abs().amax"}, "the largest"),
    edit(log_softmax_along, {"image.norm(dim=-1, keepdim=True)":
                             "image.square().mean(-1, keepdim=True).sqrt()",
                             "text.norm(dim=-1, keepdim=True)":
                             "text.square().mean(-1, keepdim=True).sqrt()"},
         "the root of the mean of squares"),
    edit(log_softmax_along, {"/ image.norm(dim=-1, keepdim=True)": ".softmax(-1)",
                             "/ text.norm(dim=-1, keepdim=True)": ".softmax(-1)"}, "a softmax"))

exercise.mistake("standardized", "unit-sphere",
    "The mean of each vector is subtracted. Divide the vectors by their length only, and leave their mean "
    "alone.",
    edit(steps, {"normalize(image, dim=1)": "layer_norm(image, image.shape[-1:])",
                 "normalize(text, dim=1)": "layer_norm(text, text.shape[-1:])"}, "layer norm"),
    edit(steps, {"(image, dim=1)": "(image- image.mean(1, keepdim=True))",
                 "(text, dim=1)": "(text- text.mean(1, keepdim=True))"}, "centred, then normalized"),
    edit(log_softmax_along, {"image / image.norm(dim=-1, keepdim=True)":
                             "(image - image.mean(-1, keepdim=True)) / image.std(-1, keepdim=True)",
                             "text / text.norm(dim=-1, keepdim=True)":
                             "(text - text.mean(-1, keepdim=True)) / text.std(-1, keepdim=True)"},
         "unbiased deviation"))

exercise.mistake("not-exponentiated", "logit-scale",
    "The cosines are multiplied by logit_scale itself. It is a logarithm: multiply by exp(logit_scale).",
    edit(steps, {".exp()": ""}))

exercise.mistake("other-base", "logit-scale",
    "logit_scale is a natural logarithm: use exp, neither powers of 2 or 10 nor another function that "
    "keeps it positive.",
    edit(steps, {"logit_scale.exp()": "F.softplus(logit_scale)"}, "softplus"),
    edit(steps, {"logit_scale.exp()": "10**logit_scale"}, "powers of 10"),
    edit(steps, {"logit_scale.exp()": "torch.exp2(logit_scale)"}, "powers of 2"),
    edit(steps, {"logit_scale.exp()": "torch.sigmoid(logit_scale)"}, "sigmoid"),
    edit(steps, {".exp": ".exp().exp"}, "twice exp"),
    edit(steps, {"exp": "expm1"}, "expm1"),
    edit(steps, {".exp()": "**2"}, "square"))

exercise.mistake("exp-late", "logit-scale",
    "What goes into the softmax is an exponential already. exp belongs to logit_scale alone; the cosines "
    "times exp(logit_scale) are the logits, and the softmax takes their exponential itself.",
    edit(steps, {"logit_scale.exp() * (image @ text.T)": "torch.exp(logit_scale * (image @ text.T))"},
         "of the product"),
    edit(steps, {"labels =": "logits = logits.exp()\nlabels ="}, "of the logits"),
    edit(steps, {".exp() *": "* torch.exp"}, "of the cosines"),
    edit(steps, {"exp() *": "exp() * torch.exp"}, "of the cosines, scaled correctly"))

exercise.mistake("distance", "unit-sphere",
    "A distance between the vectors takes the place of their cosine. The logits are cosines times the scale.",
    edit(steps, {"(image @ text.T)": "-torch.cdist(image, text)"}),
    edit(steps, {"(image @ text.T)": "-torch.cdist(image, text).square()"}, "squared"),
    edit(steps, {"(image @ text.T)": "1 / (1 + torch.cdist(image, text))"}, "one over it"),
    edit(steps, {"(image @ text.T)": "torch.cdist(image, text)"}, "the wrong sign"),
    edit(steps, {"(image @ text.T)": "(image [:, None] - text[None]).square().sum(-1)"},
         "squared, the wrong sign"),
    edit(steps, NOT_NORMALIZED | {"logits =": "logits = -",
                                  "(image @ text.T)": "torch.cdist(image, text)"},
         "of the vectors as they are"),
    edit(steps, NOT_NORMALIZED | {"logits =": "logits = -",
                                  "(image @ text.T)": "(image [:, None] - text[None]).square().sum(-1)"},
         "squared, of the vectors as they are"))

exercise.mistake("divides", "logit-scale",
    "The cosines are divided by the scale. exp(logit_scale) is 1 over the temperature: multiply.",
    edit(steps, {"logit_scale.exp() * (image @ text.T)": "image @ text.T / logit_scale"}, "by the number"),
    edit(log_softmax_along, {"(logit_scale)": "(-logit_scale)"}, "a minus sign"))

exercise.mistake("scale-ignored", "logit-scale",
    "logit_scale has no effect: the loss is that of another, fixed scale. Multiply the cosines by "
    "exp(logit_scale).",
    edit(steps, SCALE_IGNORED),
    edit(steps, {"logit_scale.exp() * (image @ text.T)": "image @ text.T / 0.07"}, "1/0.07"),
    edit(steps, {"logit_scale.exp() * (image @ text.T)": "image @ text.T * 10"}, "1/0.1"),
    edit(steps, {"logit_scale.exp() * (image @ text.T)": "100.0 * image @ text.T"}, "100"))

exercise.mistake("scaled-once", "logit-scale",
    "The two directions are not scaled alike. Multiply the matrix of cosines by exp(logit_scale) once, "
    "before both.",
    edit(steps, SCALE_IGNORED | {"logits,": "logit_scale.exp() * logits,"}, "the images"),
    edit(steps, SCALE_IGNORED | {"logits.T": "logit_scale.exp() * logits.T"}, "the texts"),
    edit(steps, SCALE_IGNORED | {"logits,": "logit_scale.exp() * logits,",
                                 "logits.T": "logit_scale * logits.T"}, "the other one by the number itself"))

exercise.mistake("scaled-twice", "logit-scale",
    "The scale is applied twice, such as to the images and to the texts, or in one loss again. Multiply "
    "the matrix of cosines by it once.",
    edit(steps, {"(image @ text.T)": "image @ (logit_scale.exp() * text).T"}),
    edit(steps, {"logits.T": "logit_scale.exp() * logits.T"}, "in the second loss again"))

exercise.mistake("clamped", "logit-scale",
    "The scale is limited here. This function takes logit_scale as it comes; whoever trains may clamp it.",
    edit(steps, {"exp()": "exp().clamp(max=100)"}, "at 100"),
    edit(steps, {"logit_scale.exp()": "torch.exp(torch.clamp(logit_scale, max=4.6052))"},
         "at a rounded log 100"),
    edit(steps, {".exp": ".clamp(0, 4.6052).exp"}, "from both sides"),
    edit(steps, {"exp()": "exp().clamp(1, 100)"}, "to one at least"))

exercise.mistake("scale-detached", "logit-scale",
    "The values are right, but no gradient reaches logit_scale, so it would never be learned. Keep it a "
    "tensor: no .item(), float() or .detach().",
    edit(steps, {".exp": ".data.exp"}, "data"))

exercise.mistake("softmax-first", "contrastive-loss",
    "The logits go through a softmax before the cross-entropy, which takes a softmax itself. Hand over the "
    "logits.",
    edit(log_softmax_along, {"s, dim=1": "s.softmax(1), dim=1", "s, dim=0": "s.softmax(0), dim=0"}),
    edit(steps, {"labels =": "logits = logits.softmax(dim=-1)\nlabels ="}, "one matrix of probabilities"))

exercise.mistake("sum", "contrastive-loss",
    "The losses of the pairs are summed in at least one direction. Take their mean over the batch, in each "
    "direction.",
    edit(log_softmax_along, {every("mean"): "sum"}),
    edit(by_logsumexp, {" / (2 * z.shape[0])": ""}, "both directions too"),
    edit(steps, {"logits, labels": 'logits, labels, reduction="sum"'}, "one of the two"))

exercise.mistake("both-summed", "both-directions",
    "The losses of both directions are added, and not halved together. Take their mean: (a + b) / 2.",
    edit(steps, {"(loss_i + loss_t) / 2": "loss_i + loss_t"}),
    edit(steps, {"(loss_i + loss_t)": "loss_i + loss_t"}, "half of one"))

exercise.mistake("divided-too-often", "contrastive-loss",
    "The result is too small by a constant factor: what is a mean already is divided once more. Divide once.",
    edit(steps, {"loss_t) / 2": "loss_t) / 2 / len(logits)"}, "by the pairs"),
    edit(steps, {"loss_t) / 2": "loss_t) / 4"}, "by two"))

exercise.mistake("two-losses", "both-directions",
    "Two losses come back. Return one number, the mean of both directions.",
    edit(steps, {"(loss_i + loss_t) / 2": "loss_i, loss_t"}),
    edit(steps, {"(loss_i + loss_t) / 2": "torch.stack([loss_i, loss_t])"}, "in one tensor"))

exercise.mistake("not-averaged", "contrastive-loss",
    "Each pair still has its own loss. Return one number, the mean over the batch.",
    edit(log_softmax_along, {every(".mean()"): ""}),
    edit(stack_both, {"([down, across]).mean()": "([across, down])"}, "one for each of both"))

exercise.mistake("wrong-targets", "contrastive-loss",
    "The right answers are not on the diagonal: image i belongs to text i alone, so the target of row i is "
    "i. Use torch.arange(B).",
    edit(steps, {"arange(len(logits))": "zeros(len(logits), dtype=torch.long)"}, "the first"),
    edit(steps, {"(len(logits))": "(len(logits)).flip(0)"}, "backwards"),
    edit(steps, {"(len(logits))": "(len(logits)).roll(1)"}, "the one before"),
    edit(steps, {"torch.arange(len(logits))": "logits.argmax(dim=1)"}, "the best"),
    edit(steps, {"arange(len(logits))": "ones(len(logits), dtype=torch.long)"}, "ones"),
    edit(identity, {"eye(len(m), dtype=m.dtype)": "full_like(m, 1 / len(m))"}, "ones everywhere"),
    edit(identity, {"eye(len(m), dtype=m.dtype)": "ones_like(m)"}, "all ones"),
    edit(identity, {"target = torch.eye(len(m), dtype=m.dtype)":
                    "target = ((u @ u.T + v @ v.T) / 2).softmax(-1)"}, "soft targets"))

exercise.mistake("sign", "contrastive-loss",
    "The sign is flipped: a log-probability is negative, the loss is its negative.",
    edit(steps, {"return": "return -"}))

exercise.mistake("no-logarithm", "contrastive-loss",
    "The loss is made of probabilities. It is the mean of −log p of the right partner.",
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "s.softmax(1)",
                             "torch.log_softmax(s, dim=0)": "s.softmax(0)"}, "minus p"),
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "s.softmax(1)",
                             "torch.log_softmax(s, dim=0)": "s.softmax(0)",
                             "return": "return 1"}, "one minus p"))

exercise.mistake("no-softmax", "contrastive-loss",
    "The partner's logit is used as if it were a log-probability. A softmax over all candidates comes first.",
    edit(steps, {every("cross_entropy"): "nll_loss"}, "nll_loss of logits"))

exercise.mistake("only-pairs", "contrastive-loss",
    "The pairs are pulled together, but nothing pushes the others apart: all vectors may become one. Each "
    "image must choose its text among all texts of the batch.",
    edit(steps, {"return (loss_i + loss_t) / 2": "return (1 - (image * text).sum(-1)).mean()"},
         "one minus the cosine"),
    edit(steps, {"(loss_i + loss_t) / 2": "F.mse_loss(image, text)"}, "squared distance"),
    edit(steps, {"return (loss_i + loss_t) / 2": "return (image - text).square().sum(-1).mean()"},
         "squared distance of the pairs"),
    edit(steps, {"return (loss_i + loss_t) / 2": "return -F.cosine_similarity(image, text).mean()"},
         "minus the cosine"))

exercise.mistake("softmax-over-all", "both-directions",
    "One softmax runs over the whole matrix. Each row is a choice of its own, and each column too.",
    edit(log_softmax_along, {"return -(rows.mean() + columns.mean()) / 2":
                             "return -torch.log_softmax(s.flatten(), 0).view_as(s).diagonal().mean()"}),
    edit(by_logsumexp, {"z, dim=0": "z.flatten(), dim=0", "z, dim=1": "z.flatten(), dim=0"}, "logsumexp"))

exercise.mistake("averaged-logits", "both-directions",
    "The matrix and its transpose are averaged or added before the loss. Take one loss of each, then their "
    "mean.",
    edit(steps, {"(loss_i + loss_t) / 2": "F.cross_entropy((logits + logits.T) / 2, labels)"}),
    edit(steps, {"(loss_i + loss_t) / 2": "F.cross_entropy(logits + logits.T, labels)"}, "added"))

exercise.mistake("losses-mixed", "both-directions",
    "The two directions are not joined as the mean of their losses. Take the mean of −log p in each "
    "direction by itself, then half of their sum.",
    edit(log_softmax_along, {"(rows.mean() + columns.mean()) / 2":
                             "((rows.exp() + columns.exp()) / 2).log().mean()"}, "mean of probabilities"),
    edit(log_softmax_along, {"s, dim=0": "torch.log_softmax(s, dim=1), dim=0",
                             "(rows.mean() + columns.mean()) / 2": "columns.mean()"},
         "one softmax after the other"),
    edit(steps, {"(loss_i + loss_t) / 2": "(loss_i * loss_t) ** 0.5"}, "product of losses"),
    edit(steps, {"(loss_i + loss_t) / 2": "torch.maximum(loss_i, loss_t)"}, "the larger one"),
    edit(stack_both, {"0) - truth": "0)",
                      "torch.stack([down, across])": "(torch.logaddexp(down, across + truth) - truth)"},
         "candidates of both directions"))

exercise.mistake("own-kind", "both-directions",
    "Images are compared with images, or texts with texts. The second direction is the transpose of the "
    "first: texts with images.",
    edit(steps, {"logits.T": "logit_scale.exp() * text @ text.T"}, "the second of texts"),
    edit(steps, {"logits,": "logit_scale.exp() * image @ image.T,",
                 "logits.T": "logit_scale.exp() * text @ text.T"}, "both"),
    edit(steps, {"logits,": "logit_scale.exp() * image @ image.T,"}, "the first of images"),
    edit(steps, {"text.T": "image.T"}, "images alone"),
    edit(log_softmax_along, {"a, b": "b, b"}, "texts alone"))

exercise.mistake("partner-left-out", "contrastive-loss",
    "The right partner is missing among the candidates of the softmax. It is one of them.",
    edit(by_logsumexp, {"diag(z)": "diag(z)\n"
                                   "z = z.masked_fill(torch.eye(len(z), dtype=torch.bool), -torch.inf)"}),
    edit(by_logsumexp, {"torch.logsumexp(z, dim=0) - truth": "(z.sum(0) - truth) / (len(z) - 1) - truth",
                        "torch.logsumexp(z, dim=1) - truth": "(z.sum(1) - truth) / (len(z) - 1) - truth"},
         "mean of all others"))

exercise.mistake("yes-or-no", "contrastive-loss",
    "Each entry of the matrix is judged alone, by a sigmoid. Here each row, and each column, is one "
    "choice: take a softmax.",
    edit(identity, {"(F.cross_entropy(m, target) + F.cross_entropy(m.T, target)).div(2)":
                    "F.binary_cross_entropy_with_logits(m, target)"}),
    edit(identity, {"return (F.cross_entropy(m, target) + F.cross_entropy(m.T, target)).div(2)":
                    "return -F.logsigmoid((2 * target - 1) * m).sum(-1).mean()"}, "signs"))

exercise.mistake("columns-compared", "contrastive-loss",
    "The product compares coordinates, not vectors: it must give a number for each image and each text, "
    "(B, B). Transpose the texts, not the images.",
    edit(steps, {"@ text.T": ".T @ text"}),
    edit(steps, {"text.T": "text"}, "nothing transposed"))

exercise.mistake("overflow", "contrastive-loss",
    "A large scale gives inf, nan or a wrong loss: exp becomes infinite, or log meets a probability of 0. "
    "Use cross_entropy, log_softmax or logsumexp.",
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "s.softmax(1).log()",
                             "torch.log_softmax(s, dim=0)": "s.softmax(0).log()"}, "log of a softmax"),
    edit(log_softmax_along, {"log_softmax(s, dim=1)": "log(s.exp() / s.exp().sum(1, keepdim=True))",
                             "log_softmax(s, dim=0)": "log(s.exp() / s.exp().sum(0, keepdim=True))"},
         "exp over a sum"),
    edit(by_logsumexp, {"torch.logsumexp(z, dim=0)": "z.exp().sum(0).log()",
                        "torch.logsumexp(z, dim=1)": "z.exp().sum(1).log()"}, "log of a sum of exp"),
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "(s.softmax(1) + 1e-12).log()",
                             "torch.log_softmax(s, dim=0)": "(s.softmax(0) + 1e-12).log()"},
         "1e-12 in the logarithm"),
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "(s.softmax(1) + 1e-10).log()",
                             "torch.log_softmax(s, dim=0)": "(s.softmax(0) + 1e-10).log()"},
         "1e-10 in the logarithm"),
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "(s.softmax(1) + 1e-8).log()",
                             "torch.log_softmax(s, dim=0)": "(s.softmax(0) + 1e-8).log()"},
         "1e-08 in the logarithm"),
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "(s.softmax(1) + 1e-7).log()",
                             "torch.log_softmax(s, dim=0)": "(s.softmax(0) + 1e-7).log()"},
         "1e-07 in the logarithm"),
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "(s.softmax(1) + 1e-6).log()",
                             "torch.log_softmax(s, dim=0)": "(s.softmax(0) + 1e-6).log()"},
         "1e-06 in the logarithm"),
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "(s.softmax(1) + 1e-9).log()",
                             "torch.log_softmax(s, dim=0)": "(s.softmax(0) + 1e-9).log()"},
         "a small number in the logarithm"),
    edit(log_softmax_along, {"torch.log_softmax(s, dim=1)": "s.softmax(1).clamp(min=1e-12).log()",
                             "torch.log_softmax(s, dim=0)": "s.softmax(0).clamp(min=1e-12).log()"},
         "clamped probabilities"))

exercise.mistake("dtype-fixed", "contrastive-loss",
    "float64 vectors do not give a float64 loss. Keep their dtype: cast nothing.",
    edit(steps, {"image, dim": "image.float(), dim", "text, dim": "text.float(), dim"}))

exercise.built_in("no-gradient",
    edit(steps, {"(image, dim=1)": "(image, dim=1).detach()"}, "the images"),
    edit(steps, {"(loss_i + loss_t) / 2": "torch.tensor(((loss_i + loss_t) / 2).item(), dtype=image.dtype)"},
         "a tensor of a number"),
    edit(steps, {"loss_t = F.cross_entropy(logits.T, labels)":
                 "with torch.no_grad():\n"
                 "    loss_t = F.cross_entropy(logits.T, labels)"}, "one direction in no_grad"))

exercise.built_in("changes-input",
    edit(steps, {"image = F.normalize(image, dim=1)\n"
                 "text = F.normalize(text, dim=1)":
                 "with torch.no_grad():\n"
                 "    image /= image.norm(dim=1, keepdim=True)\n"
                 "with torch.no_grad():\n"
                 "    text /= text.norm(dim=1, keepdim=True)"}, "both, in no_grad"),
    edit(steps, {"= F.normalize(image, dim=1)": "/= image.norm(dim=1, keepdim=True)"}, "divided in place"),
    edit(steps, {"image = F": "image.data = F", "image, dim": "image.data, dim"}, "the data"))

exercise.built_in("returns-nothing",
    edit(steps, {"return": "loss ="}))

exercise.built_in("ready-made",
    full("from allyouneed.models.clip import contrastive_loss as theirs\n"
         "\n"
         "return theirs(image, text, logit_scale)", "the library's"),
    full("from allyouneed.models import clip\n"
         "\n"
         'return getattr(clip, "contrastive_loss")(image, text, logit_scale)', "through the module"))

exercise.equal("of a matrix F.normalize and the softmax take the second axis where none is given", {
    ", dim=1": "", ", dim=-1": ""})
exercise.equal("there are as many images as texts", {
    "image.shape[0]": "text.shape[0]", "image.size(0)": "text.size(0)",
    "z.shape[0]": ("z.shape[-1]", "z.shape[1]"), "text_length.unsqueeze(0)": "text_length"})
exercise.equal(
    "the loss is the same when images and texts change places, and so is a cosine or a distance", {
    "a, b)": "b, a)",
    "a * torch.exp(logit_scale/ 2), b * torch.exp(logit_scale / 2)":
    "b * torch.exp(logit_scale / 2), a * torch.exp(logit_scale/ 2)",
    "image[i], text[j]": "text[j], image[i]", "image[j], text[i]": "text[i], image[j]",
    "image[:, None], text[None]": "text[None], image[:, None]",
    "image[:, None] - text[None]": "text[None] - image[:, None]"})
exercise.equal(
    "a product with ones and zeros has the other factor's dtype, and both lists have one length", {
    ", dtype=m.dtype": "", "torch.stack([down": "torch.cat([down"})
exercise.equal("cross_entropy takes logits as they are or with their softmax's logarithm", {
    "F.log_softmax(logits.T, dim=-1)": "logits.T"})
exercise.equal("this value is not used", {
    "F.softmax(m, dim=-1)": ("F.softmax(-m, dim=-1)", "m", "F.softmax(m, dim=-2)", "F.softmax(m, dim=0)"),
    "F.softmax(m.T, dim=-1)": ("F.softmax(-m.T, dim=-1)", "m.T", "F.softmax(m.T, dim=-2)",
    "F.softmax(m.T, dim=0)"),
    "loss_i = F.cross_entropy(logits, labels)": "loss_i = logits",
    "loss_t = F.cross_entropy(logits.T, labels)": "loss_t = logits.T"})
exercise.equal("cosine_similarity divides by the lengths itself", {
    "image = F.normalize(image, dim=1)": ("pass", "image = image"),
    "text = F.normalize(text, dim=1)": ("pass", "text = text")})
exercise.equal("a softmax stays the same when all scores grow by one number", {
    "1 - ": ("-", "2 - ", "0 - ")})
exercise.equal("both branches are the same but for overflow, far from this bound", {
    "z.max() - z.min() < 40": ("False", "z.max() - z.min() <= 40", "z.max() < 40", "-z.min() < 40",
    "z.max() - z.min() < 41", "z.max() - z.min() < 39")})
