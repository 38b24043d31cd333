"""The rubric of previous_token_score: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "previous_token_score",
    points={"score": 4, "short and long texts": 1},
    section="previous-token-head",
    mistakes={
        "diagonal-itself": ("This is the weight of each token on itself, the diagonal. The previous token of query t is key t − 1: one column "
                            "to the left.", "previous-token-head"),
        "next-token": ("This is the weight on the next token, above the diagonal. A row is a query and a column a key: take weights[t, t - 1].",
                       "one-map-a-head"),
        "first-row-counted": ("The mean counts row 0 as well, which has no previous token. Divide by T − 1 rows, not by T.", "previous-token-head"),
        "first-row-wraps": ("Row 0 has no previous token; here it takes the last column (index −1). Leave row 0 out.", "previous-token-head"),
        "sum-over-rows": ("The rows are summed. Take the mean over rows 1 to T − 1.", "previous-token-head"),
        "sum-over-batch": ("The batch is summed. Take the mean over the batch.", "previous-token-head"),
        "sum-over-both": ("Rows and batch are summed. Take the mean over both.", "previous-token-head"),
        "batch-kept": ("Each batch item has its own score here. Take the mean over the batch too: the result is (heads,).", "previous-token-head"),
        "rows-kept": ("Each row still has its own score. Take the mean over the rows too: the result is (heads,).", "previous-token-head"),
        "heads-averaged": ("The heads are averaged, so one cannot be told from another. Keep the axis of the heads: the result is (heads,).",
                           "one-map-a-head"),
        "one-number": ("Everything is averaged to one number. Keep the axis of the heads: the result is (heads,).", "one-map-a-head"),
        "one-batch-item": ("Only one item of the batch is used. Take the mean over all.", "previous-token-head"),
        "two-back": ("This is the weight two tokens back. The previous token of query t is key t − 1.", "previous-token-head"),
        "all-earlier-tokens": ("The weights on all earlier tokens are counted. Take only those on the token right before.", "previous-token-head"),
        "itself-and-previous": ("The weight on the token itself is counted as well. Take the one diagonal below the main diagonal.",
                                "previous-token-head"),
        "share-of-rows": ("This counts how often the previous token has the largest weight. The score is the mean weight itself.",
                          "previous-token-head"),
        "largest-weight": ("This takes the largest weights. Take the mean of all weights on the previous token.", "previous-token-head"),
        "one-row": ("Only one row is used. Take the mean over rows 1 to T − 1.", "previous-token-head"),
        "a-row-lost": ("A row is missing. Rows 1 to T − 1 all have a previous token, the first of them row 1 with key 0, the last row T − 1.",
                       "previous-token-head"),
        "divided-too-small": ("The sum is divided by too small or too large a number: there are T − 1 rows in each of B items.", "previous-token-head"),
        "axes-mixed": ("The diagonal is taken over axes other than queries and keys. In diagonal, name the last two: dim1=-2, dim2=-1.",
                       "one-map-a-head"),
        "softmax-again": ("The weights are already weights: no softmax is needed here.", "one-map-a-head"),
        "whole-block": ("The mean runs over a whole block of the map. Of row t, take the key t − 1 alone: these lie on a diagonal.",
                        "previous-token-head"),
        "first-column": ("This is the weight on the first token. The previous token changes with the row: key t − 1 for query t.",
                         "previous-token-head"),
        "axes-kept": ("An axis of size 1 is left over. The result is (heads,).", "previous-token-head"),
        "a-list": ("The scores come as a list. Return one tensor (heads,).", "previous-token-head"),
        "in-a-tuple": ("A tuple with one tensor in it comes back. Look for a comma after the result, or for brackets that hold one.",
                       "previous-token-head"),
        "dtype-fixed": ("The result does not have the dtype of the weights. Give new tensors that dtype, and cast nothing.", "previous-token-head"),
    },
)


@exercise.probes
def _(make):
    def maps(batch, n_heads, n_tokens, dtype=torch.float32, causal=False):
        scores = make.randn(batch, n_heads, n_tokens, n_tokens, dtype=dtype, scale=1.5)
        if causal:
            scores = scores.masked_fill(~torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril(), float("-inf"))
        return torch.softmax(scores, dim=-1)

    def probe(name, weights, group="score", **marks):
        return make.probe(name, weights, group=group, **marks)

    yield probe("one text, two heads, three tokens", maps(1, 2, 3), gradient=True)
    yield probe("two texts, three heads", maps(*make.pick((2, 3, 4), (3, 2, 5), (2, 4, 5))), gradient=True)
    yield probe("three texts, two heads", maps(*make.pick((3, 2, 5), (2, 3, 6), (4, 2, 4))))
    yield probe("as many texts as heads", maps(*make.pick((2, 2, 4), (3, 3, 4), (2, 2, 5))))
    yield probe("as many heads as tokens", maps(*make.pick((2, 4, 4), (3, 4, 4), (2, 5, 5))))
    yield probe("causal maps", maps(*make.pick((2, 2, 4), (2, 3, 5), (3, 2, 4)), causal=True))
    perfect = torch.eye(5).roll(-1, dims=1)
    perfect[0] = torch.eye(5)[0]
    even = torch.ones(5, 5).tril()
    even = even / even.sum(dim=-1, keepdim=True)
    yield probe("a perfect head, an even one and one that looks at itself", torch.stack([perfect, even, torch.eye(5)])[None])
    edge = {"group": "short and long texts", "edge": True}
    yield probe("two tokens", maps(2, 3, 2), **edge)
    yield probe("one text, one head", maps(1, 1, 4), **edge)
    yield probe("float64", maps(2, 2, 3, dtype=torch.float64), gradient=True, **edge)
    yield probe("not contiguous", maps(2, 2, 3), strided=True, **edge)
    if make.variant:  # too large to hand out
        yield probe("a long text", maps(1, 2, 150), group="short and long texts", long=True)


@exercise.right
def reference(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.alternative("one diagonal after slicing")
def _(weights):
    previous = weights[:, :, 1:, :-1]
    return torch.diagonal(previous, dim1=2, dim2=3).mean(2).mean(0)


@exercise.alternative("indices")
def _(weights):
    t = torch.arange(1, weights.shape[-1])
    return weights[:, :, t, t - 1].mean((0, 2))


@exercise.alternative("a loop over rows")
def _(weights):
    B, H, T, _ = weights.shape
    total = torch.zeros(H, dtype=weights.dtype)
    for t in range(1, T):
        total = total + weights[:, :, t, t - 1].sum(dim=0)
    return total / (B * (T - 1))


@exercise.alternative("loops over everything")
def _(weights):
    B, H, T, _ = weights.shape
    scores = []
    for h in range(H):
        values = [weights[b, h, t, t - 1] for b in range(B) for t in range(1, T)]
        scores.append(sum(values) / len(values))
    return torch.stack(scores)


@exercise.alternative("times a shifted identity")
def _(weights):
    T = weights.shape[-1]
    shifted = torch.diag(torch.ones(T - 1, dtype=weights.dtype), diagonal=-1)
    return (weights * shifted).sum(dim=(-2, -1)).mean(dim=0) / (T - 1)


@exercise.alternative("gather")
def _(weights):
    B, H, T, _ = weights.shape
    previous = torch.arange(T - 1).view(1, 1, T - 1, 1).expand(B, H, T - 1, 1)
    return weights[:, :, 1:].gather(-1, previous).squeeze(-1).mean(dim=-1).mean(dim=0)


@exercise.alternative("mean over the batch first, einsum")
def _(weights):
    mean = weights.mean(dim=0)
    return torch.einsum("htt->h", mean[:, 1:, :-1]) / (weights.shape[-1] - 1)


@exercise.alternative("a head at a time")
def _(weights):
    return torch.stack([torch.stack([torch.diag(one, -1) for one in weights[:, h]]).mean() for h in range(weights.shape[1])])


@exercise.wrong("diagonal-itself")
def _(weights):
    return weights.diagonal(dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("diagonal-itself", "without row 0")
def _(weights):
    t = torch.arange(1, weights.shape[-1])
    return weights[:, :, t, t].mean(dim=(0, 2))


@exercise.wrong("diagonal-itself", "without the last row")
def _(weights):
    return weights[:, :, :-1, :-1].diagonal(dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("diagonal-itself", "divided by the rows with a previous token")
def _(weights):
    return torch.einsum("bhtt->h", weights) / (len(weights) * (weights.shape[-1] - 1))


@exercise.wrong("next-token")
def _(weights):
    return weights.diagonal(1, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("next-token", "transposed")
def _(weights):
    t = torch.arange(1, weights.shape[-1])
    return weights.transpose(-2, -1)[:, :, t, t - 1].mean(dim=(0, 2))


@exercise.wrong("next-token", "and divided by all rows")
def _(weights):
    return weights.diagonal(1, dim1=-2, dim2=-1).sum(-1).mean(0) / weights.shape[-1]


@exercise.wrong("next-token", "and summed")
def _(weights):
    return weights.diagonal(1, dim1=-2, dim2=-1).sum(-1).mean(0)


@exercise.wrong("first-row-counted")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).sum(dim=-1).mean(dim=0) / weights.shape[-1]


@exercise.wrong("first-row-counted", "a row of zeros")
def _(weights):
    B, H, T, _ = weights.shape
    scores = torch.zeros(B, H, T, dtype=weights.dtype)
    for t in range(1, T):
        scores[:, :, t] = weights[:, :, t, t - 1]
    return scores.mean(dim=(0, 2))


@exercise.wrong("first-row-counted", "row 0 with itself")
def _(weights):
    t = torch.arange(weights.shape[-1])
    return weights[:, :, t, (t - 1).clamp(min=0)].mean(dim=(0, 2))


@exercise.wrong("first-row-wraps")
def _(weights):
    t = torch.arange(weights.shape[-1])
    return weights[:, :, t, t - 1].mean(dim=(0, 2))


@exercise.wrong("first-row-wraps", "roll")
def _(weights):
    return weights.roll(1, dims=-1).diagonal(dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("first-row-wraps", "a loop that divides by the rows with a previous token")
def _(weights):
    total = 0
    for t in range(weights.shape[-1]):
        total = total + weights[:, :, t, t - 1]
    return (total / (weights.shape[-1] - 1)).mean(0)


@exercise.wrong("sum-over-rows")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).sum(dim=-1).mean(dim=0)


@exercise.wrong("sum-over-batch")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1).sum(dim=0)


@exercise.wrong("sum-over-both")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).sum(dim=(0, -1))


@exercise.wrong("batch-kept")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)


@exercise.wrong("batch-kept", "summed over rows")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).sum(dim=-1)


@exercise.wrong("rows-kept")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=0)


@exercise.wrong("rows-kept", "all three axes")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1)


@exercise.wrong("heads-averaged")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(1, -1))


@exercise.wrong("heads-averaged", "and the batch")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, 1))


@exercise.wrong("one-number")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean()


@exercise.wrong("one-number", "a float")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean().item()


@exercise.wrong("one-batch-item")
def _(weights):
    return weights[0].diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)


@exercise.wrong("one-batch-item", "the last")
def _(weights):
    for item in weights:
        score = item.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)
    return score


@exercise.wrong("two-back")
def _(weights):
    return weights.diagonal(-2, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("two-back", "sliced as well")
def _(weights):
    return weights[:, :, 1:, :-1].diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("all-earlier-tokens")
def _(weights):
    return weights.tril(-1)[:, :, 1:].sum(-1).mean(dim=(0, -1))


@exercise.wrong("all-earlier-tokens", "averaged over them")
def _(weights):
    T = weights.shape[-1]
    below = torch.ones(T, T, dtype=torch.bool).tril(-1)
    return weights[:, :, below].mean(dim=(0, 2))


@exercise.wrong("itself-and-previous")
def _(weights):
    itself, previous = weights.diagonal(dim1=-2, dim2=-1), weights.diagonal(-1, dim1=-2, dim2=-1)
    return (itself[..., 1:] + previous).mean(dim=(0, -1))


@exercise.wrong("itself-and-previous", "mean of both")
def _(weights):
    previous = weights.diagonal(-1, dim1=-2, dim2=-1)
    return torch.cat([weights.diagonal(dim1=-2, dim2=-1), previous], dim=-1).mean(dim=(0, -1))


@exercise.wrong("share-of-rows")
def _(weights):
    T = weights.shape[-1]
    return (weights[:, :, 1:].argmax(-1) == torch.arange(T - 1)).to(weights.dtype).mean(dim=(0, -1))


@exercise.wrong("largest-weight")
def _(weights):
    return weights[:, :, 1:].amax(-1).mean(dim=(0, -1))


@exercise.wrong("largest-weight", "of all rows")
def _(weights):
    return weights.amax(dim=-1).mean(dim=(0, 2))


@exercise.wrong("largest-weight", "the largest on a previous token")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).amax(dim=-1).mean(dim=0)


@exercise.wrong("one-row")
def _(weights):
    return weights[:, :, -1, -2].mean(dim=0)


@exercise.wrong("one-row", "row 1")
def _(weights):
    return weights[:, :, 1, 0].mean(dim=0)


@exercise.wrong("one-row", "a return inside the loop, with row 2")
def _(weights):
    for t in range(min(2, weights.shape[-1] - 1), weights.shape[-1]):
        return weights[:, :, t, t - 1].mean(dim=0)


@exercise.wrong("a-row-lost")
def _(weights):
    t = torch.arange(2, weights.shape[-1])
    return weights[:, :, t, t - 1].mean(dim=(0, 2))


@exercise.wrong("a-row-lost", "the last")
def _(weights):
    t = torch.arange(1, weights.shape[-1] - 1)
    return weights[:, :, t, t - 1].mean(dim=(0, 2))


@exercise.wrong("a-row-lost", "the last, divided by T − 1")
def _(weights):
    total = 0
    for t in range(1, weights.shape[-1] - 1):
        total = total + weights[:, :, t, t - 1].mean(dim=0)
    return total / (weights.shape[-1] - 1)


@exercise.wrong("divided-too-small", "by all entries of a map")
def _(weights):
    T = weights.shape[-1]
    mask = torch.diag(torch.ones(T - 1, dtype=weights.dtype), -1)
    return (weights * mask).mean(dim=(0, 2, 3))


@exercise.wrong("divided-too-small", "by T − 2")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).sum(dim=-1).mean(dim=0) / (weights.shape[-1] - 2)


@exercise.wrong("axes-mixed")
def _(weights):
    return weights.diagonal(-1).mean(dim=(0, -1))


@exercise.wrong("axes-mixed", "mean over the last axis alone")
def _(weights):
    return weights.diagonal(offset=-1).mean(dim=-1)


@exercise.wrong("softmax-again")
def _(weights):
    return torch.softmax(weights, dim=-1).diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("whole-block")
def _(weights):
    return weights[:, :, 1:, :-1].mean(dim=(0, 2, 3))


@exercise.wrong("whole-block", "two lists of indices, one after the other")
def _(weights):
    t = torch.arange(1, weights.shape[-1])
    return weights[:, :, t][:, :, :, t - 1].mean(dim=(0, 2, 3))


@exercise.wrong("all-earlier-tokens", "averaged over the whole map")
def _(weights):
    return weights.tril(-1).mean(dim=(0, 2, 3))


@exercise.wrong("first-column")
def _(weights):
    return weights[:, :, 1:, 0].mean(dim=(0, 2))


@exercise.wrong("first-column", "of all rows")
def _(weights):
    return weights[..., 0].mean(dim=(0, 2))


@exercise.wrong("axes-kept")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1), keepdim=True)


@exercise.wrong("axes-kept", "a column")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1, keepdim=True).mean(dim=0)


@exercise.wrong("axes-kept", "a row")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1).mean(dim=0, keepdim=True)


@exercise.wrong("a-list", "of floats")
def _(weights):
    return [weights[:, h].diagonal(-1, dim1=-2, dim2=-1).mean().item() for h in range(weights.shape[1])]


@exercise.wrong("a-list", "of tensors")
def _(weights):
    return [weights[:, h].diagonal(-1, dim1=-2, dim2=-1).mean() for h in range(weights.shape[1])]


@exercise.wrong("in-a-tuple")
def _(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1)),


@exercise.wrong("axes-mixed", "heads and queries")
def _(weights):
    return weights.diagonal(-1, dim1=1, dim2=2).mean(dim=(0, -1))


@exercise.wrong("dtype-fixed")
def _(weights):
    scores = torch.zeros(weights.shape[1])
    for h in range(weights.shape[1]):
        scores[h] = weights[:, h].diagonal(-1, dim1=-2, dim2=-1).mean()
    return scores


@exercise.wrong("dtype-fixed", "always float64")
def _(weights):
    return weights.double().diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("no-gradient")
def _(weights):
    return weights.detach().diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("no-gradient", "torch.tensor of floats")
def _(weights):
    B, H, T, _ = weights.shape
    scores = [sum(weights[b, h, t, t - 1].item() for b in range(B) for t in range(1, T)) / (B * (T - 1)) for h in range(H)]
    return torch.tensor(scores, dtype=weights.dtype)


@exercise.wrong("changes-input")
def _(weights):
    with torch.no_grad():
        weights[:, :, 0] = 0
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))


@exercise.wrong("returns-nothing")
def _(weights):
    print(weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1)))


@exercise.wrong("ready-made")
def _(weights):
    from allyouneed.heads import previous_token_score as theirs
    return theirs(weights)


@exercise.wrong("timeout")
def _(weights):
    from time import sleep
    t, total = 1, 0
    while t < weights.shape[-1]:
        sleep(0.01)
    return total
