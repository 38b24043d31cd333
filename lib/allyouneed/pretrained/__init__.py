"""Published weights and their tokenizers, from installed packages or a folder, in our own models."""
