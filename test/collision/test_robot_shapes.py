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

"""Shapes for real robots: within the tolerance, apart where links are apart, and written once."""

import json
import shutil

import pytest
from support.corpus import corpus_robots

from urdf_tools import load
from urdf_tools.cli import main
from urdf_tools.collision.solids import LinkSurfaces
from urdf_tools.collision.solids import primitives
from urdf_tools.model.resources import ResourceResolver

pytestmark = pytest.mark.slow
pytest.importorskip('coal')

WITH_MESHES = ('fanuc_m10ia', 'racecar', 'minitaur', 'widowx', 'no-corpus')
ROBOTS = [each for each in corpus_robots() if each.id in WITH_MESHES]


@pytest.fixture(params=ROBOTS)
def copy(request, tmp_path):
    """Return a copy of a robot of the corpus, and its packages by name."""
    robot = request.param
    shutil.copytree(robot.packages, tmp_path / 'packages')
    packages = {path.name: str(path) for path in (tmp_path / 'packages').iterdir()}
    return str(tmp_path / 'packages' / robot.path.relative_to(robot.packages)), packages


def test_shapes_of_real_robots(copy, capsys):
    file, packages = copy
    arguments = [file, *(text for name, path in packages.items()
                         for text in ('--package', f'{name}={path}'))]
    before = load(file)
    assert main(['collide', *arguments, '--format', 'json']) == 0
    links = json.loads(capsys.readouterr().out)['links']
    assert len(links) == sum(bool(link.visuals) for link in before.links.values())
    for link in links:
        assert link['errors']['outside'] <= link['tolerance'], link
        assert 1 <= len(link['shapes']) <= 6
    assert main(['collide', *arguments, '--write']) == 0
    robot = load(file)
    assert {**robot.links}.keys() == {**before.links}.keys()
    for name, link in robot.links.items():
        assert (link.visuals, link.inertial) == (
            before.links[name].visuals, before.links[name].inertial)
    written = open(file, 'rb').read()
    assert main(['collide', *arguments, '--write']) == 0
    assert open(file, 'rb').read() == written
    assert 'already' in capsys.readouterr().out
    assert not new_contacts(robot, file, packages)


def new_contacts(robot, file, packages):
    """Return the pairs of links that touch at zero by their shapes, but not by their visuals."""
    from urdf_tools.collision.contacts import NewContacts
    resources = ResourceResolver(file.rpartition('/')[0], packages=packages)
    links = [link for link in robot.links.values() if link.visuals]
    surfaces = LinkSurfaces([visual for link in links for visual in link.visuals],
                            resources.resolve)
    contacts = NewContacts(robot, {link.name: surfaces.surface(link.visuals) for link in links})
    return list(contacts.pairs(
        {link.name: primitives(link.collisions) for link in robot.links.values()}))
