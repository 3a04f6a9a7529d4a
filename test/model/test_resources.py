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

"""URIs to files, and none beyond the folders that a description may read."""

import csv
import os
from pathlib import Path

import pytest

from urdf_tools.model.loader import load
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Mesh


@pytest.fixture
def place(tmp_path):
    """Return a function that writes a file, and its folders, and returns its path."""
    def write(path, text=''):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file
    return write


def package(place, folder, name):
    """Write a package manifest."""
    place(f'{folder}/package.xml', f'<package><name>{name}</name></package>')


def refusal(resolver, uri):
    """Return the error that a URI is refused with."""
    with pytest.raises(ResourceError) as raised:
        resolver.resolve(uri)
    return raised.value


def resolver(folder=None, **options):
    """Return a resolver that sees no environment but the given one."""
    return ResourceResolver(folder, **{'environment': {}, **options})


# Relative and absolute paths.

@pytest.mark.parametrize('path', ['m.stl', './m.stl', 'meshes/../m.stl', 'meshes/m.stl'])
def test_relative(place, tmp_path, path):
    place('meshes/m.stl')
    place('m.stl')
    assert resolver(tmp_path).resolve(path) == Path(os.path.normpath(tmp_path / path))


def test_relative_folder(place, tmp_path, monkeypatch):
    mesh = place('robot/m.stl')
    monkeypatch.chdir(tmp_path)
    assert resolver('robot').resolve('m.stl') == mesh


def test_relative_needs_a_folder():
    error = refusal(resolver(), 'm.stl')
    assert error.kind == 'scheme'
    assert str(error) == ("'m.stl' is a relative path, and the description comes from no file. "
                          'Write package://PACKAGE/PATH')


def test_meshes_stand_beside_a_folder_called_urdf(place, tmp_path):
    mesh = place('robot/meshes/m.stl')
    place('robot/other/x')
    assert resolver(tmp_path / 'robot/urdf').resolve('../meshes/m.stl') == mesh
    assert refusal(resolver(tmp_path / 'robot/other'), '../meshes/m.stl').kind == 'outside'


def test_all_of_a_package_is_beside_its_description(place, tmp_path):
    package(place, 'robot', 'robot')
    mesh = place('robot/meshes/m.stl')
    secret = place('secret')
    own = resolver(tmp_path / 'robot/deeply/nested')
    assert own.resolve('../../meshes/m.stl') == mesh
    assert own.resolve(str(mesh)) == mesh
    assert refusal(own, '../../../secret').kind == 'outside'
    assert refusal(own, str(secret)).kind == 'outside'


@pytest.mark.parametrize('form', ['{}', 'file://{}', 'file:{}', 'FILE://localhost{}'])
def test_absolute(place, tmp_path, form):
    mesh = place('robot/m n.stl')
    uri = form.format(mesh)
    assert resolver(tmp_path / 'robot').resolve(uri) == mesh
    assert resolver(allowed=[tmp_path]).resolve(uri) == mesh
    assert resolver(allowed=['/']).resolve(uri) == mesh
    error = refusal(resolver(tmp_path / 'other'), uri)
    assert error.kind == 'outside'
    assert error.message.endswith('leads out of the folders that the description may read')


def test_percent_escapes_count_in_uris_alone(place, tmp_path):
    spaced = place('a b.stl')
    escaped = place('c%20d.stl')
    own = resolver(tmp_path)
    assert own.resolve(f'file://{tmp_path}/a%20b.stl') == spaced
    assert own.resolve(f'file://{tmp_path}/c%20d.stl') == escaped
    assert own.resolve('c%20d.stl') == escaped
    assert refusal(own, 'a%20b.stl').kind == 'missing'


# Packages and models.

def test_given_package(place, tmp_path):
    mesh = place('somewhere/meshes/m.stl')
    given = resolver(packages={'robot': tmp_path / 'somewhere'})
    assert given.resolve('package://robot/meshes/m.stl') == mesh
    assert given.resolve('package://robot//meshes/./m.stl') == mesh
    assert given.resolve(f'file://{mesh}') == mesh


