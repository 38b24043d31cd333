"""transformer_parameters: probes, right versions, and each mistake with its message and its evidence."""

import torch
from torch import nn

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "transformer_parameters",
    points={"layers": 2, "around the layers": 2, "whole models": 1},
    section="parameters-by-part",
    driver="transformer_count",
    forbid=("transformer_parts", "PUBLISHED_SIZES"),
)

NOTHING = {"max_len": 0, "n_segments": 0, "tied": True, "embedding_norm": False, "final_norm": False,
           "pooler": False}


@exercise.probes
def probes(make):
    def shape(kind, V, D, L, H, F, **others):
        return {"kind": kind, "vocab_size": V, "d_model": D, "n_layers": L, "n_heads": H,
                "d_ff": F} | NOTHING | others

    layers, around, whole = ({"group": "layers"}, {"group": "around the layers"},
                             {"group": "whole models", "edge": True})
    plain = make.pick((11, 6, 2, 3, 10), (13, 8, 3, 2, 14), (17, 10, 2, 5, 12))
    decoder, encoder, both = (shape(kind, *plain) for kind in ("decoder", "encoder", "encoder_decoder"))
    for kind, base in (("decoder", decoder), ("encoder", encoder), ("encoder_decoder", both)):
        yield make.probe(f"what another layer adds, {kind}", base, {"n_layers": base["n_layers"] + 1},
                         **layers)
    yield make.probe("what a wider feed-forward network adds", decoder,
                     {"d_ff": decoder["d_ff"] + make.pick(3, 5, 7)}, **layers)
    yield make.probe("what a wider feed-forward network adds, encoder_decoder", both,
                     {"d_ff": both["d_ff"] + make.pick(4, 3, 5)}, **layers)
    yield make.probe("what more heads add", decoder, {"n_heads": decoder["d_model"]}, **layers)
    yield make.probe("what a larger vocabulary adds", decoder,
                     {"vocab_size": decoder["vocab_size"] + make.pick(7, 9, 5)}, **around)
    yield make.probe("what a larger vocabulary adds, encoder_decoder", both,
                     {"vocab_size": both["vocab_size"] + make.pick(5, 4, 8)}, **around)
    yield make.probe("what a head of its own adds", decoder, {"tied": False}, **around)
    yield make.probe("what a head of its own adds, encoder", encoder, {"tied": False}, **around)
    yield make.probe("what learned positions add", decoder, {"max_len": make.pick(9, 7, 13)}, **around)
    yield make.probe("what learned positions add, encoder", encoder, {"max_len": make.pick(8, 11, 5)},
                     **around)
    yield make.probe("what learned positions add, encoder_decoder", both, {"max_len": make.pick(7, 9, 12)},
                     **around)
    yield make.probe("what more positions add", decoder | {"max_len": 5}, {"max_len": make.pick(12, 14, 9)},
                     **around)
    yield make.probe("what segments add", encoder, {"n_segments": make.pick(3, 2, 4)}, **around)
    yield make.probe("what one segment adds, decoder", decoder, {"n_segments": 1}, **around)
    for field, words in (("embedding_norm", "a norm after the embedding"),
                         ("final_norm", "a norm after the last layer"), ("pooler", "a pooler")):
        yield make.probe(f"what {words} adds, encoder", encoder, {field: True}, **around)
        yield make.probe(f"what {words} adds, decoder", decoder, {field: True}, **around)
    yield make.probe("what a norm after the embedding adds, encoder_decoder", both, {"embedding_norm": True},
                     **around)
    yield make.probe("what a norm after the last layer adds, encoder_decoder", both, {"final_norm": True},
                     **around)
    for kind, base in (("decoder", decoder), ("encoder", encoder), ("encoder_decoder", both)):
        yield make.probe(f"a small {kind}", base, **whole)
    yield make.probe("everything at once", encoder
                     | {"max_len": 9, "n_segments": 3, "tied": False, "embedding_norm": True,
                        "final_norm": True,
                                                      "pooler": True}, **whole)
    published = {"max_len": 1024, "final_norm": True}
    yield make.probe("BERT-Base", shape("encoder", 30522, 768, 12, 12, 3072, max_len=512, n_segments=2,
                                        embedding_norm=True, pooler=True), **whole)
    yield make.probe("GPT-2", shape("decoder", 50257, 768, 12, 12, 3072, **published), **whole)
    yield make.probe("Transformer-Large of 2017", shape("encoder_decoder", 37000, 1024, 6, 16, 4096), **whole)
    yield make.probe("GPT-3", shape("decoder", 50257, 12288, 96, 96, 49152, max_len=2048, final_norm=True),
                     **whole)


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


