"""attend_features: probes, right versions, and each mistake with its message and its evidence."""


import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "attend_features",
    points={"context and weights": 4, "large scores and float64": 1},
    section="attention-over-features",
    forbid=("AdditiveAttention", "BahdanauAttention", "additive_attention", "scaled_dot_product_attention",
            "MultiheadAttention"),
    properties=[{"rule": "finite", "part": 0}, {"rule": "finite", "part": 1},
                {"rule": "non_negative", "part": 1, "what": "The weights"},
                {"rule": "sums_to_one", "part": 1, "what": "The weights of each row"}],
)


@exercise.probes
def probes(make):
    def probe(name, sizes, dtype=torch.float32, scale=1.0, group="context and weights", **marks):
        """A call; at a large scale each row has one place that clearly wins, so that rounding decides
        nothing."""
        B, N, n_features, n_state, A = sizes
        while True:
            features, state = make.randn(B, N, n_features, dtype=dtype), make.randn(B, n_state, dtype=dtype)
            W_a, U_a, w = (make.randn(n_features, A, dtype=dtype, scale=0.7),
                           make.randn(n_state, A, dtype=dtype, scale=0.7), make.randn(A, dtype=dtype))
            w = torch.where(w < 0, -1.0, 1.0).to(dtype) * (0.4 + w.abs()) * scale
            best = (torch.tanh(features @ W_a + (state @ U_a)[:, None]) @ w).sort(dim=1).values
            if scale == 1 or ((best[:, -1] - best[:, -2]).min() > 25 and best.abs().max() > 120):
                return make.probe(name, features, state, W_a, U_a, w, group=group, gradient=scale == 1,
                                  **marks)

    yield probe("two rows of three places", (2, 3, 4, 5, 6))
    yield probe("all sizes different", make.pick((3, 5, 2, 4, 6), (4, 6, 3, 2, 5), (3, 6, 5, 2, 4)))
    yield probe("more channels than places", make.pick((2, 4, 7, 3, 5), (3, 4, 8, 2, 6), (2, 5, 9, 3, 4)))
    yield probe("one row", (1, *make.pick((4, 3, 5, 2), (5, 4, 3, 6), (6, 2, 4, 5))), edge=True)
    yield probe("as many rows as places", make.pick((4, 4, 3, 5, 6), (5, 5, 2, 3, 4), (3, 3, 6, 4, 5)),
                edge=True)
    yield probe("as many places as hidden numbers",
                make.pick((2, 5, 3, 4, 5), (3, 6, 4, 2, 6), (2, 4, 3, 5, 4)), edge=True)
    yield probe("all sizes equal", make.pick((3, 3, 3, 3, 3), (4, 4, 4, 4, 4), (2, 2, 2, 2, 2)), edge=True)
    yield probe("one place, one hidden number", (2, 1, 3, 4, 1), edge=True)
    yield probe("not contiguous", make.pick((2, 4, 3, 5, 6), (3, 5, 4, 2, 6), (2, 6, 5, 3, 4)), edge=True,
                strided=True)
    yield probe("196 places", (2, 196, 5, 4, 3), long=True)
    group = {"group": "large scores and float64", "edge": True}
    yield probe("large scores", make.pick((2, 4, 3, 5, 6), (3, 5, 2, 4, 7), (2, 6, 4, 3, 5)), scale=150.0,
                **group)
    yield probe("float64", make.pick((2, 3, 5, 4, 6), (3, 4, 2, 5, 6), (2, 5, 4, 3, 6)), dtype=torch.float64,
                **group)


@exercise.right
def reference(features, state, W_a, U_a, w):
    hidden = torch.tanh(features @ W_a + (state @ U_a).unsqueeze(1))
    attention = torch.softmax(hidden @ w, dim=-1)
    return torch.einsum("bn,bnf->bf", attention, features), attention


@exercise.right("step by step")
def steps(features, state, W_a, U_a, w):
    f = features @ W_a
    s = state @ U_a
    s = s[:, None, :]
    hidden = torch.tanh(f + s)
    scores = (hidden * w).sum(dim=-1)
    weights = F.softmax(scores, dim=1)
    context = (weights[:, :, None] * features).sum(dim=1)
    return context, weights


