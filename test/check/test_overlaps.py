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

"""The rule about links that are inside each other, with SRDF files and meshes."""

import os

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE

from urdf_tools import validate
from urdf_tools.check.rule_examples import CONTEXTS
from urdf_tools.findings.finding import Severity

pytest.importorskip('coal')
pytest.importorskip('scipy')

ARM = CONTEXTS['an arm with a long forearm'].replace(
    '"continuous"', '"revolute"').replace('</joint>', """
    <limit lower="-0.1" upper="0.1" effort="9" velocity="1"/></joint>""").format(
        '<origin xyz="-0.3 0 0"/>')

FOUND = "Link 'forearm' is 50 mm inside 'base' at zero"


def overlaps(tmp_path, text, srdf=None):
    path = tmp_path / 'r.urdf'
    path.write_text(text)
    if srdf is not None:
        (tmp_path / 'r.srdf').write_text(f'<robot name="r">{srdf}</robot>')
    return [(finding.severity, str(finding.message))
            for finding in validate(os.fspath(path)).findings if finding.code == 'shapes-overlap']


@pytest.mark.parametrize('srdf, expected', [
    (None, [(Severity.INFO, FOUND)]),
    ('<disable_collisions link1="base" link2="upper_arm"/>', [(
        Severity.WARN, FOUND + ', and the SRDF file does not exclude them, although they always '
        'touch')]),
    ('<disable_collisions link1="forearm" link2="base"/>', []),
    ('<disable_default_collisions link="forearm"/>', [])])
def test_an_srdf_file_has_to_exclude_links_that_always_touch(tmp_path, srdf, expected):
    assert overlaps(tmp_path, ARM, srdf) == expected


def test_the_other_pairs_are_named_where_there_are_few(tmp_path):
    twin = ''.join(
        part.replace('forearm', 'twin').replace('elbow', 'other') + end
        for kind, end in (('<link', '</link>'), ('<joint', '</joint>'))
        for part in [kind + ARM.split(kind)[-1].partition(end)[0]])
    (_, said), = overlaps(tmp_path, ARM.replace('</robot>', twin + '</robot>'))
    assert said.endswith(', the deepest of 3 pairs (also forearm in base, twin in base)')


def test_links_that_sometimes_touch_matter_to_moveit_where_it_starts(tmp_path):
    turning = ARM.replace('lower="-0.1" upper="0.1"', 'lower="-3" upper="3"')
    assert overlaps(tmp_path, turning, '<group name="all"><link name="base"/></group>') == [(
        Severity.WARN, FOUND + ', and the SRDF file does not exclude them, although MoveIt starts '
        'there')]


@pytest.mark.slow
def test_meshes_count_as_their_convex_hulls(tmp_path):
    box = '<box size="0.4 0.1 0.1"/>'
    mesh = '<mesh filename="m.stl" scale="0.4 0.1 0.1"/>'
    triangles = CORNERS[CUBE].astype(float)
    middle = (triangles.max(axis=(0, 1)) + triangles.min(axis=(0, 1))) / 2
    (tmp_path / 'm.stl').write_bytes(binary_stl(triangles - middle))
    assert overlaps(tmp_path, ARM.replace(box, mesh)) == [(Severity.INFO, FOUND)]
    # A sheet has no hull, and what cannot be read is not compared.
    (tmp_path / 'm.stl').write_bytes(binary_stl(triangles * [1, 1, 0]))
    assert overlaps(tmp_path, ARM.replace(box, mesh)) == []
    (tmp_path / 'm.stl').write_bytes(b'none')
    assert overlaps(tmp_path, ARM.replace(box, mesh)) == []


POINTS = CORNERS[CUBE].astype(float) - 0.5


