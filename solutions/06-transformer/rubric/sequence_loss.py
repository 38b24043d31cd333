"""sequence_loss: probes, right versions, and each mistake with its message and its evidence."""


import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, Relation, edit, full

exercise = Exercise(
    "sequence_loss",
    points={"pads": 3, "large logits": 1},
    section="sequence-loss-pads",
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "A loss"}],
    relations=[
        Relation("other logits at pads", "logits at pads",
                 "Changing the logits at a pad changed the loss; pads must not count.")],
)


@exercise.probes
def probes(make):
    def targets(rows, vocabulary, pad, length):
        """Targets (B, length): each row has as many real tokens as `rows` says, none of them the pad, then
        pads."""
        tokens = make.randint(0, vocabulary - 1, (len(rows), length))
        tokens = tokens + (tokens >= pad)
        return torch.where(torch.arange(length) < torch.tensor(rows)[:, None], tokens, pad)

    def probe(name, logits, wanted, pad, group="pads", **marks):
        return make.probe(name, logits, wanted, pad, group=group, **marks)

    x = make.randn
    yield probe("two rows", x(2, 3, 4), targets([3, 1], 4, 3, 3), 3)
    yield probe("all sizes different", x(3, 4, 6), targets([4, 2, 1], 6, make.pick(2, 4, 3), 4),
                make.pick(2, 4, 3), gradient=True)
    yield probe("more tokens than classes", x(2, make.pick(7, 6, 8), 5, scale=2.0),
                targets([make.pick(7, 6, 8), 3], 5, 1, make.pick(7, 6, 8)), 1)
    yield probe("pad is token 0", x(2, 4, 5), targets([4, 1], 5, 0, 4), 0)
    yield probe("as many rows as tokens and classes", x(4, 4, 4), targets([4, 1, 3, 2], 4, 2, 4), 2,
                edge=True)
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
    yield probe("float64", x(2, 3, 4, dtype=torch.float64), targets([3, 2], 4, 0, 3), 0, edge=True,
                gradient=True)
    yield probe("not contiguous", x(2, 3, 4), targets([2, 3], 4, 3, 3), 3, edge=True, strided=True)

    group = {"group": "large logits"}
    yield probe("logits in the hundreds", x(2, 3, 4, scale=300.0), targets([3, 2], 4, 1, 3), 1, gradient=True,
                **group)
    yield probe("logits far below 0", x(2, 3, 4, scale=2.0) - 500.0, targets([3, 2], 4, 1, 3), 1, edge=True,
                **group)
    wanted = targets([3, 2], 4, 3, 3)
    sure = x(2, 3, 4)
    sure[0, 1, wanted[0, 1]] += 200.0
    yield probe("a token that is certain", sure, wanted, 3, edge=True, **group)


@exercise.right
def reference(logits, targets, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)


@exercise.right("a loop over rows")
def loop(logits, targets, pad_id):
    total, count = 0.0, 0
    for row, wanted in zip(logits, targets):
        total = total + F.cross_entropy(row, wanted, ignore_index=pad_id, reduction="sum")
        count += int((wanted != pad_id).sum())
    return total / count


@exercise.right("a loop over all positions")
def loop_over(logits, targets, pad_id):
    losses = []
    for b in range(targets.shape[0]):
        for t in range(targets.shape[1]):
            if targets[b, t] != pad_id:
                losses.append(torch.logsumexp(logits[b, t], 0) - logits[b, t, targets[b, t]])
    return sum(losses) / len(losses)


exercise.also_right(
    edit(reference, {"flatten(0, 1)": "transpose(1, 2)", ".flatten()": ""}, "classes moved to axis 1"),
    full("logs = logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)\n"
         "real = targets != pad_id\n"
         "return -(logs * real).sum() / real.sum()", "log_softmax and gather"),
    full("real = targets.ne(pad_id)\n"
         "kept, wanted = logits[real], targets[real]\n"
         "return (kept.logsumexp(dim=-1) - kept[torch.arange(len(kept)), wanted]).mean()",
         "logsumexp, only real positions"),
    full("wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)\n"
         "real = (targets != pad_id).to(logits.dtype)\n"
         'losses = -torch.einsum("btv,btv->bt", wanted, F.log_softmax(logits, dim=-1))\n'
         'return torch.einsum("bt,bt->", losses, real) / real.sum()', "one-hot and einsum"),
    full("losses = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1), "
         'reduction="none")\n'
         "return losses[targets.reshape(-1) != pad_id].mean()", "reduction none and a boolean index"),
    full("weight = torch.ones(logits.shape[-1], dtype=logits.dtype)\n"
         "weight[pad_id] = 0.0\n"
         "return nn.CrossEntropyLoss(weight=weight)(logits.permute(0, 2, 1), targets)",
         "the module, and a weight of 0 for the pad"),
    edit(reference, {"cross_entropy(logits": "nll_loss(torch.log_softmax(logits, -1)"},
         "nll_loss with ignore_index"),
    edit(reference, {"logits.": "F.log_softmax(logits, dim=-1)."},
         "log_softmax twice, which changes nothing"))