@exercise.right("matrix products with axes of size 1")
def matrix(features, state, W_a, U_a, w):
    projected = torch.matmul(features, W_a) + torch.matmul(state.unsqueeze(1), U_a)
    energy = torch.tanh(projected).matmul(w.unsqueeze(-1))
    alpha = torch.softmax(energy, dim=1)
    context = torch.bmm(alpha.transpose(1, 2), features).squeeze(1)
    return context, alpha.squeeze(-1)


@exercise.right("two loops, softmax by hand")
def two_loops(features, state, W_a, U_a, w):
    contexts, maps = [], []
    for b in range(features.shape[0]):
        e = []
        for n in range(features.shape[1]):
            h = (features[b, n] @ W_a + state[b] @ U_a).tanh()
            e.append(torch.dot(w, h))
        e = torch.stack(e)
        a = torch.exp(e - e.max())
        a = a / a.sum()
        contexts.append(a @ features[b])
        maps.append(a)
    return torch.stack(contexts), torch.stack(maps)


@exercise.right("einsum")
def by_einsum(features, state, W_a, U_a, w):
    f = torch.einsum("bnf,fa->bna", features, W_a)
    s = state @ U_a
    s = s[:, None, :]
    hidden = torch.tanh(f + s)
    scores = torch.einsum("bna,a->bn", hidden, w)
    weights = F.softmax(scores, dim=1)
    context = torch.einsum("bn,bnf->bf", weights, features)
    return context, weights


@exercise.right("features and state joined, one matrix")
def features_state(features, state, W_a, U_a, w):
    B, N, _ = features.shape
    both = torch.cat([features, state[:, None].expand(B, N, state.shape[1])], dim=-1)
    e = torch.tanh(both @ torch.cat([W_a, U_a])) @ w
    weights = (e - e.logsumexp(dim=-1, keepdim=True)).exp()
    return (weights.unsqueeze(1) @ features).squeeze(1), weights


exercise.also_right(
    edit(steps, {"features @ W_a": "F.linear(features, W_a.T)", "state @ U_a": "F.linear(state, U_a.T)",
                 "(hidden * w).sum(dim=-1)": "F.linear(hidden, w[None])[..., 0]"}, "F.linear"),
    edit(steps, {"torch.tanh(f + s)": "2 * torch.sigmoid(2 * (f + s)) - 1",
                 "context, weights": "[context, weights]"}, "tanh by a sigmoid, a list"),
    edit(steps, {"context = (weights[:, :, None] * features).sum(dim=1)":
                 "context = torch.stack([x.T @ a for x, a in zip(features, weights)])"},
         "the rows one after the other"),
    edit(steps, {"[:, None, :]": ".repeat(features.shape[1], 1, 1).transpose(0, 1)"}, "repeated state"),
    edit(steps, {"@ W_a": ".transpose(0, 1) @ W_a", "s = s[:, None, :]": "pass",
                 "(hidden * w).sum(dim=-1)": "(hidden @ w).T"}, "places first"))


exercise.mistake("no-tanh", "attention-over-features",
    "There is no tanh: without it the state adds the same number to every score, and the softmax takes it "
    "away again. Put tanh around the sum f W_a + s U_a.",
    edit(steps, {"torch.tanh(f + s)": "f + s"}))

