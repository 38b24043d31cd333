"""A student's own parts inside our models: attention, a layer, a step with a cache, a recurrent step."""