@exercise.right("one line a part")
def one_line(c):
    d, f, L = c.d_model, c.d_ff, c.n_layers
    att, ffn, ln = 4 * d**2 + 4 * d, 2 * d * f + d + f, 2 * d
    enc = att + ffn + 2 * ln
    dec = 2 * att + ffn + 3 * ln
    body = {"decoder": enc, "encoder": enc, "encoder_decoder": enc + dec}[c.kind] * L
    rows = c.vocab_size * (2 - c.tied) + c.max_len + c.n_segments
    return body + rows * d + (c.embedding_norm + c.final_norm) * ln + c.pooler * (d**2 + d)


@exercise.right("layers on the meta device")
def layers_meta(config):
    d = config.d_model

    def attention():
        return [nn.Linear(d, d) for _ in range(4)] + [nn.LayerNorm(d)]

    def feed_forward():
        return [nn.Linear(d, config.d_ff), nn.Linear(config.d_ff, d), nn.LayerNorm(d)]

    with torch.device("meta"):
        n_stacks = 2 if config.kind == "encoder_decoder" else 1
        parts = nn.ModuleList([nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_len, d),
                               nn.Embedding(config.n_segments, d)])
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


@exercise.right("torch's own layers on the meta device")
def torch_layers(config):
    def numbers(module):
        return sum(p.numel() for p in module.parameters())

    with torch.device("meta"):
        total = config.n_layers * numbers(
            nn.TransformerEncoderLayer(config.d_model, config.n_heads, config.d_ff)
        )
        if config.kind == "encoder_decoder":
            total += config.n_layers * numbers(
                nn.TransformerDecoderLayer(config.d_model, config.n_heads, config.d_ff)
            )
        norm, pooler = (
            numbers(nn.LayerNorm(config.d_model)),
            numbers(nn.Linear(config.d_model, config.d_model)),
        )
    total += (config.vocab_size + config.max_len + config.n_segments) * config.d_model
    total += norm * config.embedding_norm + norm * config.final_norm + pooler * config.pooler
    return total + (0 if config.tied else config.vocab_size * config.d_model)


@exercise.right("the library's layers on the meta device")
def library_layers(config):
    from allyouneed.nn.layers import Block, DecoderBlock, FeedForward, LayerNorm
    from allyouneed.nn.multihead import MultiHeadAttention
    from allyouneed.models.common import parameter_count
    def block(kind, n_attentions):
        attentions = [MultiHeadAttention(config.d_model, config.n_heads) for _ in range(n_attentions)]
        return kind(*attentions, FeedForward(config.d_model, config.d_ff), LayerNorm(config.d_model))
    counts = [parameter_count(block, Block, 1) * config.n_layers]
    if config.kind == "encoder_decoder":
        counts.append(parameter_count(block, DecoderBlock, 2) * config.n_layers)
    counts.append(config.d_model * (config.vocab_size + config.max_len + config.n_segments))
    counts.append(2 * config.d_model * (int(config.embedding_norm) + int(config.final_norm)))
    counts.append(config.d_model * (config.d_model + 1) if config.pooler else 0)
    counts.append(config.vocab_size * config.d_model if not config.tied else 0)
    return sum(counts)


@exercise.right("a list of shapes")
def list_shapes(config):
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


@exercise.right("match, loops over layers")
def match_loops(config):
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


@exercise.right("shapes and their products")
def shapes_their(config):
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


@exercise.right("torch's encoder and decoder layers")
def torch_encoder(config):
    d, heads, inner = config.d_model, config.n_heads, config.d_ff

    def numbers(module):
        return sum(parameter.numel() for parameter in module.parameters())

    with torch.device("meta"):
        total = config.n_layers * numbers(nn.TransformerEncoderLayer(d, heads, inner))
        if config.kind == "encoder_decoder":
            total += config.n_layers * numbers(nn.TransformerDecoderLayer(d, heads, inner))
        rows = (config.vocab_size + config.max_len + config.n_segments
                + (0 if config.tied else config.vocab_size))
        total += numbers(nn.Embedding(rows, d)) + (config.embedding_norm
                                                   + config.final_norm) * numbers(nn.LayerNorm(d))
        total += numbers(nn.Linear(d, d)) if config.pooler else 0
    return total


