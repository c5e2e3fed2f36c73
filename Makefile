# One command a job. `make demo` and `make test` need nothing but Python 3.11+, make and git.
.DEFAULT_GOAL := help
.SUFFIXES:
.PHONY: setup demo test test-all check bench chaos fuzz soak up help setup-demo
export UV_PYTHON_DOWNLOADS := never
# The tests start hundreds of processes: without bytecode each would compile all it imports, which
# takes a third of the processor's time.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
PY := .venv/bin/python
# The tests mostly wait for processes and leases: three processes take a third of the time of one.
# Files are handed out in the order in which they stand: those that take long stand first.
SPREAD = -n 3 --dist loadfile --no-loadscope-reorder
STARTER := console/toolferry_console/starter

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-9s %s\n", $$1, $$2}' Makefile

setup: ## Install everything that developing needs into .venv
	@sh scripts/setup.sh $(PYTHON) dev

demo: setup-demo ## Run the eight tool calls of a recorded response on real workers
	@$(PY) -m examples.demo

test: setup ## Run the tests with coverage, in under 6 minutes
	@$(PY) -m coverage erase
	@$(PY) -m coverage run -m pytest $(SPREAD) $(ARGS)
	@$(PY) -m coverage combine --quiet
	@$(PY) -m coverage report

test-all: test ## Run the tests and the slower ones
	@$(PY) -m pytest $(SPREAD) -m slow

check: setup ## Check style, types, import rules, docstrings and sizes
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy --num-workers 2
	@MYPYPATH=$(STARTER) $(PY) -m mypy --explicit-package-bases $(STARTER)/*.py
	@.venv/bin/lint-imports
	@.venv/bin/interrogate --quiet tests || { .venv/bin/interrogate -vv tests | grep MISSED; exit 1; }
	@.venv/bin/loq check

bench: setup ## Compare with raw Celery on this machine
	@$(PY) -m benchmarks.turns

chaos: setup ## Kill, freeze and restart everything under load for three minutes, and prove that it held
	@$(PY) -m chaos --seconds 180 $(ARGS)

fuzz: setup ## Try inputs on all parsers for five minutes: only the project's own errors come out
	@$(PY) -m uv pip install --quiet --python $(PY) 'atheris>=3'
	@$(PY) -m tests.fuzz --seconds 300 $(ARGS)

soak: setup ## Run mixed calls for 20 minutes: memory stays flat, no key stays behind
	@$(PY) -m chaos.soak --minutes 20 --json $(ARGS)

up: setup-demo ## Start a server and both lanes with the demo's tools
	@.venv/bin/toolferry up --tools examples.demo.tools

setup-demo:
	@sh scripts/setup.sh $(PYTHON) demo
