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

"""What is seen of a robot, its collisions and the proposed ones beside each other."""

from __future__ import annotations

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from urdf_tools import load

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')
pytest.importorskip('coal', reason='coal is not installed ("pip install coal")')
pytest.importorskip('scipy', reason='scipy is not installed ("pip install scipy")')

from urdf_tools.collision.proposal import ProposalOptions  # noqa: E402
from urdf_tools.collision.proposal import propose_shapes  # noqa: E402,I100,I202
from urdf_tools.view.collision_comparison import CollisionComparison  # noqa: E402
from urdf_tools.view.collision_comparison import colour_of  # noqa: E402
from urdf_tools.view.collision_comparison import COLUMNS  # noqa: E402
from urdf_tools.view.local_server import LocalServer  # noqa: E402

ROBOT = """<robot name="r">
<link name="a"><visual><geometry><mesh filename="a.stl"/></geometry></visual>
  <collision><geometry><sphere radius="3"/></geometry></collision></link>
<link name="b"><visual><geometry><mesh filename="a.stl"/></geometry></visual></link>
<joint name="j" type="fixed"><origin xyz="0 0 2"/><parent link="a"/><child link="b"/></joint>
</robot>"""


@pytest.fixture
def comparison(tmp_path):
    """Return the comparison of a robot whose first link has a collision that is too large."""
    (tmp_path / 'a.stl').write_bytes(binary_stl(CORNERS[CUBE]))
    (tmp_path / 'robot.urdf').write_text(ROBOT)
    robot = load(tmp_path / 'robot.urdf')
    proposal = propose_shapes(
        robot, lambda uri: tmp_path / uri, ProposalOptions(None, False, ('box', 'hull')))
    server = LocalServer(port=8460)
    yield CollisionComparison(server, robot, proposal)
    server.stop()


def test_each_link_is_in_each_column(comparison):
    nodes = comparison.nodes
    assert {key: len(found) for key, found in nodes.items()} == {
        ('a', COLUMNS[0]): 1, ('b', COLUMNS[0]): 1,
        ('a', COLUMNS[1]): 2, ('b', COLUMNS[1]): 1,
        ('a', COLUMNS[2]): 2, ('b', COLUMNS[2]): 2}
    assert nodes['b', COLUMNS[0]][0].position == pytest.approx((0, 0, 2))
    first, second, third = (nodes['a', column][0].position for column in COLUMNS)
    assert second - first == pytest.approx(third - second)
    assert abs(second - first).max() > 1


def test_what_stands_off_is_red_and_what_fits_is_green(comparison):
    assert comparison.nodes['a', COLUMNS[1]][1].color == colour_of(1.0, 0.01) == (215, 40, 40)
    assert comparison.nodes['a', COLUMNS[2]][1].color == colour_of(0.0, 0.01) == (70, 170, 70)
    assert colour_of(0.03, 0.01) == (240, 200, 40)
    assert colour_of(0.02, 0.01) == (155, 185, 55)


def test_one_link_or_column_is_shown_alone(comparison):
    comparison.show(('Visuals',), 'b')
    shown = [key for key, found in comparison.nodes.items() if any(
        node.visible for node in found)]
    assert shown == [('b', 'Visuals')]
    comparison.show(COLUMNS, '')
    assert all(node.visible for found in comparison.nodes.values() for node in found)
