"""The rubric of route_top_k: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

exercise = Exercise(
    "route_top_k",
    points={"the chosen": 2, "large logits": 1},
    section="routing",
    compact=True,
    properties=[{"rule": "finite", "part": 0}, {"rule": "non_negative", "what": "A token's weights", "part": 0},
                {"rule": "sums_to_one", "dim": -1, "what": "A token's weights", "part": 0}],
    relations=[("logits", "the same logits, all 1000 higher", "A common offset of all logits changed the result; a softmax does not depend on it.", 0)],
    mistakes={
        "not-renormalized": ("The softmax runs over all experts, and then k of its weights are kept: they do not sum to 1. Choose first, then take the softmax of the "
                             "chosen logits, or divide the kept weights by their sum.", "routing"),
        "ascending": ("The experts stand in rising order: the last one is the best. The best comes first.", "routing"),
        "worst-experts": ("The experts with the smallest logits are chosen. Take the largest.", "routing"),
        "first-experts": ("The first k experts are chosen, whatever their logits. Choose those with the largest logits.", "routing"),
        "by-number": ("The chosen experts are sorted by their number. The best comes first.", "routing"),
        "weights-of-others": ("The weights do not belong to the experts beside them: one of the two is sorted differently. Weights and ids "
                              "must have one order.", "routing"),
        "swapped": ("Weights and expert numbers have changed places. Return (weights, expert_ids).", "routing"),
        "all-experts": ("There is a weight for every expert. Only the k chosen ones come back: shape (N, k).", "routing"),
        "plain-logits": ("The chosen logits come back as they are. The weights are their softmax.", "routing"),
        "divided-by-sum": ("The logits, or their absolute values, are divided by their sum. That is no softmax: logits may be negative. Take the softmax of "
                           "the chosen logits.", "routing"),
        "sigmoid": ("The weights come from a sigmoid. Take the softmax over the chosen experts.", "routing"),
        "equal-weights": ("All chosen experts weigh the same. The weights are the softmax of the chosen logits.", "routing"),
        "over-tokens": ("The softmax runs over the tokens. Each token's weights must sum to 1: it runs over the last axis.", "routing"),
        "tokens-choose-not": ("Experts choose tokens, one choice serves all tokens, or all logits compete together. Each token, a row of logits, chooses its own k experts.", "routing"),
        "softmax-twice": ("The softmax is taken twice: of probabilities instead of logits. Take it once, of the chosen logits.", "routing"),
        "log-softmax": ("Logarithms of weights come back. Use softmax, not log_softmax.", "routing"),
        "one-expert": ("Only the best expert is chosen, whatever k. Choose the k best.", "routing"),
        "k-fixed": ("Two experts are chosen, whatever k. Choose k of them.", "routing"),
        "one-too-many": ("There are k + 1 experts for each token. Choose k of them.", "routing"),
        "others-at-zero": ("The logits of the experts that are not chosen become 0 before the softmax, and e⁰ = 1 counts. Leave them out, or give them −inf.", "routing"),
        "all-for-one": ("Where k is 1, the weight comes from a softmax over all experts. The rule is the same for every k: a softmax of the chosen logits, which is 1 here.",
                        "routing"),
        "magnitude": ("The experts are chosen by the size of the logit without its sign. The largest logits win, and −5 is smaller than 1.", "routing"),
        "temperature": ("The logits are divided by something before the softmax. They are taken as they are.", "routing"),
        "weights-as-ids": ("The expert numbers are not whole numbers. Return them as int64, as topk gives them.", "routing"),
        "one-hot": ("The chosen experts come back as a mask or in one-hot form. Their numbers are asked for, shape (N, k).", "routing"),
        "ids-of-the-sorted": ("The ids are places in the sorted order, 0, 1, 2, ..., not the experts' numbers. Return the indices that topk or sort gives.",
                              "routing"),
        "ids-from-one": ("The experts are counted from 1. They are numbered from 0.", "routing"),
        "weights-alone": ("Only one of the two comes back. Return (weights, expert_ids).", "routing"),
        "no-shift": ("Large logits give NaN: exp of them is infinite, or all powers are 0. Use softmax, or subtract the largest first.", "routing"),
        "small-number-in-divisor": ("A number is added to the sum before dividing, so that the weights do not sum to 1. Divide by the sum alone: it is never "
                                    "0 after the largest logit is subtracted.", "routing"),
        "full-k": ("It fails where k is the number of experts, or 1. Both must work: there is no next expert after the last, and an axis of size 1 stays.",
                   "routing"),
        "no-gradient-into-logits": ("The values are right, but no gradient reaches the router: the weights must depend on the logits. No .detach(), no lists of numbers.",
                                    "routing"),
        "dtype-fixed": ("float64 logits do not give float64 weights: something is cast to float32. Keep the dtype of the logits.", "routing"),
    },
)


@exercise.probes
def _(make):
    def logits(n_tokens, n_experts, dtype=torch.float32, scale=1.5):
        """Rows of well-separated numbers of both signs in random order, so that no two are nearly equal."""
        rows = torch.stack([torch.randperm(n_experts, generator=make.generator) for _ in range(n_tokens)]).double()
        return ((rows - 0.45 * n_experts + 0.2 * make.randn(n_tokens, n_experts, dtype=torch.float64).clamp(-1, 1)) * scale * 0.5).to(dtype)

    core, large = {"group": "the chosen"}, {"group": "large logits"}
    yield make.probe("two tokens, three experts, two chosen", logits(2, 3), 2, **core)
    yield make.probe("five experts, three chosen", logits(make.pick(4, 6, 7), 5), 3, **core)
    yield make.probe("eight experts, two chosen", logits(make.pick(5, 6, 7), make.pick(8, 9, 10)), 2, **core)
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
    yield make.probe("float32, all 120 higher", logits(3, 5) + 120.0, 2, edge=True, **large)


@exercise.right
def reference(logits, k):
    best, experts = torch.topk(logits, k, dim=-1)
    return torch.softmax(best, dim=-1), experts


@exercise.alternative("sort, then cut")
def version_1(logits, k):
    values, order = logits.sort(dim=1, descending=True)
    return F.softmax(values[:, :k], dim=1), order[:, :k]


@exercise.alternative("softmax of all, divided by the sum of the kept")
def version_2(logits, k):
    p, ids = logits.softmax(-1).topk(k)
    return p / p.sum(-1, keepdim=True), ids


@exercise.alternative("all others at -inf")
def version_3(logits, k):
    ids = torch.argsort(logits, dim=-1, descending=True)[:, :k]
    kept = torch.full_like(logits, -math.inf).scatter(1, ids, logits.gather(1, ids))
    return torch.softmax(kept, dim=-1).gather(1, ids), ids


@exercise.alternative("by hand, shifted")
def version_4(logits, k):
    ids = logits.topk(k, dim=-1).indices
    chosen = torch.gather(logits, -1, ids)
    powers = torch.exp(chosen - chosen[:, :1])
    return [powers / powers.sum(dim=-1, keepdim=True), ids]


@exercise.alternative("one best after the other")
def version_5(logits, k):
    left, ids = logits.clone(), []
    for _ in range(k):
        best = left.argmax(dim=-1)
        ids.append(best)
        left = left.scatter(-1, best[:, None], -math.inf)
    ids = torch.stack(ids, dim=-1)
    rows = torch.arange(len(logits))[:, None]
    return torch.softmax(logits[rows, ids], dim=-1), ids


@exercise.alternative("row by row, Python's sort")
def version_6(logits, k):
    weights, experts = [], []
    for row in logits:
        order = sorted(range(len(row)), key=lambda e: -row[e].item())[:k]
        weights.append(torch.softmax(row[order], dim=0))
        experts.append(order)
    return torch.stack(weights), torch.tensor(experts)


@exercise.alternative("logsumexp, int32 ids")
def version_7(logits, k):
    values, ids = torch.topk(logits, k)
    return (values - values.logsumexp(1, keepdim=True)).exp(), ids.to(torch.int32)


@exercise.alternative("a border, the others at -inf")
def version_85(logits, k):
    best = torch.topk(logits, k=k, dim=-1)
    everywhere = logits.masked_fill(logits < best.values[:, -1:], float("-inf")).softmax(dim=-1)
    return everywhere.gather(-1, best.indices), best.indices


@exercise.alternative("log_softmax of all first")
def version_86(logits, k):
    v, i = F.log_softmax(logits, dim=-1).topk(k, dim=-1)
    return F.softmax(v, dim=-1), i


@exercise.wrong("not-renormalized")
def version_8(logits, k):
    p, ids = logits.softmax(-1).topk(k)
    return p, ids


@exercise.wrong("not-renormalized", "gather")
def version_9(logits, k):
    ids = logits.argsort(dim=-1, descending=True)[:, :k]
    return torch.softmax(logits, dim=-1).gather(-1, ids), ids


@exercise.wrong("not-renormalized", "logsumexp of all")
def version_10(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.exp(values - logits.logsumexp(dim=-1, keepdim=True)), ids


@exercise.wrong("ascending")
def version_11(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.flip(-1).softmax(-1), ids.flip(-1)


@exercise.wrong("ascending", "argsort")
def version_12(logits, k):
    ids = logits.argsort(dim=-1)[:, -k:]
    return logits.gather(-1, ids).softmax(-1), ids


@exercise.wrong("worst-experts")
def version_13(logits, k):
    values, ids = torch.topk(logits, k, largest=False)
    return values.softmax(-1), ids


@exercise.wrong("worst-experts", "argsort")
def version_14(logits, k):
    ids = torch.argsort(logits, dim=1)[:, :k]
    return torch.gather(logits, 1, ids).softmax(1), ids


@exercise.wrong("worst-experts", "the best of them first")
def version_15(logits, k):
    ids = torch.argsort(logits, dim=1)[:, :k].flip(-1)
    return torch.gather(logits, 1, ids).softmax(1), ids


@exercise.wrong("first-experts")
def version_16(logits, k):
    return logits[:, :k].softmax(-1), torch.arange(k).expand(len(logits), k)


@exercise.wrong("by-number")
def version_17(logits, k):
    ids = torch.topk(logits, k).indices.sort(-1).values
    return logits.gather(1, ids).softmax(-1), ids


@exercise.wrong("weights-of-others", "ids sorted by number")
def version_18(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), ids.sort(-1).values


@exercise.wrong("weights-of-others", "the order turned once")
def version_19(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), ids.flip(-1)


@exercise.wrong("weights-of-others", "weights turned")
def version_20(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.flip(-1).softmax(-1), ids


@exercise.wrong("weights-of-others", "the first weights")
def version_21(logits, k):
    ids = torch.topk(logits, k).indices
    return logits[:, :k].softmax(-1), ids


@exercise.wrong("swapped")
def version_22(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return ids, values.softmax(-1)


@exercise.wrong("all-experts", "zeros elsewhere")
def version_23(logits, k):
    ids = torch.topk(logits, k).indices
    kept = torch.full_like(logits, -math.inf).scatter(1, ids, logits.gather(1, ids))
    return kept.softmax(-1), ids


@exercise.wrong("all-experts", "all weights")
def version_24(logits, k):
    ids = torch.topk(logits, k).indices
    return logits.softmax(-1), ids


@exercise.wrong("plain-logits")
def version_25(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values, ids


@exercise.wrong("plain-logits", "topk itself")
def version_26(logits, k):
    return torch.topk(logits, k)


@exercise.wrong("divided-by-sum")
def version_27(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values / values.sum(-1, keepdim=True), ids


@exercise.wrong("divided-by-sum", "sizes")
def version_28(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.abs() / values.abs().sum(-1, keepdim=True), ids


@exercise.wrong("sigmoid")
def version_29(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.sigmoid(values), ids


@exercise.wrong("sigmoid", "divided by the sum")
def version_30(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    gates = torch.sigmoid(values)
    return gates / gates.sum(-1, keepdim=True), ids


@exercise.wrong("sigmoid", "before the choice")
def version_31(logits, k):
    gates, ids = logits.sigmoid().topk(k)
    return gates / gates.sum(dim=-1, keepdim=True), ids


@exercise.wrong("equal-weights")
def version_32(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.full_like(values, 1 / k), ids


@exercise.wrong("over-tokens")
def version_33(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.softmax(values, dim=0), ids


@exercise.wrong("over-tokens", "before the choice")
def version_34(logits, k):
    p, ids = torch.softmax(logits, dim=0).topk(k, dim=-1)
    return p, ids


@exercise.wrong("over-tokens", "before the choice, divided")
def version_35(logits, k):
    p, ids = torch.softmax(logits, dim=0).topk(k, dim=-1)
    return p / p.sum(-1, keepdim=True), ids


@exercise.wrong("tokens-choose-not", "experts choose")
def version_36(logits, k):
    values, ids = torch.topk(logits, min(k, len(logits)), dim=0)
    return values.softmax(0), ids


@exercise.wrong("tokens-choose-not", "experts choose, turned")
def version_37(logits, k):
    values, ids = torch.topk(logits.T, min(k, len(logits)), dim=-1)
    return values.softmax(-1), ids


@exercise.wrong("tokens-choose-not", "the mean decides")
def version_38(logits, k):
    ids = logits.mean(0).topk(k).indices.expand(len(logits), k)
    return logits.gather(1, ids).softmax(-1), ids


@exercise.wrong("tokens-choose-not", "the first token decides")
def version_39(logits, k):
    ids = logits[0].topk(k).indices.expand(len(logits), k)
    return logits.gather(1, ids).softmax(-1), ids


@exercise.wrong("softmax-twice")
def version_40(logits, k):
    p, ids = logits.softmax(-1).topk(k)
    return p.softmax(-1), ids


@exercise.wrong("softmax-twice", "of the chosen")
def version_41(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1).softmax(-1), ids


@exercise.wrong("log-softmax")
def version_42(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.log_softmax(-1), ids


@exercise.wrong("one-expert")
def version_43(logits, k):
    best, ids = logits.max(-1, keepdim=True)
    return torch.ones_like(best), ids


@exercise.wrong("one-expert", "topk of 1")
def version_44(logits, k):
    values, ids = logits.topk(1, dim=-1)
    return values.softmax(-1), ids


@exercise.wrong("k-fixed")
def version_45(logits, k):
    values, ids = logits.topk(2, dim=-1)
    return values.softmax(-1), ids


@exercise.wrong("one-too-many")
def version_46(logits, k):
    values, ids = logits.topk(min(k + 1, logits.shape[-1]), dim=-1)
    return values.softmax(-1), ids


@exercise.wrong("magnitude")
def version_47(logits, k):
    ids = logits.abs().topk(k).indices
    return logits.gather(-1, ids).softmax(-1), ids


@exercise.wrong("magnitude", "weights too")
def version_48(logits, k):
    values, ids = logits.abs().topk(k)
    return values.softmax(-1), ids


@exercise.wrong("temperature", "by the number of experts")
def version_49(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.softmax(values / logits.shape[-1] ** 0.5, dim=-1), ids


@exercise.wrong("temperature", "by k")
def version_50(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.softmax(values / k, dim=-1), ids


@exercise.wrong("temperature", "by the root of k")
def version_51(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.softmax(values / k ** 0.5, dim=-1), ids


@exercise.wrong("temperature", "twice as hot")
def version_52(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.softmax(values / 2, dim=-1), ids


@exercise.wrong("weights-as-ids")
def version_53(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), ids.float()


@exercise.wrong("one-hot")
def version_54(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), F.one_hot(ids, logits.shape[-1])


@exercise.wrong("one-hot", "a mask")
def version_55(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), torch.zeros_like(logits).bool().scatter(1, ids, True)


@exercise.wrong("ids-of-the-sorted")
def version_56(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), torch.arange(k).expand(len(logits), k)


@exercise.wrong("ids-of-the-sorted", "topk of the sorted")
def version_57(logits, k):
    values, ids = logits.sort(-1, descending=True).values.topk(k)
    return values.softmax(-1), ids


@exercise.wrong("ids-from-one")
def version_58(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), ids + 1


@exercise.wrong("weights-alone")
def version_59(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1)


@exercise.wrong("weights-alone", "the ids")
def version_60(logits, k):
    return torch.topk(logits, k).indices


@exercise.wrong("no-shift")
def version_61(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    powers = torch.exp(values)
    return powers / powers.sum(-1, keepdim=True), ids


@exercise.wrong("no-shift", "all powers")
def version_62(logits, k):
    p, ids = logits.exp().topk(k, dim=-1)
    return p / p.sum(dim=-1, keepdim=True), logits.topk(k).indices


@exercise.wrong("no-shift", "all powers, their order")
def version_63(logits, k):
    p, ids = torch.exp(logits).topk(k, dim=-1)
    return p / p.sum(dim=-1, keepdim=True), ids


@exercise.wrong("no-shift", "a softmax by hand")
def version_64(logits, k):
    p = torch.exp(logits) / torch.exp(logits).sum(-1, keepdim=True)
    p, ids = p.topk(k)
    return p / p.sum(dim=-1, keepdim=True), ids


@exercise.wrong("small-number-in-divisor")
def version_65(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    powers = torch.exp(values - values[:, :1])
    return powers / (powers.sum(-1, keepdim=True) + 1e-2), ids


@exercise.wrong("small-number-in-divisor", "softmax with one more")
def version_66(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    powers = torch.exp(values - values[:, :1])
    return powers / (powers.sum(-1, keepdim=True) + 1), ids


@exercise.wrong("full-k")
def version_67(logits, k):
    if k >= logits.shape[-1]:
        raise ValueError('k must be smaller than the number of experts')
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), ids


@exercise.wrong("full-k", "squeezed")
def version_68(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1).squeeze(-1), ids.squeeze(-1)


@exercise.wrong("full-k", "the border is the next logit")
def version_69(logits, k):
    border = logits.sort(-1, descending=True).values[:, k:k + 1]
    if k == logits.shape[-1]:
        border = border[:, 0]
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1), ids


@exercise.wrong("no-gradient-into-logits")
def version_70(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.softmax(-1).detach(), ids


@exercise.wrong("no-gradient-into-logits", "numbers")
def version_71(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return torch.tensor(values.softmax(-1).tolist(), dtype=logits.dtype), ids


@exercise.wrong("dtype-fixed")
def version_72(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    return values.float().softmax(-1), ids


@exercise.wrong("changes-input")
def version_73(logits, k):
    ids = []
    chosen = []
    for _ in range(k):
        best = logits.argmax(-1)
        ids.append(best)
        chosen.append(logits.gather(1, best[:, None]).clone())
        logits.data.scatter_(1, best[:, None], -math.inf)
    return torch.cat(chosen, 1).softmax(-1), torch.stack(ids, 1)


@exercise.wrong("not-renormalized", "powers by hand")
def version_76(logits, k):
    p = logits.exp() / logits.exp().sum(1, keepdim=True)
    ids = p.argsort(1, descending=True)[:, :k]
    return p.gather(1, ids), ids


@exercise.wrong("others-at-zero", "scatter")
def version_77(logits, k):
    v, i = logits.topk(k)
    mask = torch.zeros_like(logits).scatter(-1, i, 1.0)
    w = (logits * mask).softmax(-1)
    return w.gather(-1, i), i


@exercise.wrong("others-at-zero", "where")
def version_78(logits, k):
    border = logits.topk(k).values.min(dim=1, keepdim=True).values
    kept = torch.where(logits < border, torch.zeros_like(logits), logits)
    ids = logits.topk(k).indices
    return torch.gather(torch.softmax(kept, dim=1), 1, ids), ids


@exercise.wrong("all-for-one", "max")
def version_79(logits, k):
    if k == 1:
        w, i = logits.softmax(-1).max(-1, keepdim=True)
        return w, i
    v, i = logits.topk(k)
    return v.softmax(-1), i


@exercise.wrong("weights-of-others", "weights in the order of the experts")
def version_80(logits, k):
    ids = logits.topk(k, dim=-1).indices
    keep = torch.zeros_like(logits, dtype=torch.bool).scatter(1, ids, True)
    weights = logits[keep].reshape(len(logits), k).softmax(-1)
    return weights, ids


@exercise.wrong("tokens-choose-not", "all logits in one row")
def version_81(logits, k):
    v, flat = logits.flatten().topk(k * len(logits))
    return v.view(-1, k).softmax(-1), (flat % logits.shape[1]).view(-1, k)


@exercise.wrong("tokens-choose-not", "the first axis")
def version_82(logits, k):
    v, i = logits.topk(k, dim=0)
    return v.softmax(0), i


@exercise.wrong("one-expert", "the best, k times")
def version_83(logits, k):
    best = logits.argmax(-1, keepdim=True).repeat(1, k)
    return logits.gather(-1, best).softmax(-1), best


@exercise.wrong("weights-as-ids", "the logits' dtype")
def version_84(logits, k):
    v, i = logits.topk(k)
    return v.softmax(-1), i.to(logits.dtype)


@exercise.wrong("returns-nothing")
def version_74(logits, k):
    values, ids = torch.topk(logits, k, dim=-1)
    print(values.softmax(-1), ids)


@exercise.wrong("ready-made")
def version_75(logits, k):
    from allyouneed.mixture import route_top_k as choose
    return choose(logits, k)