def test_ament_package(place, tmp_path):
    place('two/share/ament_index/resource_index/packages/robot')
    mesh = place('two/share/robot/m.stl')
    place('two/share/unlisted/m.stl')
    environment = {'AMENT_PREFIX_PATH': os.pathsep.join(
        [str(tmp_path / 'one'), '', str(tmp_path / 'two')])}
    sourced = resolver(environment=environment)
    assert sourced.resolve('package://robot/m.stl') == mesh
    assert sourced.resolve('model://robot/m.stl') == mesh
    assert sourced.resolve(str(mesh)) == mesh
    assert refusal(sourced, 'package://unlisted/m.stl').kind == 'package'


def test_ros_package_path_is_searched_for_manifests(place, tmp_path):
    package(place, 'src/group/folder', 'robot')
    mesh = place('src/group/folder/m.stl')
    package(place, 'src/group/folder/inside', 'inside')
    package(place, 'src/.hidden', 'hidden')
    package(place, 'src/ignored/other', 'ignored')
    place('src/ignored/COLCON_IGNORE')
    place('src/broken/package.xml', '<package>')
    environment = {'ROS_PACKAGE_PATH': str(tmp_path / 'src')}
    sourced = resolver(environment=environment)
    assert sourced.resolve('package://robot/m.stl') == mesh
    assert sourced.resolve(str(mesh)) == mesh
    for name in ('folder', 'inside', 'hidden', 'ignored', 'broken'):
        assert sourced.find_package(name) is None


def test_package_around_the_description(place, tmp_path):
    package(place, 'src/folder', 'robot')
    package(place, 'src/parts', 'parts')
    place('src/bare/m.stl')
    own, neighbour = place('src/folder/m.stl'), place('src/parts/m.stl')
    around = resolver(tmp_path / 'src/folder/urdf')
    assert around.resolve('package://robot/m.stl') == own
    assert around.resolve('package://parts/m.stl') == neighbour
    assert refusal(around, 'package://bare/m.stl').kind == 'package'
    assert refusal(around, 'package://folder/m.stl').kind == 'package'
    assert refusal(resolver(), 'package://robot/m.stl').kind == 'package'


def test_folder_of_the_package_s_name_without_a_manifest(place, tmp_path):
    mesh = place('home/robot/meshes/m.stl')
    around = resolver(tmp_path / 'home/robot/urdf')
    assert around.resolve('package://robot/meshes/m.stl') == mesh
    assert refusal(around, 'package://home/robot/meshes/m.stl').kind == 'package'


def test_given_package_is_preferred(place, tmp_path):
    place('prefix/share/ament_index/resource_index/packages/robot')
    place('prefix/share/robot/m.stl')
    mesh = place('given/m.stl')
    both = resolver(packages={'robot': tmp_path / 'given'},
                    environment={'AMENT_PREFIX_PATH': str(tmp_path / 'prefix')})
    assert both.resolve('package://robot/m.stl') == mesh


@pytest.mark.parametrize(
    'variable', ['GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH'])
def test_model(place, tmp_path, variable):
    mesh = place('models/robot/m.stl')
    sourced = resolver(environment={variable: str(tmp_path / 'models')})
    assert sourced.resolve('model://robot/m.stl') == mesh
    assert refusal(sourced, 'package://robot/m.stl').kind == 'package'


# What is refused.

@pytest.mark.parametrize('path', [
    '../secret', 'meshes/../../secret', '%2e%2e/secret', '..%2fsecret', '%2E%2E%2Fsecret',
    'meshes/%2e%2e/%2e%2e/secret', '/../secret'])
def test_way_out_of_a_package(place, tmp_path, path):
    place('secret')
    place('robot/meshes/m.stl')
    given = resolver(packages={'robot': tmp_path / 'robot'})
    assert refusal(given, f'package://robot/{path}').kind == 'outside'


@pytest.mark.parametrize('name', ['..', '.', '%2e%2e', 'a b', '', '-a'])
def test_no_package_name(place, tmp_path, name):
    place('secret')
    around = resolver(tmp_path / 'robot')
    assert refusal(around, f'package://{name}/secret').kind == 'malformed'
    assert around.find_package(name) is None


