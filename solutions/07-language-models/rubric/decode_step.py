"""decode_step: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F
from allyouneed.nn.attention import causal_mask, scaled_dot_product_attention
from allyouneed.nn.multihead import merge_heads, split_heads

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "decode_step",
    points={"one token at a time": 3, "several new tokens": 2, "other texts and sizes": 1},
    section="decode-step",
    driver="cached_steps",
    forbid=("Remembering", "CachedModel"),
)


@exercise.probes
def probes(make):
    def spec(d_model, n_heads, pieces, d_head=None, dtype=torch.float32, **more):
        inner = n_heads * (d_head or d_model // n_heads)
        shapes = {"q": (inner, d_model), "k": (inner, d_model), "v": (inner, d_model), "o": (d_model, inner)}
        return more | {"sizes": (d_model, n_heads) + ((d_head,) if d_head else ()), "pieces": pieces,
                "weights": {f"{name}_proj.{kind}": make.randn(*(shape if kind == "weight" else shape[:1]),
                                                              dtype=dtype, scale=0.8)
                            for name, shape in shapes.items() for kind in ("weight", "bias")}}

    def probe(name, given, batch, *, texts=1, **marks):
        dtype = given["weights"]["q_proj.bias"].dtype
        shape = (batch, sum(given["pieces"]), given["sizes"][0])
        return make.probe(name, given, *(make.randn(*shape, dtype=dtype) for _ in range(texts)), **marks)

    group = "one token at a time"
    yield probe("three tokens, one by one", spec(4, 2, (1, 1, 1)), 1, group=group)
    yield probe("several texts, one token at a time", spec(*make.pick((6, 3), (8, 4), (6, 2)), (1, 1, 1, 1)),
                make.pick(2, 3, 4), group=group)
    yield probe("which tokens are projected", spec(4, 2, (3, 1, 1, 1, 1, 1)), 1, group=group, edge=True) | {
        "watch": True}
    group = "several new tokens"
    yield probe("three tokens in one call", spec(4, 2, (3,)), 1, group=group, gradient=True)
    yield probe("a beginning of three tokens, then one by one", spec(4, 2, (3, 1, 1)), 2, group=group,
                edge=True)
    yield probe("two tokens, then three", spec(4, 2, (2, 3)), make.pick(1, 2, 3), group=group, edge=True)
    yield probe("one, two, three, one", spec(*make.pick((6, 2), (6, 3), (8, 2)), (1, 2, 3, 1)), 2,
                group=group, edge=True)
    group = "other texts and sizes"
    yield probe("two texts after each other", spec(4, 2, (2, 1)), 2, texts=2, group=group, edge=True)
    yield probe("two texts in turns", spec(4, 2, (2, 1), turns=True), 1, texts=2, group=group, edge=True)
    yield probe("heads that are wider together",
                spec(*make.pick((5, 2), (7, 2), (5, 3)), (2, 1, 1),
                     d_head=make.pick(4, 5, 3)), 2, group=group, edge=True)
    yield probe("one head", spec(3, 1, (1, 2)), 2, group=group, edge=True)
    yield probe("as many heads as tokens and texts", spec(4, 2, (1, 1)), 2, group=group, edge=True)
    yield probe("float64", spec(4, 2, (2, 1), dtype=torch.float64), 1, group=group, edge=True)
    yield probe("projections that are functions", spec(4, 2, (2, 1, 3), functions=True), 2, group=group,
                edge=True)
    alike = make.randn(1, 1, 4, scale=0.3).repeat(1, 302, 1)
    alike[:, 0] *= -3
    yield make.probe("one token, 300 others, one more", spec(4, 2, (1, 300, 1)), alike, group=group,
                     edge=True)
    yield probe("a long text", spec(4, 2, (120, 1, 20)), 2, group=group, long=True)


@exercise.right
def reference(attention, x_new, cache):
    q, k, v = (split_heads(layer(x_new), attention.n_heads)
               for layer in (attention.q_proj, attention.k_proj, attention.v_proj))
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = causal_mask(q.shape[2], k.shape[2])
    heads, _ = scaled_dot_product_attention(q, k, v, mask)
    return attention.o_proj(merge_heads(heads)), (k, v)


@exercise.right("a dict, and everything by hand")
def dict_everything(attention, x_new, cache):
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


@exercise.right("torch's fast attention with a mask")
def torch_fast(attention, x_new, cache):
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


@exercise.right("keys and values before they are cut into heads")
def keys_values(attention, x_new, cache):
    k, v = attention.k_proj(x_new), attention.v_proj(x_new)
    if cache is not None:
        k, v = (torch.cat(pair, dim=1) for pair in zip(cache, (k, v)))
    H, t, S = attention.n_heads, x_new.shape[1], k.shape[1]
    out, _ = scaled_dot_product_attention(split_heads(attention.q_proj(x_new), H), split_heads(k, H),
                                          split_heads(v, H), causal_mask(t, S))
    return attention.o_proj(merge_heads(out)), (k, v)


@exercise.right("one new token after the other, lists of keys")
def one_new(attention, x_new, cache):
    keys, values = ([], []) if cache is None else cache
    keys, values, outputs = list(keys), list(values), []
    new = (split_heads(p(x_new), attention.n_heads).split(1, dim=2)
           for p in (attention.q_proj, attention.k_proj, attention.v_proj))
    for q, k, v in zip(*new):
        keys.append(k)
        values.append(v)
        heads, _ = scaled_dot_product_attention(q, torch.cat(keys, dim=2), torch.cat(values, dim=2))
        outputs.append(attention.o_proj(merge_heads(heads)))
    return torch.cat(outputs, dim=1), (keys, values)


@exercise.right("one tensor of keys and values, einsum")
def one_tensor(attention, x_new, cache):
    B, t, D = x_new.shape
    H = attention.n_heads
    q = attention.q_proj(x_new).reshape(B, t, H, -1)
    kv = torch.stack([attention.k_proj(x_new).reshape(B, t, H, -1),
                      attention.v_proj(x_new).reshape(B, t, H, -1)])
    cache = kv if cache is None else torch.cat([cache, kv], dim=2)
    k, v = cache
    S = k.shape[1]
    scores = torch.einsum("bthk,bshk->bhts", q, k) * q.shape[-1] ** -0.5
    future = torch.triu(torch.ones(t, S, dtype=torch.bool), diagonal=S - t + 1)
    weights = scores.masked_fill(future, torch.finfo(scores.dtype).min).softmax(-1)
    return attention.o_proj(torch.einsum("bhts,bshk->bthk", weights, v).reshape(B, t, -1)), cache


@exercise.right("a growing buffer that is written in place")
def growing(attention, x_new, cache):
    B, t, _ = x_new.shape
    H, K = attention.n_heads, attention.d_head
    if cache is None:
        cache = {"kv": x_new.new_zeros(2, B, H, 512, K), "n": 0}
    n, kv = cache["n"], cache["kv"]
    kv[0, :, :, n:n + t] = split_heads(attention.k_proj(x_new), H)
    kv[1, :, :, n:n + t] = split_heads(attention.v_proj(x_new), H)
    cache["n"] = n + t
    heads, _ = scaled_dot_product_attention(split_heads(attention.q_proj(x_new), H), kv[0, :, :, :n + t],
                                            kv[1, :, :, :n + t], causal_mask(t, n + t))
    return attention.o_proj(merge_heads(heads)), cache


@exercise.right("a list that grows in place, a detached cache")
def list_grows(attention, x_new, cache):
    cache = [] if cache is None else cache
    pair = tuple(split_heads(layer(x_new), attention.n_heads)
                 for layer in (attention.k_proj, attention.v_proj))
    k, v = (torch.cat([*(old[i] for old in cache), pair[i]], dim=2) for i in range(2))
    cache.append(tuple(item.detach() for item in pair))
    q = split_heads(attention.q_proj(x_new), attention.n_heads)
    mask = causal_mask(q.shape[2], k.shape[2])
    return attention.o_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), cache


@exercise.right("a loop over heads, the cache by head")
def loop(attention, x_new, cache):
    K, outputs, new_cache = attention.d_head, [], []
    new = [layer(x_new) for layer in (attention.q_proj, attention.k_proj, attention.v_proj)]
    for h in range(attention.n_heads):
        q, k, v = (wide[..., h * K : (h + 1) * K] for wide in new)
        if cache:
            k, v = torch.cat([cache[h][0], k], dim=1), torch.cat([cache[h][1], v], dim=1)
        new_cache.append((k, v))
        scores = q @ k.transpose(1, 2) / K ** 0.5
        mask = causal_mask(*scores.shape[1:])
        outputs.append(torch.where(mask, scores, -torch.inf).softmax(dim=-1) @ v)
    return attention.o_proj(torch.cat(outputs, dim=-1)), new_cache


@exercise.right("by hand with positions")
def hand(attention, x_new, cache):
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
    weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
    merged = (weights @ v).transpose(1, 2).reshape(B, t, H * K)
    return attention.o_proj(merged), (k, v)


@exercise.right("a dict of wide keys and values")
def dict_wide(attention, x_new, cache):
    q, k, v = attention.q_proj(x_new), attention.k_proj(x_new), attention.v_proj(x_new)
    if cache is not None:
        k = torch.cat([cache["k"], k], dim=1)
        v = torch.cat([cache["v"], v], dim=1)
    cache = {"k": k, "v": v}
    H = attention.n_heads
    mask = torch.tril(
        torch.ones(q.shape[1], k.shape[1], dtype=torch.bool), diagonal=k.shape[1] - q.shape[1]
    )
    out = F.scaled_dot_product_attention(
        split_heads(q, H), split_heads(k, H), split_heads(v, H), attn_mask=mask
    )
    return attention.o_proj(merge_heads(out)), cache


@exercise.right("sums with named axes")
def sums_named(attention, x_new, cache):
    n_heads, (n_texts, t, _) = attention.n_heads, x_new.shape

    def heads(layer):
        return layer(x_new).view(n_texts, t, n_heads, -1).transpose(1, 2)

    q, k, v = heads(attention.q_proj), heads(attention.k_proj), heads(attention.v_proj)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    scores = torch.einsum("bhik,bhjk->bhij", q, k) * attention.d_head ** (-0.5)
    later = torch.arange(k.shape[2]) > torch.arange(k.shape[2] - t, k.shape[2])[:, None]
    weights = scores.masked_fill(later, -math.inf).softmax(-1)
    out = torch.einsum("bhij,bhjk->bihk", weights, v).flatten(2)
    return attention.o_proj(out), (k, v)


SPLIT_HEADS = "split_heads(layer(x_new), attention.n_heads)"


def whole_text(attention, x_new, cache):
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    output, _ = attention(x, mask=causal_mask(x.shape[1]))
    return output[:, -x_new.shape[1] :], x


def keys_again(attention, x_new, cache):
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    output, _ = attention(x_new, memory=x, mask=causal_mask(x_new.shape[1], x.shape[1]))
    return output, x


def kept_tokens(attention, x_new, cache):
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    q, k, v = (split_heads(layer(text), attention.n_heads) for layer, text in (
        (attention.q_proj, x_new), (attention.k_proj, x), (attention.v_proj, x)))
    heads, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))
    return attention.o_proj(merge_heads(heads)), x


def copied_weights(attention, x_new, cache):
    tokens = [] if cache is None else list(cache)
    tokens += x_new.split(1, dim=1)
    weights = {name: getattr(attention, f"{name}_proj").weight.detach().clone() for name in "qkv"}
    q, k, v = (
        split_heads(
            torch.cat([token @ weights[name].T for token in tokens], dim=1)
            + getattr(attention, f"{name}_proj").bias,
            attention.n_heads,
        )
        for name in "qkv"
    )
    t = x_new.shape[1]
    heads, _ = scaled_dot_product_attention(q[:, :, -t:], k, v, causal_mask(t, len(tokens)))
    return attention.o_proj(merge_heads(heads)), tokens


exercise.mistake("computes-again", "decode-step",
    "The output is right, but older tokens are projected again at every call: the cache holds the tokens "
    "themselves, or the whole text is computed anew. Keep the keys and values, and project the new tokens "
    "alone.",
    full(whole_text, "the whole text"),
    full(keys_again, "keys and values of the whole text"),
    full(kept_tokens, "the projections called for all tokens"),
    full(copied_weights, "copies of the weights, token by token"))

exercise.mistake("reaches-for-weights", "decode-step",
    "A projection's weight or bias is taken by hand. A projection may be a plain function, which has "
    "neither: call it.",
    edit(reference, {"layer(x_new)": "F.linear(x_new, layer.weight, layer.bias)"}))

exercise.mistake("projected-one-by-one", "decode-step",
    "The projections are called for one token after the other. Call each of them once, on all of x_new.",
    edit(reference, {"layer(x_new)": "torch.cat([layer(x) for x in x_new.split(1, dim=1)], dim=1)"}))

exercise.mistake("cache-cut-off", "decode-step",
    "In a long text the oldest keys and values are dropped from the cache. A token sees everything before "
    "it: keep them all.",
    edit(reference, {"(k, v)": "(k[:, :, -128:], v[:, :, -128:])"}))

exercise.mistake("joined-in-batch", "decode-step",
    "The old and new keys and values are joined along the batch. Join them along the axis of tokens.",
    edit(reference, {every("=2"): "=0"}, "dim=0"),
    edit(hand, {every("=2"): "=0"}, "dim=0, by hand"),
    edit(dict_wide, {every("=1"): "=0"}, "dim=0, of wide keys"),
    edit(hand, {every("=2"): "=0", "H * K": "-1"}, "dim=0, by hand, merged to any width"),
    edit(sums_named, {every("=2"): "=0"}, "dim=0, in sums with named axes"))

exercise.mistake("joined-in-heads", "decode-step",
    "The old and new keys and values are joined along the heads. Join them along the axis of tokens.",
    edit(reference, {every("=2"): "=1"}, "dim=1"),
    edit(hand, {every("=2"): "=1"}, "dim=1, by hand"),
    edit(sums_named, {every("=2"): "=1"}, "dim=1, in sums with named axes"),
    edit(hand, {every("=2"): "=1", 'scores.masked_fill(~allowed, float("-inf"))': "scores"},
         "dim=1, by hand, without a mask"))

exercise.mistake("joined-in-width", "decode-step",
    "After the first call, queries, keys and values do not fit together. Both keys and values must be "
    "joined with the old ones, and along the axis of tokens, not along the width.",
    edit(reference, {every("=2"): "=-1"}, "dim=-1"),
    edit(hand, {every("=2"): "=-1"}, "dim=-1, by hand"),
    edit(dict_wide, {every("=1"): "=2"}, "dim=2, of wide keys"),
    edit(reference, {"k = torch.cat([cache[0], k], dim=2)": ""}, "keys not joined"),
    edit(reference, {"v = torch.cat([cache[1], v], dim=2)": ""}, "values not joined"),
    edit(hand, {"v = torch.cat((old_v, v), dim=2)": ""}, "values not joined, by hand"),
    edit(sums_named, {every("=2"): "=3"}, "dim=3, in sums with named axes"),
    edit(sums_named, {"k = torch.cat([cache[0], k], dim=2)": ""}, "keys not joined, in sums"))

exercise.mistake("newest-only", "decode-step",
    "The new tokens see nothing of the old ones: what the cache holds is not joined to their keys and "
    "values, or the mask hides it.",
    edit(reference, {"cache is not None": "False"}))

exercise.mistake("one-back-only", "decode-step",
    "The cache keeps only the last call's keys and values, so older tokens are forgotten. Return the "
    "joined ones.",
    edit(reference, {"if": "newest = k, v\nif", "(k, v)": "newest"}))

exercise.mistake("first-lost", "decode-step",
    "The first call's tokens are forgotten: where cache is None, return their keys and values as the cache "
    "too.",
    edit(reference, {" not": "",
                     "None:": "None:\n"
                              "    empty = k[:, :, :0]\n"
                              "    heads, _ = scaled_dot_product_attention(q, k, v, "
                              "causal_mask(q.shape[2], k.shape[2]))\n"
                              "    return attention.o_proj(merge_heads(heads)), (empty, empty)\n"
                              "else:"}, "empty keys to start with"),
    edit(reference, {" not": "",
                     "None:":
                     "None:\n"
                     "    heads, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], "
                     "k.shape[2]))\n"
                     "    return attention.o_proj(merge_heads(heads)), (k[:, :, 1:], v[:, :, 1:])\n"
                     "else:"}, "the first key dropped"))

exercise.mistake("cache-not-updated", "decode-step",
    "The cache that comes back is the first call's, without what came later. Return the joined keys and "
    "values.",
    edit(reference, {"(k, v)": "(k, v) if cache is None else cache"}))


def self(attention, x_new, cache):
    q, k, v = (
        split_heads(p(x_new), attention.n_heads)
        for p in (attention.q_proj, attention.k_proj, attention.v_proj)
    )
    if cache is None:
        heads = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], q.shape[2]))[0]
        new = k, v
    else:
        heads = scaled_dot_product_attention(q, cache[0], cache[1])[0]
        new = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    return attention.o_proj(merge_heads(heads)), new


exercise.mistake("self-hidden", "several-new-tokens",
    "A new token does not see itself. Its own key and value must be joined before it attends, and the mask "
    "must not hide them.",
    edit(reference, {"causal_mask": "torch.ones",
                     "shape[2])": "shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2] - 1)"}),
    full(self, "joined after attending"),
    edit(hand, {'~allowed, float("-inf")': "torch.ones(t, S).triu(S - t).bool(), -1000000000.0"},
         "a triangle too large, filled with a finite number"),
    edit(hand, {"(S) <=": "(S) <"}, "earlier positions only, with NaN"))

exercise.mistake("joined-twice", "decode-step",
    "Some keys and values are in the cache twice. Join the new ones to the old ones once a call.",
    edit(reference, {"return": "return(",
                     "(k, v)":
                     "(k, v) if cache is None else (torch.cat([cache[0], k], 2), torch.cat([cache[1], v], "
                     "2)), )"}),
    edit(reference, {"if": "if cache is None:\n"
                           "    cache = k, v\n"
                           "if"}, "the first call's"))

exercise.mistake("no-mask", "several-new-tokens",
    "A new token sees the future of its own call, in part or all of it. Give the attention a causal mask: "
    "the t new queries are the last of all S keys.",
    edit(reference, {"v, mask": "v, mask =None"}),
    edit(reference, {"causal_mask": "torch.ones",
                     "shape[2])": "shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2] + 1)"},
         "one token too far"),
    edit(reference, {"mask =": "mask = None if cache is None else"}, "in the first call"))

exercise.mistake("mask-at-start", "several-new-tokens",
    "The causal mask is aligned at the first key, as if the new tokens stood at the start of the text. "
    "They are the last t of S positions: causal_mask(t, S).",
    edit(hand, {"S - t, S": "t"}))

exercise.mistake("mask-inverted", "several-new-tokens",
    "The mask works the wrong way round: True means that the query may attend.",
    edit(reference, {"mask =": "mask = ~"}),
    edit(hand, {"~allowed": "allowed"}, "filled where it may attend"),
    edit(hand, {'~allowed, float("-inf")': "allowed, -1000000000.0"}, "with a finite number"),
    edit(hand, {'scores.masked_fill(~allowed, float("-inf"))': "(scores + allowed * -1000000000.0)"},
         "added"))

exercise.mistake("mask-only-for-the-first", "several-new-tokens",
    "The causal mask is missing in later calls. Several new tokens may come at any time.",
    edit(reference, {"2], k.shape[2])": "2]) if cache is None else None"}))

exercise.mistake("new-before-old", "decode-step",
    "The new keys and values are put in front of the old ones. The text goes on at the end.",
    edit(reference, {"cache[0], k": "k, cache[0]", "cache[1], v": "v, cache[1]"}),
    edit(reference, {"cache[0], k": "k, cache[0]"}, "in the keys alone"),
    edit(reference, {"cache[1], v": "v, cache[1]"}, "in the values alone"))

exercise.mistake("exchanged", "decode-step",
    "Two of queries, keys and values are exchanged, at the projections or when they come from the cache.",
    edit(reference, {"(k, v)": "(v, k)"}, "in the cache"),
    edit(hand, {"old_k, old_v": "old_v, old_k"}, "when unpacked"),
    edit(reference, {"k, v,": "v, k,"}, "in the attention"),
    edit(reference, {"q_proj": "k_proj", "k_proj": "q_proj"}, "queries and keys"))

exercise.mistake("wrong-projection", "decode-step",
    "One of the three projections is used twice. Queries come from q_proj, keys from k_proj, values from "
    "v_proj.",
    edit(reference, {"k_proj": "q_proj"}, "queries, keys and values from q, q, v"),
    edit(reference, {"k_proj": "v_proj"}, "queries, keys and values from q, v, v"),
    edit(reference, {"v_proj": "k_proj"}, "queries, keys and values from q, k, k"),
    edit(reference, {"v_proj": "q_proj"}, "queries, keys and values from q, k, q"),
    edit(reference, {"q_proj": "k_proj"}, "queries, keys and values from k, k, v"),
    edit(reference, {"q_proj": "v_proj"}, "queries, keys and values from v, k, v"))

exercise.mistake("all-outputs", "decode-step",
    "The outputs of old tokens come back as well. Return those of the new tokens only, (B, t, D).",
    full("x = x_new if cache is None else torch.cat([cache, x_new], dim=1)\n"
         "return attention(x, mask=causal_mask(x.shape[1]))[0], x"))

exercise.mistake("last-output", "several-new-tokens",
    "Only the last new token's output comes back, perhaps in later calls alone. Return one for each new "
    "token, (B, t, D).",
    edit(reference, {"merge_heads(heads))": "merge_heads(heads))[:, -1:]"}),
    edit(reference, {"None:": "None:\n    q, k, v = (new[:, :, -1:] for new in (q, k, v))"},
         "in later calls"),
    edit(reference, {"None:": "None:\n    q = q[:, :, -1:]"}, "in later calls, the query alone"))

exercise.mistake("only-output", "decode-step",
    "The cache does not come back, or not as one value. Return two values: the output, then the cache.",
    edit(reference, {", (k, v)": ""}),
    edit(reference, {"(k, v)": "k, v"}, "keys and values besides"))

exercise.mistake("order-of-results", "decode-step",
    "The cache comes first. Return the output first, then the cache.",
    edit(reference, {"return": "return(k, v),", ", (k, v)": ""}))

exercise.mistake("no-output-projection", "decode-step",
    "The output projection is not applied. Merge the heads, then send them through attention.o_proj.",
    edit(reference, {"attention.o_proj(merge_heads(heads))": "merge_heads(heads)"}))

exercise.mistake("projected-twice", "decode-step",
    "What is in the cache is projected again. Keep either the tokens or their keys and values, not a "
    "mixture.",
    full("x = x_new if cache is None else torch.cat([cache, x_new], dim=1)\n"
         "output, _ = attention(x, mask=causal_mask(x.shape[1]))\n"
         "return output[:, -x_new.shape[1]:], output", "outputs as tokens"),
    full("x = x_new if cache is None else torch.cat([cache, x_new], dim=1)\n"
         "output = attention(x, mask=causal_mask(x.shape[1]))[0][:, -x_new.shape[1]:]\n"
         "return output, output if cache is None else torch.cat([cache, output], dim=1)",
         "the newest outputs as tokens"))

exercise.mistake("no-heads", "decode-step",
    "There is one attention over the full width. Cut queries, keys and values into attention.n_heads heads "
    "first.",
    edit(reference, {SPLIT_HEADS: "layer(x_new)[:, None]"}),
    edit(reference, {SPLIT_HEADS: "layer(x_new)[:, None]",
                     "q, k, v,": "q * attention.n_heads**0.5, k, v,"}, "scaled by the width of a head"))

exercise.mistake("mixed-heads", "decode-step",
    "Cutting into heads, or merging them, mixes the tokens: exchange the axes of tokens and heads, which a "
    "new shape alone does not do.",
    edit(hand, {"q_proj(x_new).view(B, t, H, K).transpose(1, 2)": "q_proj(x_new).view(B, H, t, K)",
                "k_proj(x_new).view(B, t, H, K).transpose(1, 2)": "k_proj(x_new).view(B, H, t, K)",
                "v_proj(x_new).view(B, t, H, K).transpose(1, 2)": "v_proj(x_new).view(B, H, t, K)"}, "view"),
    edit(hand, {"v).transpose(1, 2": "v"}, "merged by counting on"),
    edit(reference, {SPLIT_HEADS: "layer(x_new).unflatten(-1, (-1, attention.n_heads)).permute(0, 3, 1, 2)"},
         "interleaved"))

exercise.mistake("no-scale", "decode-step",
    "The scores are not scaled. Divide them by the root of the width of a head, attention.d_head.",
    edit(hand, {" / math.sqrt(K)": ""}),
    edit(dict_wide, {"=mask": "=mask, scale=1.0"}, "torch's attention"))

exercise.mistake("other-scale", "decode-step",
    "The scores are scaled by a wrong number. Divide them by the root of the width of a head, "
    "attention.d_head.",
    edit(hand, {"sqrt(K)": "sqrt(D)"}, "the full width"),
    edit(hand, {"math.sqrt(K)": "K"}, "the width itself"),
    edit(hand, {"sqrt(K)": "sqrt(S)"}, "the number of keys"),
    edit(hand, {"/ math": "* math"}, "multiplied by the root"),
    edit(hand, {"sqrt(K)": "sqrt(H)"}, "the number of heads"))

exercise.mistake("head-width", "decode-step",
    "The width of a head is computed from d_model, for its shape or for the scale. It can be any number: "
    "take attention.d_head, or the last axis after split_heads.",
    edit(hand, {"H * K": "D"}, "merged to d_model"),
    edit(hand, {"d_head": "d_model // attention.n_heads"}, "attention.d_model"),
    edit(hand, {"sqrt(K)": "sqrt(D / H)"}, "in the scale alone"),
    edit(hand, {"sqrt(K)": "sqrt(D // H)"}, "in the scale alone, a whole number"))

exercise.mistake("cache-or", "decode-step", "A tensor has no truth value: ask whether cache is None.",
    full("x = torch.cat([cache, x_new], dim=1) if cache else x_new\n"
         "output, _ = attention(x_new, memory=x, mask=causal_mask(x_new.shape[1], x.shape[1]))\n"
         "return output, x"))

exercise.mistake("kept-outside", "decode-step",
    "Something is kept outside the cache, so one text meets what another has left behind. All memory comes "
    "in by cache, and goes out by it.",
    edit(reference, {"if": 'cache = getattr(attention, "cache", None)\nif',
                     "return": "attention.cache = k, v\nreturn"}, "keys and values in the layer"),
    edit(reference, {"None:": "None:\n    cache = attention.kept",
                     "return": "attention.kept = k, v\nreturn"}, "in the layer, emptied at the first call"))

exercise.mistake("one-token-only", "several-new-tokens",
    "It works for one new token only. t new tokens may come at once.",
    edit(reference, {"q, k, v =": 'assert x_new.shape[1] == 1, "one token at a time"\nq, k, v ='}),
    edit(reference, {SPLIT_HEADS: "layer(x_new[:, 0]).unflatten(-1, (attention.n_heads, 1, -1))"},
         "the axis of tokens is dropped"),
    edit(reference, {"q, k, v =": "x_new = x_new[:, -1:]\nq, k, v ="}, "the last one is taken"))

exercise.mistake("one-text-only", "decode-step", "It works for one text only. B texts may come at once.",
    edit(reference, {"(x_new)": "(x_new[:1])"}))

exercise.mistake("bias-left-out", "decode-step",
    "A projection's bias is left out. Call the layer, or add its bias.",
    edit(reference, {"layer(x_new)": "x_new @ layer.weight.T"}),
    edit(reference, {"attention.o_proj(merge_heads(heads))":
                     "merge_heads(heads) @ attention.o_proj.weight.T"}, "of the output"),
    edit(hand, {"q = attention.q_proj(x_new)":
                "q = F.linear(bias=None, weight=attention.q_proj.weight, input=x_new)"}, "of q_proj"),
    edit(hand, {"v = attention.v_proj(x_new)":
                "v = F.linear(bias=None, weight=attention.v_proj.weight, input=x_new)"}, "of v_proj"),
    edit(sums_named, {"layer(x_new)": "(x_new @ layer.weight.T)",
                      "attention.o_proj(out)": "out @ attention.o_proj.weight.T"}, "of all four"))

exercise.mistake("no-softmax", "decode-step",
    "The scores are used as weights without a softmax. Take it over the keys.",
    edit(hand, {'float("-inf")).softmax(dim=-1)': "0.0)"}))

exercise.mistake("dtype-fixed", "decode-step",
    "float64 inputs fail or do not give float64 results: some tensor is made or cast as float32.",
    edit(reference, {"(x_new)": "(x_new).float()"}),
    edit(hand, {"(merged)": "(merged).float()"}, "an output of float32"))

exercise.mistake("softmax-axis", "decode-step",
    "The softmax runs over the queries. The weights of one query must sum to 1 over the keys, the last "
    "axis of the scores.",
    edit(hand, {"dim=-1": "dim=-2"}, "filled with float('-inf')"))

exercise.built_in("changes-input",
    edit(reference, {"if": "x_new.mul_(0.5)\nif"}))

exercise.built_in("ready-made",
    full("from allyouneed.nn.attention import Causal, scaled_dot_product_attention\n"
         "from allyouneed.nn.cache import Remembering\n"
         "\n"
         "if cache is None:\n"
         "    cache = Remembering(Causal(scaled_dot_product_attention), 1000)\n"
         "attention.attend = cache\n"
         "return attention(x_new)[0], cache", "the library's cache"),
    full("import allyouneed.nn.cache as memory\n"
         "from allyouneed.nn.attention import Causal\n"
         "\n"
         "store = memory.Remembering(Causal(), 1000) if cache is None else cache\n"
         "attention.attend = store\n"
         "return attention(x_new)[0], store", "under another name"))

exercise.built_in("no-gradient",
    edit(reference, {"q, k, v =": "x_new = x_new.detach()\nq, k, v ="}, "everything without gradients"),
    edit(reference, {"k, v,": "k.detach(), v.detach(),"}, "without gradients for the keys"))

exercise.equal("there is a value for each key", {
    "k.shape": "v.shape", "cache[0]": ("cache[1]", "cache[-1]")})
exercise.equal("an axis may be counted from either end", {"flatten(-2)": "flatten(2)", "dim=2": "dim=-2"})
exercise.equal("a slice beyond the last place is empty", {
    "x_new.shape[1]": "x_new.shape[1] + 1", "attention.n_heads": "attention.n_heads + 1"})
exercise.equal(
    "a cache may grow in place, as in a right version, and a buffer may have places to spare", {
    "list(keys)": "keys", "list(values)": "values", "zeros(2,": "zeros(3,", "512": ("513", "511")})
exercise.equal("no gradient through the cache is asked for", {"item.detach()": "item"})
