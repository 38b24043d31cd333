"""rnn_forward: probes, right versions, and each mistake with its message and its evidence."""

import torch
from torch import nn

from coursegrader.rubric import Exercise, Relation, edit, full

from ._shared import READY_MADE, stride

exercise = Exercise(
    "rnn_forward",
    points={"states": 3, "gradients": 1, "large inputs and long sequences": 1},
    section="rnn-cell",
    forbid=READY_MADE,
    properties=[{"rule": "finite"}],
    relations=[
        Relation("no way from state to state", "no way from state to state, another first state",
                 "With U = 0 the first state must not matter, but it changed the output.")],
)


@exercise.probes
def probes(make):
    def arguments(B, T, D, H, dtype=torch.float32, scale=1.0):
        return (make.randn(B, T, D, dtype=dtype, scale=scale), make.randn(B, H, dtype=dtype),
                make.randn(D, H, dtype=dtype, scale=0.6),
                make.randn(H, H, dtype=dtype, scale=0.6), make.randn(H, dtype=dtype, scale=0.6))

    def probe(name, *args, group="states", **marks):
        return make.probe(name, *args, group=group, **marks)

    yield probe("two items, three steps", *arguments(2, 3, *make.pick((4, 5), (5, 4), (6, 5))))
    yield probe("more items than steps", *arguments(*make.pick((5, 3, 2, 4), (6, 4, 3, 5), (7, 3, 4, 6))))
    yield probe("more steps than items", *arguments(*make.pick((2, 6, 5, 3), (3, 7, 4, 2), (2, 8, 6, 4))))
    yield probe("as many items as steps", *arguments(*make.pick((3, 3, 2, 4), (4, 4, 5, 3), (5, 5, 3, 2))))
    yield probe("inputs as wide as states", *arguments(*make.pick((2, 4, 3, 3), (3, 5, 4, 4), (2, 6, 5, 5))))
    yield probe("as many items as units", *arguments(*make.pick((4, 3, 2, 4), (5, 4, 3, 5), (3, 5, 4, 3))))
    yield probe("all sizes equal", *arguments(*[make.pick(3, 4, 3)] * 4))
    yield probe("float64", *arguments(*make.pick((2, 5, 3, 4), (3, 4, 2, 5), (2, 4, 5, 3)),
                                      dtype=torch.float64))
    x, h0, W, U, b = arguments(2, 4, 3, make.pick(5, 6, 5))
    yield probe("no way from state to state", x, h0, W, make.randn(*U.shape, scale=1e-9), b)
    yield probe("no way from state to state, another first state", x, make.randn(*h0.shape), W,
                make.randn(*U.shape, scale=1e-9), b)

    small = make.randn(1, 2, 1), make.randn(1, 1), make.randn(1, 1), make.randn(1, 1), make.randn(1)
    yield probe("one number at each step", *[(item * 10).round() / 10 for item in small], edge=True)
    yield probe("batch 1", *arguments(1, *make.pick((4, 3, 5), (5, 2, 4), (3, 4, 6))), edge=True)
    yield probe("one step", *arguments(make.pick(3, 2, 4), 1, 4, 2), edge=True)
    yield probe("one unit", *arguments(2, make.pick(3, 4, 5), 3, 1), edge=True)
    yield stride(probe("not contiguous", *arguments(2, 4, 3, 5), edge=True))

    graded = {"group": "gradients", "gradient": True, "edge": True}
    yield probe("gradients", *arguments(*make.pick((2, 4, 3, 5), (3, 5, 2, 4), (2, 6, 4, 3))), **graded)
    yield probe("gradients, float64", *arguments(*make.pick((3, 3, 2, 2), (2, 4, 3, 2), (3, 4, 2, 3)),
                                                 dtype=torch.float64), **graded)

    edge = {"group": "large inputs and long sequences", "edge": True}
    yield probe("inputs of several hundred", *arguments(2, 3, make.pick(4, 3, 5), 2, scale=400.0), **edge)
    yield probe("a long sequence", *arguments(1, make.pick(140, 150, 160), 2, 3),
                group="large inputs and long sequences", edge=True, long=True)


