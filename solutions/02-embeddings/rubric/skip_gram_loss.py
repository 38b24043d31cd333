"""skip_gram_loss: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "skip_gram_loss",
    points={"values": 3, "large scores": 2},
    section="negative-sampling",
    forbid=("SkipGram", "train_skip_gram"),
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The loss"}],
)


@exercise.probes
def probes(make):
    def case(b, n, d, scale=1.0, dtype=torch.float32):
        return (make.randn(b, d, dtype=dtype, scale=scale), make.randn(b, d, dtype=dtype, scale=scale),
                make.randn(b, n, d, dtype=dtype, scale=scale))

    group = "values"
    yield make.probe("one word, two negatives", *case(1, 2, make.pick(3, 4, 5)), group=group, gradient=True)
    yield make.probe("three words, four negatives", *case(3, 4, make.pick(5, 6, 7)), group=group,
                     gradient=True)
    yield make.probe("five words, two negatives", *case(5, make.pick(2, 3, 4), make.pick(4, 7, 6)),
                     group=group, gradient=True)
    yield make.probe("as many words as negatives", *case(4, 4, make.pick(3, 2, 5)), group=group,
                     gradient=True)
    yield make.probe("as many negatives as columns", *case(make.pick(2, 3, 5), 4, 4), group=group)
    yield make.probe("float64", *case(4, 3, 2, dtype=torch.float64), group=group, gradient=True)
    yield make.probe("not contiguous", *case(3, 2, 5), group=group, strided=True)
    yield make.probe("one negative", *case(3, 1, 4), group=group, edge=True)
    yield make.probe("one word, one negative, width 1", *case(1, 1, 1), group=group, edge=True)
    yield make.probe("a large batch", *case(make.pick(150, 140, 160), 5, 3), group=group, long=True)
    group = "large scores"
    one = torch.ones(2, 1)
    yield make.probe("scores of 30", one * 5, torch.tensor([[6.0], [-6.0]]),
                     torch.tensor([[[6.0], [-6.0]], [[make.pick(7.0, 8.0, 6.5)], [2.0]]]),
                     group=group, edge=True, gradient=True)
    yield make.probe("scores of a thousand", one * 100,
                     torch.tensor([[-10.0], [make.pick(11.0, 12.0, 13.0)]]),
                     torch.tensor([[[-10.0], [-12.0]], [[10.0], [-10.0]]]),
                     group=group, edge=True, gradient=True)
    yield make.probe("scores of a thousand, float64",
                     *(value.double() * 10 for value in (one * 10, torch.tensor([[-1.0], [1.0]]),
                                                         torch.tensor([[[1.5]], [[-1.0]]]))),
                     group=group, edge=True, gradient=True)


@exercise.right
def reference(center, context, negatives):
    real = (context * center).sum(dim=-1)
    noise = torch.einsum("bnd,bd->bn", negatives, center)
    losses = -F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)
    return losses.mean()


@exercise.right("binary cross-entropy from scores")
def binary(center, context, negatives):
    words = torch.cat([context[:, None], negatives], dim=1)
    scores = (words @ center[:, :, None])[..., 0]
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / len(center)


@exercise.right("loops")
def loops(center, context, negatives):
    total = 0
    for b in range(center.shape[0]):
        total = total - F.logsigmoid(torch.dot(context[b], center[b]))
        for n in range(negatives.shape[1]):
            total = total - F.logsigmoid(-torch.dot(negatives[b, n], center[b]))
    return total / center.shape[0]


@exercise.right("a stable formula by hand")
def stable(center, context, negatives):
    def minus_log_sigmoid(x):
        return torch.clamp(-x, min=0) + torch.log1p(torch.exp(-x.abs()))

    noise = torch.matmul(negatives, center[..., None]).flatten(1)
    return minus_log_sigmoid((center * context).sum(-1)).mean() + minus_log_sigmoid(-noise).sum(1).mean()


@exercise.right("step by step, another way")
def plain_other(center, context, negatives):
    real = (context * center).sum(dim=-1)
    noise = torch.einsum("bnd,bd->bn", negatives, center)
    return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum(dim=-1).mean()


EINSUM = 'torch.einsum("bnd,bd->bn", negatives, center)'
NOISE = 'noise = torch.einsum("bnd,bd->bn", negatives, center)'
LOG = "torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(-noise))"

exercise.also_right(
    full("positive = torch.bmm(context.unsqueeze(1), center.unsqueeze(2)).flatten()\n"
         "negative = torch.bmm(negatives, center.unsqueeze(2)).squeeze(2)\n"
         "return (F.softplus(-positive) + F.softplus(negative).sum(1)).mean()",
         "softplus and batched products"),
    full('positive = torch.einsum("bd,bd->b", center, context)\n'
         "negative = (negatives * center[:, None, :]).sum(-1)\n"
         "zero = torch.zeros((), dtype=center.dtype)\n"
         "return torch.logaddexp(zero, -positive).mean() + torch.logaddexp(zero, negative).sum() / "
         "negative.shape[0]", "logaddexp"),
    full("log_sigmoid = torch.nn.LogSigmoid()\n"
         "positive = log_sigmoid((center * context).sum(1))\n"
         "negative = log_sigmoid(negatives.neg().matmul(center.unsqueeze(-1)).squeeze(-1)).sum(1)\n"
         "return torch.mean(-(positive + negative))", "layers of torch.nn"))

exercise.mistake("sign-of-negatives", "negative-sampling",
    "The negatives have the wrong sign: the loss falls when random words look like neighbours. Use the "
    "log-sigmoid of minus their dot product.",
    edit(reference, {"(-noise)": "(noise)"}, "log σ of the score"),
    edit(reference, {"(-noise).sum": "(noise).mean"}, "and the mean over N"),
    edit(plain_other, {"F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum(dim=-1)":
                       "torch.cat([F.logsigmoid(real), F.logsigmoid(noise).flatten()])"},
         "and the mean over all"),
    edit(reference, {"(-noise)": "(noise)", "mean": "sum"}, "and summed over the batch"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(noise))"},
         "and without F.logsigmoid"))

exercise.mistake("sign-of-context", "negative-sampling",
    "The true neighbour has the wrong sign: the loss grows when it is recognized. Use the log-sigmoid of "
    "context · center itself.",
    edit(reference, {"(real)": "(-real)"}, "log σ of minus the score"))

exercise.mistake("both-signs", "negative-sampling",
    "Both signs inside the sigmoid are flipped: the loss falls when the true neighbour is pushed away and "
    "random words come near. Context · center enters as it is, the negatives' scores with a minus.",
    edit(reference, {"(real)": "(-real)", "(-noise)": "(noise)"}, "both turned"))

exercise.mistake("sign-of-loss", "negative-sampling",
    "The sign of the loss is flipped. Log-sigmoids are negative; the loss is minus their sum, which is "
    "positive.",
    edit(reference, {"-F.logsigmoid(real) - F": "F.logsigmoid(real) + F"}, "no minus"),
    edit(reference, {"-F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real)) + torch.log(torch.sigmoid(-noise))"},
         "no minus, without F.logsigmoid"),
    edit(reference, {"losses = -F": "losses = F", "(real) - F": "(real) + F",
                     "(-noise)": "(noise)"}, "no minus, signs of the negatives"),
    edit(reference, {"losses = -F": "losses = F", "(real) - F": "(real) + F",
                     "(-noise).sum": "(-noise).mean"}, "no minus, the mean over N"))

exercise.mistake("subtracts-negatives", "negative-sampling",
    "The negatives' part is taken away from the loss; it must be added. Both parts carry a minus sign.",
    edit(reference, {"(real) - F": "(real) + F"}, "plus the log-sigmoid"),
    edit(reference, {"(real) - F": "(real) + F", "(-noise)": "(noise)"}, "plus the log-sigmoid of the score"),
    edit(reference, {"losses = -F": "losses = F"}, "the true one without minus"),
    edit(reference, {"(real) - F": "(real) + F",
                     "(-noise).sum": "(-noise).mean"}, "plus the log-sigmoid, the mean over N"))

exercise.mistake("mean-over-negatives", "negative-sampling",
    "The negatives are averaged. Their log-sigmoids are summed over the N negatives; only the batch is "
    "averaged.",
    edit(plain_other, {"sum(dim=-1).": ""}, "two means"),
    edit(reference, {"return losses.mean()": "return -torch.log(torch.sigmoid(real)).mean() - "
                     "torch.log(torch.sigmoid(-noise)).mean()"}, "without F.logsigmoid"))

exercise.mistake("scores-summed", "negative-sampling",
    "The negatives, or their scores, are added up before the log-sigmoid. Each negative has a term of its "
    "own: log-sigmoid first, then the sum.",
    edit(reference, {"(-noise).sum(dim=-1)": "(-noise.mean(dim=-1))"}, "the mean of the scores"),
    edit(reference, {"(-noise).sum(dim=-1)": "(-noise.sum(dim=-1))"}, "the sum of the scores"))

exercise.mistake("mean-over-all", "negative-sampling",
    "All log-sigmoids are averaged together, or the mean is divided once more. Sum them for each center "
    "word, take the mean over the batch, and divide no further.",
    edit(plain_other, {"return -F": "return - torch.cat([F", ".mean() - F": ", F",
                       "sum(dim=-1).": "flatten()])."}, "one mean"),
    edit(plain_other, {"return": "return(",
                       "sum(dim=-1).mean()": "mean()) / 2"}, "half the sum of two means"),
    edit(reference, {"mean()": "mean() / negatives.shape[1]"}, "the losses divided by N"),
    edit(reference, {"mean()": "mean() / 2"}, "half the loss"),
    edit(binary, {', reduction="sum"': ""}, "one mean by the ready function, divided by the batch"))

exercise.mistake("divided-by-width", "negative-sampling",
    "The sum over the batch is divided by the width of the vectors. Divide it by the number of center words.",
    edit(loops, {"/ center.shape[0]": "/ center.shape[1]"}))

exercise.mistake("labels-first", "negative-sampling",
    "Scores and labels have changed places: binary cross-entropy takes the scores first, then the labels.",
    edit(binary, {"scores, labels": "labels, scores"}))

exercise.mistake("negative-as-neighbour", "negative-sampling",
    "One of the negatives has the label 1. The true neighbour has the label 1, and each negative has 0.",
    edit(binary, {"[:, 0] = 1": "[:, 1] = 1"}),
    edit(binary, {"[:, 0] = 1": "[:, -1] = 1"}, "the last"))

exercise.mistake("context-times-n", "negative-sampling",
    "The true neighbour counts N times: broadcasting adds its part to each of the negatives. Sum over the "
    "negatives first, then add it once.",
    edit(reference, {"losses =": "losses =(", "(real)": "(real)[:, None]",
                     "noise).sum(dim=-1": "noise)).sum(-1"}, "broadcast, then summed over N"))

exercise.mistake("sum-over-batch", "negative-sampling",
    "The loss is summed over the batch. Take the mean, so that it does not grow with the batch.",
    edit(reference, {"mean": "sum"}, "sum"),
    edit(plain_other, {"(dim=-1).mean()": "()"}, "only the negatives'"),
    edit(plain_other, {"mean() - F": "sum() - F"}, "only the context's"),
    edit(plain_other, {"mean() - F": "sum() - F",
                       "sum(dim=-1).": ""}, "negatives averaged over the batch only, context summed"),
    edit(reference, {"return losses.mean()":
                     "return -torch.log(torch.sigmoid(real)).sum() - torch.log(torch.sigmoid(-noise)).sum()"},
         "unstable"))

exercise.mistake("not-averaged", "negative-sampling",
    "There is a loss for each row of the batch. Return one number, their mean.",
    edit(reference, {".mean()": ""}, "a loss a row"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)": LOG,
                     ".mean()": ""}, "a loss a row, unstable"),
    edit(reference, {"return losses.mean()": "return losses[:, None]"}, "a column"),
    edit(reference, {"return losses.mean()": "return -F.logsigmoid(real)[:, None] - F.logsigmoid(-noise)"},
         "a loss a row and negative"),
    edit(plain_other, {"(real).mean()": "(real)",
                       "sum(dim=-1).mean()": "mean(dim=-1)"}, "averaged over N, not over the batch"))

exercise.mistake("keeps-axes", "negative-sampling",
    "The number is right, but the result has axes. Return a scalar, a tensor of shape ().",
    edit(reference, {"mean()": "mean(dim=0, keepdim=True)"}, "shape (1,)"),
    edit(reference, {"mean()": "mean()[None, None]"}, "shape (1, 1)"))

exercise.mistake("no-logarithm", "negative-sampling",
    "The sigmoids are added without a logarithm. Each term is minus the logarithm of a sigmoid.",
    edit(reference, {every("F"): "torch", every("logsigmoid"): "sigmoid"}, "σ alone"),
    edit(reference, {"-F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "1 - torch.sigmoid(real) + torch.sigmoid(noise)"}, "one minus σ"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.sigmoid(real) + torch.sigmoid(noise)"}, "σ of the score, added"),
    edit(reference, {"-F.logsigmoid(real) - F.logsigmoid": "torch.sigmoid(real) + torch.sigmoid"},
         "σ of both, positive"))

exercise.mistake("no-sigmoid", "negative-sampling",
    "The dot products are added without the log-sigmoid. Send each of them through it.",
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)": "real + noise"}, "scores alone"),
    edit(reference, {every("F"): "torch", every("logsigmoid"): "log"}, "logarithm of the score"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise).sum": "real + noise.mean"},
         "scores alone, the mean over N"),
    edit(reference, {"-F.logsigmoid(real) - F.logsigmoid(-noise)": "torch.exp(-real) + torch.exp(noise)"},
         "exp"),
    edit(reference, {"-F.logsigmoid(real) - F.logsigmoid(-noise)": "F.relu(1 - real) + F.relu(1 +noise)"},
         "margin"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log((1 + torch.tanh(real)) / 2) - torch.log((1 - torch.tanh(noise)) / 2)"},
         "tanh"))

exercise.mistake("context-alone", "negative-sampling",
    "The negatives do not count. Add their part of the loss.",
    edit(reference, {" - F.logsigmoid(-noise).sum(dim=-1)": ""}, "no negatives"))

exercise.mistake("negatives-alone", "negative-sampling",
    "The true neighbour does not count. Add its part of the loss.",
    edit(reference, {" -F.logsigmoid(real)": ""}, "no context"),
    edit(reference, {" -F.logsigmoid(real)": "",
                     "(-noise).sum": "(-noise).mean"}, "no context, the mean over N"))

exercise.mistake("first-negative-alone", "negative-sampling",
    "Only one of the negatives counts. Sum over all N.",
    edit(reference, {"(-noise).sum(dim=-1)": "(-noise)[:, 0]"}, "the first"),
    edit(reference, {"(-noise).sum(dim=-1)": "(-noise)[:, -1]"}, "the last"),
    edit(reference, {"(-noise).sum": "(-noise).amin"}, "the hardest"),
    edit(reference, {"(-noise).sum": "(-noise).amax"}, "the easiest"))

exercise.mistake("last-negative-missing", "negative-sampling",
    "The last negative does not count. Sum over all N: look at where your loop or your slice ends.",
    edit(loops, {"negatives.shape[1])": "negatives.shape[1] - 1)"}))

exercise.mistake("negatives-with-context", "negative-sampling",
    "The negatives are compared with the context word. Compare them with the center word.",
    edit(reference, {", center": ", context"}, "einsum"),
    edit(reference, {", center": ", context", "(-noise).sum": "(-noise).mean"}, "einsum, the mean over N"),
    edit(reference, {", center": ", context * center"}, "both"),
    edit(reference, {", center": ", context + center"}, "the sum of both"),
    edit(binary, {"center[:, :, None]": "context[:, :, None]"}, "the context too"))

exercise.mistake("no-dot-product", "negative-sampling",
    "The vectors are multiplied entry by entry, and the sum over the width comes too late or never. Sum "
    "the products over the last axis before the sigmoid.",
    full("real = context * center\n"
         "noise = negatives * center[:, None]\n"
         "losses = -F.logsigmoid(real).sum(-1) - F.logsigmoid(-noise).sum((-1, -2))\n"
         "return losses.mean()", "sum after the log-sigmoid"),
    full("real = context * center\n"
         "noise = negatives * center[:, None]\n"
         "losses = None\n"
         "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).mean()", "mean of everything"),
    full("real = context * center\n"
         "noise = negatives * center[:, None]\n"
         "losses = -F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=1)\n"
         "return losses.mean()", "sum over N, mean of the rest"),
    edit(reference, {"center).sum(dim=-1": "center).sum(",
                     EINSUM: "(negatives * center[:, None]).sum()"}, "one sum for the whole batch"),
    full("real = -(context - center).square().sum(-1)\n"
         "noise = -(negatives - center[:, None]).square().sum(-1)\n"
         "losses = -F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)\n"
         "return losses.mean()", "differences"))

exercise.mistake("divided-by-n", "negative-sampling",
    "The loss is divided by the number of negatives instead of the number of center words. Sum over the N "
    "negatives, take the mean over the batch.",
    edit(reference, {"mean()": "sum() / negatives.shape[1]"}, "the sum over N"),
    edit(plain_other, {"(dim=-1).": "(dim=0)."}, "the negatives' part"))

exercise.mistake("wrong-base", "negative-sampling",
    "The logarithm has a base other than e. The loss uses the natural logarithm.",
    edit(reference, {"mean()": "mean() / 0.6931471805599453"}, "2"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log2(torch.sigmoid(real)) - torch.log2(torch.sigmoid(-noise))"}, "2, unstable"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log10(torch.sigmoid(real)) - torch.log10(torch.sigmoid(-noise))"},
         "10, unstable"))

exercise.mistake("logarithm-of-sum", "negative-sampling",
    "The sigmoids of the negatives are put together before the logarithm. Each negative has a logarithm of "
    "its own: logarithm first, then the sum.",
    edit(reference, {"F.logsigmoid(-noise).sum(dim=-1)": "torch.log(torch.sigmoid(-noise).sum(dim=-1))"},
         "of the sum"),
    edit(reference, {"F.logsigmoid(-noise).sum(dim=-1)": "torch.log(torch.sigmoid(-noise).mean(dim=-1))"},
         "of the mean"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)":
                     "torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(-noise).sum(dim=-1))"},
         "of the sum, both unstable"))

exercise.mistake("dot-over-batch", "negative-sampling",
    "The products are summed over the batch. A dot product sums over the width, the last axis.",
    full("real = (context * center).sum(dim=0)\n"
         'noise = torch.einsum("bnd,bd->bn", negatives, center)\n'
         "losses = None\n"
         "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum(dim=-1).mean()", "the context alone"),
    edit(reference, {"center).sum(dim=-1": "center).sum(dim=0"}, "the context alone, the parts added first"),
    edit(reference, {"center).sum(dim=-1": "center).sum("}, "the context alone, and over the width"),
    edit(reference, {NOISE: "noise = (negatives * center[:, None]).sum(dim=1)"}, "the negatives over N"),
    full("real = (context * center).sum(dim=0)\n"
         "noise = (negatives * center[:, None]).sum(dim=0)\n"
         "losses = None\n"
         "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum(dim=0).mean()", "both"))

exercise.mistake("squeezed", "negative-sampling",
    "squeeze without an axis also removes the batch, or the negatives, where there is only one. Name the "
    "axis that should go.",
    edit(reference, {'einsum("bnd,bd->bn", negatives, center)':
                     "bmm(negatives, center[:, :, None]).squeeze()"}, "both"))

exercise.mistake("infinity-replaced", "stable-log-sigmoid",
    "Infinite values are replaced afterwards. The loss of a large score is then a made-up number, and its "
    "gradient is lost. Use F.logsigmoid on the score.",
    edit(reference, {"-F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)":
                     "torch.nan_to_num(-torch.log(torch.sigmoid(real)) - "
                     "torch.log(torch.sigmoid(-noise)).sum(dim=-1) )"}, "in the losses"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)": LOG,
                     "losses.mean()": "torch.nan_to_num(losses.mean())"}, "in the result"),
    edit(reference, {"-F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)":
                     "torch.nan_to_num(-torch.log(torch.sigmoid(real)) - "
                     "torch.log(torch.sigmoid(-noise)).sum(dim=-1), posinf=0.0 )"}, "by 0"))

exercise.mistake("float32-only", "negative-sampling",
    "The result is float32 whatever the vectors are. Keep their dtype.",
    edit(reference, {"* center": ".float() * center.float()",
                     ", center)": ".float(), center.float())"}, "float()"))

exercise.mistake("all-pairs", "negative-sampling",
    "Each center word is compared with every row of the batch. Compare it with its own context word and "
    "its own negatives only.",
    edit(reference, {"(context * center).sum(dim=-1)": 'torch.einsum("bd,cd->b", context, center)'},
         "einsum without a common letter"),
    edit(reference, {"(context * center).sum(dim=-1)": 'torch.einsum("bd,cd->b", center, context)'},
         "einsum without a common letter, center first"),
    edit(reference, {"(context * center).sum(dim=-1)": "center @ context.T",
                     "(real)": "(real).sum(-1)"}, "center times all contexts, summed a row"),
    edit(reference, {"(context * center).sum(dim=-1)": "center @ context.T"},
         "center times all contexts, broadcast"),
    edit(reference, {'("bnd,bd->bn", negatives, center)': '("cnd,bd->bcn", negatives, center).flatten(1)'},
         "all negatives of the batch"),
    edit(reference, {'"bnd,bd->bn"': '"cnd,bd->bnc"',
                     "(-noise).sum(dim=-1)": "(-noise).mean(-1).sum(-1)"},
         "all negatives of the batch, averaged"))

exercise.mistake("mean-dot-product", "negative-sampling",
    "The dot product is divided: by the width or its root, or by the lengths of the vectors. Take the "
    "plain sum of products.",
    edit(reference, {"center).sum": "center).mean",
                     NOISE: "noise = (negatives * center[:, None]).mean(-1)"}, "mean over the width"),
    full("real = (context * center).sum(dim=-1) / center.shape[-1] ** 0.5\n"
         "noise = (negatives * center[:, None]).sum(-1) / center.shape[-1] ** 0.5\n"
         "losses = -F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)\n"
         "return losses.mean()", "divided by the root of the width"),
    edit(reference, {"(context * center).sum(": "F.cosine_similarity(context, center,",
                     EINSUM: "F.cosine_similarity(negatives, center[:, None], dim=-1)"}, "cosines"),
    edit(reference, {NOISE: "noise = (negatives * center[:, None]).mean(-1)"}, "the negatives only"))

exercise.mistake("missing-axis", "negative-sampling",
    "negatives has one axis more than center, and broadcasting lines them up wrongly or fails. Give center "
    "an axis of size 1 for the N negatives, or use einsum.",
    edit(reference, {EINSUM: "(negatives * center).sum(-1)"}, "entry by entry"),
    edit(reference, {EINSUM: "negatives @ center"}, "matrix product with center"),
    edit(reference, {NOISE: "noise = negatives @ center.T"}, "matrix product with center.T"),
    edit(reference, {"einsum": "bmm", '"bnd,bd->bn",': ""}, "bmm without an axis"),
    edit(reference, {EINSUM: "center @ negatives"}, "center @ negatives"))

exercise.mistake("softmax-loss", "negative-sampling",
    "The context word's score is compared with those of the negatives, as in a softmax or in pairs. Here "
    "each word is judged alone, by the sigmoid of its own score.",
    edit(reference, {"losses =": "scores = torch.cat([real[:, None], noise], dim=1)\nlosses =",
                     "logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)":
                     "log_softmax(scores, dim=1)[:, 0]"}, "log_softmax"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)":
                     "real + torch.logsumexp(noise, dim=1)"}, "only over the negatives"),
    edit(reference, {") - F.logsigmoid(-noise).sum(dim=-1": "[:, None] - noise).sum(-1"},
         "pairs of context and negative"),
    edit(reference, {") - F.logsigmoid(-noise).sum(dim=-1": "[:, None] - noise).mean(-1"},
         "pairs of context and negative, averaged"))

exercise.mistake("unstable", "stable-log-sigmoid",
    "Large scores give infinity or nan: the sigmoid becomes exactly 0, and its logarithm minus infinity. "
    "Use F.logsigmoid, or softplus.",
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)": LOG}, "log of σ"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real)) - torch.log(1 - torch.sigmoid(noise))"}, "log of 1 − σ"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.exp(real) / (1 + torch.exp(real))) - torch.log(1 / (1 + "
                     "torch.exp(noise)))"}, "σ by hand, the other way"),
    edit(reference, {"F.logsigmoid(-noise)": "torch.log(torch.sigmoid(-noise))"}, "only the negatives"),
    edit(reference, {"F.logsigmoid(real)": "torch.log(torch.sigmoid(real))"}, "only the context"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "(real - torch.log(1 + torch.exp(real))) + torch.log(1 + torch.exp(noise))"},
         "score minus log(1 + exp)"))

exercise.mistake("epsilon", "stable-log-sigmoid",
    "A small number is added inside the logarithm, or the score, the sigmoid or its logarithm is clamped. "
    "The loss of a large score is then cut off, and its gradient is lost. Use F.logsigmoid on the score as "
    "it is.",
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 1e-5) - torch.log(torch.sigmoid(-noise) + 1e-5)"},
         "1e-05 added"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 1e-6) - torch.log(torch.sigmoid(-noise) + 1e-6)"},
         "1e-06 added"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 1e-7) - torch.log(torch.sigmoid(-noise) + 1e-7)"},
         "1e-07 added"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 1e-8) - torch.log(torch.sigmoid(-noise) + 1e-8)"},
         "1e-08 added"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 1e-9) - torch.log(torch.sigmoid(-noise) + 1e-9)"},
         "1e-09 added"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 1e-10) - torch.log(torch.sigmoid(-noise) + 1e-10)"},
         "1e-10 added"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 1e-12) - torch.log(torch.sigmoid(-noise) + 1e-12)"},
         "1e-12 added"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real).clamp(min=1e-5)) - "
                     "torch.log(torch.sigmoid(-noise).clamp(min=1e-5))"}, "σ at least 1e-05"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real).clamp(min=1e-6)) - "
                     "torch.log(torch.sigmoid(-noise).clamp(min=1e-6))"}, "σ at least 1e-06"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real).clamp(min=1e-12)) - "
                     "torch.log(torch.sigmoid(-noise).clamp(min=1e-12))"}, "σ at least 1e-12"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real).clamp(1e-5, 1 - 1e-5)) - torch.log(1 - "
                     "torch.sigmoid(noise).clamp(1e-5, 1 - 1e-5))"}, "σ between 1e-05 and 1 − 1e-05"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real).clamp(1e-6, 1 - 1e-6)) - torch.log(1 - "
                     "torch.sigmoid(noise).clamp(1e-6, 1 - 1e-6))"}, "σ between 1e-06 and 1 − 1e-06"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real).clamp(1e-7, 1 - 1e-7)) - torch.log(1 - "
                     "torch.sigmoid(noise).clamp(1e-7, 1 - 1e-7))"}, "σ between 1e-07 and 1 − 1e-07"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real).clamp(1e-8, 1 - 1e-8)) - torch.log(1 - "
                     "torch.sigmoid(noise).clamp(1e-8, 1 - 1e-8))"}, "σ between 1e-08 and 1 − 1e-08"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 1e-12) - torch.log(1 - torch.sigmoid(noise) + 1e-12)"},
         "1e-12 added, 1 − σ"),
    edit(reference, {"F.logsigmoid(real) - F.logsigmoid(-noise)":
                     "torch.log(torch.sigmoid(real) + 0.001) - torch.log(torch.sigmoid(-noise) + 0.001)"},
         "0.001 added"),
    edit(reference, {"(real)": "(real.clamp(-10, 10))",
                     "(-noise)": "(-noise.clamp(-10, 10))"}, "scores between −10 and 10"),
    edit(reference, {"(real)": "(real.clamp(-20, 20))",
                     "(-noise)": "(-noise.clamp(-20, 20))"}, "scores between −20 and 20"),
    edit(reference, {"(real)": "(real.clamp(-50, 50))",
                     "(-noise)": "(-noise.clamp(-50, 50))"}, "scores between −50 and 50"),
    edit(reference, {"(real)": "(real.clamp(-100, 100))",
                     "(-noise)": "(-noise.clamp(-100, 100))"}, "scores between −100 and 100"),
    edit(reference, {"-F.logsigmoid(real) - F.logsigmoid(-noise)":
                     'F.binary_cross_entropy(torch.sigmoid(real), torch.ones_like(real), reduction="none" '
                     ") + F.binary_cross_entropy(torch.sigmoid(noise), torch.zeros_like(noise), "
                     'reduction="none")'}, "binary cross-entropy of σ"))

exercise.mistake("two-parts", "negative-sampling",
    "More than one value is returned, such as the parts of the loss one by one. Return the loss alone, the "
    "sum of its parts.",
    edit(plain_other, {"() - F": "(), - F"}, "a tuple"),
    edit(reference, {"mean()": "mean(), real"}, "a loss and the scores"))

exercise.built_in("no-gradient",
    edit(reference, {"mean()": "mean().detach()"}, "detached"),
    edit(reference, {", center": ".detach(), center"}, "the negatives detached"))

exercise.built_in("changes-input",
    edit(reference, {"noise =": "with torch.no_grad():\n    negatives.neg_()\nnoise =", "-noise": "noise"},
         "neg_"),
    edit(reference, {"negatives, center)": "negatives.data.neg_(), center)", "-noise": "noise"}, "data.neg_"))

exercise.mistake("python-number", "negative-sampling",
    "The result is a plain number, through which no gradient flows. Return the tensor.",
    edit(reference, {"mean()": "mean().item()"}, "item"))

exercise.built_in("returns-nothing",
    full("real = (context * center).sum(dim=-1)\n"
         'noise = torch.einsum("bnd,bd->bn", negatives, center)\n'
         "losses = -F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)\n"
         "losses.mean()", "no return"))

exercise.built_in("ready-made",
    full("from allyouneed.text.embeddings import skip_gram_loss as loss\n"
         "return loss(center, context, negatives)", "the library's own"))

exercise.equal("the three inputs have one batch size and one dtype", {
    "len(center)": ("len(context)", "len(negatives)"),
    "center.shape[0]": ("context.shape[0]", "negatives.shape[0]"),
    "center.dtype": ("context.dtype", "negatives.dtype")})
exercise.equal("a zero without axes takes over the dtype of what it meets", {", dtype=center.dtype": ""})
exercise.equal("a dot product has no order, and neither has logaddexp", {
    "context[b], center[b]": "center[b], context[b]", "center, context": "context, center",
    "negatives[b, n], center[b]": "center[b], negatives[b, n]", "zero, -positive": "-positive, zero",
    "zero, negative": "negative, zero"})
exercise.equal("the mean of every sum of one number from each part is the sum of the parts' means", {
    ".flatten(1)": ("", ".flatten(2)"), ".flatten()": "",
    ".squeeze(2)": ("", ".squeeze(-2)", ".squeeze(1)"),
    ".squeeze(-1)": ("", ".squeeze(-2)", ".squeeze(1)")})
exercise.equal("from the last negative on, round to the first, they are all; one column is the last as well", {
    "negatives[b, n]": "negatives[b, n - 1]", "..., 0": "..., -1"})
