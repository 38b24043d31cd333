"""The rubric of contrastive_loss: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

from ._shared import strided, writer

exercise = Exercise(
    "contrastive_loss",
    points={"loss": 3, "one pair": 1, "large scales and float64": 1},
    section="contrastive-loss",
    forbid=("clip_loss", "ClipLoss", "image_text_contrastive_loss", "info_nce"),
    compact=True,
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The loss"}],
    mistakes={
        "one-direction": ("Only one direction counts. Each image chooses among the texts (rows), and each text among the images (columns): take the mean of "
                          "both losses. Two losses of the same matrix are still one direction: the second needs the transpose.", "both-directions"),
        "not-normalized": ("The vectors are not brought to length 1, so long vectors win whatever their direction. Divide each image and each text by its "
                           "own length before the product.", "unit-sphere"),
        "one-normalized": ("Only one of the two, images or texts, is brought to length 1. A cosine divides by both lengths.", "unit-sphere"),
        "wrong-axis": ("The lengths are taken along the batch, across pictures. Each vector is one row: normalize along the last axis.", "unit-sphere"),
        "one-length-for-all": ("Everything is divided by one common length. Each vector has its own: take the norm along the last axis only.", "unit-sphere"),
        "other-length": ("The vectors are brought to size by something other than their length, such as a sum of absolute values, a squared length, the "
                         "largest number or a softmax. The length is the root of the sum of squares.", "unit-sphere"),
        "standardized": ("The mean of each vector is subtracted. Divide the vectors by their length only, and leave their mean alone.", "unit-sphere"),
        "not-exponentiated": ("The cosines are multiplied by logit_scale itself. It is a logarithm: multiply by exp(logit_scale).", "logit-scale"),
        "other-base": ("logit_scale is a natural logarithm: use exp, neither powers of 2 or 10 nor another function that keeps it positive.", "logit-scale"),
        "exp-late": ("What goes into the softmax is an exponential already. exp belongs to logit_scale alone; the cosines times exp(logit_scale) are the logits, "
                     "and the softmax takes their exponential itself.", "logit-scale"),
        "divides": ("The cosines are divided by the scale. exp(logit_scale) is 1 over the temperature: multiply.", "logit-scale"),
        "scale-ignored": ("logit_scale has no effect: the loss is that of another, fixed scale. Multiply the cosines by exp(logit_scale).", "logit-scale"),
        "scaled-once": ("The two directions are not scaled alike. Multiply the matrix of cosines by exp(logit_scale) once, before both.", "logit-scale"),
        "scaled-twice": ("The scale is applied twice, such as to the images and to the texts, or in one loss again. Multiply the matrix of cosines by it "
                         "once.", "logit-scale"),
        "clamped": ("The scale is limited here. This function takes logit_scale as it comes; whoever trains may clamp it.", "logit-scale"),
        "scale-detached": ("The values are right, but no gradient reaches logit_scale, so it would never be learned. Keep it a tensor: no .item(), float() "
                           "or .detach().", "logit-scale"),
        "softmax-first": ("The logits go through a softmax before the cross-entropy, which takes a softmax itself. Hand over the logits.", "contrastive-loss"),
        "sum": ("The losses of the pairs are summed in at least one direction. Take their mean over the batch, in each direction.", "contrastive-loss"),
        "both-summed": ("The losses of both directions are added, and not halved together. Take their mean: (a + b) / 2.", "both-directions"),
        "divided-too-often": ("The result is too small by a constant factor: what is a mean already is divided once more. Divide once.", "contrastive-loss"),
        "two-losses": ("Two losses come back. Return one number, the mean of both directions.", "both-directions"),
        "not-averaged": ("Each pair still has its own loss. Return one number, the mean over the batch.", "contrastive-loss"),
        "wrong-targets": ("The right answers are not on the diagonal: image i belongs to text i alone, so the target of row i is i. Use torch.arange(B).",
                          "contrastive-loss"),
        "sign": ("The sign is flipped: a log-probability is negative, the loss is its negative.", "contrastive-loss"),
        "no-logarithm": ("The loss is made of probabilities. It is the mean of −log p of the right partner.", "contrastive-loss"),
        "no-softmax": ("The partner's logit is used as if it were a log-probability. A softmax over all candidates comes first.", "contrastive-loss"),
        "distance": ("A distance between the vectors takes the place of their cosine. The logits are cosines times the scale.", "unit-sphere"),
        "only-pairs": ("The pairs are pulled together, but nothing pushes the others apart: all vectors may become one. Each image must choose its text "
                       "among all texts of the batch.", "contrastive-loss"),
        "softmax-over-all": ("One softmax runs over the whole matrix. Each row is a choice of its own, and each column too.", "both-directions"),
        "averaged-logits": ("The matrix and its transpose are averaged or added before the loss. Take one loss of each, then their mean.", "both-directions"),
        "losses-mixed": ("The two directions are not joined as the mean of their losses. Take the mean of −log p in each direction by itself, then half of "
                         "their sum.", "both-directions"),
        "own-kind": ("Images are compared with images, or texts with texts. The second direction is the transpose of the first: texts with images.",
                     "both-directions"),
        "partner-left-out": ("The right partner is missing among the candidates of the softmax. It is one of them.", "contrastive-loss"),
        "yes-or-no": ("Each entry of the matrix is judged alone, by a sigmoid. Here each row, and each column, is one choice: take a softmax.",
                      "contrastive-loss"),
        "columns-compared": ("The product compares coordinates, not vectors: it must give a number for each image and each text, (B, B). Transpose the texts, "
                             "not the images.", "contrastive-loss"),
        "overflow": ("A large scale gives inf, nan or a wrong loss: exp becomes infinite, or log meets a probability of 0. Use cross_entropy, log_softmax or "
                     "logsumexp.", "contrastive-loss"),
        "dtype-fixed": ("float64 vectors do not give a float64 loss. Keep their dtype: cast nothing.", "contrastive-loss"),
    },
)
wrong, right = writer(exercise)


@exercise.probes
def _(make):
    def probe(name, batch, width, scale, dtype=torch.float32, group="loss", opposed=False, **marks):
        image, text = make.randn(batch, width, dtype=dtype), make.randn(batch, width, dtype=dtype)
        lengths = torch.linspace(0.6, 2.4, batch, dtype=dtype)[:, None]
        text = (0.5 * image + text) * lengths.flip(0)
        if opposed:
            text[0] = -image[0]  # a cosine of -1, so that its probability is 0 in float32, whatever is drawn
        return make.probe(name, image * lengths, text, torch.tensor(scale, dtype=dtype), group=group, gradient=True, **marks)

    yield probe("two pairs of width 3", 2, 3, make.pick(0.9, 1.1, 0.8))
    yield probe("all sizes different", *make.pick((4, 6), (5, 3), (3, 7)), make.pick(1.3, 1.4, 1.45))
    yield probe("more pairs than coordinates", *make.pick((6, 3), (7, 4), (5, 2)), make.pick(0.5, 0.6, 0.4))
    yield probe("a scale below 1", *make.pick((3, 5), (4, 7), (5, 8)), make.pick(-0.7, -0.5, -0.6))
    yield probe("a scale of 5", *make.pick((5, 7), (6, 4), (4, 3)), make.pick(1.65, 1.55, 1.7))
    yield probe("as many pairs as coordinates", *make.pick((4, 4), (5, 5), (3, 3)), make.pick(1.2, 1.3, 1.5), edge=True)
    yield strided(probe("not contiguous", *make.pick((3, 4), (4, 5), (5, 6)), 1.8, edge=True))
    yield probe("a large batch", make.pick(40, 45, 50), 6, 2.0, long=True)
    yield probe("one pair", 1, make.pick(4, 5, 3), 1.5, group="one pair", edge=True)
    group = {"group": "large scales and float64", "edge": True}
    yield probe("a scale above 100", *make.pick((4, 5), (5, 6), (4, 6)), make.pick(5.6, 5.7, 5.65), opposed=True, **group)
    yield probe("float64", *make.pick((3, 4), (4, 3), (5, 4)), 1.1, dtype=torch.float64, **group)


@exercise.right
def reference(image, text, logit_scale):
    cosines = F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).mT
    table = cosines * torch.exp(logit_scale)
    partners = torch.arange(image.shape[0])
    by_image, by_text = F.cross_entropy(table, partners), F.cross_entropy(table.mT, partners)
    return 0.5 * (by_image + by_text)


TORCH = """
def contrastive_loss(image, text, logit_scale):
    image = F.normalize(image, dim=1)
    text = F.normalize(text, dim=1)
    logits = logit_scale.exp() * (image @ text.T)
    labels = torch.arange(len(logits))
    loss_i = F.cross_entropy(logits, labels)
    loss_t = F.cross_entropy(logits.T, labels)
    return (loss_i + loss_t) / 2
