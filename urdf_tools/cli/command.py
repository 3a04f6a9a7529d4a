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

"""The arguments of the command, and its verbs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import gc
from importlib import import_module
import io
import os
import shlex
import sys
from typing import Any
from typing import NoReturn
import warnings

from urdf_tools.cli.options import add_options
from urdf_tools.cli.options import TABLES
from urdf_tools.cli.options import VERBS
from urdf_tools.cli.output import print_line
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import InputError
from urdf_tools.model.errors import is_lack_of_memory
from urdf_tools.model.messages import printable
from urdf_tools.model.spelling import did_you_mean

_OTHER_VERBS = TABLES['other verbs']
"""What other programs call verbs, to those that do it here."""


def run(argv: Sequence[str]) -> int:
    """
    Run a verb, and return the exit code.

    :param argv: arguments without the name of the command.
    """
    try:
        arguments = _parse(argv)
        if not gc.isenabled():
            # Imported modules never become garbage.
            gc.freeze()
            gc.enable()
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors='backslashreplace')
        # Products of large numbers in a description overflow to infinity, and are shown so.
        with warnings.catch_warnings():
            warnings.filterwarnings('ignore', '.* encountered in ', RuntimeWarning)
            if 'mesh_limits' in arguments:
                from urdf_tools.meshes.facts import set_mesh_limits
                set_mesh_limits(arguments.mesh_limits)
            code: int = arguments.run(arguments)
        return code
    except InputError as error:
        print_line(f'urdf-tools: {error}', sys.stderr)
        if isinstance(error, DescriptionError) and error.argument:
            print_line(f'Type: {shlex.join(["urdf-tools", *argv])} {error.argument}', sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if is_lack_of_memory(error):
            what = 'There is not enough memory. Raise the limit on it (ulimit -v)'
        elif isinstance(error, OSError) and error.filename is not None:
            what = f'Cannot read {os.fsdecode(error.filename)!r}: {error.strerror}'
        else:
            raise
        print_line(f'urdf-tools: {what}', sys.stderr)
        return 2


def make_parsers(
        argv: Sequence[str]) -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """
    Return the parser of the command, and those of its verbs.

    :param argv: words; the first one that is a verb has its arguments in its parser.
    """
    parser = _Parser(
        prog='urdf-tools', description='Check and inspect robot descriptions.', epilog=(
            'Exit code: 0 for success, 1 if errors were found, 2 if a verb could not be run or '
            'its output not written, 130 after Ctrl-C, 141 if nobody reads the output any '
            'more.'))
    parser.add_argument(
        '--version', action=_PrintVersion, nargs=0, help='print the version and exit')
    group = parser.add_subparsers(prog=parser.prog, metavar='VERB', required=True)
    verbs: dict[str, argparse.ArgumentParser] = {name: group.add_parser(
        name, description=summary, help=summary[0].lower() + summary[1:].rstrip('.'),
        formatter_class=_HelpFormatter) for name, summary in VERBS.items()}
    for name in [word for word in argv if word in VERBS][:1]:  # Options may come before it.
        verb = import_module(f'urdf_tools.cli.{name}')
        add_options(verbs[name], name, getattr(verb, 'OPTIONS', {}))
        verbs[name].set_defaults(run=verb.run)
        verbs[name].epilog = (verb.__doc__ or '').partition('\n\n')[2]
    return parser, verbs


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    if argv[:1] == ['help']:
        argv = [*argv[1:2], '--help']
    elif argv and argv[0] not in VERBS and _is_file(argv[0]):
        argv = ['check', *argv]
    completes = '_ARGCOMPLETE' in os.environ
    parser, verbs = make_parsers(os.environ['COMP_LINE'].split()[1:] if completes else argv)
    if completes:
        from argcomplete import autocomplete
        autocomplete(parser, always_complete_options=False)
    if argv and argv[0] in verbs:
        # Options may be between the files.
        chosen = verbs[argv[0]]
        found, rest = chosen.parse_known_intermixed_args(_without_separator(argv[1:]))
        for name in rest:
            near = did_you_mean(name.partition('=')[0], chosen._option_string_actions)
            chosen.error(f'unrecognized argument {name!r}. {near}'.rstrip('. '))
        return found
    return parser.parse_args(argv)


def _is_file(word: str) -> bool:
    """Return whether a word in place of a verb is a file or folder, or the path of one."""
    is_path = os.sep in word or os.path.splitext(word)[1] in ('.urdf', '.xacro', '.sdf', '.srdf')
    return not word.startswith('-') and (is_path or os.path.exists(word))


def _without_separator(argv: Sequence[str]) -> list[str]:
    """Return arguments without ``--``, with those after it written as paths of files."""
    end = argv.index('--') if '--' in argv else len(argv)
    return [*argv[:end], *(
        f'./{name}' if name.startswith('-') else name for name in argv[end + 1:])]


class _HelpFormatter(argparse.HelpFormatter):
    """Fills paragraphs, but not those with examples."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        return '\n\n'.join(
            paragraph.strip() if '\n  ' in paragraph else fill(paragraph, width, indent)
            for paragraph in text.split('\n\n'))


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are printable; those of the verbs have the same class."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error, and exit with code 2."""
        super().error(printable(message))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise the error of a value that is not a choice, with the one probably meant."""
        if action.choices is not None and value not in action.choices:
            choices = [*map(str, action.choices)]
            other = _OTHER_VERBS.get(value, '') if action.metavar == 'VERB' else ''
            verbs = ' or '.join(repr(verb) for verb in other.split() if verb in choices)
            texts = (f'invalid choice: {value!r}.',
                     f'Did you mean {verbs}?' if verbs else
                     other or did_you_mean(str(value), choices),
                     f'Choose from {", ".join(choices)}')
            raise argparse.ArgumentError(action, ' '.join(filter(None, texts)))


class _PrintVersion(argparse.Action):
    """The option ``--version``."""

    def __call__(self, *_arguments: Any) -> NoReturn:
        """Print the version and exit."""
        from urdf_tools.installation import __version__
        print_line(f'urdf-tools {__version__}')
        sys.exit()
