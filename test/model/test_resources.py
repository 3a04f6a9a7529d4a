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

"""URIs of resources to files in the folders that a description may read."""

import csv
import os
from pathlib import Path

import pytest

from urdf_tools.formats.description_files import load
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.package_lookup import TRUSTED
from urdf_tools.model.records import Mesh
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver


@pytest.fixture
def write_file(tmp_path):
    """Return a function that writes a file, and its folders, and returns its path."""
    def write(path, text=''):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file
    return write


def package(write_file, folder, name):
    """Write a package manifest."""
    write_file(f'{folder}/package.xml', f'<package><name>{name}</name></package>')


def error_of(resolver, uri):
    """Return the error of resolving a URI."""
    with pytest.raises(ResourceError) as raised:
        resolver.resolve(uri)
    return raised.value


def resolver(folder=None, **options):
    """Return a resolver with only the given environment variables."""
    return ResourceResolver(folder, **{'environment': {}, **options})


# Relative and absolute paths.

@pytest.mark.parametrize('path', ['m.stl', './m.stl', 'meshes/../m.stl', 'meshes/m.stl'])
def test_relative(write_file, tmp_path, path):
    write_file('meshes/m.stl')
    write_file('m.stl')
    assert resolver(tmp_path).resolve(path) == Path(os.path.normpath(tmp_path / path))


def test_relative_folder(write_file, tmp_path, monkeypatch):
    mesh = write_file('robot/m.stl')
    monkeypatch.chdir(tmp_path)
    assert resolver('robot').resolve('m.stl') == mesh


def test_relative_needs_a_folder():
    error = error_of(resolver(), 'm.stl')
    assert error.kind == 'scheme'
    assert str(error) == ("'m.stl' is a relative path, but the description is not from a file. "
                          'Write package://PACKAGE/PATH')


def test_meshes_beside_a_folder_called_urdf(write_file, tmp_path):
    mesh = write_file('robot/meshes/m.stl')
    write_file('robot/other/x')
    for folder in ('urdf', 'basic_urdf', 'other'):
        assert resolver(tmp_path / 'robot' / folder).resolve('../meshes/m.stl') == mesh
    assert resolver(tmp_path / 'robot/urdf').resolve('../other/x') == write_file('robot/other/x')
    assert error_of(resolver(tmp_path / 'robot/basic_urdf'), '../other/x').kind == 'outside'


@pytest.mark.parametrize('marker', ['.git/HEAD', '.hg/HEAD', 'LICENSE'])
def test_checkout_of_the_description(write_file, tmp_path, monkeypatch, marker):
    """Relative paths may lead to all of it, as the meshes of one robot are used by another."""
    mesh = write_file('checkout/arms/one/meshes/m.stl')
    secret = write_file('secret.stl')
    folder = tmp_path / 'checkout/assembly/two'
    assert error_of(resolver(folder), '../../arms/one/meshes/m.stl').kind == 'outside'
    write_file(f'checkout/{marker}')
    assert resolver(folder).resolve('../../arms/one/meshes/m.stl') == mesh
    assert error_of(resolver(folder), '../../../secret.stl').kind == 'outside'
    assert error_of(resolver(folder), str(secret)).kind == 'outside'
    monkeypatch.setenv('HOME', str(tmp_path / 'checkout'))
    assert error_of(resolver(folder), '../../arms/one/meshes/m.stl').kind == 'outside'


def test_licence_of_one_robot_in_a_checkout(write_file, tmp_path):
    write_file('checkout/.git/HEAD')
    write_file('checkout/assembly/two/LICENSE')
    mesh = write_file('checkout/arms/one/meshes/m.stl')
    folder = tmp_path / 'checkout/assembly/two'
    assert resolver(folder).resolve('../../arms/one/meshes/m.stl') == mesh


def test_missing_file_elsewhere(tmp_path):
    """The author of a file learns that it does not exist; a peer who sent a text does not."""
    uri = f'file://{tmp_path}/elsewhere/m.stl'
    error = error_of(resolver(tmp_path / 'robot'), uri)
    assert (error.kind, error.message) == ('missing', f'File {uri!r} does not exist')
    assert error_of(resolver(), uri).kind == 'outside'


def test_whole_package_of_the_description_may_be_read(write_file, tmp_path):
    package(write_file, 'robot', 'robot')
    mesh = write_file('robot/meshes/m.stl')
    secret = write_file('secret')
    own = resolver(tmp_path / 'robot/deeply/nested')
    assert own.resolve('../../meshes/m.stl') == mesh
    assert own.resolve(str(mesh)) == mesh
    assert error_of(own, '../../../secret').kind == 'outside'
    assert error_of(own, str(secret)).kind == 'outside'


