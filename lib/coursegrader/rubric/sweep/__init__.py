"""Mistakes that nobody wrote: small mechanical changes of right versions, and what they are called."""
