"""gru_step: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise, Relation, edit, every, full

from ._shared import READY_MADE, faded, gate_weights, rounded, stride

GATES = "zrh"

exercise = Exercise(
    "gru_step",
    points={"step": 3, "gradients": 1, "large inputs": 1},
    section="gru-gates",
    forbid=READY_MADE,
    properties=[{"rule": "finite"}],
    relations=[
        Relation("no way from the input", "no way from the input, another input",
                 "With every W = 0 the input must not matter, but it changed the new state."),
        Relation("an update gate that is shut", "an update gate that is shut, another input",
                 "With b_z at −40 the update gate is shut, so the state must stay as it is; but another "
                 "input changed it.")],
)


@exercise.probes
def probes(make):
    def arguments(B, D, H, dtype=torch.float32, scale=1.0, backwards=False):
        return (make.randn(B, D, dtype=dtype, scale=scale), make.randn(B, H, dtype=dtype, scale=1.5),
                gate_weights(make, GATES, D, H, dtype, backwards=backwards))

    def probe(name, *args, group="step", **marks):
        return make.probe(name, *args, group=group, **marks)

    yield probe("one number each", *[rounded(item) for item in arguments(1, 1, 1)])
    yield probe("two items", *arguments(2, *make.pick((3, 4), (4, 3), (5, 4))))
    yield probe("more units than inputs", *arguments(*make.pick((3, 2, 5), (4, 3, 6), (2, 3, 5))))
    yield probe("more inputs than units", *arguments(*make.pick((4, 5, 3), (3, 6, 2), (5, 7, 3))))
    yield probe("as many inputs as units", *arguments(2, *make.pick((3, 3), (4, 4), (5, 5))))
    yield probe("all sizes equal", *arguments(*make.pick((3, 3, 3), (4, 4, 4), (2, 2, 2))))
    yield probe("float64", *arguments(*make.pick((2, 4, 3), (3, 2, 4), (2, 5, 3)), dtype=torch.float64))
    x, h, params = arguments(2, 3, make.pick(2, 4, 5))
    yield probe("no way from the input", x, h, faded(make, params, "W"))
    yield probe("no way from the input, another input", make.randn(*x.shape), h, faded(make, params, "W"))
    shut = params | {"b_z": params["b_z"] - 40}
    yield probe("an update gate that is shut", x, h, shut)
    yield probe("an update gate that is shut, another input", make.randn(*x.shape), h, shut)

    yield probe("batch 1", *arguments(1, *make.pick((3, 2), (4, 3), (2, 4))), edge=True)
    yield probe("keys in another order", *arguments(2, 3, 4, backwards=True), edge=True)
    yield stride(probe("not contiguous", *arguments(2, 3, 4), edge=True))
    yield probe("a large batch", *arguments(make.pick(130, 140, 150), 2, 3), edge=True, long=True)

    graded = {"group": "gradients", "gradient": True, "edge": True}
    yield probe("gradients", *arguments(*make.pick((2, 3, 2), (3, 2, 4), (2, 4, 3))), **graded)
    yield probe("gradients, float64", *arguments(*make.pick((3, 2, 2), (2, 3, 3), (3, 2, 3)),
                                                 dtype=torch.float64), **graded)
    yield probe("inputs of several hundred",
                *arguments(*make.pick((3, 2, 4), (4, 3, 2), (2, 4, 5)),
                           scale=400.0), group="large inputs", edge=True)


@exercise.right
def reference(x, h, params):
    z = torch.sigmoid(x @ params["W_z"] + h @ params["U_z"] + params["b_z"])
    r = torch.sigmoid(x @ params["W_r"] + h @ params["U_r"] + params["b_r"])
    candidate = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    return (1 - z) * h + z * candidate


@exercise.right("lerp")
def by_lerp(x, h, params):
    def total(gate, state):
        return torch.addmm(params[f"b_{gate}"], x, params[f"W_{gate}"]) + state @ params[f"U_{gate}"]

    z, r = total("z", h).sigmoid(), total("r", h).sigmoid()
    return torch.lerp(h, total("h", r * h).tanh(), z)


@exercise.right("h plus a step towards the candidate")
def h_plus(x, h, params):
    p = params
    z_t = torch.sigmoid(torch.matmul(x, p["W_z"]) + torch.matmul(h, p["U_z"]) + p["b_z"])
    r_t = torch.sigmoid(torch.matmul(x, p["W_r"]) + torch.matmul(h, p["U_r"]) + p["b_r"])
    h_tilde = torch.tanh(torch.matmul(x, p["W_h"]) + torch.matmul(torch.mul(r_t, h), p["U_h"]) + p["b_h"])
    return h + z_t * (h_tilde - h)


@exercise.right("the inputs' share of all three at once")
def inputs_share(x, h, params):
    from_x = x @ torch.cat([params["W_r"], params["W_z"], params["W_h"]],
                           1) + torch.cat([params["b_r"], params["b_z"], params["b_h"]])
    from_h = h @ torch.cat([params["U_r"], params["U_z"]], 1)
    x_r, x_z, x_h = from_x.chunk(3, dim=1)
    h_r, h_z = from_h.chunk(2, dim=1)
    reset, keep = torch.sigmoid(x_r + h_r), torch.sigmoid(-(x_z + h_z))
    return keep * h + (1 - keep) * torch.tanh(x_h + (reset * h) @ params["U_h"])


@exercise.right("input and state side by side, F.linear")
def input_state(x, h, params):
    def squash(name, state, function):
        W = torch.cat((params["W_" + name], params["U_" + name]), dim=0)
        return function(F.linear(torch.cat((x, state), dim=1), W.T, params["b_" + name]))

    update, reset = (squash(name, h, nn.Sigmoid()) for name in ("z", "r"))
    new = squash("h", reset * h, nn.Tanh())
    return update * new + (torch.ones_like(update) - update) * h


@exercise.right("sigmoid from tanh, einsum")
def sigmoid_tanh(x, h, params):
    def product(g, s):
        return (torch.einsum("bd,dh->bh", x, params[f"W_{g}"])
                + torch.einsum("bk,kh->bh", s, params[f"U_{g}"]) + params[f"b_{g}"])

    z, r = ((torch.tanh(product(g, h) / 2) + 1) / 2 for g in "zr")
    return h - z * h + z * torch.tanh(product("h", h * r))


@exercise.right("row by row, reset by a diagonal matrix")
def row_row(x, h, params):
    rows = []
    for x_i, h_i in zip(x, h):
        z = torch.sigmoid(x_i @ params["W_z"] + h_i @ params["U_z"] + params["b_z"])
        r = torch.sigmoid(x_i @ params["W_r"] + h_i @ params["U_r"] + params["b_r"])
        new = torch.tanh(x_i @ params["W_h"] + h_i @ torch.diag(r) @ params["U_h"] + params["b_h"])
        rows.append((1.0 - z) * h_i + z * new)
    return torch.stack(rows)


@exercise.right("step by step")
def plain(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.right("step by step, another way")
def plain_other(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


exercise.mistake("z-swapped", "gru-conventions",
    "The update gate works the wrong way round: here h' = (1 − z) · h + z · ĥ, so z = 1 takes the "
    "candidate. torch's own GRU uses the opposite convention, where z = 1 keeps the old state.",
    edit(plain, {"(1 - z) * h + z *": "z * h + (1 - z) *"}))

exercise.mistake("reset-after", "gru-reset",
    "The reset gate acts after the product with U_h. This is the form of cuDNN and torch. Here r "
    "multiplies the old state first: (r · h) U_h.",
    edit(plain, {'(r * h) @ params["U_h"]': 'r * (h @ params["U_h"])'}),
    edit(plain, {"(r * h)": "r * (h", '"b_h"])': '"b_h"]))'}, "with the bias inside the reset"))

exercise.mistake("torch-gru", "gru-conventions",
    "This is torch's GRU, with two other conventions: z keeps the old state, and r acts after the product "
    "with U_h. Here h' = (1 − z) · h + z · ĥ, and the candidate sees (r · h) U_h.",
    edit(plain, {'(r * h) @ params["U_h"]': 'r * (h @ params["U_h"])',
                 "(1 - z) * h + z *": "z * h + (1 - z) *"}),
    edit(plain, {"(r * h)": "r * (h", '"b_h"])': '"b_h"]))',
                 "(1 - z) * h + z *": "z * h + (1 - z) *"}, "with the bias inside the reset"))

exercise.mistake("reset-unused", "gru-reset",
    "The reset gate has no effect: the candidate sees the whole old state. Multiply h with r before U_h.",
    edit(plain, {'r = torch.sigmoid(a("r"))': "", "(r * h)": "h"}))

exercise.mistake("reset-on-input", "gru-reset",
    "The reset gate is applied to the input, or to the bias. It belongs to the old state alone: (r · h) U_h.",
    edit(plain, {"tanh": "tanh(r *", "+ (r * h)": ") + h"}, "r times x"),
    edit(plain, {"tanh": "tanh(r *", "(r * h)": "h", '"b_h"])': '"b_h"]))'}, "r times everything"),
    edit(plain, {"tanh": "tanh(r *", "(r * h)": "h", '["U_h"]': '["U_h"])'}, "r times both products"))

exercise.mistake("reset-on-candidate", "gru-reset",
    "The reset gate multiplies the finished candidate. It must multiply the old state inside the candidate.",
    edit(plain, {"h_hat =": "h_hat = r *", "(r * h)": "h"}))

exercise.mistake("reset-inverted", "gru-reset",
    "The reset gate works the wrong way round: 0 means forget. Multiply the old state with r itself, not 1 "
    "− r.",
    edit(plain, {"r * h": "(1 - r) * h"}))

exercise.mistake("z-and-r-swapped", "gru-gates",
    "Update and reset gate are swapped. r acts inside the candidate, z mixes the old state and the "
    "candidate.",
    edit(plain, {'a("z")': 'a("r")', 'a("r")': 'a("z")'}))

exercise.mistake("no-update-gate", "gru-gates",
    "The candidate comes back as it is, without the update gate. Mix it with the old state: (1 − z) · h + "
    "z · ĥ.",
    edit(plain, {'z = torch.sigmoid(a("z"))': "", " (1 - z) * h + z *": ""}))

exercise.mistake("old-state-whole", "gru-gates",
    "The old state is kept whole. What the candidate gets, the old state must lose: multiply it by 1 − z.",
    edit(plain, {" (1 - z) *": ""}))

exercise.mistake("candidate-whole", "gru-gates",
    "The candidate is added whole. Multiply it by z, and the old state by 1 − z: (1 − z) · h + z · ĥ.",
    edit(plain, {"z * h_hat": "h_hat"}),
    edit(plain, {"(1 - z) * h + z *": "z * h +"}, "weighted by z"))

exercise.mistake("old-state-lost", "gru-gates", "The old state is missing from the mix. Add (1 − z) · h.",
    edit(plain, {" (1 - z) * h +": ""}),
    edit(plain, {"* h + z": "+ z"}, "1 − z is added"))

exercise.mistake("candidate-lost", "gru-gates", "The candidate is missing from the mix. Add z · ĥ.",
    edit(plain, {" + z * h_hat": ""}))

exercise.mistake("mixes-reset-state", "gru-reset",
    "The mix uses r · h as the old state. r acts inside the candidate only: mix with h itself.",
    edit(plain, {"h + z": "(r * h) + z"}))

exercise.mistake("mixes-with-r", "gru-gates",
    "The old state and the candidate are mixed with r, or z has the weights of r. The mix belongs to the "
    "update gate z, with weights of its own.",
    edit(plain, {'a("z")': 'a("r")'}))

exercise.mistake("gates-from-reset-state", "gru-gates",
    "A gate reads r · h. Both gates read the old state h as it is.",
    edit(plain_other, {every("s"): "h", 'z, r = torch.sigmoid(a("z", h)),': "r =", "h_hat =": "z =",
                       "tanh": "sigmoid", '"h", r': '"z", r', "z * h_hat": 'z * torch.tanh(a("h", r * h))'}))

exercise.mistake("update-as-reset", "gru-reset",
    "The candidate uses z where r belongs, or r has the weights of z. r decides what the candidate sees of "
    "the old state, with weights of its own.",
    edit(plain, {'r = torch.sigmoid(a("r"))': "", "r * h": "z * h"}))

exercise.mistake("candidate-sigmoid", "gru-gates",
    "The candidate goes through a sigmoid. It must go through tanh.",
    edit(plain, {"tanh": "sigmoid"}))

exercise.mistake("candidate-linear", "gru-gates",
    "The candidate goes through no non-linearity, or the wrong one. It must go through tanh.",
    edit(plain, {" torch.tanh(": "", '["b_h"])': '["b_h"]'}),
    edit(plain, {"tanh": "relu"}, "ReLU"))

exercise.mistake("gates-tanh", "gru-gates",
    "A gate goes through tanh. Gates go through a sigmoid, since they are shares between 0 and 1.",
    edit(plain, {every("sigmoid"): "tanh"}, "both"),
    edit(plain, {'sigmoid(a("z"))': 'tanh(a("z"))'}, "the update gate"),
    edit(plain, {'sigmoid(a("r"))': 'tanh(a("r"))'}, "the reset gate"))

exercise.mistake("gates-linear", "gru-gates",
    "A gate goes through no sigmoid, or through another function instead. Gates must be shares between 0 "
    "and 1: use a sigmoid.",
    edit(plain, {'torch.sigmoid(a("z"))': 'a("z")', 'torch.sigmoid(a("r"))': 'a("r")'}, "both"),
    edit(plain, {'torch.sigmoid(a("z"))': 'a("z")'}, "the update gate"),
    edit(plain, {'torch.sigmoid(a("r"))': 'a("r")'}, "the reset gate"),
    edit(plain, {every("sigmoid"): "relu"}, "ReLU"))

exercise.mistake("gates-softmax", "gru-gates",
    "A softmax takes the place of the sigmoid. Each number of a gate is a share of its own.",
    edit(plain, {every("sigmoid"): "softmax", 'a("z")': 'a("z"), dim=-1', 'a("r")': 'a("r"), dim=-1'}))

exercise.mistake("state-squashed", "gru-gates",
    "A tanh is applied to the new state. The mix is the new state as it is.",
    edit(plain, {"(1 - z) * h + z * h_hat": "torch.tanh((1 - z) * h + z * h_hat)"}))

exercise.mistake("subtracted", "gru-gates", "The candidate's share is subtracted. Add it.",
    edit(plain, {"h + z": "h - z"}))

exercise.mistake("weights-shared", "gru-gates",
    "Two of the three parts use the same weights. z, r and the candidate each have their own.",
    edit(plain, {'"W_h"': '"W_z"', '"U_h"': '"U_z"',
                 '"b_h"': '"b_z"'}, "the candidate with the weights of z"),
    edit(plain, {'"W_h"': '"W_r"', '"U_h"': '"U_r"',
                 '"b_h"': '"b_r"'}, "the candidate with the weights of r"))

exercise.mistake("candidate-swapped", "gru-gates",
    "The candidate is made with a gate's weights, and a gate with the candidate's. W_h, U_h and b_h belong "
    "to the candidate.",
    edit(plain, {'a("z")': 'a("h")', '"W_h"': '"W_z"', '"U_h"': '"U_z"', '"b_h"': '"b_z"'}, "with z"),
    edit(plain, {'a("r")': 'a("h")', '"W_h"': '"W_r"', '"U_h"': '"U_r"', '"b_h"': '"b_r"'}, "with r"),
    edit(plain, {'a("z")': 'a("r")', 'a("r")': 'a("h")', '"W_h"': '"W_z"', '"U_h"': '"U_z"',
                 '"b_h"': '"b_z"'}, "all three rotated"),
    edit(plain, {'a("z")': 'a("h")', 'a("r")': 'a("z")', '"W_h"': '"W_r"', '"U_h"': '"U_r"',
                 '"b_h"': '"b_r"'}, "all three rotated the other way"))

exercise.mistake("u-transposed", "gru-gates",
    "The matrices U are transposed. States are rows: multiply them with U from the right, as it is. "
    "(torch's own layers, and F.linear, store the transposed matrices.)",
    edit(plain_other, {'["U_" + g]': '["U_" + g].T'}),
    edit(plain_other, {'params["U_" + g]': '(params["U_h"].T if g == "h" else params["U_" + g])'},
         "in the candidate"),
    edit(plain_other, {'params["U_" + g]': '(params["U_h"] if g == "h" else params["U_" + g].T)'},
         "in the gates"))

exercise.mistake("w-transposed", "gru-gates",
    "The matrices W are transposed. Inputs are rows of width D and W is (D, H): multiply them as they are.",
    edit(plain_other, {'["W_" + g]': '["W_" + g].T'}))

exercise.mistake("both-transposed", "gru-gates",
    "Both W and U are transposed. x and h are rows: multiply them with the matrices as they are. (torch's "
    "own layers, and F.linear, store the transposed matrices.)",
    edit(plain_other, {'x @ params["W_" + g] + s @ params["U_" + g]':
                       'F.linear(x, params["W_" + g]) + F.linear(s, params["U_" + g])'}))

exercise.mistake("w-and-u-swapped", "gru-gates",
    "W and U are swapped: W belongs to the input x, U to the state h.",
    edit(plain_other, {"return x": "return s", "s @ params": "x @ params"}))

exercise.mistake("state-unused", "gru-gates",
    "The old state does not enter a gate or the candidate. Each of the three adds a product with U to x W.",
    edit(plain_other, {'s @ params["U_" + g]': "0 * s"}),
    edit(plain, {'r = torch.sigmoid(a("r"))': "", ' (r * h) @ params["U_h"] +': ""}, "in the candidate"),
    edit(plain, {' h @ params["U_" + g] +': ""}, "in the gates"))

exercise.mistake("input-unused", "gru-gates",
    "The input x does not enter a gate or the candidate. Each of the three adds x W to its product with U.",
    edit(plain_other, {'x @ params["W_" + g]': "0"}),
    edit(plain, {'x @ params["W_h"] +': ""}, "in the candidate"))

exercise.mistake("bias-missing", "gru-gates", "A bias is missing. z, r and the candidate each have one.",
    edit(plain_other, {' + params["b_" + g]': ""}, "all"),
    edit(plain, {' + params["b_h"]': ""}, "the candidate"),
    edit(plain, {' + params["b_" + g]': ""}, "both gates"),
    edit(plain, {'(a("z"))': '(x @ params["W_z"] + h @ params["U_z"])'}, "the update gate"),
    edit(plain, {'(a("r"))': '(x @ params["W_r"] + h @ params["U_r"])'}, "the reset gate"))

exercise.mistake("bias-twice", "gru-conventions",
    "The biases are added twice. There is one for z, one for r and one for the candidate. (torch has two "
    "each.)",
    edit(plain_other, {'["b_" + g]': '["b_" + g] + params["b_" + g]'}))

exercise.mistake("returns-tuple", "gru-gates",
    "More than one tensor comes back. Return the new state alone: a GRU has no cell state beside it.",
    edit(plain, {"return h_new": "return h_new, h_new"}, "the state twice"),
    edit(plain, {"return h_new": "return h_new, z, r"}, "with the gates"),
    edit(plain, {"z * h_hat": "z * h_hat, h_hat"}, "with the candidate"),
    edit(plain, {"z * h_hat": "z * h_hat, z"}, "with the update gate"))

exercise.mistake("keys-by-order", "gru-gates",
    'The weights are taken from the dict by their order. A dict is read by its keys: params["W_z"] and so '
    "on.",
    full("W_z, U_z, b_z, W_r, U_r, b_r, W_h, U_h, b_h = params.values()\n"
         "z = torch.sigmoid(x @ W_z + h @ U_z + b_z)\n"
         "r = torch.sigmoid(x @ W_r + h @ U_r + b_r)\n"
         "h_hat = torch.tanh(x @ W_h + (r * h) @ U_h + b_h)\n"
         "return (1 - z) * h + z * h_hat"))

exercise.mistake("sigmoid-overflows", "gru-gates",
    "Large inputs give nan, since a hand-written sigmoid or tanh divides infinity by infinity. Use "
    "torch.sigmoid and torch.tanh.",
    edit(plain, {"def a": "def sigmoid(a):\n"
                          "    return torch.exp(a) / (1 + torch.exp(a))\n"
                          "def a",
                 every("torch.sigmoid"): "sigmoid"}),
    edit(plain, {"def a": "def tanh(a):\n"
                          "    return (torch.exp(a) - torch.exp(-a)) / (torch.exp(a) + torch.exp(-a))\n"
                          "def a",
                 "torch.tanh": "tanh"}, "tanh by hand"))

exercise.mistake("squeezed", "gru-gates",
    "An axis of size 1 has disappeared. Leave out squeeze(): the state is (B, H), also for B = 1.",
    edit(plain, {"return h_new": "return h_new.squeeze()"}),
    edit(plain, {"return h_new": "return h_new.squeeze(0)"}, "the batch axis"))

exercise.mistake("brackets-missing", "gru-gates",
    "The brackets around 1 − z are missing: 1 - z * h takes the product from 1. Write (1 - z) * h.",
    edit(plain_other, {"(1 - z)": "1 - z"}, "1 − z · h"))

exercise.mistake("gates-as-matrices", "gru-gates",
    "A gate is multiplied as a matrix, with @. Gates act number by number: r * h. Only the products with W "
    "and U are matrix products.",
    edit(plain_other, {"* h + z *": "@ h + z @"}, "in the mix"),
    edit(plain_other, {"r * h": "r @ h"}, "r in the candidate"),
    edit(plain_other, {"r * h": "r @ h", "* h + z *": "@ h + z @"}, "everywhere"))

exercise.mistake("sigmoid-sign", "gru-gates",
    "The hand-written sigmoid has the wrong sign, so gates open where they should shut. It is 1 / (1 + "
    "exp(-a)); torch.sigmoid is safer.",
    edit(plain_other, {'torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))':
                       '1 / (1 + torch.exp(a("z", h))), 1 / (1 + torch.exp(a("r", h)))'}))

exercise.mistake("squash-in-parts", "gru-gates",
    "The sigmoid or the tanh is applied to a part of the sum. Add both products and the bias first, then "
    "apply it once to the whole.",
    full("def a(g, s, squash):\n"
         '    return squash(x @ params["W_" + g] + s @ params["U_" + g]) + params["b_" + g]\n'
         "\n"
         'z, r = a("z", h, torch.sigmoid), a("r", h, torch.sigmoid)\n'
         'h_hat = a("h", r * h, torch.tanh)\n'
         "return (1 - z) * h + z * h_hat", "the biases outside"),
    full("def a(g, s, squash):\n"
         '    return squash(x @ params["W_" + g]) + squash(s @ params["U_" + g]) + params["b_" + g]\n'
         "\n"
         'z, r = a("z", h, torch.sigmoid), a("r", h, torch.sigmoid)\n'
         'h_hat = a("h", r * h, torch.tanh)\n'
         "return (1 - z) * h + z * h_hat", "each product alone"),
    full("def a(g, s, squash):\n"
         '    return squash(x @ params["W_" + g] + params["b_" + g]) + squash(s @ params["U_" + g])\n'
         "\n"
         'z, r = a("z", h, torch.sigmoid), a("r", h, torch.sigmoid)\n'
         'h_hat = a("h", r * h, torch.tanh)\n'
         "return (1 - z) * h + z * h_hat", "the bias with the input"),
    edit(plain_other, {'params["b_" + g]': '(params["b_h"] if g == "h" else 0)',
                       ", torch": '+ params["b_z"], torch',
                       '(a("r", h))': '(a("r", h)) + params["b_r"]'}, "the biases of the gates outside"))

exercise.mistake("matrix-on-the-left", "gru-gates",
    "A matrix stands on the left of x or h. Both are rows: multiply them with it from the right, x @ W and "
    "h @ U.",
    edit(plain_other, {'x @ params["W_" + g] + s @ params["U_" + g]':
                       'params["W_" + g] @ x + params["U_" + g] @ s'}),
    edit(plain_other, {'s @ params["U_" + g]': 'params["U_" + g] @ s'}, "U alone"))

exercise.built_in("changes-input",
    edit(plain_other, {"return (1 - z) * h + z * h_hat": "h *= 1 - z\n"
                                                         "h += z * h_hat\n"
                                                         "return h"}, "the state in place"),
    full('x_z, x_r, x_h = (x @ params.pop("W_" + g) + params.pop("b_" + g) for g in "zrh")\n'
         'z, r = torch.sigmoid(x_z + h @ params["U_z"]), torch.sigmoid(x_r + h @ params["U_r"])\n'
         'return (1 - z) * h + z * torch.tanh(x_h + (r * h) @ params["U_h"])',
         "weights taken out of the dict"))

exercise.built_in("no-gradient",
    edit(plain, {"h + z": "h.detach() + z"}, "the old state detached"),
    edit(plain, {"return h_new": "return torch.from_numpy(h_new.detach().numpy())"},
         "the result through numpy"))


def ready(x, h, params):
    cell = nn.GRUCell(x.shape[1], h.shape[1])
    with torch.no_grad():
        cell.weight_ih.copy_(torch.cat([params["W_" + g].T for g in "rzh"]))
        cell.weight_hh.copy_(torch.cat([params["U_" + g].T for g in "rzh"]))
        cell.bias_ih.copy_(torch.cat([params["b_" + g] for g in "rzh"]))
        cell.bias_hh.zero_()
    return cell(x, h)


def ready_made(x, h, params):
    from allyouneed.nn.recurrent import GRUCell as Cell

    cell = Cell(x.shape[1], h.shape[1])
    cell.from_input.weight.data = torch.cat([params["W_" + g].T for g in "rzh"])
    cell.from_input.bias.data = torch.cat([params["b_" + g] for g in "rzh"])
    cell.from_state.weight.data = torch.cat([params["U_" + g].T for g in "rzh"])
    return cell(x, h)


exercise.built_in("ready-made",
    full(ready, "nn.GRUCell with the weights filled in"),
    full(ready_made, "the library's cell"))

exercise.built_in("returns-nothing",
    edit(plain, {"return h_new": ""}, "no return"))

exercise.equal("numbers are multiplied in either order, also by a diagonal matrix", {
    "r_t, h)": "h, r_t)", "h_i @ torch.diag(r)": "torch.diag(r) @ h_i"})
exercise.equal("both gates have shape and dtype of the state", {"ones_like(update)": "ones_like(reset)"})