@pytest.mark.parametrize(
    'form', ['{}', 'file://{}', 'file:{}', 'FILE://localhost{}', 'file:///{}', 'file:////{}'])
def test_absolute(write_file, tmp_path, form):
    mesh = write_file('robot/m n.stl')
    uri = form.format(mesh)
    assert resolver(tmp_path / 'robot').resolve(uri) == mesh
    assert resolver(allowed=[tmp_path]).resolve(uri) == mesh
    assert resolver(allowed=['/']).resolve(uri) == mesh
    error = error_of(resolver(tmp_path / 'other'), uri)
    assert error.kind == 'outside'
    assert error.message.endswith('is outside the folders that the description may read')


def test_percent_escapes_are_decoded_in_uris_only(write_file, tmp_path):
    spaced = write_file('a b.stl')
    escaped = write_file('c%20d.stl')
    own = resolver(tmp_path)
    assert own.resolve(f'file://{tmp_path}/a%20b.stl') == spaced
    assert own.resolve(f'file://{tmp_path}/c%20d.stl') == escaped
    assert own.resolve('c%20d.stl') == escaped
    assert error_of(own, 'a%20b.stl').kind == 'missing'


# Packages and models.

def test_given_package(write_file, tmp_path):
    mesh = write_file('somewhere/meshes/m.stl')
    given = resolver(packages={'robot': tmp_path / 'somewhere'})
    assert given.resolve('package://robot/meshes/m.stl') == mesh
    assert given.resolve('package://robot//meshes/./m.stl') == mesh
    assert given.resolve(f'file://{mesh}') == mesh


def test_ament_package(write_file, tmp_path):
    write_file('two/share/ament_index/resource_index/packages/robot')
    mesh = write_file('two/share/robot/m.stl')
    write_file('two/share/unlisted/m.stl')
    environment = {'AMENT_PREFIX_PATH': os.pathsep.join(
        [str(tmp_path / 'one'), '', str(tmp_path / 'two')])}
    sourced = resolver(environment=environment)
    assert sourced.resolve('package://robot/m.stl') == mesh
    assert sourced.resolve('model://robot/m.stl') == mesh
    assert sourced.resolve(str(mesh)) == mesh
    assert error_of(sourced, 'package://unlisted/m.stl').kind == 'package'


def test_ros_package_path_is_searched_for_manifests(write_file, tmp_path):
    package(write_file, 'src/group/folder', 'robot')
    mesh = write_file('src/group/folder/m.stl')
    package(write_file, 'src/group/folder/inside', 'inside')
    package(write_file, 'src/.hidden', 'hidden')
    package(write_file, 'src/ignored/other', 'ignored')
    write_file('src/ignored/COLCON_IGNORE')
    write_file('src/broken/package.xml', '<package>')
    environment = {'ROS_PACKAGE_PATH': str(tmp_path / 'src')}
    sourced = resolver(environment=environment)
    assert sourced.resolve('package://robot/m.stl') == mesh
    assert sourced.resolve(str(mesh)) == mesh
    for name in ('folder', 'inside', 'hidden', 'ignored', 'broken'):
        assert sourced.find_package(name) is None


def test_package_around_the_description(write_file, tmp_path):
    package(write_file, 'src/folder', 'robot')
    package(write_file, 'src/parts', 'parts')
    write_file('src/bare/m.stl')
    own, neighbour = write_file('src/folder/m.stl'), write_file('src/parts/m.stl')
    around = resolver(tmp_path / 'src/folder/urdf')
    assert around.resolve('package://robot/m.stl') == own
    assert around.resolve('package://parts/m.stl') == neighbour
    assert error_of(around, 'package://bare/m.stl').kind == 'package'
    assert error_of(around, 'package://folder/m.stl').kind == 'package'
    assert error_of(resolver(), 'package://robot/m.stl').kind == 'package'


@pytest.mark.parametrize('modules', ['src/arm', 'arm'])
def test_data_beside_the_modules_of_a_package_in_sources(write_file, tmp_path, modules):
    package(write_file, 'ws/checkout', 'arm')
    mesh = write_file(f'ws/checkout/{modules}/meshes/m.stl')
    found = resolver(tmp_path / 'ws/checkout/urdf')
    assert found.resolve('package://arm/meshes/m.stl') == mesh
    package(write_file, 'install/arm/share/arm', 'arm')
    write_file('install/arm/share/ament_index/resource_index/packages/arm')
    installed = ResourceResolver(
        tmp_path, environment={'AMENT_PREFIX_PATH': str(tmp_path / 'install/arm')})
    write_file('install/arm/share/arm/src/arm/meshes/m.stl')
    assert error_of(installed, 'package://arm/meshes/m.stl').kind == 'missing'


