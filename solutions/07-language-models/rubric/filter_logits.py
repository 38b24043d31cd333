"""filter_logits: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "filter_logits",
    points={"temperature": 1, "one filter": 2, "filters together": 1, "limits and shapes": 1},
    section="order-of-filters",
    driver="filtered_logits",
)


def clear(logits, p, k=None):
    """Whether no sum of the best probabilities is near p, before or after k are chosen, at the
    temperatures that are asked."""
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
    return [(row > -1e9).sum().item() for row in reference(logits, temperature, top_k,
                                                           top_p).reshape(-1, logits.shape[-1])]


@exercise.probes
def probes(make):
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
    yield probe("the best that reach p, in each row",
                logits(3, width, p=p, need=lambda x: telling(p)(x)
                       and len(set(kept(x, 1.0, None, p))) > 1), group, top_p=p)

    group = "filters together"
    p = make.pick(0.6, 0.55, 0.65)

    def apart(x):
        """The temperature before or after, top_p on the rest or on everything, and top_p first: all give
        other tokens."""
        sets = [kept(x, 2.0, 4, p), kept(x, 1.0, 4, p), kept(x, 2.0, None, p)]
        return all(2 <= a < c <= 4 and b < a for a, b, c in zip(*sets))


    def differ_by_two(x):
        """The number of tokens tells the temperature's place from a crossing token that is lost."""
        return all(a > b + 1 for a, b in zip(kept(x, 2.0, None, p), kept(x, 1.0, None, p)))

    yield probe("top_p at a temperature of 2", logits(2, 7, p=p, need=differ_by_two), group, temperature=2.0,
                top_p=p)
    yield probe("top_p at a temperature of a half",
                logits(1, 8, p=p, need=lambda x: 2 <= kept(x, 0.5, None, p)[0]
                       < kept(x, 1.0, None, p)[0] - 1), group, temperature=0.5, top_p=p)
    width = make.pick(8, 9, 7)
    few = logits(1, width, p=p, k=4, need=lambda x: kept(x, 1.0, 4, p) == [2]
                 and kept(x, 1.0, None, p) == [3])
    many = logits(1, width, p=p, k=4, need=lambda x: kept(x, 1.0, 4, p)[0] < 4 < kept(x, 1.0, None, p)[0],
                  scale=0.6)
    yield probe("top_k, then top_p", torch.cat([few, many]), group, top_k=4, top_p=p)
    yield probe("all three", logits(2, make.pick(8, 7, 9), p=p, k=4, need=apart), group, edge=True,
                temperature=2.0, top_k=4, top_p=p)
    yield probe("top_k at a temperature of a half", logits(2, 6), group, edge=True, temperature=0.5,
                top_k=make.pick(3, 2, 4))

    group = "limits and shapes"
    near = logits(2, 5)
    second, best = near.sort(dim=-1).values[..., -2:-1], near.argmax(dim=-1, keepdim=True)
    yield probe("temperature 0", near.scatter(-1, best, second + 0.03), group, edge=True,
                temperature=0)      # a small number would keep both
    yield probe("temperature 0 with a filter", logits(1, 6), group, edge=True, temperature=0.0, top_k=3,
                top_p=0.9)
    yield probe("k above V", logits(2, 4), group, edge=True, temperature=2.0, top_k=make.pick(6, 9, 7))
    yield probe("k equal to V", logits(1, make.pick(4, 5, 6)), group, edge=True, top_k=make.pick(4, 5, 6))
    yield probe("top_k=0", logits(2, 4), group, edge=True, top_k=0)
    yield probe("top_k=1", logits(2, 4), group, edge=True, top_k=1)
    yield probe("the best alone reaches p", logits(2, 5, p=0.05, need=lambda x: x.softmax(-1).amax() > 0.06),
                group, edge=True, top_p=make.pick(0.02, 0.01, 0.03))
    yield probe("all are needed to reach p",
                logits(2, 4, p=0.97, scale=0.2, need=lambda x: x.softmax(-1).amin() > 0.05), group, edge=True,
                top_p=0.97)
    yield probe("a p of 1", logits(2, 4), group, edge=True, top_p=1.0)
    yield probe("one row without a batch", logits(6, p=0.6, need=telling(0.6)), group, edge=True,
                top_k=make.pick(4, 5, 4), top_p=0.6)
    yield probe("two axes in front", logits(3, 2, 5, p=0.6), group, edge=True, top_k=3, top_p=0.6)
    yield probe("not contiguous", logits(3, 5, p=0.6, need=telling(0.6)), group, edge=True, top_p=0.6,
                strided=True)
    yield probe("float64", logits(2, 5, p=0.6, dtype=torch.float64), group, edge=True, temperature=0.7,
                top_k=3, top_p=0.6)
    yield probe("large logits", logits(2, 5, p=0.6) * 100 + 900, group, edge=True, temperature=0.7, top_k=3,
                top_p=0.6)
    yield probe("many tokens", logits(1, 150, p=0.6, need=lambda x: True, scale=30.0), group, long=True,
                top_k=40, top_p=0.6)


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


