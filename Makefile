# Undersign. `make run` starts the whole service, `make test` tests it; both make their environment first.
# Python 3.11+, make and a package registry are all they need.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UNDERSIGN_DATA_DIR ?= .undersign
export UNDERSIGN_DATA_DIR

.PHONY: help run demo test bench bench-layout archival bench-sessions bench-lists bench-reads bench-seal bench-callbacks bench-pages bench-steps bench-carried bench-workers chaos scale-out fuzz attacks screenshots check lint types architecture audit licences oldest format settings lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV)/run.stamp: requirements/run.lock pyproject.toml
	@sh requirements/install.sh "$(PYTHON)" "$(VENV)" run

$(VENV)/dev.stamp: requirements/dev.lock pyproject.toml
	@sh requirements/install.sh "$(PYTHON)" "$(VENV)" dev

$(VENV)/bench.stamp: requirements/bench.lock $(VENV)/dev.stamp
	@sh requirements/install.sh "$(PYTHON)" "$(VENV)" bench

run: $(VENV)/run.stamp ## the whole service on embedded defaults, ready to sign a first document
	@exec $(BIN)/undersign dev

demo: $(VENV)/run.stamp ## against a running `make run`: two recipients sign an agreement; results in demo-output/
	@exec $(BIN)/undersign demo --output demo-output

$(VENV)/inspector.stamp: tests/inspector/package-lock.json $(VENV)/dev.stamp
	@sh requirements/inspector.sh "$(VENV)" && touch $@

# By pytest-xdist, in a process for each processor: most of the time goes by in engines that tests start.
test: $(VENV)/dev.stamp $(VENV)/inspector.stamp ## all tests, on real engines that the tests start and stop
	@sh requirements/tools.sh
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

bench-layout: $(VENV)/bench.stamp ## the layout engine's time, memory and size against others (WeasyPrint needs libpango)
	@$(BIN)/python -m tests.bench

bench-sessions: $(VENV)/dev.stamp ## a session's cost against an empty workflow of as many steps, and a worker's memory
	@$(BIN)/python -m tests.bench.sessions

bench-lists: $(VENV)/dev.stamp ## lists at a million sessions, in SQLite and PostgreSQL, with the plans (minutes, 5 GB)
	@sh requirements/tools.sh
	@$(BIN)/python -m tests.bench.lists

bench-reads: $(VENV)/dev.stamp ## 50 clients reading at once, against a route that only asks a workflow
	@$(BIN)/python -m tests.bench.reads

bench-callbacks: $(VENV)/dev.stamp ## sessions whose callbacks meet dead receivers, against sessions without callbacks
	@$(BIN)/python -m tests.bench.callbacks

bench-steps: $(VENV)/dev.stamp ## processor time of each step of a session, by engine, on the engines of operators
	@sh requirements/tools.sh
	@$(BIN)/python -m tests.bench.steps

bench-workers: $(VENV)/dev.stamp ## sessions a second with one worker and with two, on the engines of operators
	@sh requirements/tools.sh
	@$(BIN)/python -m tests.bench.workers

bench-carried: $(VENV)/dev.stamp ## what a session leaves in PostgreSQL, the bucket and Temporal, on the engines of operators
	@sh requirements/tools.sh
	@$(BIN)/python -m tests.bench.carried

bench-seal: $(VENV)/dev.stamp ## stamping and sealing ten pages, against pyHanko's stock signer
	@$(BIN)/python -m tests.bench.sealing

bench-pages: $(VENV)/dev.stamp ## how soon pages are painted on a first visit, and how much is transferred
	@sh requirements/tools.sh
	@$(BIN)/python -m tests.bench.pages

bench: bench-layout bench-sessions bench-lists bench-reads bench-callbacks bench-seal bench-pages bench-steps bench-carried bench-workers ## everything that is measured (hours; the last takes root)

