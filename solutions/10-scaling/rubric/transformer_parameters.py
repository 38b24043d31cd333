"""The rubric of transformer_parameters: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
from torch import nn

from coursegrader.rubric import Exercise

exercise = Exercise(
    "transformer_parameters",
    points={"layers": 2, "around the layers": 2, "whole models": 1},
    section="parameters-by-part",
    driver="shape_count",
    forbid=("transformer_parts", "PUBLISHED_SIZES"),
    mistakes={
        "attention-biases": ("The four projections of an attention have biases as well, d_model numbers each.", "biases-and-norms"),
        "feed-forward-biases": ("The two feed-forward matrices have biases as well: d_ff numbers after the first, d_model after the second.", "biases-and-norms"),
        "inner-bias": ("The bias of the first feed-forward matrix has d_ff numbers, that of the second d_model: one for each column that a layer makes.",
                       "biases-and-norms"),
        "one-feed-forward-bias": ("Both feed-forward matrices have a bias: d_ff numbers after the first, d_model after the second. One of them is missing.",
                                  "biases-and-norms"),
        "no-biases": ("The biases of the layers' matrices are missing. Each Linear has one number for each column that it makes.", "biases-and-norms"),
        "no-norms": ("The norms of the layers are missing. Each layer has one for each of its parts, with a weight and a bias of d_model numbers each.",
                     "biases-and-norms"),
        "one-number-norm": ("A norm has d_model weights and d_model biases: 2 d_model numbers. Here it is counted with d_model.", "biases-and-norms"),
        "one-norm": ("There is one norm for each part of a layer, not one for each layer: two in an encoder layer, and in a decoder-only "
                     "one; three where there is cross-attention.", "biases-and-norms"),
        "three-norms": ("A layer has one norm too many. A layer without cross-attention has two, a layer with it has three.",
                        "biases-and-norms"),
        "norms-once": ("The norms are counted once for the whole model. Each layer has its own.", "biases-and-norms"),
        "matrices-alone": ("Only the matrices of the layers are counted. Each of their Linear layers has a bias, and each part of a layer has a norm.",
                           "biases-and-norms"),
        "norm-biases-and-biases": ("The matrices and the norms' weights are counted, and no bias at all. Every Linear and every norm has one.", "biases-and-norms"),
        "attention-matrix-missing": ("An attention has four matrices: queries, keys, values, and the output projection. Here there are fewer.",
                                     "parameters-by-part"),
        "more-with-heads": ("The count changes with the number of heads. More heads are narrower: together they are d_model wide, so n_heads plays no part.",
                            "parameters-by-part"),
        "inner-width-fixed": ("The inner width of the feed-forward network is taken as 4 d_model. Use config.d_ff.", "parameters-by-part"),
        "one-feed-forward-matrix": ("The feed-forward network has two matrices, d_model to d_ff and back. One is missing.", "parameters-by-part"),
        "three-feed-forward-matrices": ("The feed-forward network is counted with three matrices, as a gated one. It has two: d_model to d_ff and back.",
                                        "parameters-by-part"),
        "layers-once": ("Only one layer is counted. There are n_layers of them, each with weights of its own.", "parameters-by-part"),
        "cross-attention-missing": ("Each decoder layer of an encoder_decoder has a second attention, to the encoder: four matrices with biases, and a norm.",
                                    "parameters-by-part"),
        "cross-norm-missing": ("The cross-attention has a norm of its own: a decoder layer of an encoder_decoder has three.", "parameters-by-part"),
        "cross-attention-everywhere": ("Cross-attention is counted where there is none. Only the decoder layers of an encoder_decoder have it: not its encoder "
                                       "layers, and not a decoder that stands alone.", "parameters-by-part"),
        "one-stack": ("An encoder_decoder has two stacks of n_layers each, an encoder and a decoder. Only one is counted.", "parameters-by-part"),
        "half-stacks": ("n_layers is the number of layers of one stack. An encoder_decoder has n_layers in the encoder and n_layers more in the decoder.",
                        "parameters-by-part"),
        "two-embeddings": ("An encoder_decoder has one shared embedding here. It is counted more than once.", "tied-head-once"),
        "positions-twice": ("Encoder and decoder share one table of positions here. It is counted twice.", "parameters-by-part"),
        "tied-head-twice": ("A tied head is the embedding matrix itself, so it counts once, as the embedding. It is counted again.", "tied-head-once"),
        "untied-head-missing": ("An untied head is a matrix of its own: vocab_size · d_model more. It is missing.", "tied-head-once"),
        "tied-reversed": ("tied works the wrong way round: True means that head and embedding are one matrix, which counts once.", "tied-head-once"),
        "head-bias": ("The untied head has no bias: it adds vocab_size · d_model numbers and no more.", "tied-head-once"),
        "embedding-missing": ("The embedding of the tokens is missing, or counted with one number for each: it has vocab_size · d_model numbers.",
                              "parameters-by-part"),
        "positions-missing": ("The learned positions are missing: max_len · d_model.", "parameters-by-part"),
        "sinusoidal-counted": ("Where max_len is 0 the positions are sinusoidal: nothing is learned. Something is counted for them.", "parameters-by-part"),
        "positions-one-number": ("Each learned position is a vector of d_model numbers, not one number.", "parameters-by-part"),
        "segments-missing": ("The embedding of segments is missing: n_segments · d_model.", "parameters-by-part"),
        "segments-one-number": ("Each segment has a vector of d_model numbers, and there are n_segments of them.", "parameters-by-part"),
        "embedding-norm-missing": ("The norm after the embeddings is missing where embedding_norm is True: d_model weights, d_model biases.", "biases-and-norms"),
        "final-norm-missing": ("The norm after the last layer is missing where final_norm is True: d_model weights, d_model biases.", "biases-and-norms"),
        "outer-norms-missing": ("The norms outside the layers are missing: embedding_norm and final_norm stand for one each, of 2 d_model numbers.",
                                "biases-and-norms"),
        "outer-norm-always": ("A norm outside the layers is counted whatever the config says. Ask embedding_norm and final_norm.", "biases-and-norms"),
        "outer-norms-each-layer": ("embedding_norm and final_norm are one norm each, and not one for each layer.", "biases-and-norms"),
        "outer-norm-each-stack": ("embedding_norm and final_norm are one norm each for the whole model, also where there are two stacks. Here each stack has its own.",
                                  "biases-and-norms"),
        "bias-of-one-number": ("A bias is counted as one number. It has one for each column that the Linear makes.", "biases-and-norms"),
        "rule-of-thumb": ("12 · n_layers · d_model² and the embedding are a rule of thumb. Biases, norms, positions, d_ff and a second stack must be counted too.",
                          "parameters-by-part"),
        "outer-norm-one-number": ("The norms outside the layers have weights and biases too: 2 d_model numbers each.", "biases-and-norms"),
        "pooler-missing": ("The pooler is missing where config.pooler is True: a d_model × d_model matrix and its bias.", "parameters-by-part"),
        "pooler-bias": ("The pooler is a Linear with a bias: d_model² + d_model numbers.", "biases-and-norms"),
        "pooler-always": ("A pooler is counted whatever the config says. Ask config.pooler.", "parameters-by-part"),
        "pooler-for-encoders-only": ("The pooler is counted for one kind of model only. Ask config.pooler alone, whatever the kind.", "parameters-by-part"),
        "segments-for-encoders-only": ("Segments are counted for one kind of model only. Ask config.n_segments alone, whatever the kind.", "parameters-by-part"),
        "outer-norm-by-kind": ("The norms outside the layers are counted by the kind of model. Ask embedding_norm and final_norm alone.", "biases-and-norms"),
        "head-by-kind": ("The untied head is counted for some kinds of model only. Ask config.tied alone, whatever the kind.", "tied-head-once"),
        "positions-by-kind": ("Learned positions are counted for some kinds of model only. Ask config.max_len alone, whatever the kind.", "parameters-by-part"),
        "not-an-int": ("A count is an int: no division with / and no float.", "parameters-by-part"),
        "kind-unanswered": ("For one of the kinds None comes back, or an error: its name is spelled differently, or its branch has no return. The three are "
                            "decoder, encoder and encoder_decoder.", "parameters-by-part"),
        "no-count": ("None comes back, whatever the config. End the function with a return statement.", "parameters-by-part"),
        "built-in-memory": ("Small models are counted, but GPT-3 takes too long: it is built in memory, number by number. Count from the "
                            "shapes, or build the layers on torch's meta device, which stores nothing.", "published-models"),
        "tensors-counted": ("The tensors are counted, not the numbers in them. Add up numel() of each.", "parameters-by-part"),
        "a-dict": ("A dict or a list of parts comes back. Return their sum, one int.", "parameters-by-part"),
        "rounded": ("The count is rounded, or given in thousands or millions. Return the exact number, an int.", "parameters-by-part"),
        "config-as-dict": ("The config is read like a dict. Its fields are attributes: config.d_model.", "parameters-by-part"),
    },
)

NOTHING = {"max_len": 0, "n_segments": 0, "tied": True, "embedding_norm": False, "final_norm": False, "pooler": False}


@exercise.probes
def _(make):
    def shape(kind, V, D, L, H, F, **others):
        return {"kind": kind, "vocab_size": V, "d_model": D, "n_layers": L, "n_heads": H, "d_ff": F} | NOTHING | others

    layers, around, whole = {"group": "layers"}, {"group": "around the layers"}, {"group": "whole models", "edge": True}
    plain = make.pick((11, 6, 2, 3, 10), (13, 8, 3, 2, 14), (17, 10, 2, 5, 12))
    decoder, encoder, both = (shape(kind, *plain) for kind in ("decoder", "encoder", "encoder_decoder"))
    for kind, base in (("decoder", decoder), ("encoder", encoder), ("encoder_decoder", both)):
        yield make.probe(f"what another layer adds, {kind}", base, {"n_layers": base["n_layers"] + 1}, **layers)
    yield make.probe("what a wider feed-forward network adds", decoder, {"d_ff": decoder["d_ff"] + make.pick(3, 5, 7)}, **layers)
    yield make.probe("what a wider feed-forward network adds, encoder_decoder", both, {"d_ff": both["d_ff"] + make.pick(4, 3, 5)}, **layers)
    yield make.probe("what more heads add", decoder, {"n_heads": decoder["d_model"]}, **layers)
    yield make.probe("what a larger vocabulary adds", decoder, {"vocab_size": decoder["vocab_size"] + make.pick(7, 9, 5)}, **around)
    yield make.probe("what a larger vocabulary adds, encoder_decoder", both, {"vocab_size": both["vocab_size"] + make.pick(5, 4, 8)}, **around)
    yield make.probe("what a head of its own adds", decoder, {"tied": False}, **around)
    yield make.probe("what a head of its own adds, encoder", encoder, {"tied": False}, **around)
    yield make.probe("what learned positions add", decoder, {"max_len": make.pick(9, 7, 13)}, **around)
    yield make.probe("what learned positions add, encoder", encoder, {"max_len": make.pick(8, 11, 5)}, **around)
    yield make.probe("what learned positions add, encoder_decoder", both, {"max_len": make.pick(7, 9, 12)}, **around)
    yield make.probe("what more positions add", decoder | {"max_len": 5}, {"max_len": make.pick(12, 14, 9)}, **around)
    yield make.probe("what segments add", encoder, {"n_segments": make.pick(3, 2, 4)}, **around)
    yield make.probe("what segments add, decoder", decoder, {"n_segments": make.pick(4, 3, 2)}, **around)
    for field, words in (("embedding_norm", "a norm after the embedding"), ("final_norm", "a norm after the last layer"), ("pooler", "a pooler")):
        yield make.probe(f"what {words} adds, encoder", encoder, {field: True}, **around)
        yield make.probe(f"what {words} adds, decoder", decoder, {field: True}, **around)
    yield make.probe("what a norm after the embedding adds, encoder_decoder", both, {"embedding_norm": True}, **around)
    yield make.probe("what a norm after the last layer adds, encoder_decoder", both, {"final_norm": True}, **around)
    for kind, base in (("decoder", decoder), ("encoder", encoder), ("encoder_decoder", both)):
        yield make.probe(f"a small {kind}", base, **whole)
    yield make.probe("everything at once", encoder | {"max_len": 9, "n_segments": 3, "tied": False, "embedding_norm": True, "final_norm": True,
                                                      "pooler": True}, **whole)
    published = {"max_len": 1024, "final_norm": True}
    yield make.probe("BERT-Base", shape("encoder", 30522, 768, 12, 12, 3072, max_len=512, n_segments=2, embedding_norm=True, pooler=True), **whole)
    yield make.probe("GPT-2", shape("decoder", 50257, 768, 12, 12, 3072, **published), **whole)
    yield make.probe("Transformer-Large of 2017", shape("encoder_decoder", 37000, 1024, 6, 16, 4096), **whole)
    yield make.probe("GPT-3", shape("decoder", 50257, 12288, 96, 96, 49152, max_len=2048, final_norm=True), **whole)


@exercise.right
def reference(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.alternative("one line a part")
def version_1(c):
    d, f, L = c.d_model, c.d_ff, c.n_layers
    att, ffn, ln = 4 * d**2 + 4 * d, 2 * d * f + d + f, 2 * d
    enc = att + ffn + 2 * ln
    dec = 2 * att + ffn + 3 * ln
    body = {"decoder": enc, "encoder": enc, "encoder_decoder": enc + dec}[c.kind] * L
    rows = c.vocab_size * (2 - c.tied) + c.max_len + c.n_segments
    return body + rows * d + (c.embedding_norm + c.final_norm) * ln + c.pooler * (d**2 + d)


@exercise.alternative("layers on the meta device")
def version_2(config):
    d = config.d_model

    def attention():
        return [nn.Linear(d, d) for _ in range(4)] + [nn.LayerNorm(d)]

    def feed_forward():
        return [nn.Linear(d, config.d_ff), nn.Linear(config.d_ff, d), nn.LayerNorm(d)]

    with torch.device("meta"):
        n_stacks = 2 if config.kind == "encoder_decoder" else 1
        parts = nn.ModuleList([nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_len, d), nn.Embedding(config.n_segments, d)])
        parts.extend(attention() + feed_forward())
        if n_stacks == 2:
            parts.extend(attention() + attention() + feed_forward())
        once = 3
        outside = nn.ModuleList()
        if config.embedding_norm:
            outside.append(nn.LayerNorm(d))
        if config.final_norm:
            outside.append(nn.LayerNorm(d))
        if config.pooler:
            outside.append(nn.Linear(d, d))
        if not config.tied:
            outside.append(nn.Linear(d, config.vocab_size, bias=False))

    def numbers(modules):
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    return numbers(parts[:once]) + config.n_layers * numbers(parts[once:]) + numbers(outside)


@exercise.alternative("torch's own layers on the meta device")
def version_3(config):
    def numbers(module):
        return sum(p.numel() for p in module.parameters())

    with torch.device("meta"):
        total = config.n_layers * numbers(nn.TransformerEncoderLayer(config.d_model, config.n_heads, config.d_ff))
        if config.kind == "encoder_decoder":
            total += config.n_layers * numbers(nn.TransformerDecoderLayer(config.d_model, config.n_heads, config.d_ff))
        norm, pooler = numbers(nn.LayerNorm(config.d_model)), numbers(nn.Linear(config.d_model, config.d_model))
    total += (config.vocab_size + config.max_len + config.n_segments) * config.d_model
    total += norm * config.embedding_norm + norm * config.final_norm + pooler * config.pooler
    return total + (0 if config.tied else config.vocab_size * config.d_model)


@exercise.alternative("the library's layers on the meta device")
def version_4(config):
    from allyouneed.layers import DecoderLayer, EncoderLayer
    from allyouneed.models.common import parameter_count
    sizes = config.d_model, config.n_heads, config.d_ff
    counts = [parameter_count(EncoderLayer, *sizes) * config.n_layers]
    if config.kind == "encoder_decoder":
        counts.append(parameter_count(DecoderLayer, *sizes) * config.n_layers)
    counts.append(config.d_model * (config.vocab_size + config.max_len + config.n_segments))
    counts.append(2 * config.d_model * (int(config.embedding_norm) + int(config.final_norm)))
    counts.append(config.d_model * (config.d_model + 1) if config.pooler else 0)
    counts.append(config.vocab_size * config.d_model if not config.tied else 0)
    return sum(counts)


@exercise.alternative("a list of shapes")
def version_5(config):
    import math
    D, F, V = config.d_model, config.d_ff, config.vocab_size
    linear = lambda rows, columns: [(rows, columns), (columns,)]
    norm, attention = [(D,), (D,)], linear(D, D) * 4
    encoder = attention + linear(D, F) + linear(F, D) + norm * 2
    decoder = encoder + attention + norm
    shapes = [(V, D), (config.max_len, D), (config.n_segments, D)]
    shapes += encoder * config.n_layers
    shapes += decoder * config.n_layers if config.kind == "encoder_decoder" else []
    shapes += norm * (config.embedding_norm + config.final_norm)
    shapes += linear(D, D) if config.pooler else []
    shapes += [(D, V)] if not config.tied else []
    return sum(math.prod(shape) for shape in shapes)


@exercise.alternative("match, loops over layers")
def version_6(config):
    d = config.d_model

    def lin(a, b, bias=True):
        return a * b + (b if bias else 0)

    def block(cross=False):
        n = 4 * lin(d, d) + lin(d, config.d_ff) + lin(config.d_ff, d) + 4 * d
        return n + 4 * lin(d, d) + 2 * d if cross else n

    count = 0
    for _ in range(config.n_layers):
        match config.kind:
            case "decoder" | "encoder":
                count += block()
            case "encoder_decoder":
                count += block() + block(cross=True)
    count += lin(config.vocab_size, d, bias=False)
    for table in (config.max_len, config.n_segments):
        if table > 0:
            count += table * d
    for flag in (config.embedding_norm, config.final_norm):
        count += 2 * d if flag else 0
    if config.pooler:
        count += lin(d, d)
    if config.tied is False:
        count += lin(d, config.vocab_size, bias=False)
    return int(count)


@exercise.alternative("shapes and their products")
def version_134(config):
    import math
    d = config.d_model
    norm = [(d,), (d,)]
    attention = [(d, d), (d,)] * 4 + norm
    inner = [(d, config.d_ff), (config.d_ff,), (config.d_ff, d), (d,)] + norm
    shapes = [(config.vocab_size, d), (config.max_len, d), (config.n_segments, d)]
    for stack in {"encoder": [1], "decoder": [1], "encoder_decoder": [1, 2]}[config.kind]:
        shapes += (attention * stack + inner) * config.n_layers
    shapes += norm * (config.embedding_norm + config.final_norm)
    if not config.tied:
        shapes.append((d, config.vocab_size))
    if config.pooler:
        shapes += [(d, d), (d,)]
    return sum(map(math.prod, shapes))


@exercise.alternative("torch's encoder and decoder layers")
def version_135(config):
    d, heads, inner = config.d_model, config.n_heads, config.d_ff

    def numbers(module):
        return sum(parameter.numel() for parameter in module.parameters())

    with torch.device("meta"):
        total = config.n_layers * numbers(nn.TransformerEncoderLayer(d, heads, inner))
        if config.kind == "encoder_decoder":
            total += config.n_layers * numbers(nn.TransformerDecoderLayer(d, heads, inner))
        rows = config.vocab_size + config.max_len + config.n_segments + (0 if config.tied else config.vocab_size)
        total += numbers(nn.Embedding(rows, d)) + (config.embedding_norm + config.final_norm) * numbers(nn.LayerNorm(d))
        total += numbers(nn.Linear(d, d)) if config.pooler else 0
    return total


@exercise.wrong("attention-biases")
def version_7(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * D * D
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("attention-biases", "one bias")
def version_8(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * D * D + D
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("attention-biases", "no bias after the output")
def version_9(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * D * D + 3 * D
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("feed-forward-biases")
def version_10(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = 2 * D * F
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("inner-bias")
def version_11(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = 2 * D * F + 2 * D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("inner-bias", "both of d_ff")
def version_12(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = 2 * (D * F + F)
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-feed-forward-bias", "the second missing")
def version_13(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-feed-forward-bias", "the first missing")
def version_14(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("no-biases")
def version_15(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * D * D
    feed_forward = 2 * D * F
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("no-biases", "short")
def version_16(c):
    d, f, L = c.d_model, c.d_ff, c.n_layers
    att, ffn, ln = 4 * d**2, 2 * d * f, 2 * d
    enc = att + ffn + 2 * ln
    dec = 2 * att + ffn + 3 * ln
    body = {"decoder": enc, "encoder": enc, "encoder_decoder": enc + dec}[c.kind] * L
    rows = c.vocab_size * (2 - c.tied) + c.max_len + c.n_segments
    return body + rows * d + (c.embedding_norm + c.final_norm) * ln + c.pooler * (d**2 + d)


@exercise.wrong("no-biases", "nor in the pooler")
def version_17(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * D * D
    feed_forward = 2 * D * F
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("no-biases", "layers built without")
def version_18(config):
    d = config.d_model

    def attention():
        return [nn.Linear(d, d, bias=False) for _ in range(4)] + [nn.LayerNorm(d)]

    def feed_forward():
        return [nn.Linear(d, config.d_ff, bias=False), nn.Linear(config.d_ff, d, bias=False), nn.LayerNorm(d)]

    with torch.device("meta"):
        n_stacks = 2 if config.kind == "encoder_decoder" else 1
        parts = nn.ModuleList([nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_len, d), nn.Embedding(config.n_segments, d)])
        parts.extend(attention() + feed_forward())
        if n_stacks == 2:
            parts.extend(attention() + attention() + feed_forward())
        once = 3
        outside = nn.ModuleList()
        if config.embedding_norm:
            outside.append(nn.LayerNorm(d))
        if config.final_norm:
            outside.append(nn.LayerNorm(d))
        if config.pooler:
            outside.append(nn.Linear(d, d))
        if not config.tied:
            outside.append(nn.Linear(d, config.vocab_size, bias=False))

    def numbers(modules):
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    return numbers(parts[:once]) + config.n_layers * numbers(parts[once:]) + numbers(outside)


@exercise.wrong("no-norms")
def version_19(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("no-norms", "but the cross-attention's")
def version_20(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-number-norm")
def version_21(config):
    D, F = config.d_model, config.d_ff
    norm = D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-number-norm", "in the layers")
def version_22(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * D
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + D)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-norm")
def version_23(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-norm", "in every layer")
def version_24(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("three-norms")
def version_25(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 3 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("norms-once")
def version_26(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention)
    total += config.vocab_size * D
    total += 2 * norm
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("matrices-alone")
def version_27(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * D * D
    feed_forward = 2 * D * F
    layer = attention + feed_forward
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("norm-biases-and-biases")
def version_28(config):
    D, F = config.d_model, config.d_ff
    norm = D
    attention = 4 * D * D
    feed_forward = 2 * D * F
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("attention-matrix-missing", "three")
def version_29(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 3 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("attention-matrix-missing", "three, four biases")
def version_30(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 3 * D * D + 4 * D
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("attention-matrix-missing", "one")
def version_31(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = D * D + D
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("attention-matrix-missing", "two")
def version_32(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 2 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("attention-matrix-missing", "three, no biases")
def version_33(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 3 * D * D
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("more-with-heads")
def version_34(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = config.n_heads * 3 * (D * D + D) + D * D + D
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("more-with-heads", "one head's width")
def version_35(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 3 * (D * D // config.n_heads + D // config.n_heads) + D * D + D
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("more-with-heads", "the output projection from each head")
def version_36(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 3 * (D * D + D) + config.n_heads * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("more-with-heads", "one head")
def version_37(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * (D // config.n_heads) + D // config.n_heads)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("inner-width-fixed")
def version_38(config):
    D, F = config.d_model, 4 * config.d_model
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("inner-width-fixed", "12 d² + 13 d a layer")
def version_39(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = 12 * D * D + 13 * D
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("inner-width-fixed", "12 d² a layer")
def version_40(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = 12 * D * D
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-feed-forward-matrix")
def version_41(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-feed-forward-matrix", "two biases")
def version_42(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("three-feed-forward-matrices")
def version_43(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = 2 * (D * F + F) + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("three-feed-forward-matrices", "no biases")
def version_44(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = 3 * D * F
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("layers-once")
def version_45(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = layer
    if config.kind == "encoder_decoder":
        total += 1 * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("cross-attention-missing")
def version_46(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * layer
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("cross-attention-missing", "short")
def version_47(c):
    d, f, L = c.d_model, c.d_ff, c.n_layers
    att, ffn, ln = 4 * d**2 + 4 * d, 2 * d * f + d + f, 2 * d
    enc = att + ffn + 2 * ln
    dec = att + ffn + 2 * ln
    body = {"decoder": enc, "encoder": enc, "encoder_decoder": enc + dec}[c.kind] * L
    rows = c.vocab_size * (2 - c.tied) + c.max_len + c.n_segments
    return body + rows * d + (c.embedding_norm + c.final_norm) * ln + c.pooler * (d**2 + d)


@exercise.wrong("cross-attention-missing", "twice as many layers")
def version_48(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total *= 2
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("cross-attention-missing", "its norm is there")
def version_49(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("cross-norm-missing")
def version_50(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("cross-attention-everywhere", "a decoder alone")
def version_51(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "decoder":
        total += config.n_layers * (attention + norm)
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("cross-attention-everywhere", "encoder layers")
def version_52(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total = 2 * config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("cross-attention-everywhere", "every layer")
def version_53(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = 2 * attention + feed_forward + 3 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * layer
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-stack")
def version_54(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-stack", "short")
def version_55(c):
    d, f, L = c.d_model, c.d_ff, c.n_layers
    att, ffn, ln = 4 * d**2 + 4 * d, 2 * d * f + d + f, 2 * d
    enc = att + ffn + 2 * ln
    dec = 2 * att + ffn + 3 * ln
    body = {"decoder": enc, "encoder": enc, "encoder_decoder": enc}[c.kind] * L
    rows = c.vocab_size * (2 - c.tied) + c.max_len + c.n_segments
    return body + rows * d + (c.embedding_norm + c.final_norm) * ln + c.pooler * (d**2 + d)


@exercise.wrong("one-stack", "the decoder alone")
def version_56(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total = config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("one-stack", "the decoder alone, short")
def version_57(c):
    d, f, L = c.d_model, c.d_ff, c.n_layers
    att, ffn, ln = 4 * d**2 + 4 * d, 2 * d * f + d + f, 2 * d
    enc = att + ffn + 2 * ln
    dec = 2 * att + ffn + 3 * ln
    body = {"decoder": enc, "encoder": enc, "encoder_decoder": dec}[c.kind] * L
    rows = c.vocab_size * (2 - c.tied) + c.max_len + c.n_segments
    return body + rows * d + (c.embedding_norm + c.final_norm) * ln + c.pooler * (d**2 + d)


@exercise.wrong("half-stacks")
def version_58(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total = config.n_layers // 2 * (2 * layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("half-stacks", "divided by 2")
def version_59(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total = config.n_layers * (2 * layer + attention + norm) // 2
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("two-embeddings")
def version_60(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.vocab_size * D * (config.kind == "encoder_decoder")
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("two-embeddings", "short")
def version_61(c):
    d, f, L = c.d_model, c.d_ff, c.n_layers
    att, ffn, ln = 4 * d**2 + 4 * d, 2 * d * f + d + f, 2 * d
    enc = att + ffn + 2 * ln
    dec = 2 * att + ffn + 3 * ln
    body = {"decoder": enc, "encoder": enc, "encoder_decoder": enc + dec}[c.kind] * L
    rows = c.vocab_size * (2 - c.tied + (c.kind == "encoder_decoder")) + c.max_len + c.n_segments
    return body + rows * d + (c.embedding_norm + c.final_norm) * ln + c.pooler * (d**2 + d)


@exercise.wrong("two-embeddings", "three")
def version_62(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += 2 * config.vocab_size * D * (config.kind == "encoder_decoder")
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("positions-twice")
def version_63(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D * (2 if config.kind == "encoder_decoder" else 1)
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("tied-head-twice")
def version_64(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    total += config.vocab_size * D
    return total


@exercise.wrong("tied-head-twice", "short")
def version_65(c):
    d, f, L = c.d_model, c.d_ff, c.n_layers
    att, ffn, ln = 4 * d**2 + 4 * d, 2 * d * f + d + f, 2 * d
    enc = att + ffn + 2 * ln
    dec = 2 * att + ffn + 3 * ln
    body = {"decoder": enc, "encoder": enc, "encoder_decoder": enc + dec}[c.kind] * L
    rows = c.vocab_size * 2 + c.max_len + c.n_segments
    return body + rows * d + (c.embedding_norm + c.final_norm) * ln + c.pooler * (d**2 + d)


@exercise.wrong("tied-head-twice", "a head for both")
def version_66(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if config.tied or not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("untied-head-missing")
def version_67(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    return total


@exercise.wrong("tied-reversed")
def version_68(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("tied-reversed", "a tied one costs nothing")
def version_69(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += 0 if config.tied else config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("head-bias")
def version_70(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D + config.vocab_size
    return total


@exercise.wrong("head-bias", "layers built")
def version_71(config):
    d = config.d_model

    def attention():
        return [nn.Linear(d, d) for _ in range(4)] + [nn.LayerNorm(d)]

    def feed_forward():
        return [nn.Linear(d, config.d_ff), nn.Linear(config.d_ff, d), nn.LayerNorm(d)]

    with torch.device("meta"):
        n_stacks = 2 if config.kind == "encoder_decoder" else 1
        parts = nn.ModuleList([nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_len, d), nn.Embedding(config.n_segments, d)])
        parts.extend(attention() + feed_forward())
        if n_stacks == 2:
            parts.extend(attention() + attention() + feed_forward())
        once = 3
        outside = nn.ModuleList()
        if config.embedding_norm:
            outside.append(nn.LayerNorm(d))
        if config.final_norm:
            outside.append(nn.LayerNorm(d))
        if config.pooler:
            outside.append(nn.Linear(d, d))
        if not config.tied:
            outside.append(nn.Linear(d, config.vocab_size))

    def numbers(modules):
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    return numbers(parts[:once]) + config.n_layers * numbers(parts[once:]) + numbers(outside)


@exercise.wrong("head-bias", "of d_model numbers")
def version_72(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D + D
    return total


@exercise.wrong("embedding-missing", "with any head")
def version_73(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    return total


@exercise.wrong("embedding-missing", "one number a word")
def version_74(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("positions-missing")
def version_75(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("sinusoidal-counted", "512")
def version_76(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += (config.max_len or 512) * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("sinusoidal-counted", "1024")
def version_77(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += (config.max_len or 1024) * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("sinusoidal-counted", "one vector")
def version_78(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += max(config.max_len, 1) * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("positions-one-number")
def version_79(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("segments-missing")
def version_80(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("segments-one-number")
def version_81(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("segments-one-number", "one vector")
def version_82(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += (config.n_segments > 0) * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("embedding-norm-missing")
def version_83(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("final-norm-missing")
def version_84(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norms-missing")
def version_85(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-always", "the last")
def version_86(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-always", "the first")
def version_87(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-always", "both")
def version_88(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    total += norm
    total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norms-each-layer")
def version_89(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm * config.n_layers
    if config.final_norm:
        total += norm * config.n_layers
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-one-number")
def version_90(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += D
    if config.final_norm:
        total += D
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-one-number", "the last")
def version_91(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += D
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-one-number", "the first")
def version_92(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += D
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("pooler-missing")
def version_93(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("pooler-bias")
def version_94(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("pooler-bias", "one number")
def version_95(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + 1
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("pooler-always")
def version_96(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("pooler-always", "in every encoder")
def version_97(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.kind == "encoder":
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("pooler-for-encoders-only")
def version_98(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler and config.kind == "encoder":
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("segments-for-encoders-only")
def version_99(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D * (config.kind == "encoder")
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-by-kind")
def version_100(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.kind == "encoder":
        total += norm
    if config.kind == "decoder":
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-by-kind", "and")
def version_101(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm and config.kind == "encoder":
        total += norm
    if config.final_norm and config.kind == "decoder":
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-by-kind", "the first for encoders")
def version_102(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm and config.kind == "encoder":
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("outer-norm-by-kind", "the last for decoders")
def version_103(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm and config.kind == "decoder":
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("head-by-kind")
def version_104(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied and config.kind != "encoder":
        total += config.vocab_size * D
    return total


@exercise.wrong("positions-by-kind", "not in an encoder_decoder")
def version_105(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D * (config.kind != "encoder_decoder")
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("positions-by-kind", "decoders alone")
def version_106(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D * (config.kind == "decoder")
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("not-an-int", "a float")
def version_107(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return float(total)


@exercise.wrong("not-an-int", "a tensor of floats")
def version_108(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return torch.tensor(float(total))


@exercise.wrong("not-an-int", "a division")
def version_109(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * (D / config.n_heads) * config.n_heads + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("kind-unanswered", "hyphen")
def version_110(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    if config.kind in ("encoder", "decoder", "encoder-decoder"):
        return total


@exercise.wrong("kind-unanswered", "decoders alone")
def version_111(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    if config.kind == "decoder":
        return total


@exercise.wrong("kind-unanswered", "an error of its own")
def version_112(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    if config.kind not in ("encoder", "decoder"):
        raise ValueError(f"unknown kind {config.kind}")
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("tensors-counted")
def version_113(config):
    d = config.d_model

    def attention():
        return [nn.Linear(d, d) for _ in range(4)] + [nn.LayerNorm(d)]

    def feed_forward():
        return [nn.Linear(d, config.d_ff), nn.Linear(config.d_ff, d), nn.LayerNorm(d)]

    with torch.device("meta"):
        n_stacks = 2 if config.kind == "encoder_decoder" else 1
        parts = nn.ModuleList([nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_len, d), nn.Embedding(config.n_segments, d)])
        parts.extend(attention() + feed_forward())
        if n_stacks == 2:
            parts.extend(attention() + attention() + feed_forward())
        once = 3
        outside = nn.ModuleList()
        if config.embedding_norm:
            outside.append(nn.LayerNorm(d))
        if config.final_norm:
            outside.append(nn.LayerNorm(d))
        if config.pooler:
            outside.append(nn.Linear(d, d))
        if not config.tied:
            outside.append(nn.Linear(d, config.vocab_size, bias=False))

    def numbers(modules):
        return sum(1 for module in modules for parameter in module.parameters())

    return numbers(parts[:once]) + config.n_layers * numbers(parts[once:]) + numbers(outside)


@exercise.wrong("a-dict")
def version_114(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return {"layers": config.n_layers * layer, "rest": total - config.n_layers * layer}


@exercise.wrong("a-dict", "a list")
def version_115(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return [total - config.n_layers * layer, config.n_layers * layer]


@exercise.wrong("a-dict", "a tuple")
def version_116(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total, config.n_layers * layer


@exercise.wrong("rounded", "thousands")
def version_117(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total // 1000


@exercise.wrong("rounded", "millions")
def version_118(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return round(total / 1e6)


@exercise.wrong("config-as-dict")
def version_119(config):
    D, F = config["d_model"], config["d_ff"]
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("no-count")
def version_120(config):
    D, F = config.d_model, config.d_ff
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    print(total)


@exercise.wrong("built-in-memory")
def version_121(config):
    D, F = config.d_model, config.d_ff
    while D > 10_000:
        pass
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = D * F + F + F * D + D
    layer = attention + feed_forward + 2 * norm
    total = config.n_layers * layer
    if config.kind == "encoder_decoder":
        total += config.n_layers * (layer + attention + norm)
    total += config.vocab_size * D
    total += config.max_len * D
    total += config.n_segments * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    if not config.tied:
        total += config.vocab_size * D
    return total


@exercise.wrong("ready-made")
def version_122(config):
    from allyouneed.models.sizes import transformer_parts
    with torch.device("meta"):
        return sum(p.numel() for p in transformer_parts(config).parameters())


@exercise.wrong("ready-made", "by its module")
def version_123(config):
    from allyouneed.models import sizes
    from allyouneed.models.common import parameter_count
    return parameter_count(sizes.transformer_parts, config)


@exercise.wrong("timeout")
def version_124(config):
    from time import sleep
    total, layer = 0, 0
    while layer < config.n_layers:
        sleep(0.01)
    return total


@exercise.wrong("outer-norm-each-stack", "the last")
def version_125(config):
    D, V, L, H = config.d_model, config.vocab_size, config.n_layers, config.d_ff
    attention = 4 * (D * D + D)
    ff = D * H + H + H * D + D
    norm = 2 * D
    if config.kind == "encoder_decoder":
        layers = L * (attention + ff + 2 * norm) + L * (2 * attention + ff + 3 * norm)
    else:
        layers = L * (attention + ff + 2 * norm)
    total = V * D + layers
    total += config.max_len * D
    total += config.n_segments * D
    if not config.tied:
        total += V * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm * (2 if config.kind == "encoder_decoder" else 1)
    if config.pooler:
        total += D * D + D
    return total


@exercise.wrong("outer-norm-each-stack", "the first")
def version_126(config):
    D, V, L, H = config.d_model, config.vocab_size, config.n_layers, config.d_ff
    attention = 4 * (D * D + D)
    ff = D * H + H + H * D + D
    norm = 2 * D
    if config.kind == "encoder_decoder":
        layers = L * (attention + ff + 2 * norm) + L * (2 * attention + ff + 3 * norm)
    else:
        layers = L * (attention + ff + 2 * norm)
    total = V * D + layers
    total += config.max_len * D
    total += config.n_segments * D
    if not config.tied:
        total += V * D
    if config.embedding_norm:
        total += norm * (2 if config.kind == "encoder_decoder" else 1)
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    return total


@exercise.wrong("outer-norm-each-stack", "both")
def version_127(config):
    D, V, L, H = config.d_model, config.vocab_size, config.n_layers, config.d_ff
    attention = 4 * (D * D + D)
    ff = D * H + H + H * D + D
    norm = 2 * D
    if config.kind == "encoder_decoder":
        layers = L * (attention + ff + 2 * norm) + L * (2 * attention + ff + 3 * norm)
    else:
        layers = L * (attention + ff + 2 * norm)
    total = V * D + layers
    total += config.max_len * D
    total += config.n_segments * D
    if not config.tied:
        total += V * D
    if config.embedding_norm:
        total += norm * (2 if config.kind == "encoder_decoder" else 1)
    if config.final_norm:
        total += norm * (2 if config.kind == "encoder_decoder" else 1)
    if config.pooler:
        total += D * D + D
    return total


@exercise.wrong("bias-of-one-number", "a helper for Linear")
def version_128(config):
    d = config.d_model

    def linear(n_in, n_out):
        return n_in * n_out + 1

    attn, mlp, norm = 4 * linear(d, d), linear(d, config.d_ff) + linear(config.d_ff, d), 2 * d
    count = (config.vocab_size * (1 if config.tied else 2) + config.max_len + config.n_segments) * d
    count += config.n_layers * (attn + mlp + 2 * norm)
    if config.kind == "encoder_decoder":
        count += config.n_layers * (2 * attn + mlp + 3 * norm)
    count += norm * (int(config.embedding_norm) + int(config.final_norm))
    return count + (linear(d, d) if config.pooler else 0)


@exercise.wrong("bias-of-one-number", "in the layers alone")
def version_129(config):
    D, V, L, H = config.d_model, config.vocab_size, config.n_layers, config.d_ff
    attention = 4 * (D * D + 1)
    ff = 2 * D * H + 2
    norm = 2 * D
    if config.kind == "encoder_decoder":
        layers = L * (attention + ff + 2 * norm) + L * (2 * attention + ff + 3 * norm)
    else:
        layers = L * (attention + ff + 2 * norm)
    total = V * D + layers
    total += config.max_len * D
    total += config.n_segments * D
    if not config.tied:
        total += V * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    return total


@exercise.wrong("rule-of-thumb", "12 d²")
def version_130(config):
    return 12 * config.n_layers * config.d_model ** 2 + config.vocab_size * config.d_model


@exercise.wrong("rule-of-thumb", "12 d², 28 d² in two stacks")
def version_131(config):
    stacks = {"decoder": 12, "encoder": 12, "encoder_decoder": 28}
    return config.n_layers * stacks[config.kind] * config.d_model**2 + config.vocab_size * config.d_model


@exercise.wrong("more-with-heads", "all four")
def version_132(config):
    D, V, L, H = config.d_model, config.vocab_size, config.n_layers, config.d_ff
    attention = 4 * config.n_heads * (D * D + D)
    ff = D * H + H + H * D + D
    norm = 2 * D
    if config.kind == "encoder_decoder":
        layers = L * (attention + ff + 2 * norm) + L * (2 * attention + ff + 3 * norm)
    else:
        layers = L * (attention + ff + 2 * norm)
    total = V * D + layers
    total += config.max_len * D
    total += config.n_segments * D
    if not config.tied:
        total += V * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    return total


@exercise.wrong("embedding-missing", "the head alone")
def version_133(config):
    D, V, L, H = config.d_model, config.vocab_size, config.n_layers, config.d_ff
    attention = 4 * (D * D + D)
    ff = D * H + H + H * D + D
    norm = 2 * D
    if config.kind == "encoder_decoder":
        layers = L * (attention + ff + 2 * norm) + L * (2 * attention + ff + 3 * norm)
    else:
        layers = L * (attention + ff + 2 * norm)
    total = layers
    total += config.max_len * D
    total += config.n_segments * D
    if not config.tied:
        total += V * D
    if config.embedding_norm:
        total += norm
    if config.final_norm:
        total += norm
    if config.pooler:
        total += D * D + D
    return total