@exercise.right("a loop over rows, lists of kept tokens")
def loop(logits, temperature=1.0, top_k=None, top_p=None):
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


@exercise.right("the lowest number instead of −inf, ranks from two argsorts")
def lowest_number(logits, temperature=1.0, top_k=None, top_p=None):
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


@exercise.right("the shifted mask of many libraries")
def shifted(logits, temperature=1.0, top_k=None, top_p=None):
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


@exercise.right("sorted ascending, the tail dropped from below")
def sorted_ascending(logits, temperature=1.0, top_k=None, top_p=None):
    V = logits.shape[-1]
    if temperature == 0.0:
        top_k, top_p = 1, None
    else:
        logits = logits / temperature
    values, places = logits.sort(dim=-1)
    if top_k:
        values = torch.where(torch.arange(V) < V - top_k, torch.tensor(float("-inf"), dtype=values.dtype),
                             values)
    if top_p is not None and top_p < 1:
        upto = values.softmax(dim=-1).cumsum(dim=-1)
        gone = upto <= 1 - top_p
        gone[..., -1] = False
        values = values.masked_fill(gone, float("-inf"))
    return values.gather(-1, places.argsort(dim=-1))


@exercise.right("a tiny temperature for 0, kthvalue, a threshold for p")
def tiny_temperature(logits, temperature=1.0, top_k=None, top_p=None):
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