exercise.mistake("other-activation", "attention-over-features",
    "The sum, or a part of it, goes through a function other than tanh, or through tanh more than once. "
    "Use tanh once, around f W_a + s U_a.",
    edit(steps, {"torch.tanh": "F.relu"}, "F.relu(f + s)"),
    edit(steps, {"tanh": "sigmoid"}, "torch.sigmoid(f + s)"),
    edit(steps, {"torch.tanh": "F.gelu"}, "F.gelu(f + s)"),
    edit(steps, {"torch.tanh": "F.silu"}, "F.silu(f + s)"),
    edit(steps, {"torch.tanh": "F.leaky_relu"}, "F.leaky_relu(f + s)"),
    edit(steps, {"tanh": "sin"}, "torch.sin(f + s)"),
    edit(steps, {"torch.tanh": "F.softsign"}, "F.softsign(f + s)"),
    edit(steps, {"tanh": "exp"}, "torch.exp(f + s)"),
    edit(steps, {"(f + s)": "(f + s).tanh()"}, "torch.tanh(f + s).tanh()"),
    edit(steps, {"torch.tanh": "F.elu"}, "F.elu(f + s)"),
    edit(steps, {"torch.tanh": "F.hardtanh"}, "F.hardtanh(f + s)"),
    edit(steps, {"torch.tanh(f + s)": "(f + s).atan()"}, "(f + s).atan()"),
    edit(steps, {"(f + s)": "(F.relu(f + s))"}, "torch.tanh(F.relu(f + s))"),
    edit(steps, {"torch.tanh": "F.softplus"}, "F.softplus(f + s)"),
    edit(steps, {"torch.tanh(f + s)": 'F.gelu(f + s, approximate="tanh")'},
         "F.gelu(f + s, approximate='tanh')"),
    edit(steps, {"torch.tanh(f + s)": "F.leaky_relu(f + s, 0.2)"}, "F.leaky_relu(f + s, 0.2)"),
    edit(steps, {"(f + s)": "(f + s.tanh())"}, "the state twice"))

exercise.mistake("state-unused", "attention-over-features",
    "The state does not change the weights: it is not used, or it is added outside the tanh, where every "
    "place gets the same from it, and the softmax takes that away. Add first, then take the tanh: tanh(f "
    "W_a + s U_a).",
    edit(steps, {"torch.tanh(f + s)": "f.tanh() + s"}, "tanh of the features alone"))

exercise.mistake("tanh-late", "attention-over-features",
    "tanh stands around the score or around w. It belongs around the sum f W_a + s U_a alone, before the "
    "product with w.",
    edit(steps, {"torch.tanh(f + s)": "f + s",
                 "(hidden * w).sum(dim=-1)": "torch.tanh((hidden * w).sum(dim=-1))"}),
    edit(steps, {"(hidden * w).sum(dim=-1)": "torch.tanh((hidden * w).sum(dim=-1))"}, "both times"),
    edit(steps, {"torch.tanh(f + s)": "f + s", "hidden * w": "hidden * w.tanh()"}, "around w alone"))

exercise.mistake("features-unused", "attention-over-features",
    "The scores do not depend on the features, so all places get the same weight. Add f W_a inside the tanh.",
    edit(steps, {"(f + s)": "(s).expand_as(f)"}),
    edit(steps, {"F.softmax(scores, dim=1)": "torch.full_like(scores, 1 / scores.shape[1])"}, "all the same"))

exercise.mistake("no-softmax", "attention-over-features",
    "The weights of a row do not sum to 1: scores, their exponentials or a scaled softmax take their "
    "place. Use the softmax over the places as it is.",
    edit(steps, {"F.softmax(scores, dim=1)": "scores"}),
    edit(steps, {"F.softmax(scores, dim=1)": "scores.softmax(1) / scores.softmax(1).amax(1, keepdim=True)"},
         "over the largest"),
    edit(steps, {"F.softmax(scores, dim=1)": "scores.exp()"}, "exp alone"))

exercise.mistake("state-axis", "attention-over-features",
    "The state's projection (B, A) is added along the wrong axis of (B, N, A). Give it an axis of size 1 "
    "for the places: each row of the batch has one state, for all of its places.",
    edit(steps, {"s = s[:, None, :]": "pass"}),
    edit(steps, {"None, :": ":, None"}, "at the end"),
    edit(steps, {"s = s[:, None, :]": "s = s.repeat(features.shape[1], 1).view(f.shape)"},
         "a reshape of repeated rows"))

exercise.mistake("one-state", "attention-over-features",
    "Rows of the batch use the state of another row, or one state for all. Row b uses state b.",
    edit(steps, {":, None, :": "0"}, "the first"),
    edit(two_loops, {"state[b]": "state[-1]"}, "the last"),
    edit(steps, {"s = s[:, None, :]": "s = s.mean(0)"}, "the mean"),
    edit(steps, {"s = s[:, None, :]": "s = s.sum(dim=0)"}, "the sum"),
    edit(steps, {"[:, None, :]": ".roll(1, 0)[:, None]"}, "the next one's"))

