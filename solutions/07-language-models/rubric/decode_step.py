"""The rubric of decode_step: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F
from allyouneed.attention import causal_mask, scaled_dot_product_attention
from allyouneed.multihead import merge_heads, split_heads

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "decode_step",
    points={"one token at a time": 3, "several new tokens": 2, "other texts and sizes": 1},
    section="decode-step",
    driver="cached_steps",
    compact=True,
    forbid=("LayerCache", "KeyValueCache"),
    mistakes={
        "joined-in-batch": ("The old and new keys and values are joined along the batch. Join them along the axis of tokens.", "decode-step"),
        "joined-in-heads": ("The old and new keys and values are joined along the heads. Join them along the axis of tokens.", "decode-step"),
        "joined-in-width": ("After the first call, queries, keys and values do not fit together. Both keys and values must be joined with the old ones, and "
                            "along the axis of tokens, not along the width.", "decode-step"),
        "newest-only": ("The new tokens see nothing of the old ones: what the cache holds is not joined to their keys and values, or the mask hides it.",
                        "decode-step"),
        "one-back-only": ("The cache keeps only the last call's keys and values, so older tokens are forgotten. Return the joined ones.", "decode-step"),
        "first-lost": ("The first call's tokens are forgotten: where cache is None, return their keys and values as the cache too.", "decode-step"),
        "cache-not-updated": ("The cache that comes back is the first call's, without what came later. Return the joined keys and values.",
                              "decode-step"),
        "joined-twice": ("Some keys and values are in the cache twice. Join the new ones to the old ones once a call.", "decode-step"),
        "no-mask": ("A new token sees the future of its own call, in part or all of it. Give the attention a causal mask: the t new queries are the last of all S keys.",
                    "several-new-tokens"),
        "mask-at-start": ("The causal mask is aligned at the first key, as if the new tokens stood at the start of the text. They are the last t of S "
                          "positions: causal_mask(t, S).", "several-new-tokens"),
        "self-hidden": ("A new token does not see itself. Its own key and value must be joined before it attends, and the mask must not hide them.",
                        "several-new-tokens"),
        "mask-inverted": ("The mask works the wrong way round: True means that the query may attend.", "several-new-tokens"),
        "new-before-old": ("The new keys and values are put in front of the old ones. The text goes on at the end.", "decode-step"),
        "exchanged": ("Two of queries, keys and values are exchanged, at the projections or when they come from the cache.", "decode-step"),
        "all-outputs": ("The outputs of old tokens come back as well. Return those of the new tokens only, (B, t, D).", "decode-step"),
        "last-output": ("Only the last new token's output comes back, perhaps in later calls alone. Return one for each new token, (B, t, D).", "several-new-tokens"),
        "only-output": ("The cache does not come back, or not as one value. Return two values: the output, then the cache.", "decode-step"),
        "order-of-results": ("The cache comes first. Return the output first, then the cache.", "decode-step"),
        "no-output-projection": ("The output projection is not applied. Merge the heads, then send them through attention.o_proj.", "decode-step"),
        "projected-twice": ("What is in the cache is projected again. Keep either the tokens or their keys and values, not a mixture.", "decode-step"),
        "wrong-projection": ("One of the three projections is used twice. Queries come from q_proj, keys from k_proj, values from v_proj.", "decode-step"),
        "no-heads": ("There is one attention over the full width. Cut queries, keys and values into attention.n_heads heads first.", "decode-step"),
        "mixed-heads": ("Cutting into heads, or merging them, mixes the tokens: exchange the axes of tokens and heads, which a new shape "
                        "alone does not do.", "decode-step"),
        "no-scale": ("The scores are not scaled. Divide them by the root of the width of a head, attention.d_head.", "decode-step"),
        "other-scale": ("The scores are scaled by a wrong number. Divide them by the root of the width of a head, attention.d_head.", "decode-step"),
        "head-width": ("The width of a head is computed from d_model, for its shape or for the scale. It can be any number: take attention.d_head, or "
                       "the last axis after split_heads.", "decode-step"),
        "cache-or": ("A tensor has no truth value: ask whether cache is None.", "decode-step"),
        "kept-outside": ("Something is kept outside the cache, so one text meets what another has left behind. All memory comes in by cache, "
                         "and goes out by it.",
                         "decode-step"),
        "mask-only-for-the-first": ("The causal mask is missing in later calls. Several new tokens may come at any time.", "several-new-tokens"),
        "one-token-only": ("It works for one new token only. t new tokens may come at once.", "several-new-tokens"),
        "one-text-only": ("It works for one text only. B texts may come at once.", "decode-step"),
        "bias-left-out": ("A projection's bias is left out. Call the layer, or add its bias.", "decode-step"),
        "softmax-axis": ("The softmax runs over the queries. The weights of one query must sum to 1 over the keys, the last axis of the scores.",
                         "decode-step"),
        "no-softmax": ("The scores are used as weights without a softmax. Take it over the keys.", "decode-step"),
        "dtype-fixed": ("float64 inputs fail or do not give float64 results: some tensor is made or cast as float32.", "decode-step"),
    },
)


@exercise.probes
def _(make):
    def spec(d_model, n_heads, pieces, d_head=None, dtype=torch.float32, **more):
        inner = n_heads * (d_head or d_model // n_heads)
        shapes = {"q": (inner, d_model), "k": (inner, d_model), "v": (inner, d_model), "o": (d_model, inner)}
        return more | {"sizes": (d_model, n_heads) + ((d_head,) if d_head else ()), "pieces": pieces,
                "weights": {f"{name}_proj.{kind}": make.randn(*(shape if kind == "weight" else shape[:1]), dtype=dtype, scale=0.8)
                            for name, shape in shapes.items() for kind in ("weight", "bias")}}

    def probe(name, given, batch, *, texts=1, **marks):
        dtype = given["weights"]["q_proj.bias"].dtype
        shape = (batch, sum(given["pieces"]), given["sizes"][0])
        return make.probe(name, given, *(make.randn(*shape, dtype=dtype) for _ in range(texts)), **marks)

    group = "one token at a time"
    yield probe("three tokens, one by one", spec(4, 2, (1, 1, 1)), 1, group=group)
    yield probe("several texts, one token at a time", spec(*make.pick((6, 3), (8, 4), (6, 2)), (1, 1, 1, 1)), make.pick(2, 3, 4), group=group)
    group = "several new tokens"
    yield probe("three tokens in one call", spec(4, 2, (3,)), 1, group=group, gradient=True)
    yield probe("a beginning of three tokens, then one by one", spec(4, 2, (3, 1, 1)), 2, group=group, edge=True)
    yield probe("two tokens, then three", spec(4, 2, (2, 3)), make.pick(1, 2, 3), group=group, edge=True)
    yield probe("one, two, three, one", spec(*make.pick((6, 2), (6, 3), (8, 2)), (1, 2, 3, 1)), 2, group=group, edge=True)
    group = "other texts and sizes"
    yield probe("two texts after each other", spec(4, 2, (2, 1)), 2, texts=2, group=group, edge=True)
    yield probe("two texts in turns", spec(4, 2, (2, 1), turns=True), 1, texts=2, group=group, edge=True)
    yield probe("heads that are wider together", spec(*make.pick((5, 2), (7, 2), (5, 3)), (2, 1, 1), d_head=make.pick(4, 5, 3)), 2, group=group, edge=True)
    yield probe("one head", spec(3, 1, (1, 2)), 2, group=group, edge=True)
    yield probe("as many heads as tokens and texts", spec(4, 2, (1, 1)), 2, group=group, edge=True)
    yield probe("float64", spec(4, 2, (2, 1), dtype=torch.float64), 1, group=group, edge=True)
    yield probe("a long text", spec(4, 2, (120, 1, 20)), 1, group=group, long=True)


@exercise.right
def reference(attention, x_new, cache):
    q, k, v = (split_heads(layer(x_new), attention.n_heads) for layer in (attention.q_proj, attention.k_proj, attention.v_proj))
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = causal_mask(q.shape[2], k.shape[2])
    heads, _ = scaled_dot_product_attention(q, k, v, mask)
    return attention.o_proj(merge_heads(heads)), (k, v)


@exercise.alternative("a dict, and everything by hand")
def _(attention, x_new, cache):
    B, t, _ = x_new.shape
    H, K = attention.n_heads, attention.d_head
    new = {name: getattr(attention, f"{name}_proj")(x_new).view(B, t, H, K).transpose(1, 2) for name in "qkv"}
    if cache is None:
        cache = {"k": new["k"], "v": new["v"]}
    else:
        cache = {name: torch.cat((cache[name], new[name]), dim=-2) for name in "kv"}
    S = cache["k"].shape[2]
    scores = new["q"] @ cache["k"].mT / math.sqrt(K)
    allowed = torch.arange(S)[None, :] <= torch.arange(S - t, S)[:, None]
    weights = torch.softmax(scores.masked_fill(~allowed, float("-inf")), dim=-1)
    return attention.o_proj((weights @ cache["v"]).transpose(1, 2).reshape(B, t, H * K)), cache


@exercise.alternative("torch's fast attention with a mask")
def _(attention, x_new, cache):
    def heads(layer):
        return layer(x_new).unflatten(-1, (attention.n_heads, attention.d_head)).permute(0, 2, 1, 3)

    q, k, v = heads(attention.q_proj), heads(attention.k_proj), heads(attention.v_proj)
    past = 0
    if cache is not None:
        past = cache[0].size(2)
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    t = x_new.size(1)
    mask = torch.ones(t, past + t, dtype=torch.bool).tril(diagonal=past)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return [attention.o_proj(out.transpose(1, 2).flatten(-2)), [k, v]]


@exercise.alternative("keys and values before they are cut into heads")
def _(attention, x_new, cache):
    k, v = attention.k_proj(x_new), attention.v_proj(x_new)
    if cache is not None:
        k, v = (torch.cat(pair, dim=1) for pair in zip(cache, (k, v)))
    H, t, S = attention.n_heads, x_new.shape[1], k.shape[1]
    out, _ = scaled_dot_product_attention(split_heads(attention.q_proj(x_new), H), split_heads(k, H), split_heads(v, H), causal_mask(t, S))
    return attention.o_proj(merge_heads(out)), (k, v)


@exercise.alternative("one new token after the other, lists of keys")
def _(attention, x_new, cache):
    keys, values = ([], []) if cache is None else cache
    keys, values, outputs = list(keys), list(values), []
    for t in range(x_new.shape[1]):
        x = x_new[:, t:t + 1]
        q, k, v = (split_heads(p(x), attention.n_heads) for p in (attention.q_proj, attention.k_proj, attention.v_proj))
        keys.append(k)
        values.append(v)
        heads, _ = scaled_dot_product_attention(q, torch.cat(keys, dim=2), torch.cat(values, dim=2))
        outputs.append(attention.o_proj(merge_heads(heads)))
    return torch.cat(outputs, dim=1), (keys, values)


@exercise.alternative("the tokens themselves as cache")
def _(attention, x_new, cache):
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    output, _ = attention(x_new, memory=x, mask=causal_mask(x_new.shape[1], x.shape[1]))
    return output, x


@exercise.alternative("one tensor of keys and values, einsum")
def _(attention, x_new, cache):
    B, t, D = x_new.shape
    H = attention.n_heads
    q = attention.q_proj(x_new).reshape(B, t, H, -1)
    kv = torch.stack([attention.k_proj(x_new).reshape(B, t, H, -1), attention.v_proj(x_new).reshape(B, t, H, -1)])
    cache = kv if cache is None else torch.cat([cache, kv], dim=2)
    k, v = cache
    S = k.shape[1]
    scores = torch.einsum("bthk,bshk->bhts", q, k) * q.shape[-1] ** -0.5
    future = torch.triu(torch.ones(t, S, dtype=torch.bool), diagonal=S - t + 1)
    weights = scores.masked_fill(future, torch.finfo(scores.dtype).min).softmax(-1)
    return attention.o_proj(torch.einsum("bhts,bshk->bthk", weights, v).reshape(B, t, -1)), cache


@exercise.alternative("a growing buffer that is written in place")
def _(attention, x_new, cache):
    B, t, _ = x_new.shape
    H, K = attention.n_heads, attention.d_head
    if cache is None:
        cache = {"kv": x_new.new_zeros(2, B, H, 512, K), "n": 0}
    n, kv = cache["n"], cache["kv"]
    kv[0, :, :, n:n + t] = split_heads(attention.k_proj(x_new), H)
    kv[1, :, :, n:n + t] = split_heads(attention.v_proj(x_new), H)
    cache["n"] = n + t
    heads, _ = scaled_dot_product_attention(split_heads(attention.q_proj(x_new), H), kv[0, :, :, :n + t], kv[1, :, :, :n + t], causal_mask(t, n + t))
    return attention.o_proj(merge_heads(heads)), cache


@exercise.alternative("a list that grows in place, a detached cache")
def _(attention, x_new, cache):
    cache = [] if cache is None else cache
    pair = tuple(split_heads(layer(x_new), attention.n_heads) for layer in (attention.k_proj, attention.v_proj))
    k, v = (torch.cat([*(old[i] for old in cache), pair[i]], dim=2) for i in range(2))
    cache.append(tuple(item.detach() for item in pair))
    q = split_heads(attention.q_proj(x_new), attention.n_heads)
    mask = causal_mask(q.shape[2], k.shape[2])
    return attention.o_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), cache


@exercise.alternative("a loop over heads, the cache by head")
def _(attention, x_new, cache):
    K, outputs, new_cache = attention.d_head, [], []
    for h in range(attention.n_heads):
        part = slice(h * K, (h + 1) * K)
        q, k, v = (F.linear(x_new, layer.weight[part], layer.bias[part]) for layer in (attention.q_proj, attention.k_proj, attention.v_proj))
        if cache:
            k, v = torch.cat([cache[h][0], k], dim=1), torch.cat([cache[h][1], v], dim=1)
        new_cache.append((k, v))
        scores = q @ k.transpose(1, 2) / K ** 0.5
        mask = causal_mask(*scores.shape[1:])
        outputs.append(torch.where(mask, scores, -torch.inf).softmax(dim=-1) @ v)
    return attention.o_proj(torch.cat(outputs, dim=-1)), new_cache


QKV = "q, k, v = (split_heads(layer(x_new), attention.n_heads) for layer in (attention.q_proj, attention.k_proj, attention.v_proj))"
JOIN_K, JOIN_V = "k = torch.cat([cache[0], k], dim=2)", "v = torch.cat([cache[1], v], dim=2)"
MASK, ATTEND = "mask = causal_mask(q.shape[2], k.shape[2])", "heads, _ = scaled_dot_product_attention(q, k, v, mask)"
RETURN = "return (attention.o_proj(merge_heads(heads)), (k, v))"
HAND = """
def decode_step(attention, x_new, cache):
    B, t, D = x_new.shape
    H, K = attention.n_heads, attention.d_head
    q = attention.q_proj(x_new).view(B, t, H, K).transpose(1, 2)
    k = attention.k_proj(x_new).view(B, t, H, K).transpose(1, 2)
    v = attention.v_proj(x_new).view(B, t, H, K).transpose(1, 2)
    if cache is not None:
        old_k, old_v = cache
        k = torch.cat((old_k, k), dim=2)
        v = torch.cat((old_v, v), dim=2)
    S = k.shape[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    positions = torch.arange(S - t, S)
    allowed = torch.arange(S) <= positions[:, None]
    weights = scores.masked_fill(~allowed, float('-inf')).softmax(dim=-1)
    merged = (weights @ v).transpose(1, 2).reshape(B, t, H * K)
    return attention.o_proj(merged), (k, v)
"""
WIDE = """
def decode_step(attention, x_new, cache):
    q, k, v = attention.q_proj(x_new), attention.k_proj(x_new), attention.v_proj(x_new)
    if cache is not None:
        k = torch.cat([cache['k'], k], dim=1)
        v = torch.cat([cache['v'], v], dim=1)
    cache = {'k': k, 'v': v}
    H = attention.n_heads
    mask = torch.tril(torch.ones(q.shape[1], k.shape[1], dtype=torch.bool), diagonal=k.shape[1] - q.shape[1])
    out = F.scaled_dot_product_attention(split_heads(q, H), split_heads(k, H), split_heads(v, H), attn_mask=mask)
    return attention.o_proj(merge_heads(out)), cache
"""
vary(exercise, None, "by hand with positions", base=HAND)
vary(exercise, None, "a dict of wide keys and values", base=WIDE)


def wrong(mistake, label, *changes, base=None):
    vary(exercise, mistake, label, *changes, base=base)


def axis(mistake, dim, wide=None):
    wrong(mistake, f"dim={dim}", (JOIN_K, JOIN_K.replace("dim=2", f"dim={dim}")), (JOIN_V, JOIN_V.replace("dim=2", f"dim={dim}")))
    wrong(mistake, f"dim={dim}, by hand", ("(old_k, k), dim=2", f"(old_k, k), dim={dim}"), ("(old_v, v), dim=2", f"(old_v, v), dim={dim}"), base=HAND)
    if wide is not None:
        wrong(mistake, f"dim={wide}, of wide keys", ("[cache['k'], k], dim=1", f"[cache['k'], k], dim={wide}"), ("[cache['v'], v], dim=1", f"[cache['v'], v], dim={wide}"), base=WIDE)


axis("joined-in-batch", 0, 0)
for number, mistake in ((0, "joined-in-batch"), (1, "joined-in-heads")):
    wrong(mistake, f"dim={number}, by hand, merged to any width", ("(old_k, k), dim=2", f"(old_k, k), dim={number}"), ("(old_v, v), dim=2", f"(old_v, v), dim={number}"),
          ("reshape(B, t, H * K)", "reshape(B, t, -1)"), base=HAND)
axis("joined-in-heads", 1)
axis("joined-in-width", -1, 2)
wrong("newest-only", "", ("cache is not None", "False"))
wrong("newest-only", "the joined ones are not kept", (JOIN_K, JOIN_K.removeprefix("k = ")), (JOIN_V, JOIN_V.removeprefix("v = ")))
wrong("newest-only", "no cache is returned", (RETURN, "return (attention.o_proj(merge_heads(heads)), None)"))
wrong("newest-only", "the cache is filled but not read", ("    if cache is not None:\n        k = torch.cat([cache['k'], k], dim=1)\n        v = torch.cat([cache['v'], v], dim=1)\n", ""), base=WIDE)
wrong("one-back-only", "", (QKV, QKV + "\n    newest = (k, v)"), (RETURN, RETURN.replace("(k, v))", "newest)")))
wrong("one-back-only", "the last token of the joined ones", (RETURN, RETURN.replace("(k, v))", "(k[:, :, -x_new.shape[1]:], v[:, :, -x_new.shape[1]:]))")))
wrong("one-back-only", "a dict", ("    if cache is not None:", "    newest = {'k': k, 'v': v}\n    if cache is not None:"), ("cache = {'k': k, 'v': v}", "cache = newest"), base=WIDE)
wrong("first-lost", "empty keys to start with", ("    if cache is not None:\n", "    if cache is None:\n        empty = k[:, :, :0]\n        heads, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))\n"
      "        return attention.o_proj(merge_heads(heads)), (empty, empty)\n    else:\n"))
wrong("first-lost", "the first key dropped", ("    if cache is not None:\n", "    if cache is None:\n        heads, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))\n"
      "        return attention.o_proj(merge_heads(heads)), (k[:, :, 1:], v[:, :, 1:])\n    else:\n"))
wrong("cache-not-updated", "", (RETURN, RETURN.replace("(k, v))", "(k, v) if cache is None else cache)")))
wrong("cache-not-updated", "by hand", ("return attention.o_proj(merged), (k, v)", "if cache is None:\n        cache = (k, v)\n    return attention.o_proj(merged), cache"), base=HAND)
wrong("cache-not-updated", "a dict", ("cache = {'k': k, 'v': v}", "cache = cache or {'k': k, 'v': v}"), base=WIDE)
OLD_ONLY = """
def decode_step(attention, x_new, cache):
    q, k, v = (split_heads(p(x_new), attention.n_heads) for p in (attention.q_proj, attention.k_proj, attention.v_proj))
    if cache is None:
        heads = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], q.shape[2]))[0]
        new = (k, v)
    else:
        heads = scaled_dot_product_attention(q, cache[0], cache[1])[0]
        new = (torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2))
    return attention.o_proj(merge_heads(heads)), new
