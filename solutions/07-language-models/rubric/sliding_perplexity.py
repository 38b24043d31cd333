"""sliding_perplexity: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "sliding_perplexity",
    points={"long texts": 4, "short texts, other windows": 1},
    section="perplexity-of-a-long-text",
    driver="made_arguments",
)


@exercise.probes
def probes(make):
    def probe(name, n_tokens, window, stride, group="long texts", vocabulary=7, scale=1.0, **marks):
        table = make.randn(61, vocabulary, scale=scale)
        model = {"made": "reader", "table": table, "most": window}
        return make.probe(name, model, make.randint(0, vocabulary, (1, n_tokens)), window, stride,
                          group=group,
                          **marks)

    yield probe("windows that overlap by half", *make.pick((10, 4, 2), (13, 6, 3), (12, 4, 2)))
    yield probe("a short last window", *make.pick((12, 5, 3), (15, 7, 4), (14, 6, 4)))
    yield probe("one token further each time", *make.pick((9, 4, 1), (11, 5, 1), (10, 3, 1)))
    yield probe("windows that overlap by one", *make.pick((12, 4, 3), (17, 6, 5), (14, 5, 4)))
    yield probe("one token in the last window is new", *make.pick((11, 6, 4), (12, 7, 4), (13, 8, 4)))
    yield probe("the last window is full", *make.pick((13, 5, 2), (14, 6, 4), (16, 7, 3)))
    yield probe("a surprised model", *make.pick((16, 6, 4), (18, 7, 5), (20, 6, 5)), scale=4.0)
    group = "short texts, other windows"
    yield probe("the text fits into one window", *make.pick((5, 8, 3), (6, 9, 4), (4, 7, 2)), group=group,
                edge=True)
    yield probe("the text is one window", *make.pick((6, 6, 2), (7, 7, 3), (5, 5, 2)), group=group, edge=True)
    yield probe("two tokens", 2, make.pick(4, 3, 5), 2, group=group, edge=True)
    yield probe("windows of two tokens", make.pick(6, 7, 8), 2, 1, group=group, edge=True)
    yield probe("one token more than a window", *make.pick((7, 6, 3), (8, 7, 5), (6, 5, 2)), group=group,
                edge=True)
    yield probe("a long text", 300, 64, 48, group=group, long=True)


@exercise.right
def reference(model, ids, window, stride):
    n = ids.shape[1]
    total, scored = 0.0, 1
    for begin in range(0, n, stride):
        end = min(begin + window, n)
        log_p = model(ids[:, begin:end])[0].log_softmax(-1)
        for t in range(scored, end):
            total -= log_p[t - 1 - begin, ids[0, t]].item()
        scored = end
        if end == n:
            break
    return math.exp(total / (n - 1))


@exercise.right("cross-entropy of the new tokens")
def cross_entropy(model, ids, window, stride):
    n, begin, done = ids.shape[1], 0, 1
    losses = []
    with torch.no_grad():
        while done < n:
            piece = ids[:, begin : begin + window]
            losses.append(F.cross_entropy(model(piece)[0, :-1], piece[0, 1:],
                                          reduction="none")[done - begin - 1 :])
            done = begin + piece.shape[1]
            begin += stride
    return torch.cat(losses).mean().exp().item()        # a float: what comes back as a tensor meets it too


@exercise.right("one's own loss of the new tokens")
def own_loss(model, ids, window, stride):
    n, done, total = ids.shape[1], 1, 0.0
    for begin in range(0, n, stride):
        end = min(begin + window, n)
        if end > done:
            first = done - 1 - begin
            logits = model(ids[:, begin:end])
            total += next_token_loss(logits[:, first:], ids[:, begin + first : end]).item() * (end - done)
            done = end
    return math.exp(total / (n - 1))


@exercise.right("labels of -100")
def labels(model, ids, window, stride):
    total, count, before = 0.0, 0, 0
    for begin in range(0, ids.shape[1], stride):
        end = min(begin + window, ids.shape[1])
        inputs = ids[:, begin:end]
        targets = inputs.clone()
        targets[:, : before - begin] = -100
        logits = model(inputs)
        total += F.cross_entropy(logits[0, :-1], targets[0, 1:], ignore_index=-100, reduction="sum").item()
        count += (targets[0, 1:] != -100).sum().item()
        before = end
        if end == ids.shape[1]:
            break
    return math.exp(total / count)


@exercise.right("token by token")
def token_by_token(model, ids, window, stride):
    text = ids[0].tolist()
    log_p = []
    for t in range(1, len(text)):
        steps = max(0, math.ceil((t + 1 - window) / stride))
        begin = steps * stride
        seen = torch.tensor([text[begin:t]])
        p = torch.softmax(model(seen)[0, -1].double(), dim=0)[text[t]]
        log_p.append(math.log(p))
    return math.exp(-sum(log_p) / len(log_p))


exercise.also_right(
    edit(reference, {"math.exp(total / (n - 1))": "torch.tensor(total / (n - 1)).exp()"}, "a tensor"),
    edit(cross_entropy,
         {"torch.cat(losses).mean().exp()": "torch.exp(sum(x.sum() for x in losses) / (n - 1))"},
         "sums"))


exercise.mistake("windows-averaged", "perplexity-of-a-long-text",
    "Windows are averaged, or weighted by other numbers than those of the tokens that they score, or "
    "perplexities are averaged. Add up the surprise of all tokens first, "
    "divide by their number, and take e to that power once.",
    edit(cross_entropy,
         {"torch.cat(losses).mean().exp()": "torch.stack([loss.mean() for loss in losses]).mean().exp()"}),
    edit(cross_entropy,
         {"torch.cat(losses).mean().exp()": "torch.stack([loss.mean().exp() for loss in losses]).mean()"},
         "perplexities"),
    edit(cross_entropy, {"torch.cat(losses).mean().exp()": "torch.cat(losses).exp().mean()"},
         "tokens' perplexities"),
    edit(labels, {'ignore_index=-100, reduction="sum").item()': "ignore_index=-100).item() * (end - before)",
                  "(targets[0, 1:] != -100).sum().item()": "end - before"}, "weighted by all new tokens"))

exercise.mistake("scored-twice", "perplexity-of-a-long-text",
    "Tokens where windows overlap are scored more than once. A window scores only those tokens that no "
    "window before it has scored; the others are there to be read.",
    edit(cross_entropy, {"[done - begin - 1 :]": ""}),
    edit(labels, {"targets[:, : before - begin] = -100": ""}, "labels"),
    edit(reference, {"range(scored, end)": "range(begin + 1, end)"}, "divided by the number of tokens"),
    edit(labels, {"targets[:, : before - begin] = -100": "", "if end == ids.shape[1]:\n    break": ""},
         "in windows behind the end, too"),
    edit(reference, {"range(scored, end)": "range(max(1, scored - 1), end)"}, "one of them"),
    edit(reference, {"range(scored, end)": "range(begin + 1, end)", "if end == n:\n    break": ""},
         "in windows behind the end, too, divided by the number of tokens"),
    edit(reference, {"scored = end": "scored = begin + stride"}, "from the last window's new begin on"))

exercise.mistake("no-context", "perplexity-of-a-long-text",
    "The model reads the new tokens alone, without those before them in their window. Give it the whole "
    "window, and score its new tokens.",
    edit(reference, {"begin:end": "max(scored - 1, 0):end", "t - 1 - begin": "t - max(scored, 1)"}),
    edit(token_by_token, {"begin = steps * stride": "begin = max(0, t - stride)"}, "the last few"))

exercise.mistake("windows-apart", "perplexity-of-a-long-text",
    "Each window begins where the one before it ended, and the first tokens of each are guessed from next "
    "to nothing. Let it begin stride tokens after the one before it, read all it holds, and score the "
    "tokens that are new in it.",
    full("n, total, count = ids.shape[1], 0.0, 0\n"
         "for begin in range(0, n, window):\n"
         "    piece = ids[:, begin : begin + window]\n"
         "    if piece.shape[1] > 1:\n"
         "        total += F.cross_entropy(model(piece)[0, :-1], piece[0, 1:], reduction='sum').item()\n"
         "        count += piece.shape[1] - 1\n"
         "return math.exp(total / count)"),
    full("n, total = ids.shape[1], 0.0\n"
         "for begin in range(0, n - 1, window):\n"
         "    piece = ids[:, begin : begin + window]\n"
         "    total += F.cross_entropy(model(piece)[0, :-1], piece[0, 1:], reduction='sum').item()\n"
         "return math.exp(total / (n - 1))", "divided by n − 1"),
    edit(reference, {"range(0, n, stride)": "range(0, n, window)"},
         "the first token of each guessed from its end"))

exercise.mistake("longest-context", "perplexity-of-a-long-text",
    "Each token has the window that ends at it. Windows begin at 0, stride, 2 · stride and so on, and each "
    "token is scored in the first one that holds it.",
    edit(token_by_token, {"begin = steps * stride": "begin = max(0, t + 1 - window)"}),
    edit(token_by_token, {"begin = steps * stride": "begin = max(0, t - window)"}, "and one more"),
    edit(cross_entropy, {"begin += stride": "begin += 1"}, "windows that move on by one"))

exercise.mistake("last-window-full", "perplexity-of-a-long-text",
    "The last window is moved back until it is full. It begins stride tokens after the window before it, "
    "like all others, and is shorter.",
    edit(reference,
         {"end = min(begin + window, n)": "end = min(begin + window, n)\nbegin = max(0, end - window)"}),
    edit(cross_entropy, {"piece = ids": "begin = min(begin, max(0, n - window))\npiece = ids"},
         "cross-entropy"))

exercise.mistake("last-window-lost", "perplexity-of-a-long-text",
    "Tokens at the end of the text are not scored. The last window may be shorter than the others, and is "
    "read too.",
    edit(reference, {"range(0, n, stride)": "range(0, max(1, n - window + 1), stride)"}),
    edit(labels, {"range(0, ids.shape[1], stride)": "range(0, max(1, ids.shape[1] - window + 1), stride)"},
         "labels"),
    edit(cross_entropy, {"done < n": "begin + window <= n or not losses"}, "cross-entropy"))

exercise.mistake("first-window-only", "perplexity-of-a-long-text",
    "Only the first window is scored. Go on until a window reaches the end of the text, and return after the "
    "loop.",
    edit(reference, {"if end == n:": "if scored:"}),
    edit(labels, {"if end == ids.shape[1]:": "if count:"}, "divided by what it scores"),
    edit(reference, {"scored = end": "return math.exp(total / (end - 1))"}, "returned in the loop"))

exercise.mistake("windows-too-long", "perplexity-of-a-long-text",
    "The model was given more tokens than one window holds. At most window tokens go in at once, the ones "
    "that are only read included. Slice the axis of the tokens, not that of the batch.",
    full("return F.cross_entropy(model(ids)[0, :-1], ids[0, 1:]).exp()", "the whole text"),
    edit(reference, {"ids[:, begin:end]": "ids[begin:end]"}, "a slice of the batch"),
    edit(reference, {"end = min(begin + window, n)": "end = min(begin + window + 1, n)"}, "one more"),
    edit(reference, {"range(0, n, stride)": "range(0, n, window)", "ids[:, begin:end]":
                     "ids[:, max(0, begin - window + stride) : end]",
                     "t - 1 - begin": "t - 1 - max(0, begin - window + stride)"},
         "context in front of a window"))

exercise.mistake("windows-too-short", "perplexity-of-a-long-text",
    "Windows hold fewer than window tokens. A window that begins at b holds the tokens b to b + window − 1, "
    "so that its slice ends at b + window.",
    edit(reference, {"begin + window": "begin + window - 1"}),
    edit(labels, {"begin + window": "begin + window - 1"}, "labels"))

exercise.mistake("shift", "shift-by-one",
    "A token is looked up in another row of logits than the one before it. Row t of a window guesses token "
    "t + 1 of that window.",
    edit(reference, {"t - 1 - begin": "t - begin"}),
    edit(reference, {"ids[0, t]]": "ids[0, t - 1]]"}, "the token before"),
    edit(labels, {"logits[0, :-1], targets[0, 1:]": "logits[0], targets[0]"},
         "labels, divided by the number of scored tokens"),
    edit(labels, {"logits[0, :-1], targets[0, 1:]": "logits[0], targets[0]",
                  "(targets[0, 1:] != -100)": "(targets[0] != -100)"}, "labels"),
    edit(reference, {"log_p[t - 1 - begin": "log_p[max(t - 2 - begin, 0)"}, "one row earlier"),
    edit(reference, {"log_p[t - 1 - begin": "log_p[t - 1 - scored"}, "counted from the new tokens"))

exercise.mistake("first-new-token-lost", "perplexity-of-a-long-text",
    "The first new token of each later window is scored by nobody. Its guess is made by the last token that "
    "was there before, which stands in the same window.",
    edit(reference, {"range(scored, end)": "range(scored + (begin > 0), end)"},
         "divided by the number of tokens"),
    edit(labels, {"[:, : before - begin]": "[:, : before - begin + (begin > 0)]"}))

exercise.mistake("text-and-window", "perplexity-of-a-long-text",
    "Places in the text and places in a window are mixed. Token t of the text is token t − begin of its "
    "window: look up the same token in both.",
    edit(reference, {"ids[0, t]]": "ids[0, t - begin]]"}),
    edit(reference, {"ids[0, t]]": "ids[0, t - scored]]"}, "counted from the new tokens"),
    edit(token_by_token, {"[text[t]]": "[text[t - begin]]"}, "token by token"))

exercise.mistake("first-token-scored", "perplexity-of-a-long-text",
    "The text's first token is scored too. No row guesses it, since nothing stands before it (row −1 is the "
    "last one): begin with token 1.",
    edit(reference, {"0.0, 1": "0.0, 0"}),
    edit(reference, {"0.0, 1": "0.0, 0", "(n - 1)": "n"}, "divided by the number of tokens"),
    edit(reference, {"0.0, 1": "0.0, 0", "t - 1 - begin": "max(t - 1 - begin, 0)", "(n - 1)": "n"},
         "guessed from itself"),
    edit(reference, {"0.0, 1": "0.0, 0", "t - 1 - begin": "max(t - 1 - begin, 0)"},
         "guessed from itself, divided by one fewer"),
    edit(token_by_token, {"log_p = []": "log_p = [-math.log(model(ids[:, :1]).shape[-1])]"},
         "as one of equally likely ones"))

exercise.mistake("last-window-that-holds-it", "perplexity-of-a-long-text",
    "A token that several windows hold is scored in the last of them, or its mean over them is taken. The "
    "first window that holds it counts: there most tokens stand before it.",
    full("n, surprise = ids.shape[1], {}\n"
         "for begin in range(0, n, stride):\n"
         "    end = min(begin + window, n)\n"
         "    log_p = model(ids[:, begin:end])[0].log_softmax(-1)\n"
         "    for t in range(begin + 1, end):\n"
         "        surprise[t] = -log_p[t - 1 - begin, ids[0, t]].item()\n"
         "    if end == n:\n"
         "        break\n"
         "return math.exp(sum(surprise.values()) / len(surprise))", "overwritten"),
    edit(reference, {"range(scored, end)":
                     "range(begin + 1, end if end == n else begin + stride + 1)"}, "up to the next begin"),
    full("n, surprise = ids.shape[1], {}\n"
         "for begin in range(0, n, stride):\n"
         "    end = min(begin + window, n)\n"
         "    log_p = model(ids[:, begin:end])[0].log_softmax(-1)\n"
         "    for t in range(begin + 1, end):\n"
         "        surprise.setdefault(t, []).append(-log_p[t - 1 - begin, ids[0, t]].item())\n"
         "    if end == n:\n"
         "        break\n"
         "means = [sum(values) / len(values) for values in surprise.values()]\n"
         "return math.exp(sum(means) / len(means))", "averaged"))

exercise.mistake("divided-by-another-number", "perplexity-of-a-long-text",
    "The surprise is divided by another number than that of the scored tokens. The text's first token is "
    "scored by nobody, all others once: that is one fewer than there are tokens.",
    edit(reference, {"total / (n - 1)": "total / n"}),
    edit(reference, {"total / (n - 1)": "total / (n - 2)"}, "two fewer"),
    edit(reference, {"total / (n - 1)": "total / window"}, "the window"))

exercise.mistake("not-divided", "loss-and-perplexity",
    "e is raised to the sum of the surprises, and nothing or too late is divided. The perplexity is e to the "
    "power of their mean: divide the sum by the number of scored tokens first.",
    edit(reference, {"total / (n - 1)": "total"}),
    edit(token_by_token, {"math.exp(-sum(log_p) / len(log_p))": "math.exp(-sum(log_p)) / len(log_p)"},
         "divided afterwards"))

exercise.mistake("no-exponential", "loss-and-perplexity",
    "This is the mean surprise, or its negative. The perplexity is e to the power of it.",
    edit(reference, {"math.exp(total / (n - 1))": "total / (n - 1)"}),
    edit(cross_entropy, {".mean().exp()": ".mean()"}, "cross-entropy"),
    edit(reference, {"math.exp(total / (n - 1))": "-total / (n - 1)"}, "negative"))

exercise.mistake("upside-down", "loss-and-perplexity",
    "The sign is missing: this is the geometric mean of the probabilities, below 1. The perplexity is its "
    "inverse.",
    edit(reference, {"total -=": "total +="}),
    edit(reference, {"math.exp(total / (n - 1))": "math.exp(-total / (n - 1))"}, "at the end"))

exercise.mistake("another-base", "loss-and-perplexity",
    "Natural logarithms and powers of another base are mixed.",
    edit(reference, {"math.exp(total / (n - 1))": "2 ** (total / (n - 1))"}),
    edit(reference, {".log_softmax(-1)": ".softmax(-1).log2()"}, "logarithms to base 2"),
    edit(reference, {".log_softmax(-1)": ".softmax(-1).log10()"}, "logarithms to base 10"),
    edit(reference, {"math.exp(total / (n - 1))": "10 ** (total / (n - 1))"}, "powers of 10"))

exercise.mistake("not-log-probabilities", "loss-and-perplexity",
    "Logits are used as if they were log-probabilities, or probabilities as if they were logits, or the "
    "softmax runs over the tokens of a window. Take the log-softmax over the vocabulary, once.",
    edit(reference, {".log_softmax(-1)": ""}),
    edit(cross_entropy, {"model(piece)[0, :-1]": "model(piece)[0, :-1].softmax(-1)"}, "a softmax too many"),
    edit(reference, {".log_softmax(-1)": ".log_softmax(0)"}, "over tokens"),
    edit(reference, {".log_softmax(-1)": ".softmax(-1)"}, "not the logarithm"))

exercise.mistake("last-stride-tokens", "perplexity-of-a-long-text",
    "Windows score their last stride tokens. In a short last window, some of these have been scored before, "
    "and the first window scores all that it can. Remember how far the text has been scored.",
    edit(labels, {"targets[:, : before - begin] = -100": "if begin:\n    targets[:, :-stride] = -100"}),
    edit(labels, {"targets[:, : before - begin] = -100": "targets[:, :-stride] = -100"},
         "in the first window, too"),
    edit(cross_entropy, {"[done - begin - 1 :]": "[-stride:]"}, "cross-entropy"),
    edit(reference, {"range(scored, end)": "range(end - stride if begin else 1, end)"},
         "divided by the number of tokens"),
    edit(reference, {"range(scored, end)": "range(max(end - stride, begin + 1), end)"},
         "in the first window, too, divided by the number of tokens"),
    edit(reference, {"total, scored = 0.0, 1": "total, count = 0.0, 0",
                     "range(scored, end)": "range(end - stride if begin else 1, end)",
                     "scored = end": "count += end - max(end - stride if begin else 1, 0)",
                     "(n - 1)": "count"}, "each from its place in the text"))

exercise.mistake("axes-of-the-model", "perplexity-of-a-long-text",
    "The model was called with something other than (1, t) ids. Keep the batch's axis: ids[:, begin:end], "
    "not ids[begin:end].",
    edit(reference, {"ids[:, begin:end]": "ids[0, begin:end]"}))

exercise.mistake("writes-into-the-text", "perplexity-of-a-long-text",
    "The text itself is overwritten, with numbers that are no ids, and the next window reads them. A slice "
    "is a view: clone it before you write into it.",
    edit(labels, {"inputs.clone()": "inputs"}))

exercise.mistake("by-stride-windows", "perplexity-of-a-long-text",
    "Windows move on by another number than stride, or are stride tokens long. Each begins stride tokens "
    "after the one before, and holds window tokens.",
    edit(reference, {"range(0, n, stride)": "range(0, n, window - stride)"}, "by what overlaps"),
    edit(reference, {"min(begin + window, n)": "min(begin + stride + 1, n)"}))

exercise.built_in("returns-nothing", edit(reference, {"return math": "math"}))

exercise.built_in("timeout", edit(cross_entropy, {"begin += stride": "__import__('time').sleep(0.01)"}))

exercise.built_in("changes-input", edit(reference, {"return math": "ids += 1\nreturn math"}))

exercise.equal("one text is read at a time, and a number may be a tensor of one number",
    {"[0]": "[-1]", "[0,": "[-1,", ".item()": "", ".double()": ""})
exercise.equal("a window behind the end holds no token that is not scored yet, and none begins at the last token",
    {"0, n, stride": ("0, n + 1, stride", "0, n - 1, stride"), "end == n": "False", "break": "pass",
     "ids.shape[1], stride": ("ids.shape[1] + 1, stride", "ids.shape[1] - 1, stride"), "n - 1": "done - 1",
     "end == ids.shape[1]": ("False", "end == ids.shape[-2]", "end == ids.shape[0]")})
exercise.equal("the last token of a window tells nothing of those that it scores, and the first is never scored",
    {"begin:end": "begin:end - 1", "0.0, 0, 0": "0.0, 0, 1"})
exercise.equal("the smaller of two is the same in either order; what is left out is the default",
    {"begin + window, n": "n, begin + window", "begin + window, ids.shape[1]": "ids.shape[1], begin + window",
     "0, math.ceil((t + 1 - window) / stride)": "math.ceil((t + 1 - window) / stride), 0",
     ", ignore_index=-100": ""})
exercise.equal("no gradient is asked for", {"with torch.no_grad()": "if True"})