@exercise.right
def reference(x, h0, W, U, b):
    states, h = [], h0
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.right("inputs' share at once, over x.unbind(1)")
def inputs_share(x, h0, W, U, b):
    h, out = h0, []
    for from_x in (x @ W + b).unbind(1):
        h = (from_x + h.matmul(U)).tanh()
        out += [h.unsqueeze(1)]
    return torch.cat(out, dim=1)


@exercise.right("a buffer that is filled step by step")
def buffer(x, h0, W, U, b):
    B, T, _ = x.shape
    hs = x.new_zeros(B, T, U.shape[0])
    h_t = h0
    for t in range(T):
        h_t = torch.tanh(torch.einsum("bd,dh->bh", x[:, t, :], W) + torch.einsum("bg,gh->bh", h_t, U) + b)
        hs[:, t, :] = h_t
    return hs


@exercise.right("item by item, step by step")
def item(x, h0, W, U, b):
    rows = []
    for sequence, h in zip(x, h0):
        row = []
        for token in sequence:
            h = torch.tanh(token @ W + h @ U + b)
            row.append(h)
        rows.append(torch.stack(row))
    return torch.stack(rows)


@exercise.right("input and state side by side, time first and back")
def input_state(x, h0, W, U, b):
    both = torch.cat([W, U], dim=0)
    outputs, h = [], h0
    for x_t in x.transpose(0, 1):
        h = torch.tanh(torch.addmm(b, torch.cat([x_t, h], dim=1), both))
        outputs.append(h)
    return torch.stack(outputs).permute(1, 0, 2)


@exercise.right("columns: everything transposed")
def columns_everything(x, h0, W, U, b):
    h, states = h0.T, []
    for t in range(x.shape[1]):
        h = torch.tanh(W.T @ x[:, t].T + U.T @ h + b[:, None])
        states.append(h.T)
    return torch.stack(states, dim=1)


@exercise.right("recursion")
def recursion(x, h0, W, U, b):
    def states(t):
        before = states(t - 1) if t else [h0]
        return before + [torch.tanh(x[:, t] @ W + before[-1] @ U + b)]

    return torch.stack(states(x.shape[1] - 1)[1:], dim=1)


@exercise.right("accumulate, tanh from sigmoid")
def accumulate_tanh(x, h0, W, U, b):
    from itertools import accumulate

    def advance(h, x_t):
        return 2 * torch.sigmoid(2 * (x_t @ W + h @ U + b)) - 1

    _, *states = accumulate(x.unbind(dim=1), advance, initial=h0)
    return torch.stack(states, dim=-2)