archival: $(VENV)/dev.stamp ## what the PDFs are made of, held against PDF/A by PDFBox Preflight (Java)
	@sh requirements/tools.sh archival
	@$(BIN)/python -m tests.layout.standards

chaos: $(VENV)/dev.stamp ## kills, freezes and starves everything while SESSIONS=n are signed; SEED=n repeats a run, STACK=engines takes those of operators
	@$(BIN)/python -m tests.chaos $(if $(SEED),--seed $(SEED)) $(if $(SESSIONS),--sessions $(SESSIONS)) $(if $(RUNS),--runs $(RUNS)) $(if $(STACK),--stack $(STACK))

scale-out: $(VENV)/dev.stamp ## SESSIONS=n on three hosts (network namespaces, as root), one of which is cut off at a time
	@sh requirements/tools.sh
	@$(BIN)/python -m tests.chaos.hosts $(if $(SEED),--seed $(SEED)) $(if $(SESSIONS),--sessions $(SESSIONS))

fuzz: $(VENV)/dev.stamp ## requests made from the description of the API, EXAMPLES=n for each operation; SEED=n repeats a run
	@$(BIN)/python -m tests.fuzz $(if $(SEED),--seed $(SEED)) $(if $(EXAMPLES),--examples $(EXAMPLES))

attacks: $(VENV)/dev.stamp ## ATTACKS=n on sealed PDFs, made from a grammar; SEED=n repeats a run
	@sh requirements/tools.sh
	@ATTACKS=$(or $(ATTACKS),3000) $(BIN)/python -m pytest tests/adapters/verification/test_attacks.py $(if $(SEED),--hypothesis-seed=$(SEED))

screenshots: $(VENV)/dev.stamp ## every page in every state, to build/screenshots; NAMES="..." makes those only
	@sh requirements/tools.sh
	@$(BIN)/python -m tests.browser.screenshots $(NAMES)

check: lint types architecture audit test attacks archival ## what CI runs

lint: $(VENV)/dev.stamp ## ruff: rules and formatting
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(VENV)/dev.stamp ## mypy, strict
	@$(BIN)/mypy

architecture: $(VENV)/dev.stamp ## the dependency arrows
	@$(BIN)/lint-imports --no-logo

audit: $(VENV)/dev.stamp ## security advisories for what the service runs on (a line, and no failure, where nobody can be asked)
	@$(BIN)/python requirements/audit.py

licences: $(VENV)/dev.stamp ## write docs/licences.md anew; fails where one does not go with ours
	@$(BIN)/python requirements/licences.py > docs/licences.md

oldest: ## a smoke test on the oldest versions that pyproject.toml admits, in build/oldest (needs uv)
	@sh requirements/oldest.sh "$(PYTHON)"

format: $(VENV)/dev.stamp ## rewrite the code in the house style
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

settings: $(VENV)/run.stamp ## write docs/settings.md anew from settings.py
	@$(BIN)/undersign settings > docs/settings.md

lock: ## pin the newest versions that pyproject.toml admits, with hashes (needs uv)
	@uv pip compile pyproject.toml --extra embedded --group build --universal --generate-hashes --no-emit-index-url \
	  --no-header --no-annotate --excludes requirements/excluded.txt -q -o requirements/run.lock
	@uv pip compile pyproject.toml --extra embedded --group build --group dev --universal --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate --excludes requirements/excluded.txt -c requirements/run.lock -q -o requirements/dev.lock
	@uv pip compile pyproject.toml --extra embedded --group build --group bench --universal --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate --excludes requirements/excluded.txt -c requirements/dev.lock -q -o requirements/bench.lock
	@uv pip compile pyproject.toml --extra gcpkms --extra pkcs11 --extra redis --extra tracing --universal --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate --excludes requirements/excluded.txt -c requirements/dev.lock -q -o requirements/image.lock
	@uv pip compile --group build --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	  -c requirements/dev.lock -q -o requirements/build.lock

clean: ## remove the environment; the data directory stays
	@rm -rf $(VENV)
