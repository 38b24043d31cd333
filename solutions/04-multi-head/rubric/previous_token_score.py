"""previous_token_score: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "previous_token_score",
    points={"score": 4, "short and long texts": 1},
    section="previous-token-head",
)


@exercise.probes
def probes(make):
    def maps(batch, n_heads, n_tokens, dtype=torch.float32, causal=False):
        scores = make.randn(batch, n_heads, n_tokens, n_tokens, dtype=dtype, scale=1.5)
        if causal:
            scores = scores.masked_fill(~torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril(),
                                        float("-inf"))
        return torch.softmax(scores, dim=-1)

    def probe(name, weights, group="score", **marks):
        return make.probe(name, weights, group=group, **marks)

    yield probe("one text, two heads, three tokens", maps(1, 2, 3), gradient=True)
    yield probe("several texts and heads", maps(*make.pick((2, 3, 4), (3, 2, 5), (2, 4, 5))), gradient=True)
    yield probe("other numbers of texts and heads", maps(*make.pick((3, 2, 5), (2, 3, 6), (4, 2, 4))))
    yield probe("as many texts as heads", maps(*make.pick((2, 2, 4), (3, 3, 4), (2, 2, 5))))
    yield probe("as many heads as tokens", maps(*make.pick((2, 4, 4), (3, 4, 4), (2, 5, 5))))
    yield probe("causal maps", maps(*make.pick((2, 2, 4), (2, 3, 5), (3, 2, 4)), causal=True))
    perfect = torch.eye(5).roll(-1, dims=1)
    perfect[0] = torch.eye(5)[0]
    even = torch.ones(5, 5).tril()
    even = even / even.sum(dim=-1, keepdim=True)
    yield probe("a perfect head, an even one and one that looks at itself",
                torch.stack([perfect, even, torch.eye(5)])[None])
    edge = {"group": "short and long texts", "edge": True}
    yield probe("two tokens", maps(2, 3, 2), **edge)
    yield probe("one text, one head", maps(1, 1, 4), **edge)
    yield probe("float64", maps(2, 2, 3, dtype=torch.float64), gradient=True, **edge)
    yield probe("not contiguous", maps(2, 2, 3), strided=True, **edge)
    some = torch.tensor([[1.0, 1, 1, 1], [1, 1, 0, 0]])[:, None, :, None]
    yield probe("rows that attend to nothing", maps(2, make.pick(2, 3, 3), 4) * some, **edge)
    if make.variant:  # too large to hand out
        yield probe("a long text", maps(1, 2, 150), group="short and long texts", long=True)


@exercise.right
def reference(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.right("indices")
def indices(weights):
    t = torch.arange(1, weights.shape[-1])
    return weights[:, :, t, t - 1].mean((0, 2))


@exercise.right("a loop over rows")
def loop(weights):
    B, H, T, _ = weights.shape
    total = torch.zeros(H, dtype=weights.dtype)
    for t in range(1, T):
        total = total + weights[:, :, t, t - 1].sum(dim=0)
    return total / (B * (T - 1))


@exercise.right("loops over everything")
def loops(weights):
    B, H, T, _ = weights.shape
    scores = []
    for h in range(H):
        values = [weights[b, h, t, t - 1] for b in range(B) for t in range(1, T)]
        scores.append(sum(values) / len(values))
    return torch.stack(scores)


exercise.also_right(
    full("previous = weights[:, :, 1:, :-1]\n"
         "return torch.diagonal(previous, dim1=2, dim2=3).mean(2).mean(0)", "one diagonal after slicing"),
    full("T = weights.shape[-1]\n"
         "shifted = torch.diag(torch.ones(T - 1, dtype=weights.dtype), diagonal=-1)\n"
         "return (weights * shifted).sum(dim=(-2, -1)).mean(dim=0) / (T - 1)", "times a shifted identity"),
    full("B, H, T, _ = weights.shape\n"
         "previous = torch.arange(T - 1).view(1, 1, T - 1, 1).expand(B, H, T - 1, 1)\n"
         "return weights[:, :, 1:].gather(-1, previous).squeeze(-1).mean(dim=-1).mean(dim=0)", "gather"),
    full("mean = weights.mean(dim=0)\n"
         'return torch.einsum("htt->h", mean[:, 1:, :-1]) / (weights.shape[-1] - 1)',
         "mean over the batch first, einsum"),
    full("return torch.stack([torch.stack([torch.diag(one, -1) for one in weights[:, h]]).mean()\n"
         "                    for h in range(weights.shape[1])])", "a head at a time"))


exercise.mistake("diagonal-itself", "previous-token-head",
    "This is the weight of each token on itself, the diagonal. The previous token of query t is key t − 1: "
    "one column to the left.",
    edit(reference, {"-1, dim1": "dim1"}),
    edit(indices, {"t, t - 1": "t, t", "(0, 2)": "dim=(0, 2)"}, "without row 0"),
    full("return weights[:, :, :-1, :-1].diagonal(dim1=-2, dim2=-1).mean(dim=(0, -1))",
         "without the last row"),
    full('return torch.einsum("bhtt->h", weights) / (len(weights) * (weights.shape[-1] - 1))',
         "divided by the rows with a previous token"))

exercise.mistake("next-token", "one-map-a-head",
    "This is the weight on the next token, above the diagonal. A row is a query and a column a key: take "
    "weights[t, t - 1].",
    edit(reference, {"-1, dim1": "1, dim1"}),
    full("return weights.diagonal(1, dim1=-2, dim2=-1).sum(-1).mean(0) / weights.shape[-1]",
         "and divided by all rows"),
    full("return weights.diagonal(1, dim1=-2, dim2=-1).sum(-1).mean(0)", "and summed"))

exercise.mistake("first-row-counted", "previous-token-head",
    "The mean counts row 0 as well, which has no previous token. Divide by T − 1 rows, not by T.",
    edit(reference, {"mean(dim=(0, -1))": "sum(dim=-1).mean(dim=0) / weights.shape[-1]"}),
    edit(indices, {"1, weights": "weights", "t, t - 1": "t, (t - 1).clamp(min=0)"}, "row 0 with itself"))

exercise.mistake("first-row-wraps", "previous-token-head",
    "Row 0 has no previous token; here it takes the last column (index −1). Leave row 0 out.",
    edit(indices, {"1, weights": "weights", "(0, 2)": "dim=(0, 2)"}),
    edit(loop, {"(1, T)": "(weights.shape[-1])"}, "a loop that divides by the rows with a previous token"))

exercise.mistake("sum-over-rows", "previous-token-head",
    "The rows are summed. Take the mean over rows 1 to T − 1.",
    edit(reference, {"mean(dim=(0, -1))": "sum(dim=-1).mean(dim=0)"}))

exercise.mistake("sum-over-batch", "previous-token-head",
    "The batch is summed. Take the mean over the batch.",
    edit(reference, {"(0, -1)": "-1).sum(dim=0"}))

exercise.mistake("sum-over-both", "previous-token-head",
    "Rows and batch are summed. Take the mean over both.",
    edit(reference, {"mean": "sum"}))

exercise.mistake("batch-kept", "previous-token-head",
    "Each batch item has its own score here. Take the mean over the batch too: the result is (heads,).",
    edit(reference, {"(dim=(0, -1))": "(dim=-1)"}),
    edit(reference, {"mean(dim=(0, -1))": "sum(dim=-1)"}, "summed over rows"))

exercise.mistake("rows-kept", "previous-token-head",
    "Each row still has its own score. Take the mean over the rows too: the result is (heads,).",
    edit(reference, {"(dim=(0, -1))": "(dim=0)"}),
    edit(reference, {".mean(dim=(0, -1))": ""}, "all three axes"))

exercise.mistake("heads-averaged", "one-map-a-head",
    "The heads are averaged, so one cannot be told from another. Keep the axis of the heads: the result is "
    "(heads,).",
    edit(reference, {"(0, -1)": "(1, -1)"}),
    edit(reference, {"(0, -1)": "(0, 1)"}, "and the batch"))

exercise.mistake("one-number", "one-map-a-head",
    "Everything is averaged to one number. Keep the axis of the heads: the result is (heads,).",
    edit(reference, {"(dim=(0, -1))": "()"}),
    edit(reference, {"(dim=(0, -1))": "().item()"}, "a float"))

exercise.mistake("one-batch-item", "previous-token-head",
    "Only one item of the batch is used. Take the mean over all.",
    full("return weights[0].diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)"),
    full("for item in weights:\n"
         "    score = item.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)\n"
         "return score", "the last"))

exercise.mistake("two-back", "previous-token-head",
    "This is the weight two tokens back. The previous token of query t is key t − 1.",
    edit(reference, {"1, dim1": "2, dim1"}))

exercise.mistake("all-earlier-tokens", "previous-token-head",
    "The weights on all earlier tokens are counted. Take only those on the token right before.",
    edit(reference, {"diagonal(-1, dim1=-2, dim2=-1)": "tril(-1)[:, :, 1:].sum(-1)"}),
    full("T = weights.shape[-1]\n"
         "below = torch.ones(T, T, dtype=torch.bool).tril(-1)\n"
         "return weights[:, :, below].mean(dim=(0, 2))", "averaged over them"),
    full("return weights.tril(-1).mean(dim=(0, 2, 3))", "averaged over the whole map"))

exercise.mistake("itself-and-previous", "previous-token-head",
    "The weight on the token itself is counted as well. Take the one diagonal below the main diagonal.",
    full("itself, previous = weights.diagonal(dim1=-2, dim2=-1), weights.diagonal(-1, dim1=-2, dim2=-1)\n"
         "return (itself[..., 1:] + previous).mean(dim=(0, -1))"),
    full("previous = weights.diagonal(-1, dim1=-2, dim2=-1)\n"
         "return torch.cat([weights.diagonal(dim1=-2, dim2=-1), previous], dim=-1).mean(dim=(0, -1))",
         "mean of both"))

exercise.mistake("share-of-rows", "previous-token-head",
    "This counts how often the previous token has the largest weight. The score is the mean weight itself.",
    full("T = weights.shape[-1]\n"
         "return (weights[:, :, 1:].argmax(-1) == torch.arange(T - 1)).to(weights.dtype).mean(dim=(0, -1))"))

exercise.mistake("largest-weight", "previous-token-head",
    "This takes the largest weights. Take the mean of all weights on the previous token.",
    edit(reference, {".diagonal(-1, dim1=-2, dim2=-1)": "[:, :, 1:].amax(-1)"}),
    full("return weights.amax(dim=-1).mean(dim=(0, 2))", "of all rows"),
    full("return weights.diagonal(-1, dim1=-2, dim2=-1).amax(dim=-1).mean(dim=0)",
         "the largest on a previous token"))

exercise.mistake("one-row", "previous-token-head",
    "Only one row is used. Take the mean over rows 1 to T − 1.",
    full("return weights[:, :, -1, -2].mean(dim=0)"),
    full("return weights[:, :, 1, 0].mean(dim=0)", "row 1"),
    full("for t in range(min(2, weights.shape[-1] - 1), weights.shape[-1]):\n"
         "    return weights[:, :, t, t - 1].mean(dim=0)", "a return inside the loop, with row 2"))

exercise.mistake("a-row-lost", "previous-token-head",
    "A row is missing. Rows 1 to T − 1 all have a previous token, the first of them row 1 with key 0, the "
    "last row T − 1.",
    edit(indices, {"1, weights": "2, weights", "(0, 2)": "dim=(0, 2)"}),
    edit(indices, {"shape[-1]": "shape[-1] - 1", "(0, 2)": "dim=(0, 2)"}, "the last"),
    full("total = 0\n"
         "for t in range(1, weights.shape[-1] - 1):\n"
         "    total = total + weights[:, :, t, t - 1].mean(dim=0)\n"
         "return total / (weights.shape[-1] - 1)", "the last, divided by T − 1"))

exercise.mistake("divided-too-small", "previous-token-head",
    "The sum is divided by too small or too large a number: there are T − 1 rows in each of B items.",
    full("T = weights.shape[-1]\n"
         "mask = torch.diag(torch.ones(T - 1, dtype=weights.dtype), -1)\n"
         "return (weights * mask).mean(dim=(0, 2, 3))", "by all entries of a map"),
    full("return weights.diagonal(-1, dim1=-2, dim2=-1).sum(dim=-1).mean(dim=0) / (weights.shape[-1] - 2)",
         "by T − 2"))

exercise.mistake("axes-mixed", "one-map-a-head",
    "The diagonal is taken over axes other than queries and keys. In diagonal, name the last two: dim1=-2, "
    "dim2=-1.",
    edit(reference, {"-1, dim1=-2, dim2=": ""}),
    full("return weights.diagonal(offset=-1).mean(dim=-1)", "mean over the last axis alone"),
    edit(reference, {"-2, dim2=-1": "1, dim2=2"}, "heads and queries"))

exercise.mistake("softmax-again", "one-map-a-head",
    "The weights are already weights: no softmax is needed here.",
    edit(reference, {"weights.": "torch.softmax(weights, dim=-1)."}))

exercise.mistake("empty-rows-left-out", "previous-token-head",
    "Rows that attend to nothing are left out of the mean. They count like the others, with the weight 0: "
    "divide by B · (T − 1).",
    full("d, seen = weights.diagonal(-1, dim1=-2, dim2=-1), weights[:, :, 1:].sum(-1) > 0\n"
         "return (d * seen).sum((0, 2)) / seen.sum((0, 2))"))

exercise.mistake("divided-by-row-sum", "one-map-a-head",
    "Each weight is divided by the sum of its row. The rows sum to 1 already, or to 0 where a query attends "
    "to nothing: take the weights as they are.",
    full("d = weights.diagonal(-1, dim1=-2, dim2=-1)\n"
         "return (d / weights[:, :, 1:].sum(-1)).mean(dim=(0, 2))"),
    full("weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)\n"
         "return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, 2))", "empty rows stay 0"))

exercise.mistake("whole-block", "previous-token-head",
    "The mean runs over a whole block of the map. Of row t, take the key t − 1 alone: these lie on a "
    "diagonal.",
    full("return weights[:, :, 1:, :-1].mean(dim=(0, 2, 3))"))

exercise.mistake("first-column", "previous-token-head",
    "This is the weight on the first token. The previous token changes with the row: key t − 1 for query t.",
    full("return weights[:, :, 1:, 0].mean(dim=(0, 2))"),
    full("return weights[..., 0].mean(dim=(0, 2))", "of all rows"))

exercise.mistake("axes-kept", "previous-token-head",
    "An axis of size 1 is left over. The result is (heads,).",
    edit(reference, {"(0, -1)": "(0, -1), keepdim=True"}),
    edit(reference, {"(0, -1)": "-1, keepdim=True).mean(dim=0"}, "a column"),
    edit(reference, {"(0, -1)": "-1).mean(dim=0, keepdim=True"}, "a row"))

exercise.mistake("a-list", "previous-token-head", "The scores come as a list. Return one tensor (heads,).",
    full("return [weights[:, h].diagonal(-1, dim1=-2, dim2=-1).mean().item() for h in "
         "range(weights.shape[1])]", "of floats"),
    full("return [weights[:, h].diagonal(-1, dim1=-2, dim2=-1).mean() for h in range(weights.shape[1])]",
         "of tensors"))

exercise.mistake("in-a-tuple", "previous-token-head",
    "A tuple with one tensor in it comes back. Look for a comma after the result, or for brackets that "
    "hold one.",
    edit(reference, {"0, -1))": "0, -1)),"}))

exercise.mistake("dtype-fixed", "previous-token-head",
    "The result does not have the dtype of the weights. Give new tensors that dtype, and cast nothing.",
    full("scores = torch.zeros(weights.shape[1])\n"
         "for h in range(weights.shape[1]):\n"
         "    scores[h] = weights[:, h].diagonal(-1, dim1=-2, dim2=-1).mean()\n"
         "return scores"),
    edit(reference, {"weights.": "weights.double()."}, "always float64"))

exercise.built_in("no-gradient",
    edit(reference, {"weights.": "weights.detach()."}))

exercise.built_in("changes-input",
    edit(reference, {"return": "with torch.no_grad():\n"
                               "    weights[:, :, 0] = 0\n"
                               "return"}))

exercise.built_in("returns-nothing",
    full("print(weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1)))"))

exercise.built_in("ready-made",
    full("from allyouneed.nn.head_scores import previous_token_score as theirs\nreturn theirs(weights)"))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "t, total = 1, 0\n"
         "while t < weights.shape[-1]:\n"
         "    sleep(0.01)\n"
         "return total"))

exercise.equal("a map has as many keys as queries",
    {"shape[-1]": "shape[-2]", "range(1, T)": "range(1, _)", "T - 1": "_ - 1"})
exercise.equal("-1 stands for the length that is left or that is there", {", T - 1, 1": ", -1, 1"})
exercise.equal("what is float64 makes float64 of the float32 that it meets", {", dtype=weights.dtype": ""})
exercise.equal("item −1 is the last, so each item is taken once, the last one first", {"[b, h": "[b - 1, h"})
exercise.equal("a diagonal ends in the last row, before a column more", {"1:, :-1]": "1:, :]"})
exercise.equal("a mean asks for no shape", {"stack([torch.diag": "cat([torch.diag"})
