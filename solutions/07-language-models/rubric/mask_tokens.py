"""The rubric of mask_tokens: reference, probes, mistakes with their messages, and the evidence that they are right.

Draws are free, so the driver tells habits in words instead of numbers: every right version gives the same words.
"""

import torch

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "mask_tokens",
    points={"choice and labels": 2, "80, 10 and 10": 1, "generator and collections": 1},
    section="masking-recipe",
    driver="token_masks",
    mistakes={
        "loss-on-all": ("Every token has a label. Only chosen tokens have one, the token that stood there; all others have −100, which the loss skips.",
                        "labels-only-where-chosen"),
        "labels-on-the-rest": ("Labels and −100 are exchanged. Chosen tokens have a label, the token that stood there; all others have −100.",
                               "labels-only-where-chosen"),
        "other-number": ("Tokens that are not chosen have a label other than −100. Only −100 is skipped by the loss.", "labels-only-where-chosen"),
        "only-masked-labelled": ("A chosen token that is not replaced by the mask has no label. All chosen tokens have one, also those that stay or "
                                 "become a random id.", "labels-only-where-chosen"),
        "only-changed-labelled": ("Chosen tokens that stay have no label. They are guessed as well: label every chosen token.",
                                  "labels-only-where-chosen"),
        "labels-changed": ("Labels hold what was put in, not what stood there. Take the labels from ids.", "labels-only-where-chosen"),
        "labels-not-ids": ("Labels hold something other than the id of the token that stood there, for example its place. Take them from ids.",
                           "labels-only-where-chosen"),
        "others-changed": ("Tokens that were not chosen are changed: the input is a different token, and the label is −100. Change chosen ones only.",
                           "labels-only-where-chosen"),
        "nothing-changed": ("The inputs are unchanged: no token is replaced in what comes back.", "masking-recipe"),
        "specials-chosen": ("Special tokens are chosen too. No token whose id is in special is ever chosen or changed; there may be several.", "masking-recipe"),
        "specials-changed": ("Special tokens are changed, though they have no label. Leave them as they are.", "masking-recipe"),
        "built-in-specials": ("Some ids are never chosen though they are not in special, for example 0. Only what special holds is special.",
                              "masking-recipe"),
        "only-specials": ("Only special tokens are chosen. It is the other way round.", "masking-recipe"),
        "share-p": ("The share of chosen tokens does not follow p. Choose each token that is not special with probability p, however many are special.",
                    "masking-recipe"),
        "at-least-one": ("At p = 0 something is chosen. Then nothing may be: a row may stay without a chosen token.", "masking-recipe"),
        "one-minus-p": ("The share of chosen tokens is 1 − p. Choose where a uniform number is below p.", "masking-recipe"),
        "always-masked": ("Every chosen token becomes the mask. 80 % do; 10 % become a random id, and 10 % stay.", "masking-recipe"),
        "no-random": ("No chosen token becomes a random id. 80 % become the mask, 10 % a random id, 10 % stay.", "masking-recipe"),
        "no-stay": ("No chosen token stays as it is. 80 % become the mask, 10 % a random id, 10 % stay.", "masking-recipe"),
        "exchanged-shares": ("The shares are exchanged. 80 % of the chosen tokens become the mask, 10 % a random id, 10 % stay.", "masking-recipe"),
        "shares-of-the-rest": ("The second share is taken of what is left, or on top of what is already masked. Draw one number a token: below 0.8 the mask, "
                               "up to 0.9 a random id, else it stays.", "masking-recipe"),
        "one-number-for-both": ("The number that chooses a token also decides its fate, so a chosen one is nearly always below 0.8. Draw a second number.",
                                "masking-recipe"),
        "one-fate-for-all": ("One draw decides the fate of all chosen tokens. Draw for each token.", "masking-recipe"),
        "fates-in-order": ("The fates follow the order of the text: for example, the first chosen ones become the mask and the last ones stay. Draw "
                           "which chosen token meets which fate.", "masking-recipe"),
        "random-from-text": ("Random ids come from the text. Draw them from the whole vocabulary.", "masking-recipe"),
        "random-range": ("Random ids are not drawn from exactly 0 to vocab_size − 1. Draw them with "
                         "torch.randint(vocab_size, ids.shape, generator=generator).", "masking-recipe"),
        "one-random-id": ("One random id is used for all. Draw one for each token.", "masking-recipe"),
        "same-columns": ("All rows have the same places chosen. Draw for each token of each row.", "masking-recipe"),
        "whole-rows": ("Of each row, all tokens are chosen or none. Draw for each token.", "masking-recipe"),
        "first-columns": ("The places are not drawn: some are never chosen, or every call chooses the same. Draw anew for each token.", "masking-recipe"),
        "generator-ignored": ("The draws do not come from the generator, or not all. Hand generator=generator to every draw.", "masking-recipe"),
        "generator-reset": ("The generator is set back, so every call draws the same. Use it as it comes.", "masking-recipe"),
        "collection": ("special may be any collection: a list, a tuple, a set or a tensor. Make a tensor of list(special), or ints of its items, first.",
                       "masking-recipe"),
        "not-int64": ("Inputs and labels must be int64 tensors of the shape of ids.", "masking-recipe"),
        "order-of-results": ("The labels come first. Return the inputs first, then the labels.", "labels-only-where-chosen"),
        "one-result": ("Return two tensors: the inputs, then the labels.", "labels-only-where-chosen"),
    },
)

