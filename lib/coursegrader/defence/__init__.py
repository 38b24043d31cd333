"""A defence of one's own code: papers of personal questions about what a student handed in."""
