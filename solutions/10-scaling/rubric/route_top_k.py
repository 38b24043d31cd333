"""route_top_k: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, Relation, edit, every, full

exercise = Exercise(
    "route_top_k",
    points={"the chosen": 2, "large logits": 1},
    section="routing",
    properties=[{"rule": "finite", "part": 0},
                {"rule": "non_negative", "what": "A token's weights", "part": 0},
                {"rule": "sums_to_one", "dim": -1, "what": "A token's weights", "part": 0}],
    relations=[
        Relation("logits", "the same logits, all 1000 higher",
                 "A common offset of all logits changed the result; a softmax does not depend on it.", 0)],
)


@exercise.probes
def probes(make):
    def logits(n_tokens, n_experts, dtype=torch.float32, scale=1.5):
        """Rows of well-separated numbers of both signs in random order, so that no two are nearly equal."""
        rows = torch.stack([torch.randperm(n_experts, generator=make.generator)
                            for _ in range(n_tokens)]).double()
        return ((rows - 0.45 * n_experts + 0.2
                 * make.randn(n_tokens, n_experts, dtype=torch.float64).clamp(-1, 1)) * scale * 0.5).to(dtype)

    core, large = {"group": "the chosen"}, {"group": "large logits"}
    yield make.probe("two tokens, three experts, two chosen", logits(2, 3), 2, **core)
    yield make.probe("five experts, three chosen", logits(make.pick(4, 6, 7), 5), 3, **core)
    yield make.probe("more experts, two chosen", logits(make.pick(5, 6, 7), make.pick(8, 9, 10)), 2, **core)
    yield make.probe("four chosen", logits(3, make.pick(7, 8, 9)), 4, gradient=True, **core)
    same = logits(3, make.pick(6, 7, 5))
    yield make.probe("logits", same, 2, **core)
    yield make.probe("one chosen", logits(make.pick(3, 4, 5), 6), 1, edge=True, **core)
    yield make.probe("all chosen", logits(3, 4), 4, edge=True, **core)
    yield make.probe("one token", logits(1, 5), 2, edge=True, **core)
    yield make.probe("as many tokens as experts", logits(4, 4), 2, edge=True, **core)
    yield make.probe("many tokens", logits(make.pick(140, 150, 160), 6), 2, long=True, edge=True, **core)
    yield make.probe("float64", logits(3, 5, dtype=torch.float64), 2, edge=True, gradient=True, **core)
    yield make.probe("not contiguous", logits(4, 6), 3, edge=True, strided=True, **core)
    yield make.probe("the same logits, all 1000 higher", same.double() + 1000.0, 2, **large)
    yield make.probe("all far below 0", logits(3, 5, dtype=torch.float64) - 1000.0, 3, **large)
    apart = torch.tensor([[-1000.0, 1000.0, 0.0, -500.0], [0.0, -1000.0, -400.0, 1000.0],
                          [600.0, -300.0, -900.0, 900.0]])
    yield make.probe("far apart", apart.roll(make.pick(0, 1, 2), dims=0), 3,
                     edge=True, **large)
    yield make.probe("float32, all 120 higher", logits(3, 5) + 120.0, 2, edge=True, **large)
    one_high = torch.tensor([[1000.0, 999.0, 997.0], [-1000.0, -998.0, -999.0]])
    yield make.probe("one token high, one low", one_high.roll(make.pick(0, 1, 2), dims=1), 2, **large)


@exercise.right
def reference(logits, k):
    best, experts = torch.topk(logits, k, dim=-1)
    return torch.softmax(best, dim=-1), experts


@exercise.right("all others at -inf")
def others(logits, k):
    ids = torch.argsort(logits, dim=-1, descending=True)[:, :k]
    kept = torch.full_like(logits, -math.inf).scatter(1, ids, logits.gather(1, ids))
    return torch.softmax(kept, dim=-1).gather(1, ids), ids


@exercise.right("by hand, shifted")
def hand(logits, k):
    ids = logits.topk(k, dim=-1).indices
    chosen = torch.gather(logits, -1, ids)
    powers = torch.exp(chosen - chosen[:, :1])
    return [powers / powers.sum(dim=-1, keepdim=True), ids]


@exercise.right("one best after the other")
def one_best(logits, k):
    left, ids = logits.clone(), []
    for _ in range(k):
        best = left.argmax(dim=-1)
        ids.append(best)
        left = left.scatter(-1, best[:, None], -math.inf)
    ids = torch.stack(ids, dim=-1)
    rows = torch.arange(len(logits))[:, None]
    return torch.softmax(logits[rows, ids], dim=-1), ids


@exercise.right("row by row, Python's sort")
def row_row(logits, k):
    weights, experts = [], []
    for row in logits:
        order = sorted(range(len(row)), key=lambda e: -row[e].item())[:k]
        weights.append(torch.softmax(row[order], dim=0))
        experts.append(order)
    return torch.stack(weights), torch.tensor(experts)


@exercise.right("log_softmax of all first")
def log_softmax_first(logits, k):
    v, i = F.log_softmax(logits, dim=-1).topk(k, dim=-1)
    return F.softmax(v, dim=-1), i


@exercise.right("step by step")
def plain(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), ids


exercise.also_right(
    full("values, order = logits.sort(dim=1, descending=True)\n"
         "return F.softmax(values[:, :k], dim=1), order[:, :k]", "sort, then cut"),
    full("values, ids = torch.topk(logits, k)\n"
         "return (values - values.logsumexp(1, keepdim=True)).exp(), ids.to(torch.int32)",
         "logsumexp, int32 ids"),
    full("best = torch.topk(logits, k=k, dim=-1)\n"
         'everywhere = logits.masked_fill(logits < best.values[:, -1:], float("-inf")).softmax(dim=-1)\n'
         "return everywhere.gather(-1, best.indices), best.indices", "a border, the others at -inf"))


exercise.mistake("not-renormalized", "routing",
    "The softmax runs over all experts, and then k of its weights are kept: they do not sum to 1. Choose "
    "first, then take the softmax of the chosen logits.",
    full("return logits.softmax(-1).topk(k)"),
    full("p = logits.exp() / logits.exp().sum(1, keepdim=True)\n"
         "ids = p.argsort(1, descending=True)[:, :k]\n"
         "return p.gather(1, ids), ids", "powers by hand"))

exercise.mistake("softmax-before-the-choice", "routing",
    "The softmax is taken of all logits, and the choice goes by its weights. Where logits lie far apart, all "
    "weights but the largest are rounded to 0, so that nobody can tell which is next. Choose by the logits, "
    "then take the softmax of the chosen ones.",
    full("p, ids = logits.softmax(-1).topk(k)\nreturn p / p.sum(-1, keepdim=True), ids"),
    full("p = torch.softmax(logits, dim=-1)\n"
         "ids = p.argsort(dim=-1, descending=True)[:, :k]\n"
         "p = p.gather(-1, ids)\n"
         "return p / p.sum(-1, keepdim=True), ids", "argsort"),
    full("p, ids = logits.softmax(-1).sort(dim=-1, descending=True, stable=True)\n"
         "return p[:, :k] / p[:, :k].sum(-1, keepdim=True), ids[:, :k]", "sort"),
    full("p = torch.softmax(logits, dim=-1)\n"
         "ids = p.topk(k).indices\n"
         "return logits.gather(-1, ids).softmax(-1), ids", "the chosen logits' softmax"))

exercise.mistake("ascending", "routing",
    "The experts stand in rising order: the last one is the best. The best comes first.",
    edit(plain, {".softmax(-1), ids": ".flip(-1).softmax(-1), ids.flip(-1)"}))

exercise.mistake("worst-experts", "routing",
    "The experts with the smallest logits are chosen. Take the largest.",
    edit(plain, {"dim=-1": "largest=False"}),
    full("ids = torch.argsort(logits, dim=1)[:, :k].flip(-1)\n"
         "return torch.gather(logits, 1, ids).softmax(1), ids", "the best of them first"))

exercise.mistake("first-experts", "routing",
    "The first k experts are chosen, whatever their logits. Choose those with the largest logits.",
    full("return logits[:, :k].softmax(-1), torch.arange(k).expand(len(logits), k)"))

exercise.mistake("by-number", "routing",
    "The chosen experts are sorted by their number. The best comes first.",
    full("ids = torch.topk(logits, k).indices.sort(-1).values\n"
         "return logits.gather(1, ids).softmax(-1), ids"))

exercise.mistake("weights-of-others", "routing",
    "The weights do not belong to the experts beside them: one of the two is sorted differently. Weights "
    "and ids must have one order.",
    edit(plain, {"(-1), ids": "(-1), ids.sort(-1).values"}, "ids sorted by number"),
    edit(plain, {"(-1), ids": "(-1), ids.flip(-1)"}, "the order turned once"),
    edit(plain, {"values.": "values.flip(-1)."}, "weights turned"),
    full("ids = torch.topk(logits, k).indices\nreturn logits[:, :k].softmax(-1), ids", "the first weights"),
    full("ids = logits.topk(k, dim=-1).indices\n"
         "keep = torch.zeros_like(logits, dtype=torch.bool).scatter(1, ids, True)\n"
         "weights = logits[keep].reshape(len(logits), k).softmax(-1)\n"
         "return weights, ids", "weights in the order of the experts"))

exercise.mistake("swapped", "routing",
    "Weights and expert numbers have changed places. Return (weights, expert_ids).",
    edit(plain, {"return": "return ids,", "(-1), ids": "(-1)"}))

exercise.mistake("all-experts", "routing",
    "There is a weight for every expert. Only the k chosen ones come back: shape (N, k).",
    edit(others, {"torch.softmax(kept, dim=-1).gather(1, ids), ids": "kept.softmax(-1), ids"},
         "zeros elsewhere"),
    full("ids = torch.topk(logits, k).indices\nreturn logits.softmax(-1), ids", "all weights"))

exercise.mistake("plain-logits", "routing",
    "The chosen logits come back as they are. The weights are their softmax.",
    edit(plain, {".softmax(-1)": ""}))

exercise.mistake("divided-by-sum", "routing",
    "The logits, or their absolute values, are divided by their sum. That is no softmax: logits may be "
    "negative. Take the softmax of the chosen logits.",
    edit(plain, {".softmax(-1)": "/ values.sum(-1, keepdim=True)"}),
    edit(plain, {"softmax(-1)": "abs() / values.abs().sum(-1, keepdim=True)"}, "sizes"))

exercise.mistake("sigmoid", "routing",
    "The weights come from a sigmoid. Take the softmax over the chosen experts.",
    edit(plain, {"values.softmax(-1)": "torch.sigmoid(values)"}),
    edit(plain, {"return": "gates = torch.sigmoid(values)\nreturn",
                 "values.softmax(-1)": "gates / gates.sum(-1, keepdim=True)"}, "divided by the sum"),
    edit(plain, {"torch.topk(logits, k, dim=-1)": "torch.sigmoid(logits).topk(k, dim=-1)",
                 "values.softmax(-1)": "values / values.sum(-1, keepdim=True)"}, "before the choice"))

exercise.mistake("equal-weights", "routing",
    "All chosen experts weigh the same. The weights are the softmax of the chosen logits.",
    edit(plain, {"values.softmax(-1)": "torch.full_like(values, 1 / k)"}))

exercise.mistake("over-tokens", "routing",
    "The softmax runs over the tokens. Each token's weights must sum to 1: it runs over the last axis.",
    edit(plain, {"values.softmax(-1)": "torch.softmax(values, dim=0)"}),
    edit(hand, {"sum(dim=-1": "sum(dim=0"}, "the sum alone"),
    edit(log_softmax_first, {"softmax(v, dim=-1)": "softmax(v, dim=0)"}, "after a softmax of all logits"),
    full("p, ids = torch.softmax(logits, dim=0).topk(k, dim=-1)\nreturn p, ids", "before the choice"),
    edit(plain, {"torch.topk(logits, k, dim=-1)": "torch.softmax(logits, dim=0).topk(k, dim=-1)",
                 "values.softmax(-1)": "values / values.sum(-1, keepdim=True)"},
         "before the choice, divided"))

exercise.mistake("tokens-choose-not", "routing",
    "Experts choose tokens, one choice serves all tokens, or all logits compete together. Each token, a "
    "row of logits, chooses its own k experts.",
    edit(plain, {"k, dim=-1": "min(k, len(logits)), dim=0", "(-1), ids": "(0), ids"}, "experts choose"),
    edit(plain, {", k, dim": ".T, min(k, len(logits)), dim"}, "experts choose, turned"),
    full("ids = logits.mean(0).topk(k).indices.expand(len(logits), k)\n"
         "return logits.gather(1, ids).softmax(-1), ids", "the mean decides"),
    full("ids = logits[0].topk(k).indices.expand(len(logits), k)\n"
         "return logits.gather(1, ids).softmax(-1), ids", "the first token decides"),
    full("v, flat = logits.flatten().topk(k * len(logits))\n"
         "return v.view(-1, k).softmax(-1), (flat % logits.shape[1]).view(-1, k)", "all logits in one row"),
    edit(plain, {every("-1"): "0"}, "the first axis"))

exercise.mistake("softmax-twice", "routing",
    "The softmax is taken twice: of probabilities instead of logits. Take it once, of the chosen logits.",
    edit(plain, {"torch.topk(logits, k, dim=-1)": "logits.softmax(-1).topk(k, dim=-1)"}),
    edit(plain, {"(-1), ids": "(-1).softmax(-1), ids"}, "of the chosen"))

exercise.mistake("log-softmax", "routing", "Logarithms of weights come back. Use softmax, not log_softmax.",
    edit(plain, {"softmax": "log_softmax"}),
    edit(log_softmax_first, {"F.softmax(v, dim=-1), i": "v, i"}, "of all logits"))

exercise.mistake("one-expert", "routing", "Only the best expert is chosen, whatever k. Choose the k best.",
    edit(plain, {"torch": "logits", "logits, k,": "1,"}),
    full("best = logits.argmax(-1, keepdim=True).repeat(1, k)\n"
         "return logits.gather(-1, best).softmax(-1), best", "the best, k times"))

exercise.mistake("k-fixed", "routing", "Two experts are chosen, whatever k. Choose k of them.",
    edit(plain, {"torch": "logits", "logits, k,": "2,"}))

exercise.mistake("one-too-many", "routing", "There are k + 1 experts for each token. Choose k of them.",
    edit(plain, {"torch": "logits", "logits, k,": "min(k + 1, logits.shape[-1]),"}))

exercise.mistake("magnitude", "routing",
    "The experts are chosen by the size of the logit without its sign. The largest logits win, and −5 is "
    "smaller than 1.",
    full("ids = logits.abs().topk(k).indices\nreturn logits.gather(-1, ids).softmax(-1), ids"),
    edit(plain, {"torch": "logits.abs()", "logits, k, dim=-1": "k"}, "weights too"))

exercise.mistake("temperature", "routing",
    "The logits are divided by something before the softmax. They are taken as they are.",
    edit(plain, {"values.softmax(-1)": "torch.softmax(values / logits.shape[-1] ** 0.5, dim=-1)"},
         "by the number of experts"),
    edit(plain, {"values.softmax(-1)": "torch.softmax(values / k, dim=-1)"}, "by k"),
    edit(plain, {"values.softmax(-1)": "torch.softmax(values / k ** 0.5, dim=-1)"}, "by the root of k"),
    edit(plain, {"values.softmax(-1)": "torch.softmax(values / 2, dim=-1)"}, "twice as hot"))

exercise.mistake("weights-as-ids", "routing",
    "The expert numbers are not whole numbers. Return them as int64, as topk gives them.",
    edit(plain, {"(-1), ids": "(-1), ids.float()"}),
    edit(log_softmax_first, {"F.softmax(v, dim=-1), i": "v.softmax(-1), i.to(logits.dtype)"},
         "the logits' dtype"))

exercise.mistake("one-hot", "routing",
    "The chosen experts come back as a mask or in one-hot form. Their numbers are asked for, shape (N, k).",
    edit(plain, {"(-1), ids": "(-1), F.one_hot(ids, logits.shape[-1])"}),
    edit(plain, {"(-1), ids": "(-1), torch.zeros_like(logits).bool().scatter(1, ids, True)"}, "a mask"))

exercise.mistake("ids-of-the-sorted", "routing",
    "The ids are places in the sorted order, 0, 1, 2, ..., not the experts' numbers. Return the indices "
    "that topk or sort gives.",
    edit(plain, {"(-1), ids": "(-1), torch.arange(k).expand(len(logits), k)"}))

exercise.mistake("ids-from-one", "routing", "The experts are counted from 1. They are numbered from 0.",
    edit(plain, {"(-1), ids": "(-1), ids + 1"}))

exercise.mistake("weights-alone", "routing", "Only one of the two comes back. Return (weights, expert_ids).",
    edit(plain, {"(-1), ids": "(-1)"}),
    full("return torch.topk(logits, k).indices", "the ids"))

exercise.mistake("no-shift", "routing",
    "Large logits give NaN: exp of them is infinite, or all powers are 0. Use softmax, or subtract the "
    "largest first.",
    edit(plain, {"return": "powers = torch.exp(values)\nreturn",
                 "values.softmax(-1)": "powers / powers.sum(-1, keepdim=True)"}),
    edit(plain, {"torch.topk(logits, k, dim=-1)": "torch.exp(logits).topk(k, dim=-1)",
                 "values.softmax(-1)": "values / values.sum(-1, keepdim=True)"},
         "all powers, their order"),
    edit(hand, {"chosen[:, :1]": "chosen.mean(-1, keepdim=True)"}, "the mean subtracted"))

exercise.mistake("largest-of-all-tokens", "routing",
    "The largest logit of all tokens is subtracted. Where a token's own logits lie far below it, all its "
    "powers are 0, and 0 / 0 gives NaN. Subtract each token's own largest.",
    edit(hand, {"chosen[:, :1]": "chosen.max()"}),
    edit(hand, {"chosen[:, :1]": "logits.max()"}, "of all experts"))

exercise.mistake("not-divided", "routing",
    "The powers of the chosen logits are not divided by their sum, so the weights do not sum to 1.",
    edit(hand, {" / powers.sum(dim=-1, keepdim=True)": ""}),
    edit(plain, {"values.softmax(-1)": "values.exp()"}, "without a shift"))

exercise.mistake("chosen-set-to-zero", "routing",
    "The same expert is chosen again where all other logits are negative: a logit of 0 is no small one. Once "
    "an expert is chosen, give its logit −inf.",
    edit(one_best, {"-math.inf": "0.0"}))

exercise.mistake("small-number-in-divisor", "routing",
    "A number is added to the sum before dividing, so that the weights do not sum to 1. Divide by the sum "
    "alone: it is never 0 after the largest logit is subtracted.",
    edit(hand, {"[powers / powers.sum(dim=-1, keepdim=True), ids]":
                "powers / (powers.sum(-1, keepdim=True) + 1e-2), ids"}),
    edit(hand, {"[powers / powers.sum(dim=-1, keepdim=True), ids]":
                "powers / (powers.sum(-1, keepdim=True) + 1), ids"}, "softmax with one more"))

exercise.mistake("full-k", "routing",
    "It fails where k is the number of experts, or 1. Both must work: there is no next expert after the "
    "last, and an axis of size 1 stays.",
    edit(plain, {"values,": "if k >= logits.shape[-1]:\n"
                            "    raise ValueError('k must be smaller than the number of experts')\n"
                            "values,"}),
    edit(plain, {"(-1), ids": "(-1).squeeze(-1), ids.squeeze(-1)"}, "squeezed"),
    edit(plain, {"values,": "border = logits.sort(-1, descending=True).values[:, k:k + 1]\n"
                            "if k == logits.shape[-1]:\n"
                            "    border = border[:, 0]\n"
                            "values,"}, "the border is the next logit"))

exercise.mistake("no-gradient-into-logits", "routing",
    "The values are right, but no gradient reaches the router: the weights must depend on the logits. No "
    ".detach(), no lists of numbers.",
    edit(plain, {"(-1), ids": "(-1).detach(), ids"}))

exercise.mistake("dtype-fixed", "routing",
    "float64 logits do not give float64 weights: something is cast to float32. Keep the dtype of the logits.",
    edit(plain, {"values.": "values.float()."}))

exercise.mistake("others-at-zero", "routing",
    "The logits of the experts that are not chosen become 0 before the softmax, and e⁰ = 1 counts. Leave "
    "them out, or give them −inf.",
    full("v, i = logits.topk(k)\n"
         "mask = torch.zeros_like(logits).scatter(-1, i, 1.0)\n"
         "w = (logits * mask).softmax(-1)\n"
         "return w.gather(-1, i), i", "scatter"))

exercise.mistake("all-for-one", "routing",
    "Where k is 1, the weight comes from a softmax over all experts. The rule is the same for every k: a "
    "softmax of the chosen logits, which is 1 here.",
    edit(log_softmax_first, {"v, i": "if k == 1:\n"
                                     "    w, i = logits.softmax(-1).max(-1, keepdim=True)\n"
                                     "    return w, i\n"
                                     "v, i"}, "max"))


def changes(logits, k):
    ids = []
    chosen = []
    for _ in range(k):
        best = logits.argmax(-1)
        ids.append(best)
        chosen.append(logits.gather(1, best[:, None]).clone())
        logits.data.scatter_(1, best[:, None], -math.inf)
    return torch.cat(chosen, 1).softmax(-1), torch.stack(ids, 1)


exercise.built_in("changes-input",
    full(changes))

exercise.built_in("returns-nothing",
    edit(plain, {"return": "print(", "(-1), ids": "(-1), ids)"}))

exercise.built_in("ready-made",
    full("from allyouneed.nn.mixture import route_top_k as choose\nreturn choose(logits, k)"))

exercise.equal("the last axis, the second of two, is meant where none is given", {
    ", dim=-1": "", ", dim=1": "", "dim=1, ": ""})
exercise.equal("a number that all logits of a row share changes neither order nor softmax", {
    "F.log_softmax(logits, dim=-1)": ("logits", "F.log_softmax(logits)")})
exercise.equal("expert numbers may be a list, of any whole type; a copy is not needed of what is not "
    "changed, and a tensor of one number is compared like a number", {
    "torch.tensor(experts)": "experts", ".to(torch.int32)": "", "logits.clone()": "logits", ".item()": ""})
