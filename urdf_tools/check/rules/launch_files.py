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

"""Rules about the launch files that start a robot."""

from __future__ import annotations

import ast
from collections.abc import Iterator
import os
from pathlib import Path
import re

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.launch_files import called
from urdf_tools.check.launch_files import constant
from urdf_tools.check.launch_files import launch_files
from urdf_tools.check.launch_files import Script
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.package_files import element_in
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.known_names import DEPENDS
from urdf_tools.check.rules.known_names import known_names
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import location
from urdf_tools.model.spelling import closest

_PARAMETER = re.compile(
    r'<param\b(?=[^>]*\bname=["\']robot_description["\'])(?=[^>]*\$\(command\b)'
    r'(?![^>]*\btype=["\'])')

_SIMULATED = re.compile('(?:gazebo|gz|ign)_ros2_control/')

_SUSPECT = re.compile(r':(?:\s|\Z)| #|\t')
"""What may end a plain text in YAML."""


@RULES.in_category('assets')(
    'launch-description-as-yaml', ERROR,
    refuses('robot_state_publisher', how='is not started, because the launch file fails'),
    fix='Wrap the command: ParameterValue(Command(...), value_type=str); in XML write type="str"',
    source='launch_ros `evaluate_parameters.py`')
def launch_description_as_yaml(description: Description) -> Iterator[Defect]:
    """
    Check that launch files hand the robot_description over as a text.

    Without ParameterValue(..., value_type=str), launch reads the output of a Command as YAML. A
    colon before a space, or a space before a #, in a comment of the description ends its text in
    YAML, and the launch file fails. It is noted where the description has no such comment yet.

    Example: parameters=[{'robot_description': Command(['xacro ', path])}]
    """
    files = package_files(description)
    found = [(path, text, offset) for path, text in files.launching.items()
             for offset in [*(_in_xml if '<launch' in text else _in_python)(text)][:1]]
    reason = _not_yaml(description) if found else None
    for path, text, offset in found:
        element = element_in(path, text, offset, 'parameter')
        if reason is None:
            yield Defect(element, 'Launch reads robot_description as YAML, and fails at the first '
                         'comment in {file} with a colon or a # in it', severity=INFO,
                         consequences=(), file=FreeText(os.path.basename(files.source)))
        else:
            where, excerpt = reason
            yield Defect(element, 'Launch reads robot_description as YAML, which it is not, '
                         'because of {text:60} at {position}', text=Name(excerpt),
                         position=FreeText(where))


_CONDITION = re.compile(r'(?:Unless|If)Condition|\b(?:if|unless)=|:=')


@RULES.in_category('assets')(
    'launch-simulated-control-node', WARN,
    refuses('ros2_control', how='does not load the system, which is one of Gazebo'),
    fix='Leave ros2_control_node out: the plugin in <gazebo> has a controller manager of its own',
    source='gz_ros2_control `gz_ros2_control_plugin.cpp`')
def launch_simulated_control_node(description: Description) -> Iterator[Defect]:
    """
    Check that no ros2_control_node is launched for a robot whose system is one of Gazebo.

    Launch files with conditions or arguments of xacro are left out, as they may start it for the
    real robot only.

    Example: Node(package='controller_manager', executable='ros2_control_node'), and the plugin
        gz_ros2_control/GazeboSimSystem
    """
    systems = [name for plugin in description.robot.iterfind('ros2_control/hardware/plugin')
               if _SIMULATED.match(name := (plugin.text or '').strip())]
    for path, text in package_files(description).launching.items() if systems else ():
        start = text.find('ros2_control_node')
        if start >= 0 and not _CONDITION.search(text):
            yield Defect(element_in(path, text, start, 'node'), 'ros2_control_node cannot load '
                         '{system}, which only Gazebo does', system=Name(systems[0]))


def _in_xml(text: str) -> Iterator[int]:
    return (match.start() for match in _PARAMETER.finditer(text))


def _in_python(text: str) -> Iterator[int]:
    """Yield the offset of each robot_description that is the output of a Command."""
    script = Script(text)
    for node in script.nodes:
        for key, value in zip(node.keys, node.values) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant) and key.value == 'robot_description' and (
                    called(script.value(value)) == 'Command'):
                yield script.offset(key)


_PASSED = {
    'kinematics': ('kinematics', 'kinematics.yaml', 'robot_description_kinematics',
                   'inverse kinematics'),
    'limits': ('joint_limits|robot_description_planning', 'joint_limits.yaml',
               'robot_description_planning', 'limits of accelerations')}
