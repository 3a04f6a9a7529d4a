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

"""
Compare volume, area and centre of mass of the meshes in a folder with those of trimesh.

``python test/support/mesh_volumes.py FOLDER``: each mesh that trimesh calls watertight is
compared, and one with a difference printed. Meshes are not part of the repository: clone some
robots.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
import sys
from typing import Any

import numpy as np

from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.facts import mesh_limits
from urdf_tools.meshes.job import read_surface
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.moments import surface

TOLERANCE = 1e-9
"""The largest difference, as a share of the volume, of the area, or of the size of the mesh."""


def main(args: list[str] | None = None) -> int:
    """Compare all meshes, and return whether one differs."""
    parser = argparse.ArgumentParser(
        description=__doc__.strip().split('\n')[0])
    parser.add_argument('folder', type=Path)
    parser.add_argument('--suffix', default='.stl', help='default: .stl')
    arguments = parser.parse_args(args)
    counts: Counter[str] = Counter()
    for path in sorted(arguments.folder.rglob('*')):
        if path.is_file() and path.suffix.lower() == arguments.suffix:
            kind, found = compare(path)
            counts[kind] += 1
            counts['different'] += bool(found)
            for text in found:
                print(f'{path}: {text}', flush=True)
    print(*(f'{name} {count}' for name, count in sorted(counts.items())), sep=', ')
    return counts['different'] > 0


def compare(path: Path) -> tuple[str, list[str]]:
    """Return what a mesh is to trimesh, and what differs."""
    import trimesh
    theirs = trimesh.load(path, force='mesh')  # Of what it cannot read, an empty one.
    if not theirs.is_watertight:
        return 'open', []
    if not theirs.is_winding_consistent:
        return 'with triangles turned over', list(_unlike_turned(path))
    return 'watertight', list(differences(path, theirs))


def _unlike_turned(path: Path) -> Iterator[str]:
    """Yield a volume of a mesh that has none, since neighbouring triangles face opposite sides."""
    facts = mesh_facts(path)
    if not facts.openness:
        yield f'volume {facts.volume}, but to trimesh its winding is not consistent'


def differences(path: Path, theirs: Any) -> Iterator[str]:
    """Yield the numbers of a watertight mesh that differ."""
    try:
        ours = mesh_facts(path)
    except MeshError as error:
        yield f'not read: {error}'
        return
    if ours.openness:
        yield f'{ours.openness}, trimesh: volume {theirs.volume!r}'
        return
    # In this process, because a worker for each file would take longer.
    corners, faces = read_surface(path, mesh_limits())
    area = surface(corners[faces]).measure
    for name, mine, other in (('volume', ours.volume, theirs.volume), ('area', area, theirs.area)):
        if not abs(mine - other) <= TOLERANCE * abs(other):
            yield f'{name} {mine!r}, trimesh {other!r}'
    size = np.linalg.norm(theirs.extents)
    if ours.body and not np.allclose(
            ours.moments().centroid, theirs.center_mass, rtol=0, atol=TOLERANCE * size):
        yield f'centre {ours.moments().centroid}, trimesh {theirs.center_mass}'


if __name__ == '__main__':
    sys.exit(main())
