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

"""Rules about the document as a whole and its root, and those that others report."""

from __future__ import annotations

from collections.abc import Iterator
import os

from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import row
from urdf_tools.check.registry import rows
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.registry import without
from urdf_tools.check.schema import definition
from urdf_tools.check.schema import misspelling
from urdf_tools.check.schema import ROBOT
from urdf_tools.check.schema import TEXT
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.findings.rules import HINT
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.model.robot_reader import OTHER_FORMATS
from urdf_tools.model.values import parse_version
from urdf_tools.model.values import URDF_VERSIONS
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.xml_parser import namespace_of

rule = RULES.in_category('xml')


@rule('xacro-variable-withheld', WARN)
def xacro_variable_withheld(description: Description) -> Iterator[Defect]:
    """
    Check that xacro needs no environment variable that --untrusted withholds.

    It is empty there, which may cause other findings.
    """
    for name in description.document.withheld:
        yield Defect(description.document.root, 'The environment variable {variable:80} is empty, '
                     'because the description is not trusted', variable=Name(name))


@rule('root-not-robot', ERROR)
def root_not_robot(description: Description) -> Iterator[Defect]:
    """
    Check that the root element is <robot>.

    What has another one is not a robot; SDF is converted first.

    Fails in a file: <launch/>
    Passes: <robot name="r"><link name="base_link"/></robot>
    """
    root, kind = description.robot, OTHER_FORMATS.get(description.robot.tag, '')
    hints = {'Expand it with xacro first': root.tag.startswith('xacro:'),
             'Write <robot> in lower case': root.tag.lower() == 'robot',
             'Name the URDF or xacro file that it loads': root.tag == 'launch',
             'Put it inside <robot name="...">, or check the file that includes this one':
                 root.tag in ROBOT.children}
    if root.tag != 'robot':
        yield Defect(root, 'The root element is <{tag}>, {kind}, not <robot>' if kind else
                     'The root element is <{tag}>, not <robot>', kind=kind,
                     hint=next((hint for hint, is_right in hints.items() if is_right), ''))


@rule('conversion-loss', WARN)
def conversion_loss(description: Description) -> Iterator[Defect]:
    """
    Check that everything in a description of another format is part of the robot.

    What the robot loses without looking or moving otherwise, such as sensors, is not reported.
    """
    document = description.document
    for loss in document.losses if isinstance(document, ConvertedDocument) else ():
        if not loss.is_harmless:
            yield Defect(document.root if loss.element is None else loss.element, '{loss}',
                         loss=loss.message)


@rule('xml-unbound-prefix', WARN, affects='xml', subject='robot')
def xml_unbound_prefix(description: Description) -> Iterator[Defect]:
    """
    Check that every namespace prefix of an element or attribute is declared.

    The parsers of Python, xacro and lxml refuse a prefix without xmlns, those of C++ programs
    ignore it. Each prefix is reported once.

    Fails in a robot with two links: <gazebo><sensor:camera/><sensor:ray/></gazebo>
    Passes: <gazebo xmlns:sensor="http://example.org"><sensor:camera/></gazebo>
    """
    found: dict[str, Element] = {}
    for element in description.robot.iter():
        for name in (element.tag, *element.attrib):
            if ':' in name and (prefix := name.partition(':')[0]) not in ('xml', 'xmlns') and (
                    not any(f'xmlns:{prefix}' in each.attrib
                            for each in element.with_ancestors())):
                found.setdefault(prefix, element)
    for prefix, element in found.items():
        yield Defect(element, "The namespace prefix '{prefix:.80}' is not declared", prefix=prefix,
                     namespace=FreeText(namespace_of(prefix)))


@rule('xacro-unexpanded', ERROR, affects='attribute type name')
def xacro_unexpanded(description: Description) -> Iterator[Defect]:
    """
    Check that no xacro macro, ${...} or $(...) is left.

    Unused definitions beside links are harmless and only a warning, as are expressions inside
    extensions, whose readers may evaluate them, and expressions in names, which urdfdom takes as
    they are. They are noted if a launch or xacro file of the package names this one and xacro.

    Fails in a robot: <link name="${prefix}base_link"/>
    Passes with name="base_link"
    """
    found = filter(None, (_unexpanded(description, each) for each in description.robot.iter()))
    for leftover in sorted(found, key=lambda each: each.severity is not None)[:1]:
        name = os.path.basename(description.document.source)
        if leftover.severity is not None and any(
                name in text and 'xacro' in text for text in package_texts(
                    description, 'py', 'xml', 'xacro').values()):
            leftover.severity = INFO
        yield leftover


def _unexpanded(description: Description, element: Element) -> Defect | None:
    """Return what xacro has not expanded in an element outside of macros, if anything."""
    is_macro = element.tag.startswith('xacro:')
    attributes = [name for name, text in (*element.attrib.items(), ('', element.text or ''))
                  if '$' in text and not is_macro and is_expression(text)]
    if not is_macro and not attributes or enclosing(element.parent, 'xacro:macro') is not None:
        return None
    if element.tag in ('xacro:property', 'xacro:arg', 'xacro:macro'):
        return Defect(element, '<{tag}> is left over from xacro, and URDF does not define it',
                      severity=WARN if description.links or description.is_part else None)
    if element.tag == 'xacro:include':
        return Defect(element, '<{tag}> of {file:80} is left over from xacro, and ignored',
                      file=Name(element.get('filename', '')))
    if is_macro:
        return Defect(element, '<{tag}> has not been expanded by xacro')
    refused = [name for name in attributes if _is_read(element, name)]
    attribute = (refused or attributes)[0]
    return Defect(element, '{expression:40} has not been expanded by xacro', attribute=attribute,
                  expression=Name((element.get(attribute) or element.text or '').strip()),
                  severity=None if refused else WARN)


def _is_read(element: Element, attribute: str) -> bool:
    """Return whether programs read an attribute as a number or type, and not as a name."""
    tag = definition(element)
    return element.tag != 'color' and (
        tag.attributes.get(attribute, TEXT) != TEXT
        or (element.tag, attribute) in (('joint', 'type'), ('robot', 'version'))
        and attribute in tag.attributes)


@rule('robot-no-name', ERROR, refuses('urdf_parser_py', when=without('name')), affects='name')
def robot_no_name(description: Description) -> Iterator[Defect]:
    """
    Check that the robot has a name.

    A xacro file without a link is a part of another one, and needs none.

    Fails in a file: <robot nam="r"><link name="base_link"/></robot>
    Passes: <robot name="r"><link name="base_link"/></robot>
    """
    robot = description.robot
    if not robot.get('name') and not description.is_part:
        yield Defect(robot, 'The robot has no name', **misspelling(robot, 'name'))


@rule('version-malformed', ERROR, affects='version')
def version_malformed(description: Description) -> Iterator[Defect]:
    """
    Check that the version, if given, is written as MAJOR.MINOR.

    Fails in a file: <robot name="r" version="1"><link name="base_link"/></robot>
    Passes with version="1.0"
    """
    text = description.robot.get('version')
    if text is not None and parse_version(text) is None:
        meant = f'{text.strip()}.0'
        yield Defect(description.robot, 'Version {version:40} is not written as MAJOR.MINOR',
                     version=Name(text), fix=(SetAttribute(description.robot, 'version', meant),)
                     if parse_version(meant) in URDF_VERSIONS else ())


rows('xml_document', {})
row('xml', 'internal-error', ERROR, fix=HINT)