@pytest.mark.slow
@pytest.mark.parametrize('triangles', [
    POINTS * [1, 1, 0], POINTS * [1, 1, 1e-7], POINTS * [1, 0, 0], POINTS * 0, POINTS * 1e-44,
    POINTS * 1e30, POINTS * 3e38, POINTS * [1e-20, 1, 1e20], POINTS + 1e7 * (POINTS > 0),
    POINTS.repeat(500, axis=0), [
        [[np.cos(each), np.sin(each), 0], [np.cos(each + 0.01), np.sin(each + 0.01), 0], [0, 0, 1]]
        for each in np.arange(0, 2 * np.pi, 0.01)]], ids=range(11))
def test_links_whose_hulls_are_flat_tiny_huge_or_round(triangles, tmp_path):
    (tmp_path / 'm.stl').write_bytes(binary_stl(np.array(triangles)))
    (tmp_path / 'r.urdf').write_text(ARM.replace('<box size="0.4 0.1 0.1"/>', (
        '<mesh filename="m.stl"/>')).replace('<box size="0.1 0.1 0.1"/>', (
            '<mesh filename="m.stl"/>')))
    codes = {finding.code for finding in validate(os.fspath(tmp_path / 'r.urdf')).findings}
    assert 'internal-error' not in codes


@pytest.mark.parametrize('scale', ['1e155 1 1', '1e-300 1e300 0'])
def test_meshes_of_a_size_that_no_square_has_are_not_compared(scale, tmp_path, capfd):
    """Libraries in C++ would write lines to standard error."""
    (tmp_path / 'm.stl').write_bytes(binary_stl(POINTS))
    mesh = f'<mesh filename="m.stl" scale="{scale}"/>'
    found = overlaps(tmp_path, ARM.replace('<box size="0.4 0.1 0.1"/>', mesh).replace(
        '<box size="0.1 0.1 0.1"/>', mesh))
    assert (found, ''.join(capfd.readouterr())) == ([], '')


@pytest.mark.parametrize('is_open, expected', [(False, 1), (True, 0)])
def test_a_link_inside_the_mesh_of_its_parent(is_open, expected, tmp_path):
    """The faces of its hull are in no order; a frame of which most is open is not convex."""
    cubes = [POINTS * 0.6]
    if is_open:
        side = POINTS * [0.03, 0.6, 0.6]
        cubes = [side + [0.3, 0, 0], side - [0.3, 0, 0]]
    (tmp_path / 'm.stl').write_bytes(binary_stl(np.concatenate(cubes)))
    (tmp_path / 'r.urdf').write_text(CONTEXTS['an arm with a heavy base'].format(
        '<origin xyz="0.01 0.02 0"/>').replace(
            '<cylinder radius="0.3" length="0.6"/>', '<mesh filename="m.stl"/>'))
    found = [finding for finding in validate(os.fspath(tmp_path / 'r.urdf')).findings
             if finding.code == 'link-inside-parent']
    assert len(found) == expected


def test_a_robot_with_a_floating_joint_is_compared(tmp_path):
    text = CONTEXTS['a drawer'].format('<axis xyz="-1 0 0"/>').replace(
        '</robot>', '<link name="world"/><joint name="f" type="floating"><parent link="world"/>'
        '<child link="cabinet"/></joint></robot>')
    (tmp_path / 'r.urdf').write_text(text)
    codes = {finding.code for finding in validate(os.fspath(tmp_path / 'r.urdf')).findings}
    assert 'passes-through-parent' in codes and 'internal-error' not in codes


@pytest.mark.parametrize('away, found', [(0.0, True), (9.0, False)])
def test_a_robot_whose_loops_cannot_be_closed_is_not_compared(tmp_path, away, found):
    """The loops of Onshape's orbita stay open by 1e-8 m, as its points are rounded."""
    path = tmp_path / 'r.urdf'
    path.write_text(ARM.replace('</robot>', f"""<constraint name="pin" type="ball">
        <parent link="base"/><child link="upper_arm"/><parent_origin xyz="0 0 0"/>
        <child_origin xyz="{away} 0 -0.1"/></constraint></robot>"""))
    codes = {finding.code for finding in validate(os.fspath(path)).findings}
    assert 'internal-error' not in codes and ('shapes-overlap' in codes) == found, codes