SHARES = [0.0, 0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0]
FATES = [0.0, 0.1, 0.2, 0.5, 0.8, 0.9, 1.0]


@exercise.probes
def _(make):
    def probe(name, question, ids, group, edge=False, **given):
        spec = {"ids": ids, "tiles": (1, 1), "special": [0, 2], "kind": "list", "mask_id": 3, "vocab_size": make.pick(400, 500, 300), "p": 0.5,
                "seed": int(make.randint(1, 10_000, (1,))), "ask": question, "levels": SHARES} | given
        return make.probe(name, spec, group=group, edge=edge)

    def words(*shape):
        """Ids of a text, without special ones and without the mask; the upper half of the vocabulary does not occur."""
        return make.randint(5, 140, shape)

    group = "choice and labels"
    yield probe("what the labels hold", "labels", words(4, 15), group, tiles=(1, 4))
    framed = words(3, 9)
    framed[:, 0], framed[:, -1] = 2, 0
    yield probe("special tokens at both ends", "special", framed, group, tiles=(3, 4), p=make.pick(0.5, 0.6, 0.4))
    yield probe("the share without p", "share", words(4, 20), group, tiles=(6, 6), p=None)
    yield probe("the share with a p of its own", "share", words(5, 20), group, tiles=(5, 5), p=make.pick(0.4, 0.3, 0.6), near=0.045)
    yield probe("every token, at a p of 1", "share", words(3, 10), group, tiles=(2, 2), p=1.0, levels=[0.0, 1.0])
    yield probe("places in rows and columns", "places", words(4, 12), group, tiles=(2, 1), p=None)
    yield probe("no token, at a p of 0", "share", words(3, 10), group, edge=True, tiles=(2, 2), p=0.0, levels=[0.0, 1.0], near=1e-6)
    crowded = torch.where(torch.arange(20) % 2 == 0, words(4, 20), torch.tensor([0, 2] * 10))
    yield probe("half of the tokens are special", "share", crowded, group, edge=True, tiles=(8, 8), p=0.4, levels=[0.0, 0.2, 0.4, 0.8, 1.0], near=0.05)
    group = "80, 10 and 10"
    yield probe("fates", "fates", words(4, 20), group, edge=True, tiles=(6, 6), p=0.9, levels=FATES, near=0.04)
    yield probe("fates of half the tokens", "fates", words(4, 25), group, edge=True, tiles=(6, 7), p=0.5, levels=FATES, near=0.04)
    yield probe("random ids", "random ids", torch.full((2, 20), 5), group, edge=True, tiles=(2, 20), p=0.9, vocab_size=make.pick(8, 9, 8), special=[0, 2])
    yield probe("random ids in a text", "random ids", torch.full((2, 20), 1), group, edge=True, tiles=(2, 20), p=0.9, vocab_size=make.pick(7, 8, 7), special=[4])
    group = "generator and collections"
    yield probe("two generators", "generator", words(3, 10), group, edge=True, tiles=(3, 4))
    kinds = make.pick(("set", "tuple", "tensor"), ("frozenset", "tensor", "tuple"), ("tensor", "set", "frozenset"))
    for kind in kinds:
        yield probe(f"special tokens in a {kind}", "special", framed, group, edge=True, kind=kind, tiles=(2, 3))
    unusual = torch.tensor([0, 2, 9, 11] * 5).repeat(4, 1)
    yield probe("no special tokens", "share", unusual, group, edge=True, special=[], tiles=(6, 6), levels=[0.0, 0.25, 0.375, 0.5, 1.0], near=0.05)
    yield probe("one row", "labels", words(1, 40), group, edge=True)


@exercise.right
def reference(ids, special, mask_id, vocab_size, generator, p=0.15):
    never = torch.isin(ids, torch.tensor(list(special), dtype=torch.int64))
    chosen = (torch.rand(ids.shape, generator=generator) < p) & ~never
    labels = ids.masked_fill(~chosen, -100)
    fate = torch.rand(ids.shape, generator=generator)
    other = torch.randint(0, vocab_size, ids.shape, generator=generator)
    inputs = torch.where(chosen & (fate < 0.8), mask_id, ids)
    inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), other, inputs)
    return inputs, labels