@exercise.right("step by step")
def plain(config):
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
        total += norm
    if config.pooler:
        total += D * D + D
    return total


exercise.mistake("attention-biases", "biases-and-norms",
    "The four projections of an attention have biases as well, d_model numbers each.",
    edit(reference, {"(D * D + D)": "D * D"}),
    edit(reference, {"(D * D + D)": "D * D + D"}, "one bias"),
    edit(reference, {"(D * D + D)": "D * D + 3 * D"}, "no bias after the output"))

exercise.mistake("feed-forward-biases", "biases-and-norms",
    "The two feed-forward matrices have biases as well: d_ff numbers after the first, d_model after the "
    "second.",
    edit(reference, {"D * F + F + F * D + D": "2 * D * F"}))

exercise.mistake("inner-bias", "biases-and-norms",
    "The bias of the first feed-forward matrix has d_ff numbers, that of the second d_model: one for each "
    "column that a layer makes.",
    edit(reference, {"D * F + F + F * D + D": "2 * D * F + 2 * D"}),
    edit(reference, {"D * F + F + F * D + D": "2 * (D * F + F)"}, "both of d_ff"))

exercise.mistake("one-feed-forward-bias", "biases-and-norms",
    "Both feed-forward matrices have a bias: d_ff numbers after the first, d_model after the second. One "
    "of them is missing.",
    edit(reference, {"F * D + D": "F * D"}, "the second missing"),
    edit(reference, {"F + F * D": "F * D"}, "the first missing"))

exercise.mistake("no-biases", "biases-and-norms",
    "The biases of the layers' matrices are missing. Each Linear has one number for each column that it "
    "makes.",
    edit(reference, {"(D * D + D)": "D * D", "D * F + F + F * D + D": "2 * D * F"}),
    edit(reference, {"(D * D + D)": "D * D", "D * F + F + F * D + D": "2 * D * F",
                     "+= D * D + D": "+= D * D"}, "nor in the pooler"))

exercise.mistake("no-norms", "biases-and-norms",
    "The norms of the layers are missing. Each layer has one for each of its parts, with a weight and a "
    "bias of d_model numbers each.",
    edit(reference, {" + 2 * norm": "", " + norm": ""}),
    edit(reference, {" + 2 * norm": ""}, "but the cross-attention's"))

exercise.mistake("one-number-norm", "biases-and-norms",
    "A norm has d_model weights and d_model biases: 2 d_model numbers. Here it is counted with d_model.",
    edit(reference, {"= 2 * D": "= D"}),
    edit(reference, {"2 * norm": "2 * D", "+ norm": "+ D"}, "in the layers"))

exercise.mistake("one-norm", "biases-and-norms",
    "There is one norm for each part of a layer, not one for each layer: two in an encoder layer, and in a "
    "decoder-only one; three where there is cross-attention.",
    edit(reference, {"2 * norm": "norm"}),
    edit(reference, {"2 * norm": "norm", " + norm": ""}, "in every layer"),
    edit(reference, {"2 * norm": "norm", " + norm": " + 2 * norm"}, "where there is no cross-attention"))

exercise.mistake("three-norms", "biases-and-norms",
    "A layer has one norm too many. A layer without cross-attention has two, a layer with it has three.",
    edit(reference, {"2 * norm": "3 * norm"}))

exercise.mistake("norms-once", "biases-and-norms",
    "The norms are counted once for the whole model. Each layer has its own.",
    edit(reference, {" + 2 * norm": "", " + norm": "",
                     "total += config.max_len": "total += 2 * norm\ntotal += config.max_len"}))

exercise.mistake("matrices-alone", "biases-and-norms",
    "Only the matrices of the layers are counted. Each of their Linear layers has a bias, and each part of "
    "a layer has a norm.",
    edit(reference, {"(D * D + D)": "D * D", "D * F + F + F * D + D": "2 * D * F", " + 2 * norm": "",
                     " + norm": ""}))

