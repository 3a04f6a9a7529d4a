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

"""Random inputs of several kinds, and what has to hold for each of them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
import re
from typing import Any
from typing import NamedTuple

from support.format_inputs import edited
from support.format_inputs import random_format
from support.mesh_files import binary_stl
from support.mesh_files import collada
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import gltf
from support.mesh_files import obj
from support.mesh_files import text_stl
from support.recording_inputs import check_recording
from support.recording_inputs import random_recording
from support.rule_cases import CASES
from support.spliced_robots import spliced_robot
from support.text_answers import any_page
from support.text_answers import any_trial
from support.validation_cases import autofixed

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.rules import RULES
from urdf_tools.check.schema import ROBOT
from urdf_tools.check.schema import Tag
from urdf_tools.check.validator import validates
from urdf_tools.dynamics import CompositeInertia
from urdf_tools.dynamics.shapes import mesh_solid
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import Result
from urdf_tools.findings.formats.github import workflow_commands
from urdf_tools.findings.formats.json_data import as_data
from urdf_tools.findings.formats.sarif import as_sarif
from urdf_tools.findings.formats.terminal import render
from urdf_tools.formats.loader import loads
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools.view.headless_browser import find_chromium

_MAX_FINDINGS = 10_000

BROWSES = find_spec('viser') is not None and find_chromium() is not None

REFUSED = frozenset((
    'root-not-robot', 'no-links', 'joint-no-parent', 'joint-no-child', 'parent-link-missing',
    'child-link-missing', 'parent-is-child', 'multiple-roots', 'disconnected', 'cycle'))
"""Rules whose findings the loader refuses, as no tree is left; the others are about parts."""

_TEXTS = tuple(case.template.format(case.bad).encode() for case in CASES)

_FRAGMENTS = (
    b'<', b'>', b'/>', b'</', b'"', b"'", b'&', b'&amp;', b'&#0;', b'&#x1f600;', b'--', b'<!--',
    b'-->', b']]>', b'<![CDATA[', b'<?', b'?>', b'<?xml version="1.0" encoding="utf-16"?>', b'\0',
    b'\xff\xfe', b'\xef\xbb\xbf', b'\xc3', b'\xed\xa0\x80', b'\xe2\x80\xae', b'\x1b[31m', b'\r',
    b'nan', b'inf', b'1e999', b'-1e-320', b',', b' ', b'\n', b'\t', b'${x}', b'$(arg a)', b'0 0 0',
    b'xacro:', b'<!DOCTYPE robot [<!ENTITY a "b">]>', b'<!-- urdf-tools: ignore axis-zero -->',
    b'<!-- urdf-tools: ignore -->', b'<link name="e"/>', b'<origin/>', b'<gazebo/>')

_VALUES = (
    '', ' ', '0', '1', '-1', '1e308', '1e999', '-1e-320', 'nan', 'inf', '1,5', '${x}', '0x10',
    '0 0 0', '0 0 1', '1 2 3', '1 2 3 4', '1e200 1e200 1e200', 'revolute', 'continuous', 'fixed',
    'prismatic', 'planar', 'floating', 'world', 'base_link', 'a', 'b', 'c', 'd', 'j', 'k', 'true',
    '__a__', '/', 'é', '\u202e', 'a' * 300, '&lt;&#10;', 'package://a/b.stl', 'file:///b.dae',
    'a://b', 'm.png', '1.0', '1.1', '1.2')


def _names(tag: Tag) -> set[str]:
    names = {*tag.attributes, *tag.children}
    return names.union(*(_names(inner) for inner in tag.children.values() if inner is not None))


_NAMES = sorted({
    *_names(ROBOT), 'mujoco', 'frame', 'loop_joint', 'contact', 'group_state', 'drake:frame',
    'xacro:if', 'drake:joint', 'x', 'plugin', 'hardware', 'param', 'type', 'mechanicalReduction',
    'command_interface', 'reference', 'preserveFixedJoint', 'rw_rate', 'size', 'filename'})

_JOINT_TYPES = ('revolute', 'continuous', 'prismatic', 'fixed', 'planar', 'floating')

_MESHES: tuple[tuple[str, bytes], ...] = (
    ('.stl', binary_stl(CORNERS[CUBE].astype(float))),
    ('.stl', text_stl(CORNERS[CUBE]).encode()),
    ('.obj', obj(CORNERS, CUBE).encode()),
    ('.dae', collada(CORNERS, CUBE).encode()),
    ('.gltf', gltf(3, {'byteLength': 36, 'uri': (
        'data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA'
    )}).encode()))

_IN_MESHES = (
    b'0', b'-1', b'1', b'99999999', b'1e30', b'nan', b'#mesh', b'#scene', b'"', b'<', b'/', b' ',
    b'v 0 0 0\n', b'f 1 2 3\n', b'f 1 -1 99\n', b'g a\n', b'mtllib ../a\n', b'o b\n', b'"uri"',
    b'../../etc/passwd', b'endfacet\n', b'solid', b'\xff\xff\xff\xff', b'\0\0\0\0', b'\x7f\x80',
    b'<node><instance_node url="#scene"/></node>', b'<instance_geometry url="#mesh"/>', b'"count"',
    b'<vcount>99999</vcount>', b'<p>0 1 2</p>', b'"byteOffset":4294967295,', b'PK\x03\x04',
    b'glTF\x02\0\0\0')


class Input(NamedTuple):
    """An input with the suffix of its file."""

    suffix: str
    data: bytes


def random_bytes(random: Random) -> Input:
    """Return bytes: often the text of a case after some edits, or fragments of XML."""
    if random.random() < 0.1:
        return Input('.urdf', random.randbytes(random.randrange(300)))
    if random.random() < 0.1:
        return Input('.urdf', b''.join(random.choices(_FRAGMENTS, k=random.randrange(1, 40))))
    return Input('.urdf', edited(random, random.choice(_TEXTS), _FRAGMENTS))


def random_tree(random: Random) -> Input:
    """Return a robot: links, joints between some of them, and any elements inside."""
    names = 'abcd'[:random.randrange(1, 5)]
    links = [_element(random, 'link', {'name': name}, 2) for name in names]
    joints = []
    for number, name in enumerate('jkl'):
        above, below = random.choices(names, k=2)
        if random.random() < 0.9:
            if number + 1 >= len(names):
                break
            above, below = random.choice(names[:number + 1]), names[number + 1]
        joints.append(_element(
            random, 'joint', {'name': name, 'type': random.choice(_JOINT_TYPES)}, 1,
            f'<parent link="{above}"/><child link="{below}"/>'))
    others = [_element(random, random.choice(_NAMES), {}, 3) for _ in range(random.randrange(4))]
    parts = [*links, *joints, *others]
    random.shuffle(parts)
    version = random.choice(('', ' version="1.1"', ' version="1.2"'))
    return Input('.urdf', f'<robot name="r"{version}>{"".join(parts)}</robot>'.encode())


def random_splice(random: Random) -> Input:
    """Return parts of real robots, spliced and changed."""
    return Input('.urdf', spliced_robot(random))


def random_mesh(random: Random) -> Input:
    """Return a mesh file after some edits, seldom with the suffix of another format."""
    suffix, data = random.choice(_MESHES)
    if random.random() < 0.05:
        suffix = random.choice(_MESHES)[0]
    return Input(suffix, edited(random, data, _IN_MESHES))


def _element(
        random: Random, tag: str, attributes: Mapping[str, str], depth: int,
        content: str = '') -> str:
    known = {name: random.choice(_VALUES) for name in random.choices(
        _NAMES, k=random.choice((0, 0, 1, 1, 2, 4)))}
    shown = ''.join(f' {name}="{value}"' for name, value in {**known, **attributes}.items())
    if depth:
        children = random.choices(_CHILDREN.get(tag) or _NAMES, k=random.choice((0, 1, 1, 2, 3)))
        content += ''.join(_element(random, child, {}, depth - 1) for child in children)
    return f'<{tag}{shown}>{content}</{tag}>'


def _children(tag: Tag, found: dict[str, list[str]]) -> dict[str, list[str]]:
    for name, inner in tag.children.items():
        if inner is not None:
            found.setdefault(name, [*inner.children])
            _children(inner, found)
    return found


_CHILDREN = _children(ROBOT, {})


def check_description(given: Input, folder: Path) -> None:
    """
    Validate, report, mend and load a text, and compute with the robot if it is one.

    :param folder: an empty folder, in which meshes are looked for.
    :raises AssertionError: a rule fails, or what is reported is unbounded.
    """
    resources = ResourceResolver(folder, environment={})
    report = validates(given.data, categories=CATEGORIES, resources=resources, source='a.urdf')
    for finding in report.findings:
        assert finding.code != 'internal-error', finding.message
        assert len(finding.text) < 3000, finding.code
    render(report)
    as_sarif([Result(report)], Options(RULES))
    as_data([Result(report)], Options(RULES))
    workflow_commands([Result(report)], Options(RULES))
    if report.document is None:
        return
    try:
        read_document(autofixed(report.document, lambda document: validates(
            document, max_per_rule=_MAX_FINDINGS)))
    except DescriptionError:
        pass  # The encoding is not based on ASCII.
    try:
        robot = build_robot(report.document)
    except DescriptionError as error:
        assert len(str(error)) < 3000
        return
    kinematics = ForwardKinematics(robot)
    kinematics(kinematics.tree.neutral())
    inertia = CompositeInertia(robot)
    inertia(inertia.tree.neutral())


def check_use(given: Input, folder: Path) -> None:
    """
    Compare what is found in a text with what the loader makes of it, and use the robot.

    :raises AssertionError: the loader refuses what is valid, or accepts what is no tree; or it
        leaves out a part of which there is no finding.
    """
    report = validates(given.data, max_per_rule=_MAX_FINDINGS)
    codes = {finding.code for finding in report.findings}
    assert 'internal-error' not in codes, report.findings
    try:
        robot = loads(given.data)
    except DescriptionError as error:
        # What Webots reads beside a robot of another file has no links.
        assert not report.valid or b'<webots' in given.data, f'Only the loader refuses it: {error}'
        return
    assert not codes & REFUSED, f'The loader accepts {codes & REFUSED}'
    found = {f'{finding.element}/' for finding in report.findings} - {'/robot/'}
    for problem in robot.problems:
        left_out = f'{problem.element}/'
        material = re.search(r'/material\[.*/', left_out)
        # Of a cycle one joint is named, of all xacro expressions the first, and of a material
        # its definition, or what is wrong with the visual that defines it.
        assert codes & {'mimic-cycle', 'xacro-unexpanded'} or any(
            path.startswith(left_out) or left_out.startswith(path)
            or material and (material[0] in path or '/visual/' in path) for path in found), (
            f'There is no finding of this: {problem}')
    kinematics, inertia = ForwardKinematics(robot), CompositeInertia(robot)
    for positions in (kinematics.tree.neutral(), *kinematics.tree.ranges()):
        kinematics(positions)
        inertia(positions)
    length = len(given.data)
    conversion = convert(
        robot, sorted(RELEASES)[length % len(RELEASES)], preserve_fixed_joints=length % 4 == 0)
    assert conversion.account.version
    if conversion.document is not None:
        read_document(conversion.text)


def check_mesh(given: Input, folder: Path) -> None:
    """
    Read a mesh in every way that there is.

    :param folder: an empty folder, in which the file is written.
    """
    path = folder / f'mesh{given.suffix}'
    path.write_bytes(given.data)
    for read in (mesh_facts, mesh_solid):
        try:
            read(path)
        except MeshError as error:
            assert len(str(error)) < 1000, error


def random_recording_file(random: Random) -> Input:
    """Return a recording."""
    return Input(*random_recording(random))


def check_recording_file(given: Input, folder: Path) -> None:
    """
    Read a recording in every way that there is.

    :param folder: an empty folder, in which the file is written.
    """
    path = folder / f'run{given.suffix}'
    path.write_bytes(given.data)
    check_recording(path)


class Kind(NamedTuple):
    """A kind of inputs: how to make one at random, and how to check it in an empty folder."""

    make: Callable[[Random], Any]
    check: Callable[[Any, Path], None]


KINDS: Mapping[str, Kind] = {
    'bytes': Kind(random_bytes, check_description),
    'trees': Kind(random_tree, check_description),
    'robots': Kind(random_splice, check_use),
    'meshes': Kind(random_mesh, check_mesh),
    'recordings': Kind(random_recording_file, check_recording_file),
    **{name: Kind(partial(random_format, name), lambda given, folder: given.check(folder))
       for name in ('sdf', 'mjcf')},
    'texts': Kind(any_trial, lambda trial, folder: trial.check(folder)),
    **({'pages': Kind(any_page, lambda trial, folder: trial.check(folder))} if BROWSES else {})}
