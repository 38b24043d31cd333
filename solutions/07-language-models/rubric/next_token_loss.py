"""next_token_loss: probes, right versions, and each mistake with its message and its evidence."""


import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "next_token_loss",
    points={"loss": 2, "large logits and float64": 1},
    section="next-token-prediction",
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The loss"}],
)


@exercise.probes
def probes(make):
    def probe(name, batch, n_tokens, size, dtype=torch.float32, scale=1.5, group="loss", **marks):
        ids = make.randint(0, size, (batch, n_tokens))
        ids[..., -1], ids[..., 0] = 0, 1                          # token 0 is a token as others, and counts
        return make.probe(name, make.randn(batch, n_tokens, size, dtype=dtype, scale=scale), ids, group=group,
                          **marks)

    yield probe("one text of three tokens", 1, 3, make.pick(4, 5, 7), gradient=True)
    yield probe("all sizes different", *make.pick((2, 5, 3), (3, 6, 4), (2, 6, 5)), gradient=True)
    yield probe("more texts than tokens", *make.pick((4, 3, 6), (5, 4, 7), (5, 3, 4)))
    yield probe("as many guesses as words", *make.pick((2, 5, 4), (3, 6, 5), (2, 4, 3)), edge=True)
    yield probe("as many texts as tokens", *make.pick((3, 3, 5), (4, 4, 5), (3, 3, 4)))
    yield probe("as many tokens as words", *make.pick((2, 4, 4), (3, 5, 5), (3, 4, 4)), edge=True)
    yield probe("two tokens", 2, 2, make.pick(5, 6, 4), edge=True)
    yield probe("not contiguous", *make.pick((2, 4, 3), (3, 5, 4), (2, 5, 6)), edge=True, strided=True)
    yield probe("a long text", 1, make.pick(140, 150, 160), 6, long=True)
    group = {"group": "large logits and float64", "edge": True}
    yield probe("large logits", *make.pick((2, 3, 4), (2, 4, 5), (3, 4, 3)), scale=400.0, gradient=True,
                **group)
    yield probe("float64", *make.pick((2, 4, 3), (2, 5, 4), (3, 4, 5)), dtype=torch.float64, gradient=True,
                **group)


@exercise.right
def reference(logits, ids):
    guesses, targets = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(guesses.flatten(end_dim=1), targets.flatten())


@exercise.right("vocabulary on the second axis")
def vocabulary(logits, ids):
    return F.cross_entropy(logits[:, :-1, :].transpose(1, 2), ids[:, 1:])


@exercise.right("two loops")
def two_loops(logits, ids):
    losses = []
    for text, numbers in zip(logits, ids):
        for t in range(len(numbers) - 1):
            losses.append(F.cross_entropy(text[t], numbers[t + 1]))
    return torch.stack(losses).mean()


@exercise.right("by hand, shifted by the largest")
def hand(logits, ids):
    x = logits[:, : logits.size(1) - 1]
    x = x - x.max(dim=-1, keepdim=True).values
    norm = x.exp().sum(-1).log()
    rows, columns = torch.meshgrid(torch.arange(x.shape[0]), torch.arange(x.shape[1]), indexing="ij")
    return (norm - x[rows, columns, ids[:, 1:]]).mean()


@exercise.right("step by step")
def plain(logits, ids):
    log_p = F.log_softmax(logits[:, :-1], dim=-1)
    chosen = log_p.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
    return -chosen.mean()


