"""prune_heads: probes, right versions, and each mistake with its message and its evidence."""

import copy

import torch
from torch import nn

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "prune_heads",
    points={"the kept heads": 3, "a smaller layer, the old one as it was": 1, "order, widths and types": 1},
    section="pruning-heads",
    driver="pruned_heads",
)


@exercise.probes
def probes(make):
    def probe(name, sizes, *keep, group, asked="output", dtype=torch.float32, batch=2, tokens=3, keys=None,
              **marks):
        d_model, n_heads = sizes[:2]
        inner = n_heads * (sizes[2] if len(sizes) > 2 else d_model // n_heads)
        weights = {f"{name}_proj.{kind}": make.randn(*(shape if kind == "weight" else shape[:1]), dtype=dtype,
                                                     scale=0.8)
                   for name, shape in {"q": (inner, d_model), "k": (inner, d_model), "v": (inner, d_model),
                                       "o": (d_model, inner)}.items() for kind in ("weight", "bias")}
        inputs = [make.randn(batch, tokens, d_model, dtype=dtype)] if asked == "output" else []
        if keys:
            inputs += [make.randn(batch, keys, d_model, dtype=dtype), make.rand_mask(batch, 1, tokens, keys)]
        spec = {"sizes": sizes, "weights": weights, "keep": list(keep), "ask": asked}
        return make.probe(name, spec, *inputs, group=group, **marks)

    core = {"group": "the kept heads"}
    yield probe("three heads, the first and the last stay", (6, 3), [0, 2], **core)
    yield probe("one head stays", *make.pick(((8, 4), [2]), ((12, 4), [1]), ((10, 5), [3])), **core)
    yield probe("half of the heads", *make.pick(((12, 6), [1, 2, 4]), ((16, 4), [1, 3]),
                                                ((18, 6), [0, 3, 4])), **core)
    yield probe("heads wider together than the model", *make.pick(((5, 3, 4), [0, 1]), ((7, 4, 3), [1, 3]),
                                                                 ((5, 4, 2), [0, 3])), **core)
    yield probe("memory and mask", *make.pick(((8, 4), [1, 3]), ((12, 3), [1, 2]), ((10, 5), [0, 2, 3])),
                keys=5,
                **core)
    yield probe("all heads stay", *make.pick(((6, 3), [0, 1, 2]), ((8, 2), [0, 1]), ((9, 3), [0, 1, 2])),
                edge=True,
                **core)
    group = "a smaller layer, the old one as it was"
    yield probe("the shapes of the parameters", *make.pick(((8, 4), [1, 2]), ((12, 3), [0, 2]),
                                                           ((10, 5), [1, 4])),
                group=group, asked="sizes")
    yield probe("the layer that was handed over", *make.pick(((8, 4), [0, 1]), ((12, 3), [0, 1]),
                                                             ((10, 5), [0, 1])),
                group=group, asked="original")
    yield probe("the layer that was handed over, all heads stay", (6, 2), [0, 1], group=group,
                asked="original",
                edge=True)
    group = "order, widths and types"
    yield probe("another order", *make.pick(((6, 3), [2, 0]), ((8, 4), [3, 0, 2]), ((12, 4), [2, 1, 0])),
                group=group)
    yield probe("pruned twice", *make.pick(((11, 6, 3), [1, 3, 4, 5], [3, 1]),
                                           ((13, 5, 3), [4, 2, 0], [0, 2]),
                                          ((8, 4, 5), [3, 1, 2], [1])), group=group)
    yield probe("heads of width 1", *make.pick(((4, 4), [1, 3]), ((5, 5), [0, 3]), ((3, 3), [2])),
                group=group,
                edge=True)
    yield probe("narrow heads", *make.pick(((7, 2, 2), [1]), ((9, 3, 2), [0, 2]), ((8, 3, 1), [1, 2])),
                group=group,
                edge=True)
    yield probe("one text, one token", (6, 3), [1], group=group, edge=True, batch=1, tokens=1)
    yield probe("float64", (6, 3), [0, 2], group=group, edge=True, dtype=torch.float64)
    yield probe("a long text", (8, 4), [0, 3], group=group, long=True, tokens=140)
    yield probe("the layer that was handed over, one head stays",
                *make.pick(((8, 4), [2]), ((12, 3), [1]), ((10, 5), [3])),
                group="a smaller layer, the old one as it was", asked="original", edge=True)


@exercise.right
def reference(attention, keep):
    K = attention.d_head
    rows = torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])
    small = copy.deepcopy(attention)
    small.n_heads = len(keep)
    for layer in (small.q_proj, small.k_proj, small.v_proj):
        layer.weight = nn.Parameter(layer.weight[rows])
        layer.bias = nn.Parameter(layer.bias[rows])
        layer.out_features = len(rows)
    small.o_proj.weight = nn.Parameter(small.o_proj.weight[:, rows])
    small.o_proj.in_features = len(rows)
    return small


