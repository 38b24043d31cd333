"""New tokens from a model: sampling and beam search."""
