# `make demo` and `make test` work on a fresh clone: they need Python 3.11 or newer and make, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test fuzz mutants lint types contracts check format bench coverage data docs schemas clean

demo: $(VENV)/package.done  ## run the main job on the shipped example data
	@$(BIN)/curvewise demo --force

test: $(VENV)/development.done $(VENV)/docs.done  ## run every test, doctest and documented example
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: $(VENV)/development.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/development.done
	$(BIN)/mypy

contracts: $(VENV)/development.done
	$(BIN)/lint-imports

check: test lint types contracts  ## all that continuous integration runs

format: $(VENV)/development.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/development.done  ## curvewise beside its peers, and how costs grow (an hour); see benchmarks/README.md
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/weighted.py --write
	$(BIN)/python benchmarks/sklearn_signatures.py
	$(BIN)/python benchmarks/detection.py
	$(BIN)/python benchmarks/growth.py

fuzz: $(VENV)/development.done  ## the fuzz tests with new inputs, so many for each (CURVEWISE_FUZZ=100000 for hours)
	CURVEWISE_FUZZ=$${CURVEWISE_FUZZ:-3000} $(BIN)/python -m pytest -n auto tests/fuzz

mutants: $(VENV)/development.done  ## how many small changes of the numeric core the tests notice (MUTANTS="--sample 50 --seed 7")
	$(BIN)/python mutants/run.py $(MUTANTS)

coverage: $(VENV)/development.done  ## count how often intervals hold the truth (half an hour)
	$(BIN)/python simulations/coverage.py

docs: $(VENV)/docs.done  ## write the reference pages of metrics and of coverage, then build the site into site/
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_coverage.py
	$(BIN)/python docs/build_site.py

schemas: $(VENV)/development.done  ## write the JSON Schemas of results and commands
	$(BIN)/python docs/make_schemas.py

data: $(VENV)/development.done  ## make the shipped example data again
	$(BIN)/python examples/make_data.py
	$(BIN)/python examples/make_detection_data.py
	$(BIN)/python examples/make_survival_data.py

$(VENV)/package.done: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "curvewise needs Python 3.11 or newer; say which: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --editable '.[cli]'
	@touch $@

$(VENV)/development.done: $(VENV)/package.done
	@echo "Installing what tests and checks need (once) ..."
	@$(BIN)/python -m pip install --quiet --group test --group lint
	@touch $@

$(VENV)/docs.done: $(VENV)/development.done
	@echo "Installing what the site needs (once) ..."
	@$(BIN)/python -m pip install --quiet --group docs
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist build site
