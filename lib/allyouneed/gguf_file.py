"""Opening a GGUF file: one file that holds a model's weights, its settings and its tokenizer."""

__all__ = ["open_gguf"]


def open_gguf(path):
    """The package `gguf`'s reader of a file: it has `fields` (settings) and `tensors` (weights, still in blocks).

    Raises ModuleNotFoundError where the package is missing, FileNotFoundError where the file is, ValueError where it is
    no whole GGUF file.
    """
    try:
        from gguf import GGUFReader
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("reading a GGUF file needs the package gguf: pip install --no-deps gguf==0.19.0") from error
    try:
        return GGUFReader(str(path))
    except FileNotFoundError:
        raise
    except Exception as error:                                             # the reader stops wherever the bytes make no sense
        raise ValueError(f"{path} is not a GGUF file that can be read: copy it again, or give another. ({error})") from error