@exercise.right("step by step")
def plain(x, h0, W, U, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.right("step by step, another way")
def plain_other(x, h0, W, U, b):
    h, out = h0, x.new_zeros(x.shape[0], x.shape[1], h0.shape[1])
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        out[:, t] = h
    return out


@exercise.right("step by step, 3")
def plain_3(x, h0, W, U, b):
    rows = []
    for i in range(x.shape[0]):
        h, row = h0[i], []
        for t in range(x.shape[1]):
            h = torch.tanh(x[i, t] @ W + h @ U + b)
            row.append(h)
        rows.append(torch.stack(row))
    return torch.stack(rows)


exercise.also_right(
    full("states = [h0]\n"
         "for t in range(x.size(1)):\n"
         "    states.append(torch.tanh(F.linear(x[:, t], W.t(), b) + F.linear(states[-1], U.t())))\n"
         "return torch.stack(states[1:], 1)", "F.linear with the transposed matrices"))


exercise.mistake("state-not-carried", "state-carried",
    "The state is not carried: every step starts from the same state. h0 is for the first step alone; each "
    "later step must start from the state that the step before it made.",
    full("return torch.tanh(x @ W + (h0 @ U).unsqueeze(1) + b)", "h0 at every step, without a loop"),
    full("states = []\n"
         "for t in range(x.shape[1]):\n"
         "    h = h0 if t == 0 else torch.zeros_like(h0)\n"
         "    states.append(torch.tanh(x[:, t] @ W + h @ U + b))\n"
         "return torch.stack(states, dim=1)", "zeros after the first step"))

exercise.mistake("recurrence-missing", "state-carried",
    "The state has no effect: U is not used, so each output depends on its own input only. Add the "
    "product of the last state and U inside the tanh.",
    full("return torch.tanh(x @ W + b)"))

exercise.mistake("loops-over-batch", "unrolled-in-time",
    "The loop runs over the batch, the first axis of x. Steps lie along the second axis: take x[:, t], for "
    "t from 0 to T − 1, and let all batch items advance together.",
    edit(plain, {"t in range(x.shape[1])": "x_t in x", "x[:, t]": "x_t"}, "for x_t in x"),
    edit(plain, {"t in": "i in", "shape[1]": "shape[0]", "[:, t]": "[i]",
                 ", dim=1": ""}, "for x_t in x, states along the first axis"),
    edit(plain, {"x.shape[1]": "len(x)"}, "as many steps as batch items"),
    edit(plain, {"h0, []": "h0[0], []", "t in": "i in", "shape[1]": "shape[0]", "[:, t]": "[i]",
                 ", dim=1": ""}, "a recurrence from item to item"),
    full("h, states = h0, []\n"
         "for sequence in x:\n"
         "    for token in sequence:\n"
         "        h = torch.tanh(token @ W + h @ U + b)\n"
         "    states.append(h)\n"
         "return torch.stack(states)", "nested, every token to all states"))

exercise.mistake("state-leaks", "state-carried",
    "The state runs on from one batch item to the next. Each item is a sequence of its own and starts from "
    "its own row of h0.",
    edit(plain_3, {"rows = []": "rows, h = [], h0[0]", "h, row = h0[i],": "row ="}))

exercise.mistake("first-row-of-h0", "state-carried",
    "Every batch item starts from the first row of h0. Item i starts from row i.",
    edit(reference, {"[], h0": "[], h0[0]"}))

exercise.mistake("u-transposed", "rnn-cell",
    "U is transposed. States are rows: multiply the state with U from the right, as it is. (torch's "
    "own layers, and F.linear, store the transposed matrix.)",
    edit(plain, {"U + b": "U.T + b"}))

exercise.mistake("w-transposed", "rnn-cell",
    "W is transposed. Inputs are rows of width D and W is (D, H): multiply them as they are.",
    edit(plain, {"W + h": "W.T + h"}),
    edit(plain_3, {"x[i, t] @ W": "W @ x[i, t]"}, "matrix times column"),
    edit(plain, {"x[:, t] @ W": 'torch.einsum("bd,hd->bh", x[:, t], W)'},
         "einsum with the axes of W exchanged"))

exercise.mistake("both-transposed", "rnn-cell",
    "Both W and U are transposed. Inputs and states are rows: multiply them with the matrices as they "
    "are. (torch's own layers, and F.linear, store the transposed matrices.)",
    edit(plain, {"(x[:, t] @ W + h @ U + b)": "(F.linear(x[:, t], W) + F.linear(h, U, b))"}),
    edit(plain_3, {"x[i, t] @ W + h @ U": "W @ x[i, t] + U @ h"}, "matrix times column"))

exercise.mistake("matrices-swapped", "rnn-cell",
    "W and U are swapped: W belongs to the input, U to the state.",
    edit(plain, {"W + h @ U": "U + h @ W"}),
    edit(plain, {"= h0, []": ", both = h0, [], torch.cat((U, W))",
                 "(x[:, t] @ W + h @ U + b)": "(torch.cat((x[:, t], h), dim=1) @ both + b)"},
         "side by side in different orders"))

exercise.mistake("h0-ignored", "state-carried",
    "h0 is not used: the first step starts from zeros, or from no state at all. Start from h0.",
    edit(plain, {"h0, []": "torch.zeros_like(h0), []"}))

exercise.mistake("step-missing", "unrolled-in-time",
    "A step is missing: the first or the last token is never read. There are T steps, one for each token.",
    edit(plain, {"h0, []": "h0, [h0]", "x.shape": "1, x.shape"}, "h0 in place of the first state"),
    edit(plain, {"x.shape": "1, x.shape"}, "the first token is not read"),
    edit(plain, {"shape[1]": "shape[1] - 1"}, "the last token is not read"),
    edit(plain_other, {"range(x": "range(1, x"}, "the first token is not read, zeros in its place"),
    edit(plain_other, {"(x.shape[1])": "(x.shape[1] - 1)"}, "the last token is not read, zeros in its place"))

exercise.mistake("last-state-only", "unrolled-in-time",
    "Only one state comes back. Keep the state of every step, stack them along the second axis, and return "
    "them after the loop.",
    edit(plain_other, {"return out": "return h"}),
    edit(reference, {"states, h = [],": "h =", "states.append(h)": "",
                     "torch.stack(states, dim=1)": "h.unsqueeze(1)"}, "with an axis of size 1"),
    edit(plain, {"return torch.stack(states, dim=1)": "    return torch.stack(states, dim=1)"},
         "return inside the loop: the first state"),
    edit(reference, {"h = torch": "states, h = [], h0\nh = torch"}, "list and state made anew in the loop"))

exercise.mistake("includes-h0", "unrolled-in-time",
    "There is one state too many: h0 is in the output. Return h_1 to h_T, what the steps made.",
    full("states = [h0]\n"
         "for t in range(x.shape[1]):\n"
         "    states.append(torch.tanh(x[:, t] @ W + states[-1] @ U + b))\n"
         "return torch.stack(states, dim=1)"))

exercise.mistake("one-step-late", "unrolled-in-time",
    "The states come one step late: the output holds the state before each step. Store the state after it "
    "has been computed.",
    edit(plain, {"h = torch": "states.append(h)\nh = torch", "states.append(h)": ""}))

exercise.mistake("time-reversed", "unrolled-in-time",
    "The tokens are read from the last to the first, or the states come back in that order. Read and "
    "return them from first to last.",
    edit(plain, {"range(x.shape[1])": "reversed(range(x.shape[1]))"},
         "read from the end, states in reading order"),
    edit(plain_other, {"(x.shape[1])": "(x.shape[1] - 1, -1, -1)"},
         "read from the end, states at their tokens"),
    edit(plain, {"append(h)": "insert(0,h)"}, "newest state first"))

exercise.mistake("same-input", "unrolled-in-time", "Every step reads the same token. Step t reads x[:, t].",
    edit(plain, {"[:, t]": "[:, 0]"}),
    edit(plain, {"[:, t]": ".mean(dim=1)"}, "the mean of all tokens"))

exercise.mistake("time-first", "unrolled-in-time",
    "Time and batch have changed places in the output. Stack the states along the second axis, dim=1, to "
    "get (B, T, H).",
    edit(plain, {", dim=1": ""}))

exercise.mistake("time-last", "unrolled-in-time",
    "Time is the last axis of the output. Stack the states along the second axis, dim=1, to get (B, T, H).",
    edit(plain, {"dim=1": "dim=-1"}))

exercise.mistake("reshaped", "unrolled-in-time",
    "The states are brought into the shape (B, T, H) by reshape or view, which mixes batch items and "
    "steps. Stack along dim=1, or transpose.",
    edit(plain, {", dim=1": ").reshape(x.shape[0], x.shape[1], -1"}))

exercise.mistake("joined", "unrolled-in-time",
    "The states are joined along an axis that exists already. They need an axis of their own: torch.stack "
    "along dim=1, not torch.cat.",
    edit(plain, {"stack": "cat"}, "along the last axis"),
    edit(plain, {"stack": "cat", ", dim=1": ""}, "along the first axis"))

exercise.mistake("returns-tuple", "rnn-cell",
    "A pair comes back. Return one tensor, all states (B, T, H); the last state alone is part of it. "
    "(torch's nn.RNN returns a pair.)",
    edit(plain, {"dim=1)": "dim=1), h"}, "all states and the last"),
    edit(plain, {"dim=1)": "dim=1), h.unsqueeze(0)"}, "all states and the last, as nn.RNN shapes it"),
    edit(plain, {"dim=1)": "dim=1), states"}, "all states, and the list of them"),
    edit(plain, {"return": "return h,"}, "the last state, and all states"))

exercise.mistake("returns-list", "unrolled-in-time",
    "A list of states comes back. Make one tensor of them with torch.stack along dim=1.",
    edit(plain, {"return torch.stack(states, dim=1)": "return states"}))

exercise.mistake("same-tensor", "unrolled-in-time",
    "All states in the output are the last one, or zero: one tensor is kept, and later steps overwrite it. "
    "Make a new tensor at each step.",
    edit(plain, {"h0, []": "h0.clone(), []", "h = torch": "h .copy_( torch",
                 "U + b)": "U + b))"}, "one tensor, overwritten"))

exercise.mistake("no-tanh", "rnn-cell",
    "There is no tanh. Squash the sum at each step, before the state goes on to the next.",
    edit(plain, {" torch.tanh(": "", "U + b)": "U + b"}))

exercise.mistake("other-nonlinearity", "rnn-cell",
    "The non-linearity is the wrong one, such as sigmoid or ReLU. This cell uses tanh.",
    edit(plain, {"tanh": "sigmoid"}, "sigmoid"),
    edit(plain, {"tanh": "relu"}, "ReLU"))

exercise.mistake("tanh-not-carried", "rnn-cell",
    "The tanh is applied to the output only, and the state goes on without it. The next step must start "
    "from the squashed state.",
    edit(plain, {" torch.tanh(": "", "U + b)": "U + b", "append(h)": "append(torch.tanh(h))"}))

exercise.mistake("tanh-in-parts", "rnn-cell",
    "The tanh is applied to a part of the sum. Add input, state and bias first; then apply one tanh to the "
    "whole.",
    edit(plain, {"+ h @ U + b)": ") + torch.tanh(h @ U) + b"}, "two tanhs"),
    edit(plain, {"h @ U + b)": "b) + h @ U"}, "tanh of the input's share"),
    edit(plain, {" torch.tanh(": "", "h @ U": "torch.tanh(h @ U"}, "tanh of the state's share"))

exercise.mistake("bias-missing", "rnn-cell", "The bias b is missing. Add it inside the tanh.",
    edit(plain, {"U + b": "U"}))

exercise.mistake("bias-outside", "rnn-cell",
    "The bias is added after the tanh. It belongs inside, with the two products.",
    edit(plain, {"U + b)": "U ) + b"}),
    edit(plain, {"U + b": "U", "append(h)": "append(h + b)"}, "only on the output"))

exercise.mistake("bias-twice", "rnn-cell",
    "The bias is added twice. This cell has one bias b. (torch's nn.RNN has two.)",
    edit(plain, {"(x[:, t] @ W + h @ U + b)": "((x[:, t] @ W + b) + (h @ U + b))"}))

exercise.mistake("state-added", "rnn-cell",
    "The old state is added to the new one after the tanh. The new state is the tanh alone.",
    edit(plain, {"= torch": "=h + torch"}))

exercise.mistake("elementwise", "rnn-cell",
    "A matrix is multiplied number by number, with *, or reduced to its diagonal. The products with W "
    "and U are matrix products: @.",
    edit(plain, {"h @ U": "h * U.diagonal()"}, "the diagonal of U"),
    edit(plain, {"h @ U": "h * U"}, "h * U"),
    edit(plain, {"@ W + h @": "* W + h *"}, "both products"),
    edit(plain, {"@ W": "* W"}, "x * W"))

exercise.mistake("dtype-fixed", "unrolled-in-time",
    "The result is float32 whatever the input is. Give the tensor that collects the states the input's "
    "dtype, as x.new_zeros does, or stack the states.",
    edit(plain_other, {"x.new_zeros": "torch.zeros"}))

exercise.mistake("squeezed", "unrolled-in-time",
    "An axis of size 1 has disappeared from the output. Leave out squeeze(), or name the one axis that it "
    "may remove.",
    edit(plain, {"dim=1)": "dim=1).squeeze()"}),
    edit(plain, {"dim=1)": "dim=1).squeeze(0)"}, "only the batch axis"))

exercise.mistake("tanh-overflows", "rnn-cell",
    "Large inputs give nan, since a hand-written tanh divides infinity by infinity. Use torch.tanh.",
    edit(plain, {"h = torch.tanh(x": "a =x", "U + b)": "U + b",
                 "states.": "h = (torch.exp(a) - torch.exp(-a)) / (torch.exp(a) + torch.exp(-a))\nstates."}),
    edit(plain, {"h = torch.tanh(x": "a =x", "U + b)": "U + b",
                 "states.": "h = (torch.exp(2 * a) - 1) / (torch.exp(2 * a) + 1)\nstates."},
         "with the exponential of 2a"))

exercise.mistake("matrix-on-the-left", "rnn-cell",
    "A matrix stands on the left of the tokens or the states. They are rows: multiply them with it from "
    "the right, x_t @ W and h @ U.",
    edit(plain, {"x[:, t] @ W + h @ U": "W @ x[:, t] + U @ h"}, "both"),
    edit(plain, {"h @ U": "U @ h"}, "U alone"))

exercise.mistake("read-back", "unrolled-in-time",
    "The steps read the last state out of the tensor that they fill. Autograd cannot go back through a "
    "tensor that was changed later. Keep the last state in a variable of its own, or collect the states in "
    "a list.",
    edit(plain_other, {"h, out = h0, x": "out = x",
                       "h = torch": "last = h0 if t == 0 else out[:, t - 1]\nout[:, t] = torch",
                       "h @ U": "last @ U", "out[:, t] = h": ""}),
    full("B, T, _ = x.shape\n"
         "out = torch.zeros(B, T + 1, h0.shape[1], dtype=x.dtype)\n"
         "out[:, 0] = h0\n"
         "for t in range(T):\n"
         "    out[:, t + 1] = torch.tanh(x[:, t] @ W + out[:, t] @ U + b)\n"
         "return out[:, 1:]", "h0 in front, cut off at the end"))

exercise.built_in("changes-input",
    edit(reference, {", h = [], h0": "= []", "h = torch": "h0[:] = torch", "h @ U": "h0 @ U",
                     "append(h)": "append(h0.clone())"}, "h0 holds the running state"))

exercise.built_in("no-gradient",
    edit(plain, {"h @ U": "h.detach() @ U"}, "each state detached"),
    full("with torch.no_grad():\n"
         "    h, states = h0, []\n"
         "    for t in range(x.shape[1]):\n"
         "        h = torch.tanh(x[:, t] @ W + h @ U + b)\n"
         "        states.append(h)\n"
         "    return torch.stack(states, dim=1)", "under no_grad"))


def ready(x, h0, W, U, b):
    rnn = nn.RNN(W.shape[0], U.shape[0], batch_first=True)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(W.T)
        rnn.weight_hh_l0.copy_(U.T)
        rnn.bias_ih_l0.copy_(b)
        rnn.bias_hh_l0.zero_()
    return rnn(x, h0.unsqueeze(0))[0]


exercise.built_in("ready-made",
    full(ready, "nn.RNN with the weights filled in"),
    edit(plain, {"h, states": "from allyouneed.nn import recurrent\n"
                              "cell = recurrent.RNNCell(W.shape[0], U.shape[0])\n"
                              "cell.from_input.weight.data, cell.from_input.bias.data, "
                              "cell.from_state.weight.data = W.T, b, U.T\n"
                              "h, states",
                 "torch.tanh": "cell", "@ W + h @ U + b": ", h"}, "the library's cell"))

exercise.built_in("timeout",
    edit(plain, {"= h0, []": ", t = h0, [], 0", "for t in range(x.shape[1])": "while t < x.shape[1]",
                 "states.append(h)": ""}, "the step never advances"))

exercise.built_in("returns-nothing",
    edit(plain, {"return torch.stack(states, dim=1)": ""}, "no return"))

exercise.equal("all tensors agree in dtype, number of sequences and size of the state", {
    "x.new_zeros": ("h0.new_zeros", "b.new_zeros"), "U.shape[0]": ("U.shape[1]", "U.shape[-1]", "b.shape[0]"),
    "x.shape[0]": "h0.shape[0]", "h0.shape[1]": "W.shape[1]"})