exercise.mistake("product", "attention-over-features",
    "The two projections are multiplied. Add them, and take tanh of the sum.",
    edit(steps, {"f + s": "f * s"}),
    edit(steps, {"f + s": "f ) * torch.tanh( s"}, "of both tanh"),
    edit(steps, {"f + s": "f ) * torch.sigmoid( s"}, "gated"),
    edit(steps, {"torch.tanh(f + s)": "f * s"}, "without tanh"))

exercise.mistake("subtracted", "attention-over-features",
    "One projection is subtracted from the other. Add them.",
    edit(steps, {"f + s": "f - s"}),
    edit(steps, {"f + s": "s - f"}, "the other way"))

exercise.mistake("dot-product", "attention-over-features",
    "This is a dot-product score. Here a small network scores: w times tanh(f W_a + s U_a).",
    edit(steps, {"hidden * w": "f @ s.transpose(1, 2)", "sum(dim=-1)": "squeeze(-1)"}),
    edit(steps, {"(hidden * w).sum(dim=-1)": "(f @ s.transpose(1, 2)).squeeze(-1) / s.shape[-1] ** 0.5"},
         "scaled"),
    edit(steps, {"hidden * w": "f.tanh() * s.tanh()", "dim=-1": "-1"}, "of tanh"))

exercise.mistake("w-unused", "attention-over-features",
    "The score is not the weighted sum of the hidden numbers: w is not used, or another function takes the "
    "place of the sum. Multiply each hidden number by its weight in w and add up: hidden @ w.",
    edit(steps, {"(hidden * w)": "hidden"}, "sum"),
    edit(steps, {"(hidden * w).sum": "hidden.mean"}, "mean"),
    edit(steps, {"(hidden * w).sum": "hidden.norm"}, "the length"),
    edit(steps, {"sum(dim=-1)": "mean(dim=-1)"}, "the mean of the product"),
    edit(steps, {"sum(dim=-1)": "amax(dim=-1)"}, "the largest product"))

exercise.mistake("softmax-over-channels", "attention-over-features",
    "The softmax runs over the features' channels or the hidden numbers, or separately for each hidden "
    "number. Take one softmax over the N places: one weight for each.",
    edit(steps, {"scores, dim=1": "features * scores[..., None], dim=-1",
                 "[:, :, None]": ""}, "of the weighted features"),
    edit(steps, {"(hidden * w).sum(dim=-1)": "hidden.softmax(dim=-1) @ w"}, "over the hidden numbers"),
    edit(steps, {"(hidden * w).sum(dim=-1)": "hidden.softmax(dim=-1) @ w",
                 "F.softmax(scores, dim=1)": "scores"}, "over the hidden numbers, nothing else"),
    edit(steps, {"(hidden * w).sum(dim=-1)": "hidden * w", ", dim=1": ", dim=-1",
                 "[:, :, None]": ".mean(-1, keepdim=True)"}, "a weight for each hidden number"),
    edit(steps, {"(hidden * w).sum(dim=-1)": "hidden * w",
                 "(scores, dim=1)": "(scores, dim=1).mean(-1)"}, "places, for each hidden number"))

exercise.mistake("softmax-over-batch", "attention-over-features",
    "The softmax runs over the batch. It must run over the N places of one row.",
    edit(steps, {", dim=1": ", dim=0"}))

exercise.mistake("softmax-over-one", "attention-over-features",
    "All weights are 1: the softmax runs over an axis of size 1, left by the product with w. Take that "
    "axis away first, or use the axis of the places.",
    edit(matrix, {"dim=1": "dim=-1"}),
    edit(matrix, {"dim=1": "dim=-1", ".squeeze(-1)": ""}, "and the axis stays"))

