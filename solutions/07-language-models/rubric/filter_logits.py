"""The rubric of filter_logits: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "filter_logits",
    points={"temperature": 1, "one filter": 2, "filters together": 1, "limits and shapes": 1},
    section="order-of-filters",
    driver="filtered",
    mistakes={
        "multiplies": ("The logits are multiplied by the temperature. Divide: a temperature below 1 must make the best token more likely.", "temperature"),
        "temperature-ignored": ("The temperature changes nothing. Divide the logits by it.", "temperature"),
        "temperature-last": ("The temperature comes after a filter. Divide first: top_p must see the probabilities at this temperature.",
                             "order-of-filters"),
        "temperature-on-probabilities": ("The temperature is applied to probabilities, with or without a logarithm afterwards. Divide "
                                         "the logits, and return logits.", "temperature"),
        "temperature-root": ("The logits are divided by the root or another power of the temperature. Divide by the temperature itself.", "temperature"),
        "temperature-zero": ("Temperature 0 fails: a division by 0 gives inf or nan. Treat 0 by itself: keep the best token only.", "temperature"),
        "temperature-zero-ignored": ("At temperature 0 more than the best token is left. Keep the best token of each row only, whatever the filters are. "
                                     "(In an if, 0 counts as False; and a small number in its place may be too large.)", "temperature"),
        "top-k-lost": ("top_k changes nothing. Keep the k largest logits of each row, and drop the others.", "top-k"),
        "top-k-smallest": ("top_k keeps the smallest logits. Keep the largest.", "top-k"),
        "top-k-inverted": ("top_k drops the k best tokens. Keep them, and drop the others.", "top-k"),
        "top-k-off-by-one": ("top_k keeps one token too many or too few. Exactly k tokens stay.", "top-k"),
        "k-too-large": ("A top_k above the number of tokens fails, or skips the temperature. Then every token stays, divided as always: torch.topk takes at "
                        "most V.", "top-k"),
        "k-zero": ("top_k=0 must switch this filter off, as None does.", "top-k"),
        "top-p-lost": ("top_p changes nothing. Keep the fewest best tokens whose probabilities reach p, and drop the others.", "top-p"),
        "crossing-lost": ("The token that crosses p is dropped. It stays: drop a token only where the better ones before it already reach p.", "top-p"),
        "best-lost": ("Where the best token alone reaches p, nothing or the wrong token is left. The best token always stays.", "top-p"),
        "one-too-many": ("top_p keeps one token more than needed. The token that crosses p is the last that stays.", "top-p"),
        "top-p-ascending": ("top_p adds up from the least likely token. Sort descending: the best tokens stay.", "top-p"),
        "unlikely-kept": ("top_p keeps the unlikely tokens and drops the likely ones. Keep the best ones that reach p.", "top-p"),
        "not-put-back": ("top_p's decision is made in sorted order, but used in the order of the vocabulary. Bring it back to where each token stands.",
                         "top-p"),
        "stays-sorted": ("The logits come back sorted. Each must stand where its token stands in the vocabulary.", "top-p"),
        "not-sorted": ("top_p adds up probabilities in the order of the vocabulary. Sort them first, the largest in front.", "top-p"),
        "p-as-threshold": ("top_p is used as a threshold for single probabilities. Compare it with the sum of the best ones.", "top-p"),
        "p-of-the-best": ("top_p is compared with the best token's probability (this filter is called min-p). Compare it with the sum of the best ones.",
                          "top-p"),
        "sums-logits": ("top_p adds up logits. Turn them into probabilities first, with a softmax.", "top-p"),
        "p-counts": ("top_p is taken as a share of the vocabulary. It is a probability to be reached.", "top-p"),
        "not-renormalized": ("top_p comes before top_k, or uses the probabilities from before it. First top_k, then top_p on the softmax of what is left.",
                             "order-of-filters"),
        "one-of-both": ("With both filters given, only one works. Apply top_k, then top_p.", "order-of-filters"),
        "fill-zero": ("Dropped tokens get a number that still has a probability: the softmax of a logit of 0 is not 0. Set them to −inf.",
                      "choosing-the-next-token"),
        "probabilities": ("Probabilities come back. Return logits: what stays is the logit divided by the temperature, what is dropped is −inf.",
                          "choosing-the-next-token"),
        "log-probabilities": ("What stays is a log-probability. Return the logits themselves, divided by the temperature.", "choosing-the-next-token"),
        "only-the-kept": ("Only the kept logits come back. Return all V of them, with −inf where a token is dropped.", "choosing-the-next-token"),
        "across-rows": ("The rows are mixed: sorting, counting or adding up runs over an axis other than the last, or over all rows "
                        "together. Each row is filtered by itself.", "choosing-the-next-token"),
        "first-row": ("The first row's filter is used for all rows. Each row is filtered by itself.", "choosing-the-next-token"),
        "one-row": ("It works for one row of logits only. Any number of axes may stand in front of the vocabulary.", "choosing-the-next-token"),
        "dtype-fixed": ("float64 logits do not give float64 logits. Keep their dtype.", "choosing-the-next-token"),
    },
)


def clear(logits, p, k=None):
    """Whether no sum of the best probabilities is near p, before or after k are chosen, at the temperatures that are asked."""
    for temperature in (0.5, 0.7, 1.0, 1.6, 2.0):
        for kept in {k, None}:
            best = (logits.double() / temperature).sort(dim=-1, descending=True).values[..., :kept]
            sums = best.softmax(dim=-1).cumsum(dim=-1)
            if (sums[..., :-1] - p).abs().min() < 0.004:
                return False
    gaps = logits.sort(dim=-1).values.diff(dim=-1)
    return bool(gaps.min() > 0.02)


def kept(logits, temperature=1.0, top_k=None, top_p=None):
    """How many tokens of each row stay."""
    return [(row > -1e9).sum().item() for row in reference(logits, temperature, top_k, top_p).reshape(-1, logits.shape[-1])]


@exercise.probes
def _(make):
    def logits(*shape, p=0.5, k=None, need=lambda x: True, dtype=torch.float32, scale=1.4):
        """Numbers where no mistake hides: sums keep away from p, and `need` holds."""
        while True:
            x = make.randn(*shape, dtype=dtype, scale=scale) - 0.3
            if clear(x, p, k) and need(x):
                return x

    def probe(name, x, group, edge=False, **options):
        marks = {key: options.pop(key) for key in ("gradient", "strided", "long") if key in options}
        return make.probe(name, x, group=group, edge=edge, **marks, **options)

    group = "temperature"
    yield probe("a temperature of 2", logits(1, 4), group, temperature=2.0, gradient=True)
    yield probe("a temperature of a half, two rows", logits(2, make.pick(5, 6, 7)), group, temperature=0.5)
    yield probe("no filter at all", logits(2, make.pick(3, 4, 5)), group)

    group = "one filter"
    yield probe("the best two", logits(1, 5), group, top_k=2)
    yield probe("the best three of each row", logits(*make.pick((5, 6), (4, 7), (5, 8))), group, top_k=3)

    def telling(p, k=None, temperature=1.0):
        """Rows where the token that crosses, the one after it and the number of tokens all matter."""
        return lambda x: all(2 <= n <= x.shape[-1] - 2 for n in kept(x, temperature, k, p))

    p = make.pick(0.6, 0.7, 0.65)
    yield probe("the best that reach p", logits(1, 5, p=p, need=telling(p)), group, top_p=p)
    width = make.pick(7, 8, 6)
    yield probe("the best that reach p, in each row", logits(3, width, p=p, need=lambda x: telling(p)(x) and len(set(kept(x, 1.0, None, p))) > 1), group, top_p=p)

    group = "filters together"
    p = make.pick(0.6, 0.55, 0.65)

    def apart(x):
        """The temperature before or after, top_p on the rest or on everything, and top_p first: all give other tokens."""
        sets = [kept(x, 2.0, 4, p), kept(x, 1.0, 4, p), kept(x, 2.0, None, p)]
        return all(2 <= a < c <= 4 and b < a for a, b, c in zip(*sets))

    yield probe("top_p at a temperature of 2", logits(2, 7, p=p, need=lambda x: all(a > b for a, b in zip(kept(x, 2.0, None, p), kept(x, 1.0, None, p)))),
                group, temperature=2.0, top_p=p)
    width = make.pick(8, 9, 7)
    few = logits(1, width, p=p, k=4, need=lambda x: kept(x, 1.0, 4, p) == [2] and kept(x, 1.0, None, p) == [3])
    many = logits(1, width, p=p, k=4, need=lambda x: kept(x, 1.0, 4, p)[0] < 4 < kept(x, 1.0, None, p)[0], scale=0.6)
    yield probe("top_k, then top_p", torch.cat([few, many]), group, top_k=4, top_p=p)
    yield probe("all three", logits(2, make.pick(8, 7, 9), p=p, k=4, need=apart), group, edge=True, temperature=2.0, top_k=4, top_p=p)
    yield probe("top_k at a temperature of a half", logits(2, 6), group, edge=True, temperature=0.5, top_k=make.pick(3, 2, 4))

    group = "limits and shapes"
    near = logits(2, 5)
    second, best = near.sort(dim=-1).values[..., -2:-1], near.argmax(dim=-1, keepdim=True)
    yield probe("temperature 0", near.scatter(-1, best, second + 0.03), group, edge=True, temperature=0)      # a small number would keep both
    yield probe("temperature 0 with a filter", logits(1, 6), group, edge=True, temperature=0.0, top_k=3, top_p=0.9)
    yield probe("k above V", logits(2, 4), group, edge=True, temperature=2.0, top_k=make.pick(6, 9, 7))
    yield probe("k equal to V", logits(1, make.pick(4, 5, 6)), group, edge=True, top_k=make.pick(4, 5, 6))
    yield probe("top_k=0", logits(2, 4), group, edge=True, top_k=0)
    yield probe("top_k=1", logits(2, 4), group, edge=True, top_k=1)
    yield probe("the best alone reaches p", logits(2, 5, p=0.05, need=lambda x: x.softmax(-1).amax() > 0.06), group, edge=True, top_p=make.pick(0.02, 0.01, 0.03))
    yield probe("a p of 1", logits(2, 4), group, edge=True, top_p=1.0)
    yield probe("one row without a batch", logits(6, p=0.6, need=telling(0.6)), group, edge=True, top_k=make.pick(4, 5, 4), top_p=0.6)
    yield probe("two axes in front", logits(2, 1, 5, p=0.6), group, edge=True, top_k=3, top_p=0.6)
    yield probe("not contiguous", logits(3, 5, p=0.6, need=telling(0.6)), group, edge=True, top_p=0.6, strided=True)
    yield probe("float64", logits(2, 5, p=0.6, dtype=torch.float64), group, edge=True, temperature=0.7, top_k=3, top_p=0.6)
    yield probe("large logits", logits(2, 5, p=0.6) * 100 + 900, group, edge=True, temperature=0.7, top_k=3, top_p=0.6)
    yield probe("many tokens", logits(1, 150, p=0.6, need=lambda x: True, scale=30.0), group, long=True, top_k=40, top_p=0.6)


@exercise.right
def reference(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        temperature, top_k, top_p = 1.0, 1, None
    logits = logits / temperature
    if top_k:
        smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < smallest, float("-inf"))
    if top_p is not None:
        ordered, places = logits.sort(dim=-1, descending=True)
        p = ordered.softmax(dim=-1)
        before = p.cumsum(dim=-1) - p
        drop = before >= top_p
        drop[..., 0] = False
        logits = logits.masked_fill(torch.zeros_like(drop).scatter(-1, places, drop), float("-inf"))
    return logits


@exercise.alternative("a loop over rows, lists of kept tokens")
def _(logits, temperature=1.0, top_k=None, top_p=None):
    rows = logits.reshape(-1, logits.shape[-1])
    out = torch.full_like(rows, -float("inf"))
    for i, row in enumerate(rows):
        if temperature == 0:
            best = int(row.argmax())
            out[i, best] = row[best]
            continue
        row = row / temperature
        order = sorted(range(len(row)), key=lambda j: -row[j].item())
        if top_k is not None and top_k > 0:
            order = order[:top_k]
        if top_p is not None:
            p, kept, total = torch.softmax(row[order], dim=0), [], 0.0
            for j, token in enumerate(order):
                kept.append(token)
                total += p[j].item()
                if total >= top_p:
                    break
            order = kept
        for token in order:
            out[i, token] = row[token]
    return out.reshape(logits.shape)


@exercise.alternative("the lowest number instead of −inf, ranks from two argsorts")
def _(logits, temperature=1.0, top_k=None, top_p=None):
    lowest = torch.finfo(logits.dtype).min
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.full_like(logits, lowest).scatter(-1, best, 0.0)
    x = logits / temperature
    rank = x.argsort(dim=-1, descending=True).argsort(dim=-1)
    if top_k is not None and top_k != 0:
        x = torch.where(rank < top_k, x, lowest)
    if top_p is not None and top_p < 1.0:
        p = torch.softmax(x, dim=-1)
        better = (p.unsqueeze(-2) * (rank.unsqueeze(-2) < rank.unsqueeze(-1))).sum(dim=-1)
        x = torch.where((better < top_p) | (rank == 0), x, lowest)
    return x


@exercise.alternative("the shifted mask of many libraries")
def _(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature < 1e-8:
        return logits.masked_fill(logits != logits.max(dim=-1, keepdim=True)[0], float("-inf"))
    scores = logits.clone() / temperature
    if top_k:
        top_k = min(top_k, scores.size(-1))
        remove = scores < torch.topk(scores, top_k)[0][..., -1, None]
        scores[remove] = -float("inf")
    if top_p is not None and top_p < 1:
        sorted_scores, sorted_ids = torch.sort(scores, descending=True)
        remove_sorted = torch.cumsum(torch.softmax(sorted_scores, dim=-1), dim=-1) > top_p
        remove_sorted[..., 1:] = remove_sorted[..., :-1].clone()
        remove_sorted[..., 0] = 0
        remove = remove_sorted.scatter(-1, sorted_ids, remove_sorted)
        scores = scores.masked_fill(remove, -float("inf"))
    return scores


@exercise.alternative("sorted ascending, the tail dropped from below")
def _(logits, temperature=1.0, top_k=None, top_p=None):
    V = logits.shape[-1]
    if temperature == 0.0:
        top_k, top_p = 1, None
    else:
        logits = logits / temperature
    values, places = logits.sort(dim=-1)
    if top_k:
        values = torch.where(torch.arange(V) < V - top_k, torch.tensor(float("-inf"), dtype=values.dtype), values)
    if top_p is not None and top_p < 1:
        upto = values.softmax(dim=-1).cumsum(dim=-1)
        gone = upto <= 1 - top_p
        gone[..., -1] = False
        values = values.masked_fill(gone, float("-inf"))
    return values.gather(-1, places.argsort(dim=-1))


@exercise.alternative("a tiny temperature for 0, kthvalue, a threshold for p")
def _(logits, temperature=1.0, top_k=None, top_p=None):
    x = logits / max(temperature, 1e-7)
    V = x.size(-1)
    if top_k is not None and 0 < top_k < V:
        x = x.masked_fill(x < x.kthvalue(V - top_k + 1, dim=-1, keepdim=True).values, -torch.inf)
    if top_p is None or top_p >= 1:
        return x
    p = x.softmax(-1)
    ordered = p.sort(-1, descending=True).values
    count = (ordered.cumsum(-1) < top_p).sum(-1, keepdim=True).clamp(max=V - 1)
    return torch.where(p >= ordered.gather(-1, count), x, torch.full_like(x, -torch.inf))


@exercise.alternative("helpers inside, recursion for temperature 0")
def _(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return filter_logits(logits, 1.0, 1)

    def keep(x, wanted):
        return x + torch.where(wanted, 0.0, float("-inf")).to(x.dtype)

    x = logits.div(temperature)
    if top_k:
        ids = x.argsort(dim=-1, descending=True)[..., :top_k]
        x = keep(x, torch.zeros_like(x, dtype=torch.bool).scatter(-1, ids, True))
    if top_p is not None:
        p, ids = x.softmax(dim=-1).sort(dim=-1, descending=True)
        needed = torch.cat([torch.ones_like(p[..., :1], dtype=torch.bool), p.cumsum(dim=-1)[..., :-1] < top_p], dim=-1)
        x = keep(x, torch.zeros_like(needed).scatter(-1, ids, needed))
    return x


def filter_logits(logits, temperature=1.0, top_k=None, top_p=None):
    return reference(logits, temperature, top_k, top_p)


ZERO = "if temperature == 0:\n        temperature, top_k, top_p = (1.0, 1, None)\n"
DIVIDE = "logits = logits / temperature"
TOPK = "smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]"
FILL = "logits.masked_fill(logits < smallest, float('-inf'))"
BEFORE = "before = p.cumsum(dim=-1) - p"
DROP = "drop = before >= top_p"
FIRST = "drop[..., 0] = False"
BACK = "logits = logits.masked_fill(torch.zeros_like(drop).scatter(-1, places, drop), float('-inf'))"
SORT = "ordered, places = logits.sort(dim=-1, descending=True)"
PS = "p = ordered.softmax(dim=-1)"

LIBRARY = """
def filter_logits(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.full_like(logits, float('-inf')).scatter(-1, best, logits.gather(-1, best))
    x = logits / temperature
    if top_k is not None and top_k > 0:
        k = min(top_k, x.size(-1))
        cut = torch.topk(x, k).values[..., -1, None]
        x = torch.where(x < cut, torch.full_like(x, float('-inf')), x)
    if top_p is not None:
        ordered, ids = torch.sort(x, descending=True)
        total = torch.cumsum(F.softmax(ordered, dim=-1), dim=-1)
        gone = total > top_p
        gone[..., 1:] = gone[..., :-1].clone()
        gone[..., 0] = False
        x = x.masked_fill(gone.scatter(-1, ids, gone), float('-inf'))
    return x
"""
LOOP = """
def filter_logits(logits, temperature=1.0, top_k=None, top_p=None):
    V = logits.shape[-1]
    out = torch.full_like(logits, -math.inf).reshape(-1, V)
    for i, row in enumerate(logits.reshape(-1, V)):
        if temperature == 0:
            out[i, row.argmax()] = row.max()
            continue
        row = row / temperature
        order = row.argsort(descending=True).tolist()
        if top_k:
            order = order[:top_k]
        if top_p is not None:
            p = row[order].softmax(dim=0)
            total, n = 0.0, 0
            while n < len(order) and total < top_p:
                total += p[n].item()
                n += 1
            order = order[:n]
        out[i, order] = row[order]
    return out.reshape(logits.shape)
"""
vary(exercise, None, "by torch.where and a shifted mask", base=LIBRARY)
vary(exercise, None, "row by row with a while loop", base=LOOP)


def wrong(mistake, label, *changes, base=None):
    vary(exercise, mistake, label, *changes, base=base)


wrong("multiplies", "", (DIVIDE, "logits = logits * temperature"))
wrong("multiplies", "with another order of lines", ("x = logits / temperature", "x = temperature * logits"), base=LIBRARY)
wrong("temperature-ignored", "", (DIVIDE + "\n", "\n"))
wrong("temperature-ignored", "in a loop", ("row = row / temperature\n", "\n"), base=LOOP)
wrong("temperature-last", "", (DIVIDE + "\n", "\n"), ("return logits", "return logits / temperature"))
wrong("temperature-last", "in a loop", ("row = row / temperature\n", "\n"), ("out[i, order] = row[order]", "out[i, order] = row[order] / temperature"), base=LOOP)
wrong("temperature-on-probabilities", "divided", (DIVIDE, "logits = logits.softmax(-1) / temperature"))
wrong("temperature-on-probabilities", "and a logarithm", (DIVIDE, "logits = (logits.softmax(-1) / temperature).log()"))
wrong("temperature-root", "", (DIVIDE, "logits = logits / temperature ** 0.5"))
wrong("temperature-root", "squared", (DIVIDE, "logits = logits / temperature ** 2"))
wrong("temperature-zero", "", (ZERO, "\n"))
wrong("temperature-zero", "in a library's way", ("    if temperature == 0:\n        best = logits.argmax(dim=-1, keepdim=True)\n"
      "        return torch.full_like(logits, float('-inf')).scatter(-1, best, logits.gather(-1, best))\n", ""), base=LIBRARY)
wrong("temperature-zero", "by way of 1 / temperature", (ZERO, "\n"), (DIVIDE, "logits = logits * (1 / temperature)"))
wrong("temperature-zero-ignored", "", (ZERO, "\n"), (DIVIDE, "logits = logits / temperature if temperature else logits"))
wrong("temperature-zero-ignored", "divided by 1", (ZERO, "temperature = temperature or 1.0\n"))
wrong("temperature-zero-ignored", "a small number instead of 0", (ZERO, "temperature = max(temperature, 0.1)\n"))
wrong("top-k-lost", "", ("if top_k:", "if False:"))
wrong("top-k-lost", "the result is not kept", ("logits = " + FILL, FILL))
wrong("top-k-smallest", "", ("dim=-1).values[..., -1:]", "dim=-1, largest=False).values[..., -1:]"), ("logits < smallest", "logits > smallest"))
wrong("top-k-smallest", "sorted the wrong way", ("order = row.argsort(descending=True).tolist()\n        if top_k:\n            order = order[:top_k]",
      "order = row.argsort().tolist()\n        if top_k:\n            order = order[:top_k]\n        order = order[::-1]"), base=LOOP)
wrong("top-k-inverted", "", ("logits < smallest", "logits >= smallest"))
wrong("top-k-inverted", "in a loop", ("order = order[:top_k]", "order = order[top_k:]"), base=LOOP)
wrong("top-k-off-by-one", "one too few", ("logits < smallest", "logits <= smallest"))
wrong("top-k-off-by-one", "one too many", ("min(top_k,", "min(top_k + 1,"))
wrong("top-k-off-by-one", "one too many in a loop", ("order[:top_k]", "order[:top_k + 1]"), base=LOOP)
wrong("top-k-off-by-one", "one too few in a loop", ("order[:top_k]", "order[:top_k - 1]"), base=LOOP)
wrong("k-too-large", "", ("min(top_k, logits.shape[-1])", "top_k"))
wrong("k-too-large", "kthvalue", (TOPK, "smallest = logits.kthvalue(logits.shape[-1] - top_k + 1, dim=-1, keepdim=True).values"))
wrong("k-too-large", "the k-th of the sorted ones", (TOPK, "smallest = logits.sort(dim=-1, descending=True).values[..., top_k - 1, None]"))
wrong("k-too-large", "the k-th from the end", (TOPK, "smallest = logits.sort(dim=-1).values[..., -top_k].unsqueeze(-1)"))
wrong("k-zero", "", ("if top_k:", "if top_k is not None:"))
wrong("k-zero", "nothing is kept", ("if top_k:", "if top_k is not None:"), base=LOOP)
wrong("k-zero", "kthvalue", ("if top_k:", "if top_k is not None:"), (TOPK, "smallest = logits.kthvalue(logits.shape[-1] - min(top_k, logits.shape[-1]) + 1, dim=-1, keepdim=True).values"))
wrong("top-p-lost", "", ("if top_p is not None:", "if False:"))
wrong("top-p-lost", "the result is not kept", (BACK, BACK.removeprefix("logits = ")))
wrong("crossing-lost", "", (BEFORE, "before = p.cumsum(dim=-1)"))
wrong("crossing-lost", "no shift", ("gone[..., 1:] = gone[..., :-1].clone()\n", "\n"), base=LIBRARY)
wrong("crossing-lost", "and the best as well", (BEFORE, "before = p.cumsum(dim=-1)"), (FIRST + "\n", "\n"))
wrong("crossing-lost", "in a loop", ("order = order[:n]", "order = order[:max(n - 1, 1)]"), base=LOOP)
wrong("crossing-lost", "and the best as well, in a loop", ("order = order[:n]", "order = order[:n - 1]"), base=LOOP)
wrong("best-lost", "", ("gone[..., 0] = False\n", "\n"), base=LIBRARY)
wrong("best-lost", "the last one wraps round", ("gone[..., 1:] = gone[..., :-1].clone()\n", "gone = gone.roll(1, dims=-1)\n"), ("gone[..., 0] = False\n", "\n"), base=LIBRARY)
wrong("one-too-many", "", (BEFORE, "before = p.cumsum(dim=-1) - p\n        before = torch.cat([torch.zeros_like(before[..., :1]), before[..., :-1]], dim=-1)"))
wrong("one-too-many", "shifted twice", ("gone[..., 1:] = gone[..., :-1].clone()\n", "gone[..., 2:] = gone[..., :-2].clone()\n        gone[..., 1] = False\n"), base=LIBRARY)
wrong("one-too-many", "in a loop", ("order = order[:n]", "order = order[:n + 1]"), base=LOOP)
wrong("top-p-ascending", "", ("descending=True)\n        p =", "descending=False)\n        p ="))
wrong("top-p-ascending", "in a library's way", ("torch.sort(x, descending=True)", "torch.sort(x)"), base=LIBRARY)
wrong("top-p-ascending", "in a loop", ("p = row[order].softmax(dim=0)", "order = order[::-1]\n            p = row[order].softmax(dim=0)"), base=LOOP)
wrong("unlikely-kept", "", (DROP, "drop = before < top_p"), (FIRST + "\n", "\n"))
wrong("unlikely-kept", "in a library's way", ("total > top_p", "total <= top_p"), base=LIBRARY)
wrong("unlikely-kept", "in a loop", ("order = order[:n]", "order = order[n:]"), base=LOOP)
wrong("unlikely-kept", "the best put back", (DROP, "drop = before < top_p"))
wrong("not-put-back", "", ("torch.zeros_like(drop).scatter(-1, places, drop)", "drop"))
wrong("not-put-back", "gathered", ("torch.zeros_like(drop).scatter(-1, places, drop)", "drop.gather(-1, places)"))
wrong("not-put-back", "in a library's way", ("gone.scatter(-1, ids, gone)", "gone"), base=LIBRARY)
wrong("not-put-back", "gathered, in a library's way", ("gone.scatter(-1, ids, gone)", "torch.gather(gone, -1, ids)"), base=LIBRARY)
wrong("stays-sorted", "", (BACK, "logits = ordered.masked_fill(drop, float('-inf'))"))
wrong("stays-sorted", "the sorted ones, dropped in the order of the vocabulary", ("x.masked_fill(gone.scatter", "ordered.masked_fill(gone.scatter"), base=LIBRARY)
wrong("stays-sorted", "gathered by the places", (BACK, "logits = ordered.masked_fill(drop, float('-inf')).gather(-1, places)"))
wrong("not-sorted", "", (SORT, "ordered, places = (logits, torch.arange(logits.shape[-1]).expand_as(logits))"), (FIRST + "\n", "\n"))
wrong("not-sorted", "the first always stays", (SORT, "ordered, places = (logits, torch.arange(logits.shape[-1]).expand_as(logits))"))
wrong("p-as-threshold", "", ("p = ordered.softmax(dim=-1)\n", "p = ordered.softmax(dim=-1)\n"), (DROP, "drop = p < top_p"))
wrong("p-as-threshold", "the best may go", (DROP, "drop = p < top_p"), (FIRST + "\n", "\n"))
wrong("p-as-threshold", "below 1 − p", (DROP, "drop = p < 1 - top_p"))
wrong("p-of-the-best", "", (DROP, "drop = p < top_p * p[..., :1]"))
wrong("sums-logits", "", (PS, "p = ordered"))
wrong("sums-logits", "in a library's way", ("F.softmax(ordered, dim=-1)", "ordered"), base=LIBRARY)
wrong("p-counts", "", (DROP, "drop = torch.arange(p.shape[-1]).expand_as(p) >= top_p * p.shape[-1]"))
wrong("p-counts", "rounded up", (DROP, "drop = torch.arange(p.shape[-1]).expand_as(p) >= math.ceil(top_p * p.shape[-1])"))
wrong("p-counts", "rounded down", (DROP, "drop = torch.arange(p.shape[-1]).expand_as(p) >= max(int(top_p * p.shape[-1]), 1)"))
wrong("not-renormalized", "", (DIVIDE, "logits = logits / temperature\n    everything = logits.softmax(dim=-1)"), (PS, "p = everything.gather(-1, places)"))
wrong("not-renormalized", "in a loop", ("row[order].softmax(dim=0)", "row.softmax(dim=0)[order]"), base=LOOP)
FILTERS = """
def filter_logits(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        temperature, top_k, top_p = 1.0, 1, None
    x = logits / temperature
    def nucleus(x):
        values, ids = x.sort(descending=True)
        p = values.softmax(-1)
        gone = p.cumsum(-1) - p >= top_p
        gone[..., 0] = False
        return x.masked_fill(torch.zeros_like(gone).scatter(-1, ids, gone), -math.inf)
    def best(x):
        return x.masked_fill(x < x.topk(min(top_k, x.shape[-1])).values[..., -1:], -math.inf)
    if top_k:
        x = best(x)
    if top_p is not None:
        x = nucleus(x)
    return x
"""
BEST, NUCLEUS = "    if top_k:\n        x = best(x)\n", "    if top_p is not None:\n        x = nucleus(x)\n"
vary(exercise, None, "two functions inside", base=FILTERS)
wrong("not-renormalized", "top_p first", (BEST + NUCLEUS, NUCLEUS + BEST), base=FILTERS)
wrong("one-of-both", "top_k wins", (BEST + NUCLEUS, BEST + NUCLEUS.replace("if top_p", "elif top_p")), base=FILTERS)
wrong("one-of-both", "top_p wins", (BEST + NUCLEUS, NUCLEUS + BEST.replace("if top_k", "elif top_k")), base=FILTERS)
wrong("one-of-both", "an early return", (BEST, "    if top_k:\n        return best(x)\n"), base=FILTERS)
wrong("one-of-both", "top_p from the start", (NUCLEUS, "    if top_p is not None:\n        x = nucleus(logits / temperature)\n"), base=FILTERS)
wrong("temperature-last", "between the filters", ("x = logits / temperature\n", "x = logits\n"), (NUCLEUS + "    return x", NUCLEUS + "    return x / temperature"), base=FILTERS)
wrong("fill-zero", "", (FILL, FILL.replace("float('-inf')", "0.0")), (BACK, BACK.replace("float('-inf')", "0.0")))
wrong("fill-zero", "in top_k alone", (FILL, FILL.replace("float('-inf')", "0.0")))
wrong("fill-zero", "in top_p alone", (BACK, BACK.replace("float('-inf')", "0.0")))
wrong("fill-zero", "the smallest positive number", (FILL, FILL.replace("float('-inf')", "torch.finfo(logits.dtype).tiny")), (BACK, BACK.replace("float('-inf')", "torch.finfo(logits.dtype).tiny")))
wrong("fill-zero", "a product with the mask", ("x = torch.where(x < cut, torch.full_like(x, float('-inf')), x)", "x = x * (x >= cut)"), ("x.masked_fill(gone.scatter(-1, ids, gone), float('-inf'))", "x * ~gone.scatter(-1, ids, gone)"), base=LIBRARY)
wrong("probabilities", "", ("return logits", "return logits.softmax(dim=-1)"))
wrong("probabilities", "dropped ones at −inf", ("return logits", "return torch.where(logits == float('-inf'), logits, logits.softmax(dim=-1))"))
wrong("log-probabilities", "", ("return logits", "return logits.log_softmax(dim=-1)"))
wrong("log-probabilities", "from the start", (DIVIDE, "logits = (logits / temperature).log_softmax(dim=-1)"))
wrong("only-the-kept", "", (TOPK, "smallest = None"), ("logits = " + FILL, "logits = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values"))
wrong("only-the-kept", "a boolean index", (FILL, "logits[logits >= smallest]"))
wrong("across-rows", "a threshold of all rows", (TOPK, "smallest = logits.flatten().topk(min(top_k, logits.shape[-1])).values[-1]"))
wrong("across-rows", "a cumulative sum over the rows", (BEFORE, "before = p.cumsum(dim=0) - p"))
wrong("across-rows", "a softmax over the rows", (PS, "p = ordered.softmax(dim=0)"))
wrong("across-rows", "sorted over the rows", ("logits.sort(dim=-1, descending=True)", "logits.sort(dim=0, descending=True)"))
wrong("across-rows", "the best of all rows", (TOPK, "smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values.min()"))
wrong("first-row", "in top_k", (TOPK, "smallest = logits.reshape(-1, logits.shape[-1])[0].topk(min(top_k, logits.shape[-1])).values[-1]"))
wrong("first-row", "in top_p", (DROP, "drop = (before >= top_p)\n        drop = drop.reshape(-1, drop.shape[-1])[:1].expand_as(drop).clone()"))
wrong("one-row", "", (BACK, "gone = places[drop]\n        logits = logits.clone()\n        logits[..., gone] = float('-inf')"))
wrong("dtype-fixed", "", (DIVIDE, "logits = logits.float() / temperature"))
wrong("dtype-fixed", "a result of torch.full", ("torch.full_like(logits, -math.inf)", "torch.full(logits.shape, -math.inf)"), base=LOOP)
wrong("changes-input", "", (DIVIDE, "logits /= temperature"))
wrong("changes-input", "divided in place under no_grad", (DIVIDE, "with torch.no_grad():\n        logits.div_(temperature)"))
wrong("returns-nothing", "", ("return logits", "pass"))
wrong("ready-made", "the library's", base="""
def filter_logits(logits, temperature=1.0, top_k=None, top_p=None):
    from allyouneed.generation import filter_logits as theirs
    return theirs(logits, temperature, top_k, top_p)
""")
wrong("ready-made", "by its module", base="""
def filter_logits(logits, temperature=1.0, top_k=None, top_p=None):
    import allyouneed.generation as generation
    return generation.filter_logits(logits, temperature, top_k, top_p)
""")
for number in ("-1.0", "-100.0"):
    wrong("fill-zero", number, (FILL, FILL.replace("float('-inf')", number)), (BACK, BACK.replace("float('-inf')", number)))
    wrong("fill-zero", f"{number} in top_k alone", (FILL, FILL.replace("float('-inf')", number)))
    wrong("fill-zero", f"{number} in top_p alone", (BACK, BACK.replace("float('-inf')", number)))
wrong("across-rows", "a cumulative sum over all rows", (BEFORE, "before = p.flatten().cumsum(dim=0).view_as(p) - p"))
wrong("across-rows", "a cumulative sum over all rows, the best may go", (BEFORE, "before = p.flatten().cumsum(dim=0).view_as(p) - p"), (FIRST + "\n", "\n"))
wrong("temperature-zero", "in a loop", ("        if temperature == 0:\n            out[i, row.argmax()] = row.max()\n            continue\n", ""), base=LOOP)
wrong("across-rows", "a cumulative sum over the rows, in a library's way", ("F.softmax(ordered, dim=-1), dim=-1)", "F.softmax(ordered, dim=-1), dim=0)"), base=LIBRARY)
wrong("across-rows", "a softmax over the rows, in a library's way", ("F.softmax(ordered, dim=-1), dim=-1)", "F.softmax(ordered, dim=0), dim=-1)"), base=LIBRARY)
wrong("across-rows", "both, in a library's way", ("F.softmax(ordered, dim=-1), dim=-1)", "F.softmax(ordered, dim=0), dim=0)"), base=LIBRARY)
for number in ("1e-2", "0.05", "0.5"):
    wrong("temperature-zero-ignored", f"{number} instead of 0", (ZERO, f"temperature = temperature or {number}\n"))
wrong("temperature-zero-ignored", "where a filter is given", (ZERO, "if temperature == 0 and top_k is None and top_p is None:\n        temperature, top_k = (1.0, 1)\n"), (DIVIDE, "logits = logits / (temperature or 1.0)"))
wrong("temperature-zero-ignored", "0.01 in a loop", ("        if temperature == 0:\n            out[i, row.argmax()] = row.max()\n            continue\n        row = row / temperature\n", "        row = row / max(temperature, 0.01)\n"), base=LOOP)
wrong("k-too-large", "an early return", (DIVIDE, "if top_k and top_k > logits.shape[-1]:\n        return logits\n    " + DIVIDE))
wrong("across-rows", "top_k over the rows", (TOPK, "smallest = logits.topk(min(top_k, logits.shape[0]), dim=0).values[-1:]"))
wrong("across-rows", "top_p over the rows in all its steps", (SORT, SORT.replace("-1", "0")), (PS, PS.replace("-1", "0")), (BEFORE, BEFORE.replace("-1", "0")), (FIRST + "\n", "drop[0] = False\n"), (BACK, BACK.replace("-1", "0")))
wrong("across-rows", "the largest number of tokens for all rows", (BACK, "n = int((~drop).sum(dim=-1).max())\n        logits = logits.masked_fill(logits < ordered[..., n - 1:n], float('-inf'))"))
wrong("across-rows", "the smallest number of tokens for all rows", (BACK, "n = int((~drop).sum(dim=-1).min())\n        logits = logits.masked_fill(logits < ordered[..., n - 1:n], float('-inf'))"))
wrong("across-rows", "the best of all rows at temperature 0", (ZERO, "if temperature == 0:\n        return logits.masked_fill(logits < logits.max(), float('-inf'))\n"))
wrong("across-rows", "the best over the rows at temperature 0", (ZERO, "if temperature == 0:\n        return logits.masked_fill(logits < logits.max(dim=0, keepdim=True).values, float('-inf'))\n"))
wrong("first-row", "its order for all", ("scatter(-1, places, drop)", "scatter(-1, places.reshape(-1, places.shape[-1])[:1].expand_as(places.reshape(-1, places.shape[-1])).reshape(places.shape), drop)"))