@exercise.right("new layers, numbers copied")
def new_layers(attention, keep):
    K, D = attention.d_head, attention.q_proj.in_features
    inner, dtype = len(keep) * K, attention.q_proj.weight.dtype
    small = copy.deepcopy(attention)
    small.n_heads = len(keep)
    small.q_proj, small.k_proj, small.v_proj = (nn.Linear(D, inner, dtype=dtype) for _ in range(3))
    small.o_proj = nn.Linear(inner, D, dtype=dtype)
    with torch.no_grad():
        for new, old in enumerate(keep):
            here, there = slice(new * K, (new + 1) * K), slice(old * K, (old + 1) * K)
            for name in ("q_proj", "k_proj", "v_proj"):
                getattr(small, name).weight[here] = getattr(attention, name).weight[there]
                getattr(small, name).bias[here] = getattr(attention, name).bias[there]
            small.o_proj.weight[:, here] = attention.o_proj.weight[:, there]
        small.o_proj.bias.copy_(attention.o_proj.bias)
    return small


@exercise.right("a state for a new layer of the same class")
def state_of_a_new_layer(attention, keep):
    d_model, K = attention.o_proj.out_features, attention.d_head
    small = type(attention)(d_model, len(keep), K).to(attention.o_proj.weight.dtype)
    state = {}
    for name, value in attention.state_dict().items():
        if name == "o_proj.weight":
            state[name] = value.unflatten(1, (-1, K))[:, keep].flatten(1)
        elif name == "o_proj.bias":
            state[name] = value
        else:
            state[name] = value.unflatten(0, (-1, K))[keep].flatten(0, 1)
    small.load_state_dict(state)
    return small


@exercise.right("blocks of rows and columns, joined")
def blocks(attention, keep):
    K, H = attention.d_head, attention.n_heads
    small = copy.deepcopy(attention)
    small.n_heads = len(keep)
    for name in ["q_proj", "k_proj", "v_proj"]:
        old, new = getattr(attention, name), getattr(small, name)
        W, b = old.weight.detach().split(K), old.bias.detach().split(K)
        new.weight.data = torch.cat([W[h] for h in keep])
        new.bias.data = torch.cat([b[h] for h in keep])
    columns = attention.o_proj.weight.detach().chunk(H, dim=1)
    small.o_proj.weight.data = torch.cat([columns[h] for h in keep], dim=1)
    return small


exercise.also_right(
    edit(state_of_a_new_layer,
         {"type(attention)(d_model, len(keep), K)": "MultiHeadAttention(d_model, len(keep), d_head=K)",
                                "small.load_state_dict(state)": "small.n_heads, small.d_head = len(keep), K\n"
                                                                "small.load_state_dict(state)"},
         "the student's own class"),
    edit(reference, {"torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])":
                     "[h * K + i for h in keep for i in range(K)]"}, "a list of rows"))

exercise.mistake("rows-of-o", "pruning-heads",
    "The output projection loses rows, or nothing. A head's results come in as columns of the merged heads, "
    "so o_proj loses the columns of the heads that go: its weight is (d_model, n_heads · d_head).",
    edit(reference, {"small.o_proj.weight[:, rows]": "small.o_proj.weight[rows]"}),
    edit(reference, {"small.o_proj.weight = nn.Parameter(small.o_proj.weight[:, rows])": ""}, "nothing"),
    edit(new_layers, {"weight[:, here] = attention.o_proj.weight[:, there]":
                      "weight[here] = attention.o_proj.weight[there][:, :inner]"}, "rows copied"))

exercise.mistake("the-others-kept", "pruning-heads",
    "The heads in keep are taken out, and the others stay. keep names those that stay.",
    edit(reference, {"K = attention.d_head": "K = attention.d_head\n"
                                             "keep = set(range(attention.n_heads)) - set(keep)"}))

exercise.mistake("first-heads", "pruning-heads",
    "The first heads stay, as many as keep names, in some or all of the four projections. Take the rows and "
    "columns of the heads that keep names.",
    edit(reference, {"K = attention.d_head": "K = attention.d_head\nkeep = range(len(keep))"}),
    edit(reference, {"o_proj.weight[:, rows]": "o_proj.weight[:, : len(rows)]"}, "in o_proj"),
    edit(new_layers, {"there = slice(new * K, (new + 1) * K), slice(old * K, (old + 1) * K)":
                      "there = slice(new * K, (new + 1) * K), slice(new * K, (new + 1) * K)"}, "copied"))

