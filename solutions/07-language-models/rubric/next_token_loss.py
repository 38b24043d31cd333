"""The rubric of next_token_loss: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "next_token_loss",
    points={"loss": 2, "large logits and float64": 1},
    section="next-token-prediction",
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The loss"}],
    mistakes={
        "no-shift": ("Nothing is shifted: position t is compared with the token that it has read. It must guess the next one, ids[t + 1]: leave out "
                     "the last position's logits, and the first token.", "next-token-prediction"),
        "wrong-way": ("The shift goes the wrong way: position t is compared with the token before it. Position t guesses token t + 1.",
                      "next-token-prediction"),
        "two-ahead": ("The shift is too far: position t is compared with token t + 2. It guesses token t + 1.", "next-token-prediction"),
        "wraps-around": ("The last position has no next token, but here it is compared with the first one of the text. Leave it out: torch.roll and "
                         "index −1 go round in a circle.", "next-token-prediction"),
        "across-texts": ("The texts are joined before the shift, so the last position of one text is compared with the first token of the next. Shift "
                         "first, along the axis of tokens, then flatten.", "next-token-prediction"),
        "shift-over-batch": ("The shift runs over the batch: ids[1:] leaves out a text, not a token. Shift along the second axis.",
                             "next-token-prediction"),
        "sum": ("The losses are summed. Take their mean over all tokens that are guessed.", "loss-and-perplexity"),
        "sum-over-tokens": ("Each text's losses are summed. Take the mean over all tokens that are guessed, of all texts.", "loss-and-perplexity"),
        "divided-by-all": ("The sum is divided by too many: T tokens give T − 1 guesses, since nothing comes after the last.", "loss-and-perplexity"),
        "not-averaged": ("Each guess, or each text, still has its own loss. Return one number, the mean over all of them.", "loss-and-perplexity"),
        "softmax-first": ("The logits go through a softmax before the cross-entropy, which takes a softmax itself. Hand over the logits.",
                          "next-token-prediction"),
        "no-logarithm": ("The loss is made of probabilities. It is the mean of −log p of the true tokens.", "loss-and-perplexity"),
        "no-softmax": ("The true token's logit is used as if it were a log-probability. Subtract the logsumexp of all logits first.",
                       "loss-and-perplexity"),
        "sign": ("The sign is flipped: a log-probability is negative, the loss is its negative.", "loss-and-perplexity"),
        "perplexity": ("This is the perplexity, exp of the loss. Return the loss.", "loss-and-perplexity"),
        "in-bits": ("The loss is in bits (logarithm to base 2). Use the natural logarithm.", "loss-and-perplexity"),
        "classes-axis": ("F.cross_entropy wants the vocabulary on the second axis, but gets the tokens there. Flatten batch and tokens into one axis, or "
                         "exchange the two axes.", "next-token-prediction"),
        "reshaped-axes": ("The axes of tokens and vocabulary are exchanged by a reshape, which mixes the numbers. Use transpose, or flatten batch and "
                          "tokens.", "next-token-prediction"),
        "softmax-axis": ("The softmax runs over the tokens or the texts. It must run over the vocabulary, the last axis.", "next-token-prediction"),
        "one-token": ("Only one position of each text counts. All positions but the last guess a next token.", "next-token-prediction"),
        "a-token-lost": ("A guess is missing. T tokens give T − 1 guesses, from token 1 to the last one.", "next-token-prediction"),
        "one-text": ("Only one text of the batch counts. Take the mean over all.", "loss-and-perplexity"),
        "token-left-out": ("The token with id 0 is skipped. Every token counts here: there is no padding.", "loss-and-perplexity"),
        "overflow": ("Large logits give inf, nan or a wrong loss: exp becomes infinite, or log meets a probability of 0. Use F.cross_entropy, log_softmax "
                     "or logsumexp, which stay finite.", "loss-and-perplexity"),
        "share-of-hits": ("This counts how often the best token is, or is not, the true one. The loss is the mean of −log p of the true token.",
                          "loss-and-perplexity"),
        "dtype-fixed": ("float64 logits do not give a float64 loss. Keep their dtype.", "loss-and-perplexity"),
    },
)


@exercise.probes
def _(make):
    def probe(name, batch, n_tokens, size, dtype=torch.float32, scale=1.5, group="loss", **marks):
        ids = make.randint(0, size, (batch, n_tokens))
        ids[..., -1], ids[..., 0] = 0, 1                          # token 0 is a token as others, and counts
        return make.probe(name, make.randn(batch, n_tokens, size, dtype=dtype, scale=scale), ids, group=group, **marks)

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
    yield probe("large logits", *make.pick((2, 3, 4), (2, 4, 5), (3, 4, 3)), scale=400.0, gradient=True, **group)
    yield probe("float64", *make.pick((2, 4, 3), (2, 5, 4), (3, 4, 5)), dtype=torch.float64, gradient=True, **group)


@exercise.right
def reference(logits, ids):
    guesses, targets = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(guesses.flatten(end_dim=1), targets.flatten())


@exercise.alternative("vocabulary on the second axis")
def _(logits, ids):
    return F.cross_entropy(logits[:, :-1, :].transpose(1, 2), ids[:, 1:])


@exercise.alternative("log_softmax and gather")
def _(logits, ids):
    log_p = torch.log_softmax(logits, dim=-1)[:, :-1]
    return -log_p.gather(-1, ids[:, 1:, None]).squeeze(-1).mean()


@exercise.alternative("logsumexp and one-hot")
def _(logits, ids):
    B, T, V = logits.shape
    x = logits.narrow(1, 0, T - 1)
    truth = F.one_hot(ids.narrow(1, 1, T - 1), V).to(logits.dtype)
    return (torch.logsumexp(x, dim=2) - (x * truth).sum(dim=2)).sum() / (B * (T - 1))


@exercise.alternative("two loops")
def _(logits, ids):
    losses = []
    for text, numbers in zip(logits, ids):
        for t in range(len(numbers) - 1):
            losses.append(F.cross_entropy(text[t], numbers[t + 1]))
    return torch.stack(losses).mean()


@exercise.alternative("nll_loss, a sum over what is guessed")
def _(logits, ids):
    log_p = logits.log_softmax(2)
    n = ids[:, 1:].numel()
    return F.nll_loss(log_p[:, :-1].reshape(n, -1), ids[:, 1:].reshape(n), reduction="sum") / n


@exercise.alternative("by hand, shifted by the largest")
def _(logits, ids):
    x = logits[:, : logits.size(1) - 1]
    x = x - x.max(dim=-1, keepdim=True).values
    norm = x.exp().sum(-1).log()
    rows, columns = torch.meshgrid(torch.arange(x.shape[0]), torch.arange(x.shape[1]), indexing="ij")
    return (norm - x[rows, columns, ids[:, 1:]]).mean()


@exercise.alternative("the mean of the texts' means")
def _(logits, ids):
    criterion = torch.nn.CrossEntropyLoss()
    per_text = [criterion(logits[b, :-1], ids[b, 1:]) for b in range(len(ids))]
    return sum(per_text) / len(per_text)


SHIFT = "guesses, targets = (logits[:, :-1], ids[:, 1:])"
LOSS = "return F.cross_entropy(guesses.flatten(end_dim=1), targets.flatten())"
BY_HAND = """
def next_token_loss(logits, ids):
    log_p = F.log_softmax(logits[:, :-1], dim=-1)
    chosen = log_p.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
    return -chosen.mean()