exercise.mistake("pads-counted", "sequence-loss-pads",
    "Pads count as if they were tokens. Leave out every position whose target is pad_id, in the sum and in "
    "the count.",
    edit(reference, {", ignore_index=pad_id": ""}))

exercise.mistake("pads-in-the-count", "sequence-loss-pads",
    "Pads are left out of the sum, but the sum is still divided by all positions. Divide by the number of "
    "tokens that are not pads.",
    edit(reference, {"return": "losses =",
                     "ignore_index=pad_id)": 'reduction="none").reshape(targets.shape)\n'
                                             "real = targets != pad_id\n"
                                             "return (losses * real).mean()"}))

exercise.mistake("pads-in-the-sum", "sequence-loss-pads",
    "The sum runs over pads too, and is divided by the number of real tokens. Leave pads out of both.",
    edit(reference, {"return": "losses =",
                     "ignore_index=pad_id)": 'reduction="none").reshape(targets.shape)\n'
                                             "real = targets != pad_id\n"
                                             "return losses.sum() / real.sum()"}))

exercise.mistake("pad-fixed", "sequence-loss-pads",
    "A fixed number is taken for the pad. Use pad_id, which may be any token.",
    edit(reference, {"=pad_id": "=0"}, "0"),
    edit(reference, {"=pad_id": "=1"}, "1"),
    edit(reference, {"=pad_id": "=2"}, "2"),
    edit(reference, {"=pad_id": "=3"}, "3"),
    edit(reference, {"=pad_id": "=logits.shape[-1] - 1"}, "the last token"))

exercise.mistake("only-pads", "sequence-loss-pads",
    "The mask is inverted: the loss runs over the pads. Keep the positions whose target is not pad_id.",
    edit(reference, {"return": "losses =",
                     "ignore_index=pad_id)": 'reduction="none").reshape(targets.shape)\n'
                                             "real = targets != pad_id\n"
                                             "return (losses * ~real).sum() / (~real).sum()"}),
    full("losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), "
         'reduction="none").reshape(targets.shape)\n'
         "real = targets != pad_id\n"
         "return (losses * (targets == pad_id)).sum() / real.sum()", "divided by the real tokens"),
    full("losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), "
         'reduction="none").reshape(targets.shape)\n'
         "real = targets != pad_id\n"
         "return (losses * (targets == pad_id)).mean()", "mean over all"))

exercise.mistake("pads-at-the-end", "sequence-loss-pads",
    "Pads are taken to stand at the end of a row. A pad may stand at any place: look at each target by itself.",
    full('losses = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")\n'
         "real = (targets != pad_id).long().cumprod(1)\n"
         "return (losses * real).sum() / real.sum()", "a row ends at its first pad"),
    full('losses = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")\n'
         "lengths = (targets != pad_id).sum(1, keepdim=True)\n"
         "real = torch.arange(targets.shape[1]) < lengths\n"
         "return (losses * real).sum() / real.sum()", "as many of a row as there are tokens"))

exercise.mistake("pad-logit-removed", "sequence-loss-pads",
    "The logit of the pad is changed or taken out. It stays as it is in the softmax: only positions whose "
    "target is a pad are left out.",
    edit(reference, {"return": "logits = logits.clone()\n"
                               "logits[..., pad_id] = torch.finfo(logits.dtype).min\n"
                               "return"}),
    edit(reference, {"return": "weight = torch.arange(logits.shape[-1]) != pad_id\n"
                               "logits = logits * weight\n"
                               "return"}, "multiplied by 0"))