@pytest.mark.parametrize(('name', 'text'), [
    ('CMakeLists.txt', 'install(DIRECTORY ${A} DESTINATION share/arm)\n'
     'install(DIRECTORY config panda/meshes DESTINATION share/${PROJECT_NAME})'),
    ('CMakeLists.txt', 'ament_package()\ninstall(DIRECTORY panda/ DESTINATION share/arm)'),
    ('setup.py', "setup(data_files=[('share/arm/meshes/a', glob('panda/meshes/a/*.stl'))])"),
])
def test_a_mesh_is_where_its_package_installs_it_from(write_file, tmp_path, name, text):
    package(write_file, 'ws/arm', 'arm')
    write_file(f'ws/arm/{name}', text)
    mesh = write_file('ws/arm/panda/meshes/a/m.stl')
    for trust in (TRUSTED, Trust(False)):
        found = resolver(tmp_path / 'ws/arm/urdf', trust=trust)
        assert found.resolve('package://arm/meshes/a/m.stl') == mesh
        assert found.resolve(f'file://{tmp_path}/ws/arm/meshes/a/m.stl') == mesh
        assert error_of(found, 'package://arm/meshes/a/n.stl').kind == 'missing'
        assert error_of(found, 'package://arm/a/m.stl').kind == 'missing'


def test_no_file_is_installed_from_outside_of_a_package(write_file, tmp_path):
    package(write_file, 'ws/arm', 'arm')
    cmake = write_file('ws/other', 'install(DIRECTORY panda/meshes DESTINATION share/arm)')
    write_file('ws/arm/panda/meshes/m.stl')
    (tmp_path / 'ws/arm/CMakeLists.txt').symlink_to(cmake)
    untrusting = resolver(tmp_path / 'ws/arm/urdf', trust=Trust(False))
    assert error_of(untrusting, 'package://arm/meshes/m.stl').kind == 'missing'
    write_file('ws/other', 'install(DIRECTORY ../more/meshes DESTINATION share/arm)')
    write_file('ws/more/meshes/m.stl')
    assert error_of(resolver(tmp_path / 'ws/arm/urdf'), 'package://arm/meshes/m.stl').kind == (
        'missing')


def test_folder_with_the_name_of_the_package_but_no_manifest(write_file, tmp_path):
    mesh = write_file('home/robot/meshes/m.stl')
    around = resolver(tmp_path / 'home/robot/urdf')
    assert around.resolve('package://robot/meshes/m.stl') == mesh
    assert error_of(around, 'package://home/robot/meshes/m.stl').kind == 'package'


def test_packages_without_manifests_in_a_checkout(write_file, tmp_path):
    write_file('nasa/.git/HEAD')
    own = write_file('nasa/r2_description/meshes/m.stl')
    other = write_file('nasa/val_description/meshes/m.stl')
    around = resolver(tmp_path / 'nasa/r2_description/robots')
    assert around.resolve('package://r2_description/meshes/m.stl') == own
    assert around.resolve('package://val_description/meshes/m.stl') == other
    assert error_of(around, f'package://{tmp_path.name}/m.stl').kind == 'package'


def test_folders_of_meshes_are_no_packages(write_file, tmp_path):
    write_file('robot/assets/m.stl')
    around = resolver(tmp_path / 'robot/urdf')
    assert error_of(around, 'package://assets/m.stl').kind == 'package'


def test_given_package_is_preferred(write_file, tmp_path):
    write_file('prefix/share/ament_index/resource_index/packages/robot')
    write_file('prefix/share/robot/m.stl')
    mesh = write_file('given/m.stl')
    both = resolver(packages={'robot': tmp_path / 'given'},
                    environment={'AMENT_PREFIX_PATH': str(tmp_path / 'prefix')})
    assert both.resolve('package://robot/m.stl') == mesh


@pytest.mark.parametrize(
    'variable', ['GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH'])
def test_model(write_file, tmp_path, variable):
    mesh = write_file('models/robot/m.stl')
    sourced = resolver(environment={variable: str(tmp_path / 'models')})
    assert sourced.resolve('model://robot/m.stl') == mesh
    assert error_of(sourced, 'package://robot/m.stl').kind == 'package'