@exercise.alternative("coin after coin, as in many libraries")
def _(ids, special, mask_id, vocab_size, generator, p=0.15):
    inputs, labels = ids.clone(), ids.clone()
    chance = torch.full(ids.shape, p)
    for token in special:
        chance[ids == int(token)] = 0.0
    chosen = torch.bernoulli(chance, generator=generator).bool()
    labels[~chosen] = -100
    masked = torch.bernoulli(torch.full(ids.shape, 0.8), generator=generator).bool() & chosen
    inputs[masked] = mask_id
    replaced = torch.bernoulli(torch.full(ids.shape, 0.5), generator=generator).bool() & chosen & ~masked
    inputs[replaced] = torch.randint(vocab_size, ids.shape, generator=generator)[replaced]
    return inputs, labels


@exercise.alternative("a loop over tokens")
def _(ids, special, mask_id, vocab_size, generator, p=0.15):
    special = {int(token) for token in special}
    inputs, labels = ids.tolist(), [[-100] * ids.shape[1] for _ in range(ids.shape[0])]
    numbers = torch.rand(2, *ids.shape, generator=generator).tolist()
    others = torch.randint(vocab_size, ids.shape, generator=generator).tolist()
    for b, row in enumerate(ids.tolist()):
        for t, token in enumerate(row):
            if token in special or numbers[0][b][t] >= p:
                continue
            labels[b][t] = token
            if numbers[1][b][t] < 0.8:
                inputs[b][t] = mask_id
            elif numbers[1][b][t] < 0.9:
                inputs[b][t] = others[b][t]
    return torch.tensor(inputs), torch.tensor(labels)


@exercise.alternative("fixed shares of the batch")
def _(ids, special, mask_id, vocab_size, generator, p=0.15):
    flat = ids.flatten()
    allowed = torch.tensor([int(token) not in {int(s) for s in special} for token in flat])
    places = allowed.nonzero().squeeze(1)
    places = places[torch.randperm(len(places), generator=generator)]
    places = places[:round(p * len(places))]
    n = len(places)
    inputs, labels = flat.clone(), torch.full_like(flat, -100)
    labels[places] = flat[places]
    first, second = round(0.8 * n), round(0.9 * n)
    inputs[places[:first]] = mask_id
    inputs[places[first:second]] = torch.randint(vocab_size, (second - first,), generator=generator)
    return inputs.view_as(ids), labels.view_as(ids)


@exercise.alternative("fixed shares in each row")
def _(ids, special, mask_id, vocab_size, generator, p=0.15):
    avoid = torch.as_tensor([int(s) for s in special], dtype=ids.dtype)
    inputs, labels = ids.clone(), torch.zeros_like(ids) - 100
    for b in range(ids.size(0)):
        candidates = (~torch.isin(ids[b], avoid)).nonzero().flatten()
        count = int(round(p * candidates.numel()))
        picked = candidates[torch.randperm(candidates.numel(), generator=generator)[:count]]
        labels[b, picked] = ids[b, picked]
        fates = torch.rand(len(picked), generator=generator)
        inputs[b, picked[fates < 0.8]] = mask_id
        swapped = picked[(fates >= 0.8) & (fates < 0.9)]
        inputs[b, swapped] = torch.randint(0, vocab_size, swapped.shape, generator=generator)
    return [inputs, labels]


@exercise.alternative("one number decides it all")
def _(ids, special, mask_id, vocab_size, generator, p=0.15):
    u = torch.rand(ids.shape, generator=generator, dtype=torch.float64)
    for s in list(special):
        u = torch.where(ids == s, torch.ones_like(u), u)
    random_ids = torch.randint_like(ids, vocab_size) if generator is None else torch.randint(vocab_size, ids.shape, generator=generator)
    inputs = torch.where(u < 0.8 * p, torch.full_like(ids, mask_id), torch.where(u < 0.9 * p, random_ids, ids))
    return inputs, torch.where(u < p, ids, torch.full_like(ids, -100))


@exercise.alternative("a multinomial of three fates")
def _(ids, special, mask_id, vocab_size, generator, p=0.15):
    fates = torch.multinomial(torch.tensor([0.8, 0.1, 0.1]), ids.numel(), replacement=True, generator=generator).view(ids.shape)
    picked = torch.rand(ids.shape, generator=generator).lt(p)
    picked &= ~sum((ids == s for s in special), torch.zeros_like(picked)).bool()
    random_ids = torch.randint(vocab_size, ids.shape, generator=generator)
    options = torch.stack([torch.full_like(ids, mask_id), random_ids, ids])
    inputs = torch.where(picked, options.gather(0, fates[None])[0], ids)
    return inputs, ids.where(picked, torch.tensor(-100))


