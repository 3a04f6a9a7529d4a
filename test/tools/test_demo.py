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

"""What the demo takes and shows, and its end, which is that of its nodes."""

from pathlib import Path
import re
import signal
import subprocess
import sys
import time

from node_processes import Process
import pytest
from support.doc_commands import is_shown

from urdf_tools import loads
from urdf_tools.cli import main

pytestmark = pytest.mark.slow

DEMO = Path(__file__).resolve().parents[2] / 'tools' / 'demo.py'


def children(pid):
    text = Path(f'/proc/{pid}/task/{pid}/children').read_text()
    return [int(child) for child in text.split()]


@pytest.mark.parametrize(('number', 'code'), [
    (signal.SIGTERM, 128 + signal.SIGTERM),
    (signal.SIGHUP, 128 + signal.SIGHUP),
    (signal.SIGKILL, -signal.SIGKILL)])
def test_whatever_ends_the_demo_ends_its_nodes(own_domain, number, code):
    pytest.importorskip('urdf_tools_interfaces')
    demo = Process('demo', [sys.executable, str(DEMO), '--keep-running'])
    demo.wait_for_line('runs in ROS domain', 60)
    nodes = children(demo.pid)
    assert len(nodes) == 5 + 1  # The worker that has expanded the description is one, too.
    assert demo.stop(number, 60) == code, demo.output
    deadline = time.monotonic() + 60
    while any(Path(f'/proc/{node}').exists() for node in nodes):
        assert time.monotonic() < deadline, 'nodes outlived the demo'
        time.sleep(0.01)


@pytest.mark.slow
def test_what_the_demo_records_has_no_defect(own_domain, tmp_path, capsys):
    pytest.importorskip('urdf_tools_interfaces')
    pytest.importorskip('mcap')
    path = tmp_path / 'run.mcap'
    result = subprocess.run([sys.executable, DEMO, '--record', path, ''], cwd=DEMO.parents[1],
                            capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    assert main(['doctor', str(path)]) == 0
    out = capsys.readouterr().out
    assert "'mobile_manipulator'" in out and '5 topics' in out and '0 errors' in out, out


def test_a_recording_that_cannot_be_written(own_domain, tmp_path):
    pytest.importorskip('urdf_tools_interfaces')
    pytest.importorskip('mcap')
    result = subprocess.run([sys.executable, DEMO, '--record', tmp_path, ''], cwd=DEMO.parents[1],
                            capture_output=True, text=True, timeout=120)
    assert result.returncode == 1
    assert result.stderr == f'demo: {tmp_path}: Is a directory\n'


@pytest.mark.slow
def test_the_demo_prints_what_the_readme_shows(own_domain):
    pytest.importorskip('urdf_tools_interfaces')
    readme = DEMO.parents[1].joinpath('README.md').read_text(encoding='utf-8')
    shown = re.search('```text\n(── The robot.*?)```', readme, re.DOTALL)[1].splitlines()
    result = subprocess.run(
        [sys.executable, DEMO], cwd=DEMO.parents[1], capture_output=True, text=True,
        timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    assert is_shown(result.stdout.splitlines(), ('...', *shown)), result.stdout


XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<link name="$(arg name)_$(arg side)_arm"/></robot>"""


@pytest.mark.parametrize('options, target', [
    ([], 'demo'), (['--keep-running'], 'run'), (['--view'], 'view')])
def test_the_line_to_type_has_the_missing_argument(tmp_path, options, target):
    pytest.importorskip('urdf_tools_interfaces')
    pytest.importorskip('xacro')
    model = tmp_path / 'a robot.urdf'
    model.write_text(XACRO)
    result = subprocess.run(
        [sys.executable, DEMO, *options, model, 'name:=a b'], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        f"Type: make {target} MODEL='{model}' ARGS=" + """''"'"'name:=a b'"'"' side:=VALUE'""")


@pytest.mark.slow
def test_the_domain_is_kept_and_xacro_arguments_are_none_of_ros(tmp_path, own_domain):
    pytest.importorskip('urdf_tools_interfaces')
    pytest.importorskip('xacro')
    model = tmp_path / 'robot.urdf'
    model.write_text(XACRO.replace('_$(arg side)_arm', ''))
    result = subprocess.run(
        [sys.executable, DEMO, model, 'name:=base_link'], capture_output=True, text=True,
        timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f'domain {own_domain}: ' in result.stdout.splitlines()[0]
    assert 'remap' not in result.stdout + result.stderr


JOINT = """<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{0}"/><axis xyz="0 1 0"/>
<origin xyz="0.1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<link name="{0}"/>"""


@pytest.mark.parametrize('joints, expected', [
    ([('wheel', 'continuous', 'base')], 'wheel'),
    ([('wheel', 'continuous', 'base'), ('hook', 'fixed', 'wheel'), ('laser', 'fixed', 'base')],
     'hook'),
    ([('shoulder', 'revolute', 'base'), ('elbow', 'revolute', 'shoulder'),
      ('hand', 'revolute', 'elbow'), ('wheel', 'continuous', 'base')], 'hand'),
    ([], 'base')])
def test_the_pose_that_is_shown_is_one_that_moves(joints, expected):
    pytest.importorskip('urdf_tools_interfaces')
    from demo import most_moved_link
    robot = loads('<robot name="r"><link name="base"/>' + ''.join(
        JOINT.format(*joint) for joint in joints) + '</robot>')
    assert most_moved_link(robot) == expected
