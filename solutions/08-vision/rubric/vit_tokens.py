"""vit_tokens: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "vit_tokens",
    points={"tokens": 3, "other layouts": 1},
    section="class-token",
)


@exercise.probes
def probes(make):
    def probe(name, size, dtype=torch.float32, group="tokens", **marks):
        batch, n_patches, width = size
        return make.probe(name, make.randn(batch, n_patches, width, dtype=dtype),
                          make.randn(width, dtype=dtype),
                          make.randn(n_patches + 1, width, dtype=dtype), group=group, **marks)

    yield probe("one image, two patches", (1, 2, 2), gradient=True)
    yield probe("all sizes different", make.pick((2, 4, 6), (3, 5, 7), (2, 5, 3)), gradient=True)
    yield probe("as wide as there are tokens", make.pick((2, 3, 4), (3, 4, 5), (2, 5, 6)))
    yield probe("as many images as tokens", make.pick((3, 2, 5), (4, 3, 2), (3, 2, 4)))
    yield probe("as many images as patches", make.pick((3, 3, 2), (2, 2, 5), (4, 4, 3)))
    group = "other layouts"
    yield probe("one patch", make.pick((2, 1, 3), (3, 1, 2), (2, 1, 4)), group=group, edge=True)
    yield probe("as wide as there are patches", make.pick((2, 4, 4), (1, 5, 5), (3, 4, 4)), group=group,
                edge=True)
    yield probe("float64", make.pick((1, 3, 2), (2, 3, 2), (1, 2, 3)), dtype=torch.float64, group=group,
                edge=True, gradient=True)
    yield probe("not contiguous", make.pick((2, 3, 2), (3, 2, 4), (2, 4, 3)), group=group, edge=True,
                strided=True)
    yield probe("many patches", (1, 196, 3), group=group, long=True)


@exercise.right
def reference(patches, cls, positions):
    first = cls.expand(len(patches), 1, -1)
    return torch.cat((first, patches), dim=1) + positions


@exercise.right("token by token")
def token_token(patches, cls, positions):
    rows = [cls.unsqueeze(0).expand(patches.size(0), -1)] + list(patches.unbind(1))
    return torch.stack([row + place for row, place in zip(rows, positions)], dim=1)


@exercise.right("step by step")
def plain(patches, cls, positions):
    x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)
    return x + positions


exercise.also_right(
    full("token = cls.reshape(1, 1, -1).repeat(patches.shape[0], 1, 1)\n"
         "return torch.cat([token, patches], 1) + positions.unsqueeze(0)", "repeat"),
    full("B, N, D = patches.shape\n"
         "return torch.cat(((cls + positions[0]).expand(B, 1, D), patches + positions[1:]), dim=1)",
         "two sums joined"),
    full("B, N, D = patches.shape\n"
         "out = patches.new_empty(B, N + 1, D)\n"
         "out[:, 0], out[:, 1:] = cls, patches\n"
         "return out + positions", "filled"),
    full("from torch.nn.functional import pad\n"
         "one = torch.zeros_like(positions)\n"
         "one[0] = 1\n"
         "return pad(patches, (0, 0, 1, 0)) + one * cls + positions", "padded"),
    full("return torch.stack([torch.vstack((cls, image)) + positions for image in patches])",
         "image by image"),
    full("x = torch.cat([torch.zeros_like(patches[:, :1]) + cls, patches], dim=1)\n"
         "x += positions\n"
         "return x", "added in place to a new tensor"),
    full("B = patches.shape[0]\n"
         "return torch.concat([torch.broadcast_to(cls, (B, 1, cls.numel())), patches],\n"
         "                    -2).add(positions[None, :, :])", "broadcast"),
    full("token = torch.tile(cls, (len(patches), 1)).unsqueeze(1)\n"
         "return positions + torch.hstack((token, patches))", "tile and hstack"),
    full('class_tokens = torch.einsum("d,b->bd", cls, patches.new_ones(patches.shape[0]))[:, None]\n'
         "return torch.cat((class_tokens, patches), dim=1) + positions.expand(patches.shape[0], -1, -1)",
         "einsum"),
    full("x = torch.cat((patches, cls.expand(patches.shape[0], 1, -1)), dim=1).roll(1, dims=1)\n"
         "return x + positions", "moved from the end"))


exercise.mistake("class-last", "class-token",
    "The class token stands at the end. It comes first, and the patches follow.",
    full("return torch.cat((patches, cls.expand(len(patches), 1, -1)), dim=1) + positions"),
    full("x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions\n"
         "return torch.cat((x[:, 1:], x[:, :1]), dim=1)", "with its own position"),
    full("return torch.cat((patches + positions[1:], cls.expand(len(patches), 1, -1)), dim=1)",
         "without a position"),
    full("return torch.cat((patches + positions[:-1], cls.expand(len(patches), 1, -1)), dim=1)",
         "without a position, patches from row 0"),
    full("return torch.cat((patches, cls.expand(len(patches), 1, -1)), dim=1)", "no positions"))

exercise.mistake("positions-before-class", "adding-positions",
    "The positions are added to the patches before the class token stands in front of them. So patch 0 "
    "gets row 0, the class token's position. Join first, then add.",
    full("x = patches + positions[:-1]\nreturn torch.cat((cls.expand(len(patches), 1, -1), x), dim=1)"),
    full("x = patches + positions[:-1]\n"
         "return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), x), dim=1)",
         "the class token has row 0 as well"))

exercise.mistake("positions-do-not-fit", "adding-positions",
    "Where the positions are added, the tokens are not N + 1. Join one class token in front of the N "
    "patches first: then there are N + 1 tokens for N + 1 positions.",
    full("x = patches + positions\n"
         "return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1)", "all rows added before the join"),
    full("B, N, D = patches.shape\n"
         "return torch.cat((cls.expand(B, N, D), patches), dim=1) + positions",
         "a class token for each patch, then the positions"))

exercise.mistake("class-without-position", "adding-positions",
    "The class token has no position. Row 0 of positions belongs to it: join first, then add all N + 1 rows.",
    full("x = patches + positions[1:]\nreturn torch.cat((cls.expand(len(patches), 1, -1), x), dim=1)"))

exercise.mistake("class-position-last", "adding-positions",
    "The class token gets the position of another token. Row 0 of positions belongs to it, the other rows "
    "to the patches.",
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.roll(1, 0)"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.roll(-1, 0)",
         "rolled the other way"),
    full("x = patches + positions[1:]\n"
         "return torch.cat(((cls + positions[-1]).expand(len(patches), 1, -1), x), dim=1)",
         "the patches keep theirs"))

exercise.mistake("no-positions", "adding-positions",
    "No positions are added. Add row i of positions to token i, and return the sum.",
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1)"))

exercise.mistake("positions-on-class-alone", "adding-positions",
    "The patches have no positions. Every token gets one: N + 1 rows for N + 1 tokens.",
    full("return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), patches), dim=1)"),
    edit(plain, {"return x + positions": "return torch.cat((x[:, :1] + positions.sum(0), x[:, 1:]), dim=1)"},
         "all of them"))

exercise.mistake("one-position-for-all", "adding-positions",
    "All tokens get the same position. Row i of positions belongs to token i.",
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions[0]"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.mean(0)",
         "their mean"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.sum(dim=0)",
         "their sum"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions[-1]", "the last"))

exercise.mistake("position-of-the-image", "adding-positions",
    "The positions follow the number of the image in the batch. Row i of positions belongs to token i of "
    "every image.",
    edit(plain, {"x + positions": "x + positions[:, None]"}),
    edit(plain, {"x + positions": "x + positions[: len(patches), None]"}, "a row for each image"))

exercise.mistake("positions-twice", "adding-positions",
    "The positions are added more than once. Join the class token and the patches first, then add once.",
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + 2 * positions"),
    full("x = patches + positions[1:]\n"
         "return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1) + positions", "before and after"),
    full("x = patches + positions[:-1]\n"
         "return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1) + positions",
         "before and after, from row 0"))

exercise.mistake("positions-multiplied", "adding-positions",
    "The positions are multiplied with the tokens. Add them.",
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) * positions"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) * (1 + positions)", "one more"))

exercise.mistake("positions-subtracted", "adding-positions", "The positions are subtracted. Add them.",
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) - positions"))

exercise.mistake("positions-joined", "adding-positions",
    "The positions are joined to the tokens. Add them, so that no axis grows.",
    edit(plain, {"return x + positions": "return torch.cat((x, positions.expand_as(x)), dim=-1)"}),
    edit(plain, {"return x + positions": "return torch.cat((x, positions.expand_as(x)), dim=1)"},
         "along the tokens"),
    edit(plain, {"return x + positions": "return torch.cat((positions.expand_as(x), x), dim=-1)"},
         "in front"))

exercise.mistake("positions-reversed", "adding-positions",
    "The positions are added in reverse order. Row 0 belongs to the class token, row 1 to the first patch.",
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions.flip(0)"),
    full("x = patches + positions[1:].flip(0)\n"
         "return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), x), dim=1)",
         "those of the patches"))

exercise.mistake("own-positions", "learned-patch-positions",
    "The positions are made here. Add those that come in the argument positions.",
    edit(plain, {"x = torch": "from allyouneed.nn.positions import sinusoidal_encoding\nx = torch",
                 "return x + positions":
                 "return x + sinusoidal_encoding(x.shape[1], x.shape[2] + x.shape[2] % 2)[:, : "
                 "x.shape[2]].to(x.dtype)"}),
    edit(plain, {"return x + positions": "return x + torch.arange(x.shape[1], dtype=x.dtype)[:, None]"},
         "the numbers 0, 1, 2"),
    edit(plain, {"return x + positions":
                 "return x + torch.nn.Parameter(torch.randn(x.shape[1:], dtype=x.dtype))"}, "fresh ones"),
    edit(plain, {"x + positions": "x + torch.nn.Parameter(torch.zeros_like(positions)) + 0.02"},
         "zeros to be learned"))

exercise.mistake("no-class-token", "class-token",
    "There is no class token. Join cls in front of the patches: N patches become N + 1 tokens.",
    full("return patches + positions[1:]"),
    full("return patches + positions[: patches.shape[1]]", "from row 0"),
    full("return patches", "no positions either"))

exercise.mistake("class-added-to-patches", "class-token",
    "The class token is added to the patches. It is a token of its own, in front of them.",
    full("return patches + cls + positions[1:]"),
    full("return patches + cls + positions[:-1]", "from row 0"),
    edit(plain, {", patches": ", patches + cls"}, "and in front"))

exercise.mistake("replaces-a-patch", "class-token",
    "The class token takes the place of a patch. It comes in addition: N patches become N + 1 tokens.",
    full("x = patches.clone()\n"
         "x[:, 0] = cls\n"
         "return x + positions[:-1]"),
    edit(plain, {", patches": ", patches[:, :-1]",
                 "x + positions": "x + positions[:-1]"}, "the last one pushed out"))

exercise.mistake("class-is-not-the-vector", "class-token",
    "The first token is not cls. Take the learned vector itself: no zeros or ones, no patch and no mean of "
    "the patches.",
    full("return torch.cat((torch.zeros_like(patches[:, :1]), patches), dim=1) + positions"),
    full("return torch.cat((patches.mean(1, keepdim=True), patches), dim=1) + positions", "the mean"),
    full("return torch.cat((patches.mean(1, keepdim=True) + cls, patches), dim=1) + positions",
         "the mean and the vector"),
    full("return torch.cat((torch.ones_like(patches[:, :1]), patches), dim=1) + positions", "ones"),
    full("return torch.cat((patches[:, :1], patches), dim=1) + positions", "the first patch"),
    full("B, N, D = patches.shape\n"
         "return torch.cat((cls[0].expand(B, 1, D), patches), dim=1) + positions", "its first number"),
    full("B, N, D = patches.shape\n"
         "return torch.cat((cls.mean().expand(B, 1, D), patches), dim=1) + positions", "its mean"))

exercise.mistake("class-for-each-patch", "class-token",
    "There are too many class tokens. Each image has one, in front of its patches.",
    full("B, N, D = patches.shape\nreturn torch.cat((cls.expand(B, N, D), patches), dim=1)"),
    full("pairs = torch.stack((cls.expand_as(patches), patches), dim=2)\n"
         "return pairs.flatten(1, 2)", "one in front of each"),
    full("one = cls.expand(len(patches), 1, -1)\n"
         "return torch.cat((one, patches, one), dim=1)", "at both ends"),
    full("B, N, D = patches.shape\n"
         "return torch.cat((cls.expand(B, B, D), patches), dim=1)", "one for each image of the batch"))

exercise.mistake("class-for-one-image", "class-token",
    "Only one image of the batch gets the class token, or comes back at all. Each image begins with it.",
    full("x = torch.cat((torch.zeros_like(patches[:, :1]), patches), dim=1)\n"
         "x[0, 0] = cls\n"
         "return x + positions"),
    edit(plain, {"cls.expand(len(patches), 1, -1)": "torch.zeros_like(patches[:, :1])",
                 "return": "x[-1, 0] = cls\nreturn"}, "the last"),
    full("return torch.cat((cls[None], patches[0])) + positions", "one image comes back"),
    full("return torch.cat((cls[None, None], patches[:1]), dim=1) + positions", "one image, with its axis"))

exercise.mistake("joined-on-the-wrong-axis", "class-token",
    "The class token is joined on the wrong axis. Give cls the shape (B, 1, D) and join along the tokens, "
    "axis 1.",
    full("return torch.cat((cls.expand(1, *patches.shape[1:]), patches), dim=0)"),
    full("x = torch.cat((cls.expand(1, *patches.shape[1:]), patches))\n"
         "return x + positions[:-1]", "the default axis"),
    full("return torch.cat((cls.expand_as(patches), patches), dim=-1)", "the last axis"),
    full("return torch.cat((cls.reshape(1, 1, -1), patches)) + positions",
         "three axes, not along the tokens"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=-1) + positions",
         "expanded, the last axis"),
    full("return torch.stack((cls.expand_as(patches), patches), dim=1)", "stacked"),
    full("return torch.cat((cls[None, :, None].expand(len(patches), -1, 1), patches), dim=1) + positions",
         "the width along the tokens"))

exercise.mistake("class-not-expanded", "class-token",
    "cls is one vector, (D,), and the patches are (B, N, D). To be joined it needs three axes too, and one "
    "copy for each image: (B, 1, D).",
    full("return torch.cat((cls, patches), dim=1) + positions"),
    full("return torch.cat((cls.unsqueeze(0), patches), dim=1) + positions", "one axis more"),
    full("return torch.cat((cls.unsqueeze(0).unsqueeze(0), patches), dim=1) + positions", "two axes more"),
    full("return torch.cat((cls, patches)) + positions", "the default axis"))

exercise.mistake("class-reshaped", "class-token",
    "The numbers of cls are spread over the wrong axis. Each image gets the whole vector as one token: (B, "
    "1, D).",
    full("B, N, D = patches.shape\nreturn torch.cat((cls.reshape(1, D, 1).expand(B, D, D), patches), dim=1)"),
    full("B, N, D = patches.shape\n"
         "return torch.cat((cls.repeat_interleave(B).reshape(B, 1, D), patches), dim=1) + positions",
         "mixed in the batch"))

exercise.mistake("batch-lost", "class-token",
    "An axis is lost, or two are joined into one. Keep batch, tokens and width apart: the result is (B, N "
    "+ 1, D).",
    full("return torch.cat((cls[None], patches.mean(0))) + positions"),
    full("return torch.cat((cls[None], patches.flatten(0, 1)))", "all patches in one row"),
    edit(plain, {"dim=1)": "dim=1) + positions",
                 "return x + positions": "return x.flatten(0, 1)"}, "batch and tokens joined"),
    edit(plain, {"dim=1)": "dim=1) + positions",
                 "x + positions": "x .flatten(1)"}, "tokens and width joined"),
    edit(plain, {"dim=1)": "dim=1) + positions", "x + positions": "x .sum(0)"}, "the sum over images"))

exercise.mistake("tokens-before-batch", "class-token", "Two axes are exchanged. The result is (B, N + 1, D).",
    full("x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions\n"
         "return x.transpose(0, 1)"),
    full("x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions\n"
         "return x.transpose(1, 2)", "the width before the tokens"))

exercise.mistake("scaled", "adding-positions",
    "The patches, the class token or the positions are multiplied or divided by a number. They are joined "
    "and added as they are.",
    edit(plain, {"return x": "return x * x.shape[-1] ** 0.5"}),
    full("x = patches * patches.shape[-1] ** 0.5\n"
         "return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1) + positions", "the patches"),
    edit(plain, {"x + positions": "(x + positions) / 2"}, "divided"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + 0.02 * positions",
         "small positions"),
    edit(plain, {"return x": "return x / x.shape[-1] ** 0.5"}, "divided by the root of the width"))

exercise.mistake("normed", "whole-vit",
    "Tokens go through a norm, a softmax or dropout. This is the work of later layers: here they are only "
    "joined and added.",
    full("from torch.nn.functional import layer_norm\n"
         "x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions\n"
         "return layer_norm(x, x.shape[-1:])"),
    full("from torch.nn.functional import dropout\n"
         "x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions\n"
         "return dropout(x, 0.5)", "dropped out"),
    full("x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions\n"
         "return x.softmax(-1)", "softmax"),
    full("from torch.nn.functional import layer_norm\n"
         "x = layer_norm(patches, patches.shape[-1:])\n"
         "return torch.cat((cls.expand(len(patches), 1, -1), x), dim=1) + positions", "the patches first"))

exercise.mistake("class-alone", "class-token",
    "Only the class token comes back. Return all N + 1 tokens: (B, N + 1, D).",
    edit(plain, {"dim=1)": "dim=1) + positions", "x + positions": "x [:, 0]"}),
    full("x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions\n"
         "return x[:, :1]", "with its axis"))

exercise.mistake("a-pair", "class-token",
    "A tuple or a list comes back. Return one tensor (B, N + 1, D), with no comma after it.",
    full("x = torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions\n"
         "return x[:, 0], x[:, 1:]"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions,", "a comma"),
    full("return [torch.vstack((cls, image)) + positions for image in patches]", "a list of images"),
    edit(token_token, {" torch.stack(": "", ", dim=1)": ""}, "a list of tokens"),
    full("return torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1), positions",
         "tokens and positions"))

exercise.mistake("squeezed", "class-token",
    "Axes of size 1 are squeezed away. A batch of one image keeps its axis.",
    full("return (torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions).squeeze()"))

exercise.mistake("dtype-fixed", "class-token",
    "The result does not have the dtype of the patches. Give new tensors dtype=patches.dtype, and cast "
    "nothing.",
    full("B, N, D = patches.shape\n"
         "out = torch.zeros(B, N + 1, D)\n"
         "out[:, 0] = cls\n"
         "out[:, 1:] = patches\n"
         "return (out + positions).float()"),
    full("return (torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions).double()",
         "always float64"))

exercise.built_in("no-gradient",
    edit(plain, {"cls.": "cls.detach()."}),
    edit(plain, {"x + positions": "x + positions.data"}, "of the positions"),
    full("return (torch.cat((cls.expand(len(patches), 1, -1), patches), dim=1) + positions).detach()",
         "of all"))

exercise.built_in("changes-input",
    edit(plain, {"x = torch": "with torch.no_grad():\n"
                              "    patches += positions[1:]\n"
                              "return torch",
                 "cls.": "(cls + positions[0])."}),
    full("patches += positions[1:]\n"
         "return torch.cat(((cls + positions[0]).expand(len(patches), 1, -1), patches), dim=1)",
         "without care for the gradient"))

exercise.built_in("returns-nothing",
    edit(plain, {"return x + positions": "x += positions"}))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "tokens = [cls]\n"
         "while len(tokens) < len(positions):\n"
         "    sleep(0.01)\n"
         "    tokens[-1] = patches[0, len(tokens) - 1]\n"
         "return torch.stack(tokens)"))

exercise.equal("an axis of size 1 in front comes from broadcasting, and a sum has no order", {
    ".unsqueeze(0)": "", ".reshape(1, 1, -1)": "", ".expand(patches.shape[0], -1, -1)": "",
    "zip(rows, positions)": "zip(positions, rows)"})
exercise.equal("all three arguments have one dtype", {"patches.new": ("cls.new", "positions.new")})