"""
wrong("self-hidden", "joined after attending", base=OLD_ONLY)
wrong("joined-twice", "", (RETURN, RETURN.replace("(k, v))", "(k, v) if cache is None else (torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)))")))
wrong("joined-twice", "the first call's", ("    if cache is not None:\n", "    if cache is None:\n        cache = (k, v)\n    if cache is not None:\n"))
wrong("joined-twice", "the first call's, by hand", ("    if cache is not None:\n        old_k, old_v = cache\n", "    old_k, old_v = (k, v) if cache is None else cache\n    if True:\n"), base=HAND)
wrong("no-mask", "", (ATTEND, ATTEND.replace("mask", "mask=None")))
wrong("no-mask", "by hand", ("scores.masked_fill(~allowed, float('-inf'))", "scores"), base=HAND)
wrong("no-mask", "torch's attention", (", attn_mask=mask", ""), base=WIDE)
wrong("mask-at-start", "", (MASK, "mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril()"))
wrong("mask-at-start", "positions from 0", ("torch.arange(S - t, S)", "torch.arange(t)"), base=HAND)
wrong("mask-at-start", "torch's is_causal", ("attn_mask=mask", "is_causal=True"), base=WIDE)
wrong("mask-at-start", "the first rows of a square", (MASK, "mask = causal_mask(k.shape[2])[:q.shape[2]]"))
wrong("newest-only", "a mask that hides the old ones", (MASK, "mask = F.pad(causal_mask(q.shape[2]), (k.shape[2] - q.shape[2], 0), value=False)"))
wrong("self-hidden", "", (MASK, "mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2] - 1)"))
wrong("self-hidden", "earlier positions only", ("torch.arange(S) <= positions[:, None]", "torch.arange(S) < positions[:, None]"), ("weights = scores.masked_fill(~allowed, float('-inf')).softmax(dim=-1)",
      "weights = scores.masked_fill(~allowed, float('-inf')).softmax(dim=-1).nan_to_num(0.0)"), base=HAND)
wrong("self-hidden", "a triangle too large, filled with a finite number", (".masked_fill(~allowed, float('-inf'))", ".masked_fill(torch.ones(t, S).triu(S - t).bool(), -1e9)"), base=HAND)
wrong("self-hidden", "earlier positions only, with NaN", ("torch.arange(S) <= positions[:, None]", "torch.arange(S) < positions[:, None]"), base=HAND)
wrong("mask-inverted", "", (MASK, "mask = ~causal_mask(q.shape[2], k.shape[2])"))
wrong("mask-inverted", "filled where it may attend", ("masked_fill(~allowed", "masked_fill(allowed"), base=HAND)
wrong("mask-only-for-the-first", "", (MASK, "mask = causal_mask(q.shape[2]) if cache is None else None"))
wrong("mask-only-for-the-first", "torch's is_causal at the first call", ("attn_mask=mask", "is_causal=first"), ("    q, k, v =", "    first = cache is None\n    q, k, v ="), base=WIDE)
wrong("new-before-old", "", ("[cache[0], k]", "[k, cache[0]]"), ("[cache[1], v]", "[v, cache[1]]"))
wrong("new-before-old", "by hand", ("(old_k, k)", "(k, old_k)"), ("(old_v, v)", "(v, old_v)"), base=HAND)
wrong("new-before-old", "in the keys alone", ("[cache[0], k]", "[k, cache[0]]"))
wrong("new-before-old", "in the values alone", ("[cache[1], v]", "[v, cache[1]]"))
wrong("joined-in-width", "keys not joined", (JOIN_K + "\n", "\n"))
wrong("joined-in-width", "values not joined", (JOIN_V, ""))
wrong("joined-in-width", "values not joined, by hand", ("v = torch.cat((old_v, v), dim=2)\n", "\n"), base=HAND)
wrong("exchanged", "in the cache", (RETURN, RETURN.replace("(k, v))", "(v, k))")))
wrong("exchanged", "when unpacked", ("old_k, old_v = cache", "old_v, old_k = cache"), base=HAND)
wrong("exchanged", "the projections", ("(attention.q_proj, attention.k_proj, attention.v_proj)", "(attention.q_proj, attention.v_proj, attention.k_proj)"))
wrong("exchanged", "in the attention", ("(q, k, v, mask)", "(q, v, k, mask)"))
wrong("exchanged", "queries and keys", ("(attention.q_proj, attention.k_proj, attention.v_proj)", "(attention.k_proj, attention.q_proj, attention.v_proj)"))
for name in ('qqv', 'qvv', 'qkk', 'qkq', 'kkv', 'vkv'):
    wrong("wrong-projection", f"queries, keys and values from {', '.join(name)}",
          ("attention.q_proj, attention.k_proj, attention.v_proj", ", ".join(f"attention.{letter}_proj" for letter in name)))
TOKENS = """
def decode_step(attention, x_new, cache):
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    output, _ = attention(x, mask=causal_mask(x.shape[1]))
    return output[:, -x_new.shape[1]:], x
