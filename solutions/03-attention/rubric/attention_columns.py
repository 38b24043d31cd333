"""The rubric of attention_columns: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

exercise = Exercise(
    "attention_columns",
    points={"formula": 3, "large scores": 1},
    section="rows-and-columns",
    properties=[{"rule": "finite"}],
    mistakes={
        "row-formula": ("The scores are Q Kᵀ, the formula for rows. With tokens in columns that compares features: each pair of columns "
                        "has the product Kᵀ Q (or Qᵀ K).", "rows-and-columns"),
        "softmax-over-queries": ("The softmax runs over the queries. For each query the weights over the keys must sum to 1: with scores Kᵀ Q "
                                 "the keys lie along the first axis.", "softmax-over-keys"),
        "queries-and-keys-swapped": ("Queries and keys are swapped: column t of the result belongs to query t, and its weights run over the "
                                     "keys.", "query-key-value"),
        "weights-not-transposed": ("V is multiplied by weights that have queries as rows. In columns V stands on the left, and the weights of a "
                                   "query must form a column: transpose them.", "rows-and-columns"),
        "result-in-rows": ("The result has the tokens in rows. It must have them in columns, (D_v, N): transpose it.", "rows-and-columns"),
        "input-in-rows": ("X or a result is read as if tokens were rows. Here X is (D, N), and the weights stand on the left: W_q @ X.",
                          "rows-and-columns"),
        "weights-matrix-transposed": ("A projection is transposed: W_q, W_k and W_v are (out, in) and stand on the left of X as they are.",
                                      "rows-and-columns"),
        "no-scale": ("The scores are not scaled. Divide them by the square root of K, the number of rows of W_q.", "why-divide-by-sqrt-dk"),
        "scale-by-dk": ("The scores are divided by K itself. Divide by its square root.", "why-divide-by-sqrt-dk"),
        "scale-multiplied": ("The scores are multiplied by the square root of K. Divide by it.", "why-divide-by-sqrt-dk"),
        "scale-other-size": ("The scores are divided by the root of another size. In columns the width K is the number of rows of W_q, not the "
                             "last axis of Q.", "why-divide-by-sqrt-dk"),
        "scale-rounded": ("The square root of K is rounded to a whole number. Divide by math.sqrt of it, without int or //.",
                          "why-divide-by-sqrt-dk"),
        "scale-after-softmax": ("The weights are divided by the square root of K after the softmax, so they do not sum to 1. Scale the scores.",
                                "why-divide-by-sqrt-dk"),
        "values-not-projected": ("The weights mix X itself. Mix the values, W_v X.", "query-key-value"),
        "wrong-partner": ("One of queries, keys and values stands in another's place: each has its own matrix.", "query-key-value"),
        "softmax-over-everything": ("The softmax runs over all scores at once. The weights of each query must sum to 1.", "softmax-over-keys"),
        "no-softmax": ("The scores are used as weights without a softmax. Take the softmax of each query over the keys.", "softmax-over-keys"),
        "unnormalized": ("The weights are exponentials that are not divided by their sum. Divide by the sum over the keys.", "softmax-over-keys"),
        "no-shift": ("Large scores overflow: exp of a number above about 88.7 is infinite in float32. Use torch.softmax, or subtract the largest "
                     "score of each query first.", "softmax-stable"),
        "two-results": ("Two values come back. Return the output alone, a (D_v, N) tensor.", "rows-and-columns"),
        "returns-weights": ("The weights come back. Multiply the values with them, and return the output.", "rows-and-columns"),
        "causal": ("Later columns are hidden. This attention has no mask: each token sees all.", "causal-mask"),
        "residual": ("X is added to the result. Return the attention's output alone.", "rows-and-columns"),
    },
)


@exercise.probes
def _(make):
    def sizes(width, n, k, d_v, dtype=torch.float32):
        return (make.randn(width, n, dtype=dtype), make.randn(k, width, dtype=dtype), make.randn(k, width, dtype=dtype),
                make.randn(d_v, width, dtype=dtype))

    group = "formula"
    x, w_q, w_k, w_v = sizes(2, 3, make.pick(5, 6, 7), 4)
    yield make.probe("three columns", x, w_q, w_k, w_v, group=group, gradient=True)
    yield make.probe("seven columns", *sizes(*make.pick((5, 7, 6, 4), (4, 8, 3, 5), (6, 5, 7, 3))), group=group, gradient=True)
    yield make.probe("more features than columns", *sizes(*make.pick((8, 4, 3, 6), (7, 3, 5, 6), (9, 5, 6, 4))), group=group)
    yield make.probe("all sizes equal", *sizes(*[make.pick(3, 4, 5)] * 4), group=group)
    yield make.probe("all widths equal", *sizes(*make.pick((4, 6, 4, 4), (5, 3, 5, 5), (3, 5, 3, 3))), group=group)
    yield make.probe("values as wide as keys", *sizes(*make.pick((3, 5, 4, 4), (4, 6, 3, 3), (5, 4, 6, 6))), group=group)
    yield make.probe("as many columns as features", *sizes(*make.pick((5, 5, 3, 4), (4, 4, 6, 3), (6, 6, 4, 5))), group=group)
    yield make.probe("as many columns as values", *sizes(*make.pick((3, 5, 4, 5), (5, 4, 6, 4), (4, 6, 3, 6))), group=group)
    yield make.probe("as many columns as the keys' width", *sizes(*make.pick((3, 5, 5, 4), (5, 4, 4, 6), (4, 6, 6, 3))), group=group)
    yield make.probe("float64", *sizes(*make.pick((4, 5, 3, 6), (5, 3, 4, 2), (3, 6, 5, 4)), dtype=torch.float64), group=group, gradient=True)
    yield make.probe("not contiguous", *sizes(4, 5, 6, 3), group=group, edge=True, strided=True, gradient=True)
    yield make.probe("one column", *sizes(4, 1, 6, 3), group=group, edge=True)
    yield make.probe("a long sequence", *sizes(3, 150, 4, 2), group=group, long=True)
    size = make.pick(10.0, 11.0, 12.0)
    large = torch.tensor([[1.0, 0.0, -1.0], [0.0, 1.0, 1.0]]) * size
    w_q = torch.tensor([[1.0, 0.5], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]])
    w_k = torch.tensor([[2.0, 0.0], [1.0, 3.0], [1.0, 0.0], [0.0, 1.0]])
    yield make.probe("scores of a hundred and more", large, w_q, w_k, make.randn(3, 2), group="large scores", edge=True)


@exercise.right
def reference(X, W_q, W_k, W_v):
    queries, keys, values = W_q @ X, W_k @ X, W_v @ X
    scores = keys.T @ queries / math.sqrt(W_q.shape[0])
    return values @ torch.softmax(scores, dim=0)


@exercise.alternative("queries as rows, transposed at the end")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    A = F.softmax(Q.T @ K / K.shape[0] ** 0.5, dim=-1)
    return V @ A.T


@exercise.alternative("one's own attention in rows")
def _(X, W_q, W_k, W_v):
    rows = X.T
    output, _ = scaled_dot_product_attention(rows @ W_q.T, rows @ W_k.T, rows @ W_v.T)
    return output.T


@exercise.alternative("torch's attention in rows")
def _(X, W_q, W_k, W_v):
    q, k, v = F.linear(X.T, W_q), F.linear(X.T, W_k), F.linear(X.T, W_v)
    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0].T


@exercise.alternative("einsum")
def _(X, W_q, W_k, W_v):
    q = torch.einsum("kd,dn->kn", W_q, X)
    k = torch.einsum("kd,dm->km", W_k, X)
    v = torch.einsum("vd,dm->vm", W_v, X)
    s = torch.einsum("km,kn->nm", k, q) / math.sqrt(k.size(0))
    e = torch.exp(s - s.max(dim=1, keepdim=True).values)
    return torch.einsum("nm,vm->vn", e / e.sum(1, keepdim=True), v)


@exercise.alternative("one column at a time")
def _(X, W_q, W_k, W_v):
    keys, values = W_k @ X, W_v @ X
    out = []
    for n in range(X.shape[1]):
        query = W_q @ X[:, n]
        weights = torch.softmax((query @ keys) / math.sqrt(len(query)), dim=0)
        out.append(values @ weights)
    return torch.stack(out, dim=1)


@exercise.alternative("matrices joined first")
def _(X, W_q, W_k, W_v):
    joined = W_k.T @ W_q / math.sqrt(W_k.size(0))
    return W_v @ (X @ torch.softmax(X.T @ joined @ X, dim=-2))


@exercise.wrong("row-formula")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=-1) @ V


@exercise.wrong("row-formula", "softmax over the first axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=0) @ V


@exercise.wrong("row-formula", "V on the left")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("row-formula", "V on the left, softmax over the first axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("row-formula", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    return torch.softmax(scores, dim=-1) @ V


@exercise.wrong("row-formula", "V on the left, scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("row-formula", "transposed weights")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return (torch.softmax(scores, dim=-1).T @ V)


@exercise.wrong("softmax-over-queries")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("softmax-over-queries", "queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0).T


@exercise.wrong("softmax-over-queries", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("softmax-over-queries", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("queries-and-keys-swapped")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("queries-and-keys-swapped", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("queries-and-keys-swapped", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("weights-not-transposed")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("weights-not-transposed", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("weights-not-transposed", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("weights-not-transposed", "multiplied from the left")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=0) @ V


@exercise.wrong("weights-not-transposed", "multiplied from the left, queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=-1) @ V


@exercise.wrong("result-in-rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=-1) @ V.T


@exercise.wrong("result-in-rows", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K
    return torch.softmax(scores, dim=-1) @ V.T


@exercise.wrong("result-in-rows", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(Q.shape[-1])
    return torch.softmax(scores, dim=-1) @ V.T


@exercise.wrong("input-in-rows", "X W")
def _(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return torch.softmax(Q @ K.T / math.sqrt(W_q.shape[0]), dim=-1) @ V


@exercise.wrong("input-in-rows", "X Wᵀ")
def _(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q.T, X @ W_k.T, X @ W_v.T
    return torch.softmax(Q @ K.T / math.sqrt(W_q.shape[0]), dim=-1) @ V


@exercise.wrong("weights-matrix-transposed", "Xᵀ W")
def _(X, W_q, W_k, W_v):
    Q, K, V = X.T @ W_q, X.T @ W_k, X.T @ W_v
    return (torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1) @ V).T


@exercise.wrong("input-in-rows", "Xᵀ W, result in rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = X.T @ W_q, X.T @ W_k, X.T @ W_v
    return torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1) @ V


@exercise.wrong("input-in-rows", "W Xᵀ")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X.T, W_k @ X.T, W_v @ X.T
    return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0)


@exercise.wrong("weights-matrix-transposed", "all")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q.T @ X, W_k.T @ X, W_v.T @ X
    return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0)


@exercise.wrong("weights-matrix-transposed", "W_v")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v.T @ X
    return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0)


@exercise.wrong("no-scale")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-by-dk")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / W_q.shape[0]
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-multiplied")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q * math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-other-size", "features of X")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(X.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-other-size", "number of columns")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-other-size", "rows of W_v")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_v.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-rounded")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / int(math.sqrt(W_q.shape[0]))
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-after-softmax")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return V @ torch.softmax(scores, dim=0) / math.sqrt(W_q.shape[0])


@exercise.wrong("scale-after-softmax", "scaled again")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0) / math.sqrt(W_q.shape[0])


@exercise.wrong("values-not-projected")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return X @ torch.softmax(scores, dim=0)


@exercise.wrong("values-not-projected", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return X @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "keys mixed")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return K @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "queries mixed")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return Q @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "queries with queries")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "keys with keys")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ K / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "columns of X compared")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = X.T @ X / math.sqrt(X.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "values compared")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = V.T @ Q / math.sqrt(W_q.shape[0])
    return K @ torch.softmax(scores, dim=0)


@exercise.wrong("softmax-over-everything")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)


@exercise.wrong("no-softmax")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ scores


@exercise.wrong("no-softmax", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return V @ scores


@exercise.wrong("no-softmax", "queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return V @ scores


@exercise.wrong("unnormalized")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.exp(scores)


@exercise.wrong("unnormalized", "shifted")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.exp(scores - scores.amax(0, keepdim=True))


@exercise.wrong("no-shift")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ (torch.exp(scores) / torch.exp(scores).sum(0, keepdim=True))


@exercise.wrong("no-shift", "NaN replaced")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.nan_to_num(torch.exp(scores) / torch.exp(scores).sum(0, keepdim=True))


@exercise.wrong("two-results")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0), torch.softmax(scores, dim=0)


@exercise.wrong("two-results", "weights with queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0), torch.softmax(scores, dim=0).T


@exercise.wrong("two-results", "both in rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    weights = torch.softmax(Q.T @ K / math.sqrt(Q.shape[0]), dim=-1)
    return weights @ V.T, weights


@exercise.wrong("returns-weights")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=0)


@exercise.wrong("returns-weights", "queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=-1)


@exercise.wrong("causal")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores.masked_fill(~torch.ones_like(scores, dtype=torch.bool).triu(), -math.inf), dim=0)


@exercise.wrong("residual")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return X + V @ torch.softmax(scores, dim=0)


@exercise.wrong("changes-input")
def _(X, W_q, W_k, W_v):
    with torch.no_grad():
        W_q /= math.sqrt(W_q.shape[0])
    return W_v @ X @ torch.softmax((W_k @ X).T @ (W_q @ X), dim=0)


@exercise.wrong("no-gradient", "weights detached")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0).detach()


@exercise.wrong("ready-made")
def _(X, W_q, W_k, W_v):
    import allyouneed.attention
    return allyouneed.attention.attention_columns(X, W_q, W_k, W_v)


@exercise.wrong("returns-nothing")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    V @ torch.softmax(K.T @ Q, dim=0)


@exercise.wrong("timeout")
def _(X, W_q, W_k, W_v):
    while True:
        pass