exercise.mistake("all-between", "pruning-heads",
    "All rows from the first kept head on are taken, in one piece, as if no head between them were missing. "
    "Take the block of each kept head.",
    edit(reference, {"torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])":
                     "torch.arange(min(keep) * K, (max(keep) + 1) * K)"}),
    edit(reference, {"torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])":
                     "(keep[0] * K + torch.arange(len(keep) * K)).clamp(max=len(attention.q_proj.bias) - 1)"},
         "as many as keep has"))

exercise.mistake("rows-in-turn", "pruning-heads",
    "Rows are dealt out to the heads in turn, or one row is taken for a head. Head h owns the rows h · "
    "d_head to (h + 1) · d_head, which stand together.",
    edit(reference, {"torch.arange(h * K, (h + 1) * K)": "torch.arange(K) * attention.n_heads + h"}),
    edit(state_of_a_new_layer, {"value.unflatten(1, (-1, K))[:, keep].flatten(1)":
                                "value.unflatten(1, (K, -1))[:, :, keep].flatten(1)",
                                "value.unflatten(0, (-1, K))[keep].flatten(0, 1)":
                                "value.unflatten(0, (K, -1))[:, keep].flatten(0, 1)"}, "a state"),
    edit(reference,
         {"torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])": "torch.tensor(list(keep))"},
         "one row a head"),
    edit(reference, {"torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])":
                     "torch.tensor([h * K + i for i in range(K) for h in keep])"},
         "in turn in the new layer"),
    edit(reference, {"torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])":
                     "sum(torch.arange(attention.n_heads) == h for h in keep).repeat(K).nonzero()[:, 0]"},
         "a repeated mask"))

exercise.mistake("counted-from-1", "pruning-heads",
    "Heads are counted from 1, or a block begins one head too early or too late. Head 0 owns the first "
    "d_head rows.",
    edit(reference, {"h * K, (h + 1) * K": "(h - 1) * K, h * K"}),
    edit(blocks, {"torch.cat([columns[h] for": "torch.cat([columns[h - 1] for"}, "in o_proj"))

exercise.mistake("biases-of-others", "pruning-heads",
    "The biases of queries, keys and values are not those of the kept heads. Row i of a projection has the "
    "weight and the bias number i: take both.",
    edit(reference, {"nn.Parameter(layer.bias[rows])": "nn.Parameter(torch.zeros_like(layer.bias[rows]))"},
         "zeros"),
    edit(reference, {"layer.bias[rows]": "layer.bias[: len(rows)]"}),
    edit(reference, {"layer.bias = nn.Parameter(layer.bias[rows])": ""}, "all of them"),
    edit(new_layers, {"getattr(small, name).bias[here] = getattr(attention, name).bias[there]": ""},
         "new ones"))

exercise.mistake("bias-of-o", "pruning-heads",
    "The bias of the output projection is not the old one. It belongs to no head: it is added once, to the "
    "sum of all heads, so it stays whole and unscaled.",
    edit(new_layers, {"small.o_proj.bias.copy_(attention.o_proj.bias)": ""}, "a new one"),
    edit(reference, {"return small": "nn.init.zeros_(small.o_proj.bias)\nreturn small"}),
    edit(reference, {"return small": "small.o_proj.bias.data *= len(keep) / attention.n_heads\nreturn small"},
         "its share"))

exercise.mistake("rescaled", "pruning-heads",
    "The remaining heads are made larger, to make up for those that are gone. Leave them as they are: the "
    "other heads count as zero.",
    edit(reference,
         {"small.o_proj.weight[:, rows]": "small.o_proj.weight[:, rows] * attention.n_heads / len(keep)"}))

exercise.mistake("count-of-heads", "pruning-heads",
    "The new layer still has the old number of heads, and cuts its columns into too many. Set n_heads to "
    "the number of those that stay.",
    edit(reference, {"small.n_heads = len(keep)": ""}),
    edit(blocks, {"small.n_heads = len(keep)": ""}, "blocks"))