"""
HAND = """
def contrastive_loss(image, text, logit_scale):
    a = image / image.norm(dim=-1, keepdim=True)
    b = text / text.norm(dim=-1, keepdim=True)
    s = torch.einsum('id,jd->ij', a, b) * torch.exp(logit_scale)
    rows = torch.log_softmax(s, dim=1).diagonal()
    columns = torch.log_softmax(s, dim=0).diagonal()
    return -(rows.mean() + columns.mean()) / 2
"""
SUMS = """
def contrastive_loss(image, text, logit_scale):
    image_length = torch.sqrt((image ** 2).sum(dim=1))
    text_length = torch.sqrt((text ** 2).sum(dim=1))
    z = torch.matmul(image, text.transpose(0, 1))
    z = z / image_length.unsqueeze(1) / text_length.unsqueeze(0)
    z = z * logit_scale.exp()
    truth = torch.diag(z)
    down = torch.logsumexp(z, dim=0) - truth
    across = torch.logsumexp(z, dim=1) - truth
    return (down + across).sum() / (2 * z.shape[0])
"""
LOOP = """
def contrastive_loss(image, text, logit_scale):
    B = image.size(0)
    total = 0.0
    for i in range(B):
        to_texts = torch.stack([F.cosine_similarity(image[i], text[j], dim=0) for j in range(B)]) * logit_scale.exp()
        to_images = torch.stack([F.cosine_similarity(image[j], text[i], dim=0) for j in range(B)]) * logit_scale.exp()
        total = total + torch.logsumexp(to_texts, 0) - to_texts[i]
        total = total + torch.logsumexp(to_images, 0) - to_images[i]
    return total / (2 * B)
