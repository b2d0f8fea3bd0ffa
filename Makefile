# `make run`, `make demo` and `make test` are all a newcomer needs; each installs first what is missing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Compiled when it is first imported: half of what an install would compile is never run.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# uv is several times as quick as pip, but does not read pip's settings: where it finds no package index, pip does it all.
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
RUNS := $(VENV)/.installed-to-run
TESTS := $(VENV)/.installed-to-test
# An install that was interrupted leaves this behind, and half a package that pip can neither use nor take away: the next
# one starts afresh.
UNFINISHED := $(VENV)/.unfinished
PACKAGES := contracts infra language registry authoring reasoning workflows clients activities api cli evals offline_planner sandbox restaurant

LOCK := $(BIN)/uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url --no-emit-find-links

# A workflow is loaded anew for each run, and many processes are started: without compiled files each compiles all again.
# Not for `mutants`, whose files change under a run.
test test-unit test-all chaos eval: export PYTHONDONTWRITEBYTECODE =

# Checks types and is no part of what runs: it lies beside the environment, not among the dependencies.
TYPESCRIPT := 7.0.2
TSC := $(VENV)/npm/node_modules/.bin/tsc

SEED ?= 1
N ?= 200

.PHONY: install run demo test test-unit test-all chaos mutants eval check check-page lock clean help

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

install: $(TESTS) ## create .venv and install what runs and what tests it, nothing else

$(RUNS): requirements.lock requirements-test.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version) if sys.version_info < (3, 11) else None'
	@if [ -e $(UNFINISHED) ] || ! $(BIN)/python -m pip --version >/dev/null 2>&1; then $(PYTHON) -m venv --clear $(VENV); fi
	@echo "Installing into $(VENV) what runs …"
	@touch $(UNFINISHED)
	@sed -n '/^uv==/,/# via/p' requirements-test.lock >$(VENV)/uv.lock
	@($(PIP) --require-hashes -r $(VENV)/uv.lock && $(UV) --require-hashes -r requirements.lock) \
	  || $(PIP) --require-hashes -r requirements.lock
	@PYTHONWARNINGS=ignore $(PIP) --no-deps --no-build-isolation --editable .
	@rm $(UNFINISHED)
	@touch $(RUNS)

$(TESTS): requirements-test.lock $(RUNS)
	@if [ -e $(UNFINISHED) ]; then rm -f $(RUNS); $(MAKE) --no-print-directory $(RUNS); fi
	@echo "Installing into $(VENV) what tests it …"
	@touch $(UNFINISHED)
	@$(UV) --require-hashes -r requirements-test.lock || $(PIP) --require-hashes -r requirements-test.lock
	@rm $(UNFINISHED)
	@touch $(TESTS)

run: $(RUNS) ## everything embedded, until Ctrl-C
	$(BIN)/iq dev

demo: $(RUNS) ## a scripted tour that checks itself
	$(BIN)/iq demo

PYTEST := $(BIN)/python -m pytest -n 4 --dist loadscope --no-loadscope-reorder

test: install ## what the README promises: unit, workflows, and the part of integration and e2e that guards it
	$(PYTEST) -m "not slow"

test-unit: install ## tests/unit alone: no server, no process
	$(PYTEST) tests/unit

test-all: install ## everything: further packs and browsers, kills and restarts, a score of chaos scenarios
	$(PYTEST)

chaos: install ## kill, stall and break everything: make chaos SEED=1 N=200, TOGETHER=1 with parallel steps, BUSY=1 beside other programs (needs redis-server)
	$(BIN)/python -m tests.e2e.chaos --seed $(SEED) --n $(N) $(if $(TOGETHER),--together) $(if $(BUSY),--busy)

mutants: install ## put deliberate bugs in and see the tests catch them: make mutants ONLY="name name"
	$(BIN)/python -m tests.mutants $(addprefix --only ,$(ONLY))

eval: install ## score every case file and keep the table in docs/grounding.md
	$(BIN)/iq eval all --page docs/grounding.md $(wildcard ../shared/cases) evals/cases

check: install ## lint, types, floors
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(PACKAGES)
	$(BIN)/lint-imports

check-page: ## types of the page's code (needs npm, and a connection once)
	test -x $(TSC) || npm install --silent --no-audit --no-fund --no-save --prefix $(VENV)/npm typescript@$(TYPESCRIPT)
	$(TSC) -p api/web/jsconfig.json

lock: ## pin every dependency anew, with hashes and without index addresses
	$(LOCK) --output-file requirements.lock pyproject.toml
	$(LOCK) --extra dev --constraint requirements.lock --output-file requirements-test.lock pyproject.toml

clean: ## remove the environment and all local state
	rm -rf $(VENV) .iq