"""
vary(exercise, None, "a last target that is ignored", base="""
def next_token_loss(logits, ids):
    targets = torch.cat([ids[:, 1:], torch.full_like(ids[:, :1], -100)], dim=1)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))
""")


def wrong(mistake, label, *changes, base=None):
    vary(exercise, mistake, label, *changes, base=base)


def shift(mistake, label, guesses, targets):
    wrong(mistake, label, (SHIFT, f"guesses, targets = ({guesses}, {targets})"))


shift("no-shift", "all positions", "logits", "ids")
shift("no-shift", "the last left out on both sides", "logits[:, :-1]", "ids[:, :-1]")
shift("no-shift", "the first left out on both sides", "logits[:, 1:]", "ids[:, 1:]")
wrong("no-shift", "by hand", ("logits[:, :-1]", "logits"), ("ids[:, 1:]", "ids"), base=BY_HAND)
wrong("no-shift", "by hand, the last left out", ("ids[:, 1:]", "ids[:, :-1]"), base=BY_HAND)
shift("wrong-way", "", "logits[:, 1:]", "ids[:, :-1]")
shift("two-ahead", "", "logits[:, :-2]", "ids[:, 2:]")
shift("wraps-around", "roll", "logits", "ids.roll(-1, dims=1)")
shift("wraps-around", "roll of everything", "logits", "ids.roll(-1)")
shift("wrong-way", "roll the other way round", "logits", "ids.roll(1, dims=1)")
wrong("wraps-around", "index −1", base="""
def next_token_loss(logits, ids):
    total = 0
    for t in range(ids.size(1)):
        total = total + F.cross_entropy(logits[:, t - 1], ids[:, t])
    return total / ids.shape[1]
