# The public names, each with the file that defines it: `from allyouneed import GPT`. `__init__.py` loads a
# file when one of its names is first used.

from .check.practising import practise
from .data import (
    CaptionedShapes,
    Cells,
    DatePair,
    LabelledImages,
    MissingPackage,
    MoleculeModel,
    NamePair,
    NumberPair,
    Peptides,
    Split,
    Verse,
    VisualQuestions,
    WordVectors,
    distinct_peptides,
    draw_shape,
    load_cells,
    load_dates,
    load_fashion_mnist,
    load_glove,
    load_mnist,
    load_modern_english,
    load_molecule_model,
    load_names,
    load_number_words,
    load_peptides,
    load_shakespeare,
    load_small_digits,
    load_visual_questions,
    make_captioned_shapes,
    make_recall,
    modern_verses,
    shakespeare_works,
    smiles_tokens,
    spell,
    split_groups,
    split_stratified,
    split_text,
    write_date,
)
from .export import Exported, export_int8, quantize_rows, read_int8, rounded_to_int8
from .generation.beam import beam_search
from .generation.sampling import (
    check_sampling,
    column_major,
    filter_logits,
    generate,
    left_pad,
    sample,
    stream,
)
from .models import (
    BERT_CONFIGS,
    CLIP_CONFIGS,
    DINO_CONFIGS,
    GPT,
    GPT_CONFIGS,
    LLAMA_CONFIGS,
    PUBLISHED_SIZES,
    SEQ2SEQ_CONFIGS,
    VIT_CONFIGS,
    Bert,
    BertClassifier,
    BertConfig,
    BertMaskedLanguageModel,
    Captioner,
    CaptionerConfig,
    Clip,
    ClipConfig,
    Dino,
    DinoConfig,
    GPTConfig,
    Llama,
    LlamaConfig,
    PublishedSize,
    Reader,
    RnnSeq2Seq,
    RnnSeq2SeqConfig,
    Seq2Seq,
    Seq2SeqConfig,
    TransformerConfig,
    VisualQuestionAnswerer,
    Vit,
    VitConfig,
    VqaConfig,
    contrastive_loss,
    distillation_loss,
    initialize,
    initialize_2017,
    mask_tokens,
    parameter_count,
    patchify,
    teacher_update,
    transformer_parts,
)
from .nn.attention import (
    Causal,
    causal_mask,
    fused_attention,
    padding_mask,
    real_keys,
    scaled_dot_product_attention,
    softmax,
)
from .nn.blockwise import blockwise_attention
from .nn.cache import CachedModel, Remembering
from .nn.evaluating import evaluating
from .nn.fused import FusedMultiHeadAttention, fuse_projections
from .nn.grouped import Grouped, GroupedQueryAttention, expand_kv
from .nn.head_scores import head_means, heads_off, induction_score, previous_token_score, weight_on
from .nn.latent import LatentAttention
from .nn.layers import (
    Block,
    DecoderBlock,
    FeedForward,
    LayerNorm,
    PostNormBlock,
    PostNormDecoderBlock,
    RMSNorm,
    SwiGLU,
)
from .nn.linear_attention import linear_attention
from .nn.local import local_attention, local_causal_mask
from .nn.lowrank import LowRankLinear, add_low_rank
from .nn.maps import record_maps, run_with_maps
from .nn.mixture import MixtureOfExperts, load_balance_loss, route_top_k
from .nn.multihead import MultiHeadAttention, merge_heads, split_heads
from .nn.position_bias import ALiBi, BiasedAttention, RelativeBias, alibi_bias, relative_buckets
from .nn.positions import (
    LearnedPositions,
    Rotary,
    RotaryAttention,
    SinusoidalPositions,
    apply_rotary,
    frequencies,
    shift_matrix,
    sinusoidal_2d,
    sinusoidal_encoding,
)
from .nn.qk_norm import QKNorm
from .nn.recurrent import (
    GRU,
    LSTM,
    RNN,
    AdditiveAttention,
    Bidirectional,
    GRUCell,
    LSTMCell,
    Recurrent,
    RNNCell,
    open_gates,
)
from .nn.replaced import replaced
from .own import CausalLayer, StepCell, StepwiseModel, from_notebook
from .plotting import COLOURS, attention_map, attention_row, use_course_style
from .pretrained.gguf_file import open_gguf
from .pretrained.loading import (
    SentenceEncoder,
    load_minilm,
    load_minilm_state,
    load_smollm2,
    minilm_path,
    minilm_tokenizer,
    smollm2_path,
    smollm2_tokenizer,
)
from .pretrained.molecules import MoleculeFiller
from .pretrained.tokenizer import PretrainedTokenizer
from .pretrained.weights import bert_config, llama_config, map_bert, map_llama, read_gguf
from .text.bytepair import bpe_encode, bpe_train
from .text.embeddings import (
    SkipGram,
    analogy,
    cosine_similarity,
    embed,
    nearest,
    skip_gram_loss,
    skip_gram_pairs,
    train_skip_gram,
)
from .text.padding import pad_batch
from .text.tokenizers import BytePairTokenizer, CharTokenizer, WordTokenizer
from .timing import best_seconds
from .training import (
    ExampleBatches,
    History,
    Muon,
    Process,
    TextBatches,
    TrainingConfig,
    adamw,
    generator_for,
    joined_processes,
    load_checkpoint,
    muon,
    orthogonalize,
    rate_share,
    recall_accuracy,
    save_checkpoint,
    set_seeds,
    share_gradients,
    train,
    train_on_recall,
)

