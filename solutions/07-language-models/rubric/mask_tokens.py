"""mask_tokens: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "mask_tokens",
    points={"choice and labels": 2, "80, 10 and 10": 1, "generator and collections": 1},
    section="masking-recipe",
    driver="masked_tokens",
)

SHARES = [0.0, 0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0]

FATES = [0.0, 0.1, 0.2, 0.5, 0.8, 0.9, 1.0]


@exercise.probes
def probes(make):
    def probe(name, question, ids, group, edge=False, **given):
        spec = {"ids": ids, "tiles": (1, 1), "special": [0, 2], "kind": "list", "mask_id": 3,
                "vocab_size": make.pick(400, 500, 300), "p": 0.5,
                "seed": int(make.randint(1, 10_000, (1,))), "ask": question, "levels": SHARES} | given
        return make.probe(name, spec, group=group, edge=edge)

    def words(*shape):
        """Ids of a text, without special ones and without the mask; the upper half of the vocabulary does
        not occur."""
        return make.randint(5, 140, shape)

    group = "choice and labels"
    yield probe("what the labels hold", "labels", words(4, 15), group, tiles=(1, 4))
    framed = words(3, 9)
    framed[:, 0] = 2
    for row in range(3):  # texts of different lengths
        framed[row, 8 - row :] = 0
    yield probe("special tokens at both ends", "special", framed, group, tiles=(3, 4),
                p=make.pick(0.5, 0.6, 0.4))
    yield probe("the share without p", "share", words(4, 20), group, tiles=(6, 6), p=None)
    yield probe("the share with a p of its own", "share", words(5, 20), group, tiles=(5, 5),
                p=make.pick(0.4, 0.3, 0.6), near=0.045)
    yield probe("every token, at a p of 1", "share", words(3, 10), group, tiles=(2, 2), p=1.0,
                levels=[0.0, 1.0])
    yield probe("places in rows and columns", "places", words(4, 12), group, tiles=(2, 1), p=None)
    yield probe("no token, at a p of 0", "share", words(3, 10), group, edge=True, tiles=(2, 2), p=0.0,
                levels=[0.0, 1.0], near=1e-6)
    crowded = torch.where(torch.arange(20) % 2 == 0, words(4, 20), torch.tensor([0, 2] * 10))
    yield probe("half of the tokens are special", "share", crowded, group, edge=True, tiles=(8, 8), p=0.4,
                levels=[0.0, 0.2, 0.4, 0.8, 1.0], near=0.05)
    group = "80, 10 and 10"
    yield probe("fates", "fates", words(4, 20), group, edge=True, tiles=(6, 6), p=0.9, levels=FATES,
                near=0.05)
    yield probe("fates of half the tokens", "fates", words(4, 25), group, edge=True, tiles=(6, 7), p=0.5,
                levels=FATES, near=0.05)
    yield probe("random ids", "random ids", torch.full((2, 20), 5), group, edge=True, tiles=(2, 20), p=0.9,
                vocab_size=make.pick(8, 9, 8), special=[0, 2])
    yield probe("random ids in a text", "random ids", torch.full((2, 20), 1), group, edge=True, tiles=(2, 20),
                p=0.9, vocab_size=make.pick(7, 8, 7), special=[4])
    yield probe("each token for itself", "alone", words(6, 12), group, edge=True, p=0.9)
    group = "generator and collections"
    yield probe("two generators", "generator", words(3, 10), group, edge=True, tiles=(3, 4))
    kinds = make.pick(("set", "tuple", "tensor"), ("frozenset", "tensor", "tuple"),
                      ("tensor", "set", "frozenset"))
    for kind in kinds:
        yield probe(f"special tokens in a {kind}", "special", framed, group, edge=True, kind=kind,
                    tiles=(2, 3))
    unusual = torch.tensor([0, 2, 9, 11] * 5).repeat(4, 1)
    yield probe("no special tokens", "share", unusual, group, edge=True, special=[], tiles=(6, 6),
                levels=[0.0, 0.25, 0.375, 0.5, 1.0], near=0.05)
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


@exercise.right("a loop over tokens")
def loop(ids, special, mask_id, vocab_size, generator, p=0.15):
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


@exercise.right("fixed shares of the batch")
def fixed_shares(ids, special, mask_id, vocab_size, generator, p=0.15):
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


@exercise.right("fixed shares in each row")
def fixed_shares_row(ids, special, mask_id, vocab_size, generator, p=0.15):
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


@exercise.right("one number decides it all")
def one_number(ids, special, mask_id, vocab_size, generator, p=0.15):
    u = torch.rand(ids.shape, generator=generator, dtype=torch.float64)
    for s in list(special):
        u = torch.where(ids == s, torch.ones_like(u), u)
    random_ids = (torch.randint_like(ids, vocab_size)
                  if generator is None else torch.randint(vocab_size, ids.shape, generator=generator))
    inputs = torch.where(u < 0.8 * p, torch.full_like(ids, mask_id),
                         torch.where(u < 0.9 * p, random_ids, ids))
    return inputs, torch.where(u < p, ids, torch.full_like(ids, -100))


@exercise.right("a multinomial of three fates")
def multinomial_three(ids, special, mask_id, vocab_size, generator, p=0.15):
    fates = torch.multinomial(torch.tensor([0.8, 0.1, 0.1]), ids.numel(), replacement=True,
                              generator=generator).view(ids.shape)
    picked = torch.rand(ids.shape, generator=generator).lt(p)
    picked &= ~sum((ids == s for s in special), torch.zeros_like(picked)).bool()
    random_ids = torch.randint(vocab_size, ids.shape, generator=generator)
    options = torch.stack([torch.full_like(ids, mask_id), random_ids, ids])
    inputs = torch.where(picked, options.gather(0, fates[None])[0], ids)
    return inputs, ids.where(picked, torch.tensor(-100))


@exercise.right("coins once more")
def coins(ids, special, mask_id, vocab_size, generator, p=0.15):
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


@exercise.right("step by step, another way")
def plain_other(ids, special, mask_id, vocab_size, generator, p=0.15):
    special = set((int(s) for s in special))
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


NEVER = "never = torch.isin(ids, torch.tensor(list(special), dtype=torch.int64))"

exercise.also_right(
    edit(coins, {".masked_fill_(ids == token, 0.0)": "[ids == int(token)] = 0.0", "swapped =": "replaced =",
                 "words =": "inputs[replaced] =",
                 "shape, generator=generator)": "shape, generator=generator)[replaced]",
                 "inputs[swapped] = words[swapped]": ""}, "coin after coin, as in many libraries"))

exercise.mistake("loss-on-all", "labels-only-where-chosen",
    "Every token has a label. Only chosen tokens have one, the token that stood there; all others have "
    "−100, which the loss skips.",
    edit(reference, {".masked_fill(~chosen, -100)": ""}))

exercise.mistake("labels-on-the-rest", "labels-only-where-chosen",
    "Labels and −100 are exchanged. Chosen tokens have a label, the token that stood there; all others "
    "have −100.",
    edit(reference, {"~chosen": "chosen"}),
    edit(coins, {"~chosen": "chosen"}, "coins"))

exercise.mistake("other-number", "labels-only-where-chosen",
    "Tokens that are not chosen have a label other than −100. Only −100 is skipped by the loss.",
    edit(reference, {", -100": ", 0"}, "0"),
    edit(coins, {"= -100": "= -1"}, "−1"),
    edit(reference, {", -100": ", mask_id"}, "the mask"),
    edit(plain_other, {"ids, -": "ids,"}, "100"))

exercise.mistake("only-masked-labelled", "labels-only-where-chosen",
    "A chosen token that is not replaced by the mask has no label. All chosen tokens have one, also those "
    "that stay or become a random id.",
    edit(reference, {"return": "labels = ids.masked_fill(inputs != mask_id, -100)\nreturn"}),
    edit(coins, {"swapped =": "labels[~masked] = -100\nswapped ="}, "coins"))

exercise.mistake("only-changed-labelled", "labels-only-where-chosen",
    "Chosen tokens that stay have no label. They are guessed as well: label every chosen token.",
    edit(reference, {"return": "labels = ids.masked_fill(inputs == ids, -100)\nreturn"}))

exercise.mistake("mask-in-labels", "labels-only-where-chosen",
    "The mask stands in the labels. Put it into the inputs, which are a copy of ids; a label is the token that "
    "stood there.",
    edit(coins, {"inputs[masked]": "labels[masked]"}),
    edit(loop, {"inputs[b][t] = mask_id": "labels[b][t] = mask_id"}, "a loop"),
    edit(fixed_shares, {"inputs[places[:first]]": "labels[places[:first]]"}, "fixed shares"),
    edit(fixed_shares_row, {"inputs[b, picked[fates < 0.8]]": "labels[b, picked[fates < 0.8]]"},
         "fixed shares in each row"))

exercise.mistake("no-mask", "masking-recipe",
    "No chosen token becomes mask_id, and 80 % should: 10 % become a random id, 10 % stay.",
    edit(loop, {"inputs[b][t] = mask_id": "pass"}),
    edit(coins, {"= mask_id": "= vocab_size"}, "vocab_size"),
    edit(reference, {"mask_id, ids)": "vocab_size, ids)"}, "vocab_size, by where"),
    edit(fixed_shares_row, {"= mask_id": "= vocab_size"}, "vocab_size, fixed shares in each row"),
    edit(reference, {"fate >= 0.8": "fate <= 0.8"}, "random ids instead"))

exercise.mistake("labels-changed", "labels-only-where-chosen",
    "Labels hold what was put in, not what stood there. Take the labels from ids.",
    edit(reference, {"return": "labels = inputs.masked_fill(~chosen, -100)\nreturn"}),
    edit(reference, {"return": "labels = torch.where(inputs != ids, inputs, -100)\nreturn"},
         "where something was changed"))

exercise.mistake("nothing-changed", "masking-recipe",
    "The inputs are unchanged: no token is replaced in what comes back.",
    edit(reference, {"inputs,": "ids,"}))

exercise.mistake("specials-chosen", "masking-recipe",
    "Special tokens are chosen too. No token whose id is in special is ever chosen or changed; there may "
    "be several.",
    edit(reference, {"(torch": "torch", ") & ~never": ""}))

exercise.mistake("specials-changed", "masking-recipe",
    "Special tokens are changed, though they have no label. Leave them as they are.",
    edit(reference, {"(torch": "torch", ") & ~never": "", "~chosen": "~chosen | never"}))

exercise.mistake("only-specials", "masking-recipe",
    "Only special tokens are chosen. It is the other way round.",
    edit(reference, {"~never": "never"}))

exercise.mistake("share-p", "masking-recipe",
    "The share of chosen tokens does not follow p. Choose each token that is not special with probability "
    "p, however many are special.",
    edit(reference, {"p) & ~": "0.15) & ~"}, "always 0.15"),
    edit(reference, {"p) & ~": "0.8 * p) & ~"}, "0.8 of p"),
    edit(plain_other, {"and": "/ 2 and"}, "half of p"),
    edit(reference, {"p) & ~": "p * p) & ~"}, "p of p"),
    edit(reference, {"chosen = (torch.rand(ids.shape, generator=generator) < p) & ~never": "chosen = ~never"},
         "all"),
    edit(reference, {"(torch.rand": "(torch.randn"}, "normal numbers"),
    edit(reference, {"p) & ~": "p * ids.numel() / (~never).sum().clamp(min=1)) & ~"},
         "of all tokens, chosen from the others"))

exercise.mistake("one-minus-p", "masking-recipe",
    "The share of chosen tokens is 1 − p. Choose where a uniform number is below p.",
    edit(reference, {") < p)": ") > p)"}))

exercise.mistake("always-masked", "masking-recipe",
    "Every chosen token becomes the mask. Only 80 % should; 10 % become a random id, and 10 % stay.",
    edit(coins, {"0.8": "1.0"}))

exercise.mistake("no-random", "masking-recipe",
    "No chosen token becomes a random id, and 10 % should: 80 % become the mask, 10 % stay.",
    edit(coins, {"inputs[swapped] = words[swapped]": ""}),
    edit(coins, {"0.8": "0.9", "inputs[swapped] = words[swapped]": ""}, "90 % masked, coins"))

exercise.mistake("no-stay", "masking-recipe",
    "No chosen token stays as it is, and 10 % should: 80 % become the mask, 10 % a random id.",
    edit(reference, {" & (fate < 0.9)": ""}),
    edit(reference, {"< 0.8": "< 0.9", " 0.8) & (fate <": ""}, "90 % masked"))

exercise.mistake("exchanged-shares", "masking-recipe",
    "The shares are exchanged. 80 % of the chosen tokens become the mask, 10 % a random id, 10 % stay.",
    edit(reference, {"< 0.8": ">= 0.9"}, "masks and those that stay"),
    edit(reference, {every("0.8"): "0.1"}, "80 % random"))

exercise.mistake("shares-of-the-rest", "masking-recipe",
    "The second share is taken of what is left, or on top of what is already masked. Draw one number a "
    "token: below 0.8 the mask, up to 0.9 a random id, else it stays.",
    edit(coins, {"0.5": "0.1"}, "a tenth of the rest"),
    edit(coins, {"0.5": "0.1", " & ~masked": ""}, "on top of the masks"),
    edit(reference, {" & (fate >= 0.8)": ""}, "a random id below 0.9"),
    edit(coins, {" & ~masked": ""}, "half on top of the masks"))

exercise.mistake("one-number-for-both", "masking-recipe",
    "The number that chooses a token also decides its fate, so a chosen one is nearly always below 0.8. "
    "Draw a second number.",
    edit(plain_other, {"w = torch.rand(ids.shape, generator=generator)": "w = u"}))

exercise.mistake("one-fate-for-all", "masking-recipe",
    "One draw decides the fate of all chosen tokens. Draw for each token.",
    edit(reference, {"= torch.rand(ids.shape": "= torch.rand(1"}))

exercise.mistake("fate-of-a-line", "masking-recipe",
    "All chosen tokens of a row, or of a column, meet the same fate. Draw one number for each token of each "
    "row.",
    edit(reference, {"fate = torch.rand(ids.shape": "fate = torch.rand(ids.shape[1]"}, "a column"),
    edit(reference, {"fate = torch.rand(ids.shape": "fate = torch.rand(len(ids), 1"}, "a row"))

exercise.mistake("random-id-of-a-line", "masking-recipe",
    "One random id serves a whole row, or a whole column. Draw one for each token.",
    edit(reference, {"vocab_size, ids.shape": "vocab_size, (ids.shape[1],)"}, "a column"),
    edit(reference, {"vocab_size, ids.shape": "vocab_size, (len(ids), 1)"}, "a row"))

exercise.mistake("random-from-text", "masking-recipe",
    "Random ids come from the text. Draw them from the whole vocabulary.",
    edit(reference, {"torch.randint(0, vocab_size, ids.shape, generator=generator)":
                     "ids.flatten()[torch.randint(ids.numel(), ids.shape, generator=generator)]"}))

exercise.mistake("random-range", "masking-recipe",
    "Random ids are not drawn from exactly 0 to vocab_size − 1. Draw them with torch.randint(vocab_size, "
    "ids.shape, generator=generator).",
    edit(reference, {"0, vocab_size": "1, vocab_size"}, "from 1"),
    edit(coins, {", ids.shape": "- 1, ids.shape"}, "the last one left out"),
    edit(reference, {", ids.": "+ 1, ids."}, "one too many"),
    edit(reference, {", ids.shape, generator=generator)":
                     ", ids.shape, generator=generator)\n"
                     "other = torch.where(torch.isin(other, torch.tensor(list(special), "
                     "dtype=torch.int64)), ids, other)"}, "without special ones"),
    edit(reference, {"0, vocab_size": "0, int(ids.max()) + 1"}, "up to the text's largest"),
    edit(reference, {"0, vocab_size": "5, vocab_size"}, "from 5"))

exercise.mistake("one-random-id", "masking-recipe", "One random id is used for all. Draw one for each token.",
    edit(reference, {", ids.shape": ", (1,)"}))

exercise.mistake("same-columns", "masking-recipe",
    "All rows have the same places chosen. Draw for each token of each row.",
    edit(reference, {"(torch.rand(ids.shape": "(torch.rand(ids.shape[1]"}))

exercise.mistake("first-columns", "masking-recipe",
    "The places are not drawn: some are never chosen, or every call chooses the same. Draw anew for each "
    "token.",
    edit(reference, {"rand(ids.shape, generator=generator) < p":
                     "arange(ids.shape[1]) < p * ids.shape[1]).expand(ids.shape"}, "the first p of a row"),
    edit(plain_other, {"ids.size(1)": "ids.size(0)"}, "as many columns as rows"),
    edit(reference, {"rand(ids.shape, generator=generator) < p":
                     "arange(ids.shape[1]) % max(round(1 / p), 1) == 0).expand(ids.shape"},
         "every second token"),
    edit(reference, {"rand(ids.shape, generator=generator) < p":
                     "arange(ids.numel()).view_as(ids) % (round(1 / p) if p else 10**9) == 1"},
         "every seventh token of the batch"),
    edit(reference, {"rand(ids.shape, generator=generator) < p":
                     "arange(ids.numel()).view_as(ids) % (round(1 / p) if p else 10**9) == 0"},
         "every seventh token from the first one"))

exercise.mistake("generator-ignored", "masking-recipe",
    "The draws do not come from the generator, or not all. Hand generator=generator to every draw.",
    edit(reference, {every(", generator=generator"): ""}),
    edit(reference, {", generator=generator) < p": ") < p"}, "in the choice"))

exercise.mistake("generator-reset", "masking-recipe",
    "The generator is set back, so every call draws the same. Use it as it comes.",
    edit(reference, {"never =": "generator.manual_seed(0)\nnever ="}),
    edit(reference, {"never =": "generator = torch.Generator().manual_seed(generator.initial_seed())\n"
                                "never ="}, "its first seed again"))

exercise.mistake("collection", "masking-recipe",
    "special may be any collection: a list, a tuple, a set or a tensor. Make a tensor of list(special), or "
    "ints of its items, first.",
    edit(reference, {"list(special)": "special"}),
    edit(reference, {"tensor(list(special), dtype=torch.int64))": "as_tensor(special))"}, "as_tensor"),
    edit(reference, {"(ids, torch.tensor(list(special), dtype=torch.int64))": "(ids, special)"},
         "handed over as it is"),
    edit(reference, {"tensor(list(special), dtype=torch.int64))": "LongTensor(special))"}, "LongTensor"),
    edit(reference, {NEVER: "never = ids != ids\n"
                            "for i in range(len(special)):\n"
                            "    never = never | (ids == special[i])"}, "by place"),
    edit(reference, {NEVER: "import numpy\n"
                            "never = torch.from_numpy(numpy.isin(ids.numpy(), special))"},
         "numpy sees a set as one thing"),
    edit(plain_other, {"((int(s) for s in special))": "(special)"}, "a tensor in a set"),
    edit(reference, {NEVER: "never = ids != ids\n"
                            "if special:\n"
                            "    never = torch.isin(ids, torch.tensor(list(special)))"}, "asks if special"))

exercise.mistake("not-int64", "masking-recipe",
    "Inputs and labels must be int64 tensors of the shape of ids.",
    edit(reference, {", labels": ", labels.float()"}, "floats"),
    edit(reference, {", labels": ".int(), labels.int()"}, "int32"))

exercise.mistake("order-of-results", "labels-only-where-chosen",
    "The labels come first. Return the inputs first, then the labels.",
    edit(reference, {"inputs, labels": "labels, inputs"}))

exercise.mistake("one-result", "labels-only-where-chosen", "Return two tensors: the inputs, then the labels.",
    edit(reference, {", labels": ""}))

exercise.mistake("labels-not-ids", "labels-only-where-chosen",
    "Labels hold something other than the id of the token that stood there, for example its place. Take "
    "them from ids.",
    edit(reference, {"ids.masked_fill(~chosen": "torch.where(chosen, torch.arange(ids.shape[1])"},
         "places in the row"),
    edit(reference, {"ids.masked_fill(~chosen": "torch.where(chosen, torch.arange(ids.numel()).view_as(ids)"},
         "places in the batch"),
    edit(reference, {"ids.masked_fill(~chosen": "torch.where(chosen, 1"}, "ones"))

exercise.mistake("others-changed", "labels-only-where-chosen",
    "Tokens that were not chosen are changed: the input is a different token, and the label is −100. "
    "Change chosen ones only.",
    edit(reference, {"chosen & (fate >= 0.8) & (fate < 0.9)": "~never & (fate >= 0.9)"}, "random ids"),
    edit(reference, {"chosen & (fate < 0.8)": "~never & (fate < 0.8)"}, "masks"),
    edit(coins, {" chosen &": ""}, "random ids, coins"))

exercise.mistake("built-in-specials", "masking-recipe",
    "Some ids are never chosen though they are not in special, for example 0. Only what special holds is "
    "special.",
    edit(reference, {NEVER: "never = (ids == 0) | (ids == 2)"}, "0 and 2"),
    edit(reference, {"int64))": "int64)) | (ids < 1)"}, "0 as well"),
    edit(reference, {"int64))": "int64)) | (ids < 4)"}, "all ids below 4"))

exercise.mistake("at-least-one", "masking-recipe",
    "At p = 0 something is chosen. Nothing may be chosen then: a row may stay without a chosen token.",
    edit(reference, {"chosen = (": "u =",
                     "< p) & ~never": ".masked_fill(never, 2.0)\n"
                                      "chosen = ((u < p) | (u == u.min())) & ~never"}, "in the batch"))

exercise.mistake("fates-in-order", "masking-recipe",
    "The fates follow the order of the text: for example, the first chosen ones become the mask and the "
    "last ones stay. Draw which chosen token meets which fate.",
    edit(reference, {"fate = torch.rand(ids.shape, generator=generator)":
                     "fate = (chosen.cumsum(dim=1) - 0.5) / chosen.sum(dim=1, keepdim=True).clamp(min=1)"},
         "over each row"))

exercise.mistake("whole-rows", "masking-recipe",
    "Of each row, all tokens are chosen or none. Draw for each token.",
    edit(reference, {"(torch.rand(ids.shape": "(torch.rand(ids.shape[0], 1"}),
    edit(coins, {"torch.full(ids.shape, p)": "(torch.bernoulli(torch.full((ids.shape[0], 1), p), "
                 "generator=generator).expand(ids.shape).clone() )"}, "coins"))

exercise.built_in("changes-input",
    edit(plain_other, {".clone()": ""}))

exercise.built_in("ready-made",
    full("from allyouneed.models.bert import mask_tokens as theirs\n"
         "\n"
         "return theirs(ids, special, mask_id, vocab_size, generator, p)", "the library's"))

exercise.equal("a random number is a bound itself practically never", {
    "< p": "<= p", ">= p": "> p", "< 0.8": "<= 0.8", ">= 0.8": "> 0.8", "< 0.9": "<= 0.9"})
exercise.equal(
    "any tenth of what is left will do, and each place has numbers of its own from wherever", {
    "< 0.9": "> 0.9", "rand(2,": "rand(3,",
    "numbers[0][b][t]": ("numbers[0][b][t - 1]", "numbers[0][b - 1][t]"),
    "others[b][t]": ("others[b][t - 1]", "others[b - 1][t]"), "u[b, t]": ("u[b - 1, t]", "u[b, t - 1]"),
    "r[b, t]": ("r[b - 1, t]", "r[b, t - 1]")})
exercise.equal("a number in a tensor or an array compares, counts and is put like a plain one", {
    ", dtype=torch.int64": "", ", dtype=ids.dtype": "", ", dtype=torch.float64": "", ".tolist()": "",
    ".numpy()": "", ".bool()": "", "int(s)": "s", "int(token)": "token",
    "in list(special)": "in special", ".flatten()": "", "int(round(": "round((",
    "torch.tensor(-100)": "-100", "special = {int(token) for token in special}": "pass",
    "special = set((int(s) for s in special))": "pass", "round(p * candidates": "p * candidates",
    "fates[None])[0]": "fates[None])[-1]"})
exercise.equal("a place more or less, or 83 for 80 of 100, is within what so many draws can tell", {
    "[:first]": ("[:first + 1]", "[:first - 1]"), "0.8, 0.1, 0.1": "1.0, 0.1, 0.1"})
exercise.equal("what stands there is written again in the next line", {"[:first]": "[:second]"})
exercise.equal("a generator is always given", {
    "generator is None": ("False", "p is None", "vocab_size is None"),
    "torch.randint_like(ids, vocab_size)": ("ids", "torch.randint_like(vocab_size, ids)",
    "torch.randint_like(special, vocab_size)", "torch.randint_like(p, vocab_size)",
    "torch.randint_like(ids, generator)", "torch.randint_like(ids, mask_id)")})
