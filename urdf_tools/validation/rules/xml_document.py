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

"""Rules about the XML document as a whole, and about its root element."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.fixes import SetAttribute
from urdf_tools.model.element import Element
from urdf_tools.model.loader import OTHER_FORMATS
from urdf_tools.model.messages import quote
from urdf_tools.model.values import KNOWN_VERSIONS
from urdf_tools.model.values import parse_version
from urdf_tools.model.values import URDF_VERSIONS
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import add_rule
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('xml')

_FIX_SYNTAX = 'Correct the XML syntax at this line and column'

add_rule(
    'file-unreadable', ERROR, 'xml', 'The file exists and can be read.',
    'Check the path and the permissions of the file')

add_rule(
    'xacro-failed', ERROR, 'xml', 'The file can be expanded by xacro.',
    'Run xacro on the file to see its full error message')

add_rule(
    'xml-malformed', ERROR, 'xml',
    """
    The description is well-formed XML.

    Nothing after the first syntax error can be checked.
    """,
    _FIX_SYNTAX)

add_rule(
    'xml-forgiven', WARN, 'xml',
    """
    The description is well-formed XML for every parser, not only for that of urdfdom.

    The parser of urdfdom ignores encodings and does not check declarations and comments, so such
    a file works in some programs and not in others.
    """,
    _FIX_SYNTAX,
    {'urdf_parser_py': 'refuses the whole description',
     'isaac': 'refuses the whole description'})

add_rule(
    'xml-entity', ERROR, 'xml',
    """
    The description neither declares nor uses custom XML entities.

    Entities can include other files or expand without limit; readers refuse or drop them.
    """,
    'Replace each entity with its text',
    dict.fromkeys(('urdfdom', 'drake', 'mujoco'), 'reads the name of an entity, not its text'))

add_rule(
    'xml-too-large', ERROR, 'xml',
    """
    The size of the description is within limits.

    The limits are far above every real robot: 32 MB of text, 160,000 elements, 128 levels of
    nested elements.
    """,
    'Move large data into separate files')

add_rule(
    'suppression-unknown', WARN, 'xml',
    'Every code in a comment "urdf-tools: ignore CODE" is the code of a rule.',
    'Correct the code; "urdf-tools check --explain" lists them')

add_rule(
    'suppression-unused', INFO, 'xml',
    'Every comment "urdf-tools: ignore CODE" suppresses a finding.',
    'Remove the comment')

add_rule(
    'internal-error', ERROR, 'xml',
    """
    Every rule runs without an internal error.

    This is a bug in urdf_tools, not a defect of the description.
    """,
    'Report the bug, with the description that causes it')


@rule('root-not-robot', ERROR,
      hint='Write a URDF description: <robot name="..."> with links and joints')
def root_not_robot(description: Description) -> Iterator[Defect]:
    """
    Check that the root element is <robot>.

    URDF readers accept no other root element.
    """
    root = description.robot
    if root.tag == 'robot':
        return
    kind = OTHER_FORMATS.get(root.tag)
    note = f', {kind}' if kind else ''
    hint = ''
    if root.tag.startswith('xacro:'):
        hint = 'Expand it with xacro first'
    elif root.tag.lower() == 'robot':
        hint = 'Write <robot> in lower case'
    elif root.tag in ('link', 'joint', 'gazebo', 'material', 'transmission', 'group'):
        hint = 'Put it inside <robot name="...">, or check the file that includes this one'
    yield Defect(root, f'The root element is <{root.tag}>{note}, not <robot>', hint)


@rule('xml-unbound-prefix', WARN,
      hint='Declare it in <robot> with an attribute xmlns:PREFIX',
      consumers={
          'urdf_parser_py': 'refuses the whole description',
          'joint_state_publisher': 'exits with an error', 'isaac': 'refuses the description'})
def xml_unbound_prefix(description: Description) -> Iterator[Defect]:
    """
    Check that every namespace prefix of an element or attribute is declared.

    The parsers of Python, xacro and lxml refuse a prefix without xmlns, those of C++ programs
    ignore it. Each prefix is reported once.
    """
    reported = {'xml', 'xmlns'}
    declared: dict[tuple[str, Element], bool] = {}
    for element in description.robot.iter():
        for name in (element.tag, *element.attrib):
            if ':' not in name:
                continue
            prefix = name.partition(':')[0]
            if prefix not in reported and not _is_declared(prefix, element, declared):
                reported.add(prefix)
                yield Defect(element, f'The namespace prefix {quote(prefix, 80)} is not declared',
                             f'Write xmlns:{prefix}="http://example.org/{prefix}" in <robot>')


def _is_declared(
        prefix: str, element: Element, known: dict[tuple[str, Element], bool]) -> bool:
    """
    Tell whether an element or one that it is in declares a namespace prefix.

    :param known: the results for the elements asked about so far, and for those that they are in.
    """
    declaration = f'xmlns:{prefix}'
    visited = []
    ancestor: Element | None = element
    while ancestor is not None and (prefix, ancestor) not in known:
        visited.append((prefix, ancestor))
        if declaration in ancestor.attrib:
            result = True
            break
        ancestor = ancestor.parent
    else:
        result = ancestor is not None and known[prefix, ancestor]
    known.update(dict.fromkeys(visited, result))
    return result


@rule('xacro-unexpanded', ERROR,
      hint='Expand the file first: xacro robot.urdf.xacro > robot.urdf',
      consumers={'urdfdom': 'accepts the expression as a name, refuses it as a number'})
def xacro_unexpanded(description: Description) -> Iterator[Defect]:
    """
    Check that no xacro macro, ${...} or $(...) is left.

    Unused definitions are harmless and only a warning, as are expressions inside extensions,
    whose readers may evaluate them.
    """
    leftover = None
    for element in description.robot.iter():
        if element.tag in ('xacro:property', 'xacro:arg'):
            leftover = leftover or Defect(
                element, f'<{element.tag}> is left over from xacro, and URDF does not define it',
                'Remove it', WARN)
        elif element.tag.startswith('xacro:'):
            yield Defect(element, f'<{element.tag}> has not been expanded by xacro')
            return
        elif text := _expression(element):
            extension = _is_inside_extension(element)
            found = Defect(
                element, f'{quote(text.strip())} has not been expanded by xacro', '',
                WARN if extension else ERROR)
            if not extension:
                yield found
                return
            leftover = leftover or found
    if leftover:
        yield leftover


def _expression(element: Element) -> str:
    """Return the first attribute, or else the text, of an element that holds an expression."""
    for text in element.attrib.values():
        if '$' in text and is_expression(text):
            return text
    return element.text if element.text and is_expression(element.text) else ''


def _is_inside_extension(element: Element) -> bool:
    ancestor: Element | None = element
    while ancestor is not None:
        if ancestor.tag in ('gazebo', 'ros2_control'):
            return True
        ancestor = ancestor.parent
    return False


@rule('robot-no-name', ERROR, hint='Write <robot name="...">', consumers={
    'urdfdom': 'refuses the whole description', 'drake': 'refuses the description',
    'pybullet': 'refuses the description', 'urdf_parser_py': 'refuses the whole description'})
def robot_no_name(description: Description) -> Iterator[Defect]:
    """
    Check that the robot has a name.

    A xacro file without a link is a part of another one, and needs none.
    """
    robot = description.robot
    if not robot.get('name') and not description.is_part:
        yield Defect(robot, 'The robot has no name',
                     misspelling_hint(robot, ROBOT, 'name'))


@rule('version-malformed', ERROR, hint=f'Write one of {KNOWN_VERSIONS}',
      consumers={'urdfdom': 'refuses the whole description',
                 'urdf_parser_py': 'refuses the whole description'})
def version_malformed(description: Description) -> Iterator[Defect]:
    """Check that the version, if given, is written as MAJOR.MINOR."""
    text = description.robot.get('version')
    if text is not None and parse_version(text) is None:
        meant = f'{text.strip()}.0'
        yield Defect(
            description.robot, f'Version {quote(text)} is not written as MAJOR.MINOR',
            fix=(SetAttribute(description.robot, 'version', meant),)
            if parse_version(meant) in URDF_VERSIONS else ())


@rule('version-unsupported', ERROR, hint=f'Write one of {KNOWN_VERSIONS}',
      consumers={'urdfdom': 'refuses the whole description',
                 'urdf_parser_py': 'refuses the whole description'})
def version_unsupported(description: Description) -> Iterator[Defect]:
    """Check that the version of URDF exists."""
    if description.version not in URDF_VERSIONS:
        yield Defect(description.robot,
                     'Version {}.{} of URDF does not exist'.format(*description.version))


@rule('version-recent', INFO, hint='Remove the version unless the description uses features of it',
      consumers={
          'urdfdom': 'refuses version 1.1 before release 5.1, version 1.2 before release 6.0',
          'urdf_parser_py': 'refuses the whole description',
          'drake': 'ignores the version'})
def version_recent(description: Description) -> Iterator[Defect]:
    """Check that the version is 1.0, which every reader supports."""
    if description.version in URDF_VERSIONS[1:]:
        yield Defect(description.robot,
                     'Many readers do not support version {}.{} of URDF'.format(
                         *description.version))