exercise.also_right(
    full("log_p = torch.log_softmax(logits, dim=-1)[:, :-1]\n"
         "return -log_p.gather(-1, ids[:, 1:, None]).squeeze(-1).mean()", "log_softmax and gather"),
    full("B, T, V = logits.shape\n"
         "x = logits.narrow(1, 0, T - 1)\n"
         "truth = F.one_hot(ids.narrow(1, 1, T - 1), V).to(logits.dtype)\n"
         "return (torch.logsumexp(x, dim=2) - (x * truth).sum(dim=2)).sum() / (B * (T - 1))",
         "logsumexp and one-hot"),
    full("log_p = logits.log_softmax(2)\n"
         "n = ids[:, 1:].numel()\n"
         'return F.nll_loss(log_p[:, :-1].reshape(n, -1), ids[:, 1:].reshape(n), reduction="sum") / n',
         "nll_loss, a sum over what is guessed"),
    full("criterion = torch.nn.CrossEntropyLoss()\n"
         "per_text = [criterion(logits[b, :-1], ids[b, 1:]) for b in range(len(ids))]\n"
         "return sum(per_text) / len(per_text)", "the mean of the texts' means"),
    full("targets = torch.cat([ids[:, 1:], torch.full_like(ids[:, :1], -100)], dim=1)\n"
         "return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))",
         "a last target that is ignored"))


exercise.mistake("no-shift", "next-token-prediction",
    "Nothing is shifted: position t is compared with the token that it has read. It must guess the next "
    "one, ids[t + 1]: leave out the last position's logits, and the first token.",
    edit(reference, {"[:, :-1], ids[:, 1:]": ", ids"}, "all positions"),
    edit(reference, {"[:, 1:]": "[:, :-1]"}, "the last left out on both sides"),
    edit(reference, {":, :-1": ":, 1:"}, "the first left out on both sides"))

exercise.mistake("wrong-way", "next-token-prediction",
    "The shift goes the wrong way: position t is compared with the token before it. Position t guesses "
    "token t + 1.",
    edit(reference, {":, :-1": ":, 1:", "[:, 1:]": "[:, :-1]"}),
    edit(reference, {"[:, :-1], ids[:, 1:]": ", ids.roll(1, dims=1)"}, "roll the other way round"))

exercise.mistake("two-ahead", "next-token-prediction",
    "The shift is too far: position t is compared with token t + 2. It guesses token t + 1.",
    edit(reference, {":, :-1": ":, :-2", "[:, 1:]": "[:, 2:]"}))

exercise.mistake("wraps-around", "next-token-prediction",
    "The last position has no next token, but here it is compared with the first one of the text. Leave it "
    "out: torch.roll and index −1 go round in a circle.",
    edit(reference, {"[:, :-1], ids[:, 1:]": ", ids.roll(-1, dims=1)"}, "roll"))

exercise.mistake("across-texts", "next-token-prediction",
    "The texts are joined before the shift, so the last position of one text is compared with the first "
    "token of the next. Shift first, along the axis of tokens, then flatten.",
    edit(vocabulary, {"[:, :-1, :].transpose(1, 2), ids[:, 1:]": ".flatten(0, 1)[:-1], ids.flatten()[ 1:]"},
         "flattened first"))

exercise.mistake("shift-over-batch", "next-token-prediction",
    "The shift runs over the batch: ids[1:] leaves out a text, not a token. Shift along the second axis.",
    edit(reference, {":, :-1": ":-1", "[:, 1:]": "[ 1:]"}),
    edit(reference, {":, :-1": "1:", "[:, 1:]": "[:-1]"}, "the other way"))

exercise.mistake("sum", "loss-and-perplexity",
    "The losses are summed. Take their mean over all tokens that are guessed.",
    edit(reference, {"flatten()": 'flatten(), reduction="sum"'}))

exercise.mistake("sum-over-tokens", "loss-and-perplexity",
    "Each text's losses are summed. Take the mean over all tokens that are guessed, of all texts.",
    edit(plain, {"mean": "sum(dim=1).mean"}, "by hand"),
    edit(plain, {"mean()": "mean(dim=1).sum()"}, "summed over the texts"))

exercise.mistake("divided-by-all", "loss-and-perplexity",
    "The sum is divided by too many: T tokens give T − 1 guesses, since nothing comes after the last.",
    edit(reference, {"flatten())": 'flatten(), reduction="sum") / ids.numel()'}))

