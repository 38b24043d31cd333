"""The models of the course, one file each. Every one is a class and a config that refuses what cannot work."""

from allyouneed.models.common import parameter_count
from allyouneed.models.gpt import GPT, GPT_SIZES, GPTConfig
from allyouneed.models.llama import LLAMA_SIZES, Llama, LlamaConfig
