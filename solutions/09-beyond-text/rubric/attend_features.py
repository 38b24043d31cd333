"""The rubric of attend_features: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

from ._shared import writer

exercise = Exercise(
    "attend_features",
    points={"context and weights": 4, "large scores and float64": 1},
    section="attention-over-features",
    forbid=("AdditiveAttention", "BahdanauAttention", "additive_attention", "scaled_dot_product_attention", "MultiheadAttention"),
    compact=True,
    properties=[{"rule": "finite", "part": 0}, {"rule": "finite", "part": 1}, {"rule": "non_negative", "part": 1, "what": "The weights"},
                {"rule": "sums_to_one", "part": 1, "what": "The weights of each row"}],
    mistakes={
        "no-tanh": ("There is no tanh: without it the state adds the same number to every score, and the softmax takes it away again. Put tanh around the sum "
                    "f W_f + s W_s.", "attention-over-features"),
        "other-activation": ("The sum, or a part of it, goes through a function other than tanh, or through tanh more than once. Use tanh once, around "
                             "f W_f + s W_s.", "attention-over-features"),
        "tanh-late": ("tanh stands around the score or around w. It belongs around the sum f W_f + s W_s alone, before the product with w.",
                      "attention-over-features"),
        "state-unused": ("The state does not change the weights: it is not used, or it is added outside the tanh, where every place gets the same from it, and the "
                         "softmax takes that away. Add first, then take the tanh: tanh(f W_f + s W_s).", "attention-over-features"),
        "features-unused": ("The scores do not depend on the features, so all places get the same weight. Add f W_f inside the tanh.",
                            "attention-over-features"),
        "state-axis": ("The state's projection (B, A) is added along the wrong axis of (B, N, A). Give it an axis of size 1 for the places: each row of the batch "
                       "has one state, for all of its places.", "attention-over-features"),
        "one-state": ("Rows of the batch use the state of another row, or one state for all. Row b uses state b.", "attention-over-features"),
        "product": ("The two projections are multiplied. Add them, and take tanh of the sum.", "attention-over-features"),
        "subtracted": ("One projection is subtracted from the other. Add them.", "attention-over-features"),
        "dot-product": ("This is a dot-product score. Here a small network scores: w times tanh(f W_f + s W_s).", "attention-over-features"),
        "w-unused": ("The score is not the weighted sum of the hidden numbers: w is not used, or another function takes the place of the sum. Multiply each "
                     "hidden number by its weight in w and add up: hidden @ w.", "attention-over-features"),
        "softmax-over-channels": ("The softmax runs over the features' channels or the hidden numbers, or separately for each hidden number. Take one softmax "
                                  "over the N places: one weight for each.", "attention-over-features"),
        "softmax-over-batch": ("The softmax runs over the batch. It runs over the N places of one row.", "attention-over-features"),
        "softmax-over-one": ("All weights are 1: the softmax runs over an axis of size 1, left by the product with w. Take that axis away first, or use the axis "
                             "of the places.", "attention-over-features"),
        "softmax-over-all": ("One softmax runs over the batch and the places together. Each row's weights sum to 1.", "attention-over-features"),
        "no-softmax": ("The weights of a row do not sum to 1: scores, their exponentials or a scaled softmax take their place. Use the softmax over the "
                       "places as it is.", "attention-over-features"),
        "other-weights": ("The weights come from something other than one softmax, such as a sigmoid, a division by the sum, a second softmax or the best "
                          "place alone. Take one softmax of the scores.", "attention-over-features"),
        "log-weights": ("The weights are logarithms: use softmax, not log_softmax.", "attention-over-features"),
        "scaled": ("The scores, or the sum inside tanh, are divided by a number. Additive attention has no scale: tanh keeps the scores small.",
                   "attention-over-features"),
        "sign": ("The sign of the scores is flipped, so the worst place gets most. Take the softmax of the scores themselves.", "attention-over-features"),
        "projected-context": ("The context mixes the projected features. Mix the features themselves: context (B, F).", "attention-over-features"),
        "mean-context": ("The context is divided by the number of places, or is their plain mean. It is the weighted sum: the weights sum to 1 already.",
                         "attention-over-features"),
        "plain-sum": ("The context is the sum of all features, without the weights. Multiply each feature by its weight first.", "attention-over-features"),
        "not-summed": ("The weighted features are not summed. Sum over the places: the context has one vector for each row, (B, F).",
                       "attention-over-features"),
        "context-axis": ("The context has one axis of size 1 too many. Its shape is (B, F).", "attention-over-features"),
        "one-map": ("All rows of the batch get the same weights. Each row has its own picture and its own state, so its own scores.", "attention-over-features"),
        "summed-over-channels": ("The weighted features are summed along the wrong axis. Sum over the places, so that a vector of F numbers is left.",
                                 "attention-over-features"),
        "transformed-context": ("The context goes through one more step. It is the weighted sum of the features, and nothing else.", "attention-over-features"),
        "weights-missing": ("Only one thing comes back. Return two: (context, weights).", "attention-over-features"),
        "order-swapped": ("The two results come in the wrong order. Return (context, weights).", "attention-over-features"),
        "weights-form": ("The context is right, but the weights have another form. Return them as one tensor (B, N).", "attention-over-features"),
        "scores-returned": ("The context is right, but something from before the softmax comes back where the weights should. Return what the softmax gave.",
                            "attention-over-features"),
        "weights-detached": ("The values are right, but the gradient stops at the weights, in the context or in what is returned. Do not detach them: W_f, "
                             "W_s and w learn through them.", "attention-over-features"),
        "overflow": ("Large scores give inf or nan: exp overflows. Subtract each row's largest score first, or use torch.softmax.", "attention-over-features"),
        "dtype-fixed": ("float64 inputs do not give float64 results. Keep their dtype: cast nothing.", "attention-over-features"),
        "squeezed": ("With a batch of one, one place or one hidden number, an axis gets lost. Name the axis that squeeze() removes.", "attention-over-features"),
    },
)
wrong, right = writer(exercise)


@exercise.probes
def _(make):
    def probe(name, sizes, dtype=torch.float32, scale=1.0, group="context and weights", **marks):
        """A call; at a large scale each row has one place that clearly wins, so that rounding decides nothing."""
        B, N, n_features, n_state, A = sizes
        while True:
            features, state = make.randn(B, N, n_features, dtype=dtype), make.randn(B, n_state, dtype=dtype)
            W_f, W_s, w = make.randn(n_features, A, dtype=dtype, scale=0.7), make.randn(n_state, A, dtype=dtype, scale=0.7), make.randn(A, dtype=dtype)
            w = torch.where(w < 0, -1.0, 1.0).to(dtype) * (0.4 + w.abs()) * scale
            best = (torch.tanh(features @ W_f + (state @ W_s)[:, None]) @ w).sort(dim=1).values
            if scale == 1 or ((best[:, -1] - best[:, -2]).min() > 25 and best.abs().max() > 120):
                return make.probe(name, features, state, W_f, W_s, w, group=group, gradient=scale == 1, **marks)

    yield probe("two rows of three places", (2, 3, 4, 5, 6))
    yield probe("all sizes different", make.pick((3, 5, 2, 4, 6), (4, 6, 3, 2, 5), (3, 6, 5, 2, 4)))
    yield probe("more channels than places", make.pick((2, 4, 7, 3, 5), (3, 4, 8, 2, 6), (2, 5, 9, 3, 4)))
    yield probe("one row", (1, *make.pick((4, 3, 5, 2), (5, 4, 3, 6), (6, 2, 4, 5))), edge=True)
    yield probe("as many rows as places", make.pick((4, 4, 3, 5, 6), (5, 5, 2, 3, 4), (3, 3, 6, 4, 5)), edge=True)
    yield probe("as many places as hidden numbers", make.pick((2, 5, 3, 4, 5), (3, 6, 4, 2, 6), (2, 4, 3, 5, 4)), edge=True)
    yield probe("all sizes equal", make.pick((3, 3, 3, 3, 3), (4, 4, 4, 4, 4), (2, 2, 2, 2, 2)), edge=True)
    yield probe("one place, one hidden number", (2, 1, 3, 4, 1), edge=True)
    yield probe("not contiguous", make.pick((2, 4, 3, 5, 6), (3, 5, 4, 2, 6), (2, 6, 5, 3, 4)), edge=True, strided=True)
    yield probe("196 places", (2, 196, 5, 4, 3), long=True)
    group = {"group": "large scores and float64", "edge": True}
    yield probe("large scores", make.pick((2, 4, 3, 5, 6), (3, 5, 2, 4, 7), (2, 6, 4, 3, 5)), scale=150.0, **group)
    yield probe("float64", make.pick((2, 3, 5, 4, 6), (3, 4, 2, 5, 6), (2, 5, 4, 3, 6)), dtype=torch.float64, **group)


@exercise.right
def reference(features, state, W_f, W_s, w):
    hidden = torch.tanh(features @ W_f + (state @ W_s).unsqueeze(1))
    attention = torch.softmax(hidden @ w, dim=-1)
    return torch.einsum("bn,bnf->bf", attention, features), attention


STEPS = """
def attend_features(features, state, W_f, W_s, w):
    f = features @ W_f
    s = state @ W_s
    s = s[:, None, :]
    hidden = torch.tanh(f + s)
    scores = (hidden * w).sum(dim=-1)
    weights = F.softmax(scores, dim=1)
    context = (weights[:, :, None] * features).sum(dim=1)
    return context, weights
