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

"""Rules about the files of MoveIt beside a description: SRDF and joint_limits.yaml."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.known_mistakes import listed
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest

rule = RULES.in_category('assets')


@rule('moveit-file-unreadable', ERROR)
def moveit_file_unreadable(description: Description) -> Iterator[Defect]:
    """
    Check that the SRDF file of a robot and the YAML files of MoveIt beside it can be read.

    Fails in the file arm.srdf: <sdf version="1.9"/>
    Passes: <robot name="arm"/>
    """
    files = moveit_files(description)
    files.read_all()
    for element, reason in files.errors:
        yield Defect(element, 'The file beside the robot cannot be read: {error}',
                     error=FreeText(reason))
    if files.lacking is not None:
        element, missing = files.lacking
        yield Defect(element, 'The SRDF file was not compared with the robot, because its xacro '
                     'arguments have no value: {missing}', missing=FreeText(missing),
                     severity=WARN, consequences=())
    if files.srdf is not None and files.srdf.tag != 'robot':
        yield Defect(files.srdf, 'The root is <{tag}>, not <robot>')


@rule('srdf-other-robot', WARN)
def srdf_other_robot(description: Description) -> Iterator[Defect]:
    """
    Check that an SRDF file has the name of its robot.

    Fails in the file arm.srdf: <robot name="robot"/>
    Passes with name="arm"
    """
    files = moveit_files(description)
    if files.stray is not None:
        yield Defect(files.stray, 'Many links and joints of the SRDF file do not exist in '
                     '{model:120}, such as {names:and}', names=[*map(Name, files.unknown[:3])],
                     model=Name(description.document.source),
                     severity=None if files.srdf is None else INFO)
    if files.srdf is not None and files.is_alone:
        yield Defect(files.srdf, 'There is no description to check the SRDF file against',
                     severity=INFO, consequences=())
    else:
        yield from listed(description, 'srdf-other-robot')


@rule('srdf-unknown-name', ERROR)
def srdf_unknown_name(description: Description) -> Iterator[Defect]:
    """
    Check that the links, joints and groups that an SRDF file names exist.

    MoveIt goes on without what names something else: a group lacks a link, a pair of links is
    checked, an end effector is missing.

    Fails in arm.srdf: <disable_collisions link1="base" link2="hand" reason="Never"/>
    Passes with link2="palm"
    """
    files = moveit_files(description)
    if files.srdf is None or description.is_template:
        return
    known: dict[str, Collection[str]] = {
        'link': description.link_names, 'group': files.groups, 'joint': files.joints}
    for element, part, attribute, kind in files.names():
        name = part.get(attribute, '').strip()
        if name not in known[kind]:
            others = {*known[kind]}.difference(each.get(attribute) for each in element)
            yield Defect(
                part, '<{tag}> of the SRDF file names the {kind} {name}, which does not exist',
                tag=element.tag, kind=kind, name=Name(name), attribute=attribute,
                suggestion=closest(name, others, 0.8),
                severity=WARN if element.tag.endswith('_collisions') else None)
    yield from listed(description, 'srdf-unknown-name')
