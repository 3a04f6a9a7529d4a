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

"""The validator node from outside: log, report, service, diagnostics."""

from pathlib import Path
import signal

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from diagnostic_msgs.srv import SelfTest
from urdf_tools import validates
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.message import as_texts
from urdf_tools.nodes.model_validator import MAX_LOGGED
from urdf_tools.ros.topics import LATCHED

GOOD = (Path(__file__).parents[2] / 'urdf' / 'arm.urdf').read_text()
# No node can load this: there is no link of the name hand.
BAD = """<robot name="bad">
  <link name="base"/><link name="arm"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="1" upper="-1" effort="1" velocity="1"/>
  </joint>
  <joint name="elbow" type="fixed">
    <parent link="arm"/><child link="hand"/>
  </joint>
</robot>
"""
HOSTILE = {
    '/etc/hostname': '',
    '': '',
    '<robot name="cut off">': '',
    '<!DOCTYPE r [<!ENTITY a "b">]><robot name="r">&a;</robot>': '',
    '<?xml version="1.0" encoding="UTF-16"?>' + BAD: 'bad',
    '<robot name="big"><!--' + 'x' * 40_000_000 + '--></robot>': ''}
TASK = 'model_validator: Validation'
LEVELS = (DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR)


def values(status):
    return {value.key: value.value for value in status.values}


def check_statuses(statuses, findings, robot):
    assert [status.name for status in statuses] == [finding.code for finding in findings]
    for status, finding in zip(statuses, findings):
        assert status.level == LEVELS[finding.severity]
        assert (status.message, status.hardware_id) == (finding.message, robot)
        assert values(status).get('Line') == (finding.line and str(finding.line))
        assert values(status).get('Hint', '') == finding.hint
        assert values(status).get('Element', '') == finding.element
        assert values(status).get('Consumers', '') == ', '.join(finding.consumers)
        assert {key.partition(' ')[2]: text for key, text in values(status).items()
                if key.startswith('argument ')} == {
                    name: text for name, text in as_texts(finding.arguments).items() if text}
        assert {key.partition(' ')[2]: text for key, text in values(status).items()
                if key.startswith('consequence ')} == sentences(finding.consequences)


def test_every_description_is_validated(nodes, client):
    validator = nodes.start('model_validator')
    early = client.call(SelfTest, 'model_validator/validate')
    assert early.passed == b'\x00'
    assert early.status[0].message == 'Waiting for a robot description on /robot_description'
    assert client.status(TASK, lambda status: True).message == 'No robot description yet'

    client.describe(GOOD)
    task = client.status(TASK, lambda status: values(status))
    assert task.level != DiagnosticStatus.ERROR
    assert values(task)['Errors'] == '0'
    good = client.call(SelfTest, 'model_validator/validate')
    assert (good.id, good.passed) == ('arm', b'\x01')
    check_statuses(good.status, validates(GOOD).findings, 'arm')
    validator.wait_for_line('INFO.*: /robot_description: Valid: 0 errors, ')

    client.describe(BAD)
    task = client.status(TASK, lambda status: status.level == DiagnosticStatus.ERROR)
    assert values(task)['Errors'] == '2'
    assert values(task)['First codes'].startswith('limit-inverted, child-link-missing')
    bad = client.call(SelfTest, 'model_validator/validate')
    assert (bad.id, bad.passed) == ('bad', b'\x00')
    check_statuses(bad.status, validates(BAD).findings, 'bad')
    validator.wait_for_line(r"ERROR.*: /robot_description:5:5: .*'shoulder'.*\[limit-inverted\]$")
    validator.wait_for_line(r"ERROR.*: /robot_description:8:\d+: .*'hand'.*\[child-link-")

    reports = client.subscribe(DiagnosticArray, 'model_validator/report', LATCHED)
    late = client.wait_for(lambda: reports, 'the latched report')[-1]
    assert late.status == bad.status
    assert late.header.stamp.sec

    for text, robot in HOSTILE.items():
        reports.clear()
        client.describe(text)
        report = client.wait_for(lambda: reports, f'the report on {text[:50]!r}')[-1]
        check_statuses(report.status, validates(text).findings, robot)
    reports.clear()
    client.describe(f'<robot name="many">{"<link/>" * 1000}</robot>')
    client.wait_for(lambda: reports, 'the report on many faults')
    validator.wait_for_line('Invalid: 1000 errors, .* 950 of them are not listed$')
    assert sum('[link-no-name]' in line for line in validator.lines) == MAX_LOGGED
    assert validator.stop(signal.SIGTERM) == 0
    assert 'Traceback' not in validator.output
