"""group_heads: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "group_heads",
    points={"groups of heads": 3, "one group, all groups, biases": 1},
    section="heads-into-groups",
)


@exercise.probes
def probes(make):
    def probe(name, n_heads, n_groups, d_head, *columns, dtype=torch.float32, group="groups of heads",
              **marks):
        return make.probe(name, make.randn(n_heads * d_head, *columns, dtype=dtype), n_heads, n_groups,
                          group=group,
                          **marks)

    yield probe("six heads, three groups", *make.pick((6, 3, 4, 5), (6, 3, 5, 7), (6, 3, 2, 7)),
                gradient=True)
    yield probe("six heads, two groups", *make.pick((6, 2, 4, 5), (6, 2, 5, 7), (6, 2, 7, 5)))
    yield probe("twelve heads, three groups", *make.pick((12, 3, 2, 7), (12, 3, 5, 7), (12, 3, 2, 11)))
    yield probe("eight heads, four groups", *make.pick((8, 4, 3, 5), (8, 4, 5, 3), (8, 4, 3, 7)),
                gradient=True)
    yield probe("heads as wide together as the model", *make.pick((6, 2, 3, 18), (6, 3, 4, 24),
                                                                  (8, 4, 3, 24)))
    yield probe("heads narrower together than the model", *make.pick((6, 3, 2, 30), (6, 2, 4, 35),
                                                                     (8, 2, 3, 49)))
    group = "one group, all groups, biases"
    yield probe("one group for all heads", *make.pick((6, 1, 2, 5), (8, 1, 3, 5), (4, 1, 5, 7)), group=group,
                edge=True)
    yield probe("a group for each head", *make.pick((3, 3, 4, 5), (4, 4, 5, 3), (5, 5, 2, 7)), group=group,
                edge=True)
    yield probe("heads of width 1", *make.pick((6, 3, 1, 5), (8, 2, 1, 7), (6, 2, 1, 4)), group=group,
                edge=True)
    yield probe("a model of width 1", *make.pick((4, 2, 2, 1), (6, 3, 2, 1), (6, 2, 3, 1)), group=group,
                edge=True)
    yield probe("a bias", *make.pick((6, 2, 5), (8, 4, 3), (6, 3, 4)), group=group, edge=True, gradient=True)
    yield probe("float64", 6, 2, 3, 5, dtype=torch.float64, group=group, edge=True)
    yield probe("not contiguous", 6, 3, 2, 5, group=group, edge=True, strided=True)
    yield probe("a real model's sizes", 12, 4, 32, 384, group=group, long=True)


@exercise.right
def reference(weight, n_heads, n_groups):
    shared = n_heads // n_groups
    return weight.unflatten(0, (n_groups, shared, -1)).mean(dim=1).flatten(0, 1)


@exercise.right("one group after the other")
def loop(weight, n_heads, n_groups):
    d_head = weight.shape[0] // n_heads
    heads = [weight[h * d_head : (h + 1) * d_head] for h in range(n_heads)]
    shared = n_heads // n_groups
    groups = []
    for g in range(n_groups):
        members = heads[g * shared : (g + 1) * shared]
        groups.append(sum(members) / len(members))
    return torch.cat(groups)


@exercise.right("four sizes")
def four_sizes(weight, n_heads, n_groups):
    inner, *rest = weight.shape
    d_head = inner // n_heads
    heads = weight.reshape(n_groups, n_heads // n_groups, d_head, *rest)
    return heads.mean(1).reshape(n_groups * d_head, *rest)


@exercise.right("a matrix that averages")
def matrix(weight, n_heads, n_groups):
    member = torch.eye(n_groups, dtype=weight.dtype).repeat_interleave(n_heads // n_groups, dim=1)
    average = member * n_groups / n_heads
    heads = weight.reshape(n_heads, -1)
    return (average @ heads).reshape(-1, *weight.shape[1:])


@exercise.right("added to its group")
def added(weight, n_heads, n_groups):
    heads = weight.reshape(n_heads, -1, *weight.shape[1:])
    group = torch.arange(n_heads) // (n_heads // n_groups)
    total = torch.zeros(n_groups, *heads.shape[1:], dtype=weight.dtype).index_add(0, group, heads)
    return (total / (n_heads // n_groups)).flatten(0, 1)


exercise.also_right(
    full("parts = weight.chunk(n_groups)\n"
         "return torch.cat([torch.stack(part.chunk(n_heads // n_groups)).mean(0) for part in parts])",
         "chunks of chunks"),
    full("d = len(weight) // n_heads\n"
         "s = n_heads // n_groups\n"
         "rows = [torch.stack([weight[(g * s + i) * d + k] for i in range(s)]).mean(0)\n"
         "        for g in range(n_groups) for k in range(d)]\n"
         "return torch.stack(rows)", "row by row"))


exercise.mistake("heads-in-turn", "heads-into-groups",
    "Heads are dealt out to the groups in turn: 0, G, 2G and so on share one. Consecutive heads share a "
    "group: the first H/G heads are group 0.",
    edit(reference, {"(n_groups, shared, -1)).mean(dim=1)": "(shared, n_groups, -1)).mean(dim=0)"}),
    edit(loop, {"heads[g * shared : (g + 1) * shared]": "heads[g::n_groups]"}, "a loop"),
    edit(added, {"// (n_heads // n_groups)\n": "% n_groups\n"}, "added"))

exercise.mistake("rows-averaged", "heads-into-groups",
    "Neighbouring rows of one head are averaged. A head keeps all its rows: row i of the result is the mean "
    "of the rows number i of the heads in its group.",
    edit(reference, {"(n_groups, shared, -1)).mean(dim=1)": "(n_groups, -1, shared)).mean(dim=2)"}),
    edit(four_sizes, {"n_heads // n_groups, d_head": "d_head, n_heads // n_groups", "mean(1)": "mean(2)"},
         "four sizes"))

exercise.mistake("width-averaged", "heads-into-groups",
    "The mean runs over the rows inside a head, so that a head becomes one row. Average over the heads of a "
    "group.",
    edit(reference, {"mean(dim=1)": "mean(dim=2)"}),
    edit(four_sizes, {"mean(1)": "mean(2)", "n_groups * d_head": "n_heads"}, "four sizes"))

exercise.mistake("not-averaged", "heads-into-groups",
    "One head of each group is kept, and the others are dropped. Take the mean over the heads of the group.",
    edit(reference, {".mean(dim=1)": "[:, 0]"}),
    edit(reference, {".mean(dim=1)": "[:, -1]"}, "the last"),
    edit(loop, {"sum(members) / len(members)": "members[0]"}, "a loop"),
    full("d_head = weight.shape[0] // n_heads\nreturn weight[: n_groups * d_head]", "the first heads of all"))

exercise.mistake("summed", "heads-into-groups",
    "These are sums. Keys that are H/G times as large make scores H/G times as large: divide by the number "
    "of heads in a group.",
    edit(reference, {"mean": "sum"}),
    edit(loop, {" / len(members)": ""}, "a loop"),
    edit(matrix, {" * n_groups / n_heads": ""}, "a matrix"))

exercise.mistake("divided-by-another-number", "heads-into-groups",
    "The sum over a group is divided by another number than that of its heads. H/G heads share a group.",
    edit(loop, {"len(members)": "n_heads"}, "by all heads"),
    edit(loop, {"len(members)": "n_groups"}),
    edit(added, {"total / (n_heads // n_groups)": "total / n_groups"}, "by the groups, added"),
    edit(added, {"total / (n_heads // n_groups)": "total / (n_heads // n_groups) ** 0.5"}, "by the root"))

exercise.mistake("groups-and-members", "heads-into-groups",
    "Number of groups and number of heads in a group are exchanged: H/G groups of G heads come back. There "
    "are G groups of H/G heads.",
    edit(reference, {"(n_groups, shared, -1)": "(shared, n_groups, -1)"}),
    edit(loop, {"shared = n_heads // n_groups": "shared = n_groups",
                "range(n_groups)": "range(n_heads // n_groups)"},
         "a loop"),
    edit(four_sizes,
         {"reshape(n_groups, n_heads // n_groups, d_head": "reshape(n_heads // n_groups, n_groups, d_head",
                      "n_groups * d_head": "-1"}, "four sizes"))

exercise.mistake("groups-overlap", "heads-into-groups",
    "Groups share heads, or all are made of the same ones: from one group to the next it goes on by another "
    "number than H/G heads. Group g has the heads g · H/G to (g + 1) · H/G.",
    edit(loop, {"g * shared : (g + 1) * shared": "g : g + shared"}),
    edit(loop, {"g * shared : (g + 1) * shared": ":shared"}, "the first heads each time"))

exercise.mistake("a-row-a-group", "heads-into-groups",
    "One row, or one number, is left of each group. The mean runs over the heads of a group, and the rows "
    "of a head stay apart.",
    full("return torch.stack([part.mean(0) for part in weight.chunk(n_groups)])"),
    full("return torch.stack([part.mean() for part in weight.chunk(n_groups)])", "a number"))

exercise.mistake("all-heads-mixed", "heads-into-groups",
    "Every group gets the mean over all heads. Average within each group.",
    full("mean = weight.unflatten(0, (n_heads, -1)).mean(0)\nreturn torch.cat([mean] * n_groups)"),
    full("return weight.unflatten(0, (n_heads, -1)).mean(0)", "one group comes back"))

exercise.mistake("still-all-heads", "heads-into-groups",
    "As many heads come back as before. Return each group once: (n_groups · d_head, d_model). The heads "
    "share it when the layer runs.",
    edit(reference, {".mean(dim=1)": ".mean(dim=1, keepdim=True).expand(-1, shared, *[-1] * weight.dim())",
                     ".flatten(0, 1)": ".flatten(0, 2)"}),
    edit(loop,
         {"groups.append(sum(members) / len(members))": "groups += [sum(members) / len(members)] * shared"},
         "a loop"))

exercise.mistake("columns-grouped", "heads-into-groups",
    "Columns are averaged. In nn.Linear's weight a row makes one output, so heads are blocks of rows; "
    "columns are the inputs, and stay.",
    full("return weight.unflatten(1, (n_groups, n_heads // n_groups, -1)).mean(2).flatten(1, 2)"),
    full("return weight.T.unflatten(0, (n_groups, n_heads // n_groups, -1)).mean(1).flatten(0, 1).T",
         "turned"),
    full("return weight.unflatten(-1, (n_groups, -1)).mean(-1)", "to groups"))

exercise.mistake("lies-on-its-side", "heads-into-groups",
    "The groups are right, but the result is transposed. Its rows are the outputs, like those of nn.Linear's "
    "weight: (n_groups · d_head, d_model).",
    edit(reference, {".flatten(0, 1)": ".flatten(0, 1).T"}),
    edit(loop, {"torch.cat(groups)": "torch.cat(groups).T"}, "a loop"),
    full("w = weight.T if weight.dim() == 2 else weight\n"
         "return w.reshape(len(w), n_groups, n_heads // n_groups, -1).mean(2).reshape(len(w), -1)",
         "left turned"))

exercise.mistake("width-of-a-head", "heads-into-groups",
    "The width of a head is computed from the model's width. It is free: divide the number of rows by the "
    "number of heads.",
    edit(four_sizes, {"inner // n_heads": "rest[0] // n_heads"}),
    edit(loop, {"weight.shape[0]": "weight.shape[1]"}, "a loop"))

exercise.mistake("rows-dealt-out", "heads-into-groups",
    "Rows are dealt out to the heads in turn. Head h owns the rows h · d_head to (h + 1) · d_head, which "
    "stand together.",
    edit(loop, {"weight[h * d_head : (h + 1) * d_head]": "weight[h::n_heads]"}))

exercise.mistake("widths-first", "heads-into-groups",
    "The rows of the result are in another order: row 0 of each group, then row 1. The rows of a group "
    "stand together.",
    edit(reference, {".mean(dim=1)": ".mean(dim=1).transpose(0, 1)"}),
    edit(loop, {"torch.cat(groups)": "torch.stack(groups, 1).flatten(0, 1)"}, "a loop"))

exercise.mistake("groups-apart", "heads-into-groups",
    "The groups have an axis of their own. Join groups and rows: (n_groups · d_head, d_model), or (n_groups "
    "· d_head,) for a bias.",
    edit(reference, {".flatten(0, 1)": ""}),
    edit(loop, {"torch.cat": "torch.stack"}, "stacked"),
    edit(loop, {"torch.cat(groups)": "groups"}, "a list"))

exercise.mistake("joined-along-columns", "heads-into-groups",
    "The groups are laid side by side along the columns. Put them one under the other: heads are blocks of "
    "rows.",
    edit(loop, {"torch.cat(groups)": "torch.cat(groups, dim=-1)"}))

exercise.mistake("groups-reversed", "heads-into-groups",
    "The groups come in reverse order. The first H/G heads are group 0.",
    edit(reference, {".mean(dim=1)": ".mean(dim=1).flip(0)"}))

exercise.mistake("bias-fails", "heads-into-groups",
    "It is wrong for a bias, which has one axis. Leave the axes behind the first one as they are, whether "
    "there is one or none.",
    edit(four_sizes, {"inner, *rest = weight.shape": "inner, d_model = weight.shape",
                      "n_heads // n_groups, d_head, *rest": "n_heads // n_groups, d_head, d_model",
                      "n_groups * d_head, *rest": "n_groups * d_head, d_model"}),
    edit(reference, {"return": "d_head, d_model = len(weight) // n_heads, weight.shape[-1]\nreturn",
                     ".unflatten(0, (n_groups, shared, -1))": ".reshape(n_groups, shared, d_head, d_model)"},
         "the last axis"),
    edit(four_sizes, {"d_head, *rest)\nreturn": "d_head, -1)\nreturn",
                      "n_groups * d_head, *rest)": "n_groups * d_head, -1)"}, "a column comes back"))

exercise.mistake("width-1-dropped", "heads-into-groups",
    "squeeze takes the columns' axis away where d_model is 1, so a weight comes back as a bias. Keep the "
    "axes behind the first one: weight.shape[1:].",
    edit(four_sizes, {"d_head, *rest)\nreturn": "d_head, -1)\nreturn",
                      "n_groups * d_head, *rest)": "n_groups * d_head, -1).squeeze()"}),
    edit(reference, {".flatten(0, 1)": ".flatten(0, 1).squeeze(-1)"}, "the last axis"))

exercise.mistake("bias-ungrouped", "heads-into-groups",
    "A bias comes back as it was. It has one number for each row of the weight, and these are averaged in "
    "the same groups.",
    edit(reference, {"shared = n_heads // n_groups": "if weight.dim() == 1:\n    return weight\n"
                                                     "shared = n_heads // n_groups"}),
    edit(loop, {"d_head = weight.shape[0] // n_heads": "if weight.dim() < 2:\n    return weight.clone()\n"
                                                       "d_head = weight.shape[0] // n_heads"}, "a loop"))

exercise.mistake("not-an-int", "heads-into-groups",
    "A quotient with / is a float in Python, and sizes must be ints. Divide with //.",
    edit(reference, {"//": "/"}),
    edit(four_sizes, {"inner // n_heads": "inner / n_heads"}, "four sizes"),
    edit(loop, {"weight.shape[0] // n_heads": "weight.shape[0] / n_heads"}, "a loop"))

exercise.mistake("dtype-fixed", "heads-into-groups",
    "The result does not have the dtype of the weight. Give new tensors the weight's dtype, and cast "
    "nothing.",
    edit(reference, {".mean(dim=1)": ".mean(dim=1).float()"}),
    edit(matrix, {"torch.eye(n_groups, dtype=weight.dtype)": "torch.eye(n_groups)"}, "a matrix"))

exercise.built_in("no-gradient", edit(reference, {"return weight": "return weight.detach()"}))

exercise.built_in("changes-input",
    full("heads = weight.detach().view(n_groups, n_heads // n_groups, -1, *weight.shape[1:])\n"
         "for i in range(1, n_heads // n_groups):\n"
         "    heads[:, 0] += heads[:, i]\n"
         "return (heads[:, 0] / (n_heads // n_groups)).flatten(0, 1)", "summed into the first head"))

exercise.built_in("returns-nothing", edit(reference, {"return": "weight ="}))

exercise.equal("no group takes the empty head after the last", {"range(n_heads)": "range(n_heads + 1)"})
exercise.equal("n_groups divides n_heads without a rest", {"n_heads // n_groups": "n_heads / n_groups"})
