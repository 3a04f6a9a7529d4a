# Copyright 2026 The urdf_tools authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""The tables of verbs and their options in options.json."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
import json
from pathlib import Path
from typing import Any

Given = Mapping[str, Mapping[str, Any]]
"""
What is no text of an option, by its first name.

They are parameters of ``add_argument``; ``complete``, the names that a shell completes in a
comma-separated list, or what returns them for the arguments that are there; and ``shown``, which
is ``%(shown)s`` in its help, by default those names.
"""

TABLES: Mapping[str, Any] = json.loads(Path(__file__).with_name('options.json').read_bytes())

VERBS: dict[str, str] = {name: verb['summary'] for name, verb in TABLES['verbs'].items()}
"""
The verbs, and the first line of what each is for.

Each is a module with ``run(arguments) -> int`` and, if something of its options is no text,
``OPTIONS``. Only the one that is needed is imported. The rest of its docstring is the end of its
help.
"""


def add_options(parser: argparse.ArgumentParser, verb: str, given: Given) -> None:
    """Add the options of a verb; what ``given`` says overrides the table."""
    from urdf_tools.cli.arguments import MESH_LIMITS
    _add(parser, TABLES['verbs'][verb]['options'], {**MESH_LIMITS, **given})


def _add(container: argparse._ActionsContainer, options: Sequence[Any], given: Given) -> None:
    """Add options, each a name of those that verbs share, several together, or a single one."""
    for option in options:
        if isinstance(option, str):
            _add(container, TABLES['shared'][option], given)
        elif 'group' in option:
            group = container.add_argument_group(option['group'], option.get('description'))
            _add(group, option['options'], given)
        elif 'one of' in option:
            _add(container.add_mutually_exclusive_group(), option['one of'], given)
        else:
            _add_option(container, given.get(option['names'][0], {}), **option)


def _add_option(container: argparse._ActionsContainer, given: Mapping[str, Any],
                names: Sequence[str], **settings: Any) -> None:
    """Add an option; its type is the name of a parser, or the arguments of ``number_of``."""
    from urdf_tools.cli.arguments import COMPLETIONS
    from urdf_tools.cli.arguments import number_of
    from urdf_tools.cli.arguments import PARSERS
    settings.update(given)
    complete = settings.pop('complete', None)
    if isinstance(complete, str):
        complete = COMPLETIONS[complete]
    shown = settings.pop('shown', () if complete is None or callable(complete) else complete)
    kind = settings.get('type')
    if isinstance(kind, (str, list)):
        settings['type'] = PARSERS[kind] if isinstance(kind, str) else number_of(*kind)
    action = container.add_argument(*names, **settings)
    setattr(action, 'shown', ', '.join(shown))
    if complete is not None:
        setattr(action, 'completer', _completer(complete))


def _completer(names: Iterable[str] | Callable[[argparse.Namespace], Iterable[str]]
               ) -> Callable[..., list[str]]:
    """Return what completes the last name of a comma-separated list."""
    def complete(prefix: str, parsed_args: argparse.Namespace, **_arguments: object) -> list[str]:
        start = prefix[:prefix.rfind(',') + 1]
        return [start + name for name in (names(parsed_args) if callable(names) else names)]
    return complete
