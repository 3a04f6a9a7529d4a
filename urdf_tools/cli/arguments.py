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

"""Arguments that verbs share, and the robot that they name."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import fields
from importlib.util import find_spec
import math
import os
from pathlib import Path
import sys
import textwrap
from typing import Any
from typing import TYPE_CHECKING
from typing import TypeVar

from urdf_tools.check.workspace.settings import LEVELS
from urdf_tools.check.workspace.settings import ProjectSettings
from urdf_tools.check.workspace.settings import Settings
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import print_lines
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.formats.converted_document import losses_of
from urdf_tools.formats.description_files import open_document
from urdf_tools.formats.loader import read_description
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.errors import InputError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loader import with_loops_file
from urdf_tools.model.messages import location
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import does_not_exist
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import MAX_BYTES

if TYPE_CHECKING:
    from urdf_tools.findings.rules import AnyRule
    from urdf_tools.kinematics import KinematicTree

_Value = TypeVar('_Value')
_Number = TypeVar('_Number', int, float)
_Rule = TypeVar('_Rule', bound='AnyRule')


class CommandError(InputError):
    """A command that cannot be run; the text is one sentence for the user."""


def add_description(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name the description."""
    parser.add_argument(
        'file', metavar='FILE', help='URDF, xacro, SDF or MJCF file, or - for standard input')
    add_mappings(parser, 'xacro arguments')
    add_packages(parser)


def add_mappings(parser: argparse.ArgumentParser, help: str) -> None:
    """Add xacro arguments, of a file that another argument names."""
    parser.add_argument(
        'mappings', metavar='NAME:=VALUE', nargs='*', type=mapping, default=[], help=help)


def add_packages(parser: argparse._ActionsContainer) -> None:
    """Add the option for folders of packages; see :func:`resources_of`."""
    parser.add_argument(
        '--package', type=_package, action='append', metavar='NAME=FOLDER', default=[],
        help='folder of a package, which overrides the one in the environment; repeatable')


def add_loops_file(parser: argparse._ActionsContainer) -> None:
    """Add the option for a file of loops, which :func:`load_robot` reads."""
    parser.add_argument(
        '--loops', metavar='FILE', help='YAML file of additional loops, and of positions near '
        'which loops are assembled; default: the one in the settings')


