"""The rubric of vit_tokens: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "vit_tokens",
    points={"tokens": 3, "other layouts": 1},
    section="class-token",
    compact=True,
    mistakes={
        "class-last": ("The class token stands at the end. It comes first, and the patches follow.", "class-token"),
        "positions-before-class": ("The positions are added to the patches before the class token stands in front of them. So patch 0 gets row 0, the class "
                                   "token's position. Join first, then add.", "adding-positions"),
        "positions-do-not-fit": ("Where the positions are added, the tokens are not N + 1. Join one class token in front of the N patches first: then there are "
                                 "N + 1 tokens for N + 1 positions.", "adding-positions"),
        "class-without-position": ("The class token has no position. Row 0 of positions belongs to it: join first, then add all N + 1 rows.",
                                   "adding-positions"),
        "class-position-last": ("The class token gets the position of another token. Row 0 of positions belongs to it, the other rows to the patches.",
                                "adding-positions"),
        "no-positions": ("No positions are added. Add row i of positions to token i, and return the sum.", "adding-positions"),
        "positions-on-class-alone": ("The patches have no positions. Every token gets one: N + 1 rows for N + 1 tokens.", "adding-positions"),
        "one-position-for-all": ("All tokens get the same position. Row i of positions belongs to token i.", "adding-positions"),
        "position-of-the-image": ("The positions follow the number of the image in the batch. Row i of positions belongs to token i of every image.",
                                  "adding-positions"),
        "positions-twice": ("The positions are added more than once. Join the class token and the patches first, then add once.", "adding-positions"),
        "positions-multiplied": ("The positions are multiplied with the tokens. Add them.", "adding-positions"),
        "positions-subtracted": ("The positions are subtracted. Add them.", "adding-positions"),
        "positions-joined": ("The positions are joined to the tokens. Add them, so that no axis grows.", "adding-positions"),
        "positions-reversed": ("The positions are added in reverse order. Row 0 belongs to the class token, row 1 to the first patch.", "adding-positions"),
        "own-positions": ("The positions are made here. Add those that come in the argument positions.", "learned-patch-positions"),
        "no-class-token": ("There is no class token. Join cls in front of the patches: N patches become N + 1 tokens.", "class-token"),
        "class-added-to-patches": ("The class token is added to the patches. It is a token of its own, in front of them.", "class-token"),
        "replaces-a-patch": ("The class token takes the place of a patch. It comes in addition: N patches become N + 1 tokens.", "class-token"),
        "class-is-not-the-vector": ("The first token is not cls. Take the learned vector itself: no zeros or ones, no patch and no mean of the patches.",
                                    "class-token"),
        "class-for-each-patch": ("There are too many class tokens. Each image has one, in front of its patches.", "class-token"),
        "class-for-one-image": ("Only one image of the batch gets the class token, or comes back at all. Each image begins with it.", "class-token"),
        "joined-on-the-wrong-axis": ("The class token is joined on the wrong axis. Give cls the shape (B, 1, D) and join along the tokens, axis 1.",
                                     "class-token"),
        "class-not-expanded": ("cls is one vector, (D,), and the patches are (B, N, D). To be joined it needs three axes too, and one copy for each image: "
                               "(B, 1, D).", "class-token"),
        "class-reshaped": ("The numbers of cls are spread over the wrong axis. Each image gets the whole vector as one token: (B, 1, D).", "class-token"),
        "batch-lost": ("An axis is lost, or two are joined into one. Keep batch, tokens and width apart: the result is (B, N + 1, D).", "class-token"),
        "tokens-before-batch": ("Two axes are exchanged. The result is (B, N + 1, D).", "class-token"),
        "scaled": ("The patches, the class token or the positions are multiplied or divided by a number. They are joined and added as they are.",
                   "adding-positions"),
        "normed": ("Tokens go through a norm, a softmax or dropout. This is the work of later layers: here they are only joined and added.", "whole-vit"),
        "class-alone": ("Only the class token comes back. Return all N + 1 tokens: (B, N + 1, D).", "class-token"),
        "a-pair": ("A tuple or a list comes back. Return one tensor (B, N + 1, D), with no comma after it.", "class-token"),
        "squeezed": ("Axes of size 1 are squeezed away. A batch of one image keeps its axis.", "class-token"),
        "dtype-fixed": ("The result does not have the dtype of the patches. Give new tensors dtype=patches.dtype, and cast nothing.", "class-token"),
    },
)


@exercise.probes
def _(make):
    def probe(name, size, dtype=torch.float32, group="tokens", **marks):
        batch, n_patches, width = size
        return make.probe(name, make.randn(batch, n_patches, width, dtype=dtype), make.randn(width, dtype=dtype),
                          make.randn(n_patches + 1, width, dtype=dtype), group=group, **marks)

    yield probe("one image, two patches", (1, 2, 2), gradient=True)
    yield probe("all sizes different", make.pick((2, 4, 6), (3, 5, 7), (2, 5, 3)), gradient=True)
    yield probe("as wide as there are tokens", make.pick((2, 3, 4), (3, 4, 5), (2, 5, 6)))
    yield probe("as many images as tokens", make.pick((3, 2, 5), (4, 3, 2), (3, 2, 4)))
    yield probe("as many images as patches", make.pick((3, 3, 2), (2, 2, 5), (4, 4, 3)))
    group = "other layouts"
    yield probe("one patch", make.pick((2, 1, 3), (3, 1, 2), (2, 1, 4)), group=group, edge=True)
    yield probe("as wide as there are patches", make.pick((2, 4, 4), (1, 5, 5), (3, 4, 4)), group=group, edge=True)
    yield probe("float64", make.pick((1, 3, 2), (2, 3, 2), (1, 2, 3)), dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", make.pick((2, 3, 2), (3, 2, 4), (2, 4, 3)), group=group, edge=True, strided=True)
    yield probe("many patches", (1, 196, 3), group=group, long=True)


@exercise.right
def reference(patches, cls, positions):
    first = cls.expand(len(patches), 1, -1)
    return torch.cat((first, patches), dim=1) + positions


@exercise.alternative("repeat")
def _(patches, cls, positions):
    token = cls.reshape(1, 1, -1).repeat(patches.shape[0], 1, 1)
    return torch.cat([token, patches], 1) + positions.unsqueeze(0)


@exercise.alternative("two sums joined")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat(((cls + positions[0]).expand(B, 1, D), patches + positions[1:]), dim=1)


@exercise.alternative("filled")
def _(patches, cls, positions):
    B, N, D = patches.shape
    out = patches.new_empty(B, N + 1, D)
    out[:, 0], out[:, 1:] = cls, patches
    return out + positions


@exercise.alternative("padded")
def _(patches, cls, positions):
    from torch.nn.functional import pad
    one = torch.zeros_like(positions)
    one[0] = 1
    return pad(patches, (0, 0, 1, 0)) + one * cls + positions


@exercise.alternative("image by image")
def _(patches, cls, positions):
    return torch.stack([torch.vstack((cls, image)) + positions for image in patches])


@exercise.alternative("token by token")
def _(patches, cls, positions):
    rows = [cls.unsqueeze(0).expand(patches.size(0), -1)] + list(patches.unbind(1))
    return torch.stack([row + place for row, place in zip(rows, positions)], dim=1)


@exercise.alternative("added in place to a new tensor")
def _(patches, cls, positions):
    x = torch.cat([torch.zeros_like(patches[:, :1]) + cls, patches], dim=1)
    x += positions
    return x


@exercise.alternative("broadcast")
def _(patches, cls, positions):
    B = patches.shape[0]
    return torch.concat([torch.broadcast_to(cls, (B, 1, cls.numel())), patches], -2).add(positions[None, :, :])


@exercise.alternative("tile and hstack")
def _(patches, cls, positions):
    token = torch.tile(cls, (len(patches), 1)).unsqueeze(1)
    return positions + torch.hstack((token, patches))


@exercise.alternative("einsum")
def _(patches, cls, positions):
    class_tokens = torch.einsum("d,b->bd", cls, patches.new_ones(patches.shape[0]))[:, None]
    return torch.cat((class_tokens, patches), dim=1) + positions.expand(patches.shape[0], -1, -1)


@exercise.alternative("moved from the end")
def _(patches, cls, positions):
    x = torch.cat((patches, cls.expand(patches.shape[0], 1, -1)), dim=1).roll(1, dims=1)
    return x + positions


@exercise.wrong("class-last")
def _(patches, cls, positions):
    return torch.cat((patches, cls.expand(len(patches), 1, -1)), dim=1) + positions


@exercise.wrong("class-last", "with its own position")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return torch.cat((x[:, 1:], x[:, :1]), dim=1)


@exercise.wrong("class-last", "without a position")
def _(patches, cls, positions):
    return torch.cat((patches + positions[1:], cls.expand(len(patches), 1, -1)), dim=1)


@exercise.wrong("class-last", "without a position, patches from row 0")
def _(patches, cls, positions):
    return torch.cat((patches + positions[:-1], cls.expand(len(patches), 1, -1)), dim=1)


@exercise.wrong("class-last", "no positions")
def _(patches, cls, positions):
    return torch.cat((patches, cls.expand(len(patches), 1, -1)), dim=1)


@exercise.wrong("positions-before-class")
def _(patches, cls, positions):
    x = patches + positions[:-1]
    return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1)


@exercise.wrong("positions-before-class", "by the number of patches")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat([cls.view(1, 1, D).repeat(B, 1, 1), patches + positions[:N]], dim=1)


@exercise.wrong("positions-do-not-fit", "all rows added before the join")
def _(patches, cls, positions):
    x = patches + positions
    return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1)


@exercise.wrong("positions-do-not-fit", "all rows, with an axis in front, added before the join")
def _(patches, cls, positions):
    x = patches + positions.unsqueeze(0)
    return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1)


@exercise.wrong("positions-before-class", "the class token has row 0 as well")
def _(patches, cls, positions):
    x = patches + positions[:-1]
    return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), x), dim=1)


@exercise.wrong("class-without-position")
def _(patches, cls, positions):
    x = patches + positions[1:]
    return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1)


@exercise.wrong("class-without-position", "added after the join")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return torch.cat((x[:, :1], x[:, 1:] + positions[1:]), dim=1)


@exercise.wrong("class-without-position", "row 0 emptied")
def _(patches, cls, positions):
    places = torch.cat((torch.zeros_like(positions[:1]), positions[1:]))
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + places


@exercise.wrong("class-position-last")
def _(patches, cls, positions):
    x = patches + positions[:-1]
    return torch.cat(((cls + positions[-1]).expand(len(patches), 1, -1), x), dim=1)


@exercise.wrong("class-position-last", "rolled")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.roll(1, 0)


@exercise.wrong("class-position-last", "rolled the other way")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.roll(-1, 0)


@exercise.wrong("class-position-last", "the patches keep theirs")
def _(patches, cls, positions):
    x = patches + positions[1:]
    return torch.cat(((cls + positions[-1]).expand(len(patches), 1, -1), x), dim=1)


@exercise.wrong("no-positions")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)


@exercise.wrong("no-positions", "the sum is thrown away")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    x + positions
    return x


@exercise.wrong("positions-on-class-alone")
def _(patches, cls, positions):
    return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), patches), dim=1)


@exercise.wrong("positions-on-class-alone", "all of them")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return torch.cat((x[:, :1] + positions.sum(0), x[:, 1:]), dim=1)


@exercise.wrong("one-position-for-all")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions[0]


@exercise.wrong("one-position-for-all", "their mean")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.mean(0)


@exercise.wrong("one-position-for-all", "their sum")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.sum(dim=0)


@exercise.wrong("one-position-for-all", "the last")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions[-1]


@exercise.wrong("position-of-the-image")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x + positions[:, None]


@exercise.wrong("position-of-the-image", "a row for each image")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x + positions[: len(patches), None]


@exercise.wrong("positions-twice")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + 2 * positions


@exercise.wrong("positions-twice", "before and after")
def _(patches, cls, positions):
    x = patches + positions[1:]
    return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1) + positions


@exercise.wrong("positions-twice", "before and after, from row 0")
def _(patches, cls, positions):
    x = patches + positions[:-1]
    return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1) + positions


@exercise.wrong("positions-multiplied")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) * positions


@exercise.wrong("positions-multiplied", "one more")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) * (1 + positions)


@exercise.wrong("positions-subtracted")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) - positions


@exercise.wrong("positions-joined")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return torch.cat((x, positions.expand_as(x)), dim=-1)


@exercise.wrong("positions-joined", "along the tokens")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return torch.cat((x, positions.expand_as(x)), dim=1)


@exercise.wrong("positions-joined", "in front")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return torch.cat((positions.expand_as(x), x), dim=-1)


@exercise.wrong("positions-reversed")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.flip(0)


@exercise.wrong("positions-reversed", "those of the patches")
def _(patches, cls, positions):
    x = patches + positions[1:].flip(0)
    return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), x), dim=1)


@exercise.wrong("own-positions")
def _(patches, cls, positions):
    from allyouneed.positions import sinusoidal_encoding
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x + sinusoidal_encoding(x.shape[1], x.shape[2] + x.shape[2] % 2)[:, : x.shape[2]].to(x.dtype)


@exercise.wrong("own-positions", "the numbers 0, 1, 2")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x + torch.arange(x.shape[1], dtype=x.dtype)[:, None]


@exercise.wrong("own-positions", "fresh ones")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x + torch.nn.Parameter(torch.randn(x.shape[1:], dtype=x.dtype))


@exercise.wrong("own-positions", "zeros to be learned")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x + torch.nn.Parameter(torch.zeros_like(positions)) + 0.02


@exercise.wrong("no-class-token")
def _(patches, cls, positions):
    return patches + positions[1:]


@exercise.wrong("no-class-token", "from row 0")
def _(patches, cls, positions):
    return patches + positions[: patches.shape[1]]


@exercise.wrong("no-class-token", "no positions either")
def _(patches, cls, positions):
    return patches


@exercise.wrong("class-added-to-patches")
def _(patches, cls, positions):
    return patches + cls + positions[1:]


@exercise.wrong("class-added-to-patches", "from row 0")
def _(patches, cls, positions):
    return patches + cls + positions[:-1]


@exercise.wrong("class-added-to-patches", "and in front")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches + cls), dim=1)
    return x + positions


@exercise.wrong("replaces-a-patch")
def _(patches, cls, positions):
    x = patches.clone()
    x[:, 0] = cls
    return x + positions[:-1]


@exercise.wrong("replaces-a-patch", "the last one pushed out")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches[:, :-1]), dim=1)
    return x + positions[:-1]


@exercise.wrong("class-is-not-the-vector")
def _(patches, cls, positions):
    return torch.cat((torch.zeros_like(patches[:, :1]), patches), dim=1) + positions


@exercise.wrong("class-is-not-the-vector", "the mean")
def _(patches, cls, positions):
    return torch.cat((patches.mean(1, keepdim=True), patches), dim=1) + positions


@exercise.wrong("class-is-not-the-vector", "the mean and the vector")
def _(patches, cls, positions):
    return torch.cat((patches.mean(1, keepdim=True) + cls, patches), dim=1) + positions


@exercise.wrong("class-is-not-the-vector", "ones")
def _(patches, cls, positions):
    return torch.cat((torch.ones_like(patches[:, :1]), patches), dim=1) + positions


@exercise.wrong("class-is-not-the-vector", "the first patch")
def _(patches, cls, positions):
    return torch.cat((patches[:, :1], patches), dim=1) + positions


@exercise.wrong("class-is-not-the-vector", "its first number")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat((cls[0].expand(B, 1, D), patches), dim=1) + positions


@exercise.wrong("class-is-not-the-vector", "its mean")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat((cls.mean().expand(B, 1, D), patches), dim=1) + positions


@exercise.wrong("class-for-each-patch")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat((cls.expand(B, N, D), patches), dim=1)


@exercise.wrong("class-for-each-patch", "one in front of each")
def _(patches, cls, positions):
    pairs = torch.stack((cls.expand_as(patches), patches), dim=2)
    return pairs.flatten(1, 2)


@exercise.wrong("positions-do-not-fit", "a class token for each patch, then the positions")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat((cls.expand(B, N, D), patches), dim=1) + positions


@exercise.wrong("class-for-each-patch", "at both ends")
def _(patches, cls, positions):
    one = cls.expand(len(patches), 1, -1)
    return torch.cat((one, patches, one), dim=1)


@exercise.wrong("class-for-each-patch", "one for each image of the batch")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat((cls.expand(B, B, D), patches), dim=1)


@exercise.wrong("class-for-one-image")
def _(patches, cls, positions):
    x = torch.cat((torch.zeros_like(patches[:, :1]), patches), dim=1)
    x[0, 0] = cls
    return x + positions


@exercise.wrong("class-for-one-image", "the last")
def _(patches, cls, positions):
    x = torch.cat((torch.zeros_like(patches[:, :1]), patches), dim=1)
    x[-1, 0] = cls
    return x + positions


@exercise.wrong("class-for-one-image", "one image comes back")
def _(patches, cls, positions):
    return torch.cat((cls[None], patches[0])) + positions


@exercise.wrong("class-for-one-image", "one image, with its axis")
def _(patches, cls, positions):
    return torch.cat((cls[None, None], patches[:1]), dim=1) + positions


@exercise.wrong("joined-on-the-wrong-axis")
def _(patches, cls, positions):
    return torch.cat((cls.expand(1, *patches.shape[1:]), patches), dim=0)


@exercise.wrong("joined-on-the-wrong-axis", "the default axis")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(1, *patches.shape[1:]), patches))
    return x + positions[:-1]


@exercise.wrong("joined-on-the-wrong-axis", "the last axis")
def _(patches, cls, positions):
    return torch.cat((cls.expand_as(patches), patches), dim=-1)


@exercise.wrong("joined-on-the-wrong-axis", "three axes, not along the tokens")
def _(patches, cls, positions):
    return torch.cat((cls.reshape(1, 1, -1), patches)) + positions


@exercise.wrong("joined-on-the-wrong-axis", "expanded, the last axis")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=-1) + positions


@exercise.wrong("joined-on-the-wrong-axis", "stacked")
def _(patches, cls, positions):
    return torch.stack((cls.expand_as(patches), patches), dim=1)


@exercise.wrong("class-not-expanded")
def _(patches, cls, positions):
    return torch.cat((cls, patches), dim=1) + positions


@exercise.wrong("class-not-expanded", "one axis more")
def _(patches, cls, positions):
    return torch.cat((cls.unsqueeze(0), patches), dim=1) + positions


@exercise.wrong("class-not-expanded", "two axes more")
def _(patches, cls, positions):
    return torch.cat((cls.unsqueeze(0).unsqueeze(0), patches), dim=1) + positions


@exercise.wrong("class-not-expanded", "the default axis")
def _(patches, cls, positions):
    return torch.cat((cls, patches)) + positions


@exercise.wrong("class-reshaped")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat((cls.reshape(1, D, 1).expand(B, D, D), patches), dim=1)


@exercise.wrong("joined-on-the-wrong-axis", "the width along the tokens")
def _(patches, cls, positions):
    return torch.cat((cls[None, :, None].expand(len(patches), -1, 1), patches), dim=1) + positions


@exercise.wrong("class-reshaped", "mixed in the batch")
def _(patches, cls, positions):
    B, N, D = patches.shape
    return torch.cat((cls.repeat_interleave(B).reshape(B, 1, D), patches), dim=1) + positions


@exercise.wrong("batch-lost")
def _(patches, cls, positions):
    return torch.cat((cls[None], patches.mean(0))) + positions


@exercise.wrong("batch-lost", "all patches in one row")
def _(patches, cls, positions):
    return torch.cat((cls[None], patches.flatten(0, 1)))


@exercise.wrong("batch-lost", "batch and tokens joined")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x.flatten(0, 1)


@exercise.wrong("batch-lost", "tokens and width joined")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x.flatten(1)


@exercise.wrong("batch-lost", "the sum over images")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x.sum(0)


@exercise.wrong("tokens-before-batch")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x.transpose(0, 1)


@exercise.wrong("tokens-before-batch", "stacked")
def _(patches, cls, positions):
    rows = [cls.expand(patches.shape[0], -1), *patches.unbind(1)]
    return torch.stack([row + place for row, place in zip(rows, positions)])


@exercise.wrong("tokens-before-batch", "the width before the tokens")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x.transpose(1, 2)


@exercise.wrong("scaled")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x * x.shape[-1] ** 0.5 + positions


@exercise.wrong("scaled", "the patches")
def _(patches, cls, positions):
    x = patches * patches.shape[-1] ** 0.5
    return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1) + positions


@exercise.wrong("scaled", "divided")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return (x + positions) / 2


@exercise.wrong("scaled", "small positions")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + 0.02 * positions


@exercise.wrong("scaled", "divided by the root of the width")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x / x.shape[-1] ** 0.5 + positions


@exercise.wrong("normed")
def _(patches, cls, positions):
    from torch.nn.functional import layer_norm
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return layer_norm(x, x.shape[-1:])


@exercise.wrong("normed", "dropped out")
def _(patches, cls, positions):
    from torch.nn.functional import dropout
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return dropout(x, 0.5)


@exercise.wrong("normed", "softmax")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x.softmax(-1)


@exercise.wrong("normed", "the patches first")
def _(patches, cls, positions):
    from torch.nn.functional import layer_norm
    x = layer_norm(patches, patches.shape[-1:])
    return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1) + positions


@exercise.wrong("class-alone")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x[:, 0]


@exercise.wrong("class-alone", "with its axis")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x[:, :1]


@exercise.wrong("a-pair")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return x[:, 0], x[:, 1:]


@exercise.wrong("a-pair", "a comma")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions,


@exercise.wrong("a-pair", "a list of images")
def _(patches, cls, positions):
    return [torch.vstack((cls, image)) + positions for image in patches]


@exercise.wrong("a-pair", "a list of tokens")
def _(patches, cls, positions):
    rows = [cls.expand(patches.shape[0], -1), *patches.unbind(1)]
    return [row + place for row, place in zip(rows, positions)]


@exercise.wrong("a-pair", "tokens and positions")
def _(patches, cls, positions):
    return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1), positions


@exercise.wrong("squeezed")
def _(patches, cls, positions):
    return (torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions).squeeze()


@exercise.wrong("squeezed", "the batch")
def _(patches, cls, positions):
    return (torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions).squeeze(0)


@exercise.wrong("dtype-fixed")
def _(patches, cls, positions):
    B, N, D = patches.shape
    out = torch.zeros(B, N + 1, D)
    out[:, 0] = cls
    out[:, 1:] = patches
    return (out + positions).float()


@exercise.wrong("dtype-fixed", "always float64")
def _(patches, cls, positions):
    return (torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions).double()


@exercise.wrong("no-gradient")
def _(patches, cls, positions):
    x = torch.cat((cls.detach().expand(len(patches), 1, -1), patches), dim=1)
    return x + positions


@exercise.wrong("no-gradient", "of the positions")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x + positions.data


@exercise.wrong("no-gradient", "of all")
def _(patches, cls, positions):
    return (torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions).detach()


@exercise.wrong("no-gradient", "by torch.tensor")
def _(patches, cls, positions):
    token = torch.tensor(cls.tolist(), dtype=cls.dtype).expand(len(patches), 1, -1)
    return torch.cat((token, patches), dim=1) + positions


@exercise.wrong("no-gradient", "by way of numpy")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions
    return torch.from_numpy(x.detach().numpy())


@exercise.wrong("changes-input")
def _(patches, cls, positions):
    with torch.no_grad():
        patches += positions[1:]
    return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), patches), dim=1)


@exercise.wrong("changes-input", "without care for the gradient")
def _(patches, cls, positions):
    patches += positions[1:]
    return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), patches), dim=1)


@exercise.wrong("returns-nothing")
def _(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    x += positions


@exercise.wrong("timeout")
def _(patches, cls, positions):
    from time import sleep
    tokens = [cls]
    while len(tokens) < len(positions):
        sleep(0.01)
        tokens[-1] = patches[0, len(tokens) - 1]
    return torch.stack(tokens)
