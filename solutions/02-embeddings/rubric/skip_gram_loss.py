"""The rubric of skip_gram_loss: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "skip_gram_loss",
    compact=True,
    points={"values": 3, "large scores": 2},
    section="negative-sampling",
    forbid=("SkipGram", "train_skip_gram"),
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The loss"}],
    mistakes={
        "sign-of-negatives": ("The negatives have the wrong sign: the loss falls when random words look like neighbours. Use the log-sigmoid of minus "
                              "their dot product.", "negative-sampling"),
        "sign-of-context": ("The true neighbour has the wrong sign: the loss grows when it is recognized. Use the log-sigmoid of context · center itself.",
                            "negative-sampling"),
        "both-signs": ("Both signs inside the sigmoid are flipped: the loss falls when the true neighbour is pushed away and random words "
                       "come near. Context · center enters as it is, the negatives' scores with a minus.", "negative-sampling"),
        "sign-of-loss": ("The sign of the loss is flipped. Log-sigmoids are negative; the loss is minus their sum, which is positive.",
                         "negative-sampling"),
        "subtracts-negatives": ("The negatives' part is taken away from the loss; it must be added. Both parts carry a minus sign.", "negative-sampling"),
        "mean-over-negatives": ("The negatives are averaged. Their log-sigmoids are summed over the N negatives; only the batch is averaged.",
                                "negative-sampling"),
        "mean-over-all": ("All log-sigmoids are averaged together, or the mean is divided once more. Sum them for each center word, take the mean over the "
                          "batch, and divide no further.", "negative-sampling"),
        "context-times-n": ("The true neighbour counts N times: broadcasting adds its part to each of the negatives. Sum over the negatives first, then add it once.",
                            "negative-sampling"),
        "divided-by-n": ("The loss is divided by the number of negatives instead of the number of center words. Sum over the N negatives, "
                         "take the mean over the batch.", "negative-sampling"),
        "wrong-base": ("The logarithm has a base other than e. The loss uses the natural logarithm.", "negative-sampling"),
        "logarithm-of-sum": ("The sigmoids of the negatives are put together before the logarithm. Each negative has a logarithm of its own: logarithm first, then "
                             "the sum.", "negative-sampling"),
        "dot-over-batch": ("The products are summed over the batch. A dot product sums over the width, the last axis.", "negative-sampling"),
        "squeezed": ("squeeze without an axis also removes the batch, or the negatives, where there is only one. Name the axis that should "
                     "go.", "negative-sampling"),
        "infinity-replaced": ("Infinite values are replaced afterwards. The loss of a large score is then a made-up number, and its gradient is lost. Use "
                              "F.logsigmoid on the score.", "stable-log-sigmoid"),
        "float32-only": ("The result is float32 whatever the vectors are. Keep their dtype.", "negative-sampling"),
        "sum-over-batch": ("The loss is summed over the batch. Take the mean, so that it does not grow with the batch.", "negative-sampling"),
        "not-averaged": ("There is a loss for each row of the batch. Return one number, their mean.", "negative-sampling"),
        "keeps-axes": ("The number is right, but the result has axes. Return a scalar, a tensor of shape ().", "negative-sampling"),
        "no-logarithm": ("The sigmoids are added without a logarithm. Each term is minus the logarithm of a sigmoid.", "negative-sampling"),
        "no-sigmoid": ("The dot products are added without the log-sigmoid. Send each of them through it.", "negative-sampling"),
        "context-alone": ("The negatives do not count. Add their part of the loss.", "negative-sampling"),
        "negatives-alone": ("The true neighbour does not count. Add its part of the loss.", "negative-sampling"),
        "first-negative-alone": ("Only one of the negatives counts. Sum over all N.", "negative-sampling"),
        "negatives-with-context": ("The negatives are compared with the context word. Compare them with the center word.", "negative-sampling"),
        "no-dot-product": ("The vectors are multiplied entry by entry, and the sum over the width comes too late or never. Sum the products over the last axis "
                           "before the sigmoid.", "negative-sampling"),
        "mean-dot-product": ("The dot product is divided: by the width or its root, or by the lengths of the vectors. Take the plain sum of products.",
                             "negative-sampling"),
        "scores-summed": ("The negatives, or their scores, are added up before the log-sigmoid. Each negative has a term of its own: log-sigmoid first, "
                          "then the sum.", "negative-sampling"),
        "all-pairs": ("Each center word is compared with every row of the batch. Compare it with its own context word and its own negatives only.",
                      "negative-sampling"),
        "missing-axis": ("negatives has one axis more than center, and broadcasting lines them up wrongly or fails. Give center an axis of "
                         "size 1 for the N negatives, or use einsum.", "negative-sampling"),
        "softmax-loss": ("The context word's score is compared with those of the negatives, as in a softmax or in pairs. Here each word is judged alone, by "
                         "the sigmoid of its own score.", "negative-sampling"),
        "unstable": ("Large scores give infinity or nan: the sigmoid becomes exactly 0, and its logarithm minus infinity. Use F.logsigmoid, or softplus.",
                     "stable-log-sigmoid"),
        "epsilon": ("A small number is added inside the logarithm, or the score, the sigmoid or its logarithm is clamped. The loss of a large score is "
                    "then cut off, and its gradient is lost. Use F.logsigmoid on the score as it is.", "stable-log-sigmoid"),
        "python-number": ("The result is a plain number, through which no gradient flows. Return the tensor.", "negative-sampling"),
        "two-parts": ("More than one value is returned, such as the parts of the loss one by one. Return the loss alone, the sum of its parts.",
                      "negative-sampling"),
    },
)


@exercise.probes
def _(make):
    def case(b, n, d, scale=1.0, dtype=torch.float32):
        return make.randn(b, d, dtype=dtype, scale=scale), make.randn(b, d, dtype=dtype, scale=scale), make.randn(b, n, d, dtype=dtype, scale=scale)

    group = "values"
    yield make.probe("one word, two negatives", *case(1, 2, make.pick(3, 4, 5)), group=group, gradient=True)
    yield make.probe("three words, four negatives", *case(3, 4, make.pick(5, 6, 7)), group=group, gradient=True)
    yield make.probe("five words, two negatives", *case(5, make.pick(2, 3, 4), make.pick(4, 7, 6)), group=group, gradient=True)
    yield make.probe("as many words as negatives", *case(4, 4, make.pick(3, 2, 5)), group=group, gradient=True)
    yield make.probe("as many negatives as columns", *case(make.pick(2, 3, 5), 4, 4), group=group)
    yield make.probe("float64", *case(4, 3, 2, dtype=torch.float64), group=group, gradient=True)
    yield make.probe("not contiguous", *case(3, 2, 5), group=group, strided=True)
    yield make.probe("one negative", *case(3, 1, 4), group=group, edge=True)
    yield make.probe("one word, one negative, width 1", *case(1, 1, 1), group=group, edge=True)
    yield make.probe("a large batch", *case(make.pick(150, 140, 160), 5, 3), group=group, long=True)
    group = "large scores"
    one = torch.ones(2, 1)
    yield make.probe("scores of 30", one * 5, torch.tensor([[6.0], [-6.0]]), torch.tensor([[[6.0], [-6.0]], [[make.pick(7.0, 8.0, 6.5)], [2.0]]]),
                     group=group, edge=True, gradient=True)
    yield make.probe("scores of a thousand", one * 100, torch.tensor([[-10.0], [make.pick(11.0, 12.0, 13.0)]]), torch.tensor([[[-10.0], [-12.0]], [[10.0], [-10.0]]]),
                     group=group, edge=True, gradient=True)
    yield make.probe("scores of a thousand, float64", *(value.double() * 10 for value in (one * 10, torch.tensor([[-1.0], [1.0]]), torch.tensor([[[1.5]], [[-1.0]]]))),
                     group=group, edge=True, gradient=True)


@exercise.right
def reference(center, context, negatives):
    real = (context * center).sum(dim=-1)
    noise = torch.einsum("bnd,bd->bn", negatives, center)
    losses = -F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)
    return losses.mean()


@exercise.alternative("softplus and batched products")
def _(center, context, negatives):
    positive = torch.bmm(context.unsqueeze(1), center.unsqueeze(2)).squeeze()
    negative = torch.bmm(negatives, center.unsqueeze(2)).squeeze(2)
    return (F.softplus(-positive).reshape(-1) + F.softplus(negative).sum(1)).mean()


@exercise.alternative("binary cross-entropy from scores")
def _(center, context, negatives):
    words = torch.cat([context[:, None], negatives], dim=1)
    scores = (words @ center[:, :, None])[..., 0]
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / len(center)


@exercise.alternative("loops")
def _(center, context, negatives):
    total = 0
    for b in range(center.shape[0]):
        total = total - F.logsigmoid(torch.dot(context[b], center[b]))
        for n in range(negatives.shape[1]):
            total = total - F.logsigmoid(-torch.dot(negatives[b, n], center[b]))
    return total / center.shape[0]


@exercise.alternative("logaddexp")
def _(center, context, negatives):
    positive = torch.einsum("bd,bd->b", center, context)
    negative = (negatives * center[:, None, :]).sum(-1)
    zero = torch.zeros((), dtype=center.dtype)
    return torch.logaddexp(zero, -positive).mean() + torch.logaddexp(zero, negative).sum() / negative.shape[0]


@exercise.alternative("layers of torch.nn")
def _(center, context, negatives):
    log_sigmoid = torch.nn.LogSigmoid()
    positive = log_sigmoid((center * context).sum(1))
    negative = log_sigmoid(negatives.neg().matmul(center.unsqueeze(-1)).squeeze(-1)).sum(1)
    return torch.mean(-(positive + negative))


@exercise.alternative("a stable formula by hand")
def _(center, context, negatives):
    def minus_log_sigmoid(x):
        return torch.clamp(-x, min=0) + torch.log1p(torch.exp(-x.abs()))

    noise = torch.matmul(negatives, center[..., None]).flatten(1)
    return minus_log_sigmoid((center * context).sum(-1)).mean() + minus_log_sigmoid(-noise).sum(1).mean()


REAL, NOISE = "(context * center).sum(dim=-1)", "torch.einsum('bnd,bd->bn', negatives, center)"
LOSSES = "-F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)"
MEAN = "return losses.mean()"
vary(exercise, "sign-of-negatives", "log σ of the score", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(noise).sum(dim=-1)"))
vary(exercise, "sign-of-negatives", "and the mean over N", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(noise).mean(dim=-1)"))
vary(exercise, "sign-of-negatives", "and the mean over all", ("return losses.mean()", "return -torch.cat([F.logsigmoid(real), F.logsigmoid(noise).flatten()]).mean()"))
vary(exercise, "sign-of-negatives", "and summed over the batch", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(noise).sum(dim=-1)"), ("losses.mean()", "losses.sum()"))
vary(exercise, "sign-of-negatives", "and without F.logsigmoid", (LOSSES, "-torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(noise)).sum(dim=-1)"))
vary(exercise, "sign-of-context", "log σ of minus the score", (LOSSES, "-F.logsigmoid(-real) - F.logsigmoid(-noise).sum(dim=-1)"))
vary(exercise, "both-signs", "both turned", (LOSSES, "-F.logsigmoid(-real) - F.logsigmoid(noise).sum(dim=-1)"))
vary(exercise, "sign-of-loss", "no minus", (LOSSES, "F.logsigmoid(real) + F.logsigmoid(-noise).sum(dim=-1)"))
vary(exercise, "sign-of-loss", "no minus, without F.logsigmoid", (LOSSES, "torch.log(torch.sigmoid(real)) + torch.log(torch.sigmoid(-noise)).sum(dim=-1)"))
vary(exercise, "sign-of-loss", "no minus, signs of the negatives", (LOSSES, "F.logsigmoid(real) + F.logsigmoid(noise).sum(dim=-1)"))
vary(exercise, "sign-of-loss", "no minus, the mean over N", (LOSSES, "F.logsigmoid(real) + F.logsigmoid(-noise).mean(dim=-1)"))
vary(exercise, "subtracts-negatives", "plus the log-sigmoid", (LOSSES, "-F.logsigmoid(real) + F.logsigmoid(-noise).sum(dim=-1)"))
vary(exercise, "subtracts-negatives", "plus the log-sigmoid of the score", (LOSSES, "-F.logsigmoid(real) + F.logsigmoid(noise).sum(dim=-1)"))
vary(exercise, "subtracts-negatives", "the true one without minus", (LOSSES, "F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=-1)"))
vary(exercise, "subtracts-negatives", "plus the log-sigmoid, the mean over N", (LOSSES, "-F.logsigmoid(real) + F.logsigmoid(-noise).mean(dim=-1)"))
vary(exercise, "mean-over-negatives", "mean along N", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise).mean(dim=-1)"))
vary(exercise, "mean-over-negatives", "two means", (MEAN, "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).mean()"))
vary(exercise, "mean-over-negatives", "without F.logsigmoid", (MEAN, "return -torch.log(torch.sigmoid(real)).mean() - torch.log(torch.sigmoid(-noise)).mean()"))
vary(exercise, "scores-summed", "the mean of the scores", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise.mean(dim=-1))"))
vary(exercise, "scores-summed", "the sum of the scores", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise.sum(dim=-1))"))
vary(exercise, "mean-over-all", "one mean", (MEAN, "return -torch.cat([F.logsigmoid(real), F.logsigmoid(-noise).flatten()]).mean()"))
vary(exercise, "mean-over-all", "half the sum of two means", (MEAN, "return (-F.logsigmoid(real).mean() - F.logsigmoid(-noise).mean()) / 2"))
vary(exercise, "mean-over-all", "the losses divided by N", (MEAN, "return losses.mean() / negatives.shape[1]"))
vary(exercise, "mean-over-all", "half the loss", (MEAN, "return losses.mean() / 2"))
vary(exercise, "mean-over-negatives", "broadcast, then one mean", (LOSSES, "-F.logsigmoid(real)[:, None] - F.logsigmoid(-noise)"))
vary(exercise, "context-times-n", "broadcast, then summed over N", (LOSSES, "(-F.logsigmoid(real)[:, None] - F.logsigmoid(-noise)).sum(-1)"))
vary(exercise, "sum-over-batch", "sum", ("losses.mean()", "losses.sum()"))
vary(exercise, "sum-over-batch", "both sums", (MEAN, "return -F.logsigmoid(real).sum() - F.logsigmoid(-noise).sum()"))
vary(exercise, "sum-over-batch", "only the negatives'", (MEAN, "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum()"))
vary(exercise, "sum-over-batch", "only the context's", (MEAN, "return -F.logsigmoid(real).sum() - F.logsigmoid(-noise).sum(dim=-1).mean()"))
vary(exercise, "sum-over-batch", "negatives averaged over the batch only, context summed", (MEAN, "return -F.logsigmoid(real).sum() - F.logsigmoid(-noise).mean()"))
vary(exercise, "sum-over-batch", "unstable", (MEAN, "return -torch.log(torch.sigmoid(real)).sum() - torch.log(torch.sigmoid(-noise)).sum()"))
vary(exercise, "not-averaged", "a loss a row", (MEAN, "return losses"))
vary(exercise, "not-averaged", "a loss a row, unstable", (LOSSES, "-torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(-noise)).sum(dim=-1)"), (MEAN, "return losses"))
vary(exercise, "not-averaged", "a column", (MEAN, "return losses[:, None]"))
vary(exercise, "not-averaged", "a loss a row and negative", (MEAN, "return -F.logsigmoid(real)[:, None] - F.logsigmoid(-noise)"))
vary(exercise, "not-averaged", "averaged over N, not over the batch", (MEAN, "return -F.logsigmoid(real) - F.logsigmoid(-noise).mean(dim=-1)"))
vary(exercise, "keeps-axes", "shape (1,)", ("losses.mean()", "losses.mean(dim=0, keepdim=True)"))
vary(exercise, "keeps-axes", "shape (1, 1)", ("losses.mean()", "losses.mean()[None, None]"))
vary(exercise, "no-logarithm", "σ alone", (LOSSES, "-torch.sigmoid(real) - torch.sigmoid(-noise).sum(dim=-1)"))
vary(exercise, "no-logarithm", "one minus σ", (LOSSES, "1 - torch.sigmoid(real) + torch.sigmoid(noise).sum(dim=-1)"))
vary(exercise, "no-logarithm", "σ of the score, added", (LOSSES, "-torch.sigmoid(real) + torch.sigmoid(noise).sum(dim=-1)"))
vary(exercise, "no-logarithm", "σ of both, positive", (LOSSES, "torch.sigmoid(real) + torch.sigmoid(-noise).sum(dim=-1)"))
vary(exercise, "no-sigmoid", "scores alone", (LOSSES, "-real + noise.sum(dim=-1)"))
vary(exercise, "no-sigmoid", "logarithm of the score", (LOSSES, "-torch.log(real) - torch.log(-noise).sum(dim=-1)"))
vary(exercise, "no-sigmoid", "scores alone, the mean over N", (LOSSES, "-real + noise.mean(dim=-1)"))
vary(exercise, "no-sigmoid", "exp", (LOSSES, "torch.exp(-real) + torch.exp(noise).sum(dim=-1)"))
vary(exercise, "no-sigmoid", "margin", (LOSSES, "F.relu(1 - real) + F.relu(1 + noise).sum(dim=-1)"))
vary(exercise, "no-sigmoid", "tanh", (LOSSES, "-torch.log((1 + torch.tanh(real)) / 2) - torch.log((1 - torch.tanh(noise)) / 2).sum(dim=-1)"))
vary(exercise, "context-alone", "no negatives", (LOSSES, "-F.logsigmoid(real)"))
vary(exercise, "negatives-alone", "no context", (LOSSES, "-F.logsigmoid(-noise).sum(dim=-1)"))
vary(exercise, "negatives-alone", "no context, the mean over N", (LOSSES, "-F.logsigmoid(-noise).mean(dim=-1)"))
vary(exercise, "first-negative-alone", "the first", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise)[:, 0]"))
vary(exercise, "first-negative-alone", "the last", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise)[:, -1]"))
vary(exercise, "first-negative-alone", "the hardest", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise).amin(dim=-1)"))
vary(exercise, "first-negative-alone", "the easiest", (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise).amax(dim=-1)"))
vary(exercise, "negatives-with-context", "einsum", (NOISE, "torch.einsum('bnd,bd->bn', negatives, context)"))
vary(exercise, "negatives-with-context", "einsum, the mean over N", (NOISE, "torch.einsum('bnd,bd->bn', negatives, context)"), (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise).mean(dim=-1)"))
vary(exercise, "negatives-with-context", "both", (NOISE, "torch.einsum('bnd,bd->bn', negatives, context * center)"))
vary(exercise, "negatives-with-context", "the sum of both", (NOISE, "torch.einsum('bnd,bd->bn', negatives, context + center)"))
ENTRIES = "(negatives * center[:, None])"
vary(exercise, "no-dot-product", "sum after the log-sigmoid", (REAL, "context * center"), (NOISE, ENTRIES), (LOSSES, "-F.logsigmoid(real).sum(-1) - F.logsigmoid(-noise).sum((-1, -2))"))
vary(exercise, "no-dot-product", "mean after the log-sigmoid", (REAL, "context * center"), (NOISE, ENTRIES), (LOSSES, "-F.logsigmoid(real).mean(-1) - F.logsigmoid(-noise).mean(-1).sum(-1)"))
vary(exercise, "no-dot-product", "mean of everything", (REAL, "context * center"), (NOISE, ENTRIES), (MEAN, "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).mean()"), (LOSSES, "None"))
vary(exercise, "no-dot-product", "sum over N, mean of the rest", (REAL, "context * center"), (NOISE, ENTRIES), (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise).sum(dim=1)"))
vary(exercise, "divided-by-n", "the sum over N", (MEAN, "return losses.sum() / negatives.shape[1]"))
vary(exercise, "divided-by-n", "the negatives' part", (MEAN, "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum(dim=0).mean()"))
vary(exercise, "wrong-base", "2", (MEAN, "return losses.mean() / 0.6931471805599453"))
vary(exercise, "wrong-base", "2, unstable", (LOSSES, "-torch.log2(torch.sigmoid(real)) - torch.log2(torch.sigmoid(-noise)).sum(dim=-1)"))
vary(exercise, "wrong-base", "10, unstable", (LOSSES, "-torch.log10(torch.sigmoid(real)) - torch.log10(torch.sigmoid(-noise)).sum(dim=-1)"))
vary(exercise, "logarithm-of-sum", "of the sum", (LOSSES, "-F.logsigmoid(real) - torch.log(torch.sigmoid(-noise).sum(dim=-1))"))
vary(exercise, "logarithm-of-sum", "of the mean", (LOSSES, "-F.logsigmoid(real) - torch.log(torch.sigmoid(-noise).mean(dim=-1))"))
vary(exercise, "logarithm-of-sum", "of the sum, both unstable", (LOSSES, "-torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(-noise).sum(dim=-1))"))
vary(exercise, "dot-over-batch", "the context alone", (REAL, "(context * center).sum(dim=0)"), (MEAN, "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum(dim=-1).mean()"), (LOSSES, "None"))
vary(exercise, "dot-over-batch", "the context alone, the parts added first", (REAL, "(context * center).sum(dim=0)"))
vary(exercise, "dot-over-batch", "the negatives over N", (NOISE, "(negatives * center[:, None]).sum(dim=1)"))
vary(exercise, "squeezed", "both", (REAL, "torch.bmm(context[:, None], center[:, :, None]).squeeze()"), (NOISE, "torch.bmm(negatives, center[:, :, None]).squeeze()"))
vary(exercise, "infinity-replaced", "in the losses", (LOSSES, "torch.nan_to_num(-torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(-noise)).sum(dim=-1))"))
vary(exercise, "infinity-replaced", "in the result", (LOSSES, "-torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(-noise)).sum(dim=-1)"), (MEAN, "return torch.nan_to_num(losses.mean())"))
vary(exercise, "infinity-replaced", "by 0", (LOSSES, "torch.nan_to_num(-torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(-noise)).sum(dim=-1), posinf=0.0)"))
vary(exercise, "float32-only", "float()", (REAL, "(context.float() * center.float()).sum(dim=-1)"), (NOISE, "torch.einsum('bnd,bd->bn', negatives.float(), center.float())"))
vary(exercise, "all-pairs", "einsum without a common letter", (REAL, "torch.einsum('bd,cd->b', context, center)"))
vary(exercise, "all-pairs", "einsum without a common letter, center first", (REAL, "torch.einsum('bd,cd->b', center, context)"))
vary(exercise, "dot-over-batch", "both", (REAL, "(context * center).sum(dim=0)"), (NOISE, ENTRIES + ".sum(dim=0)"), (MEAN, "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum(dim=0).mean()"), (LOSSES, "None"))
vary(exercise, "no-dot-product", "one sum for the whole batch", (REAL, "(context * center).sum()"), (NOISE, ENTRIES + ".sum()"), (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise)"))
vary(exercise, "scores-summed", "negatives summed first", (NOISE, "(negatives.sum(1) * center).sum(-1, keepdim=True)"))
vary(exercise, "scores-summed", "the mean of the negatives", (NOISE, "(negatives.mean(1) * center).sum(-1, keepdim=True)"))
vary(exercise, "no-dot-product", "differences", (REAL, "-(context - center).square().sum(-1)"), (NOISE, "-(negatives - center[:, None]).square().sum(-1)"))
vary(exercise, "mean-dot-product", "mean over the width", (REAL, "(context * center).mean(dim=-1)"), (NOISE, ENTRIES + ".mean(-1)"))
vary(exercise, "mean-dot-product", "divided by the root of the width", (REAL, "(context * center).sum(dim=-1) / center.shape[-1] ** 0.5"), (NOISE, ENTRIES + ".sum(-1) / center.shape[-1] ** 0.5"))
vary(exercise, "mean-dot-product", "cosines", (REAL, "F.cosine_similarity(context, center, dim=-1)"), (NOISE, "F.cosine_similarity(negatives, center[:, None], dim=-1)"))
vary(exercise, "mean-dot-product", "the negatives only", (NOISE, ENTRIES + ".mean(-1)"))
vary(exercise, "all-pairs", "center times all contexts, mean of all", (REAL, "center @ context.T"), (MEAN, "return -F.logsigmoid(real).mean() - F.logsigmoid(-noise).sum(dim=-1).mean()"), (LOSSES, "None"))
vary(exercise, "all-pairs", "center times all contexts, summed a row", (REAL, "center @ context.T"), (LOSSES, "-F.logsigmoid(real).sum(-1) - F.logsigmoid(-noise).sum(dim=-1)"))
vary(exercise, "all-pairs", "center times all contexts, broadcast", (REAL, "center @ context.T"))
vary(exercise, "all-pairs", "all negatives of the batch", (NOISE, "torch.einsum('cnd,bd->bcn', negatives, center).flatten(1)"))
vary(exercise, "all-pairs", "all negatives of the batch, averaged", (NOISE, "torch.einsum('cnd,bd->bnc', negatives, center)"), (LOSSES, "-F.logsigmoid(real) - F.logsigmoid(-noise).mean(-1).sum(-1)"))
vary(exercise, "missing-axis", "entry by entry", (NOISE, "(negatives * center).sum(-1)"))
vary(exercise, "missing-axis", "matrix product with center", (NOISE, "negatives @ center"))
vary(exercise, "missing-axis", "matrix product with center.T", (NOISE, "negatives @ center.T"))
vary(exercise, "all-pairs", "matrix product with center.T, all summed", (NOISE, "(negatives @ center.T).flatten(1)"))
vary(exercise, "missing-axis", "bmm without an axis", (NOISE, "torch.bmm(negatives, center)"))
vary(exercise, "missing-axis", "center @ negatives", (NOISE, "center @ negatives"))
SOFTMAX = "scores = torch.cat([real[:, None], noise], dim=1)\n    losses ="
vary(exercise, "softmax-loss", "cross-entropy", ("losses =", SOFTMAX), (LOSSES, "F.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long))"))
vary(exercise, "softmax-loss", "log_softmax", ("losses =", SOFTMAX), (LOSSES, "-F.log_softmax(scores, dim=1)[:, 0]"))
vary(exercise, "softmax-loss", "only over the negatives", ("losses =", SOFTMAX), (LOSSES, "-real + torch.logsumexp(noise, dim=1)"))
vary(exercise, "softmax-loss", "pairs of context and negative", (LOSSES, "-F.logsigmoid(real[:, None] - noise).sum(-1)"))
vary(exercise, "softmax-loss", "pairs of context and negative, averaged", (LOSSES, "-F.logsigmoid(real[:, None] - noise).mean(-1)"))
for label, losses in (
        ("log of σ", "-torch.log(torch.sigmoid(real)) - torch.log(torch.sigmoid(-noise)).sum(dim=-1)"),
        ("log of 1 − σ", "-torch.log(torch.sigmoid(real)) - torch.log(1 - torch.sigmoid(noise)).sum(dim=-1)"),
        ("log(1 + exp)", "torch.log(1 + torch.exp(-real)) + torch.log(1 + torch.exp(noise)).sum(dim=-1)"),
        ("log1p(exp)", "torch.log1p(torch.exp(-real)) + torch.log1p(torch.exp(noise)).sum(dim=-1)"),
        ("σ by hand", "-torch.log(1 / (1 + torch.exp(-real))) - torch.log(1 / (1 + torch.exp(noise))).sum(dim=-1)"),
        ("σ by hand, the other way", "-torch.log(torch.exp(real) / (1 + torch.exp(real))) - torch.log(1 / (1 + torch.exp(noise))).sum(dim=-1)"),
        ("only the negatives", "-F.logsigmoid(real) - torch.log(torch.sigmoid(-noise)).sum(dim=-1)"),
        ("only the context", "-torch.log(torch.sigmoid(real)) - F.logsigmoid(-noise).sum(dim=-1)"),
        ("score minus log(1 + exp)", "-(real - torch.log(1 + torch.exp(real))) + torch.log(1 + torch.exp(noise)).sum(dim=-1)")):
    vary(exercise, "unstable", label, (LOSSES, losses))
for small in ("1e-05", "1e-06", "1e-07", "1e-08", "1e-09", "1e-10", "1e-12"):
    vary(exercise, "epsilon", f"{small} added", (LOSSES, f"-torch.log(torch.sigmoid(real) + {small}) - torch.log(torch.sigmoid(-noise) + {small}).sum(dim=-1)"))
for small in ("1e-05", "1e-06", "1e-12"):
    vary(exercise, "epsilon", f"σ at least {small}", (LOSSES, f"-torch.log(torch.sigmoid(real).clamp(min={small})) - torch.log(torch.sigmoid(-noise).clamp(min={small})).sum(dim=-1)"))
for small in ("1e-05", "1e-06", "1e-07", "1e-08"):
    vary(exercise, "epsilon", f"σ between {small} and 1 − {small}",
         (LOSSES, f"-torch.log(torch.sigmoid(real).clamp({small}, 1 - {small})) - torch.log(1 - torch.sigmoid(noise).clamp({small}, 1 - {small})).sum(dim=-1)"))
vary(exercise, "epsilon", "1e-12 added, 1 − σ", (LOSSES, "-torch.log(torch.sigmoid(real) + 1e-12) - torch.log(1 - torch.sigmoid(noise) + 1e-12).sum(dim=-1)"))
vary(exercise, "epsilon", "0.001 added", (LOSSES, "-torch.log(torch.sigmoid(real) + 0.001) - torch.log(torch.sigmoid(-noise) + 0.001).sum(dim=-1)"))
for limit in (10, 20, 50, 100):
    vary(exercise, "epsilon", f"scores between −{limit} and {limit}", (LOSSES, f"-F.logsigmoid(real.clamp(-{limit}, {limit})) - F.logsigmoid(-noise.clamp(-{limit}, {limit})).sum(dim=-1)"))
vary(exercise, "epsilon", "binary cross-entropy of σ", (LOSSES, "F.binary_cross_entropy(torch.sigmoid(real), torch.ones_like(real), reduction='none') + "
     "F.binary_cross_entropy(torch.sigmoid(noise), torch.zeros_like(noise), reduction='none').sum(dim=-1)"))
vary(exercise, "python-number", "item", ("losses.mean()", "losses.mean().item()"))
vary(exercise, "two-parts", "a tuple", (MEAN, "return (-F.logsigmoid(real).mean(), -F.logsigmoid(-noise).sum(dim=-1).mean())"))
vary(exercise, "two-parts", "a loss and the scores", (MEAN, "return (losses.mean(), real)"))
vary(exercise, "no-gradient", "detached", ("losses.mean()", "losses.mean().detach()"))
vary(exercise, "no-gradient", "the negatives detached", (NOISE, "torch.einsum('bnd,bd->bn', negatives.detach(), center)"))
vary(exercise, "no-gradient", "a new tensor", ("losses.mean()", "torch.tensor(losses.mean().item(), dtype=center.dtype)"))
vary(exercise, "returns-nothing", "no return", (MEAN, "losses.mean()"))


@exercise.wrong("ready-made", "the library's own")
def _(center, context, negatives):
    from allyouneed.embeddings import skip_gram_loss as loss
    return loss(center, context, negatives)