"""
EYE = """
def contrastive_loss(image, text, logit_scale):
    u, v = (x / torch.linalg.vector_norm(x, dim=-1, keepdim=True) for x in (image, text))
    m = (u * logit_scale.exp()) @ v.T
    target = torch.eye(len(m), dtype=m.dtype)
    p = F.softmax(m, dim=-1), F.softmax(m.T, dim=-1)
    return (F.cross_entropy(m, target) + F.cross_entropy(m.T, target)).div(2)
"""
right("step by step", TORCH)
right("log_softmax along both axes", HAND)
right("logsumexp", SUMS)
right("two loops", LOOP)
right("an identity matrix as target", EYE)
right("both matrices in one cross-entropy", TORCH, ("return (loss_i + loss_t) / 2", "return F.cross_entropy(torch.cat([logits, logits.T]), labels.repeat(2))"))
right("cosine_similarity of all pairs", TORCH, ("image @ text.T", "torch.cosine_similarity(image[:, None], text[None], dim=-1)"))
right("the scale on the images", TORCH, ("image = F.normalize(image, dim=1)", "image = logit_scale.exp() * F.normalize(image)"), ("logit_scale.exp() * (image @ text.T)", "image @ text.T"))
right("half of the scale on each", HAND, ("'id,jd->ij', a, b) * torch.exp(logit_scale)", "'id,jd->ij', a * torch.exp(logit_scale / 2), b * torch.exp(logit_scale / 2))"))
right("nll_loss, softmax twice in the logarithm", TORCH, ("F.cross_entropy(logits, labels)", "F.nll_loss(F.log_softmax(logits, dim=-1), labels)"),
      ("F.cross_entropy(logits.T, labels)", "F.cross_entropy(F.log_softmax(logits.T, dim=-1), labels)"))
right("a stack of both", SUMS, ("return (down + across).sum() / (2 * z.shape[0])", "return torch.stack([down, across]).mean()"))
right("half the squared distance", TORCH, ("logit_scale.exp() * (image @ text.T)", "logit_scale.exp() * (1 - ((image[:, None] - text[None]) ** 2).sum(-1) / 2)"))
right("log of a shifted softmax", SUMS, ("torch.logsumexp(z, dim=0)", "((z - z.max().detach()).exp().sum(0).log() + z.max().detach() if z.max() - z.min() < 40 else z.logsumexp(0))"))
right("cosines over the batch, gather", TORCH, ("loss_t = F.cross_entropy(logits.T, labels)", "loss_t = -logits.log_softmax(dim=0).gather(0, labels[None]).mean()"))

ROW, COLUMN, END = "loss_i = F.cross_entropy(logits, labels)", "loss_t = F.cross_entropy(logits.T, labels)", "return (loss_i + loss_t) / 2"
LOGITS = "logits = logit_scale.exp() * (image @ text.T)"
IMAGE, TEXT = "image = F.normalize(image, dim=1)", "text = F.normalize(text, dim=1)"
SCALED = "s = torch.einsum('id,jd->ij', a, b) * torch.exp(logit_scale)"
HAND_END = "return -(rows.mean() + columns.mean()) / 2"
A, B = "image / image.norm(dim=-1, keepdim=True)", "text / text.norm(dim=-1, keepdim=True)"

wrong("one-direction", "images choose", TORCH, (END, "return loss_i"))
wrong("one-direction", "texts choose", TORCH, (END, "return loss_t"))
wrong("one-direction", "the same matrix twice", TORCH, ("logits.T, labels", "logits, labels"))
wrong("not-normalized", "", TORCH, (IMAGE, "pass"), (TEXT, "pass"))
wrong("not-normalized", "by hand", HAND, (A, "image"), (B, "text"))
wrong("not-normalized", "a product divided by the width's root", TORCH, (IMAGE, "pass"), (TEXT, "pass"), ("(image @ text.T)", "(image @ text.T) / image.shape[1] ** 0.5"))
wrong("one-normalized", "the texts", TORCH, (IMAGE, "pass"))
wrong("one-normalized", "the images", HAND, (B, "text"))
wrong("wrong-axis", "", TORCH, (IMAGE, "image = F.normalize(image, dim=0)"), (TEXT, "text = F.normalize(text, dim=0)"))
wrong("wrong-axis", "the texts alone", TORCH, (TEXT, "text = F.normalize(text, dim=0)"))
wrong("wrong-axis", "the images alone", TORCH, (IMAGE, "image = F.normalize(image, dim=0)"))
wrong("one-length-for-all", "", HAND, (A, "image / image.norm()"), (B, "text / text.norm()"))
wrong("one-length-for-all", "the mean length", HAND, (A, "image / image.norm(dim=-1).mean()"), (B, "text / text.norm(dim=-1).mean()"))
wrong("one-length-for-all", "the matrix is normalized", TORCH, (IMAGE, "pass"), (TEXT, "pass"), (LOGITS, "logits = image @ text.T\n    logits = logit_scale.exp() * logits / logits.norm()"))
wrong("other-length", "sum of absolute values", TORCH, (IMAGE, "image = F.normalize(image, p=1, dim=1)"), (TEXT, "text = F.normalize(text, p=1, dim=1)"))
wrong("other-length", "squared length", HAND, (A, "image / image.square().sum(-1, keepdim=True)"), (B, "text / text.square().sum(-1, keepdim=True)"))
wrong("other-length", "root of the length", HAND, (A, "image / image.norm(dim=-1, keepdim=True).sqrt()"), (B, "text / text.norm(dim=-1, keepdim=True).sqrt()"))
wrong("other-length", "the sum", HAND, (A, "image / image.sum(dim=-1, keepdim=True)"), (B, "text / text.sum(dim=-1, keepdim=True)"))
wrong("other-length", "the largest", HAND, (A, "image / image.abs().amax(dim=-1, keepdim=True)"), (B, "text / text.abs().amax(dim=-1, keepdim=True)"))
wrong("other-length", "the root of the mean of squares", HAND, (A, "image / image.square().mean(-1, keepdim=True).sqrt()"), (B, "text / text.square().mean(-1, keepdim=True).sqrt()"))
wrong("other-length", "a softmax", HAND, (A, "image.softmax(-1)"), (B, "text.softmax(-1)"))
wrong("standardized", "layer norm", TORCH, (IMAGE, "image = F.layer_norm(image, image.shape[-1:])"), (TEXT, "text = F.layer_norm(text, text.shape[-1:])"))
wrong("standardized", "centred, then normalized", TORCH, (IMAGE, "image = F.normalize(image - image.mean(1, keepdim=True))"), (TEXT, "text = F.normalize(text - text.mean(1, keepdim=True))"))
wrong("standardized", "unbiased deviation", HAND, (A, "(image - image.mean(-1, keepdim=True)) / image.std(-1, keepdim=True)"), (B, "(text - text.mean(-1, keepdim=True)) / text.std(-1, keepdim=True)"))
for label, factor in (("", "logit_scale"), ("softplus", "F.softplus(logit_scale)"), ("powers of 10", "10 ** logit_scale"), ("powers of 2", "torch.exp2(logit_scale)"),
                      ("sigmoid", "torch.sigmoid(logit_scale)"), ("twice exp", "logit_scale.exp().exp()"), ("expm1", "logit_scale.expm1()"), ("square", "logit_scale ** 2")):
    wrong("other-base" if label else "not-exponentiated", label, TORCH, ("logit_scale.exp()", factor))
wrong("not-exponentiated", "by hand", HAND, ("torch.exp(logit_scale)", "logit_scale"))
wrong("exp-late", "of the product", TORCH, (LOGITS, "logits = torch.exp(logit_scale * (image @ text.T))"))
wrong("exp-late", "of the logits", TORCH, (LOGITS, LOGITS + "\n    logits = logits.exp()"))
wrong("exp-late", "of the cosines", TORCH, (LOGITS, "logits = logit_scale * torch.exp(image @ text.T)"))
wrong("exp-late", "of the cosines, scaled correctly", TORCH, (LOGITS, "logits = logit_scale.exp() * torch.exp(image @ text.T)"))
wrong("exp-late", "by hand", HAND, ("* torch.exp(logit_scale)", "* logit_scale\n    s = s.exp()"))
for label, table in (("", "-torch.cdist(image, text)"), ("squared", "-torch.cdist(image, text).square()"), ("one over it", "1 / (1 + torch.cdist(image, text))"), ("the wrong sign", "torch.cdist(image, text)"),
                     ("squared, the wrong sign", "(image[:, None] - text[None]).square().sum(-1)"), ("one minus it", "(1 - torch.cdist(image, text))")):
    wrong("distance", label, TORCH, (LOGITS, f"logits = logit_scale.exp() * {table}"))
wrong("distance", "of the vectors as they are", TORCH, (IMAGE, "pass"), (TEXT, "pass"), (LOGITS, "logits = -logit_scale.exp() * torch.cdist(image, text)"))
wrong("distance", "squared, of the vectors as they are", TORCH, (IMAGE, "pass"), (TEXT, "pass"), (LOGITS, "logits = -logit_scale.exp() * (image[:, None] - text[None]).square().sum(-1)"))
wrong("divides", "by the exponential", TORCH, (LOGITS, "logits = image @ text.T / logit_scale.exp()"))
wrong("divides", "by the number", TORCH, (LOGITS, "logits = image @ text.T / logit_scale"))
wrong("divides", "a minus sign", HAND, ("torch.exp(logit_scale)", "torch.exp(-logit_scale)"))
wrong("scale-ignored", "", TORCH, (LOGITS, "logits = image @ text.T"))
wrong("scale-ignored", "1/0.07", TORCH, (LOGITS, "logits = image @ text.T / 0.07"))
wrong("scale-ignored", "1/0.1", TORCH, (LOGITS, "logits = image @ text.T * 10"))
wrong("scale-ignored", "100", TORCH, (LOGITS, "logits = 100.0 * image @ text.T"))
wrong("scaled-once", "the images", TORCH, (LOGITS, "logits = image @ text.T"), (ROW, "loss_i = F.cross_entropy(logit_scale.exp() * logits, labels)"))
wrong("scaled-once", "the texts", TORCH, (LOGITS, "logits = image @ text.T"), (COLUMN, "loss_t = F.cross_entropy(logit_scale.exp() * logits.T, labels)"))
wrong("scaled-once", "the other one by the number itself", TORCH, (LOGITS, "logits = image @ text.T"), (ROW, "loss_i = F.cross_entropy(logit_scale.exp() * logits, labels)"),
      (COLUMN, "loss_t = F.cross_entropy(logit_scale * logits.T, labels)"))
wrong("scaled-twice", "", TORCH, (LOGITS, "logits = (logit_scale.exp() * image) @ (logit_scale.exp() * text).T"))
wrong("scaled-twice", "in the second loss again", TORCH, (COLUMN, "loss_t = F.cross_entropy(logit_scale.exp() * logits.T, labels)"))
for label, factor in (("at 100", "logit_scale.exp().clamp(max=100)"), ("at log 100", "logit_scale.clamp(max=math.log(100)).exp()"), ("at a rounded log 100", "torch.exp(torch.clamp(logit_scale, max=4.6052))"),
                      ("with min", "torch.exp(torch.minimum(logit_scale, torch.tensor(4.6052, dtype=logit_scale.dtype)))")):
    wrong("clamped", label, TORCH, ("logit_scale.exp()", factor))
wrong("clamped", "from both sides", TORCH, ("logit_scale.exp()", "logit_scale.clamp(0, 4.6052).exp()"))
wrong("clamped", "to one at least", TORCH, ("logit_scale.exp()", "logit_scale.exp().clamp(1, 100)"))
for label, factor in (("item", "math.exp(logit_scale.item())"), ("detach", "logit_scale.detach().exp()"), ("float", "math.exp(float(logit_scale))"), ("data", "logit_scale.data.exp()")):
    wrong("scale-detached", label, TORCH, ("logit_scale.exp()", factor))
wrong("softmax-first", "", TORCH, (LOGITS, LOGITS.replace("(image @ text.T)", "image @ text.T") + "\n    probabilities = logits.softmax(dim=1)"), (ROW, "loss_i = F.cross_entropy(probabilities, labels)"),
      (COLUMN, "loss_t = F.cross_entropy(logits.softmax(0).T, labels)"))
wrong("softmax-first", "one matrix of probabilities", TORCH, (LOGITS, LOGITS + "\n    logits = logits.softmax(dim=-1)"))
wrong("softmax-first", "by hand", HAND, ("(s, dim=1)", "(s.softmax(1), dim=1)"), ("(s, dim=0)", "(s.softmax(0), dim=0)"))
wrong("sum", "", TORCH, ("logits, labels", "logits, labels, reduction='sum'"), ("logits.T, labels", "logits.T, labels, reduction='sum'"))
wrong("sum", "by hand", HAND, (HAND_END, "return -(rows.sum() + columns.sum()) / 2"))
wrong("sum", "both directions too", SUMS, ("return (down + across).sum() / (2 * z.shape[0])", "return (down + across).sum()"))
wrong("sum", "one of the two", TORCH, ("logits, labels", "logits, labels, reduction='sum'"))
wrong("both-summed", "", TORCH, (END, "return loss_i + loss_t"))
wrong("both-summed", "by hand", HAND, (HAND_END, "return -rows.mean() - columns.mean()"))
wrong("both-summed", "half of one", TORCH, (END, "return loss_i + loss_t / 2"))
wrong("divided-too-often", "by the pairs", TORCH, (END, "return (loss_i + loss_t) / 2 / len(logits)"))
wrong("divided-too-often", "by two", TORCH, (END, "return (loss_i + loss_t) / 4"))
wrong("divided-too-often", "half of a mean", SUMS, ("return (down + across).sum() / (2 * z.shape[0])", "return torch.cat([down, across]).mean() / 2"))
wrong("two-losses", "", TORCH, (END, "return loss_i, loss_t"))
wrong("two-losses", "in one tensor", TORCH, (END, "return torch.stack([loss_i, loss_t])"))
wrong("not-averaged", "", HAND, (HAND_END, "return -(rows + columns) / 2"))
wrong("not-averaged", "none", TORCH, ("logits, labels", "logits, labels, reduction='none'"), ("logits.T, labels", "logits.T, labels, reduction='none'"))
wrong("not-averaged", "one for each of both", SUMS, ("return (down + across).sum() / (2 * z.shape[0])", "return torch.stack([across, down])"))
for label, change in (("the first", "torch.zeros(len(logits), dtype=torch.long)"), ("backwards", "torch.arange(len(logits)).flip(0)"), ("the next", "(torch.arange(len(logits)) + 1) % len(logits)"),
                      ("the one before", "torch.arange(len(logits)).roll(1)"), ("the best", "logits.argmax(dim=1)"), ("ones", "torch.ones(len(logits), dtype=torch.long)")):
    wrong("wrong-targets", label, TORCH, ("torch.arange(len(logits))", change))
wrong("wrong-targets", "ones everywhere", EYE, ("torch.eye(len(m), dtype=m.dtype)", "torch.full_like(m, 1 / len(m))"))
wrong("wrong-targets", "all ones", EYE, ("torch.eye(len(m), dtype=m.dtype)", "torch.ones_like(m)"))
wrong("wrong-targets", "soft targets", EYE, ("torch.eye(len(m), dtype=m.dtype)", "((u @ u.T + v @ v.T) / 2).softmax(-1)"))
wrong("sign", "", TORCH, (END, "return -(loss_i + loss_t) / 2"))
wrong("sign", "by hand", HAND, (HAND_END, "return (rows.mean() + columns.mean()) / 2"))
wrong("no-logarithm", "minus p", HAND, ("torch.log_softmax(s, dim=1)", "s.softmax(1)"), ("torch.log_softmax(s, dim=0)", "s.softmax(0)"))
wrong("no-logarithm", "one minus p", HAND, ("torch.log_softmax(s, dim=1)", "s.softmax(1)"), ("torch.log_softmax(s, dim=0)", "s.softmax(0)"), (HAND_END, "return 1 - (rows.mean() + columns.mean()) / 2"))
wrong("no-logarithm", "nll_loss of probabilities", TORCH, (ROW, "loss_i = F.nll_loss(logits.softmax(1), labels)"), (COLUMN, "loss_t = F.nll_loss(logits.T.softmax(1), labels)"))
wrong("no-softmax", "nll_loss of logits", TORCH, (ROW, "loss_i = F.nll_loss(logits, labels)"), (COLUMN, "loss_t = F.nll_loss(logits.T, labels)"))
wrong("no-softmax", "the diagonal", HAND, (HAND_END, "return -s.diagonal().mean()"))
wrong("only-pairs", "one minus the cosine", TORCH, (END, "return (1 - (image * text).sum(-1)).mean()"))
wrong("only-pairs", "squared distance", TORCH, (END, "return F.mse_loss(image, text)"))
wrong("only-pairs", "squared distance of the pairs", TORCH, (END, "return (image - text).square().sum(-1).mean()"))
wrong("only-pairs", "cosine_embedding_loss", TORCH, (END, "return F.cosine_embedding_loss(image, text, torch.ones(len(image)))"))
wrong("only-pairs", "minus the cosine", TORCH, (END, "return -F.cosine_similarity(image, text).mean()"))
wrong("softmax-over-all", "", HAND, (HAND_END, "return -torch.log_softmax(s.flatten(), 0).view_as(s).diagonal().mean()"))
wrong("softmax-over-all", "logsumexp", SUMS, ("torch.logsumexp(z, dim=0)", "torch.logsumexp(z.flatten(), dim=0)"), ("torch.logsumexp(z, dim=1)", "torch.logsumexp(z.flatten(), dim=0)"))
wrong("averaged-logits", "", TORCH, (END, "return F.cross_entropy((logits + logits.T) / 2, labels)"))
wrong("averaged-logits", "added", TORCH, (END, "return F.cross_entropy(logits + logits.T, labels)"))
wrong("losses-mixed", "mean of probabilities", HAND, (HAND_END, "return -((rows.exp() + columns.exp()) / 2).log().mean()"))
wrong("losses-mixed", "one softmax after the other", HAND, ("torch.log_softmax(s, dim=0)", "torch.log_softmax(torch.log_softmax(s, dim=1), dim=0)"), (HAND_END, "return -columns.mean()"))
wrong("losses-mixed", "product of losses", TORCH, (END, "return (loss_i * loss_t) ** 0.5"))
wrong("losses-mixed", "the larger one", TORCH, (END, "return torch.maximum(loss_i, loss_t)"))
wrong("losses-mixed", "candidates of both directions", SUMS, (" - truth\n    across", "\n    across"), ("return (down + across).sum() / (2 * z.shape[0])", "return (torch.logaddexp(down, across + truth) - truth).mean()"))
wrong("own-kind", "the second of texts", TORCH, (COLUMN, "loss_t = F.cross_entropy(logit_scale.exp() * text @ text.T, labels)"))
wrong("own-kind", "both", TORCH, (ROW, "loss_i = F.cross_entropy(logit_scale.exp() * image @ image.T, labels)"), (COLUMN, "loss_t = F.cross_entropy(logit_scale.exp() * text @ text.T, labels)"))
wrong("own-kind", "the first of images", TORCH, (ROW, "loss_i = F.cross_entropy(logit_scale.exp() * image @ image.T, labels)"))
wrong("own-kind", "images alone", TORCH, (LOGITS, "logits = logit_scale.exp() * (image @ image.T)"))
wrong("own-kind", "texts alone", HAND, ("ij', a, b", "ij', b, b"))
wrong("partner-left-out", "", SUMS, ("    truth = torch.diag(z)\n", "    truth = torch.diag(z)\n    z = z.masked_fill(torch.eye(len(z), dtype=torch.bool), -torch.inf)\n"))
wrong("partner-left-out", "mean of all others", SUMS, ("torch.logsumexp(z, dim=0) - truth", "(z.sum(0) - truth) / (len(z) - 1) - truth"), ("torch.logsumexp(z, dim=1) - truth", "(z.sum(1) - truth) / (len(z) - 1) - truth"))
wrong("yes-or-no", "", EYE, ("return (F.cross_entropy(m, target) + F.cross_entropy(m.T, target)).div(2)", "return F.binary_cross_entropy_with_logits(m, target)"))
wrong("yes-or-no", "summed over candidates", EYE, ("return (F.cross_entropy(m, target) + F.cross_entropy(m.T, target)).div(2)", "return F.binary_cross_entropy_with_logits(m, target, reduction='sum') / len(m)"))
wrong("yes-or-no", "signs", EYE, ("return (F.cross_entropy(m, target) + F.cross_entropy(m.T, target)).div(2)", "return -F.logsigmoid((2 * target - 1) * m).sum(-1).mean()"))
wrong("columns-compared", "", TORCH, ("image @ text.T", "image.T @ text"))
wrong("columns-compared", "einsum", HAND, ("'id,jd->ij'", "'id,ij->dj'"))
wrong("columns-compared", "nothing transposed", TORCH, ("image @ text.T", "image @ text"))
wrong("overflow", "log of a softmax", HAND, ("torch.log_softmax(s, dim=1)", "s.softmax(1).log()"), ("torch.log_softmax(s, dim=0)", "s.softmax(0).log()"))
wrong("overflow", "exp over a sum", HAND, ("torch.log_softmax(s, dim=1)", "torch.log(s.exp() / s.exp().sum(1, keepdim=True))"), ("torch.log_softmax(s, dim=0)", "torch.log(s.exp() / s.exp().sum(0, keepdim=True))"))
wrong("overflow", "log of a sum of exp", SUMS, ("torch.logsumexp(z, dim=0)", "z.exp().sum(0).log()"), ("torch.logsumexp(z, dim=1)", "z.exp().sum(1).log()"))
for small in (1e-12, 1e-10, 1e-8, 1e-7, 1e-6):
    wrong("overflow", f"{small} in the logarithm", HAND, ("torch.log_softmax(s, dim=1)", f"(s.softmax(1) + {small}).log()"), ("torch.log_softmax(s, dim=0)", f"(s.softmax(0) + {small}).log()"))
wrong("overflow", "a small number in the logarithm", HAND, ("torch.log_softmax(s, dim=1)", "(s.softmax(1) + 1e-9).log()"), ("torch.log_softmax(s, dim=0)", "(s.softmax(0) + 1e-9).log()"))
wrong("overflow", "clamped probabilities", HAND, ("torch.log_softmax(s, dim=1)", "s.softmax(1).clamp(min=1e-12).log()"), ("torch.log_softmax(s, dim=0)", "s.softmax(0).clamp(min=1e-12).log()"))
wrong("dtype-fixed", "", TORCH, ("F.normalize(image, dim=1)", "F.normalize(image.float(), dim=1)"), ("F.normalize(text, dim=1)", "F.normalize(text.float(), dim=1)"))
wrong("dtype-fixed", "an identity of float32", EYE, ("torch.eye(len(m), dtype=m.dtype)", "torch.eye(len(m))"), ("u * logit_scale.exp()", "u.float() * logit_scale.float().exp()"), ("@ v.T", "@ v.float().T"))
wrong("no-gradient", "the images", TORCH, (IMAGE, "image = F.normalize(image, dim=1).detach()"))
wrong("no-gradient", "a tensor of a number", TORCH, (END, "return torch.tensor(((loss_i + loss_t) / 2).item(), dtype=image.dtype)"))
wrong("no-gradient", "one direction in no_grad", TORCH, (COLUMN, "with torch.no_grad():\n        loss_t = F.cross_entropy(logits.T, labels)"))
wrong("changes-input", "both, in no_grad", TORCH, (IMAGE, "with torch.no_grad():\n        image /= image.norm(dim=1, keepdim=True)"), (TEXT, "with torch.no_grad():\n        text /= text.norm(dim=1, keepdim=True)"))
wrong("changes-input", "the images, in no_grad", TORCH, (IMAGE, "with torch.no_grad():\n        image.div_(image.norm(dim=-1, keepdim=True))"))
wrong("changes-input", "divided in place", TORCH, (IMAGE, "image /= image.norm(dim=1, keepdim=True)"))
wrong("changes-input", "the data", TORCH, (IMAGE, "image.data = F.normalize(image.data, dim=1)"))
wrong("returns-nothing", "", TORCH, (END, "loss = (loss_i + loss_t) / 2"))
wrong("ready-made", "the library's", """
def contrastive_loss(image, text, logit_scale):
    from allyouneed.models.clip import contrastive_loss as theirs
    return theirs(image, text, logit_scale)
""")
wrong("ready-made", "through the module", """
def contrastive_loss(image, text, logit_scale):
    from allyouneed.models import clip
    return getattr(clip, 'contrastive_loss')(image, text, logit_scale)
""")
