# `make run`, `make demo` and `make test` are all a newcomer needs; each installs first what is missing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PACKAGES := contracts infra language registry reasoning workflows clients activities api cli evals sandbox

SEED ?= 1
N ?= 200

.PHONY: install run demo test chaos mutants check lock clean help

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

install: $(STAMP) ## create .venv and install, nothing else

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version) if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(STAMP)

run: install ## everything embedded, until Ctrl-C
	$(BIN)/iq dev

demo: install ## a scripted tour that checks itself
	$(BIN)/iq demo

test: install ## the whole suite, against a real Temporal server
	$(BIN)/python -m pytest -n 2 --dist loadscope --no-loadscope-reorder

chaos: install ## kill, stall and break everything: make chaos SEED=1 N=200 (needs redis-server)
	$(BIN)/python -m tests.chaos --seed $(SEED) --n $(N)

mutants: install ## put deliberate bugs in and see the tests catch them: make mutants ONLY="name of one"
	$(BIN)/python -m tests.mutants $(if $(ONLY),--only "$(ONLY)")

check: install ## lint, types, floors
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(PACKAGES)
	$(BIN)/lint-imports

lock: ## pin every dependency anew, with hashes and without index addresses
	$(BIN)/pip-compile --quiet --extra dev --generate-hashes --allow-unsafe --strip-extras --no-emit-index-url \
	  --no-emit-trusted-host --no-emit-find-links --no-header --output-file requirements.lock pyproject.toml

clean: ## remove the environment and all local state
	rm -rf $(VENV) .iq
