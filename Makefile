# Every target sets up what it needs first; when all is there, that takes a fraction of a second.
MAKEFLAGS += --no-print-directory --no-builtin-rules
.SILENT:
.PHONY: help setup use demo run test check bench fuzz lock clean

BIN := .venv/bin
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock"

# Tests wait for desktops as often as for a processor. One that fails is run once more and named (decision 15).
WORKERS := $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n < 7 ? n + 2 : 8)))

# The request reaches deskhand as it was written: make must not expand a `$` in it, nor the shell.
ifdef REQUEST
override REQUEST := $(value REQUEST)
endif
export REQUEST PYTHON
# Tests start hundreds of programs; without kept bytecode each of them would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

help: ## say what can be made (default)
	sed -n 's/^\([a-z]*\):[^#]*## /make \1\t/p' Makefile | expand -t 16

setup: ## install system packages and make .venv, where they are missing
	scripts/setup

use:
	scripts/setup use

demo: use ## carry out two requests on real applications on a desktop of their own
	$(BIN)/deskhand demo $(ARGS)

run: use ## carry out one request: make run REQUEST="..." [ARGS="--yes"]
	$(BIN)/deskhand run $(ARGS) $${REQUEST+-- "$$REQUEST"}

test: setup ## run all tests [ARGS="-k name"]
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --reruns 1 -rfER $(ARGS)

check: setup ## check format, lint, types, layers, sizes and spelling
	mkdir -p .import_linter_cache; failed=0; \
	$(BIN)/ruff format --check --quiet || failed=1; \
	$(BIN)/ruff check --quiet --output-format concise || failed=1; \
	$(BIN)/mypy --no-error-summary || failed=1; \
	$(BIN)/lint-imports --no-logo >.import_linter_cache/report || { cat .import_linter_cache/report; failed=1; }; \
	$(BIN)/python scripts/ceilings.py || failed=1; \
	$(BIN)/typos || failed=1; \
	exit $$failed

bench: setup ## measure [ONLY=part-of-name]
	$(BIN)/python -m benchmarks.bench $(if $(ONLY),--only "$(ONLY)")

fuzz: setup ## let every dialect read generated replies [ARGS="--count 1000"]
	$(BIN)/python -m benchmarks.fuzz $(ARGS)

lock: setup ## pin the newest versions that fit
	$(COMPILE) pyproject.toml --upgrade --output-file requirements.lock
	$(COMPILE) pyproject.toml --upgrade --all-extras --group dev --constraint requirements.lock --output-file requirements-dev.lock

clean: ## remove what tools leave behind; .venv and runs stay
	rm -rf build dist .mypy_cache .ruff_cache .import_linter_cache .hypothesis .pytest_cache benchmarks/results.json
	find src tests benchmarks examples scripts -name __pycache__ -prune -exec rm -rf {} +
