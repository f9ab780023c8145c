"""The only writers of matches."""