"""
MATRIX = """
def attend_features(features, state, W_f, W_s, w):
    projected = torch.matmul(features, W_f) + torch.matmul(state.unsqueeze(1), W_s)
    energy = torch.tanh(projected).matmul(w.unsqueeze(-1))
    alpha = torch.softmax(energy, dim=1)
    context = torch.bmm(alpha.transpose(1, 2), features).squeeze(1)
    return context, alpha.squeeze(-1)
"""
LOOP = """
def attend_features(features, state, W_f, W_s, w):
    contexts, maps = [], []
    for b in range(features.shape[0]):
        e = []
        for n in range(features.shape[1]):
            h = (features[b, n] @ W_f + state[b] @ W_s).tanh()
            e.append(torch.dot(w, h))
        e = torch.stack(e)
        a = torch.exp(e - e.max())
        a = a / a.sum()
        contexts.append(a @ features[b])
        maps.append(a)
    return torch.stack(contexts), torch.stack(maps)
"""
right("step by step", STEPS)
right("matrix products with axes of size 1", MATRIX)
right("two loops, softmax by hand", LOOP)
right("einsum", STEPS, ("f = features @ W_f", "f = torch.einsum('bnf,fa->bna', features, W_f)"), ("(hidden * w).sum(dim=-1)", "torch.einsum('bna,a->bn', hidden, w)"),
      ("(weights[:, :, None] * features).sum(dim=1)", "torch.einsum('bn,bnf->bf', weights, features)"))
right("F.linear", STEPS, ("features @ W_f", "F.linear(features, W_f.T)"), ("state @ W_s", "F.linear(state, W_s.T)"), ("(hidden * w).sum(dim=-1)", "F.linear(hidden, w[None])[..., 0]"))
right("features and state joined, one matrix", """
def attend_features(features, state, W_f, W_s, w):
    B, N, _ = features.shape
    both = torch.cat([features, state[:, None].expand(B, N, state.shape[1])], dim=-1)
    e = torch.tanh(both @ torch.cat([W_f, W_s])) @ w
    weights = (e - e.logsumexp(dim=-1, keepdim=True)).exp()
    return (weights.unsqueeze(1) @ features).squeeze(1), weights
