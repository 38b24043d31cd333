"""The parts of which models are built: attention, positions, norms, layers, recurrent cells, caches."""