"""
vary(exercise, None, "the whole text again at every call", base=TOKENS)
wrong("all-outputs", "", ("output[:, -x_new.shape[1]:]", "output"), base=TOKENS)
wrong("all-outputs", "queries are cached as well", base="""
def decode_step(attention, x_new, cache):
    new = [split_heads(p(x_new), attention.n_heads) for p in (attention.q_proj, attention.k_proj, attention.v_proj)]
    if cache is not None:
        new = [torch.cat(pair, dim=2) for pair in zip(cache, new)]
    heads, _ = scaled_dot_product_attention(*new, causal_mask(new[0].shape[2]))
    return attention.o_proj(merge_heads(heads)), new
""")
wrong("last-output", "", ("output[:, -x_new.shape[1]:]", "output[:, -1:]"), base=TOKENS)
wrong("last-output", "of the new ones", (RETURN, RETURN.replace("merge_heads(heads))", "merge_heads(heads)[:, -1:])")))
wrong("only-output", "", (RETURN, "return attention.o_proj(merge_heads(heads))"))
wrong("only-output", "keys and values besides", (RETURN, "return attention.o_proj(merge_heads(heads)), k, v"))
wrong("order-of-results", "", (RETURN, "return (k, v), attention.o_proj(merge_heads(heads))"))
wrong("no-output-projection", "", (RETURN, "return merge_heads(heads), (k, v)"))
wrong("projected-twice", "outputs as tokens", ("return output[:, -x_new.shape[1]:], x", "return output[:, -x_new.shape[1]:], output"), base=TOKENS)
wrong("projected-twice", "the newest outputs as tokens", ("return output[:, -x_new.shape[1]:], x", "output = output[:, -x_new.shape[1]:]\n    return output, output if cache is None else torch.cat([cache, output], dim=1)"), base=TOKENS)
wrong("no-heads", "", (QKV, "q, k, v = (layer(x_new)[:, None] for layer in (attention.q_proj, attention.k_proj, attention.v_proj))"))
wrong("no-heads", "scaled by the width of a head", (QKV, "q, k, v = (layer(x_new)[:, None] for layer in (attention.q_proj, attention.k_proj, attention.v_proj))"),
      (ATTEND, ATTEND.replace("(q, k", "(q * attention.n_heads ** 0.5, k")))
wrong("mixed-heads", "view", (".view(B, t, H, K).transpose(1, 2)\n    k", ".view(B, H, t, K)\n    k"), ("k = attention.k_proj(x_new).view(B, t, H, K).transpose(1, 2)", "k = attention.k_proj(x_new).view(B, H, t, K)"),
      ("v = attention.v_proj(x_new).view(B, t, H, K).transpose(1, 2)", "v = attention.v_proj(x_new).view(B, H, t, K)"), base=HAND)
wrong("mixed-heads", "merged by counting on", ("(weights @ v).transpose(1, 2).reshape(B, t, H * K)", "(weights @ v).reshape(B, t, H * K)"), base=HAND)
wrong("mixed-heads", "interleaved", (QKV, "q, k, v = (layer(x_new).unflatten(-1, (-1, attention.n_heads)).permute(0, 3, 1, 2) for layer in (attention.q_proj, attention.k_proj, attention.v_proj))"))
wrong("no-scale", "", (" / math.sqrt(K)", ""), base=HAND)
wrong("no-scale", "torch's attention", ("attn_mask=mask", "attn_mask=mask, scale=1.0"), base=WIDE)
wrong("other-scale", "the full width", ("math.sqrt(K)", "math.sqrt(D)"), base=HAND)
wrong("other-scale", "the width itself", ("math.sqrt(K)", "K"), base=HAND)
wrong("other-scale", "the number of keys", ("math.sqrt(K)", "math.sqrt(S)"), base=HAND)
wrong("head-width", "view", ("H, K = attention.n_heads, attention.d_head", "H = attention.n_heads\n    K = D // H"), base=HAND)
wrong("head-width", "merged to d_model", ("reshape(B, t, H * K)", "reshape(B, t, D)"), base=HAND)
wrong("head-width", "attention.d_model", ("H, K = attention.n_heads, attention.d_head", "H, K = attention.n_heads, attention.d_model // attention.n_heads"), base=HAND)
wrong("cache-or", "", base="""
def decode_step(attention, x_new, cache):
    x = torch.cat([cache, x_new], dim=1) if cache else x_new
    output, _ = attention(x_new, memory=x, mask=causal_mask(x_new.shape[1], x.shape[1]))
    return output, x
