"""The rubric of sequence_loss: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise

exercise = Exercise(
    "sequence_loss",
    points={"pads": 3, "large logits": 1},
    section="sequence-loss-pads",
    compact=True,
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "A loss"}],
    relations=[("other logits at pads", "logits at pads", "Changing the logits at a pad changed the loss; pads must not count.")],
    mistakes={
        "pads-counted": ("Pads count as if they were tokens. Leave out every position whose target is pad_id, in the sum and in the count.", "sequence-loss-pads"),
        "pads-in-the-count": ("Pads are left out of the sum, but the sum is still divided by all positions. Divide by the number of tokens that are "
                              "not pads.", "sequence-loss-pads"),
        "pads-in-the-sum": ("The sum runs over pads too, and is divided by the number of real tokens. Leave pads out of both.", "sequence-loss-pads"),
        "pad-fixed": ("A fixed number is taken for the pad. Use pad_id, which may be any token.", "sequence-loss-pads"),
        "only-pads": ("The mask is inverted: the loss runs over the pads. Keep the positions whose target is not pad_id.", "sequence-loss-pads"),
        "pad-logit-removed": ("The logit of the pad is changed or taken out. It stays as it is in the softmax: only positions whose target is a pad are left out.", "sequence-loss-pads"),
        "logits-at-pads-zeroed": ("The logits at pads are set to 0, but the pads still count: zero logits cost log V each. Leave these positions "
                                  "out, of the sum and of the count.", "sequence-loss-pads"),
        "pad-as-target-zero": ("Pads get another target instead of being left out. They must not count at all.", "sequence-loss-pads"),
        "pad-by-prediction": ("Positions are left out where the model predicts a pad. Leave out those whose target is one.", "sequence-loss-pads"),
        "softmax-twice": ("The softmax is taken twice. Cross-entropy takes logits, as they come from the model.", "softmax-once"),
        "no-softmax": ("The logits are used as if they were probabilities or log-probabilities. Take the log-softmax, or use a cross-entropy that does it.", "softmax-once"),
        "no-logarithm": ("The probabilities are averaged without a logarithm. The loss of a token is −log of its probability.", "softmax-once"),
        "softmax-over-another-axis": ("The softmax does not run over the vocabulary. It is the last axis of the logits.", "softmax-once"),
        "unstable": ("Large logits give infinite values or NaN. Use log_softmax or logsumexp, or a cross-entropy that takes logits.", "softmax-once"),
        "clipped": ("Probabilities are held away from 0 before the logarithm, so unlikely tokens cost too little. Use log_softmax.", "softmax-once"),
        "mean-of-row-means": ("Each row, or each place, is averaged first, and then these means: so tokens that share a row or a place with "
                              "few others count more. Divide one sum by one count.", "mean-over-tokens"),
        "sum": ("The losses are summed. Divide by the number of tokens that are not pads.", "mean-over-tokens"),
        "sum-over-rows": ("The sum is divided by the number of rows. Divide by the number of tokens that are not pads.", "mean-over-tokens"),
        "sum-over-length": ("The sum is divided by the length. Divide by the number of tokens that are not pads.", "mean-over-tokens"),
        "divided-by-vocabulary": ("The sum is also divided by the size of the vocabulary. Divide by the number of tokens alone.", "mean-over-tokens"),
        "not-reduced": ("A loss for each position or row comes back. Return one number: the mean over all real tokens.", "mean-over-tokens"),
        "shifted-again": ("The targets are shifted once more. They come already shifted: position t of the logits belongs to position t of the "
                          "targets.", "teacher-forcing"),
        "shifted-the-other-way": ("The targets are shifted backwards. They come already shifted: position t of the logits belongs to position t of "
                                  "the targets.", "teacher-forcing"),
        "first-token-dropped": ("The first position is left out. All positions count that are not pads.", "teacher-forcing"),
        "last-token-dropped": ("The last position is left out. All positions count that are not pads.", "teacher-forcing"),
        "axes-mixed": ("Logits and targets no longer belong together: an axis is moved by a reshape, or one of the two is transposed. "
                       "Move axes with transpose, and flatten both in the same order.", "sequence-loss-pads"),
        "sign": ("The sign is wrong: the loss of a token is minus the logarithm of its probability.", "sequence-loss-pads"),
        "logarithm-of-another-base": ("The logarithm has another base. Use the natural one.", "sequence-loss-pads"),
        "perplexity": ("The exponential of the loss comes back. Return the mean itself.", "mean-over-tokens"),
        "squared-error": ("Squared differences are not a cross-entropy. The loss of a token is −log of its probability.", "softmax-once"),
        "smoothed": ("The targets are smoothed. The plain cross-entropy is asked for.", "sequence-loss-pads"),
        "returns-number": ("A plain number comes back, which no gradient can pass. Return the tensor: no .item() and no float().", "mean-over-tokens"),
        "needs-contiguous": ("view cannot join axes where the memory is in another order. Use reshape or flatten.", "sequence-loss-pads"),
        "axes-for-cross-entropy": ("F.cross_entropy does not take these shapes. It expects the classes in axis 1: flatten batch and time first, or "
                                   "exchange the last two axes.", "sequence-loss-pads"),
        "dtype-fixed": ("float64 logits do not give a float64 loss: some tensor is made or cast as float32.", "sequence-loss-pads"),
    },
)


@exercise.probes
def _(make):
    def targets(rows, vocabulary, pad, length):
        """Targets (B, length): each row has as many real tokens as `rows` says, none of them the pad, then pads."""
        tokens = make.randint(0, vocabulary - 1, (len(rows), length))
        tokens = tokens + (tokens >= pad)
        return torch.where(torch.arange(length) < torch.tensor(rows)[:, None], tokens, pad)

    def probe(name, logits, wanted, pad, group="pads", **marks):
        return make.probe(name, logits, wanted, pad, group=group, **marks)

    x = make.randn
    yield probe("two rows", x(2, 3, 4), targets([3, 1], 4, 3, 3), 3)
    yield probe("all sizes different", x(3, 4, 6), targets([4, 2, 1], 6, make.pick(2, 4, 3), 4), make.pick(2, 4, 3), gradient=True)
    yield probe("more tokens than classes", x(2, make.pick(7, 6, 8), 5, scale=2.0), targets([make.pick(7, 6, 8), 3], 5, 1, make.pick(7, 6, 8)), 1)
    yield probe("pad is token 0", x(2, 4, 5), targets([4, 1], 5, 0, 4), 0)
    yield probe("as many rows as tokens and classes", x(4, 4, 4), targets([4, 1, 3, 2], 4, 2, 4), 2, edge=True)
    logits, wanted = x(2, 3, 5), targets([3, 1], 5, 4, 3)
    other = torch.where((wanted == 4)[..., None], x(2, 3, 5), logits)
    yield probe("logits at pads", logits, wanted, 4)
    yield probe("other logits at pads", other, wanted, 4, long=True)
    yield probe("no pads", x(2, 3, 4), targets([3, 3], 4, 1, 3), 1)
    yield probe("one row", x(1, 5, 4), targets([3], 4, 3, 5), 3, edge=True)
    yield probe("one token", x(1, 1, 3), targets([1], 3, 0, 1), 0, edge=True)
    yield probe("a row of pads alone", x(3, 3, 4), targets([2, 0, 3], 4, 3, 3), 3, edge=True, gradient=True)
    yield probe("pads in the middle", x(2, 4, 5), torch.tensor([[2, 0, 3, 0], [0, 1, 4, 4]]), 0, edge=True)
    yield probe("a long sequence", x(2, 150, 5), targets([150, 80], 5, 2, 150), 2, long=True)
    yield probe("float64", x(2, 3, 4, dtype=torch.float64), targets([3, 2], 4, 0, 3), 0, edge=True, gradient=True)
    yield probe("not contiguous", x(2, 3, 4), targets([2, 3], 4, 3, 3), 3, edge=True, strided=True)

    group = {"group": "large logits"}
    yield probe("logits in the hundreds", x(2, 3, 4, scale=300.0), targets([3, 2], 4, 1, 3), 1, gradient=True, **group)
    yield probe("logits far below 0", x(2, 3, 4, scale=2.0) - 500.0, targets([3, 2], 4, 1, 3), 1, edge=True, **group)


@exercise.right
def reference(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.alternative("classes moved to axis 1")
def right_one(logits, targets, pad_id):
    return F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=pad_id)


@exercise.alternative("log_softmax and gather")
def right_two(logits, targets, pad_id):
    logs = logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    real = targets != pad_id
    return -(logs * real).sum() / real.sum()


@exercise.alternative("logsumexp, only real positions")
def right_three(logits, targets, pad_id):
    real = targets.ne(pad_id)
    kept, wanted = logits[real], targets[real]
    return (kept.logsumexp(dim=-1) - kept[torch.arange(len(kept)), wanted]).mean()


@exercise.alternative("one-hot and einsum")
def right_four(logits, targets, pad_id):
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    real = (targets != pad_id).to(logits.dtype)
    losses = -torch.einsum("btv,btv->bt", wanted, F.log_softmax(logits, dim=-1))
    return torch.einsum("bt,bt->", losses, real) / real.sum()


@exercise.alternative("a loop over rows")
def right_five(logits, targets, pad_id):
    total, count = 0.0, 0
    for row, wanted in zip(logits, targets):
        total = total + F.cross_entropy(row, wanted, ignore_index=pad_id, reduction="sum")
        count += int((wanted != pad_id).sum())
    return total / count


@exercise.alternative("reduction none and a boolean index")
def right_six(logits, targets, pad_id):
    losses = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1), reduction="none")
    return losses[targets.reshape(-1) != pad_id].mean()


@exercise.alternative("the module, and a weight of 0 for the pad")
def right_seven(logits, targets, pad_id):
    weight = torch.ones(logits.shape[-1], dtype=logits.dtype)
    weight[pad_id] = 0.0
    return nn.CrossEntropyLoss(weight=weight)(logits.permute(0, 2, 1), targets)


@exercise.alternative("nll_loss with ignore_index")
def right_eight(logits, targets, pad_id):
    return F.nll_loss(torch.log_softmax(logits, -1).flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.alternative("a loop over all positions")
def right_nine(logits, targets, pad_id):
    losses = []
    for b in range(targets.shape[0]):
        for t in range(targets.shape[1]):
            if targets[b, t] != pad_id:
                losses.append(torch.logsumexp(logits[b, t], 0) - logits[b, t, targets[b, t]])
    return sum(losses) / len(losses)


@exercise.alternative("log_softmax twice, which changes nothing")
def right_ten(logits, targets, pad_id):
    return F.cross_entropy(F.log_softmax(logits, dim=-1).flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("pads-counted")
def pads_counted(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@exercise.wrong("pads-in-the-count")
def pads_in_the_count(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    return (losses * real).mean()


@exercise.wrong("pads-in-the-sum")
def pads_in_the_sum(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    return losses.sum() / real.sum()


@exercise.wrong("pad-fixed", "0")
def pad_fixed(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)


@exercise.wrong("pad-fixed", "1")
def pad_fixed2(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=1)


@exercise.wrong("pad-fixed", "2")
def pad_fixed3(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=2)


@exercise.wrong("pad-fixed", "3")
def pad_fixed4(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=3)


@exercise.wrong("pad-fixed", "the last token")
def pad_fixed5(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=logits.shape[-1] - 1)


@exercise.wrong("only-pads")
def only_pads(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    return (losses * ~real).sum() / (~real).sum()


@exercise.wrong("only-pads", "divided by the real tokens")
def only_pads3(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    return (losses * (targets == pad_id)).sum() / real.sum()


@exercise.wrong("only-pads", "mean over all")
def only_pads4(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    return (losses * (targets == pad_id)).mean()


@exercise.wrong("pad-logit-removed")
def pad_logit_removed(logits, targets, pad_id):
    logits = logits.clone()
    logits[..., pad_id] = torch.finfo(logits.dtype).min
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("pad-logit-removed", "multiplied by 0")
def pad_logit_removed3(logits, targets, pad_id):
    weight = torch.arange(logits.shape[-1]) != pad_id
    logits = logits * weight
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("logits-at-pads-zeroed", "multiplied by 0")
def pad_logit_removed4(logits, targets, pad_id):
    real = targets != pad_id
    logits = logits * real[..., None]
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@exercise.wrong("pad-as-target-zero")
def pad_as_target_zero(logits, targets, pad_id):
    targets = targets.masked_fill(targets == pad_id, 0)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@exercise.wrong("pad-by-prediction")
def pad_by_prediction(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    kept = (logits.argmax(-1) != pad_id).flatten()
    return (losses * kept).sum() / kept.sum()


@exercise.wrong("pad-by-prediction", "and by target")
def pad_by_prediction2(logits, targets, pad_id):
    kept = logits.argmax(-1) != pad_id
    return F.cross_entropy(logits[kept], targets[kept], ignore_index=pad_id)


@exercise.wrong("softmax-twice")
def softmax_twice(logits, targets, pad_id):
    return F.cross_entropy(torch.softmax(logits, -1).flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("softmax-twice", "and pads counted")
def softmax_twice3(logits, targets, pad_id):
    return F.cross_entropy(torch.softmax(logits, -1).flatten(0, 1), targets.flatten())


@exercise.wrong("softmax-twice", "three times")
def softmax_twice4(logits, targets, pad_id):
    return F.cross_entropy(torch.log_softmax(logits, -1).exp().log_softmax(-1).softmax(-1).flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("no-softmax")
def no_softmax(logits, targets, pad_id):
    return F.nll_loss(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("no-softmax", "and pads counted")
def no_softmax2(logits, targets, pad_id):
    return F.nll_loss(logits.flatten(0, 1), targets.flatten())


@exercise.wrong("no-softmax", "the logarithm of a logit")
def no_softmax3(logits, targets, pad_id):
    p = logits.gather(-1, targets[..., None]).squeeze(-1)
    real = targets != pad_id
    return -p.clamp(min=1e-9).log()[real].mean()


@exercise.wrong("no-logarithm")
def no_logarithm(logits, targets, pad_id):
    return F.nll_loss(logits.softmax(-1).flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("no-logarithm", "one minus p")
def no_logarithm2(logits, targets, pad_id):
    p = logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1)
    real = targets != pad_id
    return (1 - p)[real].mean()


@exercise.wrong("no-logarithm", "plus p")
def no_logarithm3(logits, targets, pad_id):
    p = logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1)
    real = targets != pad_id
    return p[real].mean()


@exercise.wrong("softmax-over-another-axis", "time")
def softmax_over_another_axis(logits, targets, pad_id):
    logs = logits.log_softmax(1).gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("softmax-over-another-axis", "batch")
def softmax_over_another_axis2(logits, targets, pad_id):
    logs = logits.log_softmax(0).gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("unstable")
def unstable(logits, targets, pad_id):
    p = logits.exp() / logits.exp().sum(-1, keepdim=True)
    logs = p.log().gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("unstable", "log of softmax")
def unstable2(logits, targets, pad_id):
    logs = logits.softmax(-1).log().gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("unstable", "log of the gathered probability")
def unstable3(logits, targets, pad_id):
    p = logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1)
    return -torch.log(p[targets != pad_id]).mean()


@exercise.wrong("unstable", "log of a sum of exp")
def unstable4(logits, targets, pad_id):
    picked = logits.gather(-1, targets[..., None]).squeeze(-1)
    losses = logits.exp().sum(-1).log() - picked
    return losses[targets != pad_id].mean()


@exercise.wrong("clipped", "1e-9")
def clipped(logits, targets, pad_id):
    logs = (logits.softmax(-1) + 1e-9).log().gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("clipped", "1e-12")
def clipped2(logits, targets, pad_id):
    logs = (logits.softmax(-1) + 1e-12).log().gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("clipped", "1e-8")
def clipped3(logits, targets, pad_id):
    logs = (logits.softmax(-1) + 1e-8).log().gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("clipped", "1e-10")
def clipped4(logits, targets, pad_id):
    logs = (logits.softmax(-1) + 1e-10).log().gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("clipped", "1e-7")
def clipped5(logits, targets, pad_id):
    logs = (logits.softmax(-1) + 1e-7).log().gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("clipped", "1e-6")
def clipped6(logits, targets, pad_id):
    logs = (logits.softmax(-1) + 1e-6).log().gather(-1, targets[..., None]).squeeze(-1)
    return -logs[targets != pad_id].mean()


@exercise.wrong("mean-of-row-means")
def mean_of_row_means(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    rows = (losses * real).sum(1) / real.sum(1).clamp(min=1)
    return rows.mean()


@exercise.wrong("mean-of-row-means", "a loop")
def mean_of_row_means2(logits, targets, pad_id):
    rows = [F.cross_entropy(one, wanted, ignore_index=pad_id) for one, wanted in zip(logits, targets)]
    return torch.stack(rows).mean()


@exercise.wrong("mean-of-row-means", "columns")
def mean_of_row_means3(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    columns = (losses * real).sum(0) / real.sum(0).clamp(min=1)
    return columns.mean()


@exercise.wrong("sum")
def sum(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id, reduction="sum")


@exercise.wrong("sum", "pads too")
def sum2(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum")


@exercise.wrong("sum-over-rows")
def sum_over_rows(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id, reduction="sum") / logits.shape[0]


@exercise.wrong("sum-over-length")
def sum_over_length(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id, reduction="sum") / logits.shape[1]


@exercise.wrong("divided-by-vocabulary")
def divided_by_vocabulary(logits, targets, pad_id):
    logs = logits.log_softmax(-1) * F.one_hot(targets, logits.shape[-1])
    return -logs[targets != pad_id].mean()


@exercise.wrong("not-reduced", "positions")
def not_reduced(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    return losses * real


@exercise.wrong("not-reduced", "real positions")
def not_reduced2(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    return losses[real]


@exercise.wrong("not-reduced", "rows")
def not_reduced3(logits, targets, pad_id):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").reshape(targets.shape)
    real = targets != pad_id
    return (losses * real).sum(1) / real.sum(1)


@exercise.wrong("not-reduced", "flat")
def not_reduced4(logits, targets, pad_id):
    return F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=pad_id, reduction="none").flatten()


@exercise.wrong("shifted-again")
def shifted_again(logits, targets, pad_id):
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), targets[:, 1:].reshape(-1), ignore_index=pad_id)


@exercise.wrong("shifted-again", "by hand")
def shifted_again2(logits, targets, pad_id):
    real = targets[:, 1:] != pad_id
    logs = logits[:, :-1].log_softmax(-1).gather(-1, targets[:, 1:, None]).squeeze(-1)
    return -(logs * real).sum() / real.sum().clamp(min=1)


@exercise.wrong("shifted-again", "roll")
def shifted_again3(logits, targets, pad_id):
    wanted = torch.roll(targets, -1, dims=1)
    return F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=pad_id)


@exercise.wrong("shifted-the-other-way")
def shifted_the_other_way(logits, targets, pad_id):
    return F.cross_entropy(logits[:, 1:].reshape(-1, logits.shape[-1]), targets[:, :-1].reshape(-1), ignore_index=pad_id)


@exercise.wrong("shifted-the-other-way", "roll")
def shifted_the_other_way2(logits, targets, pad_id):
    wanted = torch.roll(targets, 1, dims=1)
    return F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=pad_id)


@exercise.wrong("first-token-dropped")
def first_token_dropped(logits, targets, pad_id):
    return F.cross_entropy(logits[:, 1:].reshape(-1, logits.shape[-1]), targets[:, 1:].reshape(-1), ignore_index=pad_id)


@exercise.wrong("last-token-dropped")
def last_token_dropped(logits, targets, pad_id):
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), targets[:, :-1].reshape(-1), ignore_index=pad_id)


@exercise.wrong("axes-mixed")
def axes_mixed(logits, targets, pad_id):
    B, T, V = logits.shape
    return F.cross_entropy(logits.reshape(B, V, T), targets, ignore_index=pad_id)


@exercise.wrong("axes-mixed", "targets transposed")
def axes_mixed2(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.T.flatten(), ignore_index=pad_id)


@exercise.wrong("axes-mixed", "logits transposed")
def axes_mixed3(logits, targets, pad_id):
    return F.cross_entropy(logits.transpose(0, 1).flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("axes-mixed", "classes exchanged with time")
def axes_mixed4(logits, targets, pad_id):
    return F.cross_entropy(logits.transpose(1, 2).reshape(-1, logits.shape[-1]), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("sign")
def sign(logits, targets, pad_id):
    return -F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("logarithm-of-another-base")
def logarithm_of_another_base(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id) / math.log(2)


@exercise.wrong("logarithm-of-another-base", "base 10")
def logarithm_of_another_base2(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id) / math.log(10)


@exercise.wrong("perplexity")
def perplexity(logits, targets, pad_id):
    return torch.exp(F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id))


@exercise.wrong("squared-error")
def squared_error(logits, targets, pad_id):
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    losses = (logits.softmax(-1) - wanted).square().sum(-1)
    return losses[targets != pad_id].mean()


@exercise.wrong("squared-error", "of the logits")
def squared_error2(logits, targets, pad_id):
    wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)
    real = targets != pad_id
    return F.mse_loss(logits[real], wanted[real])


@exercise.wrong("smoothed")
def smoothed(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id, label_smoothing=0.1)


@exercise.wrong("returns-number")
def returns_number(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id).item()


@exercise.wrong("needs-contiguous")
def needs_contiguous(logits, targets, pad_id):
    return F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1), ignore_index=pad_id)


@exercise.wrong("axes-for-cross-entropy")
def axes_for_cross_entropy(logits, targets, pad_id):
    return F.cross_entropy(logits, targets, ignore_index=pad_id)


@exercise.wrong("axes-for-cross-entropy", "targets not flattened")
def axes_for_cross_entropy2(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets, ignore_index=pad_id)


@exercise.wrong("dtype-fixed")
def dtype_fixed(logits, targets, pad_id):
    return F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("changes-input")
def changes_input(logits, targets, pad_id):
    logits -= logits.amax(-1, keepdim=True)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("changes-input", "targets")
def changes_input2(logits, targets, pad_id):
    targets[targets == pad_id] = -100
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@exercise.wrong("changes-input", "logits at pads")
def changes_input3(logits, targets, pad_id):
    logits[targets == pad_id] = 0.0
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("no-gradient")
def no_gradient(logits, targets, pad_id):
    return F.cross_entropy(logits.detach().flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("returns-nothing")
def returns_nothing(logits, targets, pad_id):
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("timeout")
def timeout(logits, targets, pad_id):
    import time

    t = 0
    while t < targets.shape[1]:
        time.sleep(0.05)
        if targets[0, t] == pad_id:
            continue
        t += 0
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.wrong("logits-at-pads-zeroed", "and left out of the count")
def logits_at_pads_zeroed2(logits, targets, pad_id):
    kept = logits.masked_fill((targets == pad_id).unsqueeze(-1), 0.0)
    return F.cross_entropy(kept.flatten(0, 1), targets.flatten(), reduction="sum") / (targets != pad_id).sum()


@exercise.wrong("mean-of-row-means", "columns, the empty ones left out")
def mean_of_row_means5(logits, targets, pad_id):
    means = []
    for t in range(targets.shape[1]):
        real = targets[:, t] != pad_id
        if real.any():
            means.append(F.cross_entropy(logits[real, t], targets[real, t]))
    return torch.stack(means).mean()


@exercise.wrong("mean-of-row-means", "rows, the empty ones left out")
def mean_of_row_means6(logits, targets, pad_id):
    means = [F.cross_entropy(one[wanted != pad_id], wanted[wanted != pad_id]) for one, wanted in zip(logits, targets) if (wanted != pad_id).any()]
    return torch.stack(means).mean()