NEVER = "never = torch.isin(ids, torch.tensor(list(special), dtype=torch.int64))"
CHOSEN = "chosen = (torch.rand(ids.shape, generator=generator) < p) & ~never"
LABELS = "labels = ids.masked_fill(~chosen, -100)"
FATE = "fate = torch.rand(ids.shape, generator=generator)"
OTHER = "other = torch.randint(0, vocab_size, ids.shape, generator=generator)"
MASKED = "inputs = torch.where(chosen & (fate < 0.8), mask_id, ids)"
SWAPPED = "inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), other, inputs)"
COINS = """
def mask_tokens(ids, special, mask_id, vocab_size, generator, p=0.15):
    inputs, labels = ids.clone(), ids.clone()
    chance = torch.full(ids.shape, p)
    for token in special:
        chance.masked_fill_(ids == token, 0.0)
    chosen = torch.bernoulli(chance, generator=generator).bool()
    labels[~chosen] = -100
    masked = torch.bernoulli(torch.full(ids.shape, 0.8), generator=generator).bool() & chosen
    inputs[masked] = mask_id
    swapped = torch.bernoulli(torch.full(ids.shape, 0.5), generator=generator).bool() & chosen & ~masked
    words = torch.randint(vocab_size, ids.shape, generator=generator)
    inputs[swapped] = words[swapped]
    return inputs, labels
"""
LOOP = """
def mask_tokens(ids, special, mask_id, vocab_size, generator, p=0.15):
    special = set(int(s) for s in special)
    inputs, labels = ids.clone(), torch.full_like(ids, -100)
    u = torch.rand(ids.shape, generator=generator)
    w = torch.rand(ids.shape, generator=generator)
    r = torch.randint(vocab_size, ids.shape, generator=generator)
    u, w = u.numpy(), w.numpy()
    for b in range(ids.shape[0]):
        for t in range(ids.size(1)):
            if u[b, t] < p and ids[b, t].item() not in special:
                labels[b, t] = ids[b, t]
                if w[b, t] < 0.8:
                    inputs[b, t] = mask_id
                elif w[b, t] < 0.9:
                    inputs[b, t] = r[b, t]
    return inputs, labels
"""
vary(exercise, None, "coins once more", base=COINS)


def wrong(mistake, label, *changes, base=None):
    vary(exercise, mistake, label, *changes, base=base)


wrong("loss-on-all", "", (LABELS, "labels = ids"))
wrong("loss-on-all", "coins", ("labels[~chosen] = -100\n", "\n"), base=COINS)
wrong("loss-on-all", "a label everywhere", ("torch.full_like(ids, -100)", "ids.clone()"), base=LOOP)
wrong("labels-on-the-rest", "", (LABELS, "labels = ids.masked_fill(chosen, -100)"))
wrong("labels-on-the-rest", "coins", ("labels[~chosen]", "labels[chosen]"), base=COINS)
wrong("other-number", "0", ("-100", "0"))
wrong("other-number", "−1", ("-100", "-1"), base=COINS)
wrong("other-number", "the mask", ("-100", "mask_id"))
wrong("other-number", "100", ("-100", "100"), base=LOOP)
wrong("only-masked-labelled", "", (LABELS, "labels = None"), ("return (inputs, labels)", "labels = ids.masked_fill(inputs != mask_id, -100)\n    return (inputs, labels)"))
wrong("only-masked-labelled", "coins", ("labels[~chosen] = -100\n", "\n"), ("inputs[masked] = mask_id", "inputs[masked] = mask_id\n    labels[~masked] = -100"), base=COINS)
wrong("only-masked-labelled", "in a loop", ("                labels[b, t] = ids[b, t]\n", ""), ("inputs[b, t] = mask_id", "inputs[b, t] = mask_id\n                    labels[b, t] = ids[b, t]"), base=LOOP)
wrong("only-changed-labelled", "", (LABELS, "labels = None"), ("return (inputs, labels)", "labels = ids.masked_fill(inputs == ids, -100)\n    return (inputs, labels)"))
wrong("only-changed-labelled", "in a loop", ("                labels[b, t] = ids[b, t]\n", ""), ("    return inputs", "    changed = inputs != ids\n    labels[changed] = ids[changed]\n    return inputs"), base=LOOP)
wrong("labels-changed", "", (LABELS, "labels = None"), ("return (inputs, labels)", "labels = inputs.masked_fill(~chosen, -100)\n    return (inputs, labels)"))
wrong("labels-changed", "where something was changed", (LABELS, "labels = None"), ("return (inputs, labels)", "labels = torch.where(inputs != ids, inputs, -100)\n    return (inputs, labels)"))
wrong("labels-changed", "one tensor for both", ("inputs, labels = (ids.clone(), ids.clone())", "inputs = ids.clone()"), ("labels[~chosen] = -100\n", "\n"), ("return (inputs, labels)", "return inputs, torch.where(chosen, inputs, -100)"),
      base=COINS.replace("inputs, labels = ids.clone(), ids.clone()", "inputs, labels = (ids.clone(), ids.clone())").replace("return inputs, labels", "return (inputs, labels)"))