exercise.mistake("norm-biases-and-biases", "biases-and-norms",
    "The matrices and the norms' weights are counted, and no bias at all. Every Linear and every norm has "
    "one.",
    edit(reference, {"= 2 * D": "= D", "(D * D + D)": "D * D", "D * F + F + F * D + D": "2 * D * F"}))

exercise.mistake("attention-matrix-missing", "parameters-by-part",
    "An attention has four matrices: queries, keys, values, and the output projection. Here there are fewer.",
    edit(reference, {"attention = 4": "attention = 3"}, "three"),
    edit(reference, {"4 * (D * D + D)": "3 * D * D + 4 * D"}, "three, four biases"),
    edit(reference, {"4 * (D * D + D)": "D * D + D"}, "one"),
    edit(reference, {"attention = 4": "attention = 2"}, "two"),
    edit(reference, {"4 * (D * D + D)": "3 * D * D"}, "three, no biases"),
    edit(reference, {"layer + attention + norm": "layer + attention - D * D - D + norm"},
         "three, to the encoder"),
    edit(reference, {"layer + attention + norm": "layer + attention // 2 + norm"}, "two, to the encoder"))

exercise.mistake("more-with-heads", "parameters-by-part",
    "The count changes with the number of heads. More heads are narrower: together they are d_model wide, "
    "so n_heads plays no part.",
    edit(reference, {"4 * (D * D + D)": "config.n_heads * 3 * (D * D + D) + D * D + D"}),
    edit(reference, {"4 * (D * D + D)": "3 * (D * D // config.n_heads + D // config.n_heads) + D * D + D"},
         "one head's width"),
    edit(reference, {"4 * (D * D + D)": "3 * (D * D + D) + config.n_heads * (D * D + D)"},
         "the output projection from each head"),
    edit(reference, {"(D * D + D)": "(D * (D // config.n_heads) + D // config.n_heads)"}, "one head"),
    edit(plain, {"attention = 4": "attention = 4 * config.n_heads"}, "all four"))

exercise.mistake("inner-width-fixed", "parameters-by-part",
    "The inner width of the feed-forward network is taken as 4 d_model. Use config.d_ff.",
    edit(reference, {"config.d_ff": "4 * config.d_model"}),
    edit(reference, {"attention + feed_forward + 2 * norm": "12 * D * D"}, "12 d² a layer"))

exercise.mistake("one-feed-forward-matrix", "parameters-by-part",
    "The feed-forward network has two matrices, d_model to d_ff and back. One is missing.",
    edit(reference, {" + F * D + D": ""}),
    edit(reference, {"F * D + D": "D"}, "two biases"))

exercise.mistake("three-feed-forward-matrices", "parameters-by-part",
    "The feed-forward network is counted with three matrices, as a gated one. It has two: d_model to d_ff "
    "and back.",
    edit(reference, {"D * F + F": "2 * (D * F + F)"}),
    edit(reference, {"D * F + F + F * D + D": "3 * D * F"}, "no biases"))

exercise.mistake("layers-once", "parameters-by-part",
    "Only one layer is counted. There are n_layers of them, each with weights of its own.",
    edit(reference, {"config.n_layers * layer": "layer", "+= config.n_layers": "+= 1"}))

exercise.mistake("cross-attention-missing", "parameters-by-part",
    "Each decoder layer of an encoder_decoder has a second attention, to the encoder: four matrices with "
    "biases, and a norm.",
    edit(reference, {"(layer + attention + norm)": "layer"}),
    edit(reference, {"attention + norm": "norm"}, "its norm is there"))

exercise.mistake("cross-norm-missing", "parameters-by-part",
    "The cross-attention has a norm of its own: a decoder layer of an encoder_decoder has three.",
    edit(reference, {" + norm": ""}))

exercise.mistake("cross-attention-everywhere", "parameters-by-part",
    "Cross-attention is counted where there is none. Only the decoder layers of an encoder_decoder have "
    "it: not its encoder layers, and not a decoder that stands alone.",
    edit(reference, {"* layer": "* layer\n"
                                'if config.kind == "decoder":\n'
                                "    total += config.n_layers * (attention + norm)"}, "a decoder alone"),
    edit(reference, {"+= config.n_layers": "= 2 * config.n_layers"}, "encoder layers"),
    edit(reference, {"layer =": "layer = 2 *", "2 * norm": "3 * norm",
                     "(layer + attention + norm)": "layer"}, "every layer"))

