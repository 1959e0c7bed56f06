# `make demo` and `make test` work on a fresh clone: they need Python 3.11 or newer, make and gcc, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup
PIP := $(BIN)/python -m pip install --quiet --no-compile

.PHONY: demo test full peers bare fuzz mutants lint types contracts check format bench coverage data docs schemas clean

demo: $(VENV)/package.done  ## run the main job on the shipped example data
	@$(BIN)/curvewise demo --force

test: $(VENV)/test.done  ## every test function but the slow ones, one case of each: minutes, and Python is all it needs
	$(PYTEST) --ring quick --dist loadfile -r fE

full: $(VENV)/full.done $(VENV)/docs.done  ## every case; what needs Chromium, Java or PostgreSQL is skipped without them
	$(PYTEST) --ring full

peers: $(VENV)/full.done  ## the tests of scikit-learn and pycocotools against ours
	$(PYTEST) --ring peers
	$(BIN)/python tests/peers.py --write

bare:  ## make test as on a machine that has Python, make and gcc alone
	bash tests/bare.sh

lint: $(VENV)/lint.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/lint.done
	$(BIN)/mypy

contracts: $(VENV)/lint.done
	$(BIN)/lint-imports

check: lint types contracts test full  ## all that continuous integration runs

format: $(VENV)/lint.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/full.done  ## curvewise beside its peers, and how costs grow (an hour); see benchmarks/README.md
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/weighted.py --write
	$(BIN)/python benchmarks/sklearn_signatures.py
	$(BIN)/python benchmarks/detection.py
	$(BIN)/python benchmarks/growth.py

fuzz: $(VENV)/full.done  ## the fuzz tests with new inputs, so many for each (CURVEWISE_FUZZ=100000 for hours)
	CURVEWISE_FUZZ=$${CURVEWISE_FUZZ:-3000} $(PYTEST) tests/fuzz

mutants: $(VENV)/full.done  ## how many small changes of the numeric core the tests notice (MUTANTS="--sample 50 --seed 7")
	$(BIN)/python mutants/run.py $(MUTANTS)

coverage: $(VENV)/full.done  ## count how often intervals hold the truth (an hour)
	$(BIN)/python simulations/coverage.py

docs: $(VENV)/full.done $(VENV)/docs.done  ## write the reference pages of metrics and of coverage, then build the site into site/
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_coverage.py
	$(BIN)/python docs/build_site.py

schemas: $(VENV)/test.done  ## write the JSON Schemas of results and commands
	$(BIN)/python docs/make_schemas.py

data: $(VENV)/test.done  ## make the shipped example data again
	$(BIN)/python examples/make_data.py
	$(BIN)/python examples/make_detection_data.py
	$(BIN)/python examples/make_survival_data.py
	$(BIN)/python examples/make_spike_data.py
	$(BIN)/python examples/make_transactions.py

$(VENV)/pip.done:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "curvewise needs Python 3.11 or newer; say which: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/package.done: $(VENV)/pip.done pyproject.toml
	@$(PIP) --editable '.[cli]'
	@touch $@

$(VENV)/test.done: $(VENV)/package.done
	@echo "Installing what the tests need (once) ..."
	@$(PIP) --group test
	@touch $@

$(VENV)/full.done: $(VENV)/test.done
	@echo "Installing what all tests need, engines among it (once, about 1 GB) ..."
	@$(PIP) --group full
	@touch $@

$(VENV)/lint.done: $(VENV)/test.done
	@echo "Installing what the checks need (once) ..."
	@$(PIP) --group lint
	@touch $@

$(VENV)/docs.done: $(VENV)/package.done
	@echo "Installing what the site needs (once) ..."
	@$(PIP) --group docs
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist build site
