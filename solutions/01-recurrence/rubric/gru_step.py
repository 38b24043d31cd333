"""The rubric of gru_step: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise

from ._shared import READY_MADE, faded, gate_weights, rounded, stride

GATES = "zrh"

exercise = Exercise(
    "gru_step",
    points={"step": 3, "gradients": 1, "large inputs": 1},
    section="gru-gates",
    forbid=READY_MADE,
    driver="nested",
    properties=[{"rule": "finite"}],
    relations=[("no way from the input", "no way from the input, another input",
                "With every W = 0 the input must not matter, but it changed the new state."),
               ("an update gate that is shut", "an update gate that is shut, another input",
                "With b_z at −40 the update gate is shut, so the state must stay as it is; but another input changed it.")],
    mistakes={
        "z-swapped": ("The update gate works the wrong way round: here h' = (1 − z) · h + z · ĥ, so z = 1 takes the candidate. torch's own GRU "
                      "uses the opposite convention, where z = 1 keeps the old state.", "gru-conventions"),
        "reset-after": ("The reset gate acts after the product with U_h. This is the form of cuDNN and torch. Here r multiplies the old state "
                        "first: (r · h) U_h.", "gru-reset"),
        "torch-gru": ("This is torch's GRU, with two other conventions: z keeps the old state, and r acts after the product with U_h. Here "
                      "h' = (1 − z) · h + z · ĥ, and the candidate sees (r · h) U_h.", "gru-conventions"),
        "reset-unused": ("The reset gate has no effect: the candidate sees the whole old state. Multiply h with r before U_h.", "gru-reset"),
        "reset-on-input": ("The reset gate is applied to the input, or to the bias. It belongs to the old state alone: (r · h) U_h.", "gru-reset"),
        "reset-on-candidate": ("The reset gate multiplies the finished candidate. It must multiply the old state inside the candidate.", "gru-reset"),
        "reset-inverted": ("The reset gate works the wrong way round: 0 means forget. Multiply the old state with r itself, not 1 − r.", "gru-reset"),
        "z-and-r-swapped": ("Update and reset gate are swapped. r acts inside the candidate, z mixes the old state and the candidate.", "gru-gates"),
        "update-as-reset": ("The candidate uses z where r belongs, or r has the weights of z. r decides what the candidate sees of the old state, with weights of its own.", "gru-reset"),
        "mixes-with-r": ("The old state and the candidate are mixed with r, or z has the weights of r. The mix belongs to the update gate z, with weights of its own.", "gru-gates"),
        "no-update-gate": ("The candidate comes back as it is, without the update gate. Mix it with the old state: (1 − z) · h + z · ĥ.",
                           "gru-gates"),
        "old-state-whole": ("The old state is kept whole. What the candidate gets, the old state must lose: multiply it by 1 − z.", "gru-gates"),
        "candidate-whole": ("The candidate is added whole. Multiply it by z, and the old state by 1 − z: (1 − z) · h + z · ĥ.", "gru-gates"),
        "old-state-lost": ("The old state is missing from the mix. Add (1 − z) · h.", "gru-gates"),
        "candidate-lost": ("The candidate is missing from the mix. Add z · ĥ.", "gru-gates"),
        "mixes-reset-state": ("The mix uses r · h as the old state. r acts inside the candidate only: mix with h itself.", "gru-reset"),
        "gates-from-reset-state": ("A gate reads r · h. Both gates read the old state h as it is.", "gru-gates"),
        "candidate-sigmoid": ("The candidate goes through a sigmoid. It must go through tanh.", "gru-gates"),
        "candidate-linear": ("The candidate goes through no non-linearity, or the wrong one. It must go through tanh.", "gru-gates"),
        "gates-tanh": ("A gate goes through tanh. Gates go through a sigmoid, since they are shares between 0 and 1.", "gru-gates"),
        "gates-linear": ("A gate goes through no sigmoid, or through another function instead. Gates must be shares between 0 and 1: use a "
                         "sigmoid.", "gru-gates"),
        "gates-softmax": ("A softmax takes the place of the sigmoid. Each number of a gate is a share of its own.", "gru-gates"),
        "state-squashed": ("A tanh is applied to the new state. The mix is the new state as it is.", "gru-gates"),
        "subtracted": ("The candidate's share is subtracted. Add it.", "gru-gates"),
        "weights-shared": ("Two of the three parts use the same weights. z, r and the candidate each have their own.", "gru-gates"),
        "candidate-swapped": ("The candidate is made with a gate's weights, and a gate with the candidate's. W_h, U_h and b_h belong to the candidate.",
                              "gru-gates"),
        "u-transposed": ("The matrices U are transposed. States are rows: multiply them with U from the right, as it is. (torch's own layers, and "
                         "F.linear, store the transposed matrices.)", "gru-gates"),
        "w-transposed": ("The matrices W are transposed. Inputs are rows of width D and W is (D, H): multiply them as they are.", "gru-gates"),
        "both-transposed": ("Both W and U are transposed. x and h are rows: multiply them with the matrices as they are. (torch's own layers, and "
                            "F.linear, store the transposed matrices.)", "gru-gates"),
        "w-and-u-swapped": ("W and U are swapped: W belongs to the input x, U to the state h.", "gru-gates"),
        "state-unused": ("The old state does not enter a gate or the candidate. Each of the three adds a product with U to x W.", "gru-gates"),
        "input-unused": ("The input x does not enter a gate or the candidate. Each of the three adds x W to its product with U.", "gru-gates"),
        "bias-missing": ("A bias is missing. z, r and the candidate each have one.", "gru-gates"),
        "bias-twice": ("The biases are added twice. There is one for z, one for r and one for the candidate. (torch has two each.)", "gru-conventions"),
        "returns-tuple": ("More than one tensor comes back. Return the new state alone: a GRU has no cell state beside it.", "gru-gates"),
        "keys-by-order": ("The weights are taken from the dict by their order. A dict is read by its keys: params[\"W_z\"] and so on.", "gru-gates"),
        "sigmoid-overflows": ("Large inputs give nan, since a hand-written sigmoid or tanh divides infinity by infinity. Use torch.sigmoid and "
                              "torch.tanh.", "gru-gates"),
        "brackets-missing": ("The brackets around 1 − z are missing: 1 - z * h takes the product from 1. Write (1 - z) * h.", "gru-gates"),
        "gates-as-matrices": ("A gate is multiplied as a matrix, with @. Gates act number by number: r * h. Only the products with W and U are matrix products.",
                              "gru-gates"),
        "squash-in-parts": ("The sigmoid or the tanh is applied to a part of the sum. Add both products and the bias first, then apply it once to the whole.",
                            "gru-gates"),
        "sigmoid-sign": ("The hand-written sigmoid has the wrong sign, so gates open where they should shut. It is 1 / (1 + exp(-a)); "
                         "torch.sigmoid is safer.", "gru-gates"),
        "matrix-on-the-left": ("A matrix stands on the left of x or h. Both are rows: multiply them with it from the right, x @ W and h @ U.", "gru-gates"),
        "squeezed": ("An axis of size 1 has disappeared. Leave out squeeze(): the state is (B, H), also for B = 1.", "gru-gates"),
    },
)


@exercise.probes
def _(make):
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
    yield probe("gradients, float64", *arguments(*make.pick((3, 2, 2), (2, 3, 3), (3, 2, 3)), dtype=torch.float64), **graded)
    yield probe("inputs of several hundred", *arguments(*make.pick((3, 2, 4), (4, 3, 2), (2, 4, 5)), scale=400.0), group="large inputs", edge=True)


@exercise.right
def reference(x, h, params):
    z = torch.sigmoid(x @ params["W_z"] + h @ params["U_z"] + params["b_z"])
    r = torch.sigmoid(x @ params["W_r"] + h @ params["U_r"] + params["b_r"])
    candidate = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    return (1 - z) * h + z * candidate


@exercise.alternative("lerp")
def _(x, h, params):
    def total(gate, state):
        return torch.addmm(params[f"b_{gate}"], x, params[f"W_{gate}"]) + state @ params[f"U_{gate}"]

    z, r = total("z", h).sigmoid(), total("r", h).sigmoid()
    return torch.lerp(h, total("h", r * h).tanh(), z)


@exercise.alternative("h plus a step towards the candidate")
def _(x, h, params):
    p = params
    z_t = torch.sigmoid(torch.matmul(x, p["W_z"]) + torch.matmul(h, p["U_z"]) + p["b_z"])
    r_t = torch.sigmoid(torch.matmul(x, p["W_r"]) + torch.matmul(h, p["U_r"]) + p["b_r"])
    h_tilde = torch.tanh(torch.matmul(x, p["W_h"]) + torch.matmul(torch.mul(r_t, h), p["U_h"]) + p["b_h"])
    return h + z_t * (h_tilde - h)


@exercise.alternative("the inputs' share of all three at once")
def _(x, h, params):
    from_x = x @ torch.cat([params["W_r"], params["W_z"], params["W_h"]], 1) + torch.cat([params["b_r"], params["b_z"], params["b_h"]])
    from_h = h @ torch.cat([params["U_r"], params["U_z"]], 1)
    x_r, x_z, x_h = from_x.chunk(3, dim=1)
    h_r, h_z = from_h.chunk(2, dim=1)
    reset, keep = torch.sigmoid(x_r + h_r), torch.sigmoid(-(x_z + h_z))
    return keep * h + (1 - keep) * torch.tanh(x_h + (reset * h) @ params["U_h"])


@exercise.alternative("input and state side by side, F.linear")
def _(x, h, params):
    def squash(name, state, function):
        W = torch.cat((params["W_" + name], params["U_" + name]), dim=0)
        return function(F.linear(torch.cat((x, state), dim=1), W.T, params["b_" + name]))

    update, reset = (squash(name, h, nn.Sigmoid()) for name in ("z", "r"))
    new = squash("h", reset * h, nn.Tanh())
    return update * new + (torch.ones_like(update) - update) * h


@exercise.alternative("sigmoid from tanh, einsum")
def _(x, h, params):
    def product(g, s):
        return torch.einsum("bd,dh->bh", x, params[f"W_{g}"]) + torch.einsum("bk,kh->bh", s, params[f"U_{g}"]) + params[f"b_{g}"]

    z, r = ((torch.tanh(product(g, h) / 2) + 1) / 2 for g in "zr")
    return h - z * h + z * torch.tanh(product("h", h * r))


@exercise.alternative("row by row, reset by a diagonal matrix")
def _(x, h, params):
    rows = []
    for x_i, h_i in zip(x, h):
        z = torch.sigmoid(x_i @ params["W_z"] + h_i @ params["U_z"] + params["b_z"])
        r = torch.sigmoid(x_i @ params["W_r"] + h_i @ params["U_r"] + params["b_r"])
        new = torch.tanh(x_i @ params["W_h"] + h_i @ torch.diag(r) @ params["U_h"] + params["b_h"])
        rows.append((1.0 - z) * h_i + z * new)
    return torch.stack(rows)


@exercise.wrong("z-swapped")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = z * h + (1 - z) * h_hat
    return h_new


@exercise.wrong("z-swapped", "z is 1 − sigmoid")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = 1 - torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("reset-after")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + r * (h @ params["U_h"]) + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("reset-after", "side by side")
def _(x, h, params):
    W, U, b = (torch.cat([params[f"{kind}_{g}"] for g in "rzh"], dim=-1) for kind in "WUb")
    x_r, x_z, x_h = (x @ W + b).chunk(3, dim=-1)
    h_r, h_z, h_h = (h @ U).chunk(3, dim=-1)
    r, z = torch.sigmoid(x_r + h_r), torch.sigmoid(x_z + h_z)
    return (1 - z) * h + z * torch.tanh(x_h + r * h_h)


@exercise.wrong("reset-after", "with the bias inside the reset")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + r * (h @ params["U_h"] + params["b_h"]))
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("torch-gru")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + r * (h @ params["U_h"]) + params["b_h"])
    h_new = z * h + (1 - z) * h_hat
    return h_new


@exercise.wrong("torch-gru", "with the bias inside the reset")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + r * (h @ params["U_h"] + params["b_h"]))
    h_new = z * h + (1 - z) * h_hat
    return h_new


@exercise.wrong("reset-unused")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    h_hat = torch.tanh(x @ params["W_h"] + h @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("reset-unused", "a helper for all three")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    h_hat = torch.tanh(a("h"))
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("reset-on-input", "r times x")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(r * (x @ params["W_h"]) + h @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("reset-on-input", "r times everything")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(r * (x @ params["W_h"] + h @ params["U_h"] + params["b_h"]))
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("reset-on-input", "r times both products")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(r * (x @ params["W_h"] + h @ params["U_h"]) + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("reset-on-candidate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = r * torch.tanh(x @ params["W_h"] + h @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("reset-inverted")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + ((1 - r) * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("z-and-r-swapped")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("r"))
    r = torch.sigmoid(a("z"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("no-update-gate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = h_hat
    return h_new


@exercise.wrong("old-state-whole")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = h + z * h_hat
    return h_new


@exercise.wrong("candidate-whole")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + h_hat
    return h_new


@exercise.wrong("candidate-whole", "weighted by z")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = z * h + h_hat
    return h_new


@exercise.wrong("old-state-lost")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = z * h_hat
    return h_new


@exercise.wrong("old-state-lost", "1 − z is added")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) + z * h_hat
    return h_new


@exercise.wrong("candidate-lost")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_new = (1 - z) * h
    return h_new


@exercise.wrong("mixes-reset-state")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * (r * h) + z * h_hat
    return h_new


@exercise.wrong("mixes-reset-state", "h overwritten")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z")), torch.sigmoid(a("r"))
    h = r * h
    h_hat = torch.tanh(a("h"))
    return (1 - z) * h + z * h_hat


@exercise.wrong("mixes-with-r")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - r) * h + r * h_hat
    return h_new


@exercise.wrong("gates-from-reset-state")
def _(x, h, params):
    def a(g, h):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    r = torch.sigmoid(a("r", h))
    z = torch.sigmoid(a("z", r * h))
    return (1 - z) * h + z * torch.tanh(a("h", r * h))


@exercise.wrong("update-as-reset")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    h_hat = torch.tanh(x @ params["W_h"] + (z * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("candidate-sigmoid")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.sigmoid(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("candidate-linear")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"]
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("candidate-linear", "ReLU")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.relu(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("gates-tanh", "both")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.tanh(a("z"))
    r = torch.tanh(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("gates-tanh", "the update gate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.tanh(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("gates-tanh", "the reset gate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.tanh(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("gates-linear", "both")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = a("z")
    r = a("r")
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("gates-linear", "the update gate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = a("z")
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("gates-linear", "the reset gate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = a("r")
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("gates-linear", "ReLU")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.relu(a("z"))
    r = torch.relu(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("gates-softmax")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.softmax(a("z"), dim=-1)
    r = torch.softmax(a("r"), dim=-1)
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("state-squashed")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = torch.tanh((1 - z) * h + z * h_hat)
    return h_new


@exercise.wrong("subtracted")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h - z * h_hat
    return h_new


@exercise.wrong("update-as-reset", "one set of weights for both gates, z")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("z"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("mixes-with-r", "one set of weights for both gates, r")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("r"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("weights-shared", "the candidate with the weights of z")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_z"] + (r * h) @ params["U_z"] + params["b_z"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("weights-shared", "the candidate with the weights of r")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_r"] + (r * h) @ params["U_r"] + params["b_r"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("candidate-swapped", "with z")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("h"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_z"] + (r * h) @ params["U_z"] + params["b_z"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("candidate-swapped", "with r")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("h"))
    h_hat = torch.tanh(x @ params["W_r"] + (r * h) @ params["U_r"] + params["b_r"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("candidate-swapped", "all three rotated")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("r"))
    r = torch.sigmoid(a("h"))
    h_hat = torch.tanh(x @ params["W_z"] + (r * h) @ params["U_z"] + params["b_z"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("candidate-swapped", "all three rotated the other way")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("h"))
    r = torch.sigmoid(a("z"))
    h_hat = torch.tanh(x @ params["W_r"] + (r * h) @ params["U_r"] + params["b_r"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("u-transposed")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g].T + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("w-transposed")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g].T + s @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("both-transposed")
def _(x, h, params):
    def a(g, s):
        return F.linear(x, params["W_" + g]) + F.linear(s, params["U_" + g]) + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("w-and-u-swapped")
def _(x, h, params):
    def a(g, s):
        return s @ params["W_" + g] + x @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("state-unused")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + 0 * s + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("state-unused", "in the candidate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    h_hat = torch.tanh(x @ params["W_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("state-unused", "in the gates")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("input-unused")
def _(x, h, params):
    def a(g, s):
        return 0 + s @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("input-unused", "in the candidate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh((r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("bias-missing", "all")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("bias-missing", "the candidate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("bias-missing", "both gates")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("bias-missing", "the update gate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(x @ params["W_z"] + h @ params["U_z"])
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("bias-missing", "the reset gate")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(x @ params["W_r"] + h @ params["U_r"])
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("bias-twice")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + params["b_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("returns-tuple", "the state twice")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new, h_new


@exercise.wrong("returns-tuple", "with the gates")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new, z, r


@exercise.wrong("no-update-gate", "the candidate is returned by mistake")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h = (1 - torch.sigmoid(a("z"))) * h + torch.sigmoid(a("z")) * h_hat
    return h_hat


@exercise.wrong("keys-by-order")
def _(x, h, params):
    W_z, U_z, b_z, W_r, U_r, b_r, W_h, U_h, b_h = params.values()
    z = torch.sigmoid(x @ W_z + h @ U_z + b_z)
    r = torch.sigmoid(x @ W_r + h @ U_r + b_r)
    h_hat = torch.tanh(x @ W_h + (r * h) @ U_h + b_h)
    return (1 - z) * h + z * h_hat


@exercise.wrong("sigmoid-overflows")
def _(x, h, params):
    def sigmoid(a):
        return torch.exp(a) / (1 + torch.exp(a))

    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = sigmoid(a("z"))
    r = sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("sigmoid-overflows", "tanh by hand")
def _(x, h, params):
    def tanh(a):
        return (torch.exp(a) - torch.exp(-a)) / (torch.exp(a) + torch.exp(-a))

    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new


@exercise.wrong("squeezed")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new.squeeze()


@exercise.wrong("squeezed", "the batch axis")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return h_new.squeeze(0)


@exercise.wrong("changes-input", "the state in place")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    h *= 1 - z
    h += z * h_hat
    return h


@exercise.wrong("changes-input", "weights taken out of the dict")
def _(x, h, params):
    x_z, x_r, x_h = (x @ params.pop("W_" + g) + params.pop("b_" + g) for g in "zrh")
    z, r = torch.sigmoid(x_z + h @ params["U_z"]), torch.sigmoid(x_r + h @ params["U_r"])
    return (1 - z) * h + z * torch.tanh(x_h + (r * h) @ params["U_h"])


@exercise.wrong("no-gradient", "the old state detached")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h.detach() + z * h_hat
    return h_new


@exercise.wrong("no-gradient", "the result through numpy")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat
    return torch.from_numpy(h_new.detach().numpy())


@exercise.wrong("ready-made", "nn.GRUCell with the weights filled in")
def _(x, h, params):
    cell = nn.GRUCell(x.shape[1], h.shape[1])
    with torch.no_grad():
        cell.weight_ih.copy_(torch.cat([params["W_" + g].T for g in "rzh"]))
        cell.weight_hh.copy_(torch.cat([params["U_" + g].T for g in "rzh"]))
        cell.bias_ih.copy_(torch.cat([params["b_" + g] for g in "rzh"]))
        cell.bias_hh.zero_()
    return cell(x, h)


@exercise.wrong("ready-made", "the library's cell")
def _(x, h, params):
    from allyouneed.recurrent import GRUCell as Cell

    cell = Cell(x.shape[1], h.shape[1])
    cell.from_input.weight.data = torch.cat([params["W_" + g].T for g in "rzh"])
    cell.from_input.bias.data = torch.cat([params["b_" + g] for g in "rzh"])
    cell.from_state.weight.data = torch.cat([params["U_" + g].T for g in "rzh"])
    return cell(x, h)


@exercise.wrong("returns-nothing", "no return")
def _(x, h, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    z = torch.sigmoid(a("z"))
    r = torch.sigmoid(a("r"))
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    h_new = (1 - z) * h + z * h_hat


@exercise.wrong("returns-tuple", "with the candidate")
def _(x, h, params):
    z, r = (torch.sigmoid(x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k]) for k in "zr")
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    return (1 - z) * h + z * h_hat, h_hat


@exercise.wrong("returns-tuple", "with the update gate")
def _(x, h, params):
    z, r = (torch.sigmoid(x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k]) for k in "zr")
    h_hat = torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])
    return (1 - z) * h + z * h_hat, z


@exercise.wrong("u-transposed", "in the candidate")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ (params["U_h"].T if g == "h" else params["U_" + g]) + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("u-transposed", "in the gates")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ (params["U_h"] if g == "h" else params["U_" + g].T) + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("brackets-missing", "1 − z · h")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return 1 - z * h + z * h_hat


@exercise.wrong("gates-as-matrices", "in the mix")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) @ h + z @ h_hat


@exercise.wrong("gates-as-matrices", "r in the candidate")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r @ h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("gates-as-matrices", "everywhere")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r @ h))
    return (1 - z) @ h + z @ h_hat


@exercise.wrong("sigmoid-sign")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + params["b_" + g]

    z, r = 1 / (1 + torch.exp(a("z", h))), 1 / (1 + torch.exp(a("r", h)))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("squash-in-parts", "the biases outside")
def _(x, h, params):
    def a(g, s, squash):
        return squash(x @ params["W_" + g] + s @ params["U_" + g]) + params["b_" + g]

    z, r = a("z", h, torch.sigmoid), a("r", h, torch.sigmoid)
    h_hat = a("h", r * h, torch.tanh)
    return (1 - z) * h + z * h_hat


@exercise.wrong("squash-in-parts", "each product alone")
def _(x, h, params):
    def a(g, s, squash):
        return squash(x @ params["W_" + g]) + squash(s @ params["U_" + g]) + params["b_" + g]

    z, r = a("z", h, torch.sigmoid), a("r", h, torch.sigmoid)
    h_hat = a("h", r * h, torch.tanh)
    return (1 - z) * h + z * h_hat


@exercise.wrong("squash-in-parts", "the bias with the input")
def _(x, h, params):
    def a(g, s, squash):
        return squash(x @ params["W_" + g] + params["b_" + g]) + squash(s @ params["U_" + g])

    z, r = a("z", h, torch.sigmoid), a("r", h, torch.sigmoid)
    h_hat = a("h", r * h, torch.tanh)
    return (1 - z) * h + z * h_hat


@exercise.wrong("squash-in-parts", "the biases of the gates outside")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + s @ params["U_" + g] + (params["b_h"] if g == "h" else 0)

    z, r = torch.sigmoid(a("z", h)) + params["b_z"], torch.sigmoid(a("r", h)) + params["b_r"]
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("matrix-on-the-left")
def _(x, h, params):
    def a(g, s):
        return params["W_" + g] @ x + params["U_" + g] @ s + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat


@exercise.wrong("matrix-on-the-left", "U alone")
def _(x, h, params):
    def a(g, s):
        return x @ params["W_" + g] + params["U_" + g] @ s + params["b_" + g]

    z, r = torch.sigmoid(a("z", h)), torch.sigmoid(a("r", h))
    h_hat = torch.tanh(a("h", r * h))
    return (1 - z) * h + z * h_hat
