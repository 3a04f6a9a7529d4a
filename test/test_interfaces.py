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

from urdf_tools.validation.finding import Severity


def test_our_tf_message_is_the_one_of_ros():
    path = Path(get_package_share_directory('tf2_msgs'), 'msg', 'TFMessage.json')
    hashes = {entry['type_name']: entry['hash_string']
              for entry in json.loads(path.read_text())['type_hashes']}
    assert hashes['tf2_msgs/msg/TFMessage'] == (
        'RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087')


def test_severities_are_the_same_in_messages():
    messages = pytest.importorskip('urdf_tools_interfaces.msg')
    for severity in Severity:
        assert getattr(messages.Finding, severity.name) == severity