""")
wrong("across-texts", "flattened first", (LOSS, "return F.cross_entropy(logits.flatten(0, 1)[:-1], ids.flatten()[1:])"))
shift("shift-over-batch", "", "logits[:-1]", "ids[1:]")
shift("shift-over-batch", "the other way", "logits[1:]", "ids[:-1]")
wrong("sum", "", ("targets.flatten())", "targets.flatten(), reduction='sum')"))
wrong("sum", "by hand", ("chosen.mean()", "chosen.sum()"), base=BY_HAND)
wrong("sum-over-tokens", "divided by the texts", (LOSS, LOSS[:-1] + ", reduction='sum') / len(ids)"))
wrong("sum-over-tokens", "by hand", ("chosen.mean()", "chosen.sum(dim=1).mean()"), base=BY_HAND)
wrong("sum-over-tokens", "summed over the texts", ("chosen.mean()", "chosen.mean(dim=1).sum()"), base=BY_HAND)
wrong("divided-by-all", "", (LOSS, LOSS[:-1] + ", reduction='sum') / ids.numel()"))
wrong("divided-by-all", "one text at a time", base="""
def next_token_loss(logits, ids):
    total = 0.0
    for b in range(ids.shape[0]):
        for t in range(ids.shape[1] - 1):
            total += F.cross_entropy(logits[b, t], ids[b, t + 1])
    return total / (ids.shape[0] * ids.shape[1])
""")
wrong("not-averaged", "flat", (LOSS, LOSS[:-1] + ", reduction='none')"))
wrong("not-averaged", "a number for each text", (LOSS, LOSS[:-1] + ", reduction='none').reshape(targets.shape).mean(1)"))
wrong("not-averaged", "batch and tokens", ("-chosen.mean()", "-chosen"), base=BY_HAND)
wrong("softmax-first", "", ("guesses.flatten(end_dim=1)", "guesses.flatten(end_dim=1).softmax(dim=-1)"))
wrong("softmax-first", "a log-softmax of probabilities", ("F.log_softmax(logits[:, :-1], dim=-1)", "F.log_softmax(F.softmax(logits[:, :-1], dim=-1), dim=-1)"), base=BY_HAND)
wrong("no-logarithm", "minus p", ("F.log_softmax", "F.softmax"), base=BY_HAND)
wrong("no-logarithm", "one minus p", ("F.log_softmax", "F.softmax"), ("-chosen.mean()", "(1 - chosen).mean()"), base=BY_HAND)
wrong("no-logarithm", "nll_loss of probabilities", (LOSS, "return F.nll_loss(guesses.flatten(end_dim=1).softmax(-1), targets.flatten())"))
wrong("no-softmax", "", ("F.log_softmax(logits[:, :-1], dim=-1)", "logits[:, :-1]"), base=BY_HAND)
wrong("no-softmax", "nll_loss of logits", (LOSS, "return F.nll_loss(guesses.flatten(end_dim=1), targets.flatten())"))
wrong("sign", "", ("return F", "return -F"))
wrong("sign", "by hand", ("-chosen", "chosen"), base=BY_HAND)
wrong("perplexity", "", (LOSS, LOSS.replace("return ", "return torch.exp(") + ")"))
wrong("perplexity", "by hand", ("-chosen.mean()", "(-chosen).mean().exp()"), base=BY_HAND)
wrong("in-bits", "", (LOSS, LOSS + " / math.log(2)"))
wrong("in-bits", "log2", ("log_p = F.log_softmax(logits[:, :-1], dim=-1)", "log_p = F.softmax(logits[:, :-1], dim=-1).log2()"), base=BY_HAND)
wrong("classes-axis", "", (LOSS, "return F.cross_entropy(guesses, targets)"))
wrong("reshaped-axes", "", (LOSS, "return F.cross_entropy(guesses.reshape(guesses.shape[0], guesses.shape[2], guesses.shape[1]), targets)"))
wrong("softmax-axis", "over the tokens", ("F.log_softmax(logits[:, :-1], dim=-1)", "F.log_softmax(logits[:, :-1], dim=1)"), base=BY_HAND)
wrong("softmax-axis", "over all tokens", ("F.log_softmax(logits[:, :-1], dim=-1)", "F.log_softmax(logits, dim=1)[:, :-1]"), base=BY_HAND)
wrong("softmax-axis", "over the texts", ("dim=-1", "dim=0"), base=BY_HAND)
wrong("one-token", "the last guess", (LOSS, "return F.cross_entropy(guesses[:, -1], targets[:, -1])"))
wrong("one-token", "the first guess", (LOSS, "return F.cross_entropy(guesses[:, 0], targets[:, 0])"))
wrong("one-token", "a return inside the loop", base="""
def next_token_loss(logits, ids):
    for t in range(ids.shape[1] - 1):
        return F.cross_entropy(logits[:, t], ids[:, t + 1])
