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

"""New inertias for links, and their text in a description."""

from pathlib import Path
import re

import numpy as np
import pytest

from urdf_tools.dynamics.composite import CompositeInertia
from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.proposal import MassError
from urdf_tools.dynamics.proposal import Masses
from urdf_tools.dynamics.proposal import needs_inertia
from urdf_tools.dynamics.proposal import propose
from urdf_tools.dynamics.proposal import rewrite
from urdf_tools.dynamics.solids import solid
from urdf_tools.formats.description_files import open_document
from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.records import Box
from urdf_tools.model.records import Sphere
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import read_document

ROBOT = """<?xml version="1.0"?>
<!-- kept: <inertial> -->
<robot name='r'>
  <link name="frame"/>
  <link name="missing">  <!-- kept -->
    <visual><geometry><sphere radius="0.1"/></geometry></visual>
    <collision>
      <origin xyz="0 0 0.5"/><geometry><box size="0.1 0.2 0.3"/></geometry>
    </collision>
  </link>
  <link name="triangle">
      <visual><geometry><box size="1 1 1"/></geometry></visual>
      <inertial >
        <mass value="2"/><!-- </inertial> -->
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/>
      </inertial >
  </link>
  <link name="unreadable"><inertial><mass value="x"/></inertial><visual>
    <geometry><sphere radius="0.1"/></geometry></visual></link>
  <link name="good">
    <inertial><mass value="5"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><sphere radius="0.1"/></geometry></visual>
  </link>
  <link name="massless">
    <inertial><mass value="0"/>
      <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><sphere radius="0.1"/></geometry></visual>
  </link>
%s
</robot>
""" % '\n'.join(
    f'<joint name="j{i}" type="fixed"><parent link="frame"/><child link="{name}"/></joint>'
    for i, name in enumerate(('missing', 'triangle', 'unreadable', 'good', 'massless')))

NO_MASSES = Masses({})


def no_meshes(uri):
    raise AssertionError(uri)


def proposal(choice, masses=NO_MASSES, source=None):
    return propose(loads(ROBOT), choice, masses, no_meshes, source)


@pytest.mark.parametrize('choice, links', [
    ('missing', {'missing'}),
    ('invalid', {'triangle', 'unreadable'}),
    ('all', {'missing', 'triangle', 'unreadable', 'good', 'massless'})])
def test_choices(choice, links):
    robot = loads(ROBOT)
    assert {link.name for link in robot.links.values() if needs_inertia(link, choice)} == links


def test_links_keep_their_masses():
    result = proposal('all')
    assert {name: inertia.mass for name, inertia in result.inertias.items()} == {
        'triangle': 2, 'good': 5}
    assert result.failures == {
        name: 'its mass is not known' for name in ('missing', 'unreadable', 'massless')}


def test_given_mass_takes_precedence():
    result = proposal('invalid', Masses({'triangle': 7.0, 'good': 8.0}, density=1.0))
    assert result.inertias['triangle'].mass == 7
    assert result.inertias['good'].mass == 8
    assert result.inertias['unreadable'].mass == pytest.approx(4e-3 / 3 * np.pi)


def test_density_of_links_without_mass():
    result = proposal('invalid', Masses({}, density=1000.0))
    assert result.inertias['triangle'].mass == 2
    assert result.inertias['unreadable'].mass == pytest.approx(4 / 3 * np.pi)
    assert proposal('all', Masses({}, density=1000.0)).inertias['triangle'].mass == 1000


def test_total_mass_is_shared_by_volume():
    robot = loads(ROBOT)
    result = proposal('missing', Masses({}, total=10.0))
    assert result.inertias['missing'].mass == pytest.approx(10 - 2 - 5)
    document = read_document(ROBOT)
    for choice in ('missing', 'all'):
        result = proposal(choice, Masses({'good': 1.0}, total=20.0))
        robot = loads(rewrite(document, result.inertias))
        assert CompositeInertia(robot).mass == pytest.approx(20, rel=1e-9)
    shared = result.inertias
    assert shared['triangle'].mass / shared['missing'].mass == pytest.approx(1 / 0.006)