""")
wrong("kept-outside", "in the layer", base="""
def decode_step(attention, x_new, cache):
    kept = getattr(attention, 'kept', None)
    x = x_new if kept is None else torch.cat([kept, x_new], dim=1)
    attention.kept = x
    output, _ = attention(x_new, memory=x, mask=causal_mask(x_new.shape[1], x.shape[1]))
    return output, x
""")
wrong("kept-outside", "keys and values in the layer", ("if cache is not None:", "cache = getattr(attention, 'cache', None)\n    if cache is not None:"), (RETURN, "attention.cache = (k, v)\n    " + RETURN))
wrong("one-token-only", "", ("x_new, cache):\n", "x_new, cache):\n    assert x_new.shape[1] == 1, 'one token at a time'\n"))
wrong("one-token-only", "the axis of tokens is dropped", (QKV, "q, k, v = (layer(x_new[:, 0]).unflatten(-1, (attention.n_heads, 1, -1)) for layer in (attention.q_proj, attention.k_proj, attention.v_proj))"))
wrong("one-token-only", "the last one is taken", (QKV, "x_new = x_new[:, -1:]\n    " + QKV))
wrong("one-text-only", "", (QKV, "q, k, v = (split_heads(layer(x_new[:1]), attention.n_heads) for layer in (attention.q_proj, attention.k_proj, attention.v_proj))"))
wrong("bias-left-out", "", ("layer(x_new)", "x_new @ layer.weight.T"))
wrong("bias-left-out", "of the output", (RETURN, "return merge_heads(heads) @ attention.o_proj.weight.T, (k, v)"))
wrong("no-softmax", "", (".softmax(dim=-1)", ""), ("float('-inf')", "0.0"), base=HAND)
wrong("dtype-fixed", "", ("layer(x_new)", "layer(x_new).float()"))
wrong("dtype-fixed", "an output of float32", ("return attention.o_proj(merged)", "return attention.o_proj(merged).float()"), base=HAND)
wrong("changes-input", "", (QKV, QKV + "\n    x_new.mul_(0.5)"))
wrong("changes-input", "set to 0", (RETURN, "x_new[:] = 0\n    " + RETURN))
wrong("ready-made", "the library's cache", base="""
def decode_step(attention, x_new, cache):
    from allyouneed.cache import LayerCache
    if cache is None:
        cache = LayerCache(1000)
    output, _ = attention(x_new, is_causal=True, cache=cache)
    return output, cache
