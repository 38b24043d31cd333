"""The models of the course, one file each. Each is a class and a config that refuses what cannot work."""

from allyouneed.models.bert import BERT_SIZES, Bert, BertClassifier, BertConfig, BertMaskedLanguageModel
from allyouneed.models.captioner import Captioner, CaptionerConfig
from allyouneed.models.clip import CLIP_SIZES, Clip, ClipConfig
from allyouneed.models.common import parameter_count
from allyouneed.models.dino import DINO_SIZES, Dino, DinoConfig
from allyouneed.models.gpt import GPT, GPT_SIZES, GPTConfig
from allyouneed.models.llama import LLAMA_SIZES, Llama, LlamaConfig
from allyouneed.models.reader import Reader
from allyouneed.models.rnn_seq2seq import RnnSeq2Seq, RnnSeq2SeqConfig
from allyouneed.models.seq2seq import SEQ2SEQ_SIZES, Seq2Seq, Seq2SeqConfig
from allyouneed.models.sizes import PUBLISHED_SIZES, TransformerConfig
from allyouneed.models.vit import VIT_SIZES, Vit, VitConfig
from allyouneed.models.vqa import VisualQuestionAnswerer, VqaConfig

__all__ = [
    "BERT_SIZES",
    "Bert",
    "BertClassifier",
    "BertConfig",
    "BertMaskedLanguageModel",
    "CLIP_SIZES",
    "Captioner",
    "CaptionerConfig",
    "Clip",
    "ClipConfig",
    "DINO_SIZES",
    "Dino",
    "DinoConfig",
    "GPT",
    "GPTConfig",
    "GPT_SIZES",
    "LLAMA_SIZES",
    "Llama",
    "LlamaConfig",
    "PUBLISHED_SIZES",
    "Reader",
    "RnnSeq2Seq",
    "RnnSeq2SeqConfig",
    "SEQ2SEQ_SIZES",
    "Seq2Seq",
    "Seq2SeqConfig",
    "TransformerConfig",
    "VIT_SIZES",
    "VisualQuestionAnswerer",
    "Vit",
    "VitConfig",
    "VqaConfig",
    "parameter_count",
]
