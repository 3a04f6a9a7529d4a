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


import json
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
import pytest

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.finding import Severity


def type_hash(package: str, file: str, name: str) -> str:
    path = Path(get_package_share_directory(package), file)
    hashes = {entry['type_name']: entry['hash_string']
              for entry in json.loads(path.read_text())['type_hashes']}
    return hashes[name]


def test_our_tf_message_is_the_one_of_ros():
    assert type_hash('tf2_msgs', 'msg/TFMessage.json', 'tf2_msgs/msg/TFMessage') == (
        'RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087')


@pytest.mark.parametrize('name, expected', [
    ('ListControllers', '4f8e36bb1fa5afdeba45c2d56ae6a2097b1493a253f961dd6290c085033bd189'),
    ('ListHardwareInterfaces',
     'c3e561a6e8cc7b9d577d8065c783038e51f6950cbe9bed67fb117a3e2e04d8f1')])
def test_our_services_of_controller_managers_are_those_of_ros2_control(name, expected):
    """They are the same in Jazzy, from 4.31 on, and Kilted."""
    pytest.importorskip(
        'controller_manager_msgs', reason='controller_manager_msgs is not installed')
    assert type_hash('controller_manager_msgs', f'srv/{name}.json', (
        f'controller_manager_msgs/srv/{name}')) == f'RIHS01_{expected}'


@pytest.mark.parametrize('message, values', [('Finding', Severity), ('Consequence', Impact)])
def test_numbers_are_the_same_in_messages(message, values):
    messages = pytest.importorskip('urdf_tools_interfaces.msg')
    for value in values:
        assert getattr(getattr(messages, message), value.name) == value
