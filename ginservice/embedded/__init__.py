"""A real Postgres and a real Valkey out of wheels, for `make run` and the tests.

Development only. Both keep everything under DATA_DIR, listen on free ports of 127.0.0.1 behind a
password of their own, and live in a session of their own: a signal to the process group of their
starter does not reach them. Whoever finds them running adopts them.
"""