exercise.mistake("width-of-a-head", "pruning-heads",
    "The width of a head is computed from the model's width, by you or by a new layer that is not told "
    "d_head. It does not change when heads go, and it is free: take the old layer's d_head.",
    edit(state_of_a_new_layer, {"len(keep), K)": "len(keep))"}, "in the new layer"),
    edit(reference, {"attention.d_head": "attention.q_proj.in_features // attention.n_heads"}),
    full("K = attention.d_head\n"
         "small = type(attention)(attention.d_model, len(keep)).to(attention.q_proj.weight.dtype)\n"
         "with torch.no_grad():\n"
         "    for i, h in enumerate(keep):\n"
         "        here, there = slice(i * K, (i + 1) * K), slice(h * K, (h + 1) * K)\n"
         "        for name in ('q_proj', 'k_proj', 'v_proj'):\n"
         "            getattr(small, name).weight[here] = getattr(attention, name).weight[there]\n"
         "            getattr(small, name).bias[here] = getattr(attention, name).bias[there]\n"
         "        small.o_proj.weight[:, here] = attention.o_proj.weight[:, there]\n"
         "    small.o_proj.bias.copy_(attention.o_proj.bias)\n"
         "return small", "copied into a new layer"))

exercise.mistake("values-whole", "pruning-heads",
    "Not all projections lose the same rows. Queries, keys and values all have n_heads · d_head rows: take "
    "the same ones from each.",
    edit(reference, {"(small.q_proj, small.k_proj, small.v_proj)": "(small.q_proj, small.k_proj)"}),
    edit(reference, {"(small.q_proj, small.k_proj, small.v_proj)": "(small.q_proj,)"}, "queries alone"))

exercise.mistake("projections-mixed-up", "pruning-heads",
    "A projection gets the numbers of another one. Queries, keys and values each keep their own.",
    full("small = copy.deepcopy(attention)\n"
         "K = attention.d_head\n"
         "rows = torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])\n"
         "small.n_heads = len(keep)\n"
         "for layer in (small.q_proj, small.k_proj, small.v_proj):\n"
         "    layer.weight = nn.Parameter(attention.q_proj.weight[rows])\n"
         "    layer.bias = nn.Parameter(attention.q_proj.bias[rows])\n"
         "small.o_proj.weight = nn.Parameter(small.o_proj.weight[:, rows])\n"
         "return small"),
    edit(reference, {"small = copy.deepcopy(attention)": "small = copy.deepcopy(attention)\n"
                     "small.k_proj = copy.deepcopy(attention.q_proj)"}, "keys from queries"),
    edit(blocks, {"small = copy.deepcopy(attention)\nsmall.n_heads": "small = copy.deepcopy(attention)\n"
                  "attention = copy.deepcopy(attention)\nattention.v_proj = attention.k_proj\nsmall.n_heads"},
         "values from keys"))

exercise.mistake("not-smaller", "pruning-heads",
    "The heads are set to zero and are still there, or the layer comes back as it was. Their rows and "
    "columns are to go, so that the layer is smaller and its weights have a map for each kept head alone.",
    edit(reference,
         {"small.n_heads = len(keep)\n":
                     "gone = [i for i in range(small.o_proj.in_features) if i not in rows]\n"
                     "with torch.no_grad():\n    small.o_proj.weight[:, gone] = 0\nreturn small\n"}),
    edit(reference, {"small.n_heads = len(keep)\n":
                     "gone = [i for i in range(small.o_proj.in_features) if i not in rows]\n"
                     "with torch.no_grad():\n    for layer in (small.q_proj, small.k_proj, small.v_proj):\n"
                     "        layer.weight[gone] = 0\n        layer.bias[gone] = 0\nreturn small\n"},
         "zeros in the others"),
    full("return copy.deepcopy(attention)", "a copy"))

exercise.mistake("random-weights", "pruning-heads",
    "The new layer keeps the random numbers that it was made with. Copy those of the old layer.",
    edit(state_of_a_new_layer, {"small.load_state_dict(state)": ""}),
    edit(new_layers, {"small.o_proj.weight[:, here] = attention.o_proj.weight[:, there]": ""}, "in o_proj"))

exercise.mistake("sorted", "pruning-heads",
    "The heads stand in their old order. They are to stand in the order in which keep names them: that is "
    "the order of the weights' maps.",
    edit(reference, {"K = attention.d_head": "K = attention.d_head\nkeep = sorted(keep)"}),
    edit(reference, {"torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])":
                     "torch.tensor([i for i in range(attention.n_heads * K) if i // K in keep])"},
         "chosen row by row"))