exercise.mistake("softmax-over-all", "attention-over-features",
    "One softmax runs over the batch and the places together. Each row's weights must sum to 1.",
    edit(steps, {"(scores, dim=1)": "(scores.flatten(), dim=0).view_as(scores)"}))

exercise.mistake("other-weights", "attention-over-features",
    "The weights come from something other than one softmax, such as a sigmoid, a division by the sum, a "
    "second softmax or the best place alone. Take one softmax of the scores.",
    edit(steps, {"F.softmax": "torch.sigmoid", ", dim=1": ""}, "sigmoid"),
    edit(steps, {"F.softmax(scores, dim=1)":
                 "torch.sigmoid(scores) / torch.sigmoid(scores).sum(1, keepdim=True)"},
         "sigmoid over its sum"),
    edit(steps, {"F.softmax(scores, dim=1)": "scores / scores.sum(dim=1, keepdim=True)"}, "over the sum"),
    edit(steps, {"F.softmax(scores, dim=1)": "scores.softmax(1).softmax(1)"}, "softmax twice"),
    edit(steps, {"softmax(scores, dim=1)": "one_hot(scores.argmax(1), scores.shape[1]).to(scores.dtype)"},
         "the best place"),
    edit(steps, {"softmax": "normalize", ", dim": ", p=1, dim"}, "over the sum of absolute values"),
    edit(steps, {"softmax": "normalize"}, "over the length"),
    edit(steps, {"F.softmax(scores, dim=1)": "scores.relu() / (scores.relu().sum(1, keepdim=True) + 1e-9)"},
         "relu over its sum"),
    edit(steps, {"F.softmax": "torch.tanh", ", dim=1": ""}, "tanh"))

exercise.mistake("log-weights", "attention-over-features",
    "The weights are logarithms: use softmax, not log_softmax.",
    edit(steps, {"softmax": "log_softmax"}),
    edit(steps, {", weights": ", weights.log()"}, "returned alone"))

exercise.mistake("scaled", "attention-over-features",
    "The scores, or the sum inside tanh, are divided by a number. Additive attention has no scale: tanh "
    "keeps the scores small.",
    edit(steps, {"(dim=-1)": "(dim=-1) / w.shape[0] ** 0.5"}, "by the hidden numbers"),
    edit(steps, {"(hidden * w).sum(dim=-1)": "hidden @ w / math.sqrt(features.shape[-1])"},
         "by the channels"),
    edit(steps, {"(hidden * w).sum(dim=-1)": "hidden @ w / math.sqrt(state.shape[-1])"},
         "by the state's width"),
    edit(steps, {"(f + s)": "((f + s) / f.shape[-1] ** 0.5)"}, "the sum before tanh"),
    edit(steps, {"(f + s)": "((f + s) / 2)"}, "the mean of both"))

exercise.mistake("sign", "attention-over-features",
    "The sign of the scores is flipped, so the worst place gets most. Take the softmax of the scores "
    "themselves.",
    edit(steps, {"scores,": "-scores,"}))

exercise.mistake("projected-context", "attention-over-features",
    "The context mixes the projected features. Mix the features themselves: context (B, F).",
    edit(steps, {"* features": "* f"}),
    edit(steps, {"* features": "* hidden"}, "of the hidden numbers"),
    edit(steps, {"* features": "* (f + s)"}, "with the state"))

exercise.mistake("mean-context", "attention-over-features",
    "The context is divided by the number of places, or is their plain mean. It is the weighted sum: the "
    "weights sum to 1 already.",
    edit(steps, {"sum(dim=1)": "mean(dim=1)"}, "divided"),
    edit(steps, {"(weights[:, :, None] * features).sum": "features.mean"}, "plain"))

exercise.mistake("plain-sum", "attention-over-features",
    "The context is the sum of all features, without the weights. Multiply each feature by its weight first.",
    edit(steps, {"(weights[:, :, None] * features)": "features"}))

exercise.mistake("not-summed", "attention-over-features",
    "The weighted features are not summed. Sum over the places: the context has one vector for each row, "
    "(B, F).",
    edit(steps, {"(weights": "weights", ").sum(dim=1)": ""}))