__all__ = [
    "ALiBi", "AdditiveAttention", "BERT_CONFIGS", "Bert", "BertClassifier", "BertConfig",
    "BertMaskedLanguageModel", "BiasedAttention", "Bidirectional", "Block", "BytePairTokenizer",
    "CLIP_CONFIGS", "COLOURS", "CachedModel", "CaptionedShapes", "Captioner", "CaptionerConfig", "Causal",
    "CausalLayer", "Cells", "CharTokenizer", "Clip", "ClipConfig", "DINO_CONFIGS", "DatePair",
    "DecoderBlock", "Dino", "DinoConfig", "ExampleBatches", "Exported", "FeedForward",
    "FusedMultiHeadAttention", "GPT", "GPTConfig", "GPT_CONFIGS", "GRU", "GRUCell", "Grouped",
    "GroupedQueryAttention", "History", "LLAMA_CONFIGS", "LSTM", "LSTMCell", "LabelledImages",
    "LatentAttention", "LayerNorm", "LearnedPositions", "Llama", "LlamaConfig", "LowRankLinear",
    "MissingPackage", "MixtureOfExperts", "MoleculeFiller", "MoleculeModel", "MultiHeadAttention", "Muon",
    "NamePair", "NumberPair", "PUBLISHED_SIZES", "Peptides", "PostNormBlock", "PostNormDecoderBlock",
    "PretrainedTokenizer", "Process", "PublishedSize", "QKNorm", "RMSNorm", "RNN", "RNNCell", "Reader",
    "Recurrent", "RelativeBias", "Remembering", "RnnSeq2Seq", "RnnSeq2SeqConfig", "Rotary",
    "RotaryAttention", "SEQ2SEQ_CONFIGS", "SentenceEncoder", "Seq2Seq", "Seq2SeqConfig",
    "SinusoidalPositions", "SkipGram", "Split", "StepCell", "StepwiseModel", "SwiGLU", "TextBatches",
    "TrainingConfig", "TransformerConfig", "VIT_CONFIGS", "Verse", "VisualQuestionAnswerer",
    "VisualQuestions", "Vit", "VitConfig", "VqaConfig", "WordTokenizer", "WordVectors", "adamw",
    "add_low_rank", "alibi_bias", "analogy", "apply_rotary", "attention_map", "attention_row",
    "beam_search", "bert_config", "best_seconds", "blockwise_attention", "bpe_encode", "bpe_train",
    "causal_mask", "check_sampling", "column_major", "contrastive_loss", "cosine_similarity",
    "distillation_loss", "distinct_peptides", "draw_shape", "embed", "evaluating", "expand_kv",
    "export_int8",
    "filter_logits", "frequencies", "from_notebook", "fuse_projections", "fused_attention", "generate",
    "generator_for", "head_means", "heads_off", "induction_score", "initialize", "initialize_2017",
    "joined_processes", "left_pad", "linear_attention", "llama_config", "load_balance_loss", "load_cells",
    "load_checkpoint", "load_dates", "load_fashion_mnist", "load_glove", "load_minilm",
    "load_minilm_state", "load_mnist", "load_modern_english", "load_molecule_model", "load_names",
    "load_number_words", "load_peptides", "load_shakespeare", "load_small_digits", "load_smollm2",
    "load_visual_questions", "local_attention", "local_causal_mask", "make_captioned_shapes",
    "make_recall", "map_bert", "map_llama", "mask_tokens", "merge_heads", "minilm_path",
    "minilm_tokenizer", "modern_verses", "muon", "nearest", "open_gates", "open_gguf", "orthogonalize",
    "pad_batch", "padding_mask", "parameter_count", "patchify", "practise", "previous_token_score",
    "quantize_rows", "rate_share", "read_gguf", "read_int8", "real_keys", "recall_accuracy", "record_maps",
    "relative_buckets", "replaced", "rounded_to_int8", "route_top_k", "run_with_maps", "sample",
    "save_checkpoint", "scaled_dot_product_attention", "set_seeds", "shakespeare_works",
    "share_gradients", "shift_matrix", "sinusoidal_2d", "sinusoidal_encoding", "skip_gram_loss",
    "skip_gram_pairs", "smiles_tokens", "smollm2_path", "smollm2_tokenizer", "softmax", "spell",
    "split_groups", "split_heads", "split_stratified", "split_text", "stream", "teacher_update", "train",
    "train_on_recall", "train_skip_gram", "transformer_parts", "use_course_style", "weight_on",
    "write_date",
]  # fmt: skip
