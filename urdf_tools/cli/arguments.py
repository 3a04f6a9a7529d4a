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
from urdf_tools.model.grouping import grouped
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loader import with_loops_file
from urdf_tools.model.messages import count
from urdf_tools.model.messages import location
from urdf_tools.model.messages import quote
from urdf_tools.model.messages import readable
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import does_not_exist
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.xacro.text import COMMENT
from urdf_tools.xacro.text import is_xacro

if TYPE_CHECKING:
    from urdf_tools.findings.rules import AnyRule
    from urdf_tools.kinematics import KinematicTree

_Value = TypeVar('_Value')
_Number = TypeVar('_Number', int, float)
_Rule = TypeVar('_Rule', bound='AnyRule')


class CommandError(InputError):
    """A command that cannot be run; the text is one sentence for the user."""


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


def open_description(arguments: argparse.Namespace) -> Document:
    """
    Read the description that the arguments name.

    :raises DescriptionError: it cannot be read, expanded or parsed.
    """
    if arguments.file == '-':
        refuse_mappings(arguments.mappings)
        text = sys.stdin.buffer.read(MAX_BYTES + 1)
        # A file whose name does not say xacro may be complete without what it includes.
        written = COMMENT.sub('', text.decode(errors='replace'))
        if is_xacro('', text) or '<xacro:include' in written:
            raise CommandError(
                'Standard input is xacro, which is only expanded in files. Name the file instead '
                'of -, or pipe the output of "urdf-tools expand FILE"')
        return read_description(text, 'standard input', resources_of(arguments))
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
        raise CommandError('Standard input is read as URDF, which takes no xacro arguments. Name '
                           'the xacro file instead of -')


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


def make_robot(document: Document, has_account: bool = False) -> Robot:
    """
    Build the robot, and print to standard error what was ignored or lost of its description.

    Losses that differ only in the elements that they are about are one line.

    :param has_account: whether an account says what was lost.
    :raises DescriptionError: the description does not describe a robot.
    """
    robot = build_robot(document)
    for problem in robot.problems:
        source = problem.source or document.source
        print_line(f'{location(source, problem.line)}: {problem.message}', sys.stderr)
    lost = (each for each in losses_of(robot) if not each.is_harmless and not has_account)
    for first, *others in grouped(
            ((each.message.kind, each.attribute), each) for each in lost).values():
        source, line, _ = first.location(document.source)
        more = f' (and {count(len(others), "other")})' if others else ''
        print_line(f'{location(source, line)}: {first.message}{more}', sys.stderr)
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
            yield (f'Position {readable(given)} of joint {quote(name)} is outside its limits '
                   f'{readable(lower)} to {readable(upper)} {unit_of(joint, degrees)}')


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


def rule_options(categories: Collection[str], codes: Collection[str], level: str
                 ) -> dict[str, dict[str, Any]]:
    """
    Return what the options about rules are given.

    :param level: the lowest severity that is shown by default, in words.
    """
    names = [*categories, *codes]
    return {'--select': {'complete': names, 'shown': categories}, '--ignore': {'complete': names},
            '--explain': {'complete': codes}, '--level': {'choices': LEVELS, 'shown': [level]}}


def _joint_completions(arguments: argparse.Namespace) -> Iterable[str]:
    names = make_robot(open_description(arguments)).actuated_joint_names
    return [f'{name}=' for name in names]


PARSERS: Mapping[str, Callable[[str], Any]] = {
    'names': names_in, 'number': number, 'positive number': positive_number, 'mapping': mapping,
    'mapping beside joints': _mapping_beside_joints, 'package': _package,
    'position': named_number('NAME=VALUE'), 'tolerance': named_number('KIND=VALUE'),
    'mass': named_number('LINK=KG', positive_number)}
"""The parsers that options.json names."""

COMPLETIONS = {'links': link_names, 'joints': _joint_completions}
"""What completes names of a description, as options.json names it."""

MESH_LIMITS = {
    '--mesh-limits': {'type': argument(MeshLimits.parse), 'default': MeshLimits()}}
"""What the option for the limits on meshes is given, which hold from then on."""