exercise.mistake("one-stack", "parameters-by-part",
    "An encoder_decoder has two stacks of n_layers each, an encoder and a decoder. Only one is counted.",
    edit(one_line, {" + dec": ""}),
    edit(one_line, {" enc +": ""}, "the decoder alone, short"))

exercise.mistake("half-stacks", "parameters-by-part",
    "n_layers is the number of layers of one stack. An encoder_decoder has n_layers in the encoder and "
    "n_layers more in the decoder.",
    edit(reference, {"+= config.n_layers * (": "= config.n_layers // 2 * (2 *"}),
    edit(reference, {"+= config.n_layers * (layer + attention + norm)":
                     "= config.n_layers * (2 * layer + attention + norm) // 2"}, "divided by 2"),
    edit(plain, {"L * (attention + ff + 2 * norm) + L * (2":
                 "L // 2 * (attention + ff + 2 * norm) + (L - L // 2) * (2"}, "an odd one for the decoder"),
    edit(plain, {"L * (attention + ff + 2 * norm) + L * (2":
                 "(L - L // 2) * (attention + ff + 2 * norm) + L // 2 * (2"}, "an odd one for the encoder"))

exercise.mistake("two-embeddings", "tied-head-once",
    "An encoder_decoder has one shared embedding here. It is counted more than once.",
    edit(one_line, {"tied": 'tied + (c.kind == "encoder_decoder")'}),
    edit(reference, {"total += config.max_len":
                     'total += 2 * config.vocab_size * D * (config.kind == "encoder_decoder")\n'
                     "total += config.max_len"}, "three"))

exercise.mistake("positions-twice", "parameters-by-part",
    "Encoder and decoder share one table of positions here. It is counted twice.",
    edit(reference, {"max_len * D": 'max_len * D * (2 if config.kind == "encoder_decoder" else 1)'}))

exercise.mistake("tied-head-twice", "tied-head-once",
    "A tied head is the embedding matrix itself, so it counts once, as the embedding. It is counted again.",
    edit(one_line, {"(2 - c.tied)": "2"}))

exercise.mistake("untied-head-missing", "tied-head-once",
    "An untied head is a matrix of its own: vocab_size · d_model more. It is missing.",
    edit(reference, {"if not config.tied:\n    total += config.vocab_size * D": ""}))


TABLES = "total += config.vocab_size * D\ntotal += config.max_len * D"
exercise.mistake("tied-reversed", "tied-head-once",
    "tied works the wrong way round: True means that head and embedding are one matrix, which counts once.",
    edit(reference, {" not": ""}),
    edit(reference, {TABLES: "total += 0 if config.tied else config.vocab_size * D\n"
                             "total += config.max_len * D"}, "a tied one costs nothing"))

exercise.mistake("head-bias", "tied-head-once",
    "The untied head has no bias: it adds vocab_size · d_model numbers and no more.",
    edit(layers_meta, {", bias=False": ""}),
    edit(reference, {"if not config.tied:\n"
                     "    total += config.vocab_size * D":
                     "if not config.tied:\n"
                     "        total += config.vocab_size * D + D"}, "of d_model numbers"))


exercise.mistake("embedding-missing", "parameters-by-part",
    "The embedding of the tokens is missing, or counted with one number for each: it has vocab_size · "
    "d_model numbers.",
    edit(reference, {TABLES: "total += config.max_len * D",
                     "if not config.tied:\n    total += config.vocab_size * D": ""}, "with any head"),
    edit(reference, {TABLES: "total += config.vocab_size\ntotal += config.max_len * D"}, "one number a word"),
    edit(plain, {" V * D +": ""}, "the head alone"))

exercise.mistake("positions-missing", "parameters-by-part",
    "The learned positions are missing: max_len · d_model.",
    edit(reference, {"total += config.max_len * D": ""}))

exercise.mistake("sinusoidal-counted", "parameters-by-part",
    "Where max_len is 0 the positions are sinusoidal: nothing is learned. Something is counted for them.",
    edit(reference, {"config.max_len": "(config.max_len or 512)"}, "512"),
    edit(reference, {"config.max_len": "(config.max_len or 1024)"}, "1024"),
    edit(reference, {"config.max_len": "max(config.max_len, 1)"}, "one vector"))

exercise.mistake("one-position-more", "parameters-by-part",
    "One position too many is counted. The table of positions has max_len rows, and none where max_len is 0.",
    edit(reference, {"config.max_len * D": "(config.max_len + 1) * D"}, "always"),
    edit(reference, {"config.max_len * D": "(config.max_len + (config.max_len > 0)) * D"},
         "where there are some"))

exercise.mistake("positions-one-number", "parameters-by-part",
    "Each learned position is a vector of d_model numbers, not one number.",
    edit(reference, {"max_len * D": "max_len"}))

exercise.mistake("segments-missing", "parameters-by-part",
    "The embedding of segments is missing: n_segments · d_model.",
    edit(reference, {"total += config.n_segments * D": ""}))

exercise.mistake("segments-one-number", "parameters-by-part",
    "Each segment has a vector of d_model numbers, and there are n_segments of them.",
    edit(reference, {"n_segments * D": "n_segments"}),
    edit(reference, {"config.n_segments": "(config.n_segments > 0)"}, "one vector"))

exercise.mistake("embedding-norm-missing", "biases-and-norms",
    "The norm after the embeddings is missing where embedding_norm is True: d_model weights, d_model biases.",
    edit(reference, {"if config.embedding_norm:\n    total += norm": ""}))

exercise.mistake("final-norm-missing", "biases-and-norms",
    "The norm after the last layer is missing where final_norm is True: d_model weights, d_model biases.",
    edit(reference, {"if config.final_norm:\n    total += norm": ""}))

exercise.mistake("outer-norms-missing", "biases-and-norms",
    "The norms outside the layers are missing: embedding_norm and final_norm stand for one each, of 2 "
    "d_model numbers.",
    edit(reference, {"if config.embedding_norm:\n"
                     "    total += norm\n"
                     "if config.final_norm:\n"
                     "    total += norm":
                     ""}))

exercise.mistake("outer-norm-always", "biases-and-norms",
    "A norm outside the layers is counted whatever the config says. Ask embedding_norm and final_norm.",
    edit(reference, {"if config.final_norm:\n    total += norm": "total += norm"}, "the last"),
    edit(reference, {"if config.embedding_norm:\n    total += norm": "total += norm"}, "the first"),
    edit(reference, {"if config.embedding_norm:\n"
                     "    total += norm\n"
                     "if config.final_norm:\n"
                     "    total += norm":
                     "total += norm\n"
                     "total += norm"}, "both"))

exercise.mistake("outer-norms-each-layer", "biases-and-norms",
    "embedding_norm and final_norm are one norm each, and not one for each layer.",
    edit(reference, {"if config.embedding_norm:\n"
                     "    total += norm":
                     "if config.embedding_norm:\n"
                     "        total += norm * config.n_layers",
                     "if config.final_norm:\n"
                     "    total += norm":
                     "if config.final_norm:\n"
                     "        total += norm * config.n_layers"}))

exercise.mistake("outer-norm-one-number", "biases-and-norms",
    "The norms outside the layers have weights and biases too: 2 d_model numbers each.",
    edit(reference, {every("+= norm"): "+= D"}),
    edit(reference, {"if config.final_norm:\n    total += norm": "if config.final_norm:\n        total += D"},
         "the last"),
    edit(reference, {"if config.embedding_norm:\n"
                     "    total += norm":
                     "if config.embedding_norm:\n"
                     "        total += D"}, "the first"))

exercise.mistake("pooler-missing", "parameters-by-part",
    "The pooler is missing where config.pooler is True: a d_model × d_model matrix and its bias.",
    edit(reference, {"if config.pooler:\n    total += D * D + D": ""}))

exercise.mistake("pooler-bias", "biases-and-norms",
    "The pooler is a Linear with a bias: d_model² + d_model numbers.",
    edit(reference, {"+= D * D + D": "+= D * D"}),
    edit(reference, {"+= D * D + D": "+= D * D + 1"}, "one number"))

