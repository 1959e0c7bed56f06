# `make demo` and `make test` work on a fresh clone: they need Python 3.11 or newer and make, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types contracts check format bench coverage data docs clean

demo: $(VENV)/package.done  ## run the main job on the shipped example data
	@$(BIN)/curvewise demo --force

test: $(VENV)/development.done  ## run every test, doctest and documented example
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

bench: $(VENV)/development.done  ## curvewise beside its peers (minutes); see benchmarks/README.md
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/sklearn_signatures.py
	$(BIN)/python benchmarks/detection.py

coverage: $(VENV)/development.done  ## count how often intervals hold the truth (half an hour)
	$(BIN)/python simulations/coverage.py

docs: $(VENV)/development.done  ## write the reference pages of metrics, from the registry, and of coverage
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_coverage.py

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

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist
