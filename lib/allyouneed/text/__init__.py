"""From text to numbers: tokenizers, batches of rows with different lengths, and word vectors."""