exercise.mistake("pooler-always", "parameters-by-part",
    "A pooler is counted whatever the config says. Ask config.pooler.",
    edit(reference, {"if config.pooler:\n    total += D * D + D": "total += D * D + D"}),
    edit(reference, {"pooler": 'kind == "encoder"'}, "in every encoder"))

exercise.mistake("pooler-for-encoders-only", "parameters-by-part",
    "The pooler is counted for one kind of model only. Ask config.pooler alone, whatever the kind.",
    edit(reference, {"pooler": 'pooler and config.kind == "encoder"'}))

exercise.mistake("segments-for-encoders-only", "parameters-by-part",
    "Segments are counted for one kind of model only. Ask config.n_segments alone, whatever the kind.",
    edit(reference, {"n_segments * D": 'n_segments * D * (config.kind == "encoder")'}))

exercise.mistake("outer-norm-by-kind", "biases-and-norms",
    "The norms outside the layers are counted by the kind of model. Ask embedding_norm and final_norm alone.",
    edit(reference, {"embedding_norm": 'kind == "encoder"', "final_norm": 'kind == "decoder"'}),
    edit(reference, {"embedding_norm": 'embedding_norm and config.kind == "encoder"',
                     "final_norm": 'final_norm and config.kind == "decoder"'}, "and"),
    edit(reference, {"embedding_norm": 'embedding_norm and config.kind == "encoder"'},
         "the first for encoders"),
    edit(reference, {"final_norm": 'final_norm and config.kind == "decoder"'}, "the last for decoders"))

exercise.mistake("head-by-kind", "tied-head-once",
    "The untied head is counted for some kinds of model only. Ask config.tied alone, whatever the kind.",
    edit(reference, {"tied": 'tied and config.kind != "encoder"'}))

exercise.mistake("positions-by-kind", "parameters-by-part",
    "Learned positions are counted for some kinds of model only. Ask config.max_len alone, whatever the "
    "kind.",
    edit(reference, {"max_len * D": 'max_len * D * (config.kind != "encoder_decoder")'},
         "not in an encoder_decoder"),
    edit(reference, {"max_len * D": 'max_len * D * (config.kind == "decoder")'}, "decoders alone"))

exercise.mistake("not-an-int", "parameters-by-part", "A count is an int: no division with / and no float.",
    edit(reference, {"return total": "return float(total)"}, "a float"),
    edit(reference, {"return total": "return torch.tensor(float(total))"}, "a tensor of floats"))

exercise.mistake("kind-unanswered", "parameters-by-part",
    "For one of the kinds None comes back, or an error: its name is spelled differently, or its branch has "
    "no return. The three are decoder, encoder and encoder_decoder.",
    edit(reference, {"return total": 'if config.kind in ("encoder", "decoder", "encoder-decoder"):\n'
                                     "    return total"}, "hyphen"),
    edit(reference, {"return total": 'if config.kind == "decoder":\n    return total'}, "decoders alone"),
    edit(reference, {"= 2 * D": "= 2 * D\n"
                                'if config.kind not in ("encoder", "decoder"):\n'
                                '    raise ValueError(f"unknown kind {config.kind}")'},
         "an error of its own"))

exercise.mistake("tensors-counted", "parameters-by-part",
    "The tensors are counted, not the numbers in them. Add up numel() of each.",
    edit(layers_meta, {"parameter.numel()": "1"}))

exercise.mistake("a-dict", "parameters-by-part",
    "A dict or a list of parts comes back. Return their sum, one int.",
    edit(reference, {"return total":
                     'return {"layers": config.n_layers * layer, "rest": total - config.n_layers * layer}'}),
    edit(reference, {"return total": "return [total - config.n_layers * layer, config.n_layers * layer]"},
         "a list"),
    edit(reference, {"return total": "return total, config.n_layers * layer"}, "a tuple"))

exercise.mistake("rounded", "parameters-by-part",
    "The count is rounded, or given in thousands or millions. Return the exact number, an int.",
    edit(reference, {"return total": "return total // 1000"}, "thousands"),
    edit(reference, {"return total": "return round(total / 1e6)"}, "millions"))

exercise.mistake("config-as-dict", "parameters-by-part",
    "The config is read like a dict. Its fields are attributes: config.d_model.",
    edit(reference, {".d_model, config.d_ff": '["d_model"], config["d_ff"]'}))

