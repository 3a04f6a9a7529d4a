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
from support.validation_cases import GEOMETRY
from support.validation_cases import ROBOT

CASES = (
    Case(
        'mesh-not-found', GEOMETRY,
        '<mesh filename="Cube.stl"/>',
        '<mesh filename="cube.stl"/>',
        4, "File 'Cube.stl' does not exist"),
    Case(
        'package-not-found', GEOMETRY,
        '<mesh filename="package://nowhere/cube.stl"/>',
        '<mesh filename="package://parts/cube.stl"/>',
        4, "Package 'nowhere' does not exist"),
    Case(
        'mesh-outside-package', GEOMETRY,
        '<mesh filename="package://parts/../outside.stl"/>',
        '<mesh filename="package://parts/cube.stl"/>',
        4,
        "'package://parts/../outside.stl' is outside the folders that the description may read"),
    Case(
        'mesh-format-unsupported', GEOMETRY,
        '<mesh filename="cube.step"/>',
        '<mesh filename="cube.obj"/>',
        4, "'cube.step' has the unsupported format '.step'"),
    Case(
        'mesh-stl-text', GEOMETRY,
        '<mesh filename="text.stl"/>',
        '<mesh filename="cube.stl"/>',
        4, "'text.stl' is an ASCII STL file"),
    Case(
        'mesh-unreadable', GEOMETRY,
        '<mesh filename="empty.obj"/>',
        '<mesh filename="cube.obj"/>',
        4, "'empty.obj' cannot be used as a mesh: it has no triangles"),
    Case(
        'mesh-over-limit', GEOMETRY,
        '<mesh filename="nested.dae"/>',
        '<mesh filename="cube.obj"/>',
        4, "'nested.dae' was not read: its scene has more than 20,000 nodes"),
    Case(
        'mesh-not-watertight', GEOMETRY,
        '<mesh filename="open.stl"/>',
        '<mesh filename="cube.stl"/>',
        4, "'open.stl' is not watertight: the mesh is not closed"),
    Case(
        'mesh-inside-out', GEOMETRY,
        '<mesh filename="inverted.stl"/>',
        '<mesh filename="cube.stl"/>',
        4, "The triangles of 'inverted.stl' face inward"),
    Case(
        'mesh-degenerate', GEOMETRY,
        '<mesh filename="flat.stl"/>',
        '<mesh filename="cube.stl"/>',
        4, "'flat.stl' is flat"),
    Case(
        'mesh-too-many-faces', GEOMETRY,
        '<mesh filename="dense.stl"/>',
        '<mesh filename="fine.stl"/>',
        4, "'dense.stl' has 200,978 triangles"),
    Case(
        'collision-mesh-heavy', GEOMETRY,
        '<mesh filename="fine.stl"/>',
        '<mesh filename="cube.stl"/>',
        4, "Collision mesh 'fine.stl' has 1,800 triangles"),
    Case(
        'mesh-units-suspect', GEOMETRY,
        '<mesh filename="cube.stl" scale="1000 1000 1000"/>',
        '<mesh filename="cube.stl" scale="10 10 10"/>',
        4, "The size of 'cube.stl' is 1000 m after scaling"),
    Case(
        'texture-not-found', ROBOT,
        '<material name="m"><texture filename="wood.png"/></material>',
        '<material name="m"><texture filename="steel.png"/></material>',
        2, "File 'wood.png' does not exist"),
)