""")
wrong("ready-made", "under another name", base="""
def decode_step(attention, x_new, cache):
    import allyouneed.cache as memory
    store = memory.KeyValueCache(1, 1000) if cache is None else cache
    return attention(x_new, is_causal=True, cache=store[0])[0], store
""")
wrong("mask-inverted", "with a finite number", ("masked_fill(~allowed, float('-inf'))", "masked_fill(allowed, -1e9)"), base=HAND)
wrong("mask-inverted", "added", ("scores.masked_fill(~allowed, float('-inf'))", "(scores + allowed * -1e9)"), base=HAND)
wrong("mask-inverted", "torch's attention", ("attn_mask=mask", "attn_mask=~mask"), base=WIDE)
wrong("order-of-results", "a dict", ("return attention.o_proj(merge_heads(out)), cache", "return cache, attention.o_proj(merge_heads(out))"), base=WIDE)
wrong("kept-outside", "in the function", ("    if cache is not None:\n", "    cache = getattr(decode_step, 'kept', None)\n    if cache is not None:\n"), ("    return attention.o_proj(merged), (k, v)", "    decode_step.kept = (k, v)\n    return attention.o_proj(merged), None"), base=HAND)
wrong("kept-outside", "in an argument", ("x_new, cache):", "x_new, cache, kept=[]):"), ("    if cache is not None:\n", "    cache = kept[-1] if kept else None\n    if cache is not None:\n"), ("    return attention.o_proj(merged), (k, v)", "    kept.append((k, v))\n    return attention.o_proj(merged), None"), base=HAND)
SUMS = """
def decode_step(attention, x_new, cache):
    n_heads, (n_texts, t, _) = attention.n_heads, x_new.shape
    def heads(layer):
        return layer(x_new).view(n_texts, t, n_heads, -1).transpose(1, 2)
    q, k, v = heads(attention.q_proj), heads(attention.k_proj), heads(attention.v_proj)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    scores = torch.einsum('bhik,bhjk->bhij', q, k) * attention.d_head ** -0.5
    later = torch.arange(k.shape[2]) > torch.arange(k.shape[2] - t, k.shape[2])[:, None]
    weights = scores.masked_fill(later, -math.inf).softmax(-1)
    out = torch.einsum('bhij,bhjk->bihk', weights, v).flatten(2)
    return attention.o_proj(out), (k, v)
