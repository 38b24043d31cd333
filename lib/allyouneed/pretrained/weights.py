"""Published weights: reading their files, and turning their names and layouts into those of our models."""

import re

import torch

from allyouneed.models.bert import BertConfig
from allyouneed.models.llama import LlamaConfig
from allyouneed.pretrained.gguf_file import open_gguf

__all__ = ["bert_config", "llama_config", "map_bert", "map_llama", "read_gguf"]

BERT_NAMES = {
    r"embeddings\.word_embeddings\.": "embedding.",
    r"embeddings\.position_embeddings\.": "positions.",
    r"embeddings\.token_type_embeddings\.": "segments.",
    r"embeddings\.LayerNorm\.": "norm.",
    r"encoder\.layer\.(\d+)\.attention\.self\.query\.": r"layers.\1.attention.q_proj.",
    r"encoder\.layer\.(\d+)\.attention\.self\.key\.": r"layers.\1.attention.k_proj.",
    r"encoder\.layer\.(\d+)\.attention\.self\.value\.": r"layers.\1.attention.v_proj.",
    r"encoder\.layer\.(\d+)\.attention\.output\.dense\.": r"layers.\1.attention.o_proj.",
    r"encoder\.layer\.(\d+)\.attention\.output\.LayerNorm\.": r"layers.\1.attention_norm.",
    r"encoder\.layer\.(\d+)\.intermediate\.dense\.": r"layers.\1.feed_forward.up_proj.",
    r"encoder\.layer\.(\d+)\.output\.dense\.": r"layers.\1.feed_forward.down_proj.",
    r"encoder\.layer\.(\d+)\.output\.LayerNorm\.": r"layers.\1.feed_forward_norm.",
    r"pooler\.dense\.": "pooler.",
}

BERT_SHAPES = (  # where a published encoder shows its sizes
    "embeddings.word_embeddings.weight",
    "embeddings.position_embeddings.weight",
    "embeddings.token_type_embeddings.weight",
    "encoder.layer.0.intermediate.dense.weight",
)

LLAMA_NAMES = {
    r"token_embd\.": "embedding.",
    r"output_norm\.": "norm.",
    r"output\.": "head.",
    r"blk\.(\d+)\.attn_q\.": r"layers.\1.attention.q_proj.",
    r"blk\.(\d+)\.attn_k\.": r"layers.\1.attention.k_proj.",
    r"blk\.(\d+)\.attn_v\.": r"layers.\1.attention.v_proj.",
    r"blk\.(\d+)\.attn_output\.": r"layers.\1.attention.o_proj.",
    r"blk\.(\d+)\.attn_norm\.": r"layers.\1.attention_norm.",
    r"blk\.(\d+)\.ffn_norm\.": r"layers.\1.feed_forward_norm.",
    r"blk\.(\d+)\.ffn_gate\.": r"layers.\1.feed_forward.gate_proj.",
    r"blk\.(\d+)\.ffn_up\.": r"layers.\1.feed_forward.up_proj.",
    r"blk\.(\d+)\.ffn_down\.": r"layers.\1.feed_forward.down_proj.",
}


def _rename(name, names):
    for published, ours in names.items():
        renamed, n_changes = re.subn("^" + published, ours, name)
        if n_changes:
            return renamed
    raise ValueError(f"no place is known for the weight {name!r}.")


def map_bert(state) -> dict[str, torch.Tensor]:
    """A published BERT encoder's weights under our names; `embeddings.position_ids`, no weight, is dropped.

    >>> list(map_bert({"encoder.layer.0.attention.self.query.weight": torch.zeros(2, 2)}))
    ['layers.0.attention.q_proj.weight']
    """
    return {
        _rename(name, BERT_NAMES): value for name, value in state.items() if not name.endswith("position_ids")
    }


def bert_config(state, n_heads) -> BertConfig:
    """The sizes of a published BERT encoder, read off its weights' shapes; the heads cannot be seen there.

    Raises ValueError where the weights are not those of a BERT encoder.
    """
    lacking = [name for name in BERT_SHAPES if name not in state]
    if lacking:
        raise ValueError(
            f"expected the weights of a BERT encoder, but {lacking[0]!r} is not among them; "
            f"they are {sorted(state)[:3]} and so on."
        )
    vocab_size, d_model = state["embeddings.word_embeddings.weight"].shape
    return BertConfig(
        vocab_size,
        len(state["embeddings.position_embeddings.weight"]),
        d_model,
        n_layers=1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layer.")),
        n_heads=n_heads,
        d_ff=len(state["encoder.layer.0.intermediate.dense.weight"]),
        n_segments=len(state["embeddings.token_type_embeddings.weight"]),
        pooler="pooler.dense.weight" in state,
    )


def read_gguf(path) -> tuple[dict, dict[str, torch.Tensor]]:
    """Read a GGUF file: returns (fields, a dict of settings; tensors, a dict from name to float32 tensor).

    Weights are stored as blocks of small integers with a scale (and an offset) each, and are multiplied out
    here.
    Raises ModuleNotFoundError where the package `gguf` is missing, ValueError where the file cannot be read.
    """
    reader = open_gguf(path)
    from gguf import dequantize

    fields = {
        name: field.contents() for name, field in reader.fields.items() if not name.startswith("tokenizer.")
    }
    tensors = {
        part.name: torch.tensor(dequantize(part.data, part.tensor_type)).view(*reversed(part.shape.tolist()))
        for part in reader.tensors
    }
    return fields, tensors


def llama_config(fields, tensors) -> LlamaConfig:
    """The sizes of a Llama in a GGUF file. Raises ValueError for another architecture, or none."""
    if fields.get("general.architecture") != "llama":
        raise ValueError(
            f"expected a GGUF file of a llama, but this one holds {fields.get('general.architecture')!r}."
        )
    try:
        return LlamaConfig(
            vocab_size=len(tensors["token_embd.weight"]),
            max_len=fields["llama.context_length"],
            d_model=fields["llama.embedding_length"],
            n_layers=fields["llama.block_count"],
            n_heads=fields["llama.attention.head_count"],
            d_ff=fields["llama.feed_forward_length"],
            n_kv_heads=fields["llama.attention.head_count_kv"],
            rotary_base=fields["llama.rope.freq_base"],
            eps=fields["llama.attention.layer_norm_rms_epsilon"],
            tied="output.weight" not in tensors,
        )
    except KeyError as error:
        raise ValueError(
            f"expected a whole llama, but the file holds no {error.args[0]!r}: give the "
            "model's own GGUF file."
        ) from None


def map_llama(tensors) -> dict[str, torch.Tensor]:
    """A GGUF Llama's weights under our names. Without an output matrix, the embedding is used for it too.

    GGUF orders the rows of queries and keys so that neighbours form the pairs that rotary positions turn. Our
    `Rotary` turns neighbours too, so rows stay; a model published with halves (column j with j + K/2) must be
    reordered first.

    >>> list(map_llama({"blk.0.ffn_gate.weight": torch.zeros(2, 2)}))
    ['layers.0.feed_forward.gate_proj.weight']
    """
    state = {_rename(name, LLAMA_NAMES): value for name, value in tensors.items()}
    if "embedding.weight" in state and "head.weight" not in state:
        state["head.weight"] = state["embedding.weight"]
    return state