@exercise.right("helpers inside, recursion for temperature 0")
def helpers(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return helpers(logits, 1.0, 1)

    def keep(x, wanted):
        return x + torch.where(wanted, 0.0, float("-inf")).to(x.dtype)

    x = logits.div(temperature)
    if top_k:
        ids = x.argsort(dim=-1, descending=True)[..., :top_k]
        x = keep(x, torch.zeros_like(x, dtype=torch.bool).scatter(-1, ids, True))
    if top_p is not None:
        p, ids = x.softmax(dim=-1).sort(dim=-1, descending=True)
        needed = torch.cat([torch.ones_like(p[..., :1], dtype=torch.bool),
                            p.cumsum(dim=-1)[..., :-1] < top_p], dim=-1)
        x = keep(x, torch.zeros_like(needed).scatter(-1, ids, needed))
    return x


@exercise.right("by torch.where and a shifted mask")
def torch_shifted(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.full_like(logits, float("-inf")).scatter(-1, best, logits.gather(-1, best))
    x = logits / temperature
    if top_k is not None and top_k > 0:
        k = min(top_k, x.size(-1))
        cut = torch.topk(x, k).values[..., -1, None]
        x = torch.where(x < cut, torch.full_like(x, float("-inf")), x)
    if top_p is not None:
        ordered, ids = torch.sort(x, descending=True)
        total = torch.cumsum(F.softmax(ordered, dim=-1), dim=-1)
        gone = total > top_p
        gone[..., 1:] = gone[..., :-1].clone()
        gone[..., 0] = False
        x = x.masked_fill(gone.scatter(-1, ids, gone), float("-inf"))
    return x


@exercise.right("row by row with a while loop")
def row_row(logits, temperature=1.0, top_k=None, top_p=None):
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


@exercise.right("two functions inside")
def two_functions(logits, temperature=1.0, top_k=None, top_p=None):
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


@exercise.right("step by step")
def plain(logits, temperature=1.0, top_k=None, top_p=None):
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
        logits = logits.masked_fill(torch.zeros_like(drop).scatter(-1, places, drop), float("-inf"))
    return logits


TEMPERATURE_TOP_K_TOP_P = ("if temperature == 0:\n"
                           "    temperature, top_k, top_p = 1.0, 1, None")

exercise.mistake("multiplies", "temperature",
    "The logits are multiplied by the temperature. Divide: a temperature below 1 must make the best token "
    "more likely.",
    edit(reference, {"logits /": "logits *"}))

exercise.mistake("temperature-ignored", "temperature",
    "The temperature changes nothing. Divide the logits by it.",
    edit(reference, {"logits = logits / temperature": ""}))

exercise.mistake("temperature-last", "order-of-filters",
    "The temperature comes after a filter. Divide first: top_p must see the probabilities at this "
    "temperature.",
    edit(reference, {"logits = logits / temperature": "", "return logits": "return logits / temperature"}))

exercise.mistake("temperature-on-probabilities", "temperature",
    "The temperature is applied to probabilities, with or without a logarithm afterwards. Divide the "
    "logits, and return logits.",
    edit(reference, {"logits /": "logits.softmax(-1) /"}, "divided"),
    edit(reference, {"logits / temperature": "(logits.softmax(-1) / temperature).log()"}, "and a logarithm"))

exercise.mistake("temperature-root", "temperature",
    "The logits are divided by the root or another power of the temperature. Divide by the temperature "
    "itself.",
    edit(reference, {"/ temperature": "/ temperature **0.5"}),
    edit(reference, {"/ temperature": "/ temperature **2"}, "squared"))

exercise.mistake("temperature-zero", "temperature",
    "Temperature 0 fails: a division by 0 gives inf or nan. Treat 0 by itself: keep the best token only.",
    edit(reference, {TEMPERATURE_TOP_K_TOP_P: ""}),
    edit(reference, {TEMPERATURE_TOP_K_TOP_P: "",
                     "/ temperature": "* (1 / temperature)"}, "by way of 1 / temperature"))

exercise.mistake("temperature-zero-ignored", "temperature",
    "At temperature 0 more than the best token is left. Keep the best token of each row only, whatever the "
    "filters are. (In an if, 0 counts as False; and a small number in its place may be too large.)",
    edit(reference, {TEMPERATURE_TOP_K_TOP_P: "",
                     "/ temperature": "/ temperature if temperature else logits"}),
    edit(reference, {TEMPERATURE_TOP_K_TOP_P: "temperature = max(temperature, 0.1)"},
         "a small number instead of 0"),
    edit(reference, {TEMPERATURE_TOP_K_TOP_P: "temperature = temperature or 0.01"}, "1e-2 instead of 0"),
    edit(reference, {TEMPERATURE_TOP_K_TOP_P: "temperature = temperature or 0.5"}, "0.5 instead of 0"),
    edit(reference, {"temperature == 0": "temperature == 0 and top_k is None and (top_p is None)",
                     "top_k, top_p": "top_k", ", None": "",
                     "/ temperature": "/ (temperature or 1.0)"}, "where a filter is given"))

exercise.mistake("top-k-lost", "top-k",
    "top_k changes nothing. Keep the k largest logits of each row, and drop the others.",
    edit(reference, {"top_k:": "False:"}))

exercise.mistake("top-k-smallest", "top-k", "top_k keeps the smallest logits. Keep the largest.",
    edit(reference, {", dim=-1": ", dim=-1, largest=False", "logits <": "logits >"}),
    edit(row_row, {"descending=True": "",
                   "if top_p": "order = order[::-1]\nif top_p"}, "sorted the wrong way"))

exercise.mistake("top-k-inverted", "top-k", "top_k drops the k best tokens. Keep them, and drop the others.",
    edit(reference, {"logits <": "logits >="}),
    edit(row_row, {":top_k": "top_k:"}, "in a loop"))

exercise.mistake("top-k-off-by-one", "top-k",
    "top_k keeps one token too many or too few. Exactly k tokens stay.",
    edit(reference, {"logits <": "logits <="}, "one too few"),
    edit(reference, {", logits": "+ 1, logits"}, "one too many"),
    edit(row_row, {":top_k": ":top_k + 1"}, "one too many in a loop"),
    edit(row_row, {":top_k": ":top_k - 1"}, "one too few in a loop"))

exercise.mistake("k-too-large", "top-k",
    "A top_k above the number of tokens fails, or skips the temperature. Then every token stays, divided "
    "as always: torch.topk takes at most V.",
    edit(reference, {"min(top_k, logits.shape[-1])": "top_k"}),
    edit(reference, {"topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]":
                     "kthvalue(logits.shape[-1] - top_k + 1, dim=-1, keepdim=True).values"}, "kthvalue"),
    edit(reference, {"[..., -1:]": "[..., top_k - 1, None]"}, "the k-th of the sorted ones"),
    edit(reference, {"topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]":
                     "sort(dim=-1).values[..., -top_k].unsqueeze(-1)"}, "the k-th from the end"),
    edit(reference, {"logits = logits /": "if top_k and top_k > logits.shape[-1]:\n"
                                          "    return logits\n"
                                          "logits = logits /"}, "an early return"))

exercise.mistake("k-zero", "top-k", "top_k=0 must switch this filter off, as None does.",
    edit(reference, {"top_k:": "top_k is not None:"}),
    edit(row_row, {"top_k:": "top_k is not None:"}, "nothing is kept"),
    edit(reference, {"top_k:": "top_k is not None:", "topk(": "kthvalue(logits.shape[-1] -",
                     ", dim=-1).values[..., -1:]": "+ 1, dim=-1, keepdim=True ).values"}, "kthvalue"))

exercise.mistake("top-p-lost", "top-p",
    "top_p changes nothing. Keep the fewest best tokens whose probabilities reach p, and drop the others.",
    edit(reference, {"top_p is not None": "False"}))

exercise.mistake("crossing-lost", "top-p",
    "The token that crosses p is dropped. It stays: drop a token only where the better ones before it "
    "already reach p.",
    edit(reference, {"1) - p": "1)"}),
    edit(torch_shifted, {"gone[..., 1:] = gone[..., :-1].clone()": ""}, "no shift"),
    edit(plain, {"1) - p": "1)"}, "and the best as well"),
    edit(row_row, {"order[:n]": "order[:max(n - 1, 1)]"}, "in a loop"),
    edit(row_row, {"order[:n]": "order[:n - 1]"}, "and the best as well, in a loop"))

exercise.mistake("best-lost", "top-p",
    "Where the best token alone reaches p, nothing or the wrong token is left. The best token always stays.",
    edit(torch_shifted, {"gone[..., 0] = False": ""}),
    edit(torch_shifted, {"[..., 1:] = gone[..., :-1].clone()": "= gone.roll(1, dims=-1)",
                         "gone[..., 0] = False": ""}, "the last one wraps round"))

exercise.mistake("one-too-many", "top-p",
    "top_p keeps one token more than needed. The token that crosses p is the last that stays.",
    edit(row_row, {"order[:n]": "order[:n + 1]"}))

exercise.mistake("top-p-ascending", "top-p",
    "top_p adds up from the least likely token. Sort descending: the best tokens stay.",
    edit(reference, {"True": "False"}))

exercise.mistake("one-minus-p", "top-p",
    "top_p is taken for 1 − p: the larger it is, the fewer tokens stay. Keep the best tokens until their "
    "probabilities reach p itself.",
    edit(reference, {">= top_p": ">= 1 - top_p"}),
    edit(loop, {">= top_p": ">= 1 - top_p"}, "a loop"))

exercise.mistake("unlikely-kept", "top-p",
    "top_p keeps the unlikely tokens and drops the likely ones. Keep the best ones that reach p.",
    edit(plain, {">= top_p": "< top_p"}),
    edit(reference, {">= top_p": "< top_p"}, "the best put back"))

exercise.mistake("not-put-back", "top-p",
    "top_p's decision is made in sorted order, but used in the order of the vocabulary. Bring it back to "
    "where each token stands.",
    edit(reference, {"torch.zeros_like(drop).scatter(-1, places, drop)": "drop"}),
    edit(torch_shifted, {"gone.scatter(-1, ids, gone)": "torch.gather(gone, -1, ids)"},
         "gathered, in a library's way"))

exercise.mistake("stays-sorted", "top-p",
    "The logits come back sorted. Each must stand where its token stands in the vocabulary.",
    edit(reference, {"logits.masked_fill(torch.zeros_like(drop).scatter(-1, places, drop)":
                     "ordered.masked_fill(drop"}),
    edit(torch_shifted, {"x = x": "x = ordered"}, "the sorted ones, dropped in the order of the vocabulary"),
    edit(reference, {'logits.masked_fill(torch.zeros_like(drop).scatter(-1, places, drop), float("-inf"))':
                     'ordered.masked_fill(drop, float("-inf")).gather(-1, places)'},
         "gathered by the places"))

exercise.mistake("not-sorted", "top-p",
    "top_p adds up probabilities in the order of the vocabulary. Sort them first, the largest in front.",
    edit(plain, {".sort(dim=-1, descending=True)": ", torch.arange(logits.shape[-1]).expand_as(logits)"}))

exercise.mistake("p-as-threshold", "top-p",
    "top_p is used as a threshold for single probabilities. Compare it with the sum of the best ones.",
    edit(reference, {"before >=": "p <"}),
    edit(plain, {"before >=": "p <"}, "the best may go"),
    edit(reference, {"before >=": "p < 1 -"}, "below 1 − p"))

exercise.mistake("p-of-the-best", "top-p",
    "top_p is compared with the best token's probability (this filter is called min-p). Compare it with "
    "the sum of the best ones.",
    edit(reference, {"drop = before >= top_p": "drop = p < top_p * p[..., :1]"}))

exercise.mistake("sums-logits", "top-p",
    "top_p adds up logits. Turn them into probabilities first, with a softmax.",
    edit(reference, {".softmax(dim=-1)": ""}))

exercise.mistake("p-counts", "top-p",
    "top_p is taken as a share of the vocabulary. It is a probability to be reached.",
    edit(reference, {"drop = before >= top_p":
                     "drop = torch.arange(p.shape[-1]).expand_as(p) >= top_p * p.shape[-1]"}),
    edit(reference, {"drop = before >= top_p":
                     "drop = torch.arange(p.shape[-1]).expand_as(p) >= max(int(top_p * p.shape[-1]), 1)"},
         "rounded down"))

exercise.mistake("not-renormalized", "order-of-filters",
    "top_p comes before top_k, or uses the probabilities from before it. First top_k, then top_p on the "
    "softmax of what is left.",
    edit(row_row, {"[order].softmax(dim=0)": ".softmax(dim=0)[order]"}))

exercise.mistake("one-of-both", "order-of-filters",
    "With both filters given, only one works. Apply top_k, then top_p.",
    edit(two_functions, {"if top_p": "elif top_p"}, "top_k wins"),
    edit(two_functions, {"x = nucleus(x)": "x = nucleus(logits / temperature)"}, "top_p from the start"))

NOT_RENORMALIZED = {"if top_k:": "of_all = logits.softmax(dim=-1)\nif top_k:",
                    "p = ordered.softmax(dim=-1)": "p = of_all.gather(-1, places)"}
TEMPERATURE_LAST = {"logits = logits / temperature": "", "return logits": "return logits / temperature"}

exercise.mistake("crossing-lost-and-not-renormalized", "order-of-filters",
    "Two things: the token that crosses p is dropped, and top_p uses the probabilities from before top_k. "
    "The token that crosses stays, and the probabilities are a softmax of what top_k has left.",
    edit(reference, {"1) - p": "1)"} | NOT_RENORMALIZED),
    edit(plain, {"1) - p": "1)"} | NOT_RENORMALIZED, "and the best as well"))

exercise.mistake("crossing-lost-and-temperature-last", "order-of-filters",
    "Two things: the token that crosses p is dropped, and the temperature comes after the filters. The token "
    "that crosses stays, and the division comes first.",
    edit(reference, {"1) - p": "1)"} | TEMPERATURE_LAST),
    edit(plain, {"1) - p": "1)"} | TEMPERATURE_LAST, "and the best as well"))

exercise.mistake("crossing-lost-and-multiplies", "temperature",
    "Two things: the logits are multiplied by the temperature, and the token that crosses p is dropped. "
    "Divide, and keep the token that crosses.",
    edit(reference, {"1) - p": "1)", "logits / temperature": "logits * temperature"}),
    edit(plain, {"1) - p": "1)", "logits / temperature": "logits * temperature"}, "and the best as well"))

exercise.mistake("crossing-lost-and-not-put-back", "top-p",
    "Two things: the token that crosses p is dropped, and the decisions of top_p, made in sorted order, are "
    "used in the order of the vocabulary. Keep the token that crosses, and bring each decision back to where "
    "its token stands.",
    edit(reference, {"1) - p": "1)", "torch.zeros_like(drop).scatter(-1, places, drop)": "drop"}),
    edit(plain, {"1) - p": "1)", "torch.zeros_like(drop).scatter(-1, places, drop)": "drop"},
         "and the best as well"))

exercise.mistake("not-put-back-and-multiplies", "top-p",
    "Two things: the logits are multiplied by the temperature, and the decisions of top_p, made in sorted "
    "order, are used in the order of the vocabulary. Divide, and bring each decision back to where its token "
    "stands.",
    edit(reference, {"logits / temperature": "logits * temperature",
                     "torch.zeros_like(drop).scatter(-1, places, drop)": "drop"}))

exercise.mistake("not-put-back-and-not-renormalized", "order-of-filters",
    "Two things: top_p uses the probabilities from before top_k, and its decisions, made in sorted order, "
    "are used in the order of the vocabulary. Take a softmax of what top_k has left, and bring each decision "
    "back to where its token stands.",
    edit(reference, NOT_RENORMALIZED | {"torch.zeros_like(drop).scatter(-1, places, drop)": "drop"}))

exercise.mistake("not-put-back-and-temperature-last", "order-of-filters",
    "Two things: the temperature comes after the filters, and the decisions of top_p, made in sorted order, "
    "are used in the order of the vocabulary. Divide first, and bring each decision back to where its token "
    "stands.",
    edit(reference, TEMPERATURE_LAST | {"torch.zeros_like(drop).scatter(-1, places, drop)": "drop"}))

exercise.mistake("fill-zero", "choosing-the-next-token",
    "Dropped tokens get a number that still has a probability: the softmax of a logit of 0 is not 0. Set "
    "them to −inf.",
    edit(reference, {'smallest, float("-inf"))': "smallest, 0.0)", '), float("-inf"))': "), 0.0)"}),
    edit(reference, {'smallest, float("-inf"))': "smallest, 0.0)"}, "in top_k alone"),
    edit(reference, {'), float("-inf"))': "), 0.0)"}, "in top_p alone"),
    edit(torch_shifted, {'torch.where(x < cut, torch.full_like(x, float("-inf")), x)': "x * (x >= cut)",
                         "x.masked_fill(": "x* ~", '), float("-inf"))': ")"}, "a product with the mask"),
    edit(reference, {'smallest, float("-inf"))': "smallest, -1.0)", '), float("-inf"))': "), -1.0)"}, "-1.0"),
    edit(reference, {'smallest, float("-inf"))': "smallest, -1.0)"}, "-1.0 in top_k alone"),
    edit(reference, {'smallest, float("-inf"))': "smallest, -100.0)",
                     '), float("-inf"))': "), -100.0)"}, "-100.0"),
    edit(reference, {'smallest, float("-inf"))': "smallest, -100.0)"}, "-100.0 in top_k alone"))

exercise.mistake("probabilities", "choosing-the-next-token",
    "Probabilities come back. Return logits: what stays is the logit divided by the temperature, what is "
    "dropped is −inf.",
    edit(reference, {"return logits": "return logits.softmax(dim=-1)"}),
    edit(reference, {"return logits":
                     'return torch.where(logits == float("-inf"), logits, logits.softmax(dim=-1))'},
         "dropped ones at −inf"))

exercise.mistake("one-hot-at-zero", "temperature",
    "At temperature 0 the best token comes back as 1 and the others as 0: as probabilities. The best token "
    "keeps a finite logit, all others become −inf.",
    edit(reference, {"temperature, top_k, top_p = 1.0, 1, None":
                     "return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).to(logits.dtype)"}),
    edit(loop, {"out[i, best] = row[best]": "out[i] = 0.0\nout[i, best] = 1.0"}, "in a loop"))

exercise.mistake("log-probabilities", "choosing-the-next-token",
    "What stays is a log-probability. Return the logits themselves, divided by the temperature.",
    edit(reference, {"return logits": "return logits.log_softmax(dim=-1)"}),
    edit(reference, {"logits / temperature": "(logits / temperature).log_softmax(dim=-1)"}, "from the start"))

exercise.mistake("only-the-kept", "choosing-the-next-token",
    "Only the kept logits come back. Return all V of them, with −inf where a token is dropped.",
    edit(reference, {"top_k:": "top_k:\n    smallest = None", "smallest =": "logits =", "[..., -1:]": "",
                     'logits = logits.masked_fill(logits < smallest, float("-inf"))': ""}),
    edit(reference, {'.masked_fill(logits < smallest, float("-inf"))': "[logits >= smallest]"},
         "a boolean index"))

exercise.mistake("across-rows", "choosing-the-next-token",
    "The rows are mixed: sorting, counting or adding up runs over an axis other than the last, or over all "
    "rows together. Each row is filtered by itself.",
    edit(reference, {".topk": ".flatten().topk"}, "a threshold of all rows"),
    edit(reference, {"(dim=-1) - p": "(dim=0) - p"}, "a cumulative sum over the rows"),
    edit(reference, {"softmax(dim=-1)": "softmax(dim=0)"}, "a softmax over the rows"),
    edit(reference, {"dim=-1,": "dim=0,"}, "sorted over the rows"),
    edit(reference, {"[..., -1:]": ".min()"}, "the best of all rows"),
    edit(reference, {"p.cumsum(dim=-1)": "p.flatten().cumsum(dim=0).view_as(p)"},
         "a cumulative sum over all rows"),
    edit(plain, {"p.cumsum(dim=-1)": "p.flatten().cumsum(dim=0).view_as(p)"},
         "a cumulative sum over all rows, the best may go"),
    edit(torch_shifted, {"1), dim=-1": "1), dim=0"}, "a cumulative sum over the rows, in a library's way"),
    edit(torch_shifted, {every("=-1)"): "=0)"}, "both, in a library's way"),
    edit(reference, {"[-1]), dim=-1).values[...,": "[0]), dim=0).values["}, "top_k over the rows"),
    edit(reference, {"dim=-1,": "dim=0,", "softmax(dim=-1)": "softmax(dim=0)", "(dim=-1) - p": "(dim=0) - p",
                     "..., 0": "0", "-1, places": "0, places"}, "top_p over the rows in all its steps"),
    edit(reference, {"False": "False\nn = int((~drop).sum(dim=-1).max())",
                     "torch.zeros_like(drop).scatter(-1, places, drop)": "logits < ordered[..., n - 1 : n]"},
         "the largest number of tokens for all rows"),
    edit(reference, {"False": "False\nn = int((~drop).sum(dim=-1).min())",
                     "torch.zeros_like(drop).scatter(-1, places, drop)": "logits < ordered[..., n - 1 : n]"},
         "the smallest number of tokens for all rows"),
    edit(reference, {"temperature, top_k, top_p = 1.0, 1, None":
                     'return logits.masked_fill(logits < logits.max(), float("-inf"))'},
         "the best of all rows at temperature 0"),
    edit(reference, {"temperature, top_k, top_p = 1.0, 1, None":
                     "return logits.masked_fill(logits < logits.max(dim=0, keepdim=True).values, "
                     'float("-inf"))'}, "the best over the rows at temperature 0"))

exercise.mistake("first-row", "choosing-the-next-token",
    "The first row's filter is used for all rows. Each row is filtered by itself.",
    edit(reference, {".topk": ".reshape(-1, logits.shape[-1])[0].topk"}, "in top_k"),
    edit(reference, {">= top_p": ">= top_p\n"
                                 "drop = drop.reshape(-1, drop.shape[-1])[:1].expand_as(drop).clone()"},
         "in top_p"),
    edit(reference, {', drop), float("-inf")':
                     ".reshape(-1, places.shape[-1])[:1] .expand_as(places.reshape(-1, places.shape[-1])) "
                     '.reshape(places.shape), drop, ), float("-inf"),'}, "its order for all"))

exercise.mistake("one-row", "choosing-the-next-token",
    "It works for one row of logits only. Any number of axes may stand in front of the vocabulary.",
    edit(reference, {"logits = logits.masked_fill(torch.zeros_like(drop).scatter(-1, places, drop), "
                     'float("-inf"))':
                     "gone = places[drop]\n"
                     "logits = logits.clone()\n"
                     'logits[..., gone] = float("-inf")'}))

exercise.mistake("dtype-fixed", "choosing-the-next-token",
    "float64 logits do not give float64 logits. Keep their dtype.",
    edit(reference, {"logits /": "logits.float() /"}),
    edit(row_row, {"full_like(logits": "full(logits.shape"}, "a result of torch.full"))

exercise.built_in("changes-input",
    edit(reference, {"= logits /": "/="}),
    edit(reference, {"logits = logits / temperature": "with torch.no_grad():\n    logits.div_(temperature)"},
         "divided in place under no_grad"))

exercise.built_in("returns-nothing",
    edit(reference, {"return logits": "pass"}))

exercise.built_in("ready-made",
    full("from allyouneed.generation.sampling import filter_logits as theirs\n"
         "\n"
         "return theirs(logits, temperature, top_k, top_p)", "the library's"),
    full("import allyouneed.generation.sampling as generation\n"
         "\n"
         "return generation.filter_logits(logits, temperature, top_k, top_p)", "by its module"))

exercise.equal("no sum is p itself: whether that token stays, rounding decides", {
    ">= top_p": "> top_p", "> top_p": ">= top_p", "< top_p": "<= top_p", "<= 1 - top_p": "< 1 - top_p"})
exercise.equal("a single number has all the probability, whatever it is", {
    "row[best]": ("row[best + 1]", "row[best - 1]"), "row.max()": "row.min()",
    "logits.gather(-1, best)": "logits", "1.0, 1": "2.0, 1"})
exercise.equal("nothing stands before the best one, so with p above 0 it stays", {
    "drop[..., 0] = False": "pass", "gone[..., 0] = False": "pass", "gone[..., -1] = False": "pass",
    "| (rank == 0)": "", "rank == 0": "rank == -1"})
exercise.equal("the last axis is meant where none is given", {", dim=-1": "", "dim=-1, ": "", "dim=-1": ""})
exercise.equal("the smaller or larger of two numbers has no order", {
    "top_k, logits.shape[-1]": "logits.shape[-1], top_k",
    "top_k, scores.size(-1)": "scores.size(-1), top_k", "top_k, x.size(-1)": "x.size(-1), top_k",
    "top_k, x.shape[-1]": "x.shape[-1], top_k", "temperature, 1e-7": "1e-7, temperature"})
exercise.equal("each place is written, whatever stood there", {
    "torch.zeros_like(drop)": ("drop", "torch.ones_like(drop)"),
    "torch.zeros_like(gone)": ("gone", "torch.ones_like(gone)"),
    "torch.zeros_like(needed)": ("needed", "torch.ones_like(needed)")})
exercise.equal(
    "a number in a tensor counts and sorts like a plain one, and nothing is written into what is divided", {
    ".item()": "", "int(row.argmax())": "row.argmax()", ".tolist()": "", ".clone()": "",
    ".to(x.dtype)": "", "p[..., :1]": "ids[..., :1]",
    'torch.tensor(float("-inf"), dtype=values.dtype)': ('float("-inf")', 'torch.tensor(float("-inf"))')})
exercise.equal(
    "p is at most 1, where all stay, as with k at V, and no temperature stands at the bound", {
    "and top_p < 1.0": ("", "and top_p <= 1.0", "and top_p < 2.0"),
    "and top_p < 1": ("", "and top_p <= 1", "and top_p < 2"),
    "or top_p >= 1": ("", "or top_p > 1", "or top_p >= 2"), "< 1e-8": "<= 1e-8", "< V": "<= V"})
exercise.equal("all together reach p, so that there is one more", {
    ".clamp(max=V - 1)": ("", ".clamp(max=V + 1)", ".clamp(max=V)", ".clamp(max=V - 0)")})
