"""What the rubrics of this problem set share: random weights by name, and ready-made layers."""

import torch

READY_MADE = ("RNN", "RNNCell", "RNNBase", "RNNCellBase", "LSTM", "LSTMCell", "GRU", "GRUCell",
              "Bidirectional", "rnn_tanh", "rnn_tanh_cell", "rnn_relu", "rnn_relu_cell", "lstm", "lstm_cell",
              "lstm_mps", "gru", "gru_cell",
              "thnn_fused_lstm_cell", "thnn_differentiable_lstm_cell_backward", 
              "thnn_fused_gru_cell", "cudnn_rnn", "mkldnn_rnn_layer",
              "quantized_lstm_cell", "quantized_gru_cell")


def gate_weights(make, gates, d_input, d_hidden, dtype=torch.float32, scale=0.8, backwards=False):
    """A dict of `W_`, `U_` and `b_` for each gate; every number differs.

    With `backwards` the keys come in the opposite order.
    """
    params = {}
    for gate in gates:
        params[f"W_{gate}"] = make.randn(d_input, d_hidden, dtype=dtype, scale=scale)
        params[f"U_{gate}"] = make.randn(d_hidden, d_hidden, dtype=dtype, scale=scale)
        params[f"b_{gate}"] = make.randn(d_hidden, dtype=dtype, scale=scale)
    return dict(reversed(params.items())) if backwards else params


def rounded(value):
    """A tensor, or a dict of tensors, to one decimal: for a probe that can be checked by hand."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return (value * 10).round() / 10


def faded(make, params, prefix):
    """The same dict with numbers that are 0 but for rounding under every key that begins with `prefix`."""
    return {key: make.randn(*value.shape, dtype=value.dtype, scale=1e-9) if key.startswith(prefix) else value
            for key, value in params.items()}


def stride(probe):
    """Make every tensor of a probe non-contiguous, also those inside dicts."""
    for item in probe["args"]:
        if isinstance(item, dict):
            for data in [item] if "tensor" in item else [value for _, value in item.get("dict", [])]:
                data["strided"] = True
    return probe
