"""attention_columns: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "attention_columns",
    points={"formula": 3, "large scores": 1},
    section="rows-and-columns",
    properties=[{"rule": "finite"}],
)


@exercise.probes
def probes(make):
    def sizes(width, n, k, d_v, dtype=torch.float32):
        return (make.randn(width, n, dtype=dtype), make.randn(k, width, dtype=dtype),
                make.randn(k, width, dtype=dtype),
                make.randn(d_v, width, dtype=dtype))

    group = "formula"
    x, w_q, w_k, w_v = sizes(2, 3, make.pick(5, 6, 7), 4)
    yield make.probe("three columns", x, w_q, w_k, w_v, group=group, gradient=True)
    yield make.probe("all sizes different", *sizes(*make.pick((5, 7, 6, 4), (4, 8, 3, 5), (6, 5, 7, 3))),
                     group=group, gradient=True)
    yield make.probe("more features than columns",
                     *sizes(*make.pick((8, 4, 3, 6), (7, 3, 5, 6), (9, 5, 6, 4))), group=group)
    yield make.probe("all sizes equal", *sizes(*[make.pick(3, 4, 5)] * 4), group=group)
    yield make.probe("all widths equal", *sizes(*make.pick((4, 6, 4, 4), (5, 3, 5, 5), (3, 5, 3, 3))),
                     group=group)
    yield make.probe("values as wide as keys", *sizes(*make.pick((3, 5, 4, 4), (4, 6, 3, 3), (5, 4, 6, 6))),
                     group=group)
    yield make.probe("as many columns as features",
                     *sizes(*make.pick((5, 5, 3, 4), (4, 4, 6, 3), (6, 6, 4, 5))), group=group)
    yield make.probe("as many columns as values",
                     *sizes(*make.pick((3, 5, 4, 5), (5, 4, 6, 4), (4, 6, 3, 6))), group=group)
    yield make.probe("as many columns as the keys' width",
                     *sizes(*make.pick((3, 5, 5, 4), (5, 4, 4, 6), (4, 6, 6, 3))), group=group)
    yield make.probe("float64", *sizes(*make.pick((4, 5, 3, 6), (5, 3, 4, 2), (3, 6, 5, 4)),
                                       dtype=torch.float64), group=group, gradient=True)
    yield make.probe("not contiguous", *sizes(4, 5, 6, 3), group=group, edge=True, strided=True,
                     gradient=True)
    yield make.probe("one column", *sizes(4, 1, 6, 3), group=group, edge=True)
    yield make.probe("a long sequence", *sizes(3, 150, 4, 2), group=group, long=True)
    size = make.pick(10.0, 10.4, 10.8)
    large = torch.tensor([[1.0, 0.0, -1.0], [0.0, 1.0, 1.0]]) * size
    w_q = torch.tensor([[1.0, 0.75], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]])
    w_k = torch.tensor([[2.0, 0.0], [1.0, 3.0], [1.0, 0.0], [0.0, 1.0]])
    yield make.probe("scores of a hundred and more", large, w_q, w_k, make.randn(3, 2), group="large scores",
                     edge=True)
    uneven = torch.tensor([[20.0, -1.0, 0.5], [0.0, 1.0, -0.5]]) * make.pick(1.0, 1.1, 1.2)
    yield make.probe("scores of 300 for one query, of 1 for others", uneven, torch.eye(2), torch.eye(2),
                     make.randn(3, 2), group="large scores", edge=True)


@exercise.right
def reference(X, W_q, W_k, W_v):
    queries, keys, values = W_q @ X, W_k @ X, W_v @ X
    scores = keys.T @ queries / math.sqrt(W_q.shape[0])
    return values @ torch.softmax(scores, dim=0)


@exercise.right("queries as rows, transposed at the end")
def queries_rows(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    A = F.softmax(Q.T @ K / K.shape[0] ** 0.5, dim=-1)
    return V @ A.T


@exercise.right("einsum")
def by_einsum(X, W_q, W_k, W_v):
    q = torch.einsum("kd,dn->kn", W_q, X)
    k = torch.einsum("kd,dm->km", W_k, X)
    v = torch.einsum("vd,dm->vm", W_v, X)
    s = torch.einsum("km,kn->nm", k, q) / math.sqrt(k.size(0))
    e = torch.exp(s - s.max(dim=1, keepdim=True).values)
    return torch.einsum("nm,vm->vn", e / e.sum(1, keepdim=True), v)


@exercise.right("one column at a time")
def one_column(X, W_q, W_k, W_v):
    keys, values = W_k @ X, W_v @ X
    out = []
    for n in range(X.shape[1]):
        query = W_q @ X[:, n]
        weights = torch.softmax((query @ keys) / math.sqrt(len(query)), dim=0)
        out.append(values @ weights)
    return torch.stack(out, dim=1)


@exercise.right("one's own softmax")
def own_softmax(X, W_q, W_k, W_v):
    scores = (W_k @ X).T @ (W_q @ X) / math.sqrt(W_q.shape[0])
    return W_v @ X @ softmax(scores, 0)


@exercise.right("one's own softmax, in rows")
def own_softmax_rows(X, W_q, W_k, W_v):
    Q, K = W_q @ X, W_k @ X
    return W_v @ X @ softmax(Q.T @ K / math.sqrt(K.shape[0]), -1).T


@exercise.right("step by step")
def plain(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


exercise.also_right(
    full("rows = X.T\n"
         "output, _ = scaled_dot_product_attention(rows @ W_q.T, rows @ W_k.T, rows @ W_v.T)\n"
         "return output.T", "one's own attention in rows"),
    full("q, k, v = F.linear(X.T, W_q), F.linear(X.T, W_k), F.linear(X.T, W_v)\n"
         "return F.scaled_dot_product_attention(q[None], k[None], v[None])[0].T",
         "torch's attention in rows"),
    full("joined = W_k.T @ W_q / math.sqrt(W_k.size(0))\n"
         "return W_v @ (X @ torch.softmax(X.T @ joined @ X, dim=-2))", "matrices joined first"))


exercise.mistake("row-formula", "rows-and-columns",
    "The scores are Q Kᵀ, the formula for rows. With tokens in columns that compares features: each pair "
    "of columns has the product Kᵀ Q (or Qᵀ K).",
    edit(plain, {"K.T @ Q": "Q @ K.T", "V @ torch": "torch", "dim=0)": "dim=-1) @ V"}),
    edit(plain, {"K.T @ Q": "Q @ K.T", "V @ torch": "torch",
                 "dim=0)": "dim=0) @ V"}, "softmax over the first axis"),
    edit(plain, {"K.T @ Q": "Q @ K.T", "dim=0": "dim=-1"}, "V on the left"),
    edit(plain, {"K.T @ Q": "Q @ K.T"}, "V on the left, softmax over the first axis"),
    full("Q, K, V = W_q @ X, W_k @ X, W_v @ X\n"
         "scores = Q @ K.T / math.sqrt(Q.shape[-1])\n"
         "return torch.softmax(scores, dim=-1) @ V", "scaled by the last axis"),
    edit(plain, {"K.T @ Q": "Q @ K.T", "V @ torch": "( torch",
                 "dim=0)": "dim=-1).T @ V)"}, "transposed weights"))

exercise.mistake("softmax-over-queries", "softmax-over-keys",
    "The softmax runs over the queries. For each query the weights over the keys must sum to 1: with "
    "scores Kᵀ Q the keys lie along the first axis.",
    edit(plain, {"dim=0": "dim=-1"}),
    edit(plain, {" / math.sqrt(W_q.shape[0])": "", "dim=0": "dim=-1"}, "not scaled"),
    edit(plain, {"W_q.": "Q.", every("0"): "-1"}, "scaled by the last axis"))

exercise.mistake("queries-and-keys-swapped", "query-key-value",
    "Queries and keys are swapped: column t of the result belongs to query t, and its weights run over the "
    "keys.",
    edit(plain, {"K.T @ Q": "Q.T @ K"}),
    edit(plain, {"K.T @ Q": "Q.T @ K", "W_q.shape[0]": "Q.shape[-1]"}, "scaled by the last axis"),
    edit(plain, {"K.T @ Q / math.sqrt(W_q.shape[0])": "Q.T @ K"}, "not scaled"))

exercise.mistake("weights-not-transposed", "rows-and-columns",
    "V is multiplied by weights that have queries as rows. In columns V stands on the left, and the "
    "weights of a query must form a column: transpose them.",
    edit(plain, {"K.T @ Q": "Q.T @ K", "dim=0": "dim=-1"}),
    edit(plain, {"K.T @ Q / math.sqrt(W_q.shape[0])": "Q.T @ K", "dim=0": "dim=-1"}, "not scaled"),
    edit(plain, {"K.T @ Q": "Q.T @ K", "W_q.shape[0]": "Q.shape[-1]",
                 "dim=0": "dim=-1"}, "scaled by the last axis"),
    edit(plain, {"V @ torch": "torch", "dim=0)": "dim=0) @ V"}, "multiplied from the left"),
    edit(plain, {"K.T @ Q": "Q.T @ K", "V @ torch": "torch",
                 "dim=0)": "dim=-1) @ V"}, "multiplied from the left, queries as rows"))

exercise.mistake("result-in-rows", "rows-and-columns",
    "The result has the tokens in rows. It must have them in columns, (D_v, N): transpose it.",
    edit(plain, {"K.T @ Q": "Q.T @ K", "V @ torch": "torch", "dim=0)": "dim=-1) @ V.T"}),
    full("Q, K, V = W_q @ X, W_k @ X, W_v @ X\n"
         "scores = Q.T @ K\n"
         "return torch.softmax(scores, dim=-1) @ V.T", "not scaled"),
    full("Q, K, V = W_q @ X, W_k @ X, W_v @ X\n"
         "scores = Q.T @ K / math.sqrt(Q.shape[-1])\n"
         "return torch.softmax(scores, dim=-1) @ V.T", "scaled by the last axis"))

exercise.mistake("input-in-rows", "rows-and-columns",
    "X or a result is read as if tokens were rows. Here X is (D, N), and the weights stand on the left: "
    "W_q @ X.",
    full("Q, K, V = X @ W_q, X @ W_k, X @ W_v\n"
         "return torch.softmax(Q @ K.T / math.sqrt(W_q.shape[0]), dim=-1) @ V", "X W"),
    full("Q, K, V = X @ W_q.T, X @ W_k.T, X @ W_v.T\n"
         "return torch.softmax(Q @ K.T / math.sqrt(W_q.shape[0]), dim=-1) @ V", "X Wᵀ"),
    full("Q, K, V = X.T @ W_q, X.T @ W_k, X.T @ W_v\n"
         "return torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1) @ V", "Xᵀ W, result in rows"),
    edit(plain, {"X, W_k @ X, W_v @ X": "X.T, W_k @ X.T, W_v @ X.T"}, "W Xᵀ"))

exercise.mistake("weights-matrix-transposed", "rows-and-columns",
    "A projection is transposed: W_q, W_k and W_v are (out, in) and stand on the left of X as they are.",
    full("Q, K, V = X.T @ W_q, X.T @ W_k, X.T @ W_v\n"
         "return (torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1) @ V).T", "Xᵀ W"),
    edit(plain, {"@ X, W_k @ X, W_v": ".T @ X, W_k.T @ X, W_v.T"}, "all"),
    edit(plain, {"X, W_v": "X, W_v.T"}, "W_v"))

exercise.mistake("no-scale", "why-divide-by-sqrt-dk",
    "The scores are not scaled. Divide them by the square root of K, the number of rows of W_q.",
    edit(plain, {" / math.sqrt(W_q.shape[0])": ""}))

exercise.mistake("scale-by-dk", "why-divide-by-sqrt-dk",
    "The scores are divided by K itself. Divide by its square root.",
    edit(plain, {"math.sqrt(W_q.shape[0])": "W_q.shape[0]"}))

exercise.mistake("scale-multiplied", "why-divide-by-sqrt-dk",
    "The scores are multiplied by the square root of K. Divide by it.",
    edit(plain, {"Q / math": "Q * math"}))

exercise.mistake("scale-other-size", "why-divide-by-sqrt-dk",
    "The scores are divided by the root of another size. In columns the width K is the number of rows of "
    "W_q, not the last axis of Q.",
    edit(plain, {"W_q.": "X."}, "features of X"),
    edit(plain, {"W_q.shape[0]": "Q.shape[-1]"}, "number of columns"),
    edit(plain, {"W_q.": "W_v."}, "rows of W_v"))

exercise.mistake("scale-rounded", "why-divide-by-sqrt-dk",
    "The square root of K is rounded to a whole number. Divide by math.sqrt of it, without int or //.",
    edit(plain, {"math.sqrt(W_q.shape[0])": "int(math.sqrt(W_q.shape[0]))"}))

exercise.mistake("scale-after-softmax", "why-divide-by-sqrt-dk",
    "The weights are divided by the square root of K after the softmax, so they do not sum to 1. Scale the "
    "scores.",
    edit(plain, {" / math.sqrt(W_q.shape[0])": "", "dim=0)": "dim=0) / math.sqrt(W_q.shape[0])"}),
    edit(plain, {"dim=0)": "dim=0) / math.sqrt(W_q.shape[0])"}, "scaled again"))

exercise.mistake("values-not-projected", "query-key-value",
    "The weights mix X itself. Mix the values, W_v X.",
    edit(plain, {"return V": "return X"}),
    edit(plain, {" / math.sqrt(W_q.shape[0])": "", "return V": "return X"}, "not scaled"))

exercise.mistake("wrong-partner", "query-key-value",
    "One of queries, keys and values stands in another's place: each has its own matrix.",
    edit(plain, {"return V": "return K"}, "keys mixed"),
    edit(plain, {"return V": "return Q"}, "queries mixed"),
    edit(plain, {"K.T": "Q.T"}, "queries with queries"),
    edit(plain, {"T @ Q": "T @ K"}, "keys with keys"),
    edit(plain, {"K.T @ Q": "X.T @ X", "W_q.": "X."}, "columns of X compared"),
    edit(plain, {"K.T": "V.T", "return V": "return K"}, "values compared"))

exercise.mistake("softmax-over-everything", "softmax-over-keys",
    "The softmax runs over all scores at once. The weights of each query must sum to 1.",
    edit(plain, {"(scores, dim=0)": "(scores.flatten(), dim=0).reshape(scores.shape)"}))

exercise.mistake("no-softmax", "softmax-over-keys",
    "The scores are used as weights without a softmax. Take the softmax of each query over the keys.",
    edit(plain, {"torch.softmax(scores, dim=0)": "scores"}),
    edit(plain, {" / math.sqrt(W_q.shape[0])": "", "torch.softmax(scores, dim=0)": "scores"}, "not scaled"),
    edit(plain, {"K.T @ Q": "Q.T @ K", "torch.softmax(scores, dim=0)": "scores"}, "queries as rows"))

exercise.mistake("unnormalized", "softmax-over-keys",
    "The weights are exponentials that are not divided by their sum. Divide by the sum over the keys.",
    edit(plain, {"softmax": "exp", ", dim=0": ""}),
    edit(plain, {"softmax(scores, dim=0)": "exp(scores - scores.amax(0, keepdim=True))"}, "shifted"))

exercise.mistake("no-shift", "softmax-stable",
    "Large scores overflow: exp of a number above about 88.7 is infinite in float32. Use torch.softmax, or "
    "subtract the largest score of each query first.",
    edit(plain, {"torch.softmax(scores, dim=0)":
                 "(torch.exp(scores) / torch.exp(scores).sum(0, keepdim=True))"}),
    edit(plain, {"softmax(scores, dim=0)":
                 "nan_to_num(torch.exp(scores) / torch.exp(scores).sum(0, keepdim=True))"}, "NaN replaced"))

exercise.mistake("shift-of-all", "softmax-stable",
    "The largest of all scores is subtracted, and a query whose scores are much smaller gets 0 divided by 0. "
    "Subtract each query's own largest score: scores.amax(0, keepdim=True).",
    edit(plain, {"torch.softmax(scores, dim=0)":
                 "(torch.exp(scores - scores.max()) / "
                 "torch.exp(scores - scores.max()).sum(0, keepdim=True))"}))

exercise.mistake("shift-over-queries", "softmax-stable",
    "Before exp the largest score of each key is subtracted, and this changes the weights: the shift must be "
    "the same for all keys of a query. Take the maximum along dim=0, where the keys lie.",
    full("Q, K, V = W_q @ X, W_k @ X, W_v @ X\n"
         "scores = K.T @ Q / math.sqrt(W_q.shape[0])\n"
         "powers = torch.exp(scores - scores.amax(1, keepdim=True))\n"
         "return V @ (powers / powers.sum(0, keepdim=True))"))

exercise.mistake("sum-plus-small", "softmax-over-keys",
    "A small number is added to the sum of the exponentials, so the weights do not sum to 1. The sum is at "
    "least 1 once the largest score is subtracted: leave it as it is.",
    full("Q, K, V = W_q @ X, W_k @ X, W_v @ X\n"
         "scores = K.T @ Q / math.sqrt(W_q.shape[0])\n"
         "powers = torch.exp(scores - scores.amax(0, keepdim=True))\n"
         "return V @ (powers / (powers.sum(0, keepdim=True) + 1e-4))"))

exercise.mistake("two-results", "rows-and-columns",
    "Two values come back. Return the output alone, a (D_v, N) tensor.",
    edit(plain, {"dim=0)": "dim=0), torch.softmax(scores, dim=0)"}),
    edit(plain, {"dim=0)": "dim=0), torch.softmax(scores, dim=0).T"}, "weights with queries as rows"),
    edit(queries_rows, {"A = F": "weights = torch", "V @ A.T": "weights @ V.T, weights"}, "both in rows"))

exercise.mistake("returns-weights", "rows-and-columns",
    "The weights come back. Multiply the values with them, and return the output.",
    edit(plain, {"V @ torch": "torch"}),
    edit(plain, {"K.T @ Q": "Q.T @ K", "V @ torch": "torch", "dim=0": "dim=-1"}, "queries as rows"))

exercise.mistake("causal", "causal-mask",
    "Later columns are hidden. This attention has no mask: each token sees all.",
    edit(plain, {", dim": ".masked_fill(~torch.ones_like(scores, dtype=torch.bool).triu(), -math.inf), dim"}))

exercise.mistake("residual", "rows-and-columns",
    "X is added to the result. Return the attention's output alone.",
    edit(plain, {"return": "return X +"}))

exercise.built_in("changes-input",
    full("with torch.no_grad():\n"
         "    W_q /= math.sqrt(W_q.shape[0])\n"
         "return W_v @ X @ torch.softmax((W_k @ X).T @ (W_q @ X), dim=0)"))

exercise.built_in("no-gradient",
    full("Q, K, V = W_q @ X, W_k @ X, W_v @ X\n"
         "return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0).detach()", "weights detached"))

exercise.built_in("ready-made",
    full("import allyouneed.nn.attention\nreturn allyouneed.nn.attention.attention_columns(X, W_q, W_k, W_v)"))

exercise.built_in("returns-nothing",
    full("Q, K, V = W_q @ X, W_k @ X, W_v @ X\nV @ torch.softmax(K.T @ Q, dim=0)"))

exercise.built_in("timeout",
    full("while True:\n    pass"))

exercise.equal("queries are as wide as keys", {
    "W_q.shape[0]": "W_k.shape[0]", "W_k.size(0)": "W_q.size(0)", "K.shape[0]": "Q.shape[0]"})
exercise.equal("a matrix has two axes", {", -1).T": ", 1).T"})
exercise.equal("the batch has one entry, and F.softmax takes the last axis of a matrix, though it warns", {
    "[0].T": "[-1].T", ", dim=-1": ""})