wrong("nothing-changed", "", ("return (inputs, labels)", "return (ids, labels)"))
wrong("nothing-changed", "coins on copies", ("inputs[masked] = mask_id", "inputs[masked].fill_(mask_id)"), ("inputs[swapped] = words[swapped]", "inputs[swapped].copy_(words[swapped])"), base=COINS)
wrong("specials-chosen", "", (CHOSEN, "chosen = torch.rand(ids.shape, generator=generator) < p"))
wrong("specials-chosen", "coins", ("chance.masked_fill_(ids == token, 0.0)", "pass"), base=COINS)
wrong("specials-chosen", "in a loop", (" and ids[b, t].item() not in special", ""), base=LOOP)
wrong("specials-chosen", "tensors are looked up in a set", ("ids[b, t].item() not in special", "ids[b, t] not in frozenset(special)"), base=LOOP)
wrong("specials-changed", "", (CHOSEN, "chosen = torch.rand(ids.shape, generator=generator) < p"), (LABELS, "labels = ids.masked_fill(~chosen | never, -100)"))
wrong("only-specials", "", ("& ~never", "& never"))
wrong("share-p", "always 0.15", ("< p", "< 0.15"))
wrong("share-p", "always 0.15, coins", ("(ids.shape, p)", "(ids.shape, 0.15)"), base=COINS)
wrong("share-p", "0.8 of p", ("< p", "< 0.8 * p"))
wrong("share-p", "half of p", ("u[b, t] < p", "u[b, t] < p / 2"), base=LOOP)
wrong("share-p", "p of p", ("< p", "< p * p"))
wrong("share-p", "all", (CHOSEN, "chosen = ~never"))
wrong("share-p", "normal numbers", ("torch.rand(ids.shape, generator=generator) < p", "torch.randn(ids.shape, generator=generator) < p"))
wrong("one-minus-p", "", ("< p", "> p"))
wrong("one-minus-p", "coins", ("(ids.shape, p)", "(ids.shape, 1 - p)"), base=COINS)
wrong("one-minus-p", "in a loop", ("u[b, t] < p", "u[b, t] >= p"), base=LOOP)
wrong("always-masked", "", (MASKED, "inputs = torch.where(chosen, mask_id, ids)"), (SWAPPED + "\n", "\n"))
wrong("always-masked", "coins", ("torch.full(ids.shape, 0.8)", "torch.full(ids.shape, 1.0)"), base=COINS)
wrong("always-masked", "overwritten", ("    return (inputs, labels)", "    inputs = inputs.masked_fill(chosen, mask_id)\n    return (inputs, labels)"))
wrong("no-random", "", (SWAPPED + "\n", "\n"))
wrong("no-random", "coins", ("inputs[swapped] = words[swapped]\n", "\n"), base=COINS)
wrong("no-random", "an empty range", ("(fate >= 0.8) & (fate < 0.9)", "(fate < 0.8) & (fate > 0.9)"))
wrong("no-stay", "", ("(fate >= 0.8) & (fate < 0.9)", "(fate >= 0.8)"))
wrong("no-stay", "in a loop", ("elif w[b, t] < 0.9:", "else:"), base=LOOP)
wrong("no-stay", "coins", ("torch.full(ids.shape, 0.5)", "torch.full(ids.shape, 1.0)"), base=COINS)
wrong("no-stay", "90 % masked", ("fate < 0.8)", "fate < 0.9)"), ("(fate >= 0.8) & (fate < 0.9)", "(fate >= 0.9)"))
wrong("exchanged-shares", "masks and those that stay", (MASKED, "inputs = torch.where(chosen & (fate >= 0.9), mask_id, ids)"))
wrong("exchanged-shares", "80 % stay", ("(fate < 0.8)", "(fate < 0.1)"), ("(fate >= 0.8) & (fate < 0.9)", "(fate >= 0.1) & (fate < 0.2)"))
wrong("exchanged-shares", "80 % random", ("(fate < 0.8)", "(fate < 0.1)"), ("(fate >= 0.8) & (fate < 0.9)", "(fate >= 0.1) & (fate < 0.9)"))
wrong("exchanged-shares", "masks below 0.1 in a loop", ("w[b, t] < 0.8", "w[b, t] < 0.1"), ("w[b, t] < 0.9", "w[b, t] < 0.2"), base=LOOP)
wrong("shares-of-the-rest", "a tenth of the rest", ("torch.full(ids.shape, 0.5)", "torch.full(ids.shape, 0.1)"), base=COINS)
wrong("shares-of-the-rest", "on top of the masks", ("torch.full(ids.shape, 0.5)", "torch.full(ids.shape, 0.1)"), ("& chosen & ~masked", "& chosen"), base=COINS)
wrong("shares-of-the-rest", "a random id below 0.9", ("(fate >= 0.8) & (fate < 0.9)", "(fate < 0.9)"))
wrong("shares-of-the-rest", "half on top of the masks", ("& chosen & ~masked", "& chosen"), base=COINS)
wrong("one-number-for-both", "", (CHOSEN, "u = torch.rand(ids.shape, generator=generator)\n    chosen = (u < p) & ~never"), (FATE, "fate = u"))
wrong("one-number-for-both", "in a loop", ("w = torch.rand(ids.shape, generator=generator)", "w = u"), base=LOOP)
wrong("one-fate-for-all", "", (FATE, "fate = torch.rand(1, generator=generator)"))
wrong("one-fate-for-all", "in a loop", ("w = torch.rand(ids.shape, generator=generator)", "w = torch.rand(1, generator=generator).expand(ids.shape)"), base=LOOP)
wrong("random-from-text", "", (OTHER, "other = ids.flatten()[torch.randint(ids.numel(), ids.shape, generator=generator)]"))
wrong("random-from-text", "a shuffle", (OTHER, "other = ids.flatten()[torch.randperm(ids.numel(), generator=generator)].view_as(ids)"))
wrong("random-range", "from 1", ("torch.randint(0, vocab_size", "torch.randint(1, vocab_size"))
wrong("random-range", "the last one left out", ("torch.randint(vocab_size,", "torch.randint(vocab_size - 1,"), base=COINS)
wrong("random-range", "one too many", ("torch.randint(0, vocab_size", "torch.randint(0, vocab_size + 1"))
wrong("random-range", "without special ones", ("    inputs = torch.where(chosen & (fate < 0.8)", "    other = torch.where(torch.isin(other, torch.tensor(list(special), dtype=torch.int64)), ids, other)\n    inputs = torch.where(chosen & (fate < 0.8)"))
wrong("random-range", "up to the text's largest", ("torch.randint(0, vocab_size", "torch.randint(0, int(ids.max()) + 1"))
wrong("one-random-id", "", (OTHER, "other = torch.randint(0, vocab_size, (1,), generator=generator)"))
wrong("one-random-id", "an int", (OTHER, "other = torch.randint(0, vocab_size, (1,), generator=generator).item()"))
wrong("same-columns", "", ("(torch.rand(ids.shape, generator=generator) < p)", "(torch.rand(ids.shape[1], generator=generator) < p)"))
wrong("same-columns", "of one row", ("torch.rand(ids.shape, generator=generator)\n    w", "torch.rand(ids.shape[1], generator=generator).expand(ids.shape)\n    w"), base=LOOP)
wrong("first-columns", "the first p of a row", ("(torch.rand(ids.shape, generator=generator) < p)", "(torch.arange(ids.shape[1]) < p * ids.shape[1]).expand(ids.shape)"))
wrong("first-columns", "every second token", ("(torch.rand(ids.shape, generator=generator) < p)", "(torch.arange(ids.shape[1]) % max(round(1 / p), 1) == 0).expand(ids.shape)"))
wrong("generator-ignored", "", (CHOSEN, CHOSEN.replace(", generator=generator", "")), (FATE, FATE.replace(", generator=generator", "")), (OTHER, OTHER.replace(", generator=generator", "")))
wrong("generator-ignored", "in the random ids", (OTHER, OTHER.replace(", generator=generator", "")))
wrong("generator-ignored", "in the fates", (FATE, FATE.replace(", generator=generator", "")))
wrong("generator-ignored", "in the choice", (CHOSEN, CHOSEN.replace(", generator=generator", "")))
wrong("generator-ignored", "Python's random", base="""
def mask_tokens(ids, special, mask_id, vocab_size, generator, p=0.15):
    import random
    special = set(int(s) for s in special)
    inputs, labels = ids.clone(), torch.full_like(ids, -100)
    for b in range(ids.shape[0]):
        for t in range(ids.size(1)):
            if random.random() < p and ids[b, t].item() not in special:
                labels[b, t] = ids[b, t]
                fate = random.random()
                if fate < 0.8:
                    inputs[b, t] = mask_id
                elif fate < 0.9:
                    inputs[b, t] = random.randrange(vocab_size)
    return inputs, labels
""")
wrong("generator-reset", "", (NEVER, "generator.manual_seed(0)\n    " + NEVER))
wrong("generator-reset", "its first seed again", (NEVER, "generator = torch.Generator().manual_seed(generator.initial_seed())\n    " + NEVER))
wrong("collection", "", ("torch.tensor(list(special), dtype=torch.int64)", "torch.tensor(special, dtype=torch.int64)"))
wrong("collection", "as_tensor", ("torch.tensor(list(special), dtype=torch.int64)", "torch.as_tensor(special)"))
wrong("collection", "handed over as it is", ("torch.tensor(list(special), dtype=torch.int64)", "special"))
wrong("specials-chosen", "only the first is left out", (NEVER, "never = ids == list(special)[0] if len(special) else ids != ids"))
wrong("specials-chosen", "only the last is left out", (NEVER, "never = ids != ids\n    for s in special:\n        never = ids == s"))
wrong("not-int64", "floats", ("return (inputs, labels)", "return (inputs, labels.float())"))
wrong("not-int64", "int32", ("return (inputs, labels)", "return (inputs.int(), labels.int())"))
wrong("order-of-results", "", ("return (inputs, labels)", "return (labels, inputs)"))
wrong("one-result", "", ("return (inputs, labels)", "return inputs"))
wrong("one-result", "a third", ("return (inputs, labels)", "return (inputs, labels, chosen)"))
wrong("changes-input", "", ("inputs, labels = ids.clone(), ids.clone()", "labels = ids.clone()\n    inputs = ids"), base=COINS)
wrong("changes-input", "in a loop", ("inputs, labels = ids.clone(), torch.full_like(ids, -100)", "inputs, labels = ids, torch.full_like(ids, -100)"), base=LOOP)
wrong("ready-made", "the library's", base="""
def mask_tokens(ids, special, mask_id, vocab_size, generator, p=0.15):
    from allyouneed.models.bert import mask_tokens as theirs
    return theirs(ids, special, mask_id, vocab_size, generator, p)
""")
wrong("collection", "LongTensor", ("torch.tensor(list(special), dtype=torch.int64)", "torch.LongTensor(special)"))
wrong("collection", "by place", (NEVER, "never = ids != ids\n    for i in range(len(special)):\n        never = never | (ids == special[i])"))
wrong("collection", "numpy sees a set as one thing", (NEVER, "never = torch.from_numpy(np.isin(ids.numpy(), special))"), ("p=0.15):\n", "p=0.15):\n    import numpy as np\n"))
for low in ("5", "mask_id", "mask_id + 1"):
    wrong("random-range", f"from {low}", ("torch.randint(0, vocab_size", f"torch.randint({low}, vocab_size"))
