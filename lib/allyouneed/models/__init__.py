"""The models of the course, one file each. Each is a class and a config that refuses what cannot work."""

from allyouneed.models.bert import (
    BERT_CONFIGS,
    Bert,
    BertClassifier,
    BertConfig,
    BertMaskedLanguageModel,
    mask_tokens,
)
from allyouneed.models.captioner import Captioner, CaptionerConfig
from allyouneed.models.clip import CLIP_CONFIGS, Clip, ClipConfig, contrastive_loss
from allyouneed.models.common import initialize, initialize_2017, parameter_count
from allyouneed.models.dino import DINO_CONFIGS, Dino, DinoConfig, distillation_loss, teacher_update
from allyouneed.models.gpt import GPT, GPT_CONFIGS, GPTConfig
from allyouneed.models.llama import LLAMA_CONFIGS, Llama, LlamaConfig
from allyouneed.models.reader import Reader
from allyouneed.models.rnn_seq2seq import RnnSeq2Seq, RnnSeq2SeqConfig
from allyouneed.models.seq2seq import SEQ2SEQ_CONFIGS, Seq2Seq, Seq2SeqConfig
from allyouneed.models.sizes import PUBLISHED_SIZES, PublishedSize, TransformerConfig, transformer_parts
from allyouneed.models.vit import VIT_CONFIGS, Vit, VitConfig, patchify
from allyouneed.models.vqa import VisualQuestionAnswerer, VqaConfig

__all__ = [
    "BERT_CONFIGS", "Bert", "BertClassifier", "BertConfig", "BertMaskedLanguageModel", "CLIP_CONFIGS",
    "Captioner", "CaptionerConfig", "Clip", "ClipConfig", "DINO_CONFIGS", "Dino", "DinoConfig", "GPT",
    "GPTConfig", "GPT_CONFIGS", "LLAMA_CONFIGS", "Llama", "LlamaConfig", "PUBLISHED_SIZES", "PublishedSize",
    "Reader", "RnnSeq2Seq", "RnnSeq2SeqConfig", "SEQ2SEQ_CONFIGS", "Seq2Seq", "Seq2SeqConfig",
    "TransformerConfig", "VIT_CONFIGS", "VisualQuestionAnswerer", "Vit", "VitConfig", "VqaConfig",
    "contrastive_loss", "distillation_loss", "initialize", "initialize_2017", "mask_tokens",
    "parameter_count", "patchify", "teacher_update", "transformer_parts",
]  # fmt: skip
