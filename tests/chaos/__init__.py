"""Chaos: people play behind a line that loses, delays, repeats and cuts, while all that serves them
is killed in turn. `make chaos` runs it; what it finds is a fault of the service.
"""