"""
Files of MoveIt: what names one in a launch file, its name, the parameter and what it is for.
"""


@RULES.in_category('assets')(
    'launch-moveit-file-missing', WARN,
    changes('moveit', of='element', how='does not get the file'),
    fix='Pass the file as well, or moveit_config.to_dict() of MoveItConfigsBuilder',
    source='moveit_ros_planning 2.15 `robot_model_loader.cpp`')
def launch_moveit_file_missing(description: Description) -> Iterator[Defect]:
    """
    Check that nodes of MoveIt get kinematics.yaml, and move_group joint_limits.yaml.

    A node with the SRDF and without kinematics.yaml has no inverse kinematics, even if move_group
    has. Nodes whose parameters come from elsewhere than the launch file are left out.

    Example: parameters=[{'robot_description': text, 'robot_description_semantic': semantic}]
    """
    beside = moveit_files(description)
    lies = {'kinematics': bool(beside.solvers), 'limits': bool(beside.limits)}
    launching = package_files(description).launching if any(lies.values()) else {}
    for path, text, script in ((path, text, Script(text)) for path, text in launching.items()
                               if 'robot_description_semantic' in text):
        for node, values in script.started():
            passed, name = script.parameters(values.get('parameters')), constant(
                values.get('executable'))
            is_known = passed is not None and 'robot_description_semantic' in passed
            missing = [rest for kind, (names, *rest) in _PASSED.items() if is_known and (
                lies[kind] and not re.search(names, passed or '')) and (
                    name == 'move_group' or kind == 'kinematics' and 'servo' not in name)]
            if missing:
                files, parameters, uses = ([*map(FreeText, each)] for each in zip(*missing))
                yield Defect(
                    element_in(path, text, script.offset(node), 'node'), '{node} gets the SRDF, '
                    'but not {files:and}, and has no {uses:and}', node=Name(name), files=files,
                    parameters=parameters, uses=uses,
                    hint='Pass the content of {files:and} as {parameters:and}')


@RULES.in_category('assets')(
    'launch-parameters-namespace', WARN,
    changes('ros2_control', of='element', how='gets no parameters, as the names of nodes differ'),
    fix='Write /**/controller_manager, or the name with the namespace',
    source='rcl_yaml_param_parser `parser.c`')
def launch_parameters_namespace(description: Description) -> Iterator[Defect]:
    """
    Check that the parameters of a controller manager in a namespace are for one in a namespace.

    In a file, controller_manager is /controller_manager. The namespace is that of a Node in a
    launch file, or of the plugin of Gazebo.

    Example: Node(package='controller_manager', executable='ros2_control_node', namespace='r1',
        parameters=['controllers.yaml']), and the file begins with controller_manager:
    """
    entries = [(file, entry) for file, entry in moveit_files(description).loaded
               if entry.get('name', '').strip('/') == 'controller_manager'
               and entry.parent is not None and entry.parent.parent is None]
    for file, entry in entries:
        for starter, space in _namespaces(description, file):
            if space and not is_expression(space):
                yield Defect(
                    entry, '{file} has the parameters of /controller_manager, which {starter} '
                    'starts in the namespace {space}', file=FreeText(file),
                    starter=FreeText(starter), space=Name(space), plain=FreeText(space),
                    hint='Write /**/controller_manager, or /{plain}/controller_manager')
                break


def _namespaces(description: Description, file: str) -> Iterator[tuple[str, str]]:
    """Yield what starts a controller manager with a file of parameters, and its namespace."""
    for element in description.parameter_files:
        if element.parent is not None and os.path.basename((element.text or '').strip()) == file:
            for space in element.parent.iter('namespace'):
                yield 'Gazebo', (space.text or '').strip().strip('/')
    for path, text in package_files(description).launching.items():
        for _, values in Script(text).started() if file in text else ():
            if constant(values.get('executable')) == 'ros2_control_node':
                yield os.path.basename(path), constant(values.get('namespace')).strip('/')


