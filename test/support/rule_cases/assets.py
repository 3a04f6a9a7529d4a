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

"""Cases of the rules about the files that a description refers to."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import GEOMETRY
from support.validation_cases import LINK
from support.validation_cases import VISUAL

THROUGH = 'plans paths through the shape'


def _visual(mesh: str) -> str:
    return f'<geometry>{mesh}</geometry>'


CASES = (
    example(
        'mesh-y-up', 3,
        "'bar.gltf' fits the collisions of link 'base_link' only with its y axis turned up: "
        'their boxes then overlap by 100%, as written by 0%'),
    example('mesh-not-found', 4, "File 'Cube.stl' does not exist", effects={'moveit': THROUGH}),
    Case(
        'mesh-not-found', VISUAL,
        _visual('<mesh filename="Cube.stl"/>'),
        _visual('<mesh filename="cube.stl"/>'),
        4, "File 'Cube.stl' does not exist",
        effects={'rviz': 'shows nothing'}, unaffected=('moveit',)),
    example(
        'package-not-found', 4,
        "Package 'nowhere' does not exist", effects={'moveit': THROUGH}),
    Case(
        'package-not-found', VISUAL,
        _visual('<mesh filename="package://nowhere/cube.stl"/>'),
        _visual('<mesh filename="package://parts/cube.stl"/>'),
        4, "Package 'nowhere' does not exist", effects={}, unaffected=('moveit',)),
    example(
        'mesh-without-package', 4,
        "'package:///cube.stl' names no package that exists, but is a file beside the "
        'description', effects={'moveit': THROUGH}),
    example(
        'mesh-outside-package', 4,
        "'package://parts/../outside.stl' is outside the folders that the description may read"),
    example(
        'mesh-format-unsupported', 4,
        "'cube.step' has the unsupported format '.step'", effects={'rviz': 'shows nothing'}),
    Case(
        'mesh-format-unsupported', VISUAL,
        _visual('<mesh filename="cube"/>'),
        _visual('<mesh filename="cube.obj"/>'),
        4, "'cube' has no file extension", effects={'rviz': 'shows nothing'}),
    example('mesh-stl-text', 4, "'text.stl' is an ASCII STL file"),
    Case(
        'mesh-stl-text', VISUAL,
        _visual('<mesh filename="text.stl"/>'),
        _visual('<mesh filename="cube.stl"/>'),
        4, "'text.stl' is an ASCII STL file"),
    example(
        'mesh-unreadable', 4,
        "'empty.obj' cannot be used as a mesh: it has no triangles", effects={'moveit': THROUGH}),
    Case(
        'mesh-unreadable', VISUAL,
        _visual('<mesh filename="empty.obj"/>'),
        _visual('<mesh filename="cube.obj"/>'),
        4, "'empty.obj' cannot be used as a mesh: it has no triangles",
        effects={}, unaffected=('moveit',)),
    example(
        'mesh-over-limit', 4,
        "'nested.dae' was not read: its scene has more than 20,000 nodes or primitives"),
    example('mesh-not-watertight', 4, "'open.stl' is not watertight: the mesh is not closed"),
    example('mesh-inside-out', 4, "The triangles of 'inverted.stl' face inward, as their "
            'volume is -1'),
    example('mesh-degenerate', 4, "'flat.stl' is flat"),
    Case(
        'mesh-degenerate', GEOMETRY,
        '<mesh filename="triangle.stl"/>',
        '<mesh filename="cube.stl"/>',
        4, "'triangle.stl' has only 1 triangle"),
    Case(
        'mesh-degenerate', GEOMETRY,
        '<mesh filename="fold.stl"/>',
        '<mesh filename="cube.stl"/>',
        4, "'fold.stl' has only 2 triangles"),
    example('mesh-too-many-faces', 4, "'dense.stl' has 200,978 triangles"),
    Case(
        'mesh-too-many-faces', VISUAL,
        _visual('<mesh filename="dense.stl"/>'),
        _visual('<mesh filename="fine.stl"/>'),
        4, "'dense.stl' has 200,978 triangles", effects={'rviz': 'becomes slow'}),
    example('collision-mesh-heavy', 4, "Collision mesh 'fine.stl' has 1,800 triangles"),
    example(
        'mesh-name-repeated', 4, 'MuJoCo before 4.0 takes {} with the scale "1 1 1" for {} with '
        'the scale "1 1 1", because it knows meshes by their file names only'.format(
            "'left/hip.stl'", "'right/hip.stl'")),
    Case(
        'mesh-name-repeated', LINK, ''.join(
            f'<collision><geometry><mesh filename="a.stl" scale="1 {y} 1"/></geometry>'
            '</collision>\n' for y in (1, -1, -1)), ''.join(
            f'<collision><geometry><mesh filename="a.stl" scale="1 {y} 1"/></geometry>'
            '</collision>\n' for y in (1, -1)),
        5, 'MuJoCo before 4.0 takes {0} with the scale "1 1 1" for {0} with the scale "1 -1 1", '
        'because it knows meshes by their file names only'.format("'a.stl'")),
    example('mesh-units-suspect', 4, "The size of 'cube.stl' is 1000 m after scaling, not "
            'between 0.0001 and 10 m'),
    Case(
        'mesh-units-suspect', VISUAL,
        _visual('<mesh filename="cube.stl" scale="1e-5 1e-5 1e-5"/>'),
        _visual('<mesh filename="cube.stl"/>'),
        4, "The size of 'cube.stl' is 1e-05 m after scaling, not "
        'between 0.0001 and 10 m'),
    example(
        'sensor-frame-missing', 4,
        "Sensor 's' has no <gz_frame_id>, and the frame of its messages is not in TF"),
    example('texture-not-found', 2, "File 'wood.png' does not exist"),
)