exercise.mistake("not-averaged", "loss-and-perplexity",
    "Each guess, or each text, still has its own loss. Return one number, the mean over all of them.",
    edit(reference, {"flatten()": 'flatten(), reduction="none"'}, "flat"),
    edit(reference, {"return": "return(",
                     "flatten())": 'flatten(), reduction="none") .reshape(targets.shape) .mean(1) )'},
         "a number for each text"),
    edit(plain, {".mean()": ""}, "batch and tokens"))

exercise.mistake("softmax-first", "next-token-prediction",
    "The logits go through a softmax before the cross-entropy, which takes a softmax itself. Hand over the "
    "logits.",
    edit(reference, {"(end_dim=1)": "(end_dim=1).softmax(dim=-1)"}))

exercise.mistake("no-logarithm", "loss-and-perplexity",
    "The loss is made of probabilities. It is the mean of −log p of the true tokens.",
    edit(plain, {"log_softmax": "softmax"}, "minus p"),
    edit(plain, {"log_softmax": "softmax", "-chosen": "(1 - chosen)"}, "one minus p"))

exercise.mistake("no-softmax", "loss-and-perplexity",
    "The true token's logit is used as if it were a log-probability. Subtract the logsumexp of all logits "
    "first.",
    edit(plain, {"F.log_softmax(logits[:, :-1], dim=-1)": "logits[:, :-1]"}))

exercise.mistake("sign", "loss-and-perplexity",
    "The sign is flipped: a log-probability is negative, the loss is its negative.",
    edit(reference, {"return": "return -"}))

exercise.mistake("perplexity", "loss-and-perplexity",
    "This is the perplexity, exp of the loss. Return the loss.",
    edit(plain, {"-chosen.mean()": "(-chosen).mean().exp()"}))

exercise.mistake("in-bits", "loss-and-perplexity",
    "The loss is in bits (logarithm to base 2). Use the natural logarithm.",
    edit(reference, {"flatten())": "flatten()) / math.log(2)"}),
    edit(plain, {"log_softmax": "softmax", "dim=-1)": "dim=-1).log2()"}, "log2"))

exercise.mistake("classes-axis", "next-token-prediction",
    "F.cross_entropy wants the vocabulary on the second axis, but gets the tokens there. Flatten batch and "
    "tokens into one axis, or exchange the two axes.",
    edit(reference, {".flatten(end_dim=1)": "", ".flatten())": ")"}))

exercise.mistake("reshaped-axes", "next-token-prediction",
    "The axes of tokens and vocabulary are exchanged by a reshape, which mixes the numbers. Use transpose, "
    "or flatten batch and tokens.",
    edit(reference, {"flatten(end_dim=1)": "reshape(guesses.shape[0], guesses.shape[2], guesses.shape[1])",
                     ".flatten())": ")"}))

exercise.mistake("softmax-axis", "next-token-prediction",
    "The softmax runs over the tokens or the texts. It must run over the vocabulary, the last axis.",
    edit(plain, {"dim=-1": "dim=1"}, "over the tokens"),
    edit(plain, {"(logits[:, :-1], dim=-1)": "(logits, dim=1)[:, :-1]"}, "over all tokens"),
    edit(plain, {"dim=-1": "dim=0"}, "over the texts"))

exercise.mistake("one-token", "next-token-prediction",
    "Only one position of each text counts. All positions but the last guess a next token.",
    edit(reference, {"(guesses.flatten(end_dim=1), targets.flatten())": "(guesses[:, -1], targets[:, -1])"},
         "the last guess"),
    edit(reference, {"(guesses.flatten(end_dim=1), targets.flatten())": "(guesses[:, 0], targets[:, 0])"},
         "the first guess"))

exercise.mistake("a-token-lost", "next-token-prediction",
    "A guess is missing. T tokens give T − 1 guesses, from token 1 to the last one.",
    edit(reference, {":, :-1": ":, :-2", "[:, 1:]": "[:, 1: -1]"}, "the last"),
    edit(reference, {":, :-1": ":, 1:-1", "[:, 1:]": "[:, 2:]"}, "the first"))

