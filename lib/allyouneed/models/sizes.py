"""Where a Transformer's parameters are, and whether published sizes follow from published shapes."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from torch import nn

from allyouneed.models.common import parameter_count
from allyouneed.nn.layers import Block, DecoderBlock, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import LearnedPositions
from allyouneed.validate import check_flags, check_sizes

__all__ = ["PUBLISHED_SIZES", "PublishedSize", "TransformerConfig", "transformer_parts"]

KINDS = ("decoder", "encoder", "encoder_decoder")


@dataclass(frozen=True)
class TransformerConfig:
    """What decides a Transformer's number of parameters. Linear and norm have biases, an untied head none.

    kind: decoder (GPT), encoder (BERT) or encoder_decoder (2017), whose n_layers are those of one stack.
    max_len: how many positions are learned; 0 for sinusoidal ones. n_segments: kinds of sentence, or 0.
    tied: whether the output head is the embedding matrix. embedding_norm, final_norm, pooler: is there one?

    Raises ValueError where the kind is unknown, a size is not positive, or d_model is not a multiple of
    n_heads.

    >>> PUBLISHED_SIZES["GPT-2 small"].config.n_layers
    12
    """

    kind: str
    vocab_size: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    max_len: int
    n_segments: int
    tied: bool
    embedding_norm: bool
    final_norm: bool
    pooler: bool

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"TransformerConfig: kind must be one of {', '.join(KINDS)}, got {self.kind!r}.")
        check_sizes(self, "vocab_size", "d_model", "n_layers", "n_heads", "d_ff")
        check_sizes(self, "max_len", "n_segments", at_least=0)
        check_flags(self, "tied", "embedding_norm", "final_norm", "pooler")


def transformer_parts(config: TransformerConfig) -> nn.ModuleDict:
    """The parts of a Transformer of this shape, an `nn.ModuleDict` of the library's layers, to be counted.

    >>> parameter_count(transformer_parts, PUBLISHED_SIZES["GPT-2 small"].config)
    124439808
    """

    def block(kind, n_attentions):
        attentions = [MultiHeadAttention(config.d_model, config.n_heads) for _ in range(n_attentions)]
        return kind(*attentions, FeedForward(config.d_model, config.d_ff), LayerNorm(config.d_model))

    parts: dict[str, nn.Module] = {"embedding": nn.Embedding(config.vocab_size, config.d_model)}
    if config.max_len:
        parts["positions"] = LearnedPositions(config.max_len, config.d_model)
    if config.n_segments:
        parts["segments"] = nn.Embedding(config.n_segments, config.d_model)
    if config.embedding_norm:
        parts["embedding_norm"] = LayerNorm(config.d_model)
    parts["layers"] = nn.ModuleList(block(Block, 1) for _ in range(config.n_layers))
    if config.kind == "encoder_decoder":
        parts["decoder_layers"] = nn.ModuleList(block(DecoderBlock, 2) for _ in range(config.n_layers))
    if config.final_norm:
        parts["final_norm"] = LayerNorm(config.d_model)
    if config.pooler:
        parts["pooler"] = nn.Linear(config.d_model, config.d_model)
    if not config.tied:
        parts["head"] = nn.Linear(config.d_model, config.vocab_size, bias=False)
    return nn.ModuleDict(parts)


class PublishedSize(NamedTuple):
    """A published model: its shape, the number that its source prints, the source, what its shape leaves out.

    extra: parameters that no `TransformerConfig` describes. note: what to know when the two numbers differ.
    """

    config: TransformerConfig
    reported: float
    source: str
    extra: int = 0
    note: str = ""

    @property
    def parameters(self):
        """The count that follows from the shape, exact."""
        return parameter_count(transformer_parts, self.config) + self.extra


def _original(d_model, n_heads):
    return TransformerConfig(
        "encoder_decoder", 37000, d_model, 6, n_heads, 4 * d_model, 0, 0, True, False, False, False
    )


def _bert(d_model, n_layers, n_heads, vocab_size=30522, max_len=512, n_segments=2):
    return TransformerConfig(
        "encoder",
        vocab_size,
        d_model,
        n_layers,
        n_heads,
        4 * d_model,
        max_len,
        n_segments,
        True,
        True,
        False,
        True,
    )


def _gpt(d_model, n_layers, n_heads, vocab_size=50257, max_len=1024):
    return TransformerConfig(
        "decoder", vocab_size, d_model, n_layers, n_heads, 4 * d_model, max_len, 0, True, False, True, False
    )


PUBLISHED_SIZES = {
    "Transformer-Base": PublishedSize(
        _original(512, 8), 65e6, "Vaswani and others 2017", note="65M would need a vocabulary of about 40,700"
    ),
    "Transformer-Large": PublishedSize(_original(1024, 16), 213e6, "Vaswani and others 2017"),
    "BERT-Base": PublishedSize(_bert(768, 12, 12), 110e6, "Devlin and others 2018"),
    "BERT-Large": PublishedSize(_bert(1024, 24, 16), 340e6, "Devlin and others 2018"),
    "XLNet-Large": PublishedSize(
        replace(
            _bert(1024, 24, 16, vocab_size=32000, max_len=0, n_segments=0), embedding_norm=False, pooler=False
        ),
        340e6,
        "Yang and others 2019",
        extra=24 * (1024**2 + 1024) + 1024,
        note=(
            "340M is BERT-Large's, whose shape it has; relative positions add one d_model × d_model "
            "matrix a layer"
        ),
    ),
    "RoBERTa-Large": PublishedSize(
        _bert(1024, 24, 16, vocab_size=50265, max_len=514, n_segments=1), 355e6, "Liu and others 2019"
    ),
    "GPT-2 small": PublishedSize(
        _gpt(768, 12, 12),
        117e6,
        "Radford and others 2019",
        note="the paper's 117M fits the vocabulary of the first GPT; later corrected to 124M",
    ),
    "GPT-2 medium": PublishedSize(
        _gpt(1024, 24, 16), 345e6, "Radford and others 2019", note="later corrected to 355M"
    ),
    "GPT-2 large": PublishedSize(
        _gpt(1280, 36, 20), 762e6, "Radford and others 2019", note="later corrected to 774M"
    ),
    "GPT-2 XL": PublishedSize(
        _gpt(1600, 48, 25),
        1.542e9,
        "Radford and others 2019",
        note="the paper's 1542M fits the vocabulary of the first GPT",
    ),
    "Megatron-LM": PublishedSize(
        _gpt(3072, 72, 32, vocab_size=51200),
        8.3e9,
        "Shoeybi and others 2019",
        note="vocabulary padded to 51,200",
    ),
    "Turing-NLG": PublishedSize(
        _gpt(4256, 78, 28),
        17e9,
        "Rosset 2020 (Microsoft Research blog)",
        note="its vocabulary is not published: GPT-2's is assumed",
    ),
    "GPT-3": PublishedSize(_gpt(12288, 96, 96, max_len=2048), 175e9, "Brown and others 2020"),
    "Gopher": PublishedSize(
        replace(_gpt(16384, 80, 128, vocab_size=32000), max_len=0),
        280e9,
        "Rae and others 2021",
        extra=80 * 16384**2,
        note="relative positions add one d_model × d_model matrix a layer",
    ),
}