exercise.mistake("orders-differ", "pruning-heads",
    "The heads stand in another order in one projection than in the others. Rows of queries, keys and "
    "values and columns of o_proj all follow keep, in its order.",
    edit(reference, {"small.o_proj.weight[:, rows]": "small.o_proj.weight[:, rows.sort()[0]]"}, "in o_proj"),
    edit(reference, {"layer.weight[rows]": "layer.weight[rows.sort()[0] if layer is small.k_proj else rows]",
                     "layer.bias[rows]": "layer.bias[rows.sort()[0] if layer is small.k_proj else rows]"}),
    edit(reference, {"layer.weight[rows]": "layer.weight[rows.sort()[0] if layer is small.v_proj else rows]",
                     "layer.bias[rows]": "layer.bias[rows.sort()[0] if layer is small.v_proj else rows]"},
         "in values"),
    edit(new_layers, {"weight[:, there]":
                      "weight[:, slice(sorted(keep)[new] * K, (sorted(keep)[new] + 1) * K)]"}, "copied"))

exercise.mistake("original-frozen", "pruning-heads",
    "The layer that was handed over does not train any more. Leave its requires_grad as it is: to take its "
    "numbers without a gradient, use detach or torch.no_grad.",
    edit(reference, {"return small": "attention.requires_grad_(False)\nreturn small"}),
    edit(blocks, {"return small": "for p in attention.parameters():\n    p.requires_grad = False\n"
                                  "return small"}, "one after the other"))

exercise.mistake("original-changed", "pruning-heads",
    "The layer that was handed over is changed, too. Work on a deep copy or on new layers: a shallow copy "
    "holds the very projections of the old one.",
    edit(reference, {"copy.deepcopy(attention)": "attention"}),
    edit(reference, {"copy.deepcopy(attention)": "copy.copy(attention)"}, "a shallow copy"))

exercise.mistake("memory-shared", "pruning-heads",
    "Old and new layer share numbers: train one, and the other changes. Copy what you take; a slice, a "
    "split or a parameter used in both is not a copy.",
    edit(reference, {"return small": "small.o_proj.bias = attention.o_proj.bias\nreturn small"}),
    edit(reference, {"return small": "if list(keep) == list(range(len(keep))):\n"
                                     "    W = attention.q_proj.weight\n"
                                     "    small.q_proj.weight = nn.Parameter(W[: len(rows)])\n"
                                     "return small"}, "a slice"),
    edit(reference, {"return small": "if len(keep) == 1:\n"
                                     "    W = attention.q_proj.weight.detach()\n"
                                     "    small.q_proj.weight = nn.Parameter(W[rows[0] : rows[-1] + 1])\n"
                                     "return small"}, "a slice where one head stays"))

exercise.mistake("attributes-left-out", "pruning-heads",
    "The layer that comes back cannot be pruned again: n_heads or d_head are not those of the new layer. "
    "Keep both.",
    edit(reference, {"return small": "small.d_head = K * attention.n_heads // len(keep)\nreturn small"}),
    edit(reference, {"return small": "small.d_head = attention.d_model // len(keep)\nreturn small"},
         "by the width"))

exercise.mistake("no-layer", "pruning-heads",
    "What comes back is not a layer. Return the new layer itself, not its state or a part of it.",
    edit(state_of_a_new_layer, {"return small": "return state"}),
    edit(reference, {"return small": "return small.o_proj"}, "one projection"),
    edit(reference, {"return small": ""}, "nothing"))

exercise.mistake("no-parameter", "pruning-heads",
    "A projection was given a plain tensor. Wrap it: nn.Parameter(...) is what a layer trains and saves.",
    edit(reference, {"nn.Parameter(layer.weight[rows])": "layer.weight[rows]"}),
    edit(reference, {"nn.Parameter(small.o_proj.weight[:, rows])": "small.o_proj.weight[:, rows]"},
         "in o_proj"))

exercise.mistake("frozen", "pruning-heads",
    "Parameters of the new layer do not train. Leave requires_grad at True.",
    edit(reference, {"return small": "return small.requires_grad_(False)"}))

exercise.mistake("dtype-fixed", "pruning-heads",
    "The new layer does not have the dtype of the old one. New layers are float32 unless you say otherwise.",
    edit(new_layers, {every(", dtype=dtype"): ""}),
    edit(state_of_a_new_layer, {".to(attention.o_proj.weight.dtype)": ""}, "a state"))

exercise.equal("a layer computes with its weight; in_features and out_features are printed, and left free",
    {"layer.out_features = len(rows)": "pass", "small.o_proj.in_features = len(rows)": "pass"})
exercise.equal("a gradient's history does not go through .data", {".detach()": ""})
exercise.equal("a deep copy has the numbers of the old layer until new ones are put in",
    {"old.weight": "new.weight", "old.bias": "new.bias"})
