"""The rubric of attention_rollout: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "attention_rollout",
    points={"rollout": 3, "unusual maps": 2},
    section="attention-rollout",
    compact=True,
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "The weights of a rollout"},
                {"rule": "sums_to_one", "dim": -1, "what": "Each row of a rollout"}],
    mistakes={
        "no-identity": ("The identity is missing: a layer passes on what a token was before, through its residual connection. Mix half of the identity into "
                        "each layer's map.", "rollout-identity"),
        "identity-once": ("The identity is not mixed into every layer. Each layer has a residual connection: ½A + ½I for each of them, before they are "
                          "multiplied.", "rollout-identity"),
        "other-share": ("The attention and the identity do not get the same share. It is half and half: ½A + ½I.", "rollout-identity"),
        "no-half": ("Half is missing: each row sums to 2 after the identity is added, and to 4 or 8 after some layers. In each layer, take half of both, or "
                    "divide each row by its sum.", "rollout-identity"),
        "not-renormalized": ("The rows are not renormalized. Where a map's rows do not sum to 1, ½A + ½I does not either: divide each row by its sum.",
                             "rollout-identity"),
        "normalized-at-end": ("The rows are renormalized once, after the product. Do it in each layer, before they are multiplied.", "rollout-identity"),
        "normalized-before-identity": ("The rows are renormalized before the identity is added. First ½A + ½I, then divide each row by its sum. So a row without any weights "
                                       "keeps its token.", "rollout-identity"),
        "normalized-before-mean": ("The rows of each head are divided by their sums, and the mean over the heads is taken afterwards. Take the mean first, mix in the identity, "
                                   "then divide each row by its sum.", "rollout-heads"),
        "divided-by-other-rows": ("The numbers of a row are divided by the sums of other rows: the axis that was summed is gone, and "
                                  "broadcasting lines the rest up with the wrong one. Keep it, with size 1.", "rollout-identity"),
        "columns-normalized": ("The columns are renormalized. A row belongs to one query, and it must sum to 1: sum over the last axis.", "rollout-identity"),
        "normalized-over-all": ("The weights are divided by something other than the sum of their row: by the sum of more than one row, by a "
                                "largest number or by a length. Divide each row by its own sum.",
                                "rollout-identity"),
        "softmax": ("A softmax runs over the weights. They are weights already: divide each row by its sum.", "rollout-identity"),
        "sum-of-heads": ("The heads are added up. Take their mean over the axis of the heads.", "rollout-heads"),
        "max-of-heads": ("For each pair a value other than the mean of the heads is taken, such as the strongest, the weakest or the median. Take the mean "
                         "over the heads.", "rollout-heads"),
        "one-head": ("Only one head is used. Take the mean over the heads.", "rollout-heads"),
        "heads-kept": ("The heads are still apart. Take their mean in each layer, before the layers are multiplied.", "rollout-heads"),
        "mean-after-product": ("The heads are multiplied through the layers one by one, and joined only at the end. Take their mean in each layer first: a "
                               "layer mixes its heads before the next one reads.", "rollout-heads"),
        "heads-multiplied": ("The heads of a layer are multiplied. They work side by side: take their mean.", "rollout-heads"),
        "product-order": ("The layers are multiplied in the wrong order. The last layer reads what the earlier ones made: later layers multiply from the left.",
                          "rollout-order"),
        "elementwise": ("The maps are multiplied number by number. A path from a token to another may lead through any third token: use a matrix product.",
                        "rollout-order"),
        "layers-averaged": ("The layers are averaged or added up, or only the largest weights of all layers are kept. They work one after the other: multiply "
                            "their maps as matrices.", "rollout-order"),
        "one-layer": ("Only one layer is used. Multiply the maps of all of them.", "rollout-order"),
        "layer-lost": ("A layer is missing in the product, or is there twice. Multiply the map of every layer exactly once.", "rollout-order"),
        "all-layers": ("A map for each layer comes back. Return the product of all layers, (B, T, T).", "attention-rollout"),
        "class-row-only": ("Only a part of the rollout comes back, or a mean or sum of its rows. Return all rows and columns as they are, not the class "
                           "token's row alone: (B, T, T).", "attention-rollout"),
        "transposed": ("Queries and keys are exchanged. A row is a query: row i says where token i of the last layer gets its content from.",
                       "attention-rollout"),
        "batch-lost": ("The batch is lost. Each image has a rollout of its own: (B, T, T).", "attention-rollout"),
        "axes-misread": ("The axes are read in the wrong order: the maps are (layers, batch, heads, queries, keys).", "attention-rollout"),
        "identity-taken-away": ("The result is changed after the product: the identity is subtracted, or the diagonal emptied. Return the product as it is.",
                                "attention-rollout"),
        "small-weights-dropped": ("Small weights are set to 0. Here all of them count: leave them as they are.", "attention-rollout"),
        "ones-for-identity": ("The same number is added everywhere. Add the identity, which has ones on the diagonal and zeros elsewhere.", "rollout-identity"),
        "in-a-tuple": ("A tuple or list comes back. Return one tensor (B, T, T).", "attention-rollout"),
        "squeezed": ("Axes of size 1 are squeezed away. A batch of one image keeps its axis.", "attention-rollout"),
        "dtype-fixed": ("The dtype of the maps is not kept, or torch refuses to mix two dtypes. Make the identity with dtype=maps.dtype, and cast nothing.",
                        "attention-rollout"),
        "power": ("One map is multiplied by itself. Each layer has a map of its own: multiply those of all layers.", "rollout-order"),
    },
)


@exercise.probes
def _(make):
    def maps(layers, batch, heads, tokens, dtype=torch.float32):
        return make.randn(layers, batch, heads, tokens, tokens, dtype=dtype, scale=1.5).softmax(-1)

    def probe(name, given, group="rollout", **marks):
        return make.probe(name, given, group=group, **marks)

    yield probe("two layers, one image, two heads", maps(2, 1, 2, 3))
    yield probe("all sizes different", maps(*make.pick((3, 2, 4, 5), (4, 2, 3, 5), (3, 2, 5, 4))))
    yield probe("as many images as heads", maps(*make.pick((2, 3, 3, 4), (3, 2, 2, 5), (2, 3, 3, 5))))
    yield probe("as many layers as tokens", maps(*make.pick((3, 1, 2, 3), (4, 1, 3, 4), (3, 2, 1, 3))))
    group = "unusual maps"
    yield probe("one layer", maps(*make.pick((1, 2, 3, 4), (1, 3, 2, 4), (1, 2, 2, 5))), group=group, edge=True)
    yield probe("one head", maps(*make.pick((3, 2, 1, 4), (2, 3, 1, 4), (3, 2, 1, 5))), group=group, edge=True)
    kept = make.pick((2, 1, 2, 4), (3, 1, 2, 4), (2, 2, 2, 4))
    dropped = maps(*kept) * make.rand_mask(*kept, kept[-1])
    yield probe("rows that do not sum to 1", dropped, group=group, edge=True)
    empty = maps(*make.pick((2, 2, 2, 3), (3, 1, 2, 4), (2, 2, 3, 4)))
    empty[0, :, :, 1] = 0
    yield probe("a query that attends to nothing", empty, group=group, edge=True)
    seen = torch.ones(4, 4, dtype=torch.bool).tril()
    yield probe("maps of a causal model", make.randn(2, 1, 2, 4, 4).masked_fill(~seen, -torch.inf).softmax(-1), group=group, edge=True)
    yield probe("gradients", maps(*make.pick((2, 1, 2, 3), (2, 2, 1, 3), (3, 1, 1, 3))), group=group, edge=True, gradient=True)
    yield probe("float64", maps(2, 1, 2, 3, dtype=torch.float64), group=group, edge=True, gradient=True)
    yield probe("not contiguous", maps(*make.pick((2, 2, 3, 4), (3, 2, 2, 3), (2, 3, 2, 4))), group=group, edge=True, strided=True)
    yield probe("deep", maps(12, 1, 1, 5), group=group, edge=True, long=True)
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


@exercise.alternative("A + I, divided by the rows' sums")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.alternative("layer by layer, from the identity")
def _(maps):
    B, T = maps.shape[1], maps.shape[-1]
    eye = torch.eye(T, dtype=maps.dtype).expand(B, T, T)
    result = eye
    for layer in maps:
        step = 0.5 * (layer.mean(1) + eye)
        result = torch.bmm(step / step.sum(2, keepdim=True), result)
    return result


@exercise.alternative("from the last layer to the first")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[-1]
    for layer in reversed(a[:-1].unbind(0)):
        out = out @ layer
    return out


@exercise.alternative("einsum")
def _(maps):
    eye = torch.eye(maps.shape[-1]).to(maps)
    out = None
    for layer in maps:
        a = torch.einsum("bhts->bts", layer) / layer.shape[1]
        a = torch.lerp(a, eye.expand_as(a), 0.5)
        a = a / torch.einsum("bts->bt", a)[..., None]
        out = a if out is None else torch.einsum("bij,bjk->bik", a, out)
    return out


@exercise.alternative("image by image")
def _(maps):
    images = []
    for b in range(maps.shape[1]):
        steps = []
        for layer in range(maps.shape[0]):
            step = maps[layer, b].mean(0) + torch.eye(maps.shape[-1], dtype=maps.dtype)
            steps.append(step / step.sum(-1)[:, None])
        images.append(torch.linalg.multi_dot(steps[::-1]) if len(steps) > 1 else steps[0])
    return torch.stack(images)


@exercise.alternative("reduce")
def _(maps):
    from functools import reduce
    mixed = maps.mean(-3) / 2 + torch.diag_embed(torch.full(maps.shape[-1:], 0.5, dtype=maps.dtype))
    mixed = torch.nn.functional.normalize(mixed, p=1, dim=-1)
    return reduce(lambda below, above: above @ below, mixed.unbind(0))


@exercise.alternative("the residual written as a mixture of what came before")
def _(maps):
    rows = torch.eye(maps.shape[-1], dtype=maps.dtype).repeat(maps.shape[1], 1, 1)
    for layer in maps:
        a = layer.mean(dim=1)
        total = a.sum(dim=-1, keepdim=True) + 1
        rows = (a @ rows + rows) / total
    return rows


@exercise.alternative("the diagonal of a copy")
def _(maps):
    a = maps.mean(dim=2).clone()
    a.diagonal(dim1=-2, dim2=-1).add_(1)
    a = a / a.sum(dim=-1, keepdim=True)
    return torch.linalg.multi_dot([x for x in a[:, 0].flip(0)])[None] if len(a) > 1 and a.shape[1] == 1 else torch.stack([__import__("functools").reduce(torch.matmul, a[:, b].flip(0)) for b in range(a.shape[1])])


@exercise.wrong("no-identity")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("no-identity", "renormalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("no-identity", "halved")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("no-identity", "renormalized, the layers multiplied in reverse order")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = out @ layer
    return out


@exercise.wrong("identity-once")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return (out + eye) / 2


@exercise.wrong("identity-once", "the first layer")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    out = (a[0] + eye) / 2
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("identity-once", "all but the first layer")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    out = a[0]
    for layer in a[1:]:
        out = (layer + eye) / 2 @ out
    return out


@exercise.wrong("identity-once", "the last layer")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    out = a[0]
    for layer in a[1:-1]:
        out = layer @ out
    return (a[-1] + eye) / 2 @ out if len(a) > 1 else (out + eye) / 2


@exercise.wrong("identity-once", "at the end, whole")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out + eye


@exercise.wrong("other-share")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.9 * a + 0.1 * eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "mostly the identity")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.1 * a + 0.9 * eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "half of the identity, all of the attention")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + 0.5 * eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "half of the attention, all of the identity")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.5 * a + eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "half of the identity, not renormalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + 0.5 * eye
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "half of the attention, not renormalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.5 * a + eye
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "divided by the number of tokens")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye / maps.shape[-1]
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "a quarter")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.25 * a + 0.75 * eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "three quarters")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.75 * a + 0.25 * eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("other-share", "0.8")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.8 * a + 0.2 * eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("no-half")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("no-half", "half at the end")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out / 2


@exercise.wrong("not-renormalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("not-renormalized", "a mixture of what came before")
def _(maps):
    rows = torch.eye(maps.shape[-1], dtype=maps.dtype).repeat(maps.shape[1], 1, 1)
    for layer in maps.mean(2):
        rows = 0.5 * (layer @ rows) + 0.5 * rows
    return rows


@exercise.wrong("normalized-at-end")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out / out.sum(-1, keepdim=True)


@exercise.wrong("normalized-at-end", "from A + I")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out / out.sum(dim=2, keepdim=True)


@exercise.wrong("normalized-before-identity")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a / a.sum(-1, keepdim=True).clamp_min(1e-9)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-before-identity", "without care for empty rows")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a / a.sum(-1, keepdim=True)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-before-identity", "each head")
def _(maps):
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (maps / maps.sum(-1, keepdim=True).clamp_min(1e-9)).mean(dim=2)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-before-identity", "each head, without care for empty rows")
def _(maps):
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (maps / maps.sum(-1, keepdim=True)).mean(dim=2)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-before-identity", "each head, and after it")
def _(maps):
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (maps / maps.sum(-1, keepdim=True).clamp_min(1e-9)).mean(dim=2)
    a = a + eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("columns-normalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-2, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("columns-normalized", "axis 1 of one image")
def _(maps):
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    out = eye.expand(maps.shape[1], -1, -1)
    for layer in maps.mean(2):
        step = (layer + eye) / 2
        out = (step / step.sum(1, keepdim=True)) @ out
    return out


@exercise.wrong("divided-by-other-rows")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1).unsqueeze(-2)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-before-mean")
def _(maps):
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (maps + eye) / 2
    a = (a / a.sum(-1, keepdim=True)).mean(dim=2)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("divided-by-other-rows", "layer by layer")
def _(maps):
    out = None
    for layer in maps:
        step = layer.mean(1) + torch.eye(maps.shape[-1], dtype=maps.dtype)
        step = step / step.sum(dim=2)[:, None, :]
        out = step if out is None else step @ out
    return out


@exercise.wrong("divided-by-other-rows", "image by image")
def _(maps):
    images = []
    for image in maps.unbind(1):
        out = torch.eye(maps.shape[-1], dtype=maps.dtype)
        for layer in image:
            step = (layer.mean(0) + torch.eye(maps.shape[-1], dtype=maps.dtype)) / 2
            out = (step / step.sum(-1)) @ out
        images.append(out)
    return torch.stack(images)


@exercise.wrong("columns-normalized", "at the end")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out / out.sum(-2, keepdim=True)


@exercise.wrong("normalized-over-all")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(dim=(-2, -1), keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-over-all", "the largest number")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.amax(dim=(-2, -1), keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-over-all", "the largest number of the result")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out / out.max()


@exercise.wrong("normalized-over-all", "the largest number of each row")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.amax(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-over-all", "the length of each row")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = torch.nn.functional.normalize(a, dim=-1)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-over-all", "everything")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum()
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("normalized-over-all", "the result")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out / out.sum(dim=(1, 2), keepdim=True)


@exercise.wrong("normalized-over-all", "the length of the result's rows")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out / out.norm(dim=-1, keepdim=True)


@exercise.wrong("softmax")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a.softmax(-1)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("softmax", "of A + I")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    a = torch.softmax(a, dim=-1)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("softmax", "of the maps")
def _(maps):
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (maps.softmax(-1).mean(2) + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("softmax", "at the end")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.softmax(-1)


@exercise.wrong("sum-of-heads")
def _(maps):
    a = maps.sum(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("sum-of-heads", "not renormalized")
def _(maps):
    a = maps.sum(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("sum-of-heads", "no half, not renormalized")
def _(maps):
    a = maps.sum(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("max-of-heads")
def _(maps):
    a = maps.amax(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("max-of-heads", "not renormalized")
def _(maps):
    a = maps.amax(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("max-of-heads", "the weakest")
def _(maps):
    a = maps.amin(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("max-of-heads", "the weakest, not renormalized")
def _(maps):
    a = maps.amin(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("max-of-heads", "the median")
def _(maps):
    a = maps.median(dim=2).values
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("max-of-heads", "a pair of values and places")
def _(maps):
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (maps.max(dim=2) + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("one-head")
def _(maps):
    a = maps[:, :, 0]
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("one-head", "the last")
def _(maps):
    a = maps[:, :, -1]
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("heads-kept")
def _(maps):
    a = maps
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("heads-kept", "not renormalized")
def _(maps):
    a = maps
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("heads-kept", "no identity")
def _(maps):
    a = maps
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("heads-kept", "the wrong order")
def _(maps):
    a = maps
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = out @ layer
    return out


@exercise.wrong("mean-after-product")
def _(maps):
    a = maps
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.mean(1)


@exercise.wrong("mean-after-product", "not renormalized")
def _(maps):
    a = maps
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.mean(dim=1)


@exercise.wrong("mean-after-product", "no identity")
def _(maps):
    a = maps
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.mean(1)


@exercise.wrong("mean-after-product", "the strongest")
def _(maps):
    a = maps
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.amax(1)


@exercise.wrong("heads-multiplied")
def _(maps):
    a = maps
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    a = torch.stack([torch.stack([__import__('functools').reduce(torch.matmul, image) for image in layer]) for layer in a])
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("heads-multiplied", "number by number")
def _(maps):
    a = maps.prod(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("product-order")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = out @ layer
    return out


@exercise.wrong("product-order", "A + I")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = torch.bmm(out, layer)
    return out


@exercise.wrong("product-order", "not renormalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = out @ layer
    return out


@exercise.wrong("product-order", "no half, not renormalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + eye
    out = a[0]
    for layer in a[1:]:
        out = out @ layer
    return out


@exercise.wrong("product-order", "all but the last in the right order")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:-1]:
        out = layer @ out
    return out @ a[-1] if len(a) > 1 else out


@exercise.wrong("elementwise")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer * out
    return out


@exercise.wrong("elementwise", "prod")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    return a.prod(0)


@exercise.wrong("elementwise", "renormalized at the end")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer * out
    return out / out.sum(-1, keepdim=True)


@exercise.wrong("elementwise", "no identity")
def _(maps):
    a = maps.mean(dim=2)
    out = a[0]
    for layer in a[1:]:
        out = layer * out
    return out


@exercise.wrong("layers-averaged")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return a.mean(0)


@exercise.wrong("layers-averaged", "added up")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return a.sum(0)


@exercise.wrong("layers-averaged", "no identity")
def _(maps):
    return maps.mean(dim=(0, 2))


@exercise.wrong("layers-averaged", "the largest")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return a.amax(0)


@exercise.wrong("layers-averaged", "the mean, the heads kept")
def _(maps):
    return maps.mean(0)


@exercise.wrong("layers-averaged", "the sum, the heads kept")
def _(maps):
    return maps.sum(dim=0)


@exercise.wrong("layers-averaged", "all of it averaged")
def _(maps):
    return maps.mean(dim=(0, 1, 2))


@exercise.wrong("one-layer", "the last, the heads kept")
def _(maps):
    return maps[-1]


@exercise.wrong("one-layer", "the first, the heads kept")
def _(maps):
    return maps[0]


@exercise.wrong("all-layers", "the mean over heads alone")
def _(maps):
    return maps.mean(dim=2)


@exercise.wrong("all-layers", "the maps themselves")
def _(maps):
    return maps


@exercise.wrong("one-layer")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return a[-1]


@exercise.wrong("one-layer", "the first")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return a[0]


@exercise.wrong("one-layer", "no identity")
def _(maps):
    return maps[-1].mean(dim=1)


@exercise.wrong("one-layer", "the first, no identity")
def _(maps):
    return maps[0].mean(dim=1)


@exercise.wrong("one-layer", "returned from inside the loop")
def _(maps):
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    out = eye.expand(maps.shape[1], -1, -1)
    for layer in maps:
        step = (layer.mean(1) + eye) / 2
        out = step / step.sum(-1, keepdim=True) @ out
        return out


@exercise.wrong("layer-lost")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = torch.eye(maps.shape[-1], dtype=maps.dtype).expand_as(a[0])
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("layer-lost", "the last")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = torch.eye(maps.shape[-1], dtype=maps.dtype).expand_as(a[0])
    for layer in a[:-1]:
        out = layer @ out
    return out


@exercise.wrong("layer-lost", "the first twice")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a:
        out = layer @ out
    return out


@exercise.wrong("all-layers")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    steps = [a[0]]
    for layer in a[1:]:
        steps.append(layer @ steps[-1])
    return torch.stack(steps)


@exercise.wrong("all-layers", "nothing multiplied")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return a


@exercise.wrong("all-layers", "a list")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    steps = [a[0]]
    for layer in a[1:]:
        steps.append(layer @ steps[-1])
    return steps


@exercise.wrong("all-layers", "behind the batch")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    steps = [a[0]]
    for layer in a[1:]:
        steps.append(layer @ steps[-1])
    return torch.stack(steps, 1)


@exercise.wrong("class-row-only")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out[:, 0]


@exercise.wrong("class-row-only", "its patches")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out[:, 0, 1:]


@exercise.wrong("class-row-only", "with its axis")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out[:, :1]


@exercise.wrong("class-row-only", "divided by the largest")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    row = out[:, 0, :]
    return row / row.amax(-1, keepdim=True)


@exercise.wrong("class-row-only", "its patches, divided by the largest")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    row = out[:, 0, 1:]
    return row / row.amax(-1, keepdim=True)


@exercise.wrong("class-row-only", "divided by the largest of all")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    row = out[:, 0, :]
    return row / row.max()


@exercise.wrong("class-row-only", "its patches, divided by the largest of all")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    row = out[:, 0, 1:]
    return row / row.max()


@exercise.wrong("class-row-only", "its patches, divided by their sum")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    row = out[:, 0, 1:]
    return row / row.sum(-1, keepdim=True)


@exercise.wrong("class-row-only", "the mean of all rows")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.mean(1)


@exercise.wrong("class-row-only", "the sum of all rows")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.sum(dim=1)


@exercise.wrong("class-row-only", "the last row")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out[:, -1]


@exercise.wrong("class-row-only", "a column")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out[:, :, 0]


@exercise.wrong("class-row-only", "the patches' block")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out[:, 1:, 1:]


@exercise.wrong("transposed")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.mT


@exercise.wrong("transposed", "the maps")
def _(maps):
    a = maps.mean(dim=2).mT
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("transposed", "each layer in the product")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer.mT @ out
    return out


@exercise.wrong("transposed", "each layer in the product, from the right")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = out @ layer.mT
    return out


@exercise.wrong("transposed", "what came before")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out.mT
    return out


@exercise.wrong("transposed", "the maps, not renormalized")
def _(maps):
    a = maps.mean(dim=2).mT
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("batch-lost")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.mean(0)


@exercise.wrong("batch-lost", "the first image")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out[0]


@exercise.wrong("batch-lost", "the first image, with its axis")
def _(maps):
    a = maps[:, :1].mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("batch-lost", "averaged with the heads")
def _(maps):
    a = maps.mean(dim=(1, 2))
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("axes-misread")
def _(maps):
    a = maps.mean(dim=1)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("axes-misread", "not renormalized")
def _(maps):
    a = maps.mean(dim=1)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("axes-misread", "the batch for the layers")
def _(maps):
    a = maps.transpose(0, 1).mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("axes-misread", "the mean over layers")
def _(maps):
    a = maps.mean(dim=0)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("axes-misread", "the heads for the layers")
def _(maps):
    a = maps.mean(dim=0).transpose(0, 1)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("axes-misread", "the mean over queries")
def _(maps):
    return maps.mean(dim=3)


@exercise.wrong("identity-taken-away")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out - torch.eye(maps.shape[-1], dtype=maps.dtype)


@exercise.wrong("identity-taken-away", "the diagonal emptied")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out * (1 - torch.eye(maps.shape[-1], dtype=maps.dtype))


@exercise.wrong("identity-taken-away", "the diagonal emptied, renormalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    out = out * (1 - torch.eye(maps.shape[-1], dtype=maps.dtype))
    return out / out.sum(-1, keepdim=True)


@exercise.wrong("small-weights-dropped")
def _(maps):
    a = torch.where(maps.mean(dim=2) < maps.mean(), 0.0, maps.mean(dim=2))
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("small-weights-dropped", "below a tenth")
def _(maps):
    a = maps.mean(dim=2)
    a = torch.where(a < 0.1, torch.zeros_like(a), a)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("small-weights-dropped", "below a half")
def _(maps):
    a = maps.mean(dim=2)
    a = a * (a >= 0.5)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("ones-for-identity")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + torch.ones_like(a)) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("ones-for-identity", "a number")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.5 * a + 0.5
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("ones-for-identity", "not renormalized")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.5 * a + 0.5
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("ones-for-identity", "a uniform map")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = 0.5 * a + 0.5 / maps.shape[-1]
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("in-a-tuple")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out,


@exercise.wrong("in-a-tuple", "a list of images")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return list(out)


@exercise.wrong("in-a-tuple", "the result and its steps")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out, a


@exercise.wrong("squeezed")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.squeeze()


@exercise.wrong("squeezed", "the batch")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.squeeze(0)


@exercise.wrong("dtype-fixed")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out.float()


@exercise.wrong("dtype-fixed", "always float64")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=torch.float64)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("dtype-fixed", "an identity in float32, and a refusal")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + torch.eye(maps.shape[-1])
    a = a / a.sum(-1, keepdim=True)
    out = torch.eye(maps.shape[-1]).expand(maps.shape[1], -1, -1)
    for layer in a:
        out = layer @ out
    return out


@exercise.wrong("dtype-fixed", "an identity in float32, and a refusal of bmm")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + torch.eye(maps.shape[-1])
    a = a / a.sum(-1, keepdim=True)
    out = torch.eye(maps.shape[-1]).repeat(maps.shape[1], 1, 1)
    for layer in a:
        out = torch.bmm(layer, out)
    return out


@exercise.wrong("dtype-fixed", "an identity in float32, and a refusal, two axes")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + torch.eye(maps.shape[-1])
    a = a / a.sum(-1, keepdim=True)
    out = torch.eye(maps.shape[-1])
    for layer in a:
        out = layer @ out
    return out


@exercise.wrong("dtype-fixed", "an identity in float32, and a refusal, two axes, matmul")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + torch.eye(maps.shape[-1])
    a = a / a.sum(-1, keepdim=True)
    out = torch.eye(maps.shape[-1])
    for layer in a:
        out = torch.matmul(layer, out)
    return out


@exercise.wrong("dtype-fixed", "an identity in float32, and a refusal of einsum")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = a + torch.eye(maps.shape[-1])
    a = a / a.sum(-1, keepdim=True)
    out = torch.eye(maps.shape[-1]).expand(maps.shape[1], -1, -1)
    for layer in a:
        out = torch.einsum('bij,bjk->bik', layer, out)
    return out


@exercise.wrong("power")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return torch.linalg.matrix_power(a[-1], len(a))


@exercise.wrong("power", "the mean of the layers")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return torch.linalg.matrix_power(a.mean(0), len(a))


@exercise.wrong("power", "the first layer")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    return torch.linalg.matrix_power(a[0], len(a))


@exercise.wrong("power", "the last variable")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = out @ out
    return out


@exercise.wrong("no-gradient")
def _(maps):
    maps = maps.detach()
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("no-gradient", "torch.no_grad")
def _(maps):
    with torch.no_grad():
        a = maps.mean(dim=2)
        eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
        a = (a + eye) / 2
        a = a / a.sum(-1, keepdim=True)
        out = a[0]
        for layer in a[1:]:
            out = layer @ out
        return out


@exercise.wrong("no-gradient", "by way of numpy")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    a = torch.from_numpy(a.detach().numpy())
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("no-gradient", "numpy, without care for the gradient")
def _(maps):
    maps = torch.from_numpy(maps.numpy())
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("changes-input")
def _(maps):
    with torch.no_grad():
        maps *= 2
    a = maps.mean(dim=2) / 2
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("changes-input", "the diagonal of the maps")
def _(maps):
    with torch.no_grad():
        maps.diagonal(dim1=-2, dim2=-1).add_(1)
    a = maps.mean(dim=2)
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out
    return out


@exercise.wrong("returns-nothing")
def _(maps):
    a = maps.mean(dim=2)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    a = (a + eye) / 2
    a = a / a.sum(-1, keepdim=True)
    out = a[0]
    for layer in a[1:]:
        out = layer @ out


@exercise.wrong("timeout")
def _(maps):
    from time import sleep
    out, layer = maps[0].mean(1), 0
    while layer < len(maps):
        sleep(0.01)
        out = maps[layer].mean(1) @ out
    return out