exercise.mistake("logits-at-pads-zeroed", "sequence-loss-pads",
    "The logits at pads are set to 0, but the pads still count: zero logits cost log V each. Leave these "
    "positions out, of the sum and of the count.",
    edit(reference, {"return": "real = targets != pad_id\n"
                               "logits = logits * real[..., None]\n"
                               "return",
                     ", ignore_index=pad_id": ""}, "multiplied by 0"),
    full("kept = logits.masked_fill((targets == pad_id).unsqueeze(-1), 0.0)\n"
         'return F.cross_entropy(kept.flatten(0, 1), targets.flatten(), reduction="sum") / (targets != '
         "pad_id).sum()", "and left out of the count"))

exercise.mistake("pad-as-target-zero", "sequence-loss-pads",
    "Pads get another target instead of being left out. They must not count at all.",
    edit(reference, {"return": "targets = targets.masked_fill(targets == pad_id, 0)\nreturn",
                     ", ignore_index=pad_id": ""}))

exercise.mistake("pad-by-prediction", "sequence-loss-pads",
    "Positions are left out where the model predicts a pad. Leave out those whose target is one.",
    edit(reference, {"return": "losses =",
                     "ignore_index=pad_id)": 'reduction="none")\n'
                                             "kept = (logits.argmax(-1) != pad_id).flatten()\n"
                                             "return (losses * kept).sum() / kept.sum()"}),
    full("kept = logits.argmax(-1) != pad_id\n"
         "return F.cross_entropy(logits[kept], targets[kept], ignore_index=pad_id)", "and by target"))

exercise.mistake("softmax-twice", "softmax-once",
    "The softmax is taken twice. Cross-entropy takes logits, as they come from the model.",
    edit(reference, {"logits.": "torch.softmax(logits, -1)."}),
    full("return F.cross_entropy(torch.softmax(logits, -1).flatten(0, 1), targets.flatten())",
         "and pads counted"),
    edit(reference, {"logits.": "torch.log_softmax(logits, -1).exp().log_softmax(-1).softmax(-1)."},
         "three times"))

exercise.mistake("no-softmax", "softmax-once",
    "The logits are used as if they were probabilities or log-probabilities. Take the log-softmax, or use "
    "a cross-entropy that does it.",
    edit(reference, {"cross_entropy": "nll_loss"}),
    full("return F.nll_loss(logits.flatten(0, 1), targets.flatten())", "and pads counted"),
    full("p = logits.gather(-1, targets[..., None]).squeeze(-1)\n"
         "real = targets != pad_id\n"
         "return -p.clamp(min=1e-9).log()[real].mean()", "the logarithm of a logit"))

exercise.mistake("no-logarithm", "softmax-once",
    "The probabilities are averaged without a logarithm. The loss of a token is −log of its probability.",
    edit(reference, {"cross_entropy(logits": "nll_loss(logits.softmax(-1)"}),
    full("p = logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1)\n"
         "real = targets != pad_id\n"
         "return (1 - p)[real].mean()", "one minus p"),
    full("p = logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1)\n"
         "real = targets != pad_id\n"
         "return p[real].mean()", "plus p"))