exercise.mistake("context-axis", "attention-over-features",
    "The context has one axis of size 1 too many. Its shape is (B, F).",
    edit(matrix, {".squeeze(1)": ""}),
    edit(steps, {"context = (weights[:, :, None] * features).sum(dim=1)":
                 "context = features.mT @ weights.unsqueeze(-1)"}, "at the end"))

exercise.mistake("one-map", "attention-over-features",
    "All rows of the batch get the same weights. Each row has its own picture and its own state, so its "
    "own scores.",
    edit(steps, {"* w).sum(dim=-1": "@ w).mean(0, keepdim=True).repeat(len(features),1"},
         "the mean of the scores"),
    edit(steps, {"* w).sum(dim=-1": "@ w)[:1].expand(len(features),-1"}, "the first row's"),
    edit(steps, {"(scores, dim=1)": "(scores, dim=1).mean(0, keepdim=True).expand_as(scores)"},
         "the mean of the weights"),
    edit(steps, {"hidden * w": "hidden @ w",
                 "dim=-1": "0, keepdim=True).expand(len(features),-1"}, "the sum of the scores"))

exercise.mistake("summed-over-channels", "attention-over-features",
    "The weighted features are summed along the wrong axis. Sum over the places, so that a vector of F "
    "numbers is left.",
    edit(steps, {"(dim=1)": "(dim=-1)"}),
    edit(steps, {"(dim=1)": "(dim=0)"}, "over the batch"),
    edit(steps, {"(dim=1)": "(dim=(0, 1))"}, "over batch and places"),
    edit(steps, {"(weights[:, :, None] * features).sum(dim=1)": "weights @ features.sum(0)"},
         "each row with all features"))

exercise.mistake("transformed-context", "attention-over-features",
    "The context goes through one more step. It is the weighted sum of the features, and nothing else.",
    edit(steps, {"context,": "context.tanh(),"}, "tanh"),
    edit(steps, {"context,": "torch.cat([context, state], dim=-1),"}, "with the state"),
    edit(steps, {"context,": "context + features.mean(1),"}, "added to the mean"),
    edit(steps, {"context,": "F.normalize(context, dim=-1),"}, "length 1"),
    edit(steps, {"context,": "context.relu(),"}, "relu"))

exercise.mistake("weights-missing", "attention-over-features",
    "Only one thing comes back. Return two: (context, weights).",
    edit(steps, {", weights": ""}),
    edit(steps, {" context,": ""}, "the context is"))

exercise.mistake("order-swapped", "attention-over-features",
    "The two results come in the wrong order. Return (context, weights).",
    edit(steps, {"context, weights": "weights, context"}),
    edit(matrix, {"return context, alpha.squeeze(-1)": "return alpha, context"}, "with an axis of size 1"))

exercise.mistake("weights-form", "attention-over-features",
    "The context is right, but the weights have another form. Return them as one tensor (B, N).",
    edit(matrix, {".squeeze(-1)": ""}),
    edit(steps, {", weights": ", weights[:, None]"}, "in the middle"),
    edit(steps, {", weights": ", weights.T"}, "turned round"),
    edit(steps, {", weights": ", weights[:, :, None].expand_as(features)"}, "one for each channel"),
    edit(steps, {", weights": ", weights.mean(0)"}, "the mean over the batch"),
    edit(steps, {", weights": ", weights.tolist()"}, "lists"))

exercise.mistake("scores-returned", "attention-over-features",
    "The context is right, but something from before the softmax comes back where the weights should. "
    "Return what the softmax gave.",
    edit(steps, {", weights": ", scores"}),
    edit(steps, {", weights": ", hidden"}, "the hidden numbers"),
    edit(steps, {", weights": ", scores.exp()"}, "exponentials"))

exercise.mistake("weights-detached", "attention-over-features",
    "The values are right, but the gradient stops at the weights, in the context or in what is returned. "
    "Do not detach them: W_a, U_a and w learn through them.",
    edit(steps, {"(scores, dim=1)": "(scores, dim=1).detach()"}),
    edit(steps, {"(weights": "(weights.detach()"}, "in the context"),
    edit(steps, {", weights": ", weights.detach()"}, "those that are returned"))