wrong("random-range", "the first half", ("torch.randint(0, vocab_size", "torch.randint(0, vocab_size // 2"))
wrong("shares-of-the-rest", "a tenth of the rest, by dice", (FATE, "fate = torch.randint(0, 10, ids.shape, generator=generator) / 10"), (SWAPPED, "inputs = torch.where(chosen & (fate >= 0.8) & (torch.rand(ids.shape, generator=generator) < 0.1), other, inputs)"))
MANY = "chosen = (torch.rand(ids.shape, generator=generator) < p) & ~never"
wrong("labels-not-ids", "places in the row", (LABELS, "labels = torch.where(chosen, torch.arange(ids.shape[1]), -100)"))
wrong("labels-not-ids", "places in the batch", (LABELS, "labels = torch.where(chosen, torch.arange(ids.numel()).view_as(ids), -100)"))
wrong("labels-not-ids", "ones", (LABELS, "labels = torch.where(chosen, 1, -100)"))
wrong("labels-not-ids", "one more", (LABELS, "labels = torch.where(chosen, ids + 1, -100)"))
wrong("labels-not-ids", "the token before", (LABELS, "labels = torch.where(chosen, ids.roll(1, dims=1), -100)"))
wrong("others-changed", "random ids", (SWAPPED, "inputs = torch.where(~never & (fate >= 0.9), other, inputs)"))
wrong("others-changed", "masks", (MASKED, "inputs = torch.where(~never & (fate < 0.8), mask_id, ids)"))
wrong("others-changed", "random ids, coins", ("& chosen & ~masked", "& ~masked"), base=COINS)
wrong("built-in-specials", "0", ("torch.tensor(list(special), dtype=torch.int64)", "torch.tensor([0] + [int(s) for s in special])"))
wrong("built-in-specials", "0 and 2", (NEVER, "never = (ids == 0) | (ids == 2)"))
wrong("built-in-specials", "0 as well", (NEVER, NEVER + " | (ids < 1)"))
wrong("built-in-specials", "all ids below 4", (NEVER, NEVER + " | (ids < 4)"))
wrong("share-p", "of all tokens, chosen from the others", (CHOSEN, "chosen = (torch.rand(ids.shape, generator=generator) < p * ids.numel() / (~never).sum().clamp(min=1)) & ~never"))
wrong("share-p", "of all tokens, a fixed number", (CHOSEN, "u = torch.rand(ids.shape, generator=generator).masked_fill(never, 2.0)\n    n = round(p * ids.numel())\n"
      "    chosen = torch.zeros(ids.numel(), dtype=torch.bool).index_fill(0, u.flatten().argsort()[:n], True).view_as(ids) & ~never"))
