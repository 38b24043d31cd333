"""The tokenizers that published models were trained with: MiniLM's WordPiece, SmolLM2's byte pairs."""

import torch

from allyouneed.pretrained.gguf_file import open_gguf
from allyouneed.tensors import Ids, Int, Tensor
from allyouneed.text.padding import pad_batch
from allyouneed.validate import check_integers

__all__ = ["PretrainedTokenizer"]


class PretrainedTokenizer:
    """A published model's own tokenizer, run by the package `tokenizers`; see `from_json`, `from_gguf`.

    tokenizer: a `tokenizers.Tokenizer`. pad_id: what fills short rows of a batch.

    >>> from allyouneed.pretrained.loading import minilm_path
    >>> PretrainedTokenizer.from_json(minilm_path() / "tokenizer.json").encode("Hello world")
    [101, 7592, 2088, 102]
    """

    def __init__(self, tokenizer, pad_id=0):
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.tokenizer, self.pad_id = tokenizer, pad_id

    @classmethod
    def from_json(cls, path):
        """Read a `tokenizer.json`, such as the sentence encoder's. Raises ValueError for other files."""
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the package raises nothing narrower
            raise ValueError(f"{path} is not a tokenizer.json that can be read: {error}") from error
        return cls(tokenizer, pad_id=tokenizer.token_to_id("[PAD]") or 0)

    @classmethod
    def from_gguf(cls, path):
        """Read the byte-level byte-pair tokenizer inside a GGUF file, such as SmolLM2's.

        Raises ModuleNotFoundError where the package `gguf` is missing, ValueError where the file cannot be
        read or holds another kind.
        """
        from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

        field = _gguf_reader(path)
        kind = (field("tokenizer.ggml.model"), field("tokenizer.ggml.pre"))
        if kind != ("gpt2", "smollm"):
            raise ValueError(
                "expected a byte-level byte-pair tokenizer with SmolLM's word rule, "
                f"('gpt2', 'smollm'), but {path} holds {kind}."
            )
        tokens = field("tokenizer.ggml.tokens")
        merges = [tuple(pair.split(" ")) for pair in field("tokenizer.ggml.merges")]
        tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, merges))
        digits, words = (
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        )
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, words])
        tokenizer.decoder = decoders.ByteLevel()
        control = 3  # GGUF's number for tokens that are not text
        tokenizer.add_special_tokens(
            [
                AddedToken(token, normalized=False, special=True)
                for token, type_ in zip(tokens, field("tokenizer.ggml.token_type"))
                if type_ == control
            ]
        )
        return cls(tokenizer, pad_id=field("tokenizer.ggml.padding_token_id"))

    def __len__(self):
        return self.tokenizer.get_vocab_size()

    @property
    def vocab_size(self):
        return len(self)

    def id(self, token):
        """The number of one token, special or not. Raises ValueError where there is no such token."""
        number = self.tokenizer.token_to_id(token)
        if number is None:
            raise ValueError(f"{token!r} is not among the {len(self)} tokens.")
        return number

    def encode(self, text, add_specials=True, read_specials=False):
        """Text to a list of ids.

        add_specials: whether to put what the model expects around a text, as [CLS] and [SEP].
        read_specials: whether names such as <|im_end|> inside the text mean these tokens. Only for text of
        your own:
            a stranger's could end its turn and speak for somebody else.
        """
        self.tokenizer.encode_special_tokens = not read_specials
        return self.tokenizer.encode(text, add_special_tokens=add_specials).ids

    def encode_batch(self, texts, max_len: int | None = None) -> tuple[Ids, Int[Tensor, " B"]]:
        """Texts to (ids (B, T), lengths (B,)), cut to max_len (with special tokens), filled with pad_id."""
        self.tokenizer.encode_special_tokens = True
        if max_len is not None:
            check_integers(at_least=self.tokenizer.num_special_tokens_to_add(False), max_len=max_len)
            self.tokenizer.enable_truncation(max_len)
        try:
            rows = [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]
        finally:
            self.tokenizer.no_truncation()
        return pad_batch(rows, self.pad_id)

    def encode_chat(self, messages, reply=True):
        """A conversation to ids: each message is <|im_start|>role, new line, its text, <|im_end|>, new line.

        messages: dicts with "role" (system, user or assistant) and "content". reply: begin the assistant's
        next message.
        Special tokens inside a text are read as plain text.
        """
        start, stop, line = self.id("<|im_start|>"), self.id("<|im_end|>"), self.encode("\n")
        ids = []
        for message in messages:
            ids += [start, *self.encode(f"{message['role']}\n{message['content']}"), stop, *line]
        return ids + [start, *self.encode("assistant\n")] if reply else ids

    def decode(self, ids, skip_specials=True):
        """Ids (a list or a tensor) to text; special tokens are left out unless told otherwise."""
        return self.tokenizer.decode(torch.as_tensor(ids).tolist(), skip_special_tokens=skip_specials)


def _gguf_reader(path):
    fields = open_gguf(path).fields

    def field(name):
        if name not in fields:
            raise ValueError(f"{path} holds no {name}: is it a whole model with its tokenizer?")
        return fields[name].contents()

    return field