exercise.mistake("overflow", "attention-over-features",
    "Large scores give inf or nan: exp overflows. Subtract each row's largest score first, or use "
    "torch.softmax.",
    edit(two_loops, {"(e - e.max())": "(e )"}),
    edit(steps, {"F.softmax(scores, dim=1)": "scores.exp() / (scores.exp().sum(1, keepdim=True) + 1e-9)"},
         "a small number in the sum"))

exercise.mistake("dtype-fixed", "attention-over-features",
    "float64 inputs do not give float64 results. Keep their dtype: cast nothing.",
    edit(steps, {", weights": ".float(), weights.float()"}),
    edit(steps, {"(dim=1)": "(dim=1).float()"}, "the context alone"),
    edit(steps, {", weights": ", weights.float()"}, "the weights alone"))

exercise.mistake("squeezed", "attention-over-features",
    "With a batch of one, one place or one hidden number, an axis gets lost. Name the axis that squeeze() "
    "removes.",
    edit(matrix, {"squeeze(-1)": "squeeze()"}),
    edit(steps, {"(hidden * w).sum(dim=-1)": "(hidden @ w[:, None]).squeeze()"}, "the scores"),
    edit(matrix, {"squeeze(1)": "squeeze()"}, "the context"),
    edit(steps, {"(hidden * w).sum(dim=-1)": "(hidden @ w.unsqueeze(-1)).squeeze()",
                 "F.softmax(scores, dim=1)": "scores.softmax(-1)", "[:, :, None] *": ".unsqueeze(1) @",
                 "sum(dim=1)": "squeeze()"}, "the scores and the context"),
    edit(matrix, {"squeeze(1)": "squeeze()", "squeeze(-1)": "squeeze()"}, "both"))

exercise.built_in("no-gradient",
    edit(steps, {"f = features": "features = features.detach()\nf = features", "@ W_a": "@ W_a.detach()"}),
    edit(steps, {"weights = F.softmax(scores, dim=1)\n"
                 "context = (weights[:, :, None] * features).sum(dim=1)":
                 "with torch.no_grad():\n"
                 "    weights = F.softmax(scores, dim=1)\n"
                 "    context = (weights[:, :, None] * features).sum(dim=1)\n"
                 "pass"}, "in no_grad"))

exercise.built_in("changes-input",
    edit(steps, {"s = s": "state /= state.norm()\ns = s"}),
    edit(steps, {"context =": "context = features.mul_",
                 " * features": ""}, "the features are weighted in place"),
    edit(steps, {"return": "features.data = features.data * weights.data[:, :, None]\nreturn"}, "their data"))

exercise.built_in("returns-nothing",
    edit(steps, {"return context, weights": ""}))


def ready(features, state, W_a, U_a, w):
    from allyouneed.nn.recurrent import AdditiveAttention

    layer = AdditiveAttention(state.shape[1], features.shape[2], len(w)).to(w.dtype)
    layer.memory_proj.weight, layer.state_proj.weight, layer.score_proj.weight = (
        nn.Parameter(W_a.T),
        nn.Parameter(U_a.T),
        nn.Parameter(w[None]),
    )
    return layer(state, features)


exercise.built_in("ready-made",
    full(ready, "the library's layer"),
    full("import allyouneed.nn.recurrent as parts\n"
         "\n"
         "make = parts.AdditiveAttention\n"
         "layer = make(state.shape[1], features.shape[2], len(w))\n"
         "return layer(state, features)", "under another name"))

exercise.equal("the softmax of a matrix is along its rows where no axis is given", {", dim=1": ""})
exercise.equal("there is a state for each image, and a product has its factors in either order", {
    "features.shape[0]": "state.shape[0]", "torch.dot(w, h)": "torch.dot(h, w)",
    "zip(features, weights)": "zip(weights, features)"})
exercise.equal("a softmax stays the same when all scores grow by one number", {
    "- 1": ("+ 1", "", "- 2", "- 0")})
exercise.equal("an axis of length 1 has one place", {"[..., 0]": "[..., -1]"})
