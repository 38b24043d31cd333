"""Questions about somebody's own code, made of that code alone: nothing here knows a right version."""