@pytest.mark.parametrize('choice, masses, words', [
    ('missing', Masses({}, total=7.0), 'does not exceed that of the other links, 7 kg'),
    ('missing', Masses({'missing': 1.0}, total=9.0), 'no link is left')])
def test_contradictory_total_mass(choice, masses, words):
    with pytest.raises(MassError, match=words):
        proposal(choice, masses)


def test_source_of_shapes():
    by_collision = proposal('missing', Masses({'missing': 1.0})).inertias['missing']
    np.testing.assert_allclose(by_collision.com, [0, 0, 0.5])
    np.testing.assert_allclose(
        by_collision.rotational, solid(Box((0.1, 0.2, 0.3))).with_mass(1.0).rotational)
    by_visual = proposal('missing', Masses({'missing': 1.0}), 'visual').inertias['missing']
    np.testing.assert_allclose(
        by_visual.rotational, solid(Sphere(0.1)).with_mass(1.0).rotational)
    assert proposal('invalid', source='collision').failures == {
        name: 'the link has no such shape' for name in ('triangle', 'unreadable')}


def test_link_without_shapes_gets_no_inertia():
    assert proposal('missing', Masses({'frame': 1.0})).failures['frame'] == (
        'the link has no such shape')


@pytest.mark.parametrize('newline', ['\n', '\r\n'])
def test_other_bytes_are_unchanged(newline):
    text = ROBOT.replace('\n', newline).encode()
    result = proposal('all', Masses({}, density=1000.0))
    new = rewrite(read_document(text), result.inertias)
    comment = newline.encode() + b'      <!-- </inertial> -->'
    assert new.count(comment) == 1
    pattern = rb'(\r?\n *)?<inertial\b[^>]*>(?!\s*-->).*?</inertial\s*>(?! -->)'
    assert re.sub(pattern, b'', new.replace(comment, b''), flags=re.DOTALL) == re.sub(
        pattern, b'', text, flags=re.DOTALL)
    robot = loads(new)
    for name, inertia in result.inertias.items():
        written = link_inertia(robot.links[name])
        assert written.mass == pytest.approx(inertia.mass, rel=1e-9)
        np.testing.assert_allclose(written.com, inertia.com, rtol=1e-9)
        np.testing.assert_allclose(written.rotational, inertia.rotational, rtol=1e-9)
    assert new.count(b'\r\n') == (new.count(b'\n') if newline == '\r\n' else 0)


def test_indentation_is_that_of_the_text():
    result = proposal('missing', Masses({'missing': 6.0}))
    assert """  <link name="missing">  <!-- kept -->
    <inertial>
      <origin xyz="0 0 0.5" rpy="0 0 0"/>
      <mass value="6"/>
      <inertia ixx="0.065" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.025"/>
    </inertial>
    <visual>""" in rewrite(read_document(ROBOT), result.inertias).decode()


def test_text_without_new_inertias_is_unchanged():
    assert rewrite(read_document(ROBOT), {}) == ROBOT.encode()


def test_text_that_is_not_based_on_ascii():
    document = read_document(
        ROBOT.replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="utf-16"?>')
        .encode('utf-16'))
    with pytest.raises(DescriptionError, match='not based on ASCII'):
        rewrite(document, proposal('missing', Masses({'missing': 6.0})).inertias)


def test_corpus(corpus_robot):
    """New inertias are consistent, and can be read back from the text."""
    pytest.importorskip('scipy')
    document = open_document(Path(corpus_robot.path))
    robot = build_robot(document)
    result = propose(
        robot, 'all', Masses({}, density=1000.0),
        ResourceResolver(
            corpus_robot.path.parent, allowed=[corpus_robot.packages], environment={}).resolve)
    written = loads(rewrite(document, result.inertias))
    assert written.joints.keys() == robot.joints.keys()
    for name, inertia in result.inertias.items():
        assert inertia.consistency().verdict.name in ('CONSISTENT', 'POINT_MASS')
        again = link_inertia(written.links[name])
        np.testing.assert_allclose(
            again.rotational, inertia.rotational, rtol=1e-9,
            atol=1e-9 * np.abs(inertia.rotational).max())
