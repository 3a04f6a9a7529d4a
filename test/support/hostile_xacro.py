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

"""Xacro files that try to change what the next one expands to, and one that would show it."""

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
INNOCENT = HEAD + """
  <xacro:property name="c" value="${xacro.load_yaml('c.yaml')}"/>
  <link name="a"/><link name="b"/><link name="c"/>
  <joint name="ab" type="fixed"><parent link="a"/><child link="b"/>
    <origin xyz="${radians(180)} ${math.pi} ${c.turn}"
      rpy="${pi} ${sin(pi/2)} ${max(1, 2)}"/></joint>
  <joint name="bc" type="fixed"><parent link="b"/><child link="c"/>
    <origin xyz="${len('abc')} ${python.sum([1, 2])} ${float('0.5')}"/></joint>
  <joint name="cd" type="revolute"><parent link="c"/><child link="d"/>
    <limit lower="${pi}" upper="1" effort="1" velocity="1"/></joint><link name="d"/>
</robot>
"""
"""Its last joint has inverted limits only as long as pi is what it is."""

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