wrong("at-least-one", "in each row", (CHOSEN, "u = torch.rand(ids.shape, generator=generator).masked_fill(never, 2.0)\n    chosen = ((u < p) | (u == u.min(dim=1, keepdim=True).values)) & ~never"))
wrong("at-least-one", "in the batch", (CHOSEN, "u = torch.rand(ids.shape, generator=generator).masked_fill(never, 2.0)\n    chosen = ((u < p) | (u == u.min())) & ~never"))
wrong("no-random", "90 % masked", ("(fate < 0.8)", "(fate < 0.9)"), (SWAPPED + "\n", "\n"))
wrong("no-random", "90 % masked, coins", ("torch.full(ids.shape, 0.8)", "torch.full(ids.shape, 0.9)"), ("inputs[swapped] = words[swapped]\n", "\n"), base=COINS)
IN_ORDER = """
def mask_tokens(ids, special, mask_id, vocab_size, generator, p=0.15):
    never = torch.isin(ids, torch.tensor([int(s) for s in special], dtype=ids.dtype))
    chosen = (torch.rand(ids.shape, generator=generator) < p) & ~never
    labels = torch.where(chosen, ids, -100)
    where = chosen.flatten().nonzero()[:, 0]
    n = len(where)
    words = torch.randint(vocab_size, (n,), generator=generator)
    first, second = int(0.8 * n), int(0.9 * n)
    inputs = ids.flatten().clone()
    inputs[where[:first]] = mask_id
    inputs[where[first:second]] = words[first:second]
    return inputs.view_as(ids), labels
"""
wrong("fates-in-order", "over the batch", base=IN_ORDER)
wrong("fates-in-order", "over the batch, the masks last", ("where = chosen.flatten().nonzero()[:, 0]", "where = chosen.flatten().nonzero()[:, 0].flip(0)"), base=IN_ORDER)
wrong("fates-in-order", "over each row", (FATE, "fate = (chosen.cumsum(dim=1) - 0.5) / chosen.sum(dim=1, keepdim=True).clamp(min=1)"))
wrong("fates-in-order", "over the tokens one after the other", (FATE, "fate = (chosen.flatten().cumsum(0).view_as(ids) - 0.5) / chosen.sum().clamp(min=1)"))
wrong("whole-rows", "", ("torch.rand(ids.shape, generator=generator) < p", "torch.rand(ids.shape[0], 1, generator=generator) < p"))
wrong("whole-rows", "coins", ("chance = torch.full(ids.shape, p)", "chance = torch.bernoulli(torch.full((ids.shape[0], 1), p), generator=generator).expand(ids.shape).clone()"), base=COINS)
wrong("first-columns", "every seventh token of the batch", ("(torch.rand(ids.shape, generator=generator) < p)", "(torch.arange(ids.numel()).view_as(ids) % (round(1 / p) if p else 10 ** 9) == 1)"))
wrong("first-columns", "every seventh token from the first one", ("(torch.rand(ids.shape, generator=generator) < p)", "(torch.arange(ids.numel()).view_as(ids) % (round(1 / p) if p else 10 ** 9) == 0)"))
wrong("collection", "a tensor in a set", ("special = set(int(s) for s in special)", "special = set(special)"), base=LOOP)
wrong("collection", "asks if special", (NEVER, "never = ids != ids\n    if special:\n        never = torch.isin(ids, torch.tensor(list(special)))"))
wrong("collection", "asks if not special", (NEVER, "never = ids != ids\n    if not special:\n        special = []\n    for s in special:\n        never = never | (ids == s)"))
wrong("generator-ignored", "in a shuffle", (CHOSEN, "places = (~never).flatten().nonzero()[:, 0]\n    places = places[torch.randperm(len(places))[:round(p * len(places))]]\n"
      "    chosen = torch.zeros(ids.numel(), dtype=torch.bool).index_fill(0, places, True).view_as(ids)"))
