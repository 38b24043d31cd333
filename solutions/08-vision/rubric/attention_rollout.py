"""attention_rollout: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "attention_rollout",
    points={"rollout": 3, "unusual maps": 2},
    section="attention-rollout",
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The weights of a rollout"},
                {"rule": "sums_to_one", "dim": -1, "what": "Each row of a rollout"}],
)


@exercise.probes
def probes(make):
    def maps(layers, batch, heads, tokens, dtype=torch.float32):
        return make.randn(layers, batch, heads, tokens, tokens, dtype=dtype, scale=1.5).softmax(-1)

    def probe(name, given, group="rollout", **marks):
        return make.probe(name, given, group=group, **marks)

    yield probe("two layers, one image, two heads", maps(2, 1, 2, 3))
    yield probe("all sizes different", maps(*make.pick((3, 2, 4, 5), (4, 2, 3, 5), (3, 2, 5, 4))))
    yield probe("as many images as heads", maps(*make.pick((2, 3, 3, 4), (3, 2, 2, 5), (2, 3, 3, 5))))
    yield probe("as many layers as tokens", maps(*make.pick((3, 1, 2, 3), (4, 1, 3, 4), (3, 2, 1, 3))))
    group = "unusual maps"
    yield probe("one layer", maps(*make.pick((1, 2, 3, 4), (1, 3, 2, 4), (1, 2, 2, 5))), group=group,
                edge=True)
    yield probe("one head", maps(*make.pick((3, 2, 1, 4), (2, 3, 1, 4), (3, 2, 1, 5))), group=group,
                edge=True)
    kept = make.pick((2, 1, 2, 4), (3, 1, 2, 4), (2, 2, 2, 4))
    dropped = maps(*kept) * make.rand_mask(*kept, kept[-1])
    yield probe("rows that do not sum to 1", dropped, group=group, edge=True)
    empty = maps(*make.pick((2, 2, 2, 3), (3, 2, 2, 4), (2, 2, 3, 4)))
    empty[0, :, :, 1], empty[1, :, 0, 2] = 0, 0
    yield probe("a query that attends to nothing", empty, group=group, edge=True)
    seen = torch.ones(4, 4, dtype=torch.bool).tril()
    yield probe("maps of a causal model",
                make.randn(2, 1, 2, 4, 4).masked_fill(~seen, -torch.inf).softmax(-1), group=group, edge=True)
    yield probe("gradients", maps(*make.pick((2, 1, 2, 3), (2, 2, 1, 3), (3, 1, 1, 3))), group=group,
                edge=True, gradient=True)
    yield probe("float64", maps(2, 1, 2, 3, dtype=torch.float64), group=group, edge=True, gradient=True)
    yield probe("not contiguous", maps(*make.pick((2, 2, 3, 4), (3, 2, 2, 3), (2, 3, 2, 4))), group=group,
                edge=True, strided=True)
    yield probe("deep", maps(12, 1, 1, 5), group=group, edge=True, long=True)
    several = make.pick((2, 2, 2, 4), (3, 2, 2, 4), (2, 3, 2, 3))
    yield probe("rows that do not sum to 1, several images", maps(*several) * make.rand_mask(*several,
                                                                                             several[-1]),
                group=group, edge=True)
    if make.variant:
        yield probe("a long sequence", maps(2, 1, 1, 130), group=group, long=True)


@exercise.right
def reference(maps):
    mixed = 0.5 * maps.mean(2) + 0.5 * torch.eye(maps.shape[-1], dtype=maps.dtype)
    mixed = mixed / mixed.sum(dim=-1, keepdim=True)
    rollout = mixed[0]
    for later in mixed[1:]:
        rollout = later @ rollout
    return rollout


@exercise.right("A + I, divided by the rows' sums")
def i_divided(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.right("layer by layer, from the identity")
def layer_layer(maps):
    B, T = maps.shape[1], maps.shape[-1]
    eye = torch.eye(T, dtype=maps.dtype).expand(B, T, T)
    result = eye
    for layer in maps:
        step = 0.5 * (layer.mean(1) + eye)
        result = torch.bmm(step / step.sum(2, keepdim=True), result)
    return result


@exercise.right("einsum")
def by_einsum(maps):
    eye = torch.eye(maps.shape[-1]).to(maps)
    out = None
    for layer in maps:
        a = torch.einsum("bhts->bts", layer) / layer.shape[1]
        a = torch.lerp(a, eye.expand_as(a), 0.5)
        a = a / torch.einsum("bts->bt", a)[..., None]
        out = a if out is None else torch.einsum("bij,bjk->bik", a, out)
    return out


@exercise.right("image by image")
def image_image(maps):
    images = []
    for b in range(maps.shape[1]):
        steps = []
        for layer in range(maps.shape[0]):
            step = maps[layer, b].mean(0) + torch.eye(maps.shape[-1], dtype=maps.dtype)
            steps.append(step / step.sum(-1)[:, None])
        images.append(torch.linalg.multi_dot(steps[::-1]) if len(steps) > 1 else steps[0])
    return torch.stack(images)


@exercise.right("the residual written as a mixture of what came before")
def residual(maps):
    rows = torch.eye(maps.shape[-1], dtype=maps.dtype).repeat(maps.shape[1], 1, 1)
    for layer in maps:
        a = layer.mean(dim=1)
        total = a.sum(dim=-1, keepdim=True) + 1
        rows = (a @ rows + rows) / total
    return rows


@exercise.right("the diagonal of a copy")
def diagonal_copy(maps):
    from functools import reduce
    a = maps.mean(dim=2).clone()
    a.diagonal(dim1=-2, dim2=-1).add_(1)
    a = a / a.sum(dim=-1, keepdim=True)
    return torch.stack([reduce(torch.matmul, a[:, b].flip(0)) for b in range(a.shape[1])])


@exercise.right("step by step")
def plain(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.right("step by step, another way")
def plain_other(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out / out.sum(-1, keepdim=True)


exercise.also_right(
    edit(plain, {"= a[0]": "= a[-1]", "a[1:]:": "reversed(a[:-1].unbind(0)):",
                 "layer @ out": "out @ layer"}, "from the last layer to the first"),
    full("from functools import reduce\n"
         "mixed = maps.mean(-3) / 2 + torch.diag_embed(torch.full(maps.shape[-1:], 0.5, "
         "dtype=maps.dtype))\n"
         "mixed = torch.nn.functional.normalize(mixed, p=1, dim=-1)\n"
         "return reduce(lambda below, above: above @ below, mixed.unbind(0))", "reduce"))


exercise.mistake("no-identity", "rollout-identity",
    "The identity is missing: a layer passes on what a token was before, through its residual connection. "
    "Mix half of the identity into each layer's map.",
    edit(i_divided, {" + eye": "", "a = a / a.sum(-1, keepdim=True)": ""}),
    edit(i_divided, {" + eye": ""}, "renormalized"),
    edit(plain, {"(a + eye)": "a", "a = a / a.sum(-1, keepdim=True)": ""}, "halved"),
    edit(i_divided, {" + eye": "",
                     "layer @ out": "out @ layer"}, "renormalized, the layers multiplied in reverse order"))

exercise.mistake("identity-once", "rollout-identity",
    "The identity is not mixed into every layer. Each layer has a residual connection: ½A + ½I for each of "
    "them, before they are multiplied.",
    edit(i_divided, {" + eye": "", "a = a / a.sum(-1, keepdim=True)": "",
                     "return out": "return (out + eye) / 2"}),
    edit(i_divided, {"a = a + eye\na = a / a.sum(-1, keepdim=True)": "",
                     "= a[0]": "= (a[0] + eye) / 2"}, "the first layer"),
    edit(i_divided, {"a = a + eye\na = a / a.sum(-1, keepdim=True)": "",
                     "layer @": "(layer + eye) / 2 @"}, "all but the first layer"),
    edit(i_divided, {"a = a + eye\na = a / a.sum(-1, keepdim=True)": "", "a[1:]:": "a[1: -1]:",
                     "return out": "return (a[-1] + eye) / 2 @ out if len(a) > 1 else (out + eye) / 2"},
         "the last layer"),
    edit(i_divided, {" + eye": "", "a = a / a.sum(-1, keepdim=True)": "",
                     "return out": "return out + eye"}, "at the end, whole"))

exercise.mistake("other-share", "rollout-identity",
    "The attention and the identity do not get the same share. It is half and half: ½A + ½I.",
    edit(i_divided, {"a + eye": "0.9 * a + 0.1 * eye"}),
    edit(i_divided, {"a + eye": "0.1 * a + 0.9 * eye"}, "mostly the identity"),
    edit(i_divided, {"a + eye": "a + 0.5 * eye"}, "half of the identity, all of the attention"),
    edit(i_divided, {"a + eye": "0.5 * a + eye"}, "half of the attention, all of the identity"),
    edit(i_divided, {"a + eye": "a + 0.5 * eye",
                     "a = a / a.sum(-1, keepdim=True)": ""}, "half of the identity, not renormalized"),
    edit(i_divided, {"a + eye": "0.5 * a + eye",
                     "a = a / a.sum(-1, keepdim=True)": ""}, "half of the attention, not renormalized"),
    edit(i_divided, {"a + eye": "a + eye / maps.shape[-1]"}, "divided by the number of tokens"),
    edit(i_divided, {"a + eye": "0.25 * a + 0.75 * eye"}, "a quarter"),
    edit(i_divided, {"a + eye": "0.75 * a + 0.25 * eye"}, "three quarters"),
    edit(i_divided, {"a + eye": "0.8 * a + 0.2 * eye"}, "0.8"))

exercise.mistake("no-half", "rollout-identity",
    "Half is missing: each row sums to 2 after the identity is added, and to 4 or 8 after some layers. In "
    "each layer, take half of both, or divide each row by its sum.",
    edit(i_divided, {"a = a / a.sum(-1, keepdim=True)": ""}),
    edit(i_divided, {"a = a / a.sum(-1, keepdim=True)": "",
                     "return out": "return out / 2"}, "half at the end"))

exercise.mistake("not-renormalized", "rollout-identity",
    "The rows are not renormalized. Where a map's rows do not sum to 1, ½A + ½I does not either: divide "
    "each row by its sum.",
    edit(plain, {"a = a / a.sum(-1, keepdim=True)": ""}))

exercise.mistake("normalized-at-end", "rollout-identity",
    "The rows are renormalized once, after the product. Do it in each layer, before they are multiplied.",
    edit(plain, {"a = a / a.sum(-1, keepdim=True)": "",
                 "return out": "return out / out.sum(-1, keepdim=True)"}))

exercise.mistake("normalized-before-identity", "rollout-identity",
    "The rows are renormalized before the identity is added. First ½A + ½I, then divide each row by its "
    "sum. So a row without any weights keeps its token.",
    edit(plain, {"a = (a": "a = a / a.sum(-1, keepdim=True).clamp_min(1e-9)\na = (a",
                 "a = a / a.sum(-1, keepdim=True)": ""}),
    edit(i_divided, {"a = a + eye": "",
                     "out = a": "a = (a + eye) / 2\nout = a"}, "without care for empty rows"),
    edit(plain, {"a = (a": "a = (maps / maps.sum(-1, keepdim=True).clamp_min(1e-9)).mean(dim=2)\na = (a",
                 "a = a / a.sum(-1, keepdim=True)": ""}, "each head"),
    edit(plain, {"a = (a": "a = (maps / maps.sum(-1, keepdim=True)).mean(dim=2)\na = (a"},
         "each head, without care for empty rows"),
    edit(i_divided, {"a = a +": "a = (maps / maps.sum(-1, keepdim=True).clamp_min(1e-9)).mean(dim=2)\n"
                                "a = a +"}, "each head, and after it"))

exercise.mistake("columns-normalized", "rollout-identity",
    "The columns are renormalized. A row belongs to one query, and it must sum to 1: sum over the last axis.",
    edit(plain, {"1, keepdim": "2, keepdim"}),
    edit(plain, {"a = a / a.sum(-1, keepdim=True)": "",
                 "return out": "return out / out.sum(-2, keepdim=True)"}, "at the end"))

exercise.mistake("divided-by-other-rows", "rollout-identity",
    "The numbers of a row are divided by the sums of other rows: the axis that was summed is gone, and "
    "broadcasting lines the rest up with the wrong one. Keep it, with size 1.",
    edit(plain, {"(-1, keepdim=True)": "(-1).unsqueeze(-2)"}))

exercise.mistake("normalized-before-mean", "rollout-heads",
    "The rows of each head are divided by their sums, and the mean over the heads is taken afterwards. "
    "Take the mean first, mix in the identity, then divide each row by its sum.",
    edit(plain, {"a + eye": "maps + eye", "a / a": "(a / a", "True)": "True)).mean(dim=2)"}))

exercise.mistake("normalized-over-all", "rollout-identity",
    "The weights are divided by something other than the sum of their row: by the sum of more than one "
    "row, by a largest number or by a length. Divide each row by its own sum.",
    edit(plain, {"-1, keepdim": "dim=(-2, -1), keepdim"}),
    edit(plain, {"sum(-1": "amax(dim=(-2, -1)"}, "the largest number"),
    edit(plain, {"return out": "return out / out.max()"}, "the largest number of the result"),
    edit(plain, {"sum": "amax"}, "the largest number of each row"),
    edit(plain, {"a / a.sum(-1, keepdim=True)": "torch.nn.functional.normalize(a, dim=-1)"},
         "the length of each row"),
    edit(plain, {"-1, keepdim=True": ""}, "everything"),
    edit(plain_other, {"out.sum(-1": "out.sum(dim=(1, 2)"}, "the result"),
    edit(plain_other, {"out.sum(-1": "out.norm(dim=-1"}, "the length of the result's rows"))

exercise.mistake("softmax", "rollout-identity",
    "A softmax runs over the weights. They are weights already: divide each row by its sum.",
    edit(plain, {"a / a.sum(-1, keepdim=True)": "a .softmax(-1)"}),
    edit(i_divided, {"a / a.sum(-1, keepdim=True)": "torch.softmax(a, dim=-1)"}, "of A + I"),
    edit(plain, {"a + eye": "maps.softmax(-1).mean(2) + eye"}, "of the maps"),
    edit(plain, {"a = a / a.sum(-1, keepdim=True)": "",
                 "return out": "return out.softmax(-1)"}, "at the end"))

exercise.mistake("sum-of-heads", "rollout-heads",
    "The heads are added up. Take their mean over the axis of the heads.",
    edit(plain, {"mean": "sum"}),
    edit(plain, {"mean": "sum", "a = a / a.sum(-1, keepdim=True)": ""}, "not renormalized"),
    edit(i_divided, {"mean": "sum", "a = a / a.sum(-1, keepdim=True)": ""}, "no half, not renormalized"))

exercise.mistake("empty-heads-left-out", "rollout-heads",
    "A head in which a token attends to nothing is left out of the mean. Divide by the number of all heads.",
    edit(plain, {"maps.mean(dim=2)":
                 "maps.sum(2) / (maps.sum(-1, keepdim=True) > 0).sum(2).clamp(min=1)"}))

exercise.mistake("empty-row-filled", "rollout-identity",
    "A token that attends to nothing is given weights. Leave its row of zeros: with ½I, the token keeps what "
    "it was.",
    edit(plain, {"eye =": "a = torch.where(a.sum(-1, keepdim=True) == 0, 1 / a.shape[-1], a)\neye ="}))

exercise.mistake("max-of-heads", "rollout-heads",
    "For each pair a value other than the mean of the heads is taken, such as the strongest, the weakest "
    "or the median. Take the mean over the heads.",
    edit(plain, {"mean": "amax"}),
    edit(plain, {"mean": "amax", "a = a / a.sum(-1, keepdim=True)": ""}, "not renormalized"),
    edit(plain, {"mean": "amin"}, "the weakest"),
    edit(plain, {"mean": "amin", "a = a / a.sum(-1, keepdim=True)": ""}, "the weakest, not renormalized"),
    edit(plain, {"mean(dim=2)": "median(dim=2).values"}, "the median"),
    edit(plain, {"a + eye": "maps.max(dim=2) + eye"}, "a pair of values and places"))

exercise.mistake("one-head", "rollout-heads", "Only one head is used. Take the mean over the heads.",
    edit(plain, {"a = maps.mean(dim=2)": "a = maps[:, :, 0]"}),
    edit(plain, {"a = maps.mean(dim=2)": "a = maps[:, :, -1]"}, "the last"))

exercise.mistake("heads-kept", "rollout-heads",
    "The heads are still apart. Take their mean in each layer, before the layers are multiplied.",
    edit(plain, {".mean(dim=2)": ""}),
    edit(plain, {".mean(dim=2)": "", "a = a / a.sum(-1, keepdim=True)": ""}, "not renormalized"),
    full("a = maps\n"
         "out = a[0]\n"
         "for layer in a[1:]:\n"
         "    out = layer @ out\n"
         "return out", "no identity"),
    edit(plain, {".mean(dim=2)": "", "layer @ out": "out @ layer"}, "the wrong order"))

exercise.mistake("mean-after-product", "rollout-heads",
    "The heads are multiplied through the layers one by one, and joined only at the end. Take their mean "
    "in each layer first: a layer mixes its heads before the next one reads.",
    edit(plain, {".mean(dim=2)": "", "return out": "return out.mean(1)"}),
    edit(plain, {".mean(dim=2)": "", "a = a / a.sum(-1, keepdim=True)": "",
                 "return out": "return out.mean(dim=1)"}, "not renormalized"),
    full("a = maps\n"
         "out = a[0]\n"
         "for layer in a[1:]:\n"
         "    out = layer @ out\n"
         "return out.mean(1)", "no identity"),
    edit(plain, {".mean(dim=2)": "", "return out": "return out.amax(1)"}, "the strongest"))

exercise.mistake("heads-multiplied", "rollout-heads",
    "The heads of a layer are multiplied. They work side by side: take their mean.",
    edit(plain, {".mean(dim=2)": "",
                 "out = a":
                 "a = torch.stack([torch.stack([__import__('functools').reduce(torch.matmul, image) for "
                 "image in layer]) for layer in a])\n"
                 "out = a"}),
    edit(plain, {"mean": "prod"}, "number by number"))

exercise.mistake("product-order", "rollout-order",
    "The layers are multiplied in the wrong order. The last layer reads what the earlier ones made: later "
    "layers multiply from the left.",
    edit(plain, {"layer @ out": "out @ layer"}),
    edit(plain, {"a = a / a.sum(-1, keepdim=True)": "", "layer @ out": "out @ layer"}, "not renormalized"),
    edit(i_divided, {"a = a / a.sum(-1, keepdim=True)": "",
                     "layer @ out": "out @ layer"}, "no half, not renormalized"),
    edit(plain, {"a[1:]:": "a[1: -1]:",
                 "return out": "return out @ a[-1] if len(a) > 1 else out"},
         "all but the last in the right order"))

exercise.mistake("elementwise", "rollout-order",
    "The maps are multiplied number by number. A path from a token to another may lead through any third "
    "token: use a matrix product.",
    edit(plain, {"@ out": "* out"}),
    full("a = maps.mean(dim=2)\n"
         "eye = torch.eye(maps.shape[-1], dtype=maps.dtype)\n"
         "a = (a + eye) / 2\n"
         "return a.prod(0)", "prod"),
    edit(plain_other, {"@ out": "* out"}, "renormalized at the end"),
    full("a = maps.mean(dim=2)\n"
         "out = a[0]\n"
         "for layer in a[1:]:\n"
         "    out = layer * out\n"
         "return out", "no identity"))

exercise.mistake("layers-averaged", "rollout-order",
    "The layers are averaged or added up, or only the largest weights of all layers are kept. They work "
    "one after the other: multiply their maps as matrices.",
    edit(plain_other, {"out / out.sum(-1, keepdim=True)": "a.mean(0)"}),
    edit(plain_other, {"out / out.sum(-1, keepdim=True)": "a.sum(0)"}, "added up"),
    full("return maps.mean(dim=(0, 2))", "no identity"),
    edit(plain_other, {"out / out.sum(-1, keepdim=True)": "a.amax(0)"}, "the largest"),
    full("return maps.mean(0)", "the mean, the heads kept"),
    full("return maps.sum(dim=0)", "the sum, the heads kept"),
    full("return maps.mean(dim=(0, 1, 2))", "all of it averaged"))

exercise.mistake("one-layer", "rollout-order", "Only one layer is used. Multiply the maps of all of them.",
    edit(plain, {"out = a[0]": "", "for layer in a[1:]:\n    out = layer @ out\nreturn out": "return a[-1]"}),
    full("return maps[-1]", "the last, the heads kept"),
    full("return maps[0]", "the first, the heads kept"),
    edit(plain, {"out = a": "return a"}, "the first"),
    full("return maps[-1].mean(dim=1)", "no identity"),
    full("return maps[0].mean(dim=1)", "the first, no identity"))

exercise.mistake("all-layers", "attention-rollout",
    "A map for each layer comes back. Return the product of all layers, (B, T, T).",
    edit(plain_other, {"out = a[0]": "steps = [a[0]]",
                       "out = layer @ out": "steps.append(layer @ steps[-1])",
                       "out / out.sum(-1, keepdim=True)": "torch.stack(steps)"}),
    full("return maps.mean(dim=2)", "the mean over heads alone"),
    full("return maps", "the maps themselves"),
    edit(plain, {"return out": "return a"}, "nothing multiplied"),
    edit(plain, {"out = a[0]": "steps = [a[0]]", "out = layer @ out": "steps.append(layer @ steps[-1])",
                 "return out": "return steps"}, "a list"),
    edit(plain_other, {"out = a[0]": "steps = [a[0]]",
                       "out = layer @ out": "steps.append(layer @ steps[-1])",
                       "out / out.sum(-1, keepdim=True)": "torch.stack(steps, 1)"}, "behind the batch"))

exercise.mistake("layer-lost", "rollout-order",
    "A layer is missing in the product, or is there twice. Multiply the map of every layer exactly once.",
    edit(plain, {"= a[0]": "= torch.eye(maps.shape[-1], dtype=maps.dtype).expand_as(a[0])"}),
    edit(plain, {"= a[0]": "= torch.eye(maps.shape[-1], dtype=maps.dtype).expand_as(a[0])",
                 "a[1:]:": "a[:-1]:"}, "the last"),
    edit(plain, {"a[1:]:": "a:"}, "the first twice"),
    edit(plain, {"a[1:]:": "a[-1:]:"}, "all between the first and the last"))

exercise.mistake("class-row-only", "attention-rollout",
    "Only a part of the rollout comes back, or a mean or sum of its rows. Return all rows and columns as "
    "they are, not the class token's row alone: (B, T, T).",
    edit(plain, {"return out": "return out[:, 0]"}),
    edit(plain, {"return out": "return out[:, 0, 1:]"}, "its patches"),
    edit(plain, {"return out": "return out[:, :1]"}, "with its axis"),
    edit(plain, {"return out": "row = out[:, 0, :]\nreturn row / row.amax(-1, keepdim=True)"},
         "divided by the largest"),
    edit(plain, {"return out": "row = out[:, 0, 1:]\nreturn row / row.amax(-1, keepdim=True)"},
         "its patches, divided by the largest"),
    edit(plain, {"return out": "row = out[:, 0, :]\nreturn row / row.max()"},
         "divided by the largest of all"),
    edit(plain, {"return out": "row = out[:, 0, 1:]\nreturn row / row.max()"},
         "its patches, divided by the largest of all"),
    edit(plain, {"return out": "row = out[:, 0, 1:]\nreturn row / row.sum(-1, keepdim=True)"},
         "its patches, divided by their sum"),
    edit(plain, {"return out": "return out.mean(1)"}, "the mean of all rows"),
    edit(plain, {"return out": "return out.sum(dim=1)"}, "the sum of all rows"),
    edit(plain, {"return out": "return out[:, -1]"}, "the last row"),
    edit(plain, {"return out": "return out[:, :, 0]"}, "a column"),
    edit(plain, {"return out": "return out[:, 1:, 1:]"}, "the patches' block"))

exercise.mistake("transposed", "attention-rollout",
    "Queries and keys are exchanged. A row is a query: row i says where token i of the last layer gets its "
    "content from.",
    edit(plain, {"return out": "return out.mT"}),
    edit(plain, {"(dim=2)": "(dim=2).mT"}, "the maps"),
    edit(plain, {"@ out": ".mT @ out"}, "each layer in the product"),
    edit(plain, {"layer @ out": "out @ layer.mT"}, "each layer in the product, from the right"),
    edit(plain, {"@ out": "@ out.mT"}, "what came before"),
    edit(plain, {"(dim=2)": "(dim=2).mT",
                 "a = a / a.sum(-1, keepdim=True)": ""}, "the maps, not renormalized"))

exercise.mistake("batch-lost", "attention-rollout",
    "The batch is lost. Each image has a rollout of its own: (B, T, T).",
    edit(plain, {"return out": "return out.mean(0)"}),
    edit(plain, {"return out": "return out[0]"}, "the first image"),
    edit(plain, {".mean": "[:, :1].mean"}, "the first image, with its axis"),
    edit(plain, {"(dim=2)": "(dim=(1, 2))"}, "averaged with the heads"))

exercise.mistake("axes-misread", "attention-rollout",
    "The axes are read in the wrong order: the maps are (layers, batch, heads, queries, keys).",
    edit(plain, {"dim=2": "dim=1"}),
    edit(plain, {"dim=2": "dim=1", "a = a / a.sum(-1, keepdim=True)": ""}, "not renormalized"),
    edit(plain, {".mean": ".transpose(0, 1).mean"}, "the batch for the layers"),
    edit(plain, {"dim=2": "dim=0"}, "the mean over layers"),
    edit(plain, {"(dim=2)": "(dim=0).transpose(0, 1)"}, "the heads for the layers"),
    full("return maps.mean(dim=3)", "the mean over queries"))

exercise.mistake("identity-taken-away", "attention-rollout",
    "The result is changed after the product: the identity is subtracted, or the diagonal emptied. Return "
    "the product as it is.",
    edit(plain, {"return out": "return out - torch.eye(maps.shape[-1], dtype=maps.dtype)"}),
    edit(plain, {"return out": "return out * (1 - torch.eye(maps.shape[-1], dtype=maps.dtype))"},
         "the diagonal emptied"),
    edit(plain_other, {"return": "out = out * (1 - torch.eye(maps.shape[-1], dtype=maps.dtype))\nreturn"},
         "the diagonal emptied, renormalized"))

exercise.mistake("small-weights-dropped", "attention-rollout",
    "Small weights are set to 0. Here all of them count: leave them as they are.",
    edit(plain, {"maps.mean(dim=2)": "torch.where(maps.mean(dim=2) < maps.mean(), 0.0, maps.mean(dim=2))"}),
    edit(plain, {"eye =": "a = torch.where(a < 0.1, torch.zeros_like(a), a)\neye ="}, "below a tenth"),
    edit(plain, {"eye =": "a = a * (a >= 0.5)\neye ="}, "below a half"))

exercise.mistake("ones-for-identity", "rollout-identity",
    "The same number is added everywhere. Add the identity, which has ones on the diagonal and zeros "
    "elsewhere.",
    edit(plain, {"a + eye": "a + torch.ones_like(a)"}),
    edit(i_divided, {"a + eye": "0.5 * a + 0.5", "a = a / a.sum(-1, keepdim=True)": ""}, "not renormalized"),
    edit(i_divided, {"a + eye": "0.5 * a + 0.5 / maps.shape[-1]"}, "a uniform map"))

exercise.mistake("in-a-tuple", "attention-rollout",
    "A tuple or list comes back. Return one tensor (B, T, T).",
    edit(plain, {"return out": "return out,"}),
    edit(plain, {"return out": "return list(out)"}, "a list of images"),
    edit(plain, {"return out": "return out, a"}, "the result and its steps"))

exercise.mistake("squeezed", "attention-rollout",
    "Axes of size 1 are squeezed away. A batch of one image keeps its axis.",
    edit(plain, {"return out": "return out.squeeze()"}))

exercise.mistake("dtype-fixed", "attention-rollout",
    "The dtype of the maps is not kept, or torch refuses to mix two dtypes. Make the identity with "
    "dtype=maps.dtype, and cast nothing.",
    edit(plain, {"return out": "return out.float()"}),
    edit(plain, {"maps.dtype": "torch.float64"}, "always float64"),
    edit(i_divided, {"a + eye": "a + torch.eye(maps.shape[-1])",
                     "out = a[0]": "out = torch.eye(maps.shape[-1]).expand(maps.shape[1], -1, -1)",
                     "a[1:]:": "a:"}, "an identity in float32, and a refusal"),
    edit(i_divided, {"= a[0]": "= torch.eye(maps.shape[-1])",
                     "a[1:]:": "a:"}, "an identity in float32, and a refusal, two axes"))

exercise.mistake("power", "rollout-order",
    "One map is multiplied by itself. Each layer has a map of its own: multiply those of all layers.",
    edit(plain_other, {"out / out.sum(-1, keepdim=True)": "torch.linalg.matrix_power(a[-1], len(a))"}),
    edit(plain, {"out = a[0]\n"
                 "for layer in a[1:]:\n"
                 "    out = layer @ out\n"
                 "return out":
                 "return torch.linalg.matrix_power(a.mean(0), len(a))"}, "the mean of the layers"),
    edit(plain, {"out = a[0]\n"
                 "for layer in a[1:]:\n"
                 "    out = layer @ out\n"
                 "return out":
                 "return torch.linalg.matrix_power(a[0], len(a))"}, "the first layer"),
    edit(plain, {"layer @": "out @"}, "the last variable"))

exercise.built_in("no-gradient",
    edit(plain, {"a = maps": "maps = maps.detach()\na = maps"}),
    edit(plain, {"a = maps": "maps = torch.from_numpy(maps.numpy())\na = maps"},
         "numpy, without care for the gradient"))

exercise.built_in("changes-input",
    edit(plain, {"a = maps": "with torch.no_grad():\n"
                             "    maps *= 2\n"
                             "a = maps",
                 "(dim=2)": "(dim=2) / 2"}),
    edit(i_divided, {"a = maps": "with torch.no_grad():\n"
                                 "    maps.diagonal(dim1=-2, dim2=-1).add_(1)\n"
                                 "a = maps",
                     "eye = torch.eye(maps.shape[-1], dtype=maps.dtype)\na = a + eye": ""},
         "the diagonal of the maps"))

exercise.built_in("returns-nothing",
    edit(plain, {"return out": ""}))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "out, layer = maps[0].mean(1), 0\n"
         "while layer < len(maps):\n"
         "    sleep(0.01)\n"
         "    out = maps[layer].mean(1) @ out\n"
         "return out"))

exercise.equal("dividing each row by its sum takes out any number that a whole row shares", {
    "(a + eye) / 2": ("(a + eye)", "(a + eye) * 2", "(a + eye) / 3", "(a + eye) / 1"),
    "0.5 * (layer": ("(layer", "1.0 * (layer"), "a.sum(-1": "a.mean(-1", "out / out.sum": "out * out.sum"})
exercise.equal("maps are square, and float32 holds 0, a half and 1 exactly",
               {"maps.shape[-1]": "maps.shape[-2]", ", dtype=maps.dtype": ""})
exercise.equal("half and half has no order, and axes in front come from broadcasting", {
    "a, eye.expand_as(a), 0.5": ("eye.expand_as(a), a, 0.5", "a, eye, 0.5"),
    ".repeat(maps.shape[1], 1, 1)": ""})
exercise.equal("a tensor is a row of its layers, of one layer the first is the last, and a mean is new",
               {".unbind(0)": "", "else steps[0]": "else steps[(-1)]", ".clone()": ""})
