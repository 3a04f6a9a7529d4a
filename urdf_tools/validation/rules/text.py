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

"""Rules about the text as XML, and about the outermost element."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.model.messages import quote
from urdf_tools.model.values import KNOWN_VERSIONS
from urdf_tools.model.values import parse_version
from urdf_tools.model.values import URDF_VERSIONS
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixes import SetAttribute
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import add_rule
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('xml')


_OTHER_FORMATS = {
    'sdf': 'an SDF model', 'mujoco': 'a MuJoCo model', 'COLLADA': 'a COLLADA mesh',
    'launch': 'a launch file', 'html': 'a web page', 'svg': 'a drawing'}

add_rule('file-unreadable', ERROR, 'xml', 'The file can be read.')

add_rule(
    'xacro-failed', ERROR, 'xml', 'xacro expands the file.',
    'Run xacro on the file to see its own message')

add_rule(
    'xml-malformed', ERROR, 'xml',
    """
    The description is well-formed XML.

    Nothing can be said about what follows the first such fault.
    """,
    'Mend what stands at this place')

add_rule(
    'xml-forgiven', WARN, 'xml',
    """
    The description is well-formed XML for every parser, not for urdfdom's alone.

    Its parser minds neither encodings nor what stands in declarations and comments, so such a
    file works in some programs and not in others.
    """,
    'Mend what stands at this place',
    {'urdf_parser_py': 'refuses the whole description',
     'isaac': 'refuses the whole description'})

add_rule(
    'xml-entity', ERROR, 'xml',
    """
    The description neither declares nor uses XML entities of its own.

    Entities can pull in other files or expand without bound; readers refuse or drop them.
    """,
    'Write the text out')

add_rule(
    'xml-too-large', ERROR, 'xml',
    """
    The description is of a size that a robot can have.

    What is refused is far beyond every real robot: 32 MB of text, 250,000 elements.
    """,
    'Refer to large data by file')

add_rule(
    'suppression-unknown', WARN, 'xml',
    'Every code in a comment "urdf-tools: ignore CODE" is that of a rule.',
    'Mend the code; "urdf-tools check --explain" lists them')

add_rule(
    'suppression-unused', INFO, 'xml',
    'Every comment "urdf-tools: ignore CODE" keeps a finding from being reported.',
    'Remove the comment')

add_rule(
    'internal-error', ERROR, 'xml',
    """
    Every rule can be applied.

    This is a fault of urdf_tools, not of the description.
    """,
    'Report it, with the description')


@rule('root-not-robot', ERROR, hint='Give a robot description in URDF')
def root_not_robot(description: Description) -> Iterator[Defect]:
    """Check that the outermost element is ``<robot>``."""
    root = description.robot
    if root.tag == 'robot':
        return
    what = _OTHER_FORMATS.get(root.tag, f'a <{root.tag}>')
    hint = ''
    if root.tag.startswith('xacro:'):
        hint = 'Expand it with xacro first'
    elif root.tag.lower() == 'robot':
        hint = 'Write <robot> in lower case'
    elif root.tag in ('link', 'joint', 'gazebo', 'material', 'transmission', 'group'):
        hint = 'This is a part that another file includes; put it inside <robot name="...">'
    yield Defect(root, f'The description is {what}, not a <robot>', hint)


@rule('xacro-unexpanded', ERROR,
      hint='Expand the file first: xacro robot.urdf.xacro > robot.urdf',
      consumers={'urdfdom': 'takes the expression for a name, and refuses it as a number'})
def xacro_unexpanded(description: Description) -> Iterator[Defect]:
    """
    Check that xacro has been run: no macros and no ``${...}`` or ``$(...)`` are left.

    Definitions that nothing uses do no harm and are a warning, as are expressions inside
    extensions, whose readers may want them.
    """
    leftover = None
    for element in description.robot.iter():
        if element.tag in ('xacro:property', 'xacro:arg'):
            leftover = leftover or Defect(
                element, f'<{element.tag}> is left from xacro, and no reader of URDF knows it',
                'Remove it', WARN)
        elif element.tag.startswith('xacro:'):
            yield Defect(element, f'<{element.tag}> has not been expanded by xacro')
            return
        elif any(map(is_expression, element.attrib.values())) or is_expression(element.text or ''):
            text = next(filter(is_expression, (*element.attrib.values(), element.text or '')))
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


def _is_inside_extension(element):
    while element is not None:
        if element.tag in ('gazebo', 'ros2_control'):
            return True
        element = element.parent
    return False


@rule('robot-no-name', ERROR, hint='Write <robot name="...">',
      consumers={'urdfdom': 'refuses the whole description'})
def robot_no_name(description: Description) -> Iterator[Defect]:
    """Check that the robot has a name."""
    robot = description.robot
    if not robot.get('name'):
        yield Defect(robot, 'The robot has no name',
                     misspelling_hint(robot, ROBOT, 'name'))


@rule('version-malformed', ERROR, hint=f'Write one of {KNOWN_VERSIONS}',
      consumers={'urdfdom': 'refuses the whole description'})
def version_malformed(description: Description) -> Iterator[Defect]:
    """Check that the version, where there is one, is two whole numbers with a point between."""
    text = description.robot.get('version')
    if text is not None and parse_version(text) is None:
        meant = f'{text.strip()}.0'
        yield Defect(
            description.robot, f'The version {quote(text)} is malformed',
            fix=(SetAttribute(description.robot, 'version', meant),)
            if parse_version(meant) in URDF_VERSIONS else ())


@rule('version-unsupported', ERROR, hint=f'Write one of {KNOWN_VERSIONS}',
      consumers={'urdfdom': 'refuses the whole description'})
def version_unsupported(description: Description) -> Iterator[Defect]:
    """Check that the version exists."""
    if description.version not in URDF_VERSIONS:
        yield Defect(description.robot,
                     'There is no version {}.{} of URDF'.format(*description.version))


@rule('version-recent', INFO, hint='Leave the version out where the description needs no more',
      consumers={
          'urdfdom': 'refuses the whole description before release 5.1 (1.1) or 6.0 (1.2)',
          'urdf_parser_py': 'refuses the whole description',
          'drake': 'ignores the version'})
def version_recent(description: Description) -> Iterator[Defect]:
    """Check that the version is 1.0, which every reader knows."""
    if description.version in URDF_VERSIONS[1:]:
        yield Defect(description.robot,
                     'Version {}.{} of URDF is newer than many readers'.format(
                         *description.version))
