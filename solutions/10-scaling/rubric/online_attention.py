"""online_attention: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, Relation, edit, every, full

exercise = Exercise(
    "online_attention",
    points={"block by block": 4, "large scores": 2},
    section="online-softmax",
    driver="keys_at_once",
    forbid=("blockwise_attention", "local_attention", "scaled_dot_product_attention",
            "multi_head_attention_forward", "MultiheadAttention",
            "MultiHeadAttention", "flash_attention", "flex_attention", "_scaled_dot_product_attention_math",
            "fused_attention"),
    properties=[{"rule": "finite"}],
    relations=[
        Relation("in short blocks", "in one block",
                 "With another block size another result comes back; it must not depend on the block size.")],
)


@exercise.probes
def probes(make):
    def three(*leading, T, S, K, D, dtype=torch.float32, scale=1.5):
        return (make.randn(*leading, T, K, dtype=dtype, scale=scale),
                make.randn(*leading, S, K, dtype=dtype), make.randn(*leading, S, D, dtype=dtype))

    def shifted(heights, T, K, D, dtype=torch.float64):
        """Queries, keys and values whose scores are `heights`, (T, S), and a little more."""
        heights = torch.as_tensor(heights, dtype=torch.float64)
        left, size, right = torch.linalg.svd(heights, full_matrices=False)
        rank = int((size > 1e-9 * size[0]).sum())
        q, k = make.randn(T, K, dtype=torch.float64), make.randn(heights.shape[1], K, dtype=torch.float64)
        q[:, :rank] = left[:, :rank] * size[:rank].sqrt() * K**0.25
        k[:, :rank] = right[:rank].T * size[:rank].sqrt() * K**0.25
        return q.to(dtype), k.to(dtype), make.randn(heights.shape[1], D, dtype=dtype)

    core, large = {"group": "block by block"}, {"group": "large scores"}
    yield make.probe("four keys, two at a time", *three(T=2, S=4, K=3, D=5), 2, **core)
    yield make.probe("a short last block", *three(T=3, S=make.pick(7, 10, 13), K=5, D=4), make.pick(3, 4, 5),
                     **core)
    yield make.probe("batch and heads", *three(2, 3, T=5, S=make.pick(9, 11, 14), K=6, D=7), 4, gradient=True,
                     **core)
    yield make.probe("one leading axis", *three(4, T=3, S=make.pick(8, 11, 14), K=6, D=2), make.pick(5, 4, 6),
                     edge=True, **core)
    once = three(T=3, S=make.pick(6, 8, 10), K=4, D=5)
    yield make.probe("in one block", *once, make.pick(7, 9, 11), **core)
    yield make.probe("in short blocks", *once, make.pick(2, 3, 4), **core)
    yield make.probe("one key a block", *three(T=2, S=5, K=4, D=3), 1, edge=True, **core)
    yield make.probe("one query", *three(2, T=1, S=7, K=3, D=4), 3, edge=True, **core)
    yield make.probe("batch 1", *three(1, 2, T=3, S=8, K=5, D=4), 3, edge=True, **core)
    yield make.probe("one key", *three(T=3, S=1, K=2, D=4), 2, edge=True, **core)
    yield make.probe("all sizes equal", *three(4, 4, T=4, S=4, K=4, D=4), 2, edge=True, gradient=True, **core)
    yield make.probe("float64", *three(2, T=3, S=7, K=5, D=4, dtype=torch.float64), 2, edge=True,
                     gradient=True, **core)
    yield make.probe("not contiguous", *three(2, 3, T=4, S=7, K=5, D=6), 3, edge=True, strided=True, **core)
    yield make.probe("a long sequence", *three(2, T=3, S=make.pick(150, 170, 200), K=8, D=4), 32, long=True,
                     **core)
    sizes = make.pick((3, 37, 11, 4, 6), (2, 59, 9, 5, 7), (3, 47, 8, 5, 6))
    yield make.probe("how many keys are scored at once",
                     *three(T=sizes[0], S=sizes[1], K=sizes[2],
                            D=sizes[3]), sizes[4], **core) | {"watch": True}
    # two keys at a time, and more queries than that: a step of one's own, or of the queries, shows here
    sizes = make.pick((7, 41, 11, 4), (8, 53, 9, 5), (9, 43, 8, 5))
    yield make.probe("how many keys are scored at once, two allowed",
                     *three(T=sizes[0], S=sizes[1], K=sizes[2], D=sizes[3]), 2, **core) | {"watch": True}

    ramp = torch.arange(make.pick(6, 7, 9)) * 1000.0
    yield make.probe("scores that grow by a thousand a key", *shifted(ramp.expand(2, -1) - 3000, 2, 5, 3), 2,
                     **large)
    yield make.probe("scores that fall by a thousand a key", *shifted(-ramp.expand(2, -1) + 3000, 2, 5, 3), 2,
                     **large)
    yield make.probe("scores near 1000", *shifted(torch.full((3, make.pick(7, 8, 10)), 1000.0), 3, 5, 4), 3,
                     **large)
    yield make.probe("scores near -1000", *shifted(torch.full((3, make.pick(7, 8, 10)), -1000.0), 3, 5, 4), 3,
                     **large)
    apart = torch.tensor([[1000.0], [-1000.0], [0.0]]).expand(3, make.pick(7, 8, 10))
    yield make.probe("one query's scores near 1000, another's near -1000", *shifted(apart, 3, 5, 4), 3,
                     **large)
    rows = [shifted(torch.full((2, 5), height), 2, 4, 3) for height in (600.0, -600.0)]
    yield make.probe("one text's scores near 600, another's near -600",
                     *(torch.stack(parts) for parts in zip(*rows)), make.pick(2, 3, 4), **large)
    more = make.pick((), (5.0, 3.0), (5.0, 0.0, 2.0, -3.0))
    mixed = torch.tensor([0.0, 10.0, -1000.0, 1000.0, 20.0, 5.0, *more])
    yield make.probe("one key far above and one far below, in one block",
                     *shifted(mixed.expand(2, -1), 2, 5, 3), 2, edge=True, **large)
    yield make.probe("scores near 120, float32",
                     *shifted(torch.full((2, 5), 120.0), 2, 4, 3,
                              dtype=torch.float32), 2, edge=True, gradient=True, **large)


@exercise.right
def reference(q, k, v, block):
    scale = 1 / math.sqrt(q.shape[-1])
    top = torch.full((*q.shape[:-1], 1), -math.inf, dtype=q.dtype)
    mass = torch.zeros_like(top)
    mixed = torch.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    for start in range(0, k.shape[-2], block):
        part = slice(start, start + block)
        scores = q @ k[..., part, :].transpose(-1, -2) * scale
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        powers = torch.exp(scores - new_top)
        fade = torch.exp(top - new_top)
        mass = mass * fade + powers.sum(dim=-1, keepdim=True)
        mixed = mixed * fade + powers @ v[..., part, :]
        top = new_top
    return mixed / mass


@exercise.right("split, a first block of its own")
def split_first(q, k, v, block):
    d = q.size(-1)
    m = l = o = None
    for ks, vs in zip(torch.split(k, block, dim=-2), torch.split(v, block, dim=-2)):
        s = torch.einsum("...td,...sd->...ts", q, ks) / d ** 0.5
        m_block = s.max(dim=-1).values
        if m is None:
            m = m_block
            p = (s - m[..., None]).exp()
            l, o = p.sum(-1), torch.einsum("...ts,...sd->...td", p, vs)
            continue
        m_new = torch.where(m > m_block, m, m_block)
        p = (s - m_new[..., None]).exp()
        r = (m - m_new).exp()
        l = r * l + p.sum(-1)
        o = r[..., None] * o + torch.einsum("...ts,...sd->...td", p, vs)
        m = m_new
    return o / l[..., None]


@exercise.right("blocks on scales of their own, joined at the end")
def blocks(q, k, v, block):
    def attend_block(keys, values):
        scores = torch.matmul(q, keys.mT) / math.sqrt(q.shape[-1])
        m = scores.max(-1, keepdim=True)[0]
        e = torch.exp(scores - m)
        return m, e.sum(-1, keepdim=True), torch.matmul(e, values)

    parts = [attend_block(k[..., i:i + block, :], v[..., i:i + block, :])
             for i in range(0, k.shape[-2], block)]
    m = torch.cat([part[0] for part in parts], dim=-1).amax(-1, keepdim=True)
    total = sum(torch.exp(part[0] - m) * part[1] for part in parts)
    mixed = sum(torch.exp(part[0] - m) * part[2] for part in parts)
    return mixed / total


@exercise.right("maximum first, sums in a second pass")
def maximum_first(q, k, v, block):
    q = q * q.shape[-1] ** -0.5
    starts = list(range(0, k.size(-2), block))
    m = None
    for i in starts:
        here = (q @ k[..., i:i + block, :].mT).amax(-1)
        m = here if m is None else torch.max(m, here)
    num = den = 0
    for i in starts:
        e = torch.exp(q @ k[..., i:i + block, :].mT - m.unsqueeze(-1))
        num, den = num + e @ v[..., i:i + block, :], den + e.sum(-1, keepdim=True)
    return num / den


@exercise.right("logsumexp of what was before, and of each block")
def logsumexp_what(q, k, v, block):
    lse, out = None, None
    for i in range(0, k.shape[-2], block):
        s = q @ k[..., i:i + block, :].mT / math.sqrt(q.shape[-1])
        here, mean = torch.logsumexp(s, -1, keepdim=True), torch.softmax(s, -1) @ v[..., i:i + block, :]
        if lse is None:
            lse, out = here, mean
        else:
            both = torch.logaddexp(lse, here)
            out = out * (lse - both).exp() + mean * (here - both).exp()
            lse = both
    return out


@exercise.right("keys and values padded, padding at -inf")
def keys_values(q, k, v, block):
    S = k.shape[-2]
    missing = -S % block
    k = torch.cat([k, k.new_zeros(*k.shape[:-2], missing, k.shape[-1])], dim=-2)
    v = torch.cat([v, v.new_zeros(*v.shape[:-2], missing, v.shape[-1])], dim=-2)
    real = torch.arange(S + missing) < S
    m = q.new_full(q.shape[:-1], torch.finfo(q.dtype).min)
    den, num = torch.zeros_like(m), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for n in range((S + missing) // block):
        where = slice(n * block, (n + 1) * block)
        s = (q @ k[..., where, :].mT) / q.shape[-1] ** 0.5
        s = s.masked_fill(~real[where], -math.inf)
        m_next = torch.maximum(m, s.amax(-1))
        e, shrink = torch.exp(s - m_next[..., None]), torch.exp(m - m_next)
        den = den * shrink + e.sum(-1)
        num = num * shrink[..., None] + e @ v[..., where, :]
        m = m_next
    return num / den[..., None]


@exercise.right("the mean is kept, not the sum")
def mean_kept(q, k, v, block):
    S, start = k.shape[-2], 0
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    m, l = q.new_full((*q.shape[:-1], 1), -1e30), q.new_zeros(*q.shape[:-1], 1)
    while start < S:
        end = min(S, start + block)
        s = torch.einsum("...qc,...kc->...qk", q, k[..., start:end, :]) / math.sqrt(q.shape[-1])
        m_new = torch.maximum(m, s.detach().amax(-1, True))
        p = torch.exp(s - m_new)
        l_new = torch.exp(m - m_new) * l + p.sum(-1, keepdim=True)
        out = out * (torch.exp(m - m_new) * l / l_new) + p @ v[..., start:end, :] / l_new
        m, l, start = m_new, l_new, end
    return out


@exercise.right("a column of ones sums the powers")
def column_ones(q, k, v, block):
    v = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)
    m, state = torch.tensor(-math.inf, dtype=q.dtype), torch.zeros((), dtype=q.dtype)
    for keys, values in zip(k.split(block, dim=-2), v.split(block, dim=-2)):
        s = (q / math.sqrt(q.shape[-1])) @ keys.transpose(-2, -1)
        m, old = torch.maximum(m, s.amax(-1, keepdim=True)), m
        state = state * torch.exp(old - m) + torch.exp(s - m) @ values
    return state[..., :-1] / state[..., -1:]


@exercise.right("a loop over queries, and over keys inside a block")
def loop(q, k, v, block):
    rows = []
    for t in range(q.shape[-2]):
        one = q[..., t, :]
        m = l = o = None
        for start in range(0, k.shape[-2], block):
            for s in range(start, min(start + block, k.shape[-2])):
                score = (one * k[..., s, :]).sum(-1, keepdim=True) / math.sqrt(q.shape[-1])
                if m is None:
                    m, l, o = score, torch.ones_like(score), v[..., s, :]
                    continue
                grown = torch.maximum(m, score)
                l = l * torch.exp(m - grown) + torch.exp(score - grown)
                o = o * torch.exp(m - grown) + torch.exp(score - grown) * v[..., s, :]
                m = grown
        rows.append(o / l)
    return torch.stack(rows, dim=-2)


@exercise.right("queries in blocks too")
def queries_blocks(q, k, v, block):
    outs = []
    for qs in q.split(block, dim=-2):
        m = qs.new_full((*qs.shape[:-1], 1), float("-inf"))
        l, acc = torch.zeros_like(m), torch.zeros(*qs.shape[:-1], v.shape[-1]).to(v)
        for ks, vs in zip(k.split(block, -2), v.split(block, -2)):
            s = (qs @ ks.mT).div(qs.shape[-1] ** 0.5)
            m2 = torch.maximum(m, s.max(dim=-1, keepdim=True).values)
            l = l.mul((m - m2).exp()).add((s - m2).exp().sum(-1, keepdim=True))
            acc = acc.mul((m - m2).exp()).add((s - m2).exp().matmul(vs))
            m = m2
        outs.append(acc / l)
    return torch.cat(outs, dim=-2)


@exercise.right("a tree of halves")
def tree(q, k, v, block):
    def part(lo, hi):
        if hi - lo <= block:
            s = q @ k[..., lo:hi, :].transpose(-1, -2) / q.shape[-1] ** 0.5
            m = s.amax(-1, keepdim=True)
            p = torch.exp(s - m)
            return m, p.sum(-1, keepdim=True), p @ v[..., lo:hi, :]
        mid = (lo + hi) // 2
        (m1, l1, a1), (m2, l2, a2) = part(lo, mid), part(mid, hi)
        m = torch.maximum(m1, m2)
        return m, l1 * (m1 - m).exp() + l2 * (m2 - m).exp(), a1 * (m1 - m).exp() + a2 * (m2 - m).exp()
    m, l, a = part(0, k.shape[-2])
    return a / l


@exercise.right("a running mean, from the last block to the first")
def running(q, k, v, block):
    S = k.shape[-2]
    m = q.new_full((*q.shape[:-1], 1), torch.finfo(q.dtype).min)
    l = torch.zeros_like(m)
    out = q.new_zeros(q.shape[:-1] + v.shape[-1:])
    for hi in range(S, 0, -block):
        lo = max(0, hi - block)
        s = torch.matmul(q, k[..., lo:hi, :].swapaxes(-1, -2)).div(math.sqrt(k.shape[-1]))
        new = torch.where(s.amax(-1, keepdim=True) > m, s.amax(-1, keepdim=True), m)
        old = l * torch.exp(m - new)
        p = torch.exp(s - new)
        l = old + p.sum(-1, keepdim=True)
        out = out * (old / l) + (p / l) @ v[..., lo:hi, :]
        m = new
    return out


exercise.mistake("whole-row", "blockwise-attention",
    "The result is right, but somewhere a tensor holds a whole row of scores, all S of them. Score one "
    "block of keys at a time, add what it brings to running sums, and forget its scores.",
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "return weights @ v", "plain attention"))

exercise.mistake("block-ignored", "blockwise-attention",
    "More keys are scored at once than block allows. block is the number of keys in a block: not the number "
    "of blocks, not that of the queries, and not a number of your own.",
    edit(reference, {"scale =": "block = 16\nscale ="}, "a block of 16"),
    edit(reference, {"scale =": "block = 5\nscale ="}, "a block of 5"),
    edit(reference, {"scale =": "block = 3\nscale ="}, "a block of 3"),
    edit(reference, {"scale =": "block = q.shape[-2]\nscale ="}, "as many keys as queries"))

exercise.mistake("block-softmaxes-added", "online-softmax",
    "Each block has its own softmax, and the results are added or averaged. The weights must sum to 1 over "
    "all keys: keep sums of powers, and divide once at the end.",
    full("out = 0\n"
         "for start in range(0, k.shape[-2], block):\n"
         "    scores = q @ k[..., start:start + block, :].mT / math.sqrt(q.shape[-1])\n"
         "    out = out + torch.softmax(scores, dim=-1) @ v[..., start:start + block, :]\n"
         "return out"),
    full("outs = [torch.softmax(q @ ks.mT / math.sqrt(q.shape[-1]), -1) @ vs for ks,\n"
         "        vs in zip(k.split(block, -2), v.split(block, -2))]\n"
         "return torch.stack(outs).mean(dim=0)", "the mean"),
    full("out, S = 0, k.shape[-2]\n"
         "for ks, vs in zip(k.split(block, -2), v.split(block, -2)):\n"
         "    out = out + torch.softmax(q @ ks.mT / math.sqrt(q.shape[-1]), -1) @ vs * (ks.shape[-2] / S)\n"
         "return out", "the mean by the lengths of the blocks"),
    edit(reference, {"mixed * fade": "mixed",
                     "v[..., part, :]": "v[..., part, :] / powers.sum(dim=-1, keepdim=True)",
                     " / mass": ""}, "the weighted sums divided by each block's own sum"))

exercise.mistake("accumulator-not-rescaled", "rescaling-the-accumulator",
    "The sum of powers is rescaled when the maximum grows, but the sum of weighted values is not. Old sums "
    "must be multiplied by exp(old maximum − new maximum) whenever the maximum grows.",
    edit(reference, {"mixed * fade": "mixed"}))

exercise.mistake("denominator-not-rescaled", "rescaling-the-accumulator",
    "The sum of weighted values is rescaled when the maximum grows, but the sum of powers is not. Old sums "
    "must be multiplied by exp(old maximum − new maximum) whenever the maximum grows.",
    edit(reference, {"mass * fade": "mass"}))

exercise.mistake("nothing-rescaled", "rescaling-the-accumulator",
    "The running maximum changes, but what was summed before is never rescaled to it: the blocks are on "
    "different scales. Old sums must be multiplied by exp(old maximum − new maximum) whenever the maximum "
    "grows.",
    edit(reference, {"fade = torch.exp(top - new_top)": "", every("* fade"): ""}))

exercise.mistake("own-maximum", "rescaling-the-accumulator",
    "Each block is shifted by its own maximum, and the sums are added as they are: the blocks are on "
    "different scales. Keep one running maximum. Old sums must be multiplied by exp(old maximum − new "
    "maximum) whenever the maximum grows.",
    edit(blocks, {every("torch.exp(part[0] - m) *"): ""}))

exercise.mistake("rescaled-the-wrong-way", "rescaling-the-accumulator",
    "The old sums are rescaled the wrong way round: exp(new maximum − old maximum) makes them larger. The "
    "factor is at most 1: exp(old maximum − new maximum).",
    edit(split_first, {"m - m_new": "m_new - m"}),
    edit(blocks, {"(part[0] - m) * part[1]": "(m - part[0]) * part[1]",
                  "(part[0] - m) * part[2]": "(m - part[0]) * part[2]"}, "joined at the end"),
    edit(reference, {"math.inf": "30.0",
                     "top - new_top": "new_top - top"}, "a running maximum from the lowest number"),
    edit(reference, {"top - new_top": "new_top - top"}, "a running maximum from minus infinity"))


def block_rescaled(q, k, v, block):
    m = q.new_full((*q.shape[:-1], 1), -1e30)
    l = q.new_zeros(*q.shape[:-1], 1)
    a = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for kb, vb in zip(k.split(block, -2), v.split(block, -2)):
        s = q @ kb.mT / math.sqrt(q.shape[-1])
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - new)
        l = l + p.sum(-1, keepdim=True)
        a = a + p @ vb
        l = l * torch.exp(m - new)
        a = a * torch.exp(m - new)
        m = new
    return a / l


exercise.mistake("block-rescaled", "rescaling-the-accumulator",
    "The factor exp(old maximum − new maximum) goes to the new block, or to old and new together. It "
    "belongs to the old sums alone.",
    edit(split_first, {"r * l + p": "l + r * p", "o = r": "o = o + r", "o + torch": "torch"}),
    edit(split_first, {"l + p.sum(-1)": "(l + p.sum(-1))",
                       'o + torch.einsum("...ts,...sd->...td", p, vs)':
                       '(o + torch.einsum("...ts,...sd->...td", p, vs))'}, "old and new"),
    full(block_rescaled, "added first, then rescaled"))

exercise.mistake("factor-without-exp", "rescaling-the-accumulator",
    "The old sums are multiplied by a difference of maxima, or by another factor that is not a power. The "
    "factor is exp(old maximum − new maximum).",
    edit(split_first, {"(m - m_new).exp()": "m - m_new"}),
    edit(split_first, {"(m - m_new).exp()": "m / m_new"}, "the quotient of the maxima"))

exercise.mistake("divided-in-between", "online-softmax",
    "The sums are divided inside the loop and then used as if they were sums. Divide once, after the last "
    "block.",
    edit(reference, {"= mixed": "=(mixed", "v[..., part, :]": "v[..., part, :]) / mass", " / mass": ""}),
    edit(reference, {"= mixed": "=(mixed",
                     "v[..., part, :]": "v[..., part, :]) / mass"}, "and again at the end"),
    edit(reference, {"v[..., part, :]": "v[..., part, :] / mass",
                     " / mass": ""}, "the old part is not multiplied by its sum again"))

exercise.mistake("not-divided", "online-softmax",
    "The weighted sums are never divided by the sum of powers, so the weights do not sum to 1. Divide "
    "once, after the last block.",
    edit(reference, {" / mass": ""}))

exercise.mistake("divided-by-last-block", "online-softmax",
    "The result is divided by the sum of one block's powers alone. Sum the powers of all blocks.",
    edit(reference, {" mass * fade +": ""}),
    edit(split_first, {" r * l +": ""}, "split"))

exercise.mistake("one-block-alone", "blockwise-attention",
    "Only one of the blocks counts in the result: each block overwrites what was there, or the loop ends "
    "too early, or the old maximum stays at −inf since the new one is not kept, and the factor for the old "
    "sums is 0. Add each block to the running sums, and keep the new maximum.",
    edit(reference, {" mass * fade +": "", " mixed * fade +": ""}, "the last"),
    edit(reference, {"top = new_top": ""}, "the new maximum is not kept"),
    full("for ks, vs in zip(k.split(block, -2), v.split(block, -2)):\n"
         "    out = torch.softmax(q @ ks.mT / math.sqrt(q.shape[-1]), -1) @ vs\n"
         "return out", "the last, by softmax"),
    edit(reference, {"return mixed / mass": "    return mixed / mass"}, "the first"))


def last_block(q, k, v, block):
    n = k.shape[-2] // block
    top, mass, mixed = None, None, None
    for i in range(n):
        s = q @ k.narrow(-2, i * block, block).mT / math.sqrt(k.shape[-1])
        m = s.amax(-1, keepdim=True) if top is None else torch.maximum(top, s.amax(-1, keepdim=True))
        e = torch.exp(s - m)
        if top is None:
            mass, mixed = e.sum(-1, keepdim=True), e @ v.narrow(-2, i * block, block)
        else:
            mass = mass * torch.exp(top - m) + e.sum(-1, keepdim=True)
            mixed = mixed * torch.exp(top - m) + e @ v.narrow(-2, i * block, block)
        top = m
    return mixed / mass if n else torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)


def last_block_dropped(q, k, v, block):
    block = min(block, k.shape[-2])
    n_blocks = k.shape[-2] // block
    m = torch.full((*q.shape[:-1], 1), -math.inf, dtype=q.dtype)
    l = torch.zeros((*q.shape[:-1], 1), dtype=q.dtype)
    a = torch.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    for b in range(n_blocks):
        part = slice(b * block, (b + 1) * block)
        s = q @ k[..., part, :].transpose(-1, -2) / math.sqrt(q.shape[-1])
        m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        f = torch.exp(m - m_new)
        e = torch.exp(s - m_new)
        l = f * l + e.sum(dim=-1, keepdim=True)
        a = f * a + e @ v[..., part, :]
        m = m_new
    return a / l


exercise.mistake("last-block-dropped", "last-short-block",
    "The last block is left out where S is not a multiple of block. It may be shorter than the others: a "
    "slice that ends past the last key is cut off by itself.",
    edit(reference, {"shape[-2]": "shape[-2] - block + 1"}),
    edit(split_first, {"for": "whole = k.shape[-2] // block * block\n"
                              "k, v = k[..., :whole, :], v[..., :whole, :]\n"
                              "for"}, "split"),
    full(last_block, "reshaped into blocks"),
    full(last_block_dropped, "whole blocks, at most as long as the keys"))

exercise.mistake("padding-counted", "last-short-block",
    "The last block is filled up with zeros, and those count as keys: a score of 0 has the power exp(0). "
    "Leave the filling out, or give it the score −inf.",
    edit(reference, {"scale =": "missing = -k.shape[-2] % block\n"
                                "k = torch.nn.functional.pad(k, (0, 0, 0, missing))\n"
                                "v = torch.nn.functional.pad(v, (0, 0, 0, missing))\n"
                                "scale ="}))

exercise.mistake("last-block-shifted", "last-short-block",
    "The last block is moved back to full length, so some keys count twice. Let it be short.",
    edit(reference, {"part =": "start = max(0, min(start, k.shape[-2] - block))\npart ="}))

exercise.mistake("keys-lost", "blockwise-attention",
    "Some keys are left out, at an end or between the blocks. Start at 0, in steps of block: a slice "
    "start:start + block already ends before start + block.",
    edit(reference, {"start + block)": "max(start + 1, start + block - 1))"}, "the last of each block"),
    edit(reference, {"0, k.shape": "1 if k.shape[-2] > 1 else 0, k.shape"}, "the first key"),
    edit(reference, {"start + block)": "max(start + 1, min(start + block, k.shape[-2] - 1)))"},
         "the last key"),
    edit(reference, {"[-2], block": "[-2], block + 1"}, "one key between blocks"),
    edit(reference, {"shape[-2], block": "shape[-2] - 1, block"}, "a last block of one key"))

exercise.mistake("keys-twice", "blockwise-attention",
    "Some keys belong to two blocks. A slice start:start + block and steps of block meet without overlap.",
    edit(reference, {"+ block": "+ block + 1"}))

exercise.mistake("values-of-another-block", "blockwise-attention",
    "Keys and values come from different blocks. Cut both at the same places.",
    edit(reference, {"v[..., part, :]": "v[..., :powers.shape[-1], :]"}, "the first values"))

exercise.mistake("no-scale", "blockwise-attention",
    "The scores are not scaled. Divide them by √d_k, the square root of the width of queries and keys.",
    edit(reference, {" * scale": ""}))

exercise.mistake("scaled-by-width", "blockwise-attention",
    "The scores are divided by d_k, at once or by its root twice, such as in q and again in the scores. "
    "Divide by the square root, once.",
    edit(reference, {"math.sqrt(q.shape[-1])": "q.shape[-1]"}))

exercise.mistake("scaled-by-another-size", "blockwise-attention",
    "The scores are divided by the square root of another size. Divide by the root of the width of queries "
    "and keys, q.shape[-1].",
    edit(reference, {"sqrt(q": "sqrt(v"}, "the values' width"),
    edit(reference, {"q.shape[-1]": "block"}, "the block"),
    edit(reference, {"q.shape[-1]": "k.shape[-2]"}, "the keys"),
    edit(reference, {"q.shape[-1]": "q.shape[-2]"}, "the queries"),
    edit(split_first, {"d ** 0.5": "ks.shape[-2] ** 0.5"}, "the keys of a block"))

exercise.mistake("scale-multiplied", "blockwise-attention",
    "The scores are multiplied by √d_k. Divide them by it.",
    edit(reference, {"1 / math": "math"}))

exercise.mistake("old-maximum-for-powers", "rescaling-the-accumulator",
    "The powers of a block use the maximum from before this block, while the sums are rescaled to the new "
    "one. Update the maximum first.",
    edit(split_first, {"s - m_new": "s - m"}))

exercise.mistake("total-starts-at-one", "online-softmax",
    "The sum of powers starts at 1, as if there were a key with the score of the maximum. Before the first "
    "block the sums are 0.",
    edit(split_first, {"o = p": "o = 1 + p"}, "after the first block"),
    edit(reference, {"/ mass": "/ (1 + mass)"}, "at the end"))

exercise.mistake("causal", "blockwise-attention",
    "Later keys are hidden from a query. No mask is asked for: each query sees every key.",
    edit(reference, {"new_top =": "later = torch.arange(start, start + scores.shape[-1]) > (\n"
                                  "    torch.arange(q.shape[-2])[:, None] + max(0, k.shape[-2] - q.shape[-2]))\n"
                                  "scores = scores.masked_fill(later, -1e9)\nnew_top ="}),
    edit(reference, {"new_top =": "later = torch.arange(start, start + scores.shape[-1]) > (\n"
                                  "    torch.arange(q.shape[-2])[:, None])\n"
                                  "scores = scores.masked_fill(later, -1e9)\nnew_top ="},
         "aligned at the start"))


def softmax_over(q, k, v, block):
    m = l = a = None
    for kb, vb in zip(k.split(block, -2), v.split(block, -2)):
        s = kb @ q.mT / math.sqrt(q.shape[-1])
        new = s.amax(-1, keepdim=True)
        p = torch.exp(s - new)
        part = p.mT @ vb
        lb = p.sum(-2).unsqueeze(-1)
        l = lb if l is None else l + lb
        a = part if a is None else a + part
    return a / l


exercise.mistake("softmax-over-queries", "online-softmax",
    "The maximum, or maximum and sum, run over the queries. Each query needs its own: they run over the "
    "keys of a block, the last axis of the scores.",
    full("scale = 1 / math.sqrt(q.shape[-1])\n"
         "out = 0\n"
         "for start in range(0, k.shape[-2], block):\n"
         "    scores = q @ k[..., start:start + block, :].mT * scale\n"
         "    out = out + torch.softmax(scores, dim=-2) @ v[..., start:start + block, :]\n"
         "return out"),
    full(softmax_over, "the maximum alone, keys as rows"))

exercise.mistake("no-maximum", "online-softmax",
    "exp of the plain scores is infinite or 0 where scores are far from 0. Subtract the running maximum "
    "before exp.",
    full("num = den = 0\n"
         "for start in range(0, k.shape[-2], block):\n"
         "    e = torch.exp(q @ k[..., start:start + block, :].mT / math.sqrt(q.shape[-1]))\n"
         "    num = num + e @ v[..., start:start + block, :]\n"
         "    den = den + e.sum(dim=-1, keepdim=True)\n"
         "return num / den"),
    full("num = den = 0\n"
         "for start in range(0, k.shape[-2], block):\n"
         "    e = torch.exp(q @ k[..., start:start + block, :].mT / math.sqrt(q.shape[-1]))\n"
         "    num = num + e @ v[..., start:start + block, :]\n"
         "    den = den + e.sum(dim=-1, keepdim=True)\n"
         "return num / (den + 1e-12)", "a small number in the divisor"))

exercise.mistake("maximum-from-zero", "online-softmax",
    "Scores far below 0 give NaN or 0: the running maximum starts at 0 or at another number that is too "
    "high, so exp of everything is 0. Start it at −inf.",
    edit(reference, {"full": "zeros", " -math.inf,": ""}),
    edit(reference, {"full": "zeros", " -math.inf,": "",
                     "/ mass": "/ (mass + 1e-12)"}, "a small number in the divisor"))

exercise.mistake("first-maximum-kept", "rescaling-the-accumulator",
    "The maximum of the first block is used for all: where later scores are far larger, exp is infinite. "
    "Update it with each block.",
    edit(split_first, {"torch.where(m > m_block, m, m_block)": "m"}))

exercise.mistake("last-maximum-taken", "rescaling-the-accumulator",
    "The maximum is replaced by each block's own instead of the larger of the two. Where a later block has "
    "smaller scores, the factor for the old sums is infinite: take torch.maximum(old, block's).",
    edit(split_first, {"torch.where(m > m_block, m, m_block)": "m_block"}))

exercise.mistake("maximum-of-all-queries", "online-softmax",
    "One maximum serves all queries. Where one query's scores are far below another's, its powers are all "
    "0. Each query needs its own: take it along the last axis.",
    edit(split_first, {"(dim=-1).values": "().expand(s.shape[:-1])"}))

exercise.mistake("maximum-of-all-texts", "online-softmax",
    "One maximum serves all texts or heads. Where the scores of one are far below another's, its powers are "
    "all 0. Take it along the last axis alone: amax(dim=-1, keepdim=True).",
    edit(reference, {"amax(dim=-1,": "amax(dim=(*range(scores.dim() - 2), -1),"}))

exercise.mistake("fixed-axes", "blockwise-attention",
    "It works for one number of axes only. There may be any axes before the last two, or none: use "
    "q.shape[-2], ..., and transpose(-1, -2).",
    edit(reference, {"scale =": "B, H, T, K = q.shape\nscale ="}, "four"),
    edit(reference, {"scale =": "B, T, K = q.shape\nscale ="}, "three"),
    edit(reference, {"scale =": "T, K = q.shape\nscale ="}, "two"),
    edit(reference, {"transpose(-1, -2)": "T"}, "keys turned with .T"),
    edit(reference, {"(-1, -2)": "(0, 1)"}, "axes 0 and 1"),
    edit(reference, {"(-1, -2)": "(2, 3)"}, "axes 2 and 3"),
    edit(reference, {"(-1, -2)": "(1,2)"}, "axes 1 and 2"),
    edit(split_first, {'"...td,...sd->...ts"': '"bhtd,bhsd->bhts"'}, "einsum with batch and heads"),
    edit(split_first, {'"...td,...sd->...ts"': '"td,sd->ts"'}, "einsum of two axes"),
    edit(split_first, {'"...td,...sd->...ts"': '"btd,bsd->bts"'}, "einsum with a batch"))

exercise.mistake("weights-too", "blockwise-attention",
    "More than the output comes back. Return the output alone.",
    edit(reference, {"/ mass": "/ mass, mass"}),
    edit(reference, {"/ mass": "/ mass, None"}, "None for the weights"),
    edit(split_first, {"l[..., None]": "l[..., None], m, l"}, "three"))

exercise.mistake("dtype-fixed", "blockwise-attention",
    "The result does not have the inputs' dtype: a running sum is made as float32. Make it like the "
    "inputs, with new_zeros or dtype=q.dtype.",
    edit(reference, {"mixed / mass": "(mixed / mass).float()"}))

exercise.built_in("no-gradient",
    edit(reference, {"mixed / mass": "(mixed / mass).detach()"}),
    edit(reference, {"(scores - new_top)": "(scores - new_top).detach()"}, "weights without gradient"))

exercise.built_in("changes-input",
    edit(reference, {"scale = 1 /": "q.data /=", "top = torch": "scale = 1.0\ntop = torch"}))

exercise.built_in("returns-nothing",
    edit(reference, {"return mixed / mass": ""}))

exercise.built_in("ready-made",
    full("return torch.nn.functional.scaled_dot_product_attention(q, k, v)"),
    full("from allyouneed.nn.blockwise import blockwise_attention as own\n"
         "return own(q, k, v, block=block)", "the library's"))


def timeout(q, k, v, block):
    scale = 1 / math.sqrt(q.shape[-1])
    top = torch.full((*q.shape[:-1], 1), -math.inf, dtype=q.dtype)
    mass = torch.zeros_like(top)
    mixed = torch.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    from time import sleep
    start = 0
    while start < k.shape[-2]:
        sleep(0.01)
        part = slice(start, start + block)
        scores = q @ k[..., part, :].transpose(-1, -2) * scale
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        powers = torch.exp(scores - new_top)
        fade = torch.exp(top - new_top)
        mass = mass * fade + powers.sum(dim=-1, keepdim=True)
        mixed = mixed * fade + powers @ v[..., part, :]
        top = new_top
    return mixed / mass


exercise.built_in("timeout",
    full(timeout))

exercise.equal("queries and keys have one width, all three one dtype, and there is a value for each key", {
    "q.shape[-1]": "k.shape[-1]", "k.shape[-1]": "q.shape[-1]", "q.size(-1)": "k.size(-1)",
    "k.shape[-2]": "v.shape[-2]", "k.size(-2)": "v.size(-2)", "dtype=q.dtype": "dtype=k.dtype",
    "q.new": "k.new", "k.new": ("v.new", "q.new"), "v.new": "k.new", "finfo(q": "finfo(k",
    "*k.shape[:-2]": ("*v.shape[:-2]", "*q.shape[:-2]"), "*v.shape[:-2]": "*k.shape[:-2]",
    "v[..., :1]": "k[..., :1]", "qs.shape[:-1], v.shape[-1]).to(v)": (
        "qs.shape[:-1], v.shape[-1]).to(k)", "qs.shape[:-1], v.shape[-1])")})
exercise.equal("what stood there at the start is multiplied by exp(−∞) = 0, or grows to the wider dtype", {
    ", dtype=q.dtype": "", "torch.zeros_like(top)": "torch.ones_like(top)",
    "torch.zeros_like(m)": "torch.ones_like(m)", "torch.zeros(": "torch.ones("})
exercise.equal("one number stands for a row of the same ones", {
    "q.shape[:-1]": "q.shape[:0]", "qs.shape[:-1]": "qs.shape[:0]", "q.shape[:-1] +": ""})
exercise.equal("the larger or smaller of two numbers has no order, also where they are the same", {
    "top, scores.amax(dim=-1, keepdim=True)": "scores.amax(dim=-1, keepdim=True), top",
    "m > m_block": "m >= m_block", "m, here": "here, m", "lse, here": "here, lse", "m, s.amax(-1)": "s.amax(-1), m",
    "S, start + block": "start + block, S", "m, s.detach().amax(-1, True)": "s.detach().amax(-1, True), m",
    "m, s.amax(-1, keepdim=True)": "s.amax(-1, keepdim=True), m", "m1, m2": "m2, m1", "m, score": "score, m",
    "start + block, k.shape[-2]": "k.shape[-2], start + block", "0, hi - block": "hi - block, 0",
    "m, s.max(dim=-1, keepdim=True).values": "s.max(dim=-1, keepdim=True).values, m",
    "s.amax(-1, keepdim=True) > m": "s.amax(-1, keepdim=True) >= m"})
exercise.equal("both are None at first, no block begins at S, and a range can be gone through as it is", {
    "lse is None": "out is None", "m is None": "l is None", "k.shape[-2], block": "k.shape[-2] + 1, block",
    "list(range(0, k.size(-2), block))": "range(0, k.size(-2), block)"})
exercise.equal("the keys that fill the last block up are masked", {
    "S + missing": "S + missing + 1", "k.new_zeros(*k.shape[:-2], missing, k.shape[-1])": "k",
    "v.new_zeros(*v.shape[:-2], missing, v.shape[-1])": "v"})
exercise.equal("the sign of numerator and denominator cancels, and so does the gradient of the maximum", {
    "+ torch.exp": "- torch.exp", ".detach()": ""})