"""
vary(exercise, None, "sums with named axes", base=SUMS)
for number, mistake in ((0, "joined-in-batch"), (1, "joined-in-heads"), (3, "joined-in-width"), (-1, "joined-in-width")):
    wrong(mistake, f"dim={number}, in sums with named axes", ("[cache[0], k], dim=2", f"[cache[0], k], dim={number}"), ("[cache[1], v], dim=2", f"[cache[1], v], dim={number}"), base=SUMS)
wrong("joined-in-width", "keys not joined, in sums", ("        k = torch.cat([cache[0], k], dim=2)\n", ""), base=SUMS)
wrong("other-scale", "multiplied by the root", (" / math.sqrt(K)", " * math.sqrt(K)"), base=HAND)
wrong("other-scale", "the number of heads", ("math.sqrt(K)", "math.sqrt(H)"), base=HAND)
for name in "qvo":
    wrong("bias-left-out", f"of {name}_proj", (f"attention.{name}_proj(", f"F.linear(bias=None, weight=attention.{name}_proj.weight, input="), base=HAND)
wrong("bias-left-out", "of all", ("layer(x_new).view", "(x_new @ layer.weight.T).view"), base=SUMS)
wrong("bias-left-out", "of all four", ("layer(x_new).view", "(x_new @ layer.weight.T).view"), ("attention.o_proj(out)", "out @ attention.o_proj.weight.T"), base=SUMS)
for fill in ("float('-inf')", "-1e9"):
    wrong("softmax-axis", f"filled with {fill}", (".masked_fill(~allowed, float('-inf')).softmax(dim=-1)", f".masked_fill(~allowed, {fill}).softmax(dim=-2)"), base=HAND)
wrong("softmax-axis", "NaN replaced", (".softmax(dim=-1)", ".softmax(dim=-2).nan_to_num()"), base=HAND)
wrong("softmax-axis", "in sums with named axes", (".softmax(-1)", ".softmax(2)"), base=SUMS)
wrong("head-width", "in the scale alone", ("math.sqrt(K)", "math.sqrt(D / H)"), base=HAND)
wrong("head-width", "in the scale alone, a whole number", ("math.sqrt(K)", "math.sqrt(D // H)"), base=HAND)
wrong("kept-outside", "emptied at the first call", ("    if cache is not None:\n", "    kept = decode_step.__dict__\n    if cache is None:\n        kept.clear()\n    cache = kept.get('pair')\n    if cache is not None:\n"),
      ("    return attention.o_proj(merged), (k, v)", "    kept['pair'] = (k, v)\n    return attention.o_proj(merged), 'on'"), base=HAND)
wrong("kept-outside", "in the layer, emptied at the first call", ("if cache is not None:", "if cache is not None:\n        cache = attention.kept"), (RETURN, "attention.kept = (k, v)\n    " + RETURN))
wrong("last-output", "in later calls", ("    if cache is not None:\n", "    if cache is not None:\n        q, k, v = (new[:, :, -1:] for new in (q, k, v))\n"))
wrong("last-output", "in later calls, the query alone", ("    if cache is not None:\n", "    if cache is not None:\n        q = q[:, :, -1:]\n"))
wrong("last-output", "in later calls, without a mask", ("    if cache is not None:\n", "    if cache is not None:\n        q = q[:, :, -1:]\n"), (MASK, "mask = None if cache is not None else causal_mask(q.shape[2])"))
wrong("no-mask", "one token too far", (MASK, "mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2] + 1)"))
wrong("no-mask", "in the first call", (MASK, "mask = None if cache is None else causal_mask(q.shape[2], k.shape[2])"))
wrong("no-gradient", "attention without gradients", (ATTEND, "with torch.no_grad():\n        " + ATTEND))
wrong("no-gradient", "everything without gradients", (QKV, "x_new = x_new.detach()\n    " + QKV))
wrong("no-gradient", "without gradients for the keys", (ATTEND, ATTEND.replace("(q, k, v", "(q, k.detach(), v.detach()")))
