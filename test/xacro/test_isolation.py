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

"""No xacro file changes what the next one expands to, whatever it does."""

import json

import pytest

pytest.importorskip('xacro')

from urdf_tools import load  # noqa: E402
from urdf_tools.cli import main  # noqa: E402
from urdf_tools.model.errors import DescriptionError  # noqa: E402
from urdf_tools.model.package_lookup import PackageLookup  # noqa: E402
from urdf_tools.model.trust import Trust  # noqa: E402
from urdf_tools.xacro.description_files import open_document  # noqa: E402

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
INNOCENT = HEAD + """
  <xacro:property name="c" value="${xacro.load_yaml('c.yaml')}"/>
  <link name="a"/><link name="b"/><link name="c"/>
  <joint name="ab" type="fixed"><parent link="a"/><child link="b"/>
    <origin xyz="${radians(180)} ${math.pi} ${c.turn}"
      rpy="${pi} ${sin(pi/2)} ${max(1, 2)}"/></joint>
  <joint name="bc" type="fixed"><parent link="b"/><child link="c"/>
    <origin xyz="${len('abc')} ${python.sum([1, 2])} ${float('0.5')}"/></joint>
</robot>
"""

NAMESPACES = ('math', 'python', 'xacro')
CHANGES = [
    'math.update(pi=-3.0)', 'math.clear()', 'python.clear()', 'xacro.clear()', "math.pop('sin')",
    'python.update(sum=len, max=min)', 'xacro.update(load_yaml=len)', "math.setdefault('x', 1)",
    'python.update(math)', 'math.update(radians=float, sin=math.cos)', '[math.update(pi=0)]',
    "list(map(math.pop, ['pi', 'cos']))", '(lambda m: m.clear())(math)', 'math.popitem()',
    'python.sorted([1], key=lambda x: math.clear() or 0)', 'math.update(dict(pi=2))',
    'xacro.message(math.update(tau=1, e=1))', 'dict(math).clear() or python.popitem()']
DEFINITIONS = [
    f'<xacro:property name="{name}" value="{value}" scope="global"/>'
    for name in ('pi', 'radians', 'sin', 'len', 'max', 'float', *NAMESPACES)
    for value in ('-3.0', '${[]}')]
OTHERS = [
    '<xacro:macro name="link" params="*"><link name="z"/></xacro:macro>',
    "<xacro:property name='p' value=\"${xacro.load_yaml('bad.yaml')}\"/>${p}",
    '<xacro:arg name="pi" default="1"/><link name="$(arg pi)"/>',
    '<xacro:property name="x" value="$(eval max)"/>${x}',
    '<xacro:include filename="missing.xacro"/>',
    '<link name="${[].append(1)}"/>', '<link name="${1/0}"/>', '<link name="${undefined}"/>',
    '<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/>${a}',
    '<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>',
    '<xacro:if value="maybe"/>', '<link name="${xacro.fatal(1)}"/>',
    '<link name="${xacro.load_yaml(\'c.yaml\').clear()}"/>', '<xacro:nothing/>', '${']
HOSTILE = [
    *(f'{HEAD}<link name="h${{{change}}}"/></robot>' for change in CHANGES),
    *(f'{HEAD}{definition}<link name="h"/></robot>' for definition in DEFINITIONS),
    *(f'{HEAD}{other}<link name="h"/></robot>' for other in OTHERS)]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return a folder with the innocent file and the hostile ones."""
    path = tmp_path_factory.mktemp('files')
    (path / 'c.yaml').write_text('turn: !degrees 90\n')
    (path / 'bad.yaml').write_text('p: !degrees "math.clear() or 1"\n')
    (path / 'innocent.urdf.xacro').write_text(INNOCENT)
    for number, text in enumerate(HOSTILE):
        (path / f'hostile_{number}.urdf.xacro').write_text(text)
    return path


def expand(path, packages=None):
    """Return the elements that a file expands to, or the message of the error."""
    try:
        document = open_document(path, packages=packages)
    except DescriptionError as error:
        return str(error)
    return [(element.tag, dict(element.attrib)) for element in document.root.iter()]


def test_there_are_fifty_hostile_files():
    assert len(HOSTILE) >= 50


@pytest.mark.parametrize('is_trusted', [True, False])
def test_expansions_in_one_process(folder, is_trusted):
    innocent = folder / 'innocent.urdf.xacro'
    packages = None if is_trusted else PackageLookup(folder, {}, {}, Trust(False))
    expected = expand(innocent, packages)
    assert ('link', {'name': 'a'}) in expected
    changed = [path.read_text() for path in sorted(folder.glob('hostile_*'))
               if expand(path, packages) and expand(innocent, packages) != expected]
    assert changed == []


def test_findings_after_all_hostile_files_in_both_orders(folder, capsys):
    innocent = str(folder / 'innocent.urdf.xacro')
    joint = load(innocent).joints['ab']
    main(['check', innocent, '--format', 'json'])
    (expected,) = json.loads(capsys.readouterr().out)['reports']
    hostile = sorted(map(str, folder.glob('hostile_*')))
    for files in ([*hostile, innocent], [*reversed(hostile), innocent, hostile[0]]):
        main(['check', *files, '--format', 'json'])
        reports = json.loads(capsys.readouterr().out)['reports']
        assert [each for each in reports if each['source'] == innocent] == [expected]
    assert load(innocent).joints['ab'] == joint