""")
shift("a-token-lost", "the last", "logits[:, :-2]", "ids[:, 1:-1]")
shift("a-token-lost", "the first", "logits[:, 1:-1]", "ids[:, 2:]")
wrong("one-text", "the first", (LOSS, "return F.cross_entropy(guesses[0], targets[0])"))
wrong("one-text", "the last", (LOSS, "return F.cross_entropy(guesses[-1], targets[-1])"))
wrong("token-left-out", "", (LOSS, LOSS[:-1] + ", ignore_index=0)"))
wrong("overflow", "log of a softmax", ("F.log_softmax(logits[:, :-1], dim=-1)", "torch.log(torch.softmax(logits[:, :-1], dim=-1))"), base=BY_HAND)
wrong("overflow", "exp over a sum", base="""
def next_token_loss(logits, ids):
    p = torch.exp(logits[:, :-1])
    p = p / p.sum(dim=-1, keepdim=True)
    return -torch.log(p.gather(2, ids[:, 1:, None])).mean()
""")
wrong("overflow", "log of a sum of exp", ("F.log_softmax(logits[:, :-1], dim=-1)", "logits[:, :-1] - logits[:, :-1].exp().sum(-1, keepdim=True).log()"), base=BY_HAND)
wrong("overflow", "a small number in the log", ("F.log_softmax(logits[:, :-1], dim=-1)", "torch.log(torch.softmax(logits[:, :-1], dim=-1) + 1e-9)"), base=BY_HAND)
wrong("overflow", "clamped probabilities", ("F.log_softmax(logits[:, :-1], dim=-1)", "logits[:, :-1].softmax(-1).clamp(min=1e-12).log()"), base=BY_HAND)
wrong("share-of-hits", "", (LOSS, "return (guesses.argmax(-1) == targets).to(logits.dtype).mean()"))
wrong("share-of-hits", "misses", (LOSS, "return (guesses.argmax(-1) != targets).to(logits.dtype).mean()"))
wrong("dtype-fixed", "", ("guesses.flatten(end_dim=1)", "guesses.flatten(end_dim=1).float()"))
wrong("dtype-fixed", "a one-hot matrix of float32", base="""
def next_token_loss(logits, ids):
    truth = F.one_hot(ids[:, 1:], logits.shape[-1]).float()
    return -(F.log_softmax(logits[:, :-1].float(), dim=-1) * truth).sum(dim=-1).mean()
""")
wrong("no-gradient", "", ("logits[:, :-1]", "logits.detach()[:, :-1]"))
wrong("no-gradient", "a tensor of a number", (LOSS, "return torch.tensor(F.cross_entropy(guesses.flatten(end_dim=1), targets.flatten()).item(), dtype=logits.dtype)"))
wrong("changes-input", "the last target ignored in place", base="""
def next_token_loss(logits, ids):
    targets = ids.roll(-1, dims=1)
    targets[:, -1] = -100
    ids[:, 0] = 0
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
""")
wrong("returns-nothing", "", ("return F", "loss = F"))
wrong("ready-made", "from an invented library", base="""
def next_token_loss(logits, ids):
    from transformers.loss import next_token_loss as theirs
    return theirs(logits, ids)
""")
wrong("timeout", "", base="""
def next_token_loss(logits, ids):
    import time
    t, total = 0, 0
    while t < ids.shape[1] - 1:
        time.sleep(0.05)
        total = total + F.cross_entropy(logits[:, t], ids[:, t + 1])
    return total
""")
