# Each target sets up what it needs: in .ros/ below this folder, or with the ROS 2 that is sourced.
export DISTRO ?= kilted

# Neither make nor the shell interprets what is in MODEL, RECORD and DATABASE; ARGS is split by the shell.
MODEL =
RECORD =
DATABASE =
unexport MODEL RECORD DATABASE
export MODEL_FILE := $(value MODEL)
export RECORD_FILE := $(value RECORD)
export DATABASE_FOLDER := $(value DATABASE)
ARGS =
ENV = . tools/env.sh
SOURCES = $(wildcard setup.py benchmarks docs launch scripts/* test tools urdf_tools)

SET_UP = $(or $(PYTHON),python3) tools/set_up.py --distro $(DISTRO)

.PHONY: help setup environment development python demo run view test test-all lint style types bench docs dist \
  vsix audit licences oracle clean lock

help:
	@echo "make demo [MODEL=robot.urdf]  start all nodes on a robot and show what they publish"
	@echo "                              RECORD=run.mcap: and record it, for urdf-tools doctor"
	@echo "make run MODEL=robot.urdf     start all nodes on a robot, until Ctrl-C"
	@echo "make view MODEL=robot.urdf    show a robot in a browser, until Ctrl-C"
	@echo "                              all three: ARGS='name:=ur gripper:=true' for a xacro file"
	@echo "make test                     run the tests that a change needs"
	@echo "make test-all                 run all tests, also those that build packages or open browsers"
	@echo "make lint                     check the style and the types of all Python files"
	@echo "make types                    check only the types"
	@echo "make docs                     build the site in build/site"
	@echo "make dist                     make and check what package indices get, in build/dist,"
	@echo "                              and the list of its components (SBOM)"
	@echo "make vsix                     build the extension for Visual Studio Code with Node.js"
	@echo "make bench                    run the benchmarks"
	@echo "make audit                    look up known vulnerabilities of what make installs;"
	@echo "                              DATABASE=folder: in an export of osv.dev, without a network"
	@echo "make licences                 list the licences of what make has installed"
	@echo "make oracle                   install the programs that tests compare accounts with"
	@echo "make setup                    only set up; the targets above do it when needed"
	@echo "make development              ... also what tests, linters and views need"
	@echo "make clean                    remove everything that make has created"
	@echo
	@echo "Without a sourced ROS 2, DISTRO=jazzy selects ROS 2 Jazzy and PYTHON=python3.12 another"
	@echo "Python. '. tools/env.sh' gives a shell the same environment."

setup: environment
	@echo "Ready: '. tools/env.sh' gives a shell the environment of make."

environment: python
	@$(SET_UP)

# With what tests, linters and views need, which the demo does without.
development: python
	@$(SET_UP) --development

python:
	@$(or $(PYTHON),python3) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { \
	  echo "set-up: '$(or $(PYTHON),python3)' is not Python 3.10 or later;" \
	    "name one, for example with 'make PYTHON=python3.12'." >&2; exit 1; }

# What is recorded is written with a package that tests need.
demo: $(if $(value RECORD),development,environment)
	@$(ENV) && exec python3 tools/demo.py $(if $(value RECORD),--record "$$RECORD_FILE") "$$MODEL_FILE" $(ARGS)

run: environment
	@$(ENV) && exec python3 tools/demo.py --keep-running "$$MODEL_FILE" $(ARGS)

view: development
	@$(ENV) && exec python3 tools/demo.py --view "$$MODEL_FILE" $(ARGS)

# Two tests for each processor where pytest-xdist is installed, since many wait for a node; the tests
# of a file share what they start.
PARALLEL = $$(python3 -c 'import os, xdist; print(f"-n {2 * os.cpu_count()} --dist loadfile")' \
  2> /dev/null)

# Tests start Python some hundred times: what it compiles is kept whatever the environment says.
PYTEST = $(ENV) && unset PYTHONDONTWRITEBYTECODE && python3 -m pytest $(PARALLEL)

test: development
	@$(PYTEST) -m 'not slow' --hypothesis-profile quick test

test-all: development
	@$(PYTEST) test

lint: style types

style: development
	@$(ENV) && python3 -m flake8 $(SOURCES)
	@! find $(SOURCES) \( -name '*.py' -o -path 'scripts/*' \) -size +0 \
	  -not -path '*/reports/inputs/*' \
	  -exec grep -L 'Licensed under the Apache License' {} + | sed 's/$$/: no licence header/' | grep .
	@! grep -rnE --include='*.py' '^ *from .* import [^#]*,' $(SOURCES) | \
	  sed 's/$$/  # more than one import/' | grep .

types: development
	@$(ENV) && python3 -m mypy --strict urdf_tools

bench: development
	@$(ENV) && python3 -m benchmarks

INSTALL = -I -m pip install --quiet --no-deps --require-hashes --disable-pip-version-check

# Neither needs ROS: their tools are in an environment of their own, with other versions of what
# colcon needs, too.
PUBLISHING = .ros/publishing
PUBLISH = env -u PYTHONPATH $(PUBLISHING)/bin/python

docs: $(PUBLISHING)/installed
	@echo "Building the site, which takes about a minute"
	@$(PUBLISH) -m sphinx --quiet --fail-on-warning --keep-going --nitpicky \
	  -d build/site-cache docs build/site
	@echo "Ready: build/site/index.html"

dist: $(PUBLISHING)/installed
	rm -rf build/dist
	$(PUBLISH) -m build --no-isolation --outdir build/dist .
	$(PUBLISH) -m twine check --strict build/dist/*
	$(PUBLISH) tools/sbom.py build/dist build/urdf_tools.cdx.json

# With the wheel that the extension offers to install.
vsix: $(PUBLISHING)/installed
	rm -rf editors/vscode/server
	$(PUBLISH) -m build --no-isolation --wheel --outdir editors/vscode/server .
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund && npm run package

# Without DATABASE it needs a network: the vulnerability databases of PyPI, for this version of Python,
# and of npm. What cannot be looked up is an error.
audit: $(PUBLISHING)/installed
	@if [ -n "$$DATABASE_FOLDER" ]; then exec $(PUBLISH) tools/audit.py "$$DATABASE_FOLDER"; fi; \
	  code=0; for lock in $(wildcard tools/requirements/*.lock tools/requirements/*/*.lock); do \
	  echo "$$lock"; \
	  $(PUBLISH) -m pip_audit --strict --disable-pip --require-hashes -r $$lock || code=1; done; \
	  cd editors/vscode && npm audit && exit $$code