def test_models_beside_each_other(write_file, tmp_path):
    """As in PX4-gazebo-models: x500/model.sdf includes model://x500_base."""
    mesh = write_file('models/base/m.stl')
    write_file('models/other/m.stl')
    beside = resolver(tmp_path / 'models/robot')
    for name in ('robot', 'base'):
        error = error_of(beside, 'model://base/m.stl')
        assert (error.kind, error.hint) == (
            'package', 'Set GZ_SIM_RESOURCE_PATH to the folder that it is in')
        write_file(f'models/{name}/model.config')
    assert beside.resolve('model://base/m.stl') == mesh
    assert error_of(beside, 'model://other/m.stl').kind == 'package'
    untrusted = resolver(tmp_path / 'models/robot', trust=Trust(False, frozenset()))
    assert error_of(untrusted, 'model://base/m.stl').kind == 'package'
    assert error_of(beside, '../base/m.stl').kind == 'outside'
    assert error_of(beside, 'model://base/../other/m.stl').kind == 'outside'


# Errors.

@pytest.mark.parametrize('path', [
    '../secret', 'meshes/../../secret', '%2e%2e/secret', '..%2fsecret', '%2E%2E%2Fsecret',
    'meshes/%2e%2e/%2e%2e/secret', '/../secret'])
def test_path_out_of_a_package(write_file, tmp_path, path):
    write_file('secret')
    write_file('robot/meshes/m.stl')
    given = resolver(packages={'robot': tmp_path / 'robot'})
    assert error_of(given, f'package://robot/{path}').kind == 'outside'


@pytest.mark.parametrize('name', ['..', '.', '%2e%2e', 'a b', '', '-a'])
def test_invalid_package_name(write_file, tmp_path, name):
    write_file('secret')
    around = resolver(tmp_path / 'robot')
    assert error_of(around, f'package://{name}/secret').kind == 'malformed'
    assert around.find_package(name) is None


def test_backslashes_are_meant_as_slashes(write_file, tmp_path):
    file = write_file('meshes/m.stl')
    around = resolver(tmp_path)
    assert around.resolve_for_use('meshes\\m.stl') == file
    assert error_of(around, 'meshes\\m.stl').kind == 'missing'
    for uri in ('meshes\\n.stl', 'C:\\meshes\\m.stl'):
        with pytest.raises(ResourceError):
            around.resolve_for_use(uri)


def test_what_a_package_name_must_not_have():
    assert str(error_of(resolver(), 'package://my#robot/m.stl')) == (
        "'package://my#robot/m.stl' is malformed, because of '#' in the name, where only letters, "
        'digits and . _ - may be. Write package://NAME/PATH')


@pytest.mark.parametrize('uri, kind, hint', [
    ('http://example.org/m.stl', 'scheme',
     'Download it, such as with "gz fuel download -u URI", and write package://PACKAGE/PATH or a '
     'path'),
    ('https://example.org/m.stl', 'scheme',
     'Download it, such as with "gz fuel download -u URI", and write package://PACKAGE/PATH or a '
     'path'),
    ('data:model/stl;base64,AA', 'scheme', 'Use package://, model://, file:// or a path'),
    ('C:\\meshes\\m.stl', 'scheme', 'Write package://PACKAGE/PATH'),
    ('package:robot/m.stl', 'malformed', 'Write package://NAME/PATH'),
    ('package:///robot/m.stl', 'malformed', 'Write package://robot/m.stl, with two slashes'),
    ('package://robot', 'malformed', 'Write package://NAME/PATH'),
    ('package://robot/', 'malformed', 'Write package://NAME/PATH'),
    ('model:///m.stl', 'malformed', 'Write model://NAME/PATH'),
    ('file://meshes/m.stl', 'malformed', 'Write file:///PATH, with three slashes'),
    ('file:m.stl', 'malformed', 'Write file:///PATH, with three slashes'),
    ('m\0.stl', 'malformed', ''),
    ('package://robot/%00', 'malformed', ''),
    ('package://nowhere/m.stl', 'package',
     'Source the workspace that has it, or add its folder to ROS_PACKAGE_PATH'),
    ('package://robot/M.stl', 'missing', "'m.stl' exists; upper and lower case differ"),
    ('package://robot/m.dae', 'missing', "'m.stl' exists"),
    ('package://robot/meshes/m.stl', 'missing', "Folder 'meshes' does not exist"),
    ('package://robot/Folder/white/m.stl', 'missing',
     "Folder 'Folder' does not exist: 'folder' exists; upper and lower case differ"),
    ('package://robot/folder/white/a/m.stl', 'missing', "Folder 'white' does not exist"),
    ('package://robot/n.stl', 'missing', ''),
    ('', 'missing', 'Give the path of a file'),
    ('folder', 'missing', 'Give the path of a file'),
    ('x' * 4000, 'missing', ''),
    ('x' * 5000, 'missing', 'A path has at most 4096 characters and 200 slashes'),
    ('a/' * 201, 'missing', 'A path has at most 4096 characters and 200 slashes'),
    ('\ud800', 'missing', '')])