@pytest.mark.parametrize('uri, kind, hint', [
    ('http://example.org/m.stl', 'scheme', 'Use package://, model://, file:// or a path'),
    ('https://example.org/m.stl', 'scheme', 'Use package://, model://, file:// or a path'),
    ('data:model/stl;base64,AA', 'scheme', 'Use package://, model://, file:// or a path'),
    ('C:\\meshes\\m.stl', 'scheme', 'Write package://PACKAGE/PATH'),
    ('package:robot/m.stl', 'malformed', 'Write package://NAME/PATH'),
    ('package://robot', 'malformed', 'Write package://NAME/PATH'),
    ('package://robot/', 'malformed', 'Write package://NAME/PATH'),
    ('model:///m.stl', 'malformed', 'Write model://NAME/PATH'),
    ('file://meshes/m.stl', 'malformed', 'Write file:///PATH, with three slashes'),
    ('file:m.stl', 'malformed', 'Write file:///PATH, with three slashes'),
    ('m\0.stl', 'malformed', ''),
    ('package://robot/%00', 'malformed', ''),
    ('package://nowhere/m.stl', 'package',
     'Source the workspace that has it, or name its folder'),
    ('package://robot/M.stl', 'missing', "There is 'm.stl'; upper and lower case differ"),
    ('package://robot/meshes/m.stl', 'missing', "There is no folder 'meshes'"),
    ('package://robot/n.stl', 'missing', ''),
    ('', 'missing', 'It is a folder'),
    ('folder', 'missing', 'It is a folder'),
    ('x' * 5000, 'missing', ''),
    ('\ud800', 'missing', '')])
def test_refusals(place, tmp_path, uri, kind, hint):
    place('m.stl')
    place('folder/x')
    error = refusal(resolver(tmp_path, packages={'robot': tmp_path}), uri)
    assert error.kind == kind
    assert error.hint == hint
    assert len(str(error)) < 400


def test_devices_are_no_files(tmp_path):
    os.mkfifo(tmp_path / 'pipe')
    assert refusal(resolver(tmp_path), 'pipe').kind == 'missing'
    assert refusal(resolver(allowed=['/']), '/dev/zero').kind == 'missing'


def test_links_do_not_lead_out_of_the_description_s_folder(place, tmp_path):
    place('secret/m.stl')
    inside = place('robot/m.stl')
    (tmp_path / 'robot/file.stl').symlink_to(tmp_path / 'secret/m.stl')
    (tmp_path / 'robot/folder').symlink_to(tmp_path / 'secret')
    (tmp_path / 'robot/inside.stl').symlink_to(inside)
    own = resolver(tmp_path / 'robot')
    assert refusal(own, 'file.stl').kind == 'outside'
    assert refusal(own, 'folder/m.stl').kind == 'outside'
    assert own.resolve('inside.stl') == tmp_path / 'robot/inside.stl'


def test_folder_that_is_a_link_itself(place, tmp_path):
    place('real/m.stl')
    (tmp_path / 'link').symlink_to(tmp_path / 'real')
    assert resolver(tmp_path / 'link').resolve('m.stl') == tmp_path / 'link/m.stl'


def test_links_of_installed_packages_lead_to_their_sources(place, tmp_path):
    source = place('src/robot/m.stl')
    place('install/share/ament_index/resource_index/packages/robot')
    place('install/share/robot/package.xml')
    link = tmp_path / 'install/share/robot/m.stl'
    link.symlink_to(source)
    sourced = resolver(
        link.parent / 'urdf', environment={'AMENT_PREFIX_PATH': str(tmp_path / 'install')})
    assert sourced.resolve('package://robot/m.stl') == link
    assert sourced.resolve('../m.stl') == link


def test_environment_of_the_process_is_the_default(place, tmp_path, monkeypatch):
    place('share/ament_index/resource_index/packages/robot')
    mesh = place('share/robot/m.stl')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    assert ResourceResolver().resolve('package://robot/m.stl') == mesh


def test_meshes_of_the_corpus(corpus_robot, corpus):
    packages = {folder.name: folder for folder in corpus_robot.packages.iterdir()}
    found = resolver(corpus_robot.path.parent, packages=packages)
    kinds = set()
    for link in load(corpus_robot.path).links.values():
        for shape in (*link.visuals, *link.collisions):
            if isinstance(shape.geometry, Mesh):
                try:
                    assert found.resolve(shape.geometry.filename).is_file()
                except ResourceError as error:
                    kinds.add(error.kind)
    assert kinds <= {'missing', 'package'}
    assert not kinds or corpus_robot.name not in whole(corpus)


def whole(corpus):
    """Return the robots with all their meshes, in folders that are called like their packages."""
    with open(corpus / 'INDEX.tsv', newline='') as file:
        return {row['robot'] for row in csv.DictReader(file, delimiter='\t')
                if row['has_mesh_files'] == 'all'} - {'robotiq_2f85'}
