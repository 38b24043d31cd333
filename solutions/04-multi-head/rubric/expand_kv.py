"""The rubric of expand_kv: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "expand_kv",
    points={"groups": 2, "one group, all groups, other layouts": 1},
    section="expanding-keys",
    mistakes={
        "tiled": ("The groups follow each other in turn: head 0 uses group 0, head 1 group 1. Neighbouring heads share a group: repeat each group "
                  "H/G times before the next one comes (repeat_interleave, not repeat).", "expanding-keys"),
        "reversed": ("The groups come in reverse order. The first H/G heads use group 0.", "expanding-keys"),
        "wrong-axis": ("An axis other than that of the groups is repeated. The groups are axis 1 of (batch, groups, keys, width).",
                       "expanding-keys"),
        "no-axis": ("Without an axis, repeat_interleave flattens the tensor. Name the axis of the groups.", "expanding-keys"),
        "repeated-too-often": ("Each group is repeated once for every query head. Repeat it H/G times, so that there are H heads in the end.",
                               "expanding-keys"),
        "divides-by-groups": ("Head h uses group h // G here. The number of heads that share a group is H/G, so divide by that.", "grouped-query"),
        "one-group-for-all": ("All heads use one group. Head h uses group h // (H/G).", "grouped-query"),
        "groups-mixed": ("The groups are added or averaged. Each head uses exactly one group as it is.", "grouped-query"),
        "padded": ("Some heads get zeros. Every head uses the keys of its group.", "grouped-query"),
        "last-group-repeated": ("Only one group is repeated until there are enough heads. Each group serves H/G neighbouring heads.", "grouped-query"),
        "groups-apart": ("Groups and the heads in a group stand on two axes. Join them: (batch, H, keys, width).", "expanding-keys"),
        "numbers-mixed": ("The numbers of a group's keys are spread over other heads or keys by a reshape. Add an axis after the groups, expand it, "
                          "and join these two axes alone.", "expanding-keys"),
        "all-groups-fails": ("It is wrong where every head has its own group (H = G). Then nothing is to be repeated: return the same numbers.",
                             "grouped-query"),
        "one-group-fails": ("It is wrong where all heads share one group (G = 1). Nothing about this case is special: repeat the group H times.",
                            "grouped-query"),
        "not-expanded": ("The groups come back as they are. Every query head needs keys: repeat each group H/G times.", "expanding-keys"),
        "repeated-by-groups": ("Each group comes as often as there are groups. The number of heads that share a group is H/G.", "expanding-keys"),
        "count-from-another-axis": ("The number of groups is read from another axis. The groups are axis 1 of (batch, groups, keys, width).",
                                    "expanding-keys"),
        "upside-down": ("G // H is 0 where heads share a group: the fraction is upside down. H // G heads share one.", "expanding-keys"),
        "not-an-int": ("H / G is a float in Python, and a number of repeats must be an int. Divide with //.", "expanding-keys"),
        "expand-needs-one": ("expand repeats axes of size 1 only. Add such an axis after the groups first, or use a function that repeats.",
                             "expanding-keys"),
        "heads-first": ("The heads stand before the batch. The result is (batch, H, keys, width).", "expanding-keys"),
        "joined-elsewhere": ("The heads are joined along an axis that is not theirs. Axis 1 is that of the heads: (batch, H, keys, width).",
                              "expanding-keys"),
        "list-of-heads": ("The heads come as a list. Return one tensor (batch, H, keys, width).", "expanding-keys"),
        "in-a-tuple": ("A tuple with one tensor in it comes back. Look for a comma after the result, or for brackets that hold one.", "expanding-keys"),
        "wrong-offset": ("Group g is written from head g on. It serves the H/G heads from g · H/G on.", "expanding-keys"),
        "width-cut": ("The keys are cut along their width. Every head of a group gets its keys whole.", "grouped-query"),
        "rounded": ("The group is found by rounding a fraction of the heads. Head h uses group h // (H/G), for all sizes.", "grouped-query"),
        "dtype-fixed": ("The result does not have the dtype of the input. Give new tensors the dtype of kv, and cast nothing.", "expanding-keys"),
    },
)


@exercise.probes
def _(make):
    def probe(name, batch, n_groups, n_keys, width, n_heads, dtype=torch.float32, group="groups", **marks):
        return make.probe(name, make.randn(batch, n_groups, n_keys, width, dtype=dtype), n_heads, group=group, **marks)

    yield probe("two groups, four heads", 1, 2, 3, 2, 4, gradient=True)
    yield probe("three groups, six heads", *make.pick((2, 3, 2, 4, 6), (2, 3, 4, 2, 6), (3, 3, 2, 4, 6)))
    yield probe("three groups, nine heads", *make.pick((1, 3, 2, 2, 9), (2, 3, 2, 1, 9), (1, 3, 4, 2, 9)), gradient=True)
    yield probe("four groups, twelve heads", *make.pick((1, 4, 2, 3, 12), (1, 4, 3, 2, 12), (1, 4, 2, 5, 12)))
    yield probe("two groups, six heads", 1, 2, 2, 3, 6, edge=True)
    group = "one group, all groups, other layouts"
    yield probe("one group for all heads", *make.pick((2, 1, 3, 2, 4), (2, 1, 2, 3, 5), (3, 1, 2, 4, 3)), group=group, edge=True)
    yield probe("a group for each head", *make.pick((2, 3, 2, 4, 3), (2, 4, 3, 2, 4), (3, 2, 4, 3, 2)), group=group, edge=True)
    yield probe("float64", 1, 2, 3, 2, 4, dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", 2, 2, 3, 2, 4, group=group, edge=True, strided=True)
    yield probe("a long sequence", 1, 2, 150, 2, 4, group=group, long=True)


@exercise.right
def reference(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.alternative("expand and flatten")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    return kv[:, :, None].expand(B, G, n_query_heads // G, S, K).reshape(B, n_query_heads, S, K)


@exercise.alternative("an index of groups")
def _(kv, n_query_heads):
    shared = n_query_heads // kv.size(1)
    return kv[:, torch.arange(n_query_heads) // shared]


@exercise.alternative("heads stacked one by one")
def _(kv, n_query_heads):
    return torch.stack([kv[:, int(h / (n_query_heads / kv.shape[1]))] for h in range(n_query_heads)], dim=1)


@exercise.alternative("index_select with a list")
def _(kv, n_query_heads):
    groups = [g for g in range(kv.shape[1]) for _ in range(n_query_heads // kv.shape[1])]
    return torch.index_select(kv, 1, torch.tensor(groups))


@exercise.alternative("tiled, then put in order")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    times = n_query_heads // G
    return kv.repeat(1, times, 1, 1).reshape(B, times, G, S, K).transpose(1, 2).flatten(1, 2)


@exercise.alternative("times a matrix of zeros and ones")
def _(kv, n_query_heads):
    choose = torch.eye(kv.shape[1], dtype=kv.dtype).repeat_interleave(n_query_heads // kv.shape[1], dim=0)
    return torch.einsum("hg,bgsk->bhsk", choose, kv)


@exercise.alternative("stack and flatten, early return")
def _(kv, n_query_heads):
    times = n_query_heads // kv.shape[1]
    if times == 1:
        return kv
    return torch.stack([kv] * times, dim=2).flatten(1, 2)


@exercise.wrong("tiled")
def _(kv, n_query_heads):
    return kv.repeat(1, n_query_heads // kv.shape[1], 1, 1)


@exercise.wrong("tiled", "joined copies")
def _(kv, n_query_heads):
    return torch.cat([kv] * (n_query_heads // kv.shape[1]), dim=1)


@exercise.wrong("tiled", "expanded before the groups")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    return kv.unsqueeze(1).expand(B, n_query_heads // G, G, S, K).reshape(B, n_query_heads, S, K)


@exercise.wrong("tiled", "the remainder")
def _(kv, n_query_heads):
    return torch.stack([kv[:, h % kv.shape[1]] for h in range(n_query_heads)], dim=1)


@exercise.wrong("reversed")
def _(kv, n_query_heads):
    return kv.flip(1).repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.wrong("reversed", "counted from the end")
def _(kv, n_query_heads):
    shared = n_query_heads // kv.shape[1]
    return torch.stack([kv[:, -1 - h // shared] for h in range(n_query_heads)], dim=1)


@exercise.wrong("wrong-axis", "the batch")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=0)


@exercise.wrong("wrong-axis", "the keys")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=2)


@exercise.wrong("wrong-axis", "the width")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=-1)


@exercise.wrong("wrong-axis", "the keys, tiled")
def _(kv, n_query_heads):
    return kv.repeat(1, 1, n_query_heads // kv.shape[1], 1)


@exercise.wrong("no-axis")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[1])


@exercise.wrong("repeated-too-often")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads, dim=1)


@exercise.wrong("repeated-too-often", "tiled")
def _(kv, n_query_heads):
    return kv.repeat(1, n_query_heads, 1, 1)


@exercise.wrong("divides-by-groups")
def _(kv, n_query_heads):
    return torch.stack([kv[:, h // kv.shape[1]] for h in range(n_query_heads)], dim=1)


@exercise.wrong("divides-by-groups", "the last group for the rest")
def _(kv, n_query_heads):
    G = kv.shape[1]
    return kv[:, (torch.arange(n_query_heads) // G).clamp(max=G - 1)]


@exercise.wrong("divides-by-groups", "index")
def _(kv, n_query_heads):
    return kv[:, torch.arange(n_query_heads) // kv.shape[1]]


@exercise.wrong("one-group-for-all")
def _(kv, n_query_heads):
    return kv[:, :1].expand(-1, n_query_heads, -1, -1)


@exercise.wrong("one-group-for-all", "the last")
def _(kv, n_query_heads):
    return kv[:, -1:].repeat(1, n_query_heads, 1, 1)


@exercise.wrong("groups-mixed")
def _(kv, n_query_heads):
    return kv.mean(dim=1, keepdim=True).expand(-1, n_query_heads, -1, -1)


@exercise.wrong("groups-mixed", "summed")
def _(kv, n_query_heads):
    return kv.sum(dim=1, keepdim=True).repeat(1, n_query_heads, 1, 1)


@exercise.wrong("padded")
def _(kv, n_query_heads):
    out = kv.new_zeros(kv.shape[0], n_query_heads, *kv.shape[2:])
    out[:, :kv.shape[1]] = kv
    return out


@exercise.wrong("padded", "the first head of a group only")
def _(kv, n_query_heads):
    out = torch.zeros(kv.shape[0], n_query_heads, *kv.shape[2:], dtype=kv.dtype)
    out[:, ::n_query_heads // kv.shape[1]] = kv
    return out


@exercise.wrong("last-group-repeated")
def _(kv, n_query_heads):
    return torch.cat([kv, kv[:, -1:].expand(-1, n_query_heads - kv.shape[1], -1, -1)], dim=1)


@exercise.wrong("last-group-repeated", "the first group")
def _(kv, n_query_heads):
    return torch.cat([kv[:, :1].expand(-1, n_query_heads - kv.shape[1], -1, -1), kv], dim=1)


@exercise.wrong("groups-apart")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    return kv[:, :, None].expand(B, G, n_query_heads // G, S, K)


@exercise.wrong("groups-apart", "stacked in front")
def _(kv, n_query_heads):
    return torch.stack([kv] * (n_query_heads // kv.shape[1]), dim=1)


@exercise.wrong("numbers-mixed")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    return kv.unsqueeze(3).expand(B, G, S, n_query_heads // G, K).reshape(B, n_query_heads, S, K)


@exercise.wrong("numbers-mixed", "expanded at the end")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    return kv.unsqueeze(-1).expand(B, G, S, K, n_query_heads // G).reshape(B, n_query_heads, S, K)


@exercise.wrong("numbers-mixed", "expanded before the batch")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    return kv.expand(n_query_heads // G, B, G, S, K).reshape(B, n_query_heads, S, K) + 0


@exercise.wrong("all-groups-fails", "nothing comes back")
def _(kv, n_query_heads):
    if n_query_heads > kv.shape[1]:
        return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.wrong("all-groups-fails", "one too many")
def _(kv, n_query_heads):
    return kv.repeat_interleave(max(2, n_query_heads // kv.shape[1]), dim=1)


@exercise.wrong("one-group-fails", "squeezed away")
def _(kv, n_query_heads):
    if kv.shape[1] == 1:
        return kv.squeeze(1)
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.wrong("one-group-fails", "left as it is")
def _(kv, n_query_heads):
    if kv.shape[1] == 1:
        return kv
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.wrong("not-expanded")
def _(kv, n_query_heads):
    return kv


@exercise.wrong("repeated-by-groups")
def _(kv, n_query_heads):
    return kv.repeat_interleave(kv.shape[1], dim=1)


@exercise.wrong("repeated-by-groups", "tiled")
def _(kv, n_query_heads):
    return kv.repeat(1, kv.shape[1], 1, 1)


@exercise.wrong("count-from-another-axis", "keys, at least 1")
def _(kv, n_query_heads):
    return kv.repeat_interleave(max(n_query_heads // kv.shape[2], 1), dim=1)


@exercise.wrong("count-from-another-axis", "keys")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[2], dim=1)


@exercise.wrong("count-from-another-axis", "batch")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[0], dim=1)


@exercise.wrong("count-from-another-axis", "width")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[-1], dim=1)


@exercise.wrong("upside-down")
def _(kv, n_query_heads):
    return kv.repeat_interleave(kv.shape[1] // n_query_heads, dim=1)


@exercise.wrong("not-an-int")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads / kv.shape[1], dim=1)


@exercise.wrong("not-an-int", "an index")
def _(kv, n_query_heads):
    shared = n_query_heads / kv.shape[1]
    return torch.stack([kv[:, h / shared] for h in range(n_query_heads)], dim=1)


@exercise.wrong("not-an-int", "a list times a float")
def _(kv, n_query_heads):
    return torch.cat([kv] * (n_query_heads / kv.shape[1]), dim=1)


@exercise.wrong("expand-needs-one")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    return kv.expand(B, n_query_heads, S, K)


@exercise.wrong("expand-needs-one", "-1 for what stays")
def _(kv, n_query_heads):
    return kv.expand(-1, n_query_heads, -1, -1)


@exercise.wrong("heads-first")
def _(kv, n_query_heads):
    shared = n_query_heads // kv.shape[1]
    return torch.stack([kv[:, h // shared] for h in range(n_query_heads)])


@exercise.wrong("joined-elsewhere")
def _(kv, n_query_heads):
    shared = n_query_heads // kv.shape[1]
    return torch.cat([kv[:, h // shared] for h in range(n_query_heads)], dim=1)


@exercise.wrong("joined-elsewhere", "the width")
def _(kv, n_query_heads):
    shared = n_query_heads // kv.shape[1]
    return torch.cat([kv[:, h // shared] for h in range(n_query_heads)], dim=-1)


@exercise.wrong("list-of-heads")
def _(kv, n_query_heads):
    shared = n_query_heads // kv.shape[1]
    return [kv[:, h // shared] for h in range(n_query_heads)]


@exercise.wrong("in-a-tuple")
def _(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1),


@exercise.wrong("wrong-offset")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    out = kv.new_zeros(B, n_query_heads, S, K)
    for g in range(G):
        out[:, g:g + n_query_heads // G] = kv[:, g:g + 1]
    return out


@exercise.wrong("width-cut")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    shared = n_query_heads // G
    return kv.reshape(B, G, S, shared, K // shared).transpose(2, 3).reshape(B, n_query_heads, S, K // shared)


@exercise.wrong("rounded")
def _(kv, n_query_heads):
    return kv[:, torch.linspace(0, kv.shape[1] - 1, n_query_heads).round().long()]


@exercise.wrong("dtype-fixed")
def _(kv, n_query_heads):
    B, G, S, K = kv.shape
    out = torch.zeros(B, n_query_heads, S, K)
    for h in range(n_query_heads):
        out[:, h] = kv[:, h // (n_query_heads // G)]
    return out


@exercise.wrong("dtype-fixed", "times a float32 matrix")
def _(kv, n_query_heads):
    return kv.float().repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.wrong("not-an-int", "a range")
def _(kv, n_query_heads):
    shared = n_query_heads / kv.shape[1]
    return torch.stack([kv[:, g] for g in range(kv.shape[1]) for _ in range(shared)], dim=1)


@exercise.wrong("rounded", "a fraction of the groups")
def _(kv, n_query_heads):
    G = kv.shape[1]
    return torch.stack([kv[:, min(G - 1, round(h * G / n_query_heads))] for h in range(n_query_heads)], dim=1)


@exercise.wrong("joined-elsewhere", "the batch")
def _(kv, n_query_heads):
    shared = n_query_heads // kv.shape[1]
    return torch.cat([kv[:, g:g + 1] for g in range(kv.shape[1]) for _ in range(shared)], dim=0)


@exercise.wrong("no-gradient")
def _(kv, n_query_heads):
    return kv.detach().repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.wrong("no-gradient", "torch.tensor")
def _(kv, n_query_heads):
    shared = n_query_heads // kv.shape[1]
    return torch.tensor([[item[h // shared].tolist() for h in range(n_query_heads)] for item in kv], dtype=kv.dtype)


@exercise.wrong("changes-input")
def _(kv, n_query_heads):
    with torch.no_grad():
        kv *= 3
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1) / 3


@exercise.wrong("returns-nothing")
def _(kv, n_query_heads):
    kv = kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.wrong("ready-made")
def _(kv, n_query_heads):
    from allyouneed import multihead
    return multihead.expand_kv(kv, n_query_heads)


@exercise.wrong("timeout")
def _(kv, n_query_heads):
    from time import sleep
    out = kv
    while out.shape[1] != n_query_heads:
        sleep(0.01)
    return out