exercise.mistake("softmax-over-another-axis", "softmax-once",
    "The softmax does not run over the vocabulary. It is the last axis of the logits.",
    full("logs = logits.log_softmax(1).gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "time"),
    full("logs = logits.log_softmax(0).gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "batch"),
    edit(reference, {"logits.": "logits.log_softmax(1)."}, "time, then cross-entropy with its own"),
    edit(reference, {"logits.": "logits.log_softmax(0)."}, "batch, then cross-entropy with its own"))

exercise.mistake("unstable", "softmax-once",
    "Large logits give infinite values or NaN. Use log_softmax or logsumexp, or a cross-entropy that takes "
    "logits.",
    full("p = logits.exp() / logits.exp().sum(-1, keepdim=True)\n"
         "logs = p.log().gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()"),
    full("logs = logits.softmax(-1).log().gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "log of softmax"),
    full("p = logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -torch.log(p[targets != pad_id]).mean()", "log of the gathered probability"),
    full("picked = logits.gather(-1, targets[..., None]).squeeze(-1)\n"
         "losses = logits.exp().sum(-1).log() - picked\n"
         "return losses[targets != pad_id].mean()", "log of a sum of exp"))

exercise.mistake("clipped", "softmax-once",
    "Probabilities are held away from 0 before the logarithm, so unlikely tokens cost too little. Use "
    "log_softmax.",
    full("logs = (logits.softmax(-1) + 1e-9).log().gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "1e-9"),
    full("logs = (logits.softmax(-1) + 1e-12).log().gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "1e-12"),
    full("logs = (logits.softmax(-1) + 1e-8).log().gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "1e-8"),
    full("logs = (logits.softmax(-1) + 1e-10).log().gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "1e-10"),
    full("logs = (logits.softmax(-1) + 1e-7).log().gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "1e-7"),
    full("logs = (logits.softmax(-1) + 1e-6).log().gather(-1, targets[..., None]).squeeze(-1)\n"
         "return -logs[targets != pad_id].mean()", "1e-6"))

exercise.mistake("certain-tokens-not-counted", "mean-over-tokens",
    "The tokens are counted by their losses: one whose loss is 0 is left out of the count. Count the targets "
    "that are no pads.",
    edit(reference, {"return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)":
                     "losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id, "
                     "reduction='none')\n"
                     "return losses.sum() / (losses != 0).sum()"}))

exercise.mistake("mean-of-row-means", "mean-over-tokens",
    "Each row, or each place, is averaged first, and then these means: so tokens that share a row or a "
    "place with few others count more. Divide one sum by one count.",
    edit(reference, {"return": "losses =",
                     "ignore_index=pad_id)": 'reduction="none").reshape(targets.shape)\n'
                                             "real = targets != pad_id\n"
                                             "rows = (losses * real).sum(1) / real.sum(1).clamp(min=1)\n"
                                             "return rows.mean()"}),
    full("rows = [F.cross_entropy(one, wanted, ignore_index=pad_id) for one, wanted in zip(logits, "
         "targets)]\n"
         "return torch.stack(rows).mean()", "a loop"),
    full("losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), "
         'reduction="none").reshape(targets.shape)\n'
         "real = targets != pad_id\n"
         "columns = (losses * real).sum(0) / real.sum(0).clamp(min=1)\n"
         "return columns.mean()", "columns"),
    full("means = []\n"
         "for t in range(targets.shape[1]):\n"
         "    real = targets[:, t] != pad_id\n"
         "    if real.any():\n"
         "        means.append(F.cross_entropy(logits[real, t], targets[real, t]))\n"
         "return torch.stack(means).mean()", "columns, the empty ones left out"),
    full("means = [F.cross_entropy(one[wanted != pad_id], wanted[wanted != pad_id]) for one,\n"
         "         wanted in zip(logits, targets) if (wanted != pad_id).any()]\n"
         "return torch.stack(means).mean()", "rows, the empty ones left out"))

exercise.mistake("sum", "mean-over-tokens",
    "The losses are summed. Divide by the number of tokens that are not pads.",
    edit(reference, {"=pad_id": '=pad_id, reduction="sum"'}),
    edit(reference, {"ignore_index=pad_id": 'reduction="sum"'}, "pads too"))

exercise.mistake("divided-twice", "mean-over-tokens",
    "A mean is divided by the number of tokens once more. Divide one sum by one count.",
    edit(reference, {"=pad_id)": "=pad_id) / (targets != pad_id).sum()"}),
    edit(loop, {', reduction="sum"': ""}, "means of rows"),
    full("logs = logits.log_softmax(-1).gather(-1, targets[..., None]).squeeze(-1)\n"
         "real = targets != pad_id\n"
         "return -(logs * real).mean() / real.sum()", "a mean over all places"))

exercise.mistake("count-off-by-one", "mean-over-tokens",
    "The sum is divided by one more or one less than the number of tokens that are not pads.",
    edit(loop, {"0.0, 0": "0.0, 1"}, "one more"),
    edit(loop, {"0.0, 0": "0.0, -1"}, "one less"))

exercise.mistake("divided-by-pads", "sequence-loss-pads",
    "The sum over real tokens is divided by the number of pads. Divide by the number of tokens that are not "
    "pads.",
    edit(loop, {"!= pad_id": "== pad_id"}))

exercise.mistake("last-row-alone", "mean-over-tokens",
    "Only the last row's sum or count is used: each row overwrites what the rows before have given. Add up "
    "both over all rows.",
    edit(loop, {"total = total + F": "total = F", "count +=": "count ="}),
    edit(loop, {"total = total + F": "total = F"}, "the sum"),
    edit(loop, {"count +=": "count ="}, "the count"))

exercise.mistake("as-many-places-as-rows", "mean-over-tokens",
    "Only as many places are visited as there are rows. The places are axis 1 of targets: go over all of "
    "them.",
    edit(loop_over, {"shape[1]": "shape[0]"}))

exercise.mistake("sum-over-rows", "mean-over-tokens",
    "The sum is divided by the number of rows. Divide by the number of tokens that are not pads.",
    edit(reference, {"=pad_id)": '=pad_id, reduction="sum") / logits.shape[0]'}))

exercise.mistake("sum-over-length", "mean-over-tokens",
    "The sum is divided by the length. Divide by the number of tokens that are not pads.",
    edit(reference, {"=pad_id)": '=pad_id, reduction="sum") / logits.shape[1]'}))

exercise.mistake("divided-by-vocabulary", "mean-over-tokens",
    "The sum is also divided by the size of the vocabulary. Divide by the number of tokens alone.",
    full("logs = logits.log_softmax(-1) * F.one_hot(targets, logits.shape[-1])\n"
         "return -logs[targets != pad_id].mean()"))

exercise.mistake("not-reduced", "mean-over-tokens",
    "A loss for each position or row comes back. Return one number: the mean over all real tokens.",
    edit(reference, {"return": "losses =",
                     "ignore_index=pad_id)": 'reduction="none").reshape(targets.shape)\n'
                                             "real = targets != pad_id\n"
                                             "return losses * real"}, "positions"),
    edit(reference, {"return": "losses =",
                     "ignore_index=pad_id)": 'reduction="none").reshape(targets.shape)\n'
                                             "real = targets != pad_id\n"
                                             "return losses[real]"}, "real positions"),
    edit(reference, {"return": "losses =",
                     "ignore_index=pad_id)": 'reduction="none").reshape(targets.shape)\n'
                                             "real = targets != pad_id\n"
                                             "return (losses * real).sum(1) / real.sum(1)"}, "rows"),
    full("return F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=pad_id, "
         'reduction="none").flatten()', "flat"))

exercise.mistake("shifted-again", "teacher-forcing",
    "The targets are shifted once more. They come already shifted: position t of the logits belongs to "
    "position t of the targets.",
    edit(reference, {".flatten(0, 1)": "[:, :-1].reshape(-1, logits.shape[-1])",
                     ".flatten()": "[:, 1:].reshape(-1)"}),
    full("real = targets[:, 1:] != pad_id\n"
         "logs = logits[:, :-1].log_softmax(-1).gather(-1, targets[:, 1:, None]).squeeze(-1)\n"
         "return -(logs * real).sum() / real.sum().clamp(min=1)", "by hand"),
    edit(reference, {"return": "wanted = torch.roll(targets, -1, dims=1)\nreturn",
                     "targets.": "wanted."}, "roll"))

exercise.mistake("shifted-the-other-way", "teacher-forcing",
    "The targets are shifted backwards. They come already shifted: position t of the logits belongs to "
    "position t of the targets.",
    edit(reference, {".flatten(0, 1)": "[:, 1:].reshape(-1, logits.shape[-1])",
                     ".flatten()": "[:, :-1].reshape(-1)"}),
    edit(reference, {"return": "wanted = torch.roll(targets, 1, dims=1)\nreturn",
                     "targets.": "wanted."}, "roll"))

exercise.mistake("first-token-dropped", "teacher-forcing",
    "The first position is left out. All positions count that are not pads.",
    edit(reference, {".flatten(0, 1)": "[:, 1:].reshape(-1, logits.shape[-1])",
                     ".flatten()": "[:, 1:].reshape(-1)"}))

exercise.mistake("last-token-dropped", "teacher-forcing",
    "The last position is left out. All positions count that are not pads.",
    edit(reference, {".flatten(0, 1)": "[:, :-1].reshape(-1, logits.shape[-1])",
                     ".flatten()": "[:, :-1].reshape(-1)"}))

exercise.mistake("axes-mixed", "sequence-loss-pads",
    "Logits and targets no longer belong together: an axis is moved by a reshape, or one of the two is "
    "transposed. Move axes with transpose, and flatten both in the same order.",
    full("B, T, V = logits.shape\n"
         "return F.cross_entropy(logits.reshape(B, V, T), targets, ignore_index=pad_id)"),
    edit(reference, {"flatten()": "T.flatten()"}, "targets transposed"),
    edit(reference, {"logits.": "logits.transpose(0, 1)."}, "logits transposed"),
    edit(reference, {"flatten(0, 1)": "transpose(1, 2).reshape(-1, logits.shape[-1])"},
         "classes exchanged with time"))

exercise.mistake("sign", "sequence-loss-pads",
    "The sign is wrong: the loss of a token is minus the logarithm of its probability.",
    edit(reference, {"return": "return -"}))

exercise.mistake("logarithm-of-another-base", "sequence-loss-pads",
    "The logarithm has another base. Use the natural one.",
    edit(reference, {"=pad_id)": "=pad_id) / math.log(2)"}),
    edit(reference, {"=pad_id)": "=pad_id) / math.log(10)"}, "base 10"))

exercise.mistake("perplexity", "mean-over-tokens",
    "The exponential of the loss comes back. Return the mean itself.",
    full("return torch.exp(F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id))"))

exercise.mistake("squared-error", "softmax-once",
    "Squared differences are not a cross-entropy. The loss of a token is −log of its probability.",
    full("wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)\n"
         "losses = (logits.softmax(-1) - wanted).square().sum(-1)\n"
         "return losses[targets != pad_id].mean()"),
    full("wanted = F.one_hot(targets, logits.shape[-1]).to(logits.dtype)\n"
         "real = targets != pad_id\n"
         "return F.mse_loss(logits[real], wanted[real])", "of the logits"))

exercise.mistake("smoothed", "sequence-loss-pads",
    "The targets are smoothed. The plain cross-entropy is asked for.",
    edit(reference, {"=pad_id": "=pad_id, label_smoothing=0.1"}))

exercise.mistake("returns-number", "mean-over-tokens",
    "A plain number comes back, which no gradient can pass. Return the tensor: no .item() and no float().",
    edit(reference, {"=pad_id)": "=pad_id).item()"}))

exercise.mistake("needs-contiguous", "sequence-loss-pads",
    "view cannot join axes where the memory is in another order. Use reshape or flatten.",
    full("return F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1), ignore_index=pad_id)"))

exercise.mistake("axes-for-cross-entropy", "sequence-loss-pads",
    "F.cross_entropy does not take these shapes. It expects the classes in axis 1: flatten batch and time "
    "first, or exchange the last two axes.",
    full("return F.cross_entropy(logits, targets, ignore_index=pad_id)"),
    edit(reference, {".flatten()": ""}, "targets not flattened"))

exercise.mistake("dtype-fixed", "sequence-loss-pads",
    "float64 logits do not give a float64 loss: some tensor is made or cast as float32.",
    edit(reference, {"logits.": "logits.float()."}))

exercise.built_in("changes-input",
    edit(reference, {"return": "logits -= logits.amax(-1, keepdim=True)\nreturn"}),
    edit(reference, {"return": "targets[targets == pad_id] = -100\nreturn",
                     ", ignore_index=pad_id": ""}, "targets"),
    edit(reference, {"return": "logits[targets == pad_id] = 0.0\nreturn"}, "logits at pads"))

exercise.built_in("no-gradient",
    edit(reference, {"logits.": "logits.detach()."}))

exercise.built_in("returns-nothing",
    edit(reference, {"return": "loss ="}))

exercise.built_in("timeout",
    edit(reference, {"return": "import time\n"
                               "t = 0\n"
                               "while t < targets.shape[1]:\n"
                               "    time.sleep(0.05)\n"
                               "    if targets[0, t] == pad_id:\n"
                               "        continue\n"
                               "    t += 0\n"
                               "return"}))

exercise.equal("logits and targets have as many rows and places, as have what is kept of them", {
    "targets.shape": "logits.shape", "len(kept)": "len(wanted)"})
exercise.equal("a count may be a tensor, and the factors of a product have no order", {
    "int((wanted != pad_id).sum())": "(wanted != pad_id).sum()", "losses, real": "real, losses",
    "wanted, F.log_softmax(logits, dim=-1)": "F.log_softmax(logits, dim=-1), wanted"})