licences: $(PUBLISHING)/installed
	@$(PUBLISH) tools/audit.py

$(PUBLISHING)/installed: tools/requirements/publishing/tools.lock | python
	rm -rf $(PUBLISHING)
	$(or $(PYTHON),python3) -I -m venv $(PUBLISHING)
	$(PUBLISHING)/bin/python $(INSTALL) --only-binary :all: -r $<
	touch $@

# The programs that tests compare with; they skip where these are not installed. Debian and Ubuntu
# package the first two, the others are wheels, but pybullet, which is compiled for some minutes
# where it has none for the version of Python, with the tools of build.lock.
PROGRAMS = .ros/oracle

oracle: $(PROGRAMS)/installed
	@{ command -v ign && command -v check_urdf; } > /dev/null || \
	  $(if $(filter-out 0,$(shell id -u)),sudo) apt-get install -y \
	    ignition-tools libsdformat-dev liburdfdom-tools

$(PROGRAMS)/installed: $(addprefix tools/requirements/oracle/,build.lock programs.lock) | python
	rm -rf $(PROGRAMS)
	$(or $(PYTHON),python3) -I -m venv $(PROGRAMS)
	for name in build programs; do $(PROGRAMS)/bin/python $(INSTALL) --use-pep517 \
	  --no-build-isolation -r tools/requirements/oracle/$$name.lock || exit; done
	touch $@

clean:
	rm -rf .ros build install log .hypothesis .mypy_cache .pytest_cache *.egg-info
	rm -rf editors/vscode/node_modules editors/vscode/out editors/vscode/server editors/vscode/*.vsix
	rm -rf docs/api docs/contributing.md docs/graph-rules docs/rules
	find . -name __pycache__ -prune -exec rm -rf {} +

COMPILE = uv pip compile --quiet --universal --python-version 3.10 --no-header --generate-hashes
PLAIN = $(COMPILE) --no-annotate

# Without the packages that only Windows needs, a package with its hashes on one line, and back.
JOIN = sed -z 's/ \\\n  */ /g' | grep -v win32
SPLIT = sed 's/ --hash/ \\\n    --hash/g'

# What the library imports, with what each package is for, which tools/sbom.py reads.
EXTRAS = $(addprefix --extra ,completion contacts lsp meshes recordings view xacro)

# Make ends where uv fails, also before a pipe.
lock: SHELL = bash
lock: .SHELLFLAGS = -o pipefail -c

# Resolve the newest versions with uv, with the hashes of all their files in the package index.
lock:
	cd tools/requirements && for distro in jazzy kilted; do \
	  $(PLAIN) --upgrade $$distro.in common.in development/common.in | $(JOIN) > all && \
	  $(PLAIN) --constraint all $$distro.in common.in | $(JOIN) > some && \
	  $(SPLIT) some > $$distro.lock && \
	  grep -vxFf some all | $(SPLIT) > development/$$distro.lock && rm some || exit; done
	cd tools/requirements/library && \
	  $(COMPILE) --upgrade --constraint ../all $(EXTRAS) ../../../setup.py | \
	    grep -v '^  *#  *-c ' > packages.lock && \
	  $(PLAIN) --upgrade --constraint packages.lock --extra xacro ../../../setup.py action.in | \
	    $(JOIN) | $(SPLIT) > action.lock && rm ../all
	cd tools/requirements/oracle && $(PLAIN) --upgrade programs.in | $(JOIN) > all && \
	  $(PLAIN) --upgrade --constraint all build.in | $(JOIN) | $(SPLIT) > build.lock && \
	  $(SPLIT) all > programs.lock && rm all
	cd tools/requirements/publishing && $(PLAIN) --upgrade tools.in | $(JOIN) | $(SPLIT) > tools.lock