""")
right("tanh by a sigmoid, a list", STEPS, ("torch.tanh(f + s)", "2 * torch.sigmoid(2 * (f + s)) - 1"), ("return context, weights", "return [context, weights]"))
right("the rows one after the other", STEPS, ("context = (weights[:, :, None] * features).sum(dim=1)", "context = torch.stack([x.T @ a for x, a in zip(features, weights)])"))
right("repeated state", STEPS, ("s = s[:, None, :]", "s = s.repeat(features.shape[1], 1, 1).transpose(0, 1)"))
right("places first", STEPS, ("f = features @ W_f", "f = (features.transpose(0, 1) @ W_f)"), ("s = s[:, None, :]", "pass"), ("(hidden * w).sum(dim=-1)", "(hidden @ w).T"))

SUM, SCORES, WEIGHTS, CONTEXT, END = "torch.tanh(f + s)", "scores = (hidden * w).sum(dim=-1)", "weights = F.softmax(scores, dim=1)", "context = (weights[:, :, None] * features).sum(dim=1)", "return context, weights"
WIDER, ALPHA, BMM = "s = s[:, None, :]", "alpha = torch.softmax(energy, dim=1)", "torch.bmm(alpha.transpose(1, 2), features).squeeze(1)"
LAST = "return context, alpha.squeeze(-1)"
wrong("no-tanh", "", STEPS, (SUM, "f + s"))
wrong("no-tanh", "in matrices", MATRIX, ("torch.tanh(projected)", "projected"))
for kind in ("F.relu(f + s)", "torch.sigmoid(f + s)", "F.gelu(f + s)", "F.silu(f + s)", "F.leaky_relu(f + s)", "torch.sin(f + s)", "F.softsign(f + s)", "torch.exp(f + s)", "torch.tanh(f + s).tanh()",
             "F.elu(f + s)", "F.hardtanh(f + s)", "(f + s).atan()", "torch.tanh(F.relu(f + s))", "F.relu(torch.tanh(f + s))", "F.softplus(f + s)", "F.gelu(f + s, approximate='tanh')", "F.leaky_relu(f + s, 0.2)"):
    wrong("other-activation", kind, STEPS, (SUM, kind))
wrong("state-unused", "tanh of each, then the sum", STEPS, (SUM, "f.tanh() + s.tanh()"))
wrong("state-unused", "tanh of the features alone", STEPS, (SUM, "f.tanh() + s"))
wrong("other-activation", "the state twice", STEPS, (SUM, "torch.tanh(f + s.tanh())"))
wrong("tanh-late", "", STEPS, (SUM, "f + s"), (SCORES, "scores = torch.tanh((hidden * w).sum(dim=-1))"))
wrong("tanh-late", "both times", STEPS, (SCORES, "scores = torch.tanh((hidden * w).sum(dim=-1))"))
wrong("tanh-late", "in matrices", MATRIX, ("torch.tanh(projected).matmul(w.unsqueeze(-1))", "projected.matmul(w.unsqueeze(-1)).tanh()"))
wrong("tanh-late", "around w alone", STEPS, (SUM, "f + s"), (SCORES, "scores = (hidden * w.tanh()).sum(dim=-1)"))
wrong("features-unused", "", STEPS, (SUM, "torch.tanh(s).expand_as(f)"))
wrong("features-unused", "all the same", STEPS, ("F.softmax(scores, dim=1)", "torch.full_like(scores, 1 / scores.shape[1])"))
wrong("no-softmax", "over the largest", STEPS, ("F.softmax(scores, dim=1)", "scores.softmax(1) / scores.softmax(1).amax(1, keepdim=True)"))
wrong("state-axis", "", STEPS, (WIDER, "pass"))
wrong("state-axis", "in front", STEPS, (WIDER, "s = s[None]"))
wrong("state-axis", "at the end", STEPS, (WIDER, "s = s[:, :, None]"))
wrong("state-axis", "a reshape of repeated rows", STEPS, (WIDER, "s = s.repeat(features.shape[1], 1).view(f.shape)"))
wrong("one-state", "the first", STEPS, (WIDER, "s = s[0]"))
wrong("one-state", "the last", LOOP, ("state[b]", "state[-1]"))
wrong("one-state", "the mean", STEPS, (WIDER, "s = s.mean(0)"))
wrong("one-state", "the first, in the loop", LOOP, ("state[b]", "state[0]"))
wrong("one-state", "the sum", STEPS, (WIDER, "s = s.sum(dim=0)"))
wrong("one-state", "the next one's", STEPS, (WIDER, "s = s.roll(1, 0)[:, None]"))
wrong("product", "", STEPS, (SUM, "torch.tanh(f * s)"))
wrong("product", "of both tanh", STEPS, (SUM, "torch.tanh(f) * torch.tanh(s)"))
wrong("product", "gated", STEPS, (SUM, "torch.tanh(f) * torch.sigmoid(s)"))
wrong("product", "without tanh", STEPS, (SUM, "f * s"))
wrong("subtracted", "", STEPS, (SUM, "torch.tanh(f - s)"))
wrong("subtracted", "the other way", STEPS, (SUM, "torch.tanh(s - f)"))
wrong("dot-product", "", STEPS, (SCORES, "scores = (f @ s.transpose(1, 2)).squeeze(-1)"))
wrong("dot-product", "scaled", STEPS, (SCORES, "scores = (f @ s.transpose(1, 2)).squeeze(-1) / s.shape[-1] ** 0.5"))
wrong("dot-product", "of tanh", STEPS, (SCORES, "scores = (f.tanh() * s.tanh()).sum(-1)"))
wrong("w-unused", "sum", STEPS, (SCORES, "scores = hidden.sum(dim=-1)"))
wrong("w-unused", "mean", STEPS, (SCORES, "scores = hidden.mean(dim=-1)"))
wrong("w-unused", "the length", STEPS, (SCORES, "scores = hidden.norm(dim=-1)"))
wrong("w-unused", "the mean of the product", STEPS, (SCORES, "scores = (hidden * w).mean(dim=-1)"))
wrong("w-unused", "the largest product", STEPS, (SCORES, "scores = (hidden * w).amax(dim=-1)"))
wrong("softmax-over-channels", "of the weighted features", STEPS, (WEIGHTS, "weights = F.softmax(features * scores[..., None], dim=-1)"), (CONTEXT, "context = (weights * features).sum(dim=1)"))
wrong("softmax-over-channels", "over the hidden numbers", STEPS, (SCORES, "scores = hidden.softmax(dim=-1) @ w"))
wrong("softmax-over-channels", "over the hidden numbers, nothing else", STEPS, (SCORES, "scores = hidden.softmax(dim=-1) @ w"), (WEIGHTS, "weights = scores"))
wrong("softmax-over-channels", "a weight for each hidden number", STEPS, (SCORES, "scores = hidden * w"), (WEIGHTS, "weights = F.softmax(scores, dim=-1)"), (CONTEXT, "context = (weights.mean(-1, keepdim=True) * features).sum(dim=1)"))
wrong("softmax-over-channels", "places, for each hidden number", STEPS, (SCORES, "scores = hidden * w"), (WEIGHTS, "weights = F.softmax(scores, dim=1).mean(-1)"))
wrong("softmax-over-batch", "", STEPS, ("F.softmax(scores, dim=1)", "F.softmax(scores, dim=0)"))
wrong("softmax-over-batch", "in matrices", MATRIX, ("torch.softmax(energy, dim=1)", "torch.softmax(energy, dim=0)"))
wrong("softmax-over-one", "", MATRIX, ("torch.softmax(energy, dim=1)", "torch.softmax(energy, dim=-1)"))
wrong("softmax-over-one", "axis 2", MATRIX, ("torch.softmax(energy, dim=1)", "energy.softmax(2)"))
wrong("softmax-over-one", "and the axis stays", MATRIX, ("torch.softmax(energy, dim=1)", "torch.softmax(energy, dim=-1)"), (LAST, "return context, alpha"))
wrong("softmax-over-all", "", STEPS, ("F.softmax(scores, dim=1)", "F.softmax(scores.flatten(), dim=0).view_as(scores)"))
wrong("softmax-over-all", "by hand", STEPS, ("F.softmax(scores, dim=1)", "torch.exp(scores - scores.max()) / torch.exp(scores - scores.max()).sum()"))
wrong("no-softmax", "", STEPS, ("F.softmax(scores, dim=1)", "scores"))
wrong("no-softmax", "in matrices", MATRIX, ("torch.softmax(energy, dim=1)", "energy"))
wrong("no-softmax", "exp alone", STEPS, ("F.softmax(scores, dim=1)", "scores.exp()"))
for label, way in (("sigmoid", "torch.sigmoid(scores)"), ("sigmoid over its sum", "torch.sigmoid(scores) / torch.sigmoid(scores).sum(1, keepdim=True)"), ("over the sum", "scores / scores.sum(dim=1, keepdim=True)"),
                   ("softmax twice", "scores.softmax(1).softmax(1)"), ("the best place", "F.one_hot(scores.argmax(1), scores.shape[1]).to(scores.dtype)"), ("over the sum of absolute values", "F.normalize(scores, p=1, dim=1)"),
                   ("over the length", "F.normalize(scores, dim=1)"), ("relu over its sum", "scores.relu() / (scores.relu().sum(1, keepdim=True) + 1e-9)"),
                   ("tanh", "torch.tanh(scores)")):
    wrong("other-weights", label, STEPS, ("F.softmax(scores, dim=1)", way))
wrong("log-weights", "", STEPS, ("F.softmax(", "F.log_softmax("))
wrong("log-weights", "returned alone", STEPS, (END, "return context, weights.log()"))
wrong("scaled", "by the hidden numbers", STEPS, ("(hidden * w).sum(dim=-1)", "(hidden * w).sum(dim=-1) / w.shape[0] ** 0.5"))
wrong("scaled", "by the channels", STEPS, ("(hidden * w).sum(dim=-1)", "(hidden @ w) / math.sqrt(features.shape[-1])"))
wrong("scaled", "by the state's width", STEPS, ("(hidden * w).sum(dim=-1)", "(hidden @ w) / math.sqrt(state.shape[-1])"))
wrong("scaled", "the sum before tanh", STEPS, (SUM, "torch.tanh((f + s) / f.shape[-1] ** 0.5)"))
wrong("scaled", "the mean of both", STEPS, (SUM, "torch.tanh((f + s) / 2)"))
wrong("sign", "", STEPS, ("F.softmax(scores, dim=1)", "F.softmax(-scores, dim=1)"))
wrong("sign", "softmin", STEPS, ("F.softmax(scores, dim=1)", "F.softmin(scores, dim=1)"))
wrong("projected-context", "", STEPS, (CONTEXT, "context = (weights[:, :, None] * f).sum(dim=1)"))
wrong("projected-context", "of the hidden numbers", STEPS, (CONTEXT, "context = (weights[:, :, None] * hidden).sum(dim=1)"))
wrong("projected-context", "in matrices", MATRIX, (BMM, "torch.bmm(alpha.transpose(1, 2), features @ W_f).squeeze(1)"))
wrong("projected-context", "with the state", STEPS, (CONTEXT, "context = (weights[:, :, None] * (f + s)).sum(dim=1)"))
wrong("mean-context", "divided", STEPS, (CONTEXT, "context = (weights[:, :, None] * features).mean(dim=1)"))
wrong("mean-context", "plain", STEPS, (CONTEXT, "context = features.mean(dim=1)"))
wrong("plain-sum", "", STEPS, (CONTEXT, "context = features.sum(dim=1)"))
wrong("not-summed", "", STEPS, (CONTEXT, "context = weights[:, :, None] * features"))
wrong("not-summed", "in matrices", MATRIX, (BMM, "alpha * features"))
wrong("context-axis", "", MATRIX, (".squeeze(1)", ""))
wrong("context-axis", "a weight matrix of one row", STEPS, (CONTEXT, "context = weights.unsqueeze(1) @ features"))
wrong("context-axis", "at the end", STEPS, (CONTEXT, "context = features.mT @ weights.unsqueeze(-1)"))
wrong("context-axis", "keepdim", STEPS, ("* features).sum(dim=1)", "* features).sum(dim=1, keepdim=True)"))
wrong("one-map", "the mean of the scores", STEPS, (SCORES, "scores = (hidden @ w).mean(0, keepdim=True).repeat(len(features), 1)"))
wrong("one-map", "the first row's", STEPS, (SCORES, "scores = (hidden @ w)[:1].expand(len(features), -1)"))
wrong("one-map", "the mean of the weights", STEPS, (WEIGHTS, "weights = F.softmax(scores, dim=1).mean(0, keepdim=True).expand_as(scores)"))
wrong("one-map", "the sum of the scores", STEPS, (SCORES, "scores = (hidden @ w).sum(0, keepdim=True).expand(len(features), -1)"))
wrong("summed-over-channels", "", STEPS, (CONTEXT, "context = (weights[:, :, None] * features).sum(dim=-1)"))
wrong("summed-over-channels", "over the batch", STEPS, (CONTEXT, "context = (weights[:, :, None] * features).sum(dim=0)"))
wrong("summed-over-channels", "over batch and places", STEPS, (CONTEXT, "context = (weights[:, :, None] * features).sum(dim=(0, 1))"))
wrong("summed-over-channels", "the rows are mixed", STEPS, (CONTEXT, "context = torch.einsum('bn,cnf->bf', weights, features)"))
wrong("summed-over-channels", "each row with all features", STEPS, (CONTEXT, "context = weights @ features.sum(0)"))
wrong("transformed-context", "tanh", STEPS, (END, "return context.tanh(), weights"))
wrong("transformed-context", "with the state", STEPS, (END, "return torch.cat([context, state], dim=-1), weights"))
wrong("transformed-context", "added to the mean", STEPS, (END, "return context + features.mean(1), weights"))
wrong("transformed-context", "length 1", STEPS, (END, "return F.normalize(context, dim=-1), weights"))
wrong("transformed-context", "relu", STEPS, (END, "return context.relu(), weights"))
wrong("weights-missing", "", STEPS, (END, "return context"))
wrong("weights-missing", "the context is", STEPS, (END, "return weights"))
wrong("order-swapped", "", STEPS, (END, "return weights, context"))
wrong("order-swapped", "in matrices", MATRIX, (LAST, "return alpha.squeeze(-1), context"))
wrong("order-swapped", "with an axis of size 1", MATRIX, (LAST, "return alpha, context"))
wrong("weights-form", "", MATRIX, (LAST, "return context, alpha"))
wrong("weights-form", "in the middle", STEPS, (END, "return context, weights[:, None]"))
wrong("weights-form", "turned round", STEPS, (END, "return context, weights.T"))
wrong("weights-form", "one for each channel", STEPS, (END, "return context, weights[:, :, None].expand_as(features)"))
wrong("weights-form", "the mean over the batch", STEPS, (END, "return context, weights.mean(0)"))
wrong("weights-form", "lists", STEPS, (END, "return context, weights.tolist()"))
wrong("scores-returned", "", STEPS, (END, "return context, scores"))
wrong("scores-returned", "in matrices", MATRIX, (LAST, "return context, energy.squeeze(-1)"))
wrong("scores-returned", "the hidden numbers", STEPS, (END, "return context, hidden"))
wrong("scores-returned", "exponentials", STEPS, (END, "return context, scores.exp()"))
wrong("weights-detached", "", STEPS, ("F.softmax(scores, dim=1)", "F.softmax(scores, dim=1).detach()"))
wrong("weights-detached", "in the context", STEPS, ("weights[:, :, None]", "weights.detach()[:, :, None]"))
wrong("weights-detached", "those that are returned", STEPS, (END, "return context, weights.detach()"))
wrong("weights-detached", "the data", MATRIX, ("torch.softmax(energy, dim=1)", "torch.softmax(energy.data, dim=1)"))
wrong("no-gradient", "", STEPS, ("f = features @ W_f", "features = features.detach()\n    f = features @ W_f.detach()"))
wrong("no-gradient", "in no_grad", STEPS, (CONTEXT, "pass"), (WEIGHTS, "with torch.no_grad():\n        weights = F.softmax(scores, dim=1)\n        context = (weights[:, :, None] * features).sum(dim=1)"))
wrong("overflow", "", STEPS, ("F.softmax(scores, dim=1)", "scores.exp() / scores.exp().sum(1, keepdim=True)"))
wrong("overflow", "in the loop", LOOP, ("torch.exp(e - e.max())", "torch.exp(e)"))
wrong("overflow", "a small number in the sum", STEPS, ("F.softmax(scores, dim=1)", "scores.exp() / (scores.exp().sum(1, keepdim=True) + 1e-9)"))
wrong("dtype-fixed", "", STEPS, (END, "return context.float(), weights.float()"))
wrong("dtype-fixed", "the context alone", STEPS, (CONTEXT, "context = (weights[:, :, None] * features).sum(dim=1).float()"))
wrong("dtype-fixed", "the weights alone", STEPS, (END, "return context, weights.float()"))
wrong("dtype-fixed", "everything", STEPS, ("f = features @ W_f", "features, state, W_f, W_s, w = (x.float() for x in (features, state, W_f, W_s, w))\n    f = features @ W_f"))
wrong("squeezed", "", MATRIX, (LAST, "return context, alpha.squeeze()"))
wrong("squeezed", "the scores", STEPS, (SCORES, "scores = (hidden @ w[:, None]).squeeze()"))
wrong("squeezed", "the context", MATRIX, (".squeeze(1)", ".squeeze()"))
wrong("squeezed", "the scores and the context", STEPS, (SCORES, "scores = (hidden @ w.unsqueeze(-1)).squeeze()"), (WEIGHTS, "weights = scores.softmax(-1)"),
      (CONTEXT, "context = (weights.unsqueeze(1) @ features).squeeze()"))
wrong("squeezed", "both", MATRIX, (".squeeze(1)", ".squeeze()"), (LAST, "return context, alpha.squeeze()"))
wrong("changes-input", "", STEPS, ("s = state @ W_s", "s = state @ W_s\n    state /= state.norm()"))
wrong("changes-input", "the features are weighted in place", STEPS, (CONTEXT, "context = features.mul_(weights[:, :, None]).sum(dim=1)"))
wrong("changes-input", "their data", STEPS, (END, "features.data = features.data * weights.data[:, :, None]\n    return context, weights"))
wrong("returns-nothing", "", STEPS, ("    return context, weights\n", ""))
wrong("ready-made", "the library's layer", """
def attend_features(features, state, W_f, W_s, w):
    from allyouneed.recurrent import AdditiveAttention
    layer = AdditiveAttention(state.shape[1], features.shape[2], len(w)).to(w.dtype)
    layer.memory_proj.weight, layer.state_proj.weight, layer.score_proj.weight = nn.Parameter(W_f.T), nn.Parameter(W_s.T), nn.Parameter(w[None])
    return layer(state, features)
""")
wrong("ready-made", "under another name", """
def attend_features(features, state, W_f, W_s, w):
    import allyouneed.recurrent as parts
    make = parts.AdditiveAttention
    layer = make(state.shape[1], features.shape[2], len(w))
    return layer(state, features)
""")
