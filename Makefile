# Starloom. `make run` and `make test` set everything up by themselves; `make help` lists the rest.
# Needs python3 >= 3.11 with venv, and make.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: run test test-crash test-agents soak test-thorough test-attached test-attached-rounds test-simulation test-hostile test-browser check bench bench-memory bench-peers package test-package picture architecture screenshots translations constraints clean help

PYTHON ?= python3
# One more than a small machine has cores, as many tests wait for processes.
WORKERS ?= 3
TESTS ?= tests
ARGS ?=
# Arguments are those of bench_engine.py, unless BENCH names another one.
BENCH ?= $(if $(strip $(ARGS)),engine,*)
BIN := .venv/bin
# Each worker begins with a part of its own, so that few have to set up the same; who has done all takes from the others.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q
SETUP := pyproject.toml packaging/constraints.txt packaging/setup.sh
SOURCES := engine gui resources tests packaging

# The tests start hundreds of Pythons; each would compile the engine anew if none were allowed to keep what it compiled.
unexport PYTHONDONTWRITEBYTECODE

run: .venv/stamp-run ## Set up what is needed, open the console and run the demo in it
	$(BIN)/starloom console --demo

test: .venv/stamp-dev ## Run all tests (TESTS=tests/unit for some, WORKERS=0 for one process)
	$(PYTEST) $(TESTS)

test-crash: .venv/stamp-dev ## Kill 350 runs at random moments, here, wrapped, over SSH and in Dask, and the keepers of 200, and hand 100 around: nothing may be lost or run twice
	STARLOOM_CRASH_RUNS=200 $(PYTEST) tests/crash

test-agents: .venv/stamp-dev ## Have 100 agents each, over a real sshd and at endpoints, asked while their program is killed five times
	STARLOOM_AGENT_SESSIONS=100 $(BIN)/python -m pytest -n 0 -q tests/crash/test_agent_sessions.py tests/crash/test_connected_agents.py

soak: .venv/stamp-dev ## Run 2,000 tasks over bad links for two hours and kill their program 20 times (MINUTES=3: a short one)
	$(BIN)/python -m tests.soak.soak $(if $(MINUTES),--minutes $(MINUTES)) $(ARGS)

test-thorough: .venv/stamp-dev ## Look for hours at 2000 new examples of the laws in tests/properties
	STARLOOM_HYPOTHESIS=thorough $(PYTEST) --timeout 14400 tests/properties

test-attached: .venv/stamp-dev ## Test the console over the engine of a server, but for what is about one of its own
	STARLOOM_ATTACHES=1 $(PYTEST) tests/gui/composition

test-attached-rounds: .venv/stamp-dev ## Play 200 rounds of three consoles over one server, one over SSH, while links, consoles and servers are killed (SEED=17: from that one)
	STARLOOM_ATTACHED_ROUNDS=$${STARLOOM_ATTACHED_ROUNDS:-200} $(if $(SEED),STARLOOM_ATTACHED_SEED=$(SEED)) $(PYTEST) tests/crash/test_attached_rounds.py

test-simulation: .venv/stamp-dev ## Simulate 1,000 histories of an engine, clients, links and devices that fail, 1,000 commands each (SEEDS=17: that one again; ARGS="--complete 10": then each kind of fault at each await)
	$(BIN)/python -m tests.simulation.simulate $(if $(SEEDS),--seeds $(SEEDS)) $(ARGS)

test-hostile: .venv/stamp-dev ## Read thousands of forged and damaged journals, bundles and plans (STARLOOM_HOSTILE=0.1: fewer)
	STARLOOM_HOSTILE=$${STARLOOM_HOSTILE:-1} $(PYTEST) tests/hostile

test-browser: .venv/stamp-dev ## Open the HTML report in headless Chromium, if there is one; pictures in build/browser
	$(BIN)/python -m pytest -n 0 -q -rs tests/browser

check: .venv/stamp-dev ## Format, lint, types and import contracts; changes nothing
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy engine/starloom gui/starloom_gui resources/starloom_resources tests packaging
	$(BIN)/lint-imports --no-logo

bench: .venv/stamp-dev ## Measure against the budgets (ARGS="--only core" for a quick look at the engine, ARGS=--help)
	@set -e; for file in tests/benchmarks/bench_$(BENCH).py; do \
	  echo "== $$file"; $(BIN)/python "$$file" $(ARGS); \
	done

bench-memory: .venv/stamp-dev ## See that memory stays flat over 5,000 runs of 200 tasks (ARGS="500 20" for fewer)
	$(BIN)/python tests/benchmarks/long_lived.py $(ARGS)

bench-peers: .venv/stamp-dev ## Measure dask, ray, parsl, prefect, make, parallel, snakemake, hyperqueue beside ours (installs into .venv-peers)
	$(BIN)/python tests/benchmarks/peers.py $(ARGS)

package: .venv/stamp-package ## Build the console as a program that needs no Python into dist/starloom
	$(BIN)/python packaging/package.py

test-package: package ## Build that program and see that it runs
	STARLOOM_PACKAGED="$(CURDIR)/dist/starloom/starloom" $(BIN)/python -m pytest -n 0 -q tests/packaging

picture: .venv/stamp-dev ## Draw the README's picture anew
	$(BIN)/python packaging/picture.py docs/run.svg

architecture: .venv/stamp-dev ## Draw the picture of the layers in ARCHITECTURE.md anew
	$(BIN)/python packaging/architecture_picture.py docs/architecture.svg

screenshots: .venv/stamp-dev ## Draw every view of the console in both themes into build/screenshots
	$(BIN)/python packaging/screenshots.py build/screenshots

translations: .venv/stamp-dev ## Gather the console's texts anew; says what is not translated yet
	$(BIN)/python packaging/translations.py

constraints: .venv/stamp-dev ## Write the versions in .venv to packaging/constraints.txt
	{ grep '^#' packaging/constraints.txt; $(BIN)/python -m pip freeze --exclude-editable; } > .stamps/constraints.txt
	mv .stamps/constraints.txt packaging/constraints.txt

clean: ## Remove .venv and everything that was built or cached
	rm -rf .venv .venv-peers .stamps .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .grimp_cache build dist
	find engine gui resources tests -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## Say what can be made
	@echo "make …"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

# The stamps lie in .venv and go with it; what they depend on decides when the set-up is done again.
.venv/stamp-dev: $(SETUP) .stamps/system .stamps/ssh-server
	PYTHON="$(PYTHON)" sh packaging/setup.sh dev
	@touch $@ .venv/stamp-run

.venv/stamp-package: $(SETUP) .stamps/system .stamps/ssh-server
	PYTHON="$(PYTHON)" sh packaging/setup.sh package
	@touch $@ .venv/stamp-dev .venv/stamp-run

.venv/stamp-run: $(SETUP) .stamps/system
	PYTHON="$(PYTHON)" sh packaging/setup.sh run
	@touch $@

.stamps/system: packaging/system-libraries.sh
	sh packaging/system-libraries.sh
	@mkdir -p .stamps && touch $@

.stamps/ssh-server: packaging/ssh-server.sh
	sh packaging/ssh-server.sh
	@mkdir -p .stamps && touch $@
