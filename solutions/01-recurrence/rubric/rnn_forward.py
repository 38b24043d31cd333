"""The rubric of rnn_forward: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise

from ._shared import READY_MADE, stride

exercise = Exercise(
    "rnn_forward",
    points={"states": 3, "gradients": 1, "large inputs and long sequences": 1},
    section="rnn-cell",
    forbid=READY_MADE,
    compact=True,
    properties=[{"rule": "finite"}],
    relations=[("no way from state to state", "no way from state to state, another first state",
                "With W_h = 0 the first state must not matter, but it changed the output.")],
    mistakes={
        "state-not-carried": ("The state is not carried: every step starts from the same state. h0 is for the first step alone; each "
                              "later step must start from the state that the step before it made.", "state-carried"),
        "recurrence-missing": ("The state has no effect: W_h is not used, so each output depends on its own input only. Add the product of "
                               "the last state and W_h inside the tanh.", "state-carried"),
        "loops-over-batch": ("The loop runs over the batch, the first axis of x. Steps lie along the second axis: take x[:, t], for t from 0 to "
                             "T − 1, and let all batch items advance together.", "unrolled-in-time"),
        "state-leaks": ("The state runs on from one batch item to the next. Each item is a sequence of its own and starts from its own "
                        "row of h0.", "state-carried"),
        "first-row-of-h0": ("Every batch item starts from the first row of h0. Item i starts from row i.", "state-carried"),
        "w-h-transposed": ("W_h is transposed. States are rows: multiply the state with W_h from the right, as it is. (torch's own layers, "
                           "and F.linear, store the transposed matrix.)", "rnn-cell"),
        "w-x-transposed": ("W_x is transposed. Inputs are rows of width D and W_x is (D, H): multiply them as they are.", "rnn-cell"),
        "both-transposed": ("Both W_x and W_h are transposed. Inputs and states are rows: multiply them with the matrices as they are. (torch's "
                            "own layers, and F.linear, store the transposed matrices.)", "rnn-cell"),
        "matrices-swapped": ("W_x and W_h are swapped: W_x belongs to the input, W_h to the state.", "rnn-cell"),
        "h0-ignored": ("h0 is not used: the first step starts from zeros, or from no state at all. Start from h0.", "state-carried"),
        "last-state-only": ("Only one state comes back. Keep the state of every step, stack them along the second axis, and return them "
                            "after the loop.", "unrolled-in-time"),
        "includes-h0": ("There is one state too many: h0 is in the output. Return h_1 to h_T, what the steps made.", "unrolled-in-time"),
        "one-step-late": ("The states come one step late: the output holds the state before each step. Store the state after it has "
                          "been computed.", "unrolled-in-time"),
        "step-missing": ("A step is missing: the first or the last token is never read. There are T steps, one for each token.",
                         "unrolled-in-time"),
        "time-reversed": ("The tokens are read from the last to the first, or the states come back in that order. Read and return them "
                          "from first to last.", "unrolled-in-time"),
        "same-input": ("Every step reads the same token. Step t reads x[:, t].", "unrolled-in-time"),
        "time-first": ("Time and batch have changed places in the output. Stack the states along the second axis, dim=1, to get (B, T, H).",
                       "unrolled-in-time"),
        "time-last": ("Time is the last axis of the output. Stack the states along the second axis, dim=1, to get (B, T, H).",
                      "unrolled-in-time"),
        "reshaped": ("The states are brought into the shape (B, T, H) by reshape or view, which mixes batch items and steps. Stack along dim=1, "
                     "or transpose.", "unrolled-in-time"),
        "joined": ("The states are joined along an axis that exists already. They need an axis of their own: torch.stack along dim=1, "
                   "not torch.cat.", "unrolled-in-time"),
        "returns-tuple": ("A pair comes back. Return one tensor, all states (B, T, H); the last state alone is part of it. (torch's nn.RNN "
                          "returns a pair.)", "rnn-cell"),
        "returns-list": ("A list of states comes back. Make one tensor of them with torch.stack along dim=1.", "unrolled-in-time"),
        "same-tensor": ("All states in the output are the last one, or zero: one tensor is kept, and later steps overwrite it. Make a new "
                        "tensor at each step.", "unrolled-in-time"),
        "no-tanh": ("There is no tanh. Squash the sum at each step, before the state goes on to the next.", "rnn-cell"),
        "other-nonlinearity": ("The non-linearity is the wrong one, such as sigmoid or ReLU. This cell uses tanh.", "rnn-cell"),
        "tanh-not-carried": ("The tanh is applied to the output only, and the state goes on without it. The next step must start from the squashed "
                             "state.", "rnn-cell"),
        "tanh-in-parts": ("The tanh is applied to a part of the sum. Add input, state and bias first; then apply one tanh to the whole.", "rnn-cell"),
        "bias-missing": ("The bias b is missing. Add it inside the tanh.", "rnn-cell"),
        "bias-outside": ("The bias is added after the tanh. It belongs inside, with the two products.", "rnn-cell"),
        "bias-twice": ("The bias is added twice. This cell has one bias b. (torch's nn.RNN has two.)", "rnn-cell"),
        "state-added": ("The old state is added to the new one after the tanh. The new state is the tanh alone.", "rnn-cell"),
        "elementwise": ("A matrix is multiplied number by number, with *, or reduced to its diagonal. The products with W_x and W_h are matrix products: @.",
                        "rnn-cell"),
        "dtype-fixed": ("The result is float32 whatever the input is. Give the tensor that collects the states the input's dtype, as "
                        "x.new_zeros does, or stack the states.", "unrolled-in-time"),
        "squeezed": ("An axis of size 1 has disappeared from the output. Leave out squeeze(), or name the one axis that it may remove.",
                     "unrolled-in-time"),
        "matrix-on-the-left": ("A matrix stands on the left of the tokens or the states. They are rows: multiply them with it from the right, x_t @ W_x and h @ W_h.",
                               "rnn-cell"),
        "read-back": ("The steps read the last state out of the tensor that they fill. Autograd cannot go back through a tensor that was changed later. "
                      "Keep the last state in a variable of its own, or collect the states in a list.", "unrolled-in-time"),
        "tanh-overflows": ("Large inputs give nan, since a hand-written tanh divides infinity by infinity. Use torch.tanh.", "rnn-cell"),
    },
)


@exercise.probes
def _(make):
    def arguments(B, T, D, H, dtype=torch.float32, scale=1.0):
        return (make.randn(B, T, D, dtype=dtype, scale=scale), make.randn(B, H, dtype=dtype), make.randn(D, H, dtype=dtype, scale=0.6),
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
    yield probe("float64", *arguments(*make.pick((2, 5, 3, 4), (3, 4, 2, 5), (2, 4, 5, 3)), dtype=torch.float64))
    x, h0, W_x, W_h, b = arguments(2, 4, 3, make.pick(5, 6, 5))
    yield probe("no way from state to state", x, h0, W_x, make.randn(*W_h.shape, scale=1e-9), b)
    yield probe("no way from state to state, another first state", x, make.randn(*h0.shape), W_x, make.randn(*W_h.shape, scale=1e-9), b)

    small = make.randn(1, 2, 1), make.randn(1, 1), make.randn(1, 1), make.randn(1, 1), make.randn(1)
    yield probe("one number at each step", *[(item * 10).round() / 10 for item in small], edge=True)
    yield probe("batch 1", *arguments(1, *make.pick((4, 3, 5), (5, 2, 4), (3, 4, 6))), edge=True)
    yield probe("one step", *arguments(make.pick(3, 2, 4), 1, 4, 2), edge=True)
    yield probe("one unit", *arguments(2, make.pick(3, 4, 5), 3, 1), edge=True)
    yield stride(probe("not contiguous", *arguments(2, 4, 3, 5), edge=True))

    graded = {"group": "gradients", "gradient": True, "edge": True}
    yield probe("gradients", *arguments(*make.pick((2, 4, 3, 5), (3, 5, 2, 4), (2, 6, 4, 3))), **graded)
    yield probe("gradients, float64", *arguments(*make.pick((3, 3, 2, 2), (2, 4, 3, 2), (3, 4, 2, 3)), dtype=torch.float64), **graded)

    edge = {"group": "large inputs and long sequences", "edge": True}
    yield probe("inputs of several hundred", *arguments(2, 3, make.pick(4, 3, 5), 2, scale=400.0), **edge)
    yield probe("a long sequence", *arguments(1, make.pick(140, 150, 160), 2, 3), group="large inputs and long sequences", edge=True, long=True)


@exercise.right
def reference(x, h0, W_x, W_h, b):
    states, h = [], h0
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.alternative("inputs' share at once, over x.unbind(1)")
def _(x, h0, W_x, W_h, b):
    h, out = h0, []
    for from_x in (x @ W_x + b).unbind(1):
        h = (from_x + h.matmul(W_h)).tanh()
        out += [h.unsqueeze(1)]
    return torch.cat(out, dim=1)


@exercise.alternative("a buffer that is filled step by step")
def _(x, h0, W_x, W_h, b):
    B, T, _ = x.shape
    hs = x.new_zeros(B, T, W_h.shape[0])
    h_t = h0
    for t in range(T):
        h_t = torch.tanh(torch.einsum("bd,dh->bh", x[:, t, :], W_x) + torch.einsum("bg,gh->bh", h_t, W_h) + b)
        hs[:, t, :] = h_t
    return hs


@exercise.alternative("F.linear with the transposed matrices")
def _(x, h0, W_x, W_h, b):
    states = [h0]
    for t in range(x.size(1)):
        states.append(torch.tanh(F.linear(x[:, t], W_x.t(), b) + F.linear(states[-1], W_h.t())))
    return torch.stack(states[1:], 1)


@exercise.alternative("item by item, step by step")
def _(x, h0, W_x, W_h, b):
    rows = []
    for sequence, h in zip(x, h0):
        row = []
        for token in sequence:
            h = torch.tanh(token @ W_x + h @ W_h + b)
            row.append(h)
        rows.append(torch.stack(row))
    return torch.stack(rows)


@exercise.alternative("input and state side by side, time first and back")
def _(x, h0, W_x, W_h, b):
    W = torch.cat([W_x, W_h], dim=0)
    outputs, h = [], h0
    for x_t in x.transpose(0, 1):
        h = torch.tanh(torch.addmm(b, torch.cat([x_t, h], dim=1), W))
        outputs.append(h)
    return torch.stack(outputs).permute(1, 0, 2)


@exercise.alternative("columns: everything transposed")
def _(x, h0, W_x, W_h, b):
    h, states = h0.T, []
    for t in range(x.shape[1]):
        h = torch.tanh(W_x.T @ x[:, t].T + W_h.T @ h + b[:, None])
        states.append(h.T)
    return torch.stack(states, dim=1)


@exercise.alternative("recursion")
def _(x, h0, W_x, W_h, b):
    def states(t):
        before = states(t - 1) if t else [h0]
        return before + [torch.tanh(x[:, t] @ W_x + before[-1] @ W_h + b)]

    return torch.stack(states(x.shape[1] - 1)[1:], dim=1)


@exercise.alternative("accumulate, tanh from sigmoid")
def _(x, h0, W_x, W_h, b):
    from itertools import accumulate

    def advance(h, x_t):
        return 2 * torch.sigmoid(2 * (x_t @ W_x + h @ W_h + b)) - 1

    _, *states = accumulate(x.unbind(dim=1), advance, initial=h0)
    return torch.stack(states, dim=-2)


@exercise.wrong("state-not-carried", "h0 at every step, without a loop")
def _(x, h0, W_x, W_h, b):
    return torch.tanh(x @ W_x + (h0 @ W_h).unsqueeze(1) + b)


@exercise.wrong("state-not-carried", "h0 at every step, in a loop")
def _(x, h0, W_x, W_h, b):
    states = []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h0 @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("state-not-carried", "zeros after the first step")
def _(x, h0, W_x, W_h, b):
    states = []
    for t in range(x.shape[1]):
        h = h0 if t == 0 else torch.zeros_like(h0)
        states.append(torch.tanh(x[:, t] @ W_x + h @ W_h + b))
    return torch.stack(states, dim=1)


@exercise.wrong("recurrence-missing")
def _(x, h0, W_x, W_h, b):
    return torch.tanh(x @ W_x + b)


@exercise.wrong("loops-over-batch", "for x_t in x")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for x_t in x:
        h = torch.tanh(x_t @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("loops-over-batch", "for x_t in x, states along the first axis")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for i in range(x.shape[0]):
        h = torch.tanh(x[i] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states)


@exercise.wrong("loops-over-batch", "as many steps as batch items")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(len(x)):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("loops-over-batch", "a recurrence from item to item")
def _(x, h0, W_x, W_h, b):
    h, states = h0[0], []
    for i in range(x.shape[0]):
        h = torch.tanh(x[i] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states)


@exercise.wrong("state-leaks")
def _(x, h0, W_x, W_h, b):
    rows, h = [], h0[0]
    for i in range(x.shape[0]):
        row = []
        for t in range(x.shape[1]):
            h = torch.tanh(x[i, t] @ W_x + h @ W_h + b)
            row.append(h)
        rows.append(torch.stack(row))
    return torch.stack(rows)


@exercise.wrong("first-row-of-h0")
def _(x, h0, W_x, W_h, b):
    states, h = [], h0[0]
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("w-h-transposed")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h.T + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("w-x-transposed")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x.T + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("both-transposed")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(F.linear(x[:, t], W_x) + F.linear(h, W_h, b))
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("both-transposed", "matrix times column")
def _(x, h0, W_x, W_h, b):
    rows = []
    for i in range(x.shape[0]):
        h, row = h0[i], []
        for t in range(x.shape[1]):
            h = torch.tanh(W_x @ x[i, t] + W_h @ h + b)
            row.append(h)
        rows.append(torch.stack(row))
    return torch.stack(rows)


@exercise.wrong("w-x-transposed", "matrix times column")
def _(x, h0, W_x, W_h, b):
    rows = []
    for i in range(x.shape[0]):
        h, row = h0[i], []
        for t in range(x.shape[1]):
            h = torch.tanh(W_x @ x[i, t] + h @ W_h + b)
            row.append(h)
        rows.append(torch.stack(row))
    return torch.stack(rows)


@exercise.wrong("w-x-transposed", "einsum with the axes of W_x exchanged")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(torch.einsum("bd,hd->bh", x[:, t], W_x) + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("matrices-swapped")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_h + h @ W_x + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("h0-ignored")
def _(x, h0, W_x, W_h, b):
    h, states = torch.zeros_like(h0), []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("step-missing", "h0 in place of the first state")
def _(x, h0, W_x, W_h, b):
    h, states = h0, [h0]
    for t in range(1, x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("last-state-only")
def _(x, h0, W_x, W_h, b):
    h = h0
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
    return h


@exercise.wrong("last-state-only", "with an axis of size 1")
def _(x, h0, W_x, W_h, b):
    h = h0
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
    return h.unsqueeze(1)


@exercise.wrong("last-state-only", "return inside the loop: the first state")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
        return torch.stack(states, dim=1)


@exercise.wrong("includes-h0")
def _(x, h0, W_x, W_h, b):
    states = [h0]
    for t in range(x.shape[1]):
        states.append(torch.tanh(x[:, t] @ W_x + states[-1] @ W_h + b))
    return torch.stack(states, dim=1)


@exercise.wrong("one-step-late")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        states.append(h)
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
    return torch.stack(states, dim=1)


@exercise.wrong("step-missing", "the first token is not read")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(1, x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("step-missing", "the last token is not read")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1] - 1):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("step-missing", "the first token is not read, zeros in its place")
def _(x, h0, W_x, W_h, b):
    h, out = h0, x.new_zeros(x.shape[0], x.shape[1], h0.shape[1])
    for t in range(1, x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        out[:, t] = h
    return out


@exercise.wrong("step-missing", "the last token is not read, zeros in its place")
def _(x, h0, W_x, W_h, b):
    h, out = h0, x.new_zeros(x.shape[0], x.shape[1], h0.shape[1])
    for t in range(x.shape[1] - 1):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        out[:, t] = h
    return out


@exercise.wrong("time-reversed", "read from the end, states in reading order")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in reversed(range(x.shape[1])):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("time-reversed", "read from the end, states at their tokens")
def _(x, h0, W_x, W_h, b):
    h, out = h0, x.new_zeros(x.shape[0], x.shape[1], h0.shape[1])
    for t in range(x.shape[1] - 1, -1, -1):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        out[:, t] = h
    return out


@exercise.wrong("time-reversed", "newest state first")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.insert(0, h)
    return torch.stack(states, dim=1)


@exercise.wrong("same-input")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, 0] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("same-input", "the mean of all tokens")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x.mean(dim=1) @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("time-first")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states)


@exercise.wrong("time-last")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=-1)


@exercise.wrong("reshaped")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states).reshape(x.shape[0], x.shape[1], -1)


@exercise.wrong("joined", "along the last axis")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.cat(states, dim=1)


@exercise.wrong("joined", "along the first axis")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.cat(states)


@exercise.wrong("returns-tuple", "all states and the last")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1), h


@exercise.wrong("returns-tuple", "all states and the last, as nn.RNN shapes it")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1), h.unsqueeze(0)


@exercise.wrong("returns-list")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return states


@exercise.wrong("same-tensor", "one tensor, overwritten")
def _(x, h0, W_x, W_h, b):
    h, states = h0.clone(), []
    for t in range(x.shape[1]):
        h.copy_(torch.tanh(x[:, t] @ W_x + h @ W_h + b))
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("no-tanh")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = x[:, t] @ W_x + h @ W_h + b
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("other-nonlinearity", "sigmoid")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.sigmoid(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("other-nonlinearity", "ReLU")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.relu(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("tanh-not-carried")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = x[:, t] @ W_x + h @ W_h + b
        states.append(torch.tanh(h))
    return torch.stack(states, dim=1)


@exercise.wrong("tanh-in-parts", "two tanhs")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x) + torch.tanh(h @ W_h) + b
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("tanh-in-parts", "tanh of the input's share")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + b) + h @ W_h
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("tanh-in-parts", "tanh of the state's share")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = x[:, t] @ W_x + torch.tanh(h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("bias-missing")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("bias-outside")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h) + b
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("bias-outside", "only on the output")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h)
        states.append(h + b)
    return torch.stack(states, dim=1)


@exercise.wrong("bias-twice")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh((x[:, t] @ W_x + b) + (h @ W_h + b))
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("state-added")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = h + torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("elementwise", "the diagonal of W_h")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h * W_h.diagonal() + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("elementwise", "h * W_h")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h * W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("dtype-fixed")
def _(x, h0, W_x, W_h, b):
    h, out = h0, torch.zeros(x.shape[0], x.shape[1], h0.shape[1])
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        out[:, t] = h
    return out


@exercise.wrong("squeezed")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1).squeeze()


@exercise.wrong("squeezed", "only the batch axis")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1).squeeze(0)


@exercise.wrong("tanh-overflows")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        a = x[:, t] @ W_x + h @ W_h + b
        h = (torch.exp(a) - torch.exp(-a)) / (torch.exp(a) + torch.exp(-a))
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("tanh-overflows", "with the exponential of 2a")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        a = x[:, t] @ W_x + h @ W_h + b
        h = (torch.exp(2 * a) - 1) / (torch.exp(2 * a) + 1)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("changes-input", "h0 holds the running state")
def _(x, h0, W_x, W_h, b):
    states = []
    for t in range(x.shape[1]):
        h0[:] = torch.tanh(x[:, t] @ W_x + h0 @ W_h + b)
        states.append(h0.clone())
    return torch.stack(states, dim=1)


@exercise.wrong("no-gradient", "each state detached")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h.detach() @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("no-gradient", "under no_grad")
def _(x, h0, W_x, W_h, b):
    with torch.no_grad():
        h, states = h0, []
        for t in range(x.shape[1]):
            h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
            states.append(h)
        return torch.stack(states, dim=1)


@exercise.wrong("ready-made", "nn.RNN with the weights filled in")
def _(x, h0, W_x, W_h, b):
    rnn = nn.RNN(W_x.shape[0], W_h.shape[0], batch_first=True)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(W_x.T)
        rnn.weight_hh_l0.copy_(W_h.T)
        rnn.bias_ih_l0.copy_(b)
        rnn.bias_hh_l0.zero_()
    return rnn(x, h0.unsqueeze(0))[0]


@exercise.wrong("ready-made", "the library's cell")
def _(x, h0, W_x, W_h, b):
    from allyouneed import recurrent

    cell = recurrent.RNNCell(W_x.shape[0], W_h.shape[0])
    cell.from_input.weight.data, cell.from_input.bias.data, cell.from_state.weight.data = W_x.T, b, W_h.T
    h, states = h0, []
    for t in range(x.shape[1]):
        h = cell(x[:, t], h)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("timeout", "the step never advances")
def _(x, h0, W_x, W_h, b):
    h, states, t = h0, [], 0
    while t < x.shape[1]:
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
    return torch.stack(states, dim=1)


@exercise.wrong("returns-nothing", "no return")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)


@exercise.wrong("returns-tuple", "all states, and the list of them")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1), states


@exercise.wrong("returns-tuple", "the last state, and all states")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return h, torch.stack(states, dim=1)


@exercise.wrong("elementwise", "both products")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] * W_x + h * W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("elementwise", "x * W_x")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] * W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("matrix-on-the-left", "both")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(W_x @ x[:, t] + W_h @ h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("matrix-on-the-left", "W_h alone")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + W_h @ h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("matrices-swapped", "side by side in different orders")
def _(x, h0, W_x, W_h, b):
    h, states, W = h0, [], torch.cat((W_h, W_x))
    for t in range(x.shape[1]):
        h = torch.tanh(torch.cat((x[:, t], h), dim=1) @ W + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("last-state-only", "list and state made anew in the loop")
def _(x, h0, W_x, W_h, b):
    for t in range(x.shape[1]):
        states, h = [], h0
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.wrong("loops-over-batch", "nested, every token to all states")
def _(x, h0, W_x, W_h, b):
    h, states = h0, []
    for sequence in x:
        for token in sequence:
            h = torch.tanh(token @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states)


@exercise.wrong("read-back")
def _(x, h0, W_x, W_h, b):
    out = x.new_zeros(x.shape[0], x.shape[1], h0.shape[1])
    for t in range(x.shape[1]):
        last = h0 if t == 0 else out[:, t - 1]
        out[:, t] = torch.tanh(x[:, t] @ W_x + last @ W_h + b)
    return out


@exercise.wrong("read-back", "h0 in front, cut off at the end")
def _(x, h0, W_x, W_h, b):
    B, T, _ = x.shape
    out = torch.zeros(B, T + 1, h0.shape[1], dtype=x.dtype)
    out[:, 0] = h0
    for t in range(T):
        out[:, t + 1] = torch.tanh(x[:, t] @ W_x + out[:, t] @ W_h + b)
    return out[:, 1:]


@exercise.wrong("read-back", "time first")
def _(x, h0, W_x, W_h, b):
    out = torch.empty(x.shape[1], *h0.shape, dtype=x.dtype)
    for t in range(x.shape[1]):
        out[t] = torch.tanh(x[:, t] @ W_x + (out[t - 1] if t else h0) @ W_h + b)
    return out.transpose(0, 1)
