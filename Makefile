# The course's commands. `make help` lists them.
PYTHON ?= python3
PS ?= 03-attention
PORT ?= 8000
HOST ?= 127.0.0.1
DIR := notebooks
SIZES ?= 10 100
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
HUB := $(VENV)/hub
LOCKS := requirements.lock requirements-data.lock
TORCH_ARGS ?=
# The grader's tests, in folders of the same names as the grader's own; tests/check holds those of the judge and its drivers.
GRADER := $(filter-out tests/book tests/journeys tests/library tests/__pycache__,$(patsubst %/,%,$(wildcard tests/*/)))
# As many processes as WORKERS says; what shares a costly beginning stays in one, and what is long goes first.
# Some of a test's time is waiting (for a browser, a server, a jail), so two cores have work for three processes, each with 4 GB; more than four were not tried.
WORKERS ?= $(shell awk -v cores="$$(env -u OMP_NUM_THREADS nproc 2>/dev/null)" '/^MemTotal/ { n = int($$2 / 4e6); n = n > cores ? cores + 1 : n; n = n > 4 ? 4 : n } END { print (n > 2 ? n : 2) }' /proc/meminfo 2>/dev/null || echo 2)
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder --durations=15 --durations-min=1
NOTEBOOKS := --nbval --nbval-cell-timeout=1200 $(wildcard solutions/*/*.ipynb)
export OMP_NUM_THREADS ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What Jupyter, matplotlib and pip keep at home, where that cannot be written.
export HOME := $(shell test -w "$$HOME" && printf %s "$$HOME" || printf %s "$(CURDIR)/$(VENV)/home")

.PHONY: help install works browser database accounts hub book pdf slides archive serve lab wheel lint release-check test test-fast test-library test-grader test-book test-journeys bench bench-gpu bench-grading release certify grade report clean
.DEFAULT_GOAL := help

help: ## list these commands
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: works ## create .venv with the pinned packages
	@cat $(READY)

ANEW = { echo "Make it anew: rm -r $(VENV); make install"; exit 1; }

$(READY): $(LOCKS) pyproject.toml lib/coursegrader/pyproject.toml $(wildcard $(addprefix setup/,install.py proof.py torch_build.py))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Name another one: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV) || $(ANEW)
	@echo "Installing the pinned packages into $(VENV) (a few minutes the first time)"
	@$(BIN)/python setup/install.py $(TORCH_ARGS)
	@$(BIN)/python setup/proof.py > $(VENV)/proof && mv $(VENV)/proof $@ || $(ANEW)

works: $(READY)
	@$(BIN)/python setup/proof.py --quick $(if $(filter command,$(origin PYTHON)),$(PYTHON)) || $(ANEW)

book: works ## build the website into _build/html
	@$(BIN)/jupyter-book build . -W --keep-going --quiet
	@echo "The book is in _build/html. Read it: make serve, then open http://localhost:$(PORT)"

serve: ## serve the built website on this machine (PORT=8001 for a port, HOST=0.0.0.0 for other machines)
	@test -f _build/html/index.html || { echo "The website is not built yet: make book"; exit 1; }
	@$(BIN)/python -c 'import socketserver, sys; socketserver.TCPServer.allow_reuse_address = True; socketserver.TCPServer(("$(HOST)", $(PORT)), None)' 2>/dev/null || { \
	  echo "Port $(PORT) is taken by another program. Name another one: make serve PORT=8001"; exit 1; }
	@$(BIN)/python -m http.server --bind $(HOST) --directory _build/html $(PORT)

lab: works ## open the students' notebooks in JupyterLab (DIR=folder for others, PORT=8899 for a port)
	@test -d "$(DIR)" || { echo "There is no folder $(DIR)."; exit 1; }
	@settings="$(CURDIR)/lab$${JUPYTER_CONFIG_PATH:+:$$JUPYTER_CONFIG_PATH}"; jupyter="$(abspath $(BIN))/jupyter"; \
	cd "$(DIR)" && JUPYTER_CONFIG_PATH="$$settings" exec "$$jupyter" lab --notebook-dir . \
	  $(if $(filter file,$(origin PORT)),,--port $(PORT)) $$(test "$$(id -u)" != 0 || echo --allow-root)

wheel: $(READY) ## build the library's wheel into dist/, for students who work without this folder
	@rm -rf build dist/allyouneed-*.whl
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@echo "Hand out $$(ls dist/allyouneed-*.whl) with the notebooks. Who has it types:"; \
	echo "  pip install torch --index-url https://download.pytorch.org/whl/cpu"; \
	echo "  pip install $$(basename dist/allyouneed-*.whl) jupyterlab"

release-check: archive ## make what a release hands out, from what is committed, and say whether it can go out
	@$(BIN)/python setup/release_check.py _build/all-you-need.zip

pdf: browser book ## print the whole book into _build/all-you-need.pdf
	@$(BIN)/python book/_forms/pdf.py _build/html _build/all-you-need.pdf

slides: book ## make lecture slides of every chapter in _build/slides
	@$(BIN)/python book/_forms/slides.py _build/html _build/slides

archive: book ## pack the website into _build/all-you-need.zip, which opens with one command
	@$(BIN)/python book/_forms/archive.py _build/html _build/all-you-need.zip

browser:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Chromium for the browser tests"; install="apt-get install -y -qq --no-install-recommends"; \
	    apt-get update -qq && { $$install chromium-headless-shell || $$install chromium; } >/dev/null 2>&1 \
	    || { echo "Chromium could not be installed. Try: apt-get install chromium"; exit 1; }; \
	  else echo "The browser tests need Chromium. Install it: apt-get install chromium"; exit 1; fi; }

database:
	@ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 || command -v postgres >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing PostgreSQL for the gradebook test"; { apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null 2>&1 \
	    || echo "PostgreSQL could not be installed; its test will be skipped."; \
	  else echo "PostgreSQL is not installed; its test will be skipped. To run it: apt-get install postgresql"; fi; }

$(HUB)/.ready: $(READY) requirements-hub.lock book/instructors/hub/package-lock.json
	@command -v npm >/dev/null || { echo "JupyterHub's proxy comes from npm. On Debian or Ubuntu: apt-get install npm"; exit 1; }
	@$(BIN)/python -m pip install --quiet --no-deps -r requirements-hub.lock
	@mkdir -p $(HUB) && cp book/instructors/hub/package.json book/instructors/hub/package-lock.json $(HUB)
	@npm ci --silent --prefix $(HUB) --omit=dev --no-audit --no-fund
	@touch $@

hub: $(HUB)/.ready ## install JupyterHub and its proxy into .venv, for many users on one server

accounts:
	@if [ "$$(id -u)" = 0 ] && command -v npm >/dev/null && command -v useradd >/dev/null; then \
	  $(MAKE) --no-print-directory hub || echo "JupyterHub could not be installed; its test will be skipped."; \
	else echo "The test of JupyterHub needs root, npm and useradd; it will be skipped."; fi

$(VENV)/.bench-ready: $(READY) requirements-bench.lock
	@$(BIN)/python -m pip install --quiet --no-deps -r requirements-bench.lock
	@touch $@

bench: $(VENV)/.bench-ready ## compare the library's speed with its peers (about fifteen minutes), and write the book's page on it
	@mkdir -p _build/benchmarks
	@for name in training_step vision generation attention_length learning_speed; do \
	  $(BIN)/python benchmarks/$$name.py --json _build/benchmarks/$$name.json || exit 1; done
	@$(BIN)/python benchmarks/summary.py _build/benchmarks --write book/performance.md

bench-gpu: works ## see the library on a GPU, in under nine minutes, and write the book's table of it
	@mkdir -p _build/benchmarks
	@$(BIN)/python benchmarks/gpu.py --json _build/benchmarks/gpu.json $(if $(DEVICE),--device $(DEVICE)) $(if $(filter cpu,$(DEVICE)),--quick)
	@$(if $(filter cpu,$(DEVICE)),,test ! -f _build/benchmarks/gpu.json || $(BIN)/python benchmarks/summary.py _build/benchmarks --write book/performance.md)

bench-grading: $(READY) ## compare grading with stock nbgrader (SIZES="10 100 1000" for more)
	@$(BIN)/python benchmarks/grading.py --sizes $(SIZES)

test: lint browser database accounts book ## build the book and run every test
	@$(PYTEST) --doctest-modules $(NOTEBOOKS) lib/allyouneed tests

# These tests wait for nothing, and each process has to import torch: one a core.
test-fast: WORKERS = auto
test-fast: works ## what to run after each edit: no website, no browser, nothing long
	@$(PYTEST) -m "not slow and not site and not browser" --doctest-modules --ignore=tests/journeys lib/allyouneed tests

test-library: works ## test the library, and the solved notebooks that are made with it
	@$(PYTEST) --doctest-modules $(NOTEBOOKS) lib/allyouneed tests/library

test-grader: works browser database ## test the grader, the checks and what students get
	@$(PYTEST) -m "not site" $(GRADER) tests/test_imports.py

test-book: browser book ## build the book, and test the website and what is made of it
	@$(PYTEST) tests/book tests/course/test_leaks.py::test_the_website_gives_nothing_away

test-journeys: works browser accounts ## walk through the course as students and instructors do, in a browser
	@$(PYTEST) tests/journeys

lint: works ## look for slips: ruff, one form for all code, the types of the library, and which way imports run
	@$(BIN)/ruff check --quiet && $(BIN)/ruff format --check --quiet && $(BIN)/mypy --no-error-summary && $(BIN)/lint-imports --no-logo >/dev/null || { \
	  echo "make lint found something (above; for the form of code: $(BIN)/ruff format; for imports: $(BIN)/lint-imports)."; exit 1; }
	@echo "Nothing found."

release: $(READY) ## write the students' notebook and public checks of PS=03-attention
	@$(BIN)/coursegrader release $(PS)

# On the fixed secret of the tests, which compare the pages that this writes. A course has a secret of its own.
certify: $(READY) ## prove every rubric, those of PS=03-attention, or that of EXERCISE=softmax
	@set=$$(ls -d solutions/*/rubric/$(or $(EXERCISE),*).py 2>/dev/null | head -1 | cut -d/ -f2); \
	test -n "$$set" || { echo "No problem set has an exercise $(EXERCISE)."; exit 1; }; \
	COURSEGRADER_TEST_SECRET="$$(cat tests/secret)" $(BIN)/coursegrader certify \
	  $(if $(EXERCISE),$$set --exercise $(EXERCISE),$(if $(filter command,$(origin PS)),$(PS)))

grade: $(READY) ## grade the submissions of PS=03-attention
	@$(BIN)/coursegrader grade $(PS)

report: $(READY) ## report on the graded submissions of PS=03-attention
	@$(BIN)/coursegrader report $(PS)

clean: ## remove what was built, but not .venv
	@rm -rf _build build dist reports .pytest_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