def _not_yaml(description: Description) -> tuple[str, str] | None:
    """Return where the text that launch gets ends in YAML, and the text there, or None."""
    document = description.document
    text = document.data.decode('utf-8', 'replace')
    if _SUSPECT.search(text) is None:
        return None
    import yaml  # It takes long, and few launch files need it.
    try:
        if isinstance(yaml.safe_load(text), str):
            return None
        line = 1
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        line = 1 if mark is None else mark.line + 1
        if (comment := text.find(' #')) >= 0:  # It ends the text, and only what follows fails.
            line = min(line, text.count('\n', 0, comment) + 1)
    excerpt = ' '.join(text.split('\n')[line - 1].split())
    if document.xacro is None:
        return location(document.source, line), excerpt
    for file in document.xacro.files:
        for number, written in enumerate(file.lines, 1):
            if excerpt and excerpt == ' '.join(written.split()):
                return location(file.path, number), excerpt
    return location(document.source, None), excerpt


@RULES.in_category('assets')(
    'launch-file-unreadable', ERROR, fix='Correct the file at this line',
    source='launch `frontend/parser.py`, `python_launch_file_utilities.py`')
def launch_file_unreadable(description: Description) -> Iterator[Defect]:
    """
    Check that the launch files of a package are Python, well-formed XML or YAML.

    Example: <arg name="gui" default="true>
    """
    for file in launch_files(description):
        if file.error is not None and file.error.kind not in (ErrorKind.ENTITY,):
            start = len(''.join(file.text.splitlines(True)[:(file.error.line or 1) - 1]))
            yield Defect(file.element(start, 'launch'), '{file} cannot be read: {reason}',
                         file=FreeText(os.path.basename(file.path)),
                         reason=FreeText(file.error.message))


@RULES.in_category('assets')(
    'launch-executable-unknown', ERROR, fix='Name an executable that the package installs',
    source='launch_ros `executable_in_package.py`')
def launch_executable_unknown(description: Description) -> Iterator[Defect]:
    """
    Check that the nodes that are launched are executables of their packages.

    They are those of well-known packages, and of packages beside the description, whose
    CMakeLists.txt or setup.py has to name them.

    Example: Node(package='robot_state_publisher', executable='state_publisher')
    """
    files = package_files(description)
    for file in launch_files(description):
        for node in file.nodes:
            package, name = (node.given.get(key, '') for key in ('package', 'executable'))
            known = known_names()['executables'].get(package, {'has': [], 'renamed': {}})
            renamed, has = known['renamed'].get(name), known['has']
            if package in files.packages and _WORD.fullmatch(name):
                folder = files.packages[package]
                texts = [text for path, text in files.build.items()
                         if Path(path).parent == folder and not path.endswith('package.xml')]
                if any(name.rpartition('.')[0] in text or _COMPUTES.search(text)
                       for text in texts) or not texts:
                    continue
            elif not renamed and (not has or name in has or not _WORD.fullmatch(name)):
                continue
            yield Defect(
                file.element(node.place, 'node'), '{package} has no executable {name}',
                package=FreeText(package), name=Name(name),
                suggestion=renamed or closest(name, has), severity=WARN if not known['has'] else None)


_WORD = re.compile(r'[\w.-]+')

_COMPUTES = re.compile(
    r'(?i)\bGLOB|foreach|EXECUTABLES?\s*\$|\binclude\(|glob\(.*scripts|DIRECTORY[^)]*DESTINATION\s+lib/')
"""What may install executables without their names."""


@RULES.in_category('assets')(
    'launch-description-missing', ERROR,
    refuses('robot_state_publisher', how='ends, because it has no description'),
    fix="Pass parameters=[{'robot_description': text}], with the text that xacro prints",
    source='robot_state_publisher `robot_state_publisher.cpp`')
def launch_description_missing(description: Description) -> Iterator[Defect]:
    """
    Check that launch files hand a description to robot_state_publisher, and not its path.

    From Jazzy on, ros2_control_node has the description from robot_state_publisher, too. Nodes
    whose parameters come from elsewhere than the launch file are left out.

    Example: Node(package='robot_state_publisher', executable='robot_state_publisher')
    """
    files, launching = package_files(description), launch_files(description)
    is_published = any('state_publisher' in text for text in files.launch.values())
    for file in launching:
        for node in file.nodes:
            name, given = node.given.get('executable'), node.parameters
            if name == 'robot_state_publisher' and given is not None and not (
                    node.arguments or 'robot_description' in given or '.y' in given):
                yield Defect(file.element(node.place, 'node'),
                             'robot_state_publisher gets no robot_description')
            elif name == 'ros2_control_node' and 'robot_description' in (given or '') and not (
                    is_published or files.release in ('foxy', 'galactic', 'humble')):
                yield Defect(
                    file.element(node.place, 'node'), 'From Jazzy on, ros2_control_node has the '
                    'description from the topic that robot_state_publisher publishes, which is '
                    'not started', severity=WARN, consequences=changes(
                        'ros2_control', of='element', how='waits for the description'),
                    hint='Start robot_state_publisher with the robot_description, too')
        for value in file.script.descriptions():
            if file.script.is_path(value):
                yield Defect(
                    file.element(file.script.offset(value), 'parameter'), 'robot_description is '
                    'the path of a file, not its text', hint='Read the file, or wrap a command: '
                    "ParameterValue(Command(['xacro ', path]), value_type=str)")