def add_two_descriptions(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the arguments that name two descriptions; pass them to :func:`two_descriptions`."""
    parser.add_argument(
        'inputs', metavar='FILE', nargs='+',
        help=f'two files, {what}, each before its xacro arguments NAME:=VALUE; those before the '
             'first file are for both; - for standard input')
    add_packages(parser)


def two_descriptions(arguments: argparse.Namespace) -> list[argparse.Namespace]:
    """
    Return the arguments that name each of the descriptions.

    :raises CommandError: there are not two.
    """
    common: list[tuple[str, str]] = []
    files: list[argparse.Namespace] = []
    for text in arguments.inputs:
        if not is_mapping(text):
            files.append(argparse.Namespace(
                file=text, mappings=list(common), package=arguments.package))
            continue
        name, _, value = text.partition(':=')
        (files[-1].mappings if files else common).append((name, value))
    if len(files) != 2 or all(each.file == '-' for each in files):
        raise CommandError('Two files are needed, of which one may be -. Given: ' + (
            ', '.join(quote(each.file) for each in files) or 'none'))
    return files


def add_format(
        parser: argparse.ArgumentParser, formats: Iterable[str] = ('text', 'json')) -> None:
    """Add the option for the output format."""
    parser.add_argument('--format', choices=formats, default='text', help='default: text')


def add_debug(parser: argparse.ArgumentParser) -> None:
    """Add the option for the tracebacks of internal errors."""
    parser.add_argument(
        '--debug', action='store_true',
        help='print the traceback of an internal error to standard error')


def add_mesh_limits(parser: argparse.ArgumentParser) -> None:
    """Add the option for the limits on meshes, which hold from then on."""
    limits = MeshLimits()
    names = [field.name for field in fields(MeshLimits)]
    defaults = ', '.join(limits.describe(name) for name in names)
    parser.add_argument(
        '--mesh-limits', metavar='LIMIT=VALUE[,LIMIT=VALUE]', type=argument(MeshLimits.parse),
        default=limits,
        help=f'limits on reading meshes, on each or on all together; default: {defaults}')


def open_description(arguments: argparse.Namespace) -> Document:
    """
    Read the description that the arguments name.

    :raises DescriptionError: it cannot be read, expanded or parsed.
    """
    if arguments.file == '-':
        refuse_mappings(arguments.mappings)
        return read_description(sys.stdin.buffer.read(MAX_BYTES + 1), 'standard input',
                                resources_of(arguments))
    # A path without './' and double slashes; a URI, which is refused, stays as it is.
    return open_document(arguments.file if '://' in arguments.file else Path(arguments.file),
                         arguments=dict(arguments.mappings), resources=resources_of(arguments))


def require_urdf(document: Document) -> None:
    """
    Check that a description, or the files that xacro read for it, can be changed.

    :raises CommandError: the description is of another format.
    """
    if isinstance(document, ConvertedDocument):
        raise CommandError(
            f'{document.source!r} is {document.format}; only URDF and xacro can be changed')


def resources_of(arguments: argparse.Namespace) -> ResourceResolver:
    """
    Return the resolver of the files of a description, which knows the packages of the project.

    :raises SettingsError: the settings of the project are not valid.
    """
    settings = Settings(packages=dict(arguments.package))
    if arguments.file != '-':
        settings = ProjectSettings(settings).of_file(arguments.file)
    return ResourceResolver(os.path.dirname(arguments.file) or '.', packages=settings.packages)


def refuse_mappings(mappings: Collection[object]) -> None:
    """
    Refuse xacro arguments of standard input.

    :raises CommandError: there are some.
    """
    if mappings:
        raise CommandError('Standard input is read as URDF, which takes no xacro arguments')


def load_robot(arguments: argparse.Namespace) -> Robot:
    """
    Load the robot that the arguments name.

    :raises DescriptionError: the description cannot be read or does not describe a robot, or the
        file of loops cannot be read.
    """
    return with_loops(make_robot(open_description(arguments)), arguments)


def with_loops(robot: Robot, arguments: argparse.Namespace) -> Robot:
    """
    Return a robot with the loops of the file that the arguments or the settings name, if any.

    :raises DescriptionError: the file cannot be read.
    """
    return with_loops_file(robot, loops_file(arguments))


def loops_file(arguments: argparse.Namespace) -> str | None:
    """
    Return the file of loops beside a description, or None.

    :raises SettingsError: the settings of the project are not valid.
    """
    given: str | None = getattr(arguments, 'loops', None)
    if given is not None or arguments.file == '-':
        return given
    return ProjectSettings().of_file(arguments.file).loops(arguments.file)


def make_robot(document: Document) -> Robot:
    """
    Build the robot, and print to standard error what was ignored or lost of its description.

    :raises DescriptionError: the description does not describe a robot.
    """
    robot = build_robot(document)
    for problem in robot.problems:
        source = problem.source or document.source
        print_line(f'{location(source, problem.line)}: {problem.message}', sys.stderr)
    for loss in losses_of(robot):
        if not loss.is_harmless:
            source, line, _ = loss.location(document.source)
            print_line(f'{location(source, line)}: {loss.message}', sys.stderr)
    return robot


def known(name: str, names: Collection[str], what: str, listed: str = '') -> str:
    """
    Return a name if it is known.

    :param what: what the names are names of, such as ``link``, for the message.
    :param listed: where the known names are listed; by default the message has some of them.
    :raises CommandError: the name is not among the known ones.
    """
    if name not in names:
        raise CommandError(does_not_exist(name, names, what, listed))
    return name


def require_packages(purpose: str, **extras: str) -> None:
    """Raise a CommandError if a package is not installed; each is given with its extra."""
    for name, extra in extras.items():
        if find_spec(name) is None:
            from urdf_tools.installation import needs
            raise CommandError(needs(purpose, name, extra))


def is_mapping(text: str) -> bool:
    """
    Return whether an argument is ``NAME:=VALUE``, not the path of a file.

    A file with such a name is one with a folder before it, as in ``./a:=b.urdf``.
    """
    name, separator, _ = text.partition(':=')
    return bool(separator) and os.sep not in name


def set_completions(
        action: argparse.Action,
        names: Iterable[str] | Callable[[argparse.Namespace], Iterable[str]]) -> None:
    """
    Set the names that a shell completes for an option that takes a comma-separated list.

    :param names: the names, or what returns them for the arguments that are there.
    """
    def complete(prefix: str, parsed_args: argparse.Namespace, **_arguments: object) -> list[str]:
        start = prefix[:prefix.rfind(',') + 1]
        return [start + name for name in (names(parsed_args) if callable(names) else names)]
    setattr(action, 'completer', complete)


def link_names(arguments: argparse.Namespace) -> Iterable[str]:
    """Return the links of the description, for completion: what it raises, nobody sees."""
    return make_robot(open_description(arguments)).links


def names_in(text: str) -> list[str]:
    """Parse comma-separated names."""
    return [name for name in text.split(',') if name]


def argument(parse: Callable[[str], _Value]) -> Callable[[str], _Value]:
    """Return a parser of an argument that reports the text of a ValueError."""
    def parsed(text: str) -> _Value:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
    return parsed


number = argument(parse_number)


def positive_number(text: str) -> float:
    """Parse a positive number."""
    value = number(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f'{text} is not positive')
    return value


def number_of(what: str, minimum: _Number, maximum: _Number) -> Callable[[str], _Number]:
    """Return a parser of a bounded number, of the type of its bounds."""
    def parsed(text: str) -> _Number:
        try:
            value = type(minimum)(text)
        except ValueError:
            value = minimum - 1
        if not minimum <= value <= maximum:
            raise argparse.ArgumentTypeError(
                f'{text!r} is not a number of {what} from {minimum:g} to {maximum:g}')
        return value
    return parsed


def named_number(
        form: str, parse: Callable[[str], float] = number) -> Callable[[str], tuple[str, float]]:
    """
    Return a parser of a name and a number separated by ``=``.

    :param form: the expected form, such as ``NAME=VALUE``, for the message.
    :param parse: parses the number.
    """
    def parsed(text: str) -> tuple[str, float]:
        name, separator, value = text.rpartition('=')
        if not (name and separator):
            raise argparse.ArgumentTypeError(f'{text!r} is not of the form {form}')
        return name, parse(value)
    return parsed


def _package(text: str) -> tuple[str, str]:
    name, separator, path = text.partition('=')
    if not (name and separator and path):
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form NAME=FOLDER')
    return name, path


def mapping(text: str) -> tuple[str, str]:
    """Parse a xacro argument ``NAME:=VALUE``."""
    name, _, value = text.partition(':=')
    if not (name and is_mapping(text)):
        raise argparse.ArgumentTypeError(
            f'{text!r} is a second file, and one is taken' if os.path.exists(text) else
            f'{text!r} is not of the form NAME:=VALUE')
    return name, value


def _mapping_beside_joints(text: str) -> tuple[str, str]:
    """Parse a xacro argument of a verb that takes positions of joints as well."""
    if '=' in text and ':=' not in text and not os.path.exists(text):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not of the form NAME:=VALUE; write --joint {text} for the position of '
            'a joint')
    return mapping(text)


def add_positions(parser: argparse.ArgumentParser) -> None:
    """Add the options for joint positions, after the description."""
    for action in parser._actions:
        if action.dest == 'mappings':
            action.type = _mapping_beside_joints
    joint = parser.add_argument(
        '--joint', action='append', metavar='NAME=VALUE', type=named_number('NAME=VALUE'),
        default=[], help='position of a joint in radians or metres; repeatable; NAME/x, NAME/y '
        'and NAME/theta for a planar joint, NAME/trans_x to NAME/rot_w for a floating joint; '
        'default: 0')
    set_completions(joint, lambda arguments: (
        f'{name}=' for name in make_robot(open_description(arguments)).actuated_joint_names))
    parser.add_argument(
        '--degrees', action='store_true', help='angles of --joint and of poses are in degrees')


def shown(joint: Joint | None, position: float, degrees: bool) -> float:
    """Return a position in the unit of :func:`unit_of`; None is for one without a joint."""
    in_degrees = joint is not None and unit_of(joint, degrees) == 'deg'
    return math.degrees(position) if in_degrees else position


def unit_of(joint: Joint, degrees: bool) -> str:
    """Return the unit in which to print positions of a joint."""
    return 'deg' if degrees and joint.type.unit == 'rad' else joint.type.unit


def joint_positions(arguments: argparse.Namespace, robot: Robot) -> dict[str, float]:
    """
    Return the given positions by the name of the variable, in radians or metres.

    Positions outside the limits of a joint, or not finite, are remarked on standard error.

    :raises CommandError: the robot does not have the variable, or it belongs to a mimic joint; a
        quaternion is zero.
    """
    from urdf_tools.kinematics import KinematicTree
    tree = KinematicTree(robot)
    try:
        configuration = tree.configuration(dict(arguments.joint), degrees=arguments.degrees)
        tree.batch(configuration)
    except (KeyError, ValueError) as error:
        raise CommandError(str(error)) from None
    positions = {
        name: float(configuration[tree.variable_index[name]]) for name, _ in arguments.joint}
    print_lines(_remarks(tree, positions, arguments.degrees), sys.stderr)
    return positions


def _remarks(
        tree: KinematicTree, positions: Mapping[str, float], degrees: bool) -> Iterator[str]:
    """Yield remarks on given positions, and on the joints that follow them."""
    moved = {**positions, **{
        name: mimic.multiplier * positions[mimic.joint] + mimic.offset
        for name, mimic in tree.mimic.items() if mimic.joint in positions}}
    for name, position in moved.items():
        joint = tree.robot.joints.get(name)
        limits = joint.limits if joint else None
        if joint and limits and not limits.lower <= position <= limits.upper:
            given, lower, upper = (shown(joint, value, degrees) for value in (
                position, limits.lower, limits.upper))
            yield (f'Position {given:g} of joint {quote(name)} is outside its limits '
                   f'{lower:g} to {upper:g} {unit_of(joint, degrees)}')


def add_selection(
        parser: argparse.ArgumentParser, categories: Collection[str], codes: Iterable[str]
        ) -> None:
    """Add the options that select rules by code and category."""
    names = (*categories, *codes)
    set_completions(parser.add_argument(
        '--select', type=names_in, action='extend', metavar='NAME[,NAME]', default=[],
        help=f'apply only these rules or categories: {", ".join(categories)}'), names)
    set_completions(parser.add_argument(
        '--ignore', type=names_in, action='extend', metavar='NAME[,NAME]', default=[],
        help='do not apply these rules or categories'), names)


def add_severities(parser: argparse.ArgumentParser, minimum: str) -> None:
    """
    Add the options that say which findings fail, and which are shown.

    :param minimum: the lowest severity that is shown by default, in words.
    """
    parser.add_argument(
        '--strict', action='store_true', help='treat warnings as errors in the exit code')
    parser.add_argument(
        '--level', choices=LEVELS, help=f'lowest severity to show; default: {minimum}')
    parser.add_argument(
        '--verbose', '-v', action='store_true',
        help='list every finding; by default, those that repeat each other are folded into one')


# argparse does not name the type of a group in public.
def add_explain(parser: Any, codes: Iterable[str]) -> None:
    """Add the option that explains a rule, to a parser or a group of one."""
    set_completions(parser.add_argument(
        '--explain', nargs='?', const='', metavar='CODE',
        help='explain a rule, or list all rules'), codes)


def explanation(
        code: str, rules: Mapping[str, _Rule], verb: str,
        details: Callable[[_Rule], Iterable[str]]) -> list[str]:
    """
    Return the lines that the option ``--explain`` prints.

    :param code: the rule; empty for a list of all.
    :param details: what to print besides the requirement of a rule and its reason.
    :raises CommandError: there is no such rule.
    """
    if not code:
        width = max(map(len, rules))
        return [f'{rule.code:{width}}  {rule.text.summary}' for rule in rules.values()]
    rule = rules[known(code, rules, 'rule', f'"urdf-tools {verb} --explain" lists them')]
    says = rule.text
    text = '\n'.join(textwrap.fill(paragraph, 99) for paragraph in (
        f'{rule.code} ({rule.severity.label}, {rule.category})', says.summary, says.reason,
        *details(rule)) if paragraph)
    if says.fails:
        fails, passes = (textwrap.indent(each, '    ') for each in (says.fails, says.passes))
        text += f'\n\nFails in {says.context}:\n\n{fails}\n\nPasses:\n\n{passes}'
    return text.split('\n')