exercise.mistake("one-text", "loss-and-perplexity",
    "Only one text of the batch counts. Take the mean over all.",
    edit(reference, {"(guesses.flatten(end_dim=1), targets.flatten())": "(guesses[0], targets[0])"},
         "the first"),
    edit(reference, {"(guesses.flatten(end_dim=1), targets.flatten())": "(guesses[-1], targets[-1])"},
         "the last"))

exercise.mistake("token-left-out", "loss-and-perplexity",
    "The token with id 0 is skipped. Every token counts here: there is no padding.",
    edit(reference, {"flatten()": "flatten(), ignore_index=0"}))

exercise.mistake("overflow", "loss-and-perplexity",
    "Large logits give inf, nan or a wrong loss: exp becomes infinite, or log meets a probability of 0. "
    "Use F.cross_entropy, log_softmax or logsumexp, which stay finite.",
    edit(plain, {"F.log_softmax": "torch.log(torch.softmax", "dim=-1)": "dim=-1))"}, "log of a softmax"),
    full("p = torch.exp(logits[:, :-1])\n"
         "p = p / p.sum(dim=-1, keepdim=True)\n"
         "return -torch.log(p.gather(2, ids[:, 1:, None])).mean()", "exp over a sum"),
    edit(plain, {"F.log_softmax(logits[:, :-1], dim=-1)":
                 "logits[:, :-1] - logits[:, :-1].exp().sum(-1, keepdim=True).log()"}, "log of a sum of exp"),
    edit(plain, {"F.log_softmax": "torch.log(torch.softmax",
                 "dim=-1)": "dim=-1) + 1e-9)"}, "a small number in the log"),
    edit(plain, {"F.log_softmax(logits[:, :-1], dim=-1)":
                 "logits[:, :-1].softmax(-1).clamp(min=1e-12).log()"}, "clamped probabilities"))

exercise.mistake("share-of-hits", "loss-and-perplexity",
    "This counts how often the best token is, or is not, the true one. The loss is the mean of −log p of "
    "the true token.",
    edit(reference, {"F.cross_entropy(guesses.flatten(end_dim=1), targets.flatten())":
                     "(guesses.argmax(-1) == targets).to(logits.dtype).mean()"}),
    full("guesses, targets = logits[:, :-1], ids[:, 1:]\n"
         "return (guesses.argmax(-1) != targets).to(logits.dtype).mean()", "misses"))

exercise.mistake("dtype-fixed", "loss-and-perplexity",
    "float64 logits do not give a float64 loss. Keep their dtype.",
    edit(reference, {"(end_dim=1)": "(end_dim=1).float()"}))

exercise.built_in("no-gradient",
    edit(reference, {"= logits": "= logits.detach()"}))

exercise.built_in("changes-input",
    edit(reference, {"return": "ids[:, 0] = 0\nreturn"}, "the last target ignored in place"))

exercise.built_in("returns-nothing",
    edit(reference, {"return": "loss ="}))

exercise.built_in("ready-made",
    full("from transformers.loss import next_token_loss as theirs\n"
         "\n"
         "return theirs(logits, ids)", "from an invented library"))


def timeout(logits, ids):
    import time

    t, total = 0, 0
    while t < ids.shape[1] - 1:
        time.sleep(0.05)
        total = total + F.cross_entropy(logits[:, t], ids[:, t + 1])
    return total


exercise.built_in("timeout",
    full(timeout))

exercise.equal("ids and logits have the same batch and length", {
    "len(numbers)": "len(text)", "logits.size(1) - 1": ("-1", "ids.size(1) - 1"),
    "len(ids)": "len(logits)"})
exercise.equal("torch's meshgrid counts rows first unless told otherwise", {', indexing="ij"': ""})
exercise.equal("a mean does not see axes of length 1", {
    ".squeeze(2)": ("", ".squeeze(-2)", ".squeeze(0)", ".squeeze(1)"),
    ".squeeze(-1)": ("", ".squeeze(-2)", ".squeeze(0)", ".squeeze(1)")})
exercise.equal("gather reads only as many places as ids has", {":-1": ":"})
exercise.equal("a whole number times a float is a float", {".to(logits.dtype)": ("", ".to(ids.dtype)")})