def test_errors(write_file, tmp_path, uri, kind, hint):
    write_file('m.stl')
    write_file('folder/x')
    error = error_of(resolver(tmp_path, packages={'robot': tmp_path}), uri)
    assert error.kind == kind
    assert error.hint == hint
    assert len(str(error)) < 400


def test_what_is_no_regular_file_is_named(tmp_path):
    os.mkfifo(tmp_path / 'pipe')
    (tmp_path / 'link').symlink_to('nowhere')
    for path, message in (
            ('pipe', "'pipe' is a pipe"), ('/dev/zero', "'/dev/zero' is a device"),
            ('link', "'link' is a symbolic link to a file that does not exist")):
        error = error_of(resolver(tmp_path, allowed=['/']), path)
        assert (error.kind, error.message) == ('missing', message)


def test_links_do_not_lead_out_of_the_description_s_folder(write_file, tmp_path):
    write_file('secret/m.stl')
    inside = write_file('robot/m.stl')
    (tmp_path / 'robot/file.stl').symlink_to(tmp_path / 'secret/m.stl')
    (tmp_path / 'robot/folder').symlink_to(tmp_path / 'secret')
    (tmp_path / 'robot/inside.stl').symlink_to(inside)
    own = resolver(tmp_path / 'robot')
    assert error_of(own, 'file.stl').kind == 'outside'
    assert error_of(own, 'folder/m.stl').kind == 'outside'
    assert own.resolve('inside.stl') == tmp_path / 'robot/inside.stl'


def test_folder_that_is_a_link_itself(write_file, tmp_path):
    write_file('real/m.stl')
    (tmp_path / 'link').symlink_to(tmp_path / 'real')
    assert resolver(tmp_path / 'link').resolve('m.stl') == tmp_path / 'link/m.stl'


def test_links_of_installed_packages_lead_to_their_sources(write_file, tmp_path):
    source = write_file('src/robot/m.stl')
    write_file('install/share/ament_index/resource_index/packages/robot')
    write_file('install/share/robot/package.xml')
    link = tmp_path / 'install/share/robot/m.stl'
    link.symlink_to(source)
    sourced = resolver(
        link.parent / 'urdf', environment={'AMENT_PREFIX_PATH': str(tmp_path / 'install')})
    assert sourced.resolve('package://robot/m.stl') == link
    assert sourced.resolve('../m.stl') == link


def test_environment_of_the_process_is_the_default(write_file, tmp_path, monkeypatch):
    write_file('share/ament_index/resource_index/packages/robot')
    mesh = write_file('share/robot/m.stl')
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


def test_new_files_are_seen_by_the_same_resolver(tmp_path):
    resolver = ResourceResolver(tmp_path, environment={})
    with pytest.raises(ResourceError) as missing:
        resolver.resolve('Cube.stl')
    assert not missing.value.hint
    (tmp_path / 'cube.stl').touch()
    os.utime(tmp_path, ns=(1, 1))
    with pytest.raises(ResourceError, match="'cube.stl' exists"):
        resolver.resolve('Cube.stl')
    (tmp_path / 'Cube.stl').touch()
    assert resolver.resolve('Cube.stl') == tmp_path / 'Cube.stl'


def test_changed_manifests_are_seen_by_the_same_resolver(tmp_path):
    package = tmp_path / 'folder'
    package.mkdir()
    resolver = ResourceResolver(package, environment={})
    for name in ('one', 'another'):
        (package / 'package.xml').write_text(f'<package><name>{name}</name></package>')
        assert resolver.find_package(name) == package
    assert resolver.find_package('one') is None


def test_a_link_that_is_replaced_meanwhile(tmp_path, monkeypatch):
    """In Python 3.11, realpath then raises what readlink does."""
    (tmp_path / 'a.stl').touch()
    resolver = ResourceResolver(tmp_path)
    assert resolver.resolve('a.stl') == tmp_path / 'a.stl'
    realpath = os.path.realpath

    def replaced(path, **options):
        if str(path).endswith('a.stl'):
            raise OSError(22, 'Invalid argument', path)
        return realpath(path, **options)
    monkeypatch.setattr(os.path, 'realpath', replaced)
    with pytest.raises(ResourceError, match='cannot be read'):
        resolver.resolve('a.stl')
