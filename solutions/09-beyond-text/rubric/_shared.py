"""What the rubrics of this problem set share."""


def strided(probe):
    """The probe with its tensors made non-contiguous, except for those of a single number."""
    for item in probe["args"]:
        if isinstance(item, dict) and item.get("shape"):
            item["strided"] = True
    return probe
