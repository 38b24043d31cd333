"""Training: one loop for every model, on a CPU, a GPU or several processes, safe to kill and resume."""

from .batches import ExampleBatches, TextBatches
from .checkpoint import load_checkpoint, save_checkpoint
from .history import History
from .loop import TrainingConfig, train
from .optimizers import Muon, adamw, muon, orthogonalize
from .parallel import Process, joined_processes, share_gradients
from .recall_race import recall_accuracy, train_on_recall
from .schedule import rate_share
from .seeds import generator_for, set_seeds

__all__ = [
    "ExampleBatches", "History", "Muon", "Process", "TextBatches", "TrainingConfig", "adamw", "generator_for",
    "joined_processes", "load_checkpoint", "muon", "orthogonalize", "rate_share", "recall_accuracy",
    "save_checkpoint", "set_seeds", "share_gradients", "train", "train_on_recall",
]  # fmt: skip
