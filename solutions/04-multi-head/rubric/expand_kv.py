"""expand_kv: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "expand_kv",
    points={"groups": 2, "one group, all groups, other layouts": 1},
    section="expanding-keys",
)


@exercise.probes
def probes(make):
    def probe(name, batch, n_groups, n_keys, width, n_heads, dtype=torch.float32, group="groups", **marks):
        return make.probe(name, make.randn(batch, n_groups, n_keys, width, dtype=dtype), n_heads, group=group,
                          **marks)

    yield probe("two groups, four heads", 1, 2, 3, 2, 4, gradient=True)
    yield probe("three groups, six heads", *make.pick((2, 3, 2, 4, 6), (2, 3, 4, 2, 6), (3, 3, 2, 4, 6)))
    yield probe("three groups, nine heads", *make.pick((1, 3, 2, 2, 9), (2, 3, 2, 1, 9), (1, 3, 4, 2, 9)),
                gradient=True)
    yield probe("four groups, twelve heads", *make.pick((1, 4, 2, 3, 12), (1, 4, 3, 2, 12), (1, 4, 2, 5, 12)))
    yield probe("two groups, six heads", 1, 2, 2, 3, 6, edge=True)
    group = "one group, all groups, other layouts"
    yield probe("one group for all heads", *make.pick((2, 1, 3, 2, 4), (2, 1, 2, 3, 5), (3, 1, 2, 4, 3)),
                group=group, edge=True)
    yield probe("a group for each head", *make.pick((2, 3, 2, 4, 3), (2, 4, 3, 2, 4), (3, 2, 4, 3, 2)),
                group=group, edge=True)
    yield probe("float64", 1, 2, 3, 2, 4, dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", 2, 2, 3, 2, 4, group=group, edge=True, strided=True)
    yield probe("a long sequence", 1, 2, 150, 2, 4, group=group, long=True)


@exercise.right
def reference(kv, n_query_heads):
    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1)


@exercise.right("expand and flatten")
def expand_flatten(kv, n_query_heads):
    B, G, S, K = kv.shape
    return kv[:, :, None].expand(B, G, n_query_heads // G, S, K).reshape(B, n_query_heads, S, K)


@exercise.right("heads stacked one by one")
def heads_stacked(kv, n_query_heads):
    return torch.stack([kv[:, int(h / (n_query_heads / kv.shape[1]))] for h in range(n_query_heads)], dim=1)


exercise.also_right(
    full("shared = n_query_heads // kv.size(1)\n"
         "return kv[:, torch.arange(n_query_heads) // shared]", "an index of groups"),
    full("groups = [g for g in range(kv.shape[1]) for _ in range(n_query_heads // kv.shape[1])]\n"
         "return torch.index_select(kv, 1, torch.tensor(groups))", "index_select with a list"),
    full("B, G, S, K = kv.shape\n"
         "times = n_query_heads // G\n"
         "return kv.repeat(1, times, 1, 1).reshape(B, times, G, S, K).transpose(1, 2).flatten(1, 2)",
         "tiled, then put in order"),
    full("choose = torch.eye(kv.shape[1], dtype=kv.dtype).repeat_interleave(n_query_heads // "
         "kv.shape[1], dim=0)\n"
         'return torch.einsum("hg,bgsk->bhsk", choose, kv)', "times a matrix of zeros and ones"),
    full("times = n_query_heads // kv.shape[1]\n"
         "if times == 1:\n"
         "    return kv\n"
         "return torch.stack([kv] * times, dim=2).flatten(1, 2)", "stack and flatten, early return"))


exercise.mistake("tiled", "expanding-keys",
    "The groups follow each other in turn: head 0 uses group 0, head 1 group 1. Neighbouring heads share a "
    "group: repeat each group H/G times before the next one comes (repeat_interleave, not repeat).",
    full("return kv.repeat(1, n_query_heads // kv.shape[1], 1, 1)"))

exercise.mistake("reversed", "expanding-keys",
    "The groups come in reverse order. The first H/G heads use group 0.",
    edit(reference, {"return kv": "return kv.flip(1)"}))

exercise.mistake("wrong-axis", "expanding-keys",
    "An axis other than that of the groups is repeated. The groups are axis 1 of (batch, groups, keys, "
    "width).",
    edit(reference, {"dim=1": "dim=0"}, "the batch"),
    edit(reference, {"dim=1": "dim=2"}, "the keys"),
    edit(reference, {"dim=1": "dim=-1"}, "the width"),
    full("return kv.repeat(1, 1, n_query_heads // kv.shape[1], 1)", "the keys, tiled"))

exercise.mistake("no-axis", "expanding-keys",
    "Without an axis, repeat_interleave flattens the tensor. Name the axis of the groups.",
    edit(reference, {", dim=1": ""}))

exercise.mistake("repeated-too-often", "expanding-keys",
    "Each group is repeated once for every query head. Repeat it H/G times, so that there are H heads in "
    "the end.",
    edit(reference, {" // kv.shape[1]": ""}),
    full("return kv.repeat(1, n_query_heads, 1, 1)", "tiled"))

exercise.mistake("divides-by-groups", "grouped-query",
    "Head h uses group h // G here. The number of heads that share a group is H/G, so divide by that.",
    edit(heads_stacked, {"int(h / (n_query_heads / kv.shape[1]))": "h // kv.shape[1]"}),
    full("G = kv.shape[1]\n"
         "return kv[:, (torch.arange(n_query_heads) // G).clamp(max=G - 1)]", "the last group for the rest"),
    full("return kv[:, torch.arange(n_query_heads) // kv.shape[1]]", "index"))

exercise.mistake("one-group-for-all", "grouped-query",
    "All heads use one group. Head h uses group h // (H/G).",
    full("return kv[:, :1].expand(-1, n_query_heads, -1, -1)"),
    full("return kv[:, -1:].repeat(1, n_query_heads, 1, 1)", "the last"))

exercise.mistake("groups-mixed", "grouped-query",
    "The groups are added or averaged. Each head uses exactly one group as it is.",
    full("return kv.mean(dim=1, keepdim=True).expand(-1, n_query_heads, -1, -1)"),
    full("return kv.sum(dim=1, keepdim=True).repeat(1, n_query_heads, 1, 1)", "summed"))

exercise.mistake("padded", "grouped-query", "Some heads get zeros. Every head uses the keys of its group.",
    full("out = kv.new_zeros(kv.shape[0], n_query_heads, *kv.shape[2:])\n"
         "out[:, :kv.shape[1]] = kv\n"
         "return out"),
    full("out = torch.zeros(kv.shape[0], n_query_heads, *kv.shape[2:], dtype=kv.dtype)\n"
         "out[:, ::n_query_heads // kv.shape[1]] = kv\n"
         "return out", "the first head of a group only"))

exercise.mistake("last-group-repeated", "grouped-query",
    "Only one group is repeated until there are enough heads. Each group serves H/G neighbouring heads.",
    full("return torch.cat([kv, kv[:, -1:].expand(-1, n_query_heads - kv.shape[1], -1, -1)], dim=1)"),
    full("return torch.cat([kv[:, :1].expand(-1, n_query_heads - kv.shape[1], -1, -1), kv], dim=1)",
         "the first group"))

exercise.mistake("groups-apart", "expanding-keys",
    "Groups and the heads in a group stand on two axes. Join them: (batch, H, keys, width).",
    edit(expand_flatten, {".reshape(B, n_query_heads, S, K)": ""}),
    full("return torch.stack([kv] * (n_query_heads // kv.shape[1]), dim=1)", "stacked in front"))

exercise.mistake("numbers-mixed", "expanding-keys",
    "The numbers of a group's keys are spread over other heads or keys by a reshape. Add an axis after the "
    "groups, expand it, and join these two axes alone.",
    edit(expand_flatten, {"[:, :, None]": ".unsqueeze(3)", "n_query_heads // G, S": "S, n_query_heads // G"}),
    edit(expand_flatten, {"[:, :, None]": ".unsqueeze(-1)",
                          "n_query_heads // G, S, K": "S, K, n_query_heads // G"}, "expanded at the end"),
    edit(expand_flatten, {"[:, :, None]": "",
                          "B, G, n_query_heads // G": "n_query_heads // G, B, G"},
         "expanded before the batch"))

exercise.mistake("all-groups-fails", "grouped-query",
    "It is wrong where every head has its own group (H = G). Then nothing is to be repeated: return the "
    "same numbers.",
    full("if n_query_heads > kv.shape[1]:\n"
         "    return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1)", "nothing comes back"),
    full("return kv.repeat_interleave(max(2, n_query_heads // kv.shape[1]), dim=1)", "one too many"))

exercise.mistake("one-group-fails", "grouped-query",
    "It is wrong where all heads share one group (G = 1). Nothing about this case is special: repeat the "
    "group H times.",
    edit(reference, {"return": "if kv.shape[1] == 1:\n"
                               "    return kv.squeeze(1)\n"
                               "return"}, "squeezed away"),
    edit(reference, {"return": "if kv.shape[1] == 1:\n"
                               "    return kv\n"
                               "return"}, "left as it is"))

exercise.mistake("not-expanded", "expanding-keys",
    "The groups come back as they are. Every query head needs keys: repeat each group H/G times.",
    full("return kv"))

exercise.mistake("repeated-by-groups", "expanding-keys",
    "Each group comes as often as there are groups. The number of heads that share a group is H/G.",
    edit(reference, {"n_query_heads //": ""}),
    full("return kv.repeat(1, kv.shape[1], 1, 1)", "tiled"))

exercise.mistake("count-from-another-axis", "expanding-keys",
    "The number of groups is read from another axis. The groups are axis 1 of (batch, groups, keys, width).",
    full("return kv.repeat_interleave(max(n_query_heads // kv.shape[2], 1), dim=1)", "keys, at least 1"),
    edit(reference, {"shape[1]": "shape[2]"}, "keys"),
    edit(reference, {"shape[1]": "shape[0]"}, "batch"),
    edit(reference, {"shape[1]": "shape[-1]"}, "width"))

exercise.mistake("upside-down", "expanding-keys",
    "G // H is 0 where heads share a group: the fraction is upside down. H // G heads share one.",
    edit(reference, {"n_query_heads // kv.shape[1]": "kv.shape[1] // n_query_heads"}))

exercise.mistake("not-an-int", "expanding-keys",
    "H / G is a float in Python, and a number of repeats must be an int. Divide with //.",
    edit(reference, {"// kv": "/ kv"}),
    edit(heads_stacked, {"return": "shared = n_query_heads / kv.shape[1]\nreturn",
                         "int(h / (n_query_heads / kv.shape[1]))": "h / shared"}, "an index"),
    full("return torch.cat([kv] * (n_query_heads / kv.shape[1]), dim=1)", "a list times a float"),
    full("shared = n_query_heads / kv.shape[1]\n"
         "return torch.stack([kv[:, g] for g in range(kv.shape[1]) for _ in range(shared)], dim=1)",
         "a range"))

exercise.mistake("expand-needs-one", "expanding-keys",
    "expand repeats axes of size 1 only. Add such an axis after the groups first, or use a function that "
    "repeats.",
    edit(expand_flatten, {"[:, :, None]": "", "(B, G, n_query_heads // G, S, K).reshape": ""}),
    full("return kv.expand(-1, n_query_heads, -1, -1)", "-1 for what stays"))

exercise.mistake("heads-first", "expanding-keys",
    "The heads stand before the batch. The result is (batch, H, keys, width).",
    edit(heads_stacked, {", dim=1": ""}))

exercise.mistake("joined-elsewhere", "expanding-keys",
    "The heads are joined along an axis that is not theirs. Axis 1 is that of the heads: (batch, H, keys, "
    "width).",
    edit(heads_stacked, {"stack": "cat"}),
    edit(heads_stacked, {"stack": "cat", "dim=1": "dim=- 1"}, "the width"),
    full("shared = n_query_heads // kv.shape[1]\n"
         "return torch.cat([kv[:, g:g + 1] for g in range(kv.shape[1]) for _ in range(shared)], dim=0)",
         "the batch"))

exercise.mistake("list-of-heads", "expanding-keys",
    "The heads come as a list. Return one tensor (batch, H, keys, width).",
    edit(heads_stacked, {" torch.stack(": "", ", dim=1)": ""}))

exercise.mistake("in-a-tuple", "expanding-keys",
    "A tuple with one tensor in it comes back. Look for a comma after the result, or for brackets that "
    "hold one.",
    edit(reference, {"dim=1)": "dim=1),"}))

exercise.mistake("wrong-offset", "expanding-keys",
    "Group g is written from head g on. It serves the H/G heads from g · H/G on.",
    full("B, G, S, K = kv.shape\n"
         "out = kv.new_zeros(B, n_query_heads, S, K)\n"
         "for g in range(G):\n"
         "    out[:, g:g + n_query_heads // G] = kv[:, g:g + 1]\n"
         "return out"))

exercise.mistake("width-cut", "grouped-query",
    "The keys are cut along their width. Every head of a group gets its keys whole.",
    full("B, G, S, K = kv.shape\n"
         "shared = n_query_heads // G\n"
         "return kv.reshape(B, G, S, shared, K // shared).transpose(2, 3).reshape(B, n_query_heads, S, K "
         "// shared)"))

exercise.mistake("rounded", "grouped-query",
    "The group is found by rounding a fraction of the heads. Head h uses group h // (H/G), for all sizes.",
    full("return kv[:, torch.linspace(0, kv.shape[1] - 1, n_query_heads).round().long()]"),
    full("G = kv.shape[1]\n"
         "return torch.stack([kv[:, min(G - 1, round(h * G / n_query_heads))] for h in "
         "range(n_query_heads)], dim=1)", "a fraction of the groups"))

exercise.mistake("dtype-fixed", "expanding-keys",
    "The result does not have the dtype of the input. Give new tensors the dtype of kv, and cast nothing.",
    edit(reference, {"return kv": "return kv.float()"}))

exercise.built_in("no-gradient",
    edit(reference, {"return kv": "return kv.detach()"}))

exercise.built_in("changes-input",
    edit(reference, {"return": "with torch.no_grad():\n"
                               "    kv *= 3\n"
                               "return",
                     "dim=1)": "dim=1) / 3"}))

exercise.built_in("returns-nothing",
    edit(reference, {"return": "kv ="}))

exercise.built_in("ready-made",
    full("from allyouneed.nn import multihead\nreturn multihead.expand_kv(kv, n_query_heads)"))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "out = kv\n"
         "while out.shape[1] != n_query_heads:\n"
         "    sleep(0.01)\n"
         "return out"))


exercise.equal("the first of two axes is the one before the last", {"dim=0": "dim=-2"})
exercise.equal("the way without copies is a shortcut alone", {"times == 1": ("False", "times == 0")})