@RULES.in_category('assets')(
    'launch-call-wrong', ERROR, fix='Give one argument: a text, or a list',
    source='launch and launch_ros, signatures of their classes')
def launch_call_wrong(description: Description) -> Iterator[Defect]:
    """
    Check that calls in launch files have no more arguments than their functions take.

    Example: FindPackageShare('arm_description', 'urdf')
    """
    most = known_names()['positional']
    for file, node in ((file, node) for file in launch_files(description)
                       for node in file.script.nodes if isinstance(node, ast.Call)):
        name = called(node)
        if len(node.args) > most.get(name, 9):
            yield Defect(
                file.element(file.script.offset(node), 'call'), '{name} takes {count} arguments '
                'by position, not {given}', name=FreeText(name), count=most[name],
                given=len(node.args), hint='Name the arguments' if not most[name] else
                'Join paths with PathJoinSubstitution([...]) or os.path.join'
                if name in ('FindPackageShare', 'get_package_share_directory') else '')


@RULES.in_category('assets')(
    'launch-file-missing', WARN, fix='Fix the path, or add the file',
    source='launch `include_launch_description.py`')
def launch_file_missing(description: Description) -> Iterator[Defect]:
    """
    Check that launch files name files that exist in the packages beside them, and that packages
    are dependencies.

    A path is reported if no file of its name is in the package, and the build does not make one.

    Example: os.path.join(get_package_share_directory('arm_bringup'), 'launch', 'robt.launch.py')
    """
    files, done = package_files(description), set()
    for file in launch_files(description):
        for package, path, place in file.shares:
            folder, name = files.packages.get(package), os.path.basename(path)
            if folder is None or not _FILE.search(path) or name in files.build.get(
                    str(folder / 'CMakeLists.txt'), '') or path in done:
                continue
            done.add(path)
            beside = {each.name: os.path.relpath(each, folder) for pattern in ('*', '*/*', '*/*/*')
                      for each in folder.glob(pattern)}
            if not {name, f'{name}.in', f'{name}.xacro'} & beside.keys():
                near = closest(name, beside)
                yield Defect(
                    file.element(place, 'path'), '{path} does not exist in {package}',
                    path=Name(path), package=FreeText(package), suggestion=near and beside[near])
    yield from _undeclared(description)


_FILE = re.compile(r'\.(?:py|xml|launch|ya?ml|rviz|urdf|xacro|srdf|sdf|world)\Z')


def _undeclared(description: Description) -> Iterator[Defect]:
    """Yield the packages whose nodes or files are used without a dependency."""
    files = package_files(description)
    families = known_names()['families']
    declared, pending = {files.name or ''}, [files.name or '']
    while pending:
        text = files.build.get(str(files.packages.get(pending.pop(), '') / 'package.xml'), '')
        new = {*DEPENDS.findall(text)} - declared
        declared |= new
        pending += new & files.packages.keys()
    covered = re.compile('|'.join((*map(re.escape, declared), *(
        families[each] for each in declared & families.keys()))))
    used: dict[str, Element] = {}
    for file in launch_files(description) if files.name else ():
        if files.folder in Path(file.path).parents:
            for package, place in (*((node.given.get('package', ''), node.place) for node in file.nodes),
                                   *((package, place) for package, _, place in file.shares)):
                if package and not covered.fullmatch(package) and _WORD.fullmatch(package):
                    used.setdefault(package, file.element(place, 'package'))
    if used:
        yield Defect(next(iter(used.values())), 'Launch files use {packages:and}, which package.xml does '
                     'not depend on', packages=[*map(Name, used)], hint='Write an <exec_depend> '
                     'for each, so that rosdep installs it')
