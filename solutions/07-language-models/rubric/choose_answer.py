"""choose_answer: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F
from allyouneed.check.drivers.made_arguments import Reader

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "choose_answer",
    points={"total log-probability": 3, "mean of each token": 1},
    section="choosing-an-answer",
    driver="made_arguments",
)


@exercise.probes
def probes(make):
    def probe(name, lengths, n_prompt, group="total log-probability", likes=None, apart=(), **marks):
        """Options of these lengths, no two scores alike; the best has one of the lengths `likes`.

        `apart`: numbers of WAYS, whose best options are all different ones.
        """
        while True:
            table, prompt = make.randn(97, 9, scale=2.5), make.randint(0, 9, (n_prompt,)).tolist()
            options = [make.randint(0, 9, (length,)).tolist() for length in lengths]
            totals = [by_hand(table, prompt, option) for option in options]
            said = by_hand(table, prompt[:1], prompt[1:])
            ranks = [[way(total, n_prompt, m, said) for total, m in zip(totals, lengths)] for way in WAYS]
            best = [rank.index(max(rank)) for rank in ranks]
            mine = marks.get("normalise", False)
            ranked = sorted(ranks[mine])
            clear = all(b - a > 0.02 for a, b in zip(ranked, ranked[1:]))
            clear = clear and len({best[way] for way in apart}) == len(apart)
            if clear and (not likes or lengths[best[mine]] in likes):
                break
        return make.probe(name, {"made": "reader", "table": table, "most": None}, prompt, options,
                          group=group,
                          **marks)

    n = make.pick(3, 4, 5)
    yield probe("options of one token", (1,) * 6, n)
    yield probe("options of two tokens", (2,) * 8, n)
    yield probe("options of three tokens", (3,) * 9, n + 1)
    yield probe("short and long options", (1, 2, 3, 4, 1, 2, 3, 4), n)
    yield probe("a longer option is best", (1, 1, 2, 3, 2, 3), n, likes=(2, 3))
    yield probe("the longest option is best", (1, 2, 4, 2, 1), n + 2, likes=(4,))
    yield probe("a short option is best", (4, 1, 3, 2, 4, 3), n, likes=(1,))
    yield probe("many options", tuple(1 + i % 3 for i in range(14)), n)
    yield probe("many longer options", tuple(2 + i % 4 for i in range(14)), n)
    yield probe("one token of prompt", (2, 1, 3, 2, 1), 1, edge=True)
    yield probe("two options", (3, 3), n, edge=True)
    yield probe("one option", (2,), n, edge=True)
    for number, below in enumerate((200, 1000)):
        yield make.probe(f"options that are very unlikely, below −{below}",
                         *unlikely(make, below, make.pick(3, 4, 5) + number), group="total log-probability")
    nearly = torch.randperm(9, generator=make.generator)
    yield make.probe("options that are nearly alike",
                     {"made": "reader", "table": (5 + nearly * 1e-4).expand(97, 9), "most": None}, [1] * n,
                     [[token] for token in nearly.argsort().roll(make.pick(3, 4, 5)).tolist()],
                     group="total log-probability", edge=True)
    group = "mean of each token"
    for number, apart in enumerate(((0, 1), (1, 2), (1, 3), (0, 2, 1), (0, 3, 1), (1, 4), (0, 4), (0, 5),
                                    (3, 5), (2, 5), (1, 6), (0, 6), (2, 6))):
        lengths = tuple(1 + (i * 3 + number) % 5 for i in range(7 + number))
        yield probe(f"the mean, {len(lengths)} options", lengths, n + number, group=group, normalise=True,
                    apart=(*apart, *({1} - {*apart})))
    yield probe("the mean, the longest is best", (1, 5, 2, 1, 3), n, group=group, normalise=True, likes=(5,))
    yield probe("the mean, one token is best", (5, 2, 1, 4, 1, 3), n, group=group, normalise=True, likes=(1,))
    yield probe("the mean, options of one token", (1,) * 5, n, group=group, normalise=True, edge=True)
    yield probe("a long prompt", (3, 1, 2, 4), 200, group=group, long=True)
    yield probe("the mean, two options", (1, 2), n, group=group, normalise=True, apart=(0, 1), edge=True)
    prompt, options = make.randint(0, 9, (n,)).tolist(), make.pick([[2], [5]], [[4], [7]], [[6], [3]])
    for place, name in enumerate(("a model", "another model, the same prompt and options")):
        table = make.randn(97, 9)
        table[:, options[place][0]] += 9
        yield make.probe(name, {"made": "reader", "table": table, "most": None}, prompt, options,
                         group="total log-probability", edge=True)


# the total, the mean of each token, and what else is made of a total and of what the prompt's tokens have
WAYS = (lambda total, n, m, said: total, lambda total, n, m, said: total / m,
        lambda total, n, m, said: total / (n + m), lambda total, n, m, said: total / m**0.5,
        lambda total, n, m, said: total * m, lambda total, n, m, said: math.exp(total) / m,
        lambda total, n, m, said: (said + total) / (n + m))


def unlikely(make, below, n_prompt):
    """Options whose totals are all below −`below`, though no single probability is 0; the best is not the
    first."""
    while True:
        table, prompt = make.randn(97, 9, scale=20.0), make.randint(0, 9, (n_prompt,)).tolist()
        options = []
        for _ in range(3):
            option = []
            while -by_hand(table, prompt, option) < below + 20:
                with torch.no_grad():
                    row = Reader(table, None)(torch.tensor([prompt + option]))[0, -1].log_softmax(-1)
                fit = [token for token in range(9) if -75 < row[token] < -15]
                choose = make.randint(0, 9, (1,)).item()
                option.append(fit[choose % len(fit)] if fit else choose)
            options.append(option)
        totals = [by_hand(table, prompt, option) for option in options]
        rows = [torch.tensor([prompt + option]) for option in options]
        with torch.no_grad():
            lowest = min(Reader(table, None)(row).log_softmax(-1).gather(2, row.roll(-1, 1)[..., None])
                         [:, n_prompt - 1 : -1].min() for row in rows)
        ranked = sorted(totals)
        if ranked[2] - ranked[1] > 0.5 and totals.index(ranked[2]) and lowest > -80:
            return {"made": "reader", "table": table, "most": None}, prompt, options


def by_hand(table, prompt, option):
    with torch.no_grad():
        rows = Reader(table, None)(torch.tensor([prompt + option]))[0].double().log_softmax(-1)
    return sum(rows[len(prompt) - 1 + place, token].item() for place, token in enumerate(option))


@exercise.right
def reference(model, prompt, options, normalise=False):
    scores = []
    for option in options:
        ids = torch.tensor([prompt + option])
        log_p = model(ids)[0].log_softmax(dim=-1)
        score = 0.0
        for place, token in enumerate(option):
            score += log_p[len(prompt) - 1 + place, token].item()
        if normalise:
            score /= len(option)
        scores.append(score)
    return max(range(len(options)), key=lambda i: scores[i])


@exercise.right("gather, all on tensors")
def gathered(model, prompt, options, normalise=False):
    n, scores = len(prompt), []
    with torch.no_grad():
        for option in options:
            ids = torch.cat((torch.tensor(prompt), torch.tensor(option)))[None]
            logits = model(ids)[:, n - 1 : -1]
            found = torch.log_softmax(logits, -1).gather(-1, ids[:, n:, None])[0, :, 0]
            scores.append(found.mean() if normalise else found.sum())
    return torch.stack(scores).argmax()


@exercise.right("cross-entropy")
def by_cross_entropy(model, prompt, options, normalise=False):
    best, best_loss = 0, math.inf
    for number, option in enumerate(options):
        ids = torch.tensor(list(prompt) + list(option)).unsqueeze(0)
        logits = model(ids)[0]
        rows = logits[len(prompt) - 1 : len(ids[0]) - 1]
        loss = F.cross_entropy(rows, torch.tensor(option), reduction="mean" if normalise else "sum")
        if loss < best_loss:
            best, best_loss = number, loss
    return best


@exercise.right("one's own loss of the option's tokens")
def own_loss(model, prompt, options, normalise=False):
    losses, first = [], len(prompt) - 1
    for option in options:
        ids = torch.tensor([prompt + option])
        loss = next_token_loss(model(ids)[:, first:], ids[:, first:]).item()
        losses.append(loss if normalise else loss * len(option))
    return losses.index(min(losses))


@exercise.right("all of one length, padded on the right")
def one_length(model, prompt, options, normalise=False):
    lengths = torch.tensor([len(option) for option in options])
    longest = int(lengths.max())
    rows = torch.tensor([[*prompt, *option, *[0] * (longest - len(option))] for option in options])
    logits = torch.cat([model(row[None]) for row in rows])
    log_p = logits[:, len(prompt) - 1 : -1].log_softmax(-1)
    found = log_p.gather(2, rows[:, len(prompt) :].unsqueeze(2)).squeeze(2)
    there = torch.arange(longest)[None] < lengths[:, None]
    total = (found * there).sum(1)
    return int((total / lengths if normalise else total).argmax())


@exercise.right("one token after the other")
def stepwise(model, prompt, options, normalise=False):
    def score(option):
        text, found = list(prompt), []
        for token in option:
            p = model(torch.tensor([text]))[0, -1].softmax(0)
            found.append(math.log(p[token]))
            text.append(token)
        return sum(found) / len(found) if normalise else sum(found)

    scores = [score(option) for option in options]
    return scores.index(max(scores))


exercise.mistake("shift", "shift-by-one",
    "An option's tokens are looked up in the wrong rows of logits, too late or too early. Each row guesses "
    "the next token: the option's first token is guessed by the prompt's last one.",
    edit(reference, {"len(prompt) - 1 + place": "len(prompt) + place"}),
    edit(gathered, {"[:, n - 1 : -1]": "[:, n:]"}, "gather"),
    edit(by_cross_entropy, {"logits[len(prompt) - 1 : len(ids[0]) - 1]": "logits[len(prompt) :]"},
         "cross-entropy"),
    edit(reference, {"len(prompt) - 1 + place": "max(len(prompt) - 2 + place, 0)"}, "one row too early"))

exercise.mistake("first-token-lost", "choosing-an-answer",
    "The first token of each option is not scored. The prompt's last row guesses it, and an option of one "
    "token has no other.",
    edit(gathered, {"[:, n - 1 : -1]": "[:, n:-1]", "ids[:, n:, None]": "ids[:, n + 1 :, None]"}),
    edit(stepwise,
         {"return sum(found) / len(found)": "found = found[1:]\nreturn sum(found) / max(len(found), 1)"},
         "one token after the other"))

exercise.mistake("one-token-only", "choosing-an-answer",
    "Only one token of each option counts. Add the log-probabilities of all its tokens.",
    edit(reference, {"enumerate(option)": "enumerate(option[:1])"}, "the first"),
    edit(gathered, {"found.mean() if normalise else found.sum()": "found[-1]"}, "the last"),
    edit(gathered, {"found.mean() if normalise else found.sum()": "found.max()"}, "the best"),
    full("last = model(torch.tensor([prompt]))[0, -1]\n"
         "return max(range(len(options)), key=lambda i: last[options[i][0]].item())", "the first, logits"))

exercise.mistake("last-token-lost", "choosing-an-answer",
    "The last token of each option is not scored.",
    edit(reference, {"enumerate(option)": "enumerate(option[:-1])"}),
    edit(by_cross_entropy, {"len(ids[0]) - 1]": "len(ids[0]) - 2]", "torch.tensor(option), reduction":
                            "torch.tensor(option[:-1], dtype=torch.int64), reduction"}, "cross-entropy"))

exercise.mistake("without-the-prompt", "choosing-an-answer",
    "The model reads the options without the prompt, or from another place of it. Give it prompt and option "
    "as one text.",
    full("scores = []\n"
         "for option in options:\n"
         "    log_p = model(torch.tensor([prompt[-1:] + option]))[0].log_softmax(-1)\n"
         "    found = torch.stack([log_p[i, token] for i, token in enumerate(option)])\n"
         "    scores.append(found.mean() if normalise else found.sum())\n"
         "return torch.stack(scores).argmax()", "its last token alone"),
    full("scores = []\n"
         "for option in options:\n"
         "    log_p = model(torch.tensor([option]))[0].log_softmax(-1)\n"
         "    total = sum(log_p[i, token].item() for i, token in enumerate(option[1:]))\n"
         "    scores.append(total / len(option) if normalise else total)\n"
         "return scores.index(max(scores))", "the option alone"),
    full("scores = []\n"
         "for option in options:\n"
         "    log_p = model(torch.tensor([option + prompt]))[0].log_softmax(-1)\n"
         "    found = torch.stack([log_p[len(prompt) - 1 + i, token] for i, token in enumerate(option)])\n"
         "    scores.append(found.mean() if normalise else found.sum())\n"
         "return torch.stack(scores).argmax()", "behind the option"))

exercise.mistake("context-not-grown", "choosing-an-answer",
    "Every token of an option is guessed from the prompt alone. The second token is guessed by whoever has "
    "read the first.",
    full("log_p = model(torch.tensor([prompt]))[0, -1].log_softmax(-1)\n"
         "scores = [sum(log_p[token].item() for token in option) for option in options]\n"
         "if normalise:\n"
         "    scores = [score / len(option) for score, option in zip(scores, options)]\n"
         "return scores.index(max(scores))"),
    edit(stepwise, {"text.append(token)": "pass"}, "one token after the other"))

exercise.mistake("probabilities-added", "choosing-an-answer",
    "Probabilities are added or averaged, where those of a text are multiplied. Add their logarithms.",
    edit(reference, {".log_softmax(dim=-1)": ".softmax(dim=-1)"}),
    edit(stepwise, {"math.log(p[token])": "p[token].item()"}, "one token after the other"),
    edit(gathered, {"scores.append(found": "found = found.exp()\nscores.append(found"}, "gather"))

exercise.mistake("logits-added", "choosing-an-answer",
    "Logits are added, or the softmax runs over the tokens of the text. Rows have different sums of "
    "exponentials, so bring each to log-probabilities first: log-softmax over the vocabulary.",
    edit(reference, {".log_softmax(dim=-1)": ""}),
    edit(gathered, {"torch.log_softmax(logits, -1)": "logits"}, "gather"))

exercise.mistake("softmax-over-tokens", "choosing-an-answer",
    "The softmax runs over the tokens of the text. Each row of logits is a guess of its own: take the softmax "
    "over the vocabulary, the last axis.",
    edit(reference, {"log_softmax(dim=-1)": "log_softmax(dim=0)"}),
    edit(gathered, {"torch.log_softmax(logits, -1)": "torch.log_softmax(model(ids), 1)[:, n - 1 : -1]"},
         "gather"))

exercise.mistake("prompt-compared", "choosing-an-answer",
    "From each option's score, its score without the prompt is subtracted. What counts here is how probable "
    "the option is behind the prompt, and nothing else.",
    edit(reference, {"scores.append(score)":
                     "alone = model(torch.tensor([option]))[0].log_softmax(dim=-1)\n"
                     "score -= sum(alone[i - 1, t].item() for i, t in enumerate(option) if i)\n"
                     "scores.append(score)"}),
    edit(reference, {"if normalise:": "alone = model(torch.tensor([option]))[0].log_softmax(dim=-1)\n"
                                      "score -= sum(alone[i - 1, t].item() for i, t in enumerate(option) if i)\n"
                                      "if normalise:"}, "before the mean"),
    edit(reference, {"if normalise:": "alone = model(torch.tensor([prompt[-1:] + option]))[0].log_softmax(-1)\n"
                                      "score -= sum(alone[i, t].item() for i, t in enumerate(option))\n"
                                      "if normalise:"}, "behind one token"))

exercise.mistake("shortest", "choosing-an-answer",
    "The shortest option is chosen, or the longest, whatever the model says. Compare the scores.",
    edit(reference, {"max(range(len(options)), key=lambda i: scores[i])":
                     "min(range(len(options)), key=lambda i: len(options[i]))"}),
    edit(reference, {"max(range(len(options)), key=lambda i: scores[i])":
                     "max(range(len(options)), key=lambda i: len(options[i]))"}, "the longest"))

exercise.mistake("very-unlikely", "choosing-an-answer",
    "Where all options are very unlikely, the best is not found. Either the search begins with a score that "
    "they do not reach, or probabilities are multiplied until they are 0. Begin with the first option or "
    "with −inf, and compare logarithms.",
    *(edit(by_cross_entropy, {"best, best_loss = 0, math.inf": f"best, best_loss = 0, {start}"}, f"from {start}")
      for start in (0, 1, 10, 30, 100, 1000)),
    edit(reference, {"scores.append(score)": "scores.append(math.exp(score))"}, "exponentials"),
    edit(stepwise, {"return sum(found) / len(found) if normalise else sum(found)":
                    "product = math.exp(sum(found))\nreturn product ** (1 / len(found)) if normalise else product"},
         "a product"))

exercise.mistake("nearly-alike", "choosing-an-answer",
    "Of options that are nearly alike, the best is not found: scores are rounded, or computed in half "
    "precision. Compare them as they are.",
    edit(reference, {"scores.append(score)": "scores.append(round(score, 2))"}),
    edit(reference, {"model(ids)[0]": "model(ids)[0].half().float()"}, "half precision"))

exercise.mistake("option-skipped", "choosing-an-answer",
    "The first or the last option is never looked at. Give each of them a score.",
    edit(stepwise, {"for option in options]": "for option in options[:-1]]"}, "the last"),
    edit(stepwise, {"for option in options]": "for option in options[1:]]",
                    "scores.index(max(scores))": "scores.index(max(scores)) + 1"}, "the first"))

exercise.mistake("worst", "choosing-an-answer",
    "The least likely option is chosen. Log-probabilities are negative: the best is the one nearest to 0, "
    "the largest.",
    edit(reference, {"max(range": "min(range"}),
    edit(gathered, {"argmax()": "argmin()"}, "gather"),
    edit(by_cross_entropy, {"loss < best_loss": "loss > best_loss", "math.inf": "-math.inf"},
         "cross-entropy"))

exercise.mistake("always-the-mean", "choosing-an-answer",
    "The total is divided by the number of tokens though normalise is False. Then the plain total counts, "
    "and longer options are at a disadvantage.",
    edit(reference, {"if normalise:": "if True:"}),
    edit(by_cross_entropy, {'"mean" if normalise else "sum"': '"mean"'}, "cross-entropy"),
    edit(reference, {"if normalise:": "if not normalise:"}, "the other way round"))

exercise.mistake("never-the-mean", "choosing-an-answer",
    "normalise=True changes nothing, or divides all totals by one and the same number. Divide each option's "
    "total by the number of its own tokens.",
    edit(reference, {"if normalise:": "if False:"}),
    edit(gathered, {"found.mean() if normalise else found.sum()": "found.sum()"}, "gather"),
    edit(reference, {"/= len(option)": "/= len(options)"}, "the number of options"),
    edit(reference, {"/= len(option)": "/= len(prompt)"}, "the length of the prompt"),
    edit(one_length, {"total / lengths": "total / longest"}, "the longest option's length"))

exercise.mistake("mean-over-another-length", "choosing-an-answer",
    "With normalise, the total is divided by another number than that of the option's own tokens, or it is "
    "not the total of the logarithms that is divided.",
    edit(reference, {"if normalise:": "score = math.exp(score)\nif normalise:"}, "a product"),
    edit(reference, {"/= len(option)": "/= len(prompt) + len(option)"}, "of the whole text"),
    edit(reference, {"/= len(option)": "/= len(option) ** 0.5"}, "its root"),
    edit(reference, {"/= len(option)": "/= len(option) + 1"}, "one more"),
    edit(reference, {"/= len(option)": "/= max(len(option) - 1, 1)"}, "one fewer"),
    edit(reference, {"/= len(option)": "*= len(option)"}, "multiplied"))

exercise.mistake("mean-with-the-prompt", "choosing-an-answer",
    "With normalise, the prompt's tokens are in the mean. In the total they do no harm, since they are the "
    "same for all options; in a mean they do.",
    full("scores = []\n"
         "for option in options:\n"
         "    ids = torch.tensor([prompt + option])\n"
         "    mean = 'mean' if normalise else 'sum'\n"
         "    loss = F.cross_entropy(model(ids)[0, :-1], ids[0, 1:], reduction=mean)\n"
         "    scores.append(-loss)\n"
         "return torch.stack(scores).argmax()"),
    full("scores = []\n"
         "for option in options:\n"
         "    text = prompt + option\n"
         "    log_p = model(torch.tensor([text]))[0].log_softmax(-1)\n"
         "    total = sum(log_p[i - 1, text[i]].item() for i in range(1, len(text)))\n"
         "    scores.append(total / len(text) if normalise else total)\n"
         "return scores.index(max(scores))", "divided by all tokens"))

exercise.mistake("padding-counted", "choosing-an-answer",
    "Tokens that only fill up shorter options are scored, too.",
    edit(one_length, {"(found * there)": "found"}))

exercise.mistake("padded-on-the-left", "choosing-an-answer",
    "Shorter texts are filled up in front, and the model reads what fills them as a part of the text. Fill "
    "up behind the option, where nothing reads it, or ask for each option by itself.",
    full("n = len(prompt) + max(len(option) for option in options)\n"
         "texts = [[0] * (n - len(prompt) - len(option)) + prompt + option for option in options]\n"
         "rows = torch.tensor(texts)\n"
         "logits = torch.cat([model(row[None]) for row in rows])\n"
         "found = logits[:, :-1].log_softmax(-1).gather(2, rows[:, 1:, None])[:, :, 0]\n"
         "found = [row[-len(option) :] for row, option in zip(found, options)]\n"
         "scores = [row.mean() if normalise else row.sum() for row in found]\n"
         "return torch.stack(scores).argmax()"))

exercise.mistake("option-for-index", "choosing-an-answer",
    "The option itself comes back, or its score, or all scores. Return its number in the list, from 0 on.",
    edit(stepwise, {"scores.index(max(scores))": "options[scores.index(max(scores))]"}),
    edit(stepwise, {"scores.index(max(scores))": "max(scores)"}, "the score"),
    edit(stepwise, {"scores.index(max(scores))": "scores"}, "all scores"))

exercise.mistake("counted-from-1", "choosing-an-answer",
    "Options are counted from 1. Count from 0, as Python does.",
    edit(stepwise, {"scores.index(max(scores))": "scores.index(max(scores)) + 1"}))

exercise.mistake("axes-of-the-model", "choosing-an-answer",
    "The model was called with something other than (1, t) ids. Give the text an axis for the batch, and "
    "ask about one option at a time.",
    edit(reference, {"torch.tensor([prompt + option])": "torch.tensor(prompt + option)"}, "no batch"),
    edit(reference, {"torch.tensor([prompt + option])": "torch.tensor([prompt, option])"}, "two rows"),
    edit(reference, {"torch.tensor([prompt + option])": "[prompt + option]"}, "a list"),
    edit(one_length, {"torch.cat([model(row[None]) for row in rows])": "model(rows)"}, "all options at once"))

exercise.mistake("kept-from-a-call", "choosing-an-answer",
    "What a model has said is kept for later calls. These may be of another model: ask it anew each time.",
    edit(reference, {"normalise=False": "normalise=False, kept={}",
                     "model(ids)[0].log_softmax(dim=-1)":
                     "kept.setdefault(tuple(prompt + option), model(ids)[0].log_softmax(dim=-1))"}))

exercise.mistake("prompt-grows", "choosing-an-answer",
    "The prompt grows from option to option: +=, extend and append change the list itself. Join the two "
    "lists with +, or begin with a copy.",
    edit(reference, {"ids = torch.tensor([prompt + option])": "n = len(prompt)\nprompt += option\n"
                                                              "ids = torch.tensor([prompt])",
                     "len(prompt) - 1 + place": "n - 1 + place"}),
    edit(stepwise, {"text, found = list(prompt), []": "text, found = prompt, []"},
         "one token after the other"))

exercise.built_in("returns-nothing", edit(reference, {"return max": "max"}))

exercise.equal("one text is read at a time, and a number may be a tensor of one number",
    {"[0]": "[-1]", "[0,": "[-1,", ", 0]": ", -1]", ".item()": "", "int(": ""})
exercise.equal("the first option is better than the beginning, and no two are equally good",
    {"best, best_loss = 0": ("best, best_loss = 1", "best, best_loss = -1"), "loss < best_loss": "loss <= best_loss"})
exercise.equal("rows behind the last token that is asked for are not read, and what is padded is not seen",
    {"n - 1 : -1": "n - 1 :", "len(prompt) - 1 : -1": "len(prompt) - 1 :", "[0] *": "[1] *",
     "len(ids[0]) - 1": "-1"})
exercise.equal("prompt and options are lists, and all sums have as many terms",
    {"list(prompt)": "prompt", "list(option)": "option", "sum(1)": "mean(1)"})
exercise.equal("no gradient is asked for", {"with torch.no_grad()": "if True"})