exercise.mistake("no-count", "parameters-by-part",
    "None comes back, whatever the config. End the function with a return statement.",
    edit(reference, {"return total": "print(total)"}))

exercise.mistake("built-in-memory", "published-models",
    "Small models are counted, but GPT-3 takes too long: it is built in memory, number by number. Count "
    "from the shapes, or build the layers on torch's meta device, which stores nothing.",
    edit(reference, {"d_ff": "d_ff\n"
                             "while D > 10_000:\n"
                             "    pass"}))

exercise.mistake("outer-norm-each-stack", "biases-and-norms",
    "embedding_norm and final_norm are one norm each for the whole model, also where there are two stacks. "
    "Here each stack has its own.",
    edit(plain, {"if config.final_norm:\n"
                 "    total += norm":
                 "if config.final_norm:\n"
                 '        total += norm * (2 if config.kind == "encoder_decoder" else 1)'}, "the last"),
    edit(plain, {"if config.embedding_norm:\n"
                 "    total += norm":
                 "if config.embedding_norm:\n"
                 '        total += norm * (2 if config.kind == "encoder_decoder" else 1)'}, "the first"),
    edit(plain, {"if config.embedding_norm:\n"
                 "    total += norm":
                 "if config.embedding_norm:\n"
                 '        total += norm * (2 if config.kind == "encoder_decoder" else 1)',
                 "if config.final_norm:\n"
                 "    total += norm":
                 "if config.final_norm:\n"
                 '        total += norm * (2 if config.kind == "encoder_decoder" else 1)'}, "both"))


def bias_one(config):
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


exercise.mistake("bias-of-one-number", "biases-and-norms",
    "A bias is counted as one number. It has one for each column that the Linear makes.",
    full(bias_one, "a helper for Linear"),
    edit(plain, {"(D * D + D)": "(D * D + 1)",
                 "D * H + H + H * D + D": "2 * D * H + 2"}, "in the layers alone"))

exercise.mistake("rule-of-thumb", "parameters-by-part",
    "12 · n_layers · d_model² is a rule of thumb. Biases, norms, d_ff and a second stack must be counted "
    "too, and all that stands around the layers.",
    full("return 12 * config.n_layers * config.d_model ** 2 + config.vocab_size * config.d_model", "12 d²"),
    full('stacks = {"decoder": 12, "encoder": 12, "encoder_decoder": 28}\n'
         "return config.n_layers * stacks[config.kind] * config.d_model**2 + config.vocab_size * "
         "config.d_model", "12 d², 28 d² in two stacks"),
    edit(reference, {"attention + feed_forward + 2 * norm": "12 * D * D",
                     "layer + attention + norm": "16 * D * D"}, "the layers alone"),
    full("D = config.d_model\n"
         "layers = 12 + 16 * (config.kind == 'encoder_decoder')\n"
         "return config.n_layers * layers * D**2 + (config.vocab_size + config.max_len) * D",
         "12 d², with the positions"))

exercise.built_in("ready-made",
    full("from allyouneed.models.sizes import transformer_parts\n"
         'with torch.device("meta"):\n'
         "    return sum(p.numel() for p in transformer_parts(config).parameters())"),
    full("from allyouneed.models import sizes\n"
         "from allyouneed.models.common import parameter_count\n"
         "return parameter_count(sizes.transformer_parts, config)", "by its module"))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "total, layer = 0, 0\n"
         "while layer < config.n_layers:\n"
         "    sleep(0.01)\n"
         "return total"))

exercise.equal("a matrix and its transpose have as many numbers, and both matrices of a feed-forward "
    "network as many biases in whichever order", {
    "config.vocab_size, d": "d, config.vocab_size", "config.max_len, d": "d, config.max_len",
    "config.n_segments, d": "d, config.n_segments", "d, config.vocab_size": "config.vocab_size, d",
    "rows, d": "d, rows", "config.d_model, config.d_ff": "config.d_ff, config.d_model",
    "(b if bias else 0)": "(a if bias else 0)"})
exercise.equal("a table of no rows has no numbers, True counts as 1, and two stacks are two or not two", {
    "table > 0": ("True", "table >= 0", "table > (-1)"),
    "int(config.embedding_norm)": "config.embedding_norm",
    "int(config.final_norm)": "config.final_norm", "int(count)": "count", "else 1": "else 0"})
