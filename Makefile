# The commands of the README. Everything is installed into .venv from pinned requirements.
# Settings are given as in: make run PORT=8001 DATA_DIR=/tmp/second
PYTHON ?= python3

.PHONY: run demo test screenshots chaos lint bench

run: .venv/run.stamp
	@.venv/bin/python -m ginservice.run

demo:
	@$(PYTHON) docs/demo

test: .venv/dev.stamp
	@.venv/bin/python -m pytest -n auto --dist worksteal

screenshots: .venv/dev.stamp
	@.venv/bin/python -m tests.e2e.browser.screenshots $(INTO)

chaos: .venv/dev.stamp
	@.venv/bin/python -m tests.chaos

bench: .venv/dev.stamp
	@.venv/bin/python -m pip install -q -r benchmarks/requirements.txt
	@.venv/bin/python -m benchmarks.bench
	@.venv/bin/python -m benchmarks.service
	@.venv/bin/python -m benchmarks.many_matches --matches 20000

lint: .venv/dev.stamp
	.venv/bin/python -m ruff check .
	.venv/bin/python -m ruff format --check .
	.venv/bin/python -m mypy
	.venv/bin/lint-imports
	.venv/bin/python -m check_jsonschema --builtin-schema vendor.compose-spec docker-compose.yml docker-compose.secrets.yml
	.venv/bin/hadolint Dockerfile

.venv/run.stamp: requirements.txt
	@PYTHON=$(PYTHON) .ci/install requirements.txt
	@touch $@

.venv/dev.stamp: requirements.txt requirements-dev.txt
	@PYTHON=$(PYTHON) .ci/install requirements-dev.txt
	@touch $@ .venv/run.stamp
