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

"""Scripts that complete the arguments of the command in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping

SHELLS = ('bash', 'zsh', 'fish')

_BASH = """\
_urdf_tools() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words
    local verb=${{COMP_WORDS[1]}} start=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{top}' -- "$current"))
        return
    fi
    case "$verb $previous" in
{values}
        *) case $current in
            -*) case $verb in
{options}
            esac ;;
        esac ;;
    esac
    if [ -n "$words" ]; then
        # Lists are separated by commas; complete the last name.
        case $current in *,*) start=${{current%,*}}, ;; esac
        COMPREPLY=($(compgen -P "$start" -W "$words" -- "${{current##*,}}"))
    else
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}}
complete -F _urdf_tools urdf-tools
"""

_ZSH = 'autoload -U +X bashcompinit && bashcompinit\n'


def completion_script(shell: str, verbs: Mapping[str, argparse.ArgumentParser]) -> str:
    """
    Return the script that a shell evaluates to complete the arguments.

    :param shell: one of :data:`SHELLS`.
    :param verbs: name of each verb to its parser.
    """
    if shell == 'fish':
        return '\n'.join(_fish(verbs)) + '\n'
    script = _BASH.format(
        top=' '.join((*verbs, '--help', '--version', '--completion')),
        values='\n'.join(
            f"        {_pattern(verb, action)}) words='{' '.join(names)}' ;;"
            for verb, action, names in _options(verbs) if names),
        options='\n'.join(
            f"                {verb}) words='{' '.join(_spelled(parser))}' ;;"
            for verb, parser in verbs.items()))
    return _ZSH + script if shell == 'zsh' else script


def _fish(verbs: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    """Yield the commands of a script for fish."""
    command = 'complete -c urdf-tools'
    yield f'{command} -n __fish_use_subcommand -f -a "{" ".join(verbs)}"'
    for name in ('help', 'version', 'completion'):
        yield f'{command} -n __fish_use_subcommand -l {name}'
    for verb, action, names in _options(verbs):
        option = max(action.option_strings, key=len).removeprefix('--')
        values = f' -x -a "{" ".join(names)}"' if names else '' if action.nargs == 0 else ' -r'
        yield f'{command} -n "__fish_seen_subcommand_from {verb}" -l {option}{values}'


def _options(verbs: Mapping[str, argparse.ArgumentParser]) -> Iterator[
        tuple[str, argparse.Action, tuple[str, ...]]]:
    """Yield each option of each verb, with the values that it may have, if they are known."""
    for verb, parser in verbs.items():
        for action in parser._actions:
            if action.option_strings:
                # ``completions`` holds the names that an option with a list of names accepts.
                names: Iterable[str] = getattr(action, 'completions', action.choices or ())
                yield verb, action, tuple(names)


def _pattern(verb: str, action: argparse.Action) -> str:
    return '|'.join(f'"{verb} {option}"' for option in action.option_strings)


def _spelled(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in parser._actions for name in action.option_strings]
