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

"""The table of rates of a recording against numpy, and what a policy requires of it."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from support.recordings import clock
from support.recordings import joint_state
from support.recordings import KINDS
from support.recordings import start
from support.recordings import tf_message
from support.recordings import write_mcap
from support.recordings import Written

from urdf_tools.cli import main
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.topic_rates import _Spread
from urdf_tools.doctor.topic_rates import read_policy
from urdf_tools.doctor.topic_rates import unmet
from urdf_tools.findings.finding import Severity
from urdf_tools.model.errors import DescriptionError

pytest.importorskip('mcap', reason='mcap is not installed')

SECOND = 10**9
BEGIN = 1_700_000_000 * SECOND


def arrivals(seconds: float = 30.0) -> np.ndarray:
    """Return times in nanoseconds at about 50 Hz, with jitter and a gap of 2 s."""
    rng = np.random.default_rng(3)
    times = np.cumsum(0.02 * rng.uniform(0.7, 1.4, round(50 * seconds)))
    times[times > 12.0] += 2.0
    return BEGIN + np.round(times * SECOND).astype(np.int64)


LATENCIES = np.random.default_rng(4).uniform(0.01, 0.08, 1500)


def record(path, pace: float = 1.0):
    """Write joint states, an IMU, transforms, and a topic without stamps."""
    times = arrivals()
    stamps = times - np.round(LATENCIES * SECOND).astype(np.int64)
    stamps[700] -= SECOND
    messages = [Written('/cmd_vel', int(time), b'\0\1\0\0' + bytes(48)) for time in times[::5]]
    for row, (time, stamp) in enumerate(zip(times.tolist(), stamps.tolist())):
        messages += [
            Written('/joint_states', time, joint_state(stamp, ['turn'], [0.0]), row + 1),
            Written('/imu', time, bytes(start(stamp, 'imu' if row < 1000 else 'imu_link')) +
                    bytes(320), row + 1),
            Written('/tf', time, tf_message([stamp] * 2, ['a', 'b'], ['b', 'c'],
                                            [(0, 0, 0, 0, 0, 0, 1)] * 2), row + 1)]
    kinds = {**{topic: KINDS[topic] for topic in ('/joint_states', '/tf')},
             '/imu': 'sensor_msgs/msg/Range', '/cmd_vel': 'geometry_msgs/msg/Twist'}
    return write_mcap(path, sorted(messages, key=lambda each: each.received), kinds)


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """Return the path of a recording."""
    return record(tmp_path_factory.mktemp('rates') / 'run.mcap')


@pytest.fixture(scope='module')
def rates(recording):
    """Return its table."""
    return evaluate_recording(recording).rates


@pytest.fixture(scope='module')
def rows(rates):
    """Return its table, by topic."""
    return {row['topic']: row for row in rates}


@pytest.mark.parametrize('topic', ['/joint_states', '/imu', '/tf', '/cmd_vel'])
def test_the_table_is_that_of_numpy(rows, topic):
    row, times = rows[topic], arrivals()[::5 if topic == '/cmd_vel' else 1]
    steps = np.diff(times) / SECOND
    assert row['messages'] == len(times)
    assert row['rate'] == pytest.approx(len(steps) / steps.sum(), rel=1e-6)
    assert row['jitter_p99'] == pytest.approx(
        np.quantile(np.abs(steps - np.median(steps)), 0.99), rel=0.02)
    assert (row['gaps'], row['longest_gap']) == (1, pytest.approx(steps.max()))
    at = (times[steps.argmax()] - arrivals()[0]) / SECOND
    assert row['longest_gap_at'] == pytest.approx(at)


@pytest.mark.parametrize('topic', ['/joint_states', '/imu', '/tf'])
def test_latency_and_stamps_that_go_back(rows, topic):
    row = rows[topic]
    assert row['latency_median'] == pytest.approx(np.median(LATENCIES), rel=0.01)
    assert row['latency_p99'] == pytest.approx(np.quantile(LATENCIES, 0.99), rel=0.01)
    times = arrivals() - np.round(LATENCIES * SECOND).astype(np.int64)
    times[700] -= SECOND
    parts = [times[:1000], times[1000:]] if topic == '/imu' else [times]
    assert row['regressions'] == sum(int((np.diff(part) < 0).sum()) for part in parts) > 0


def test_what_is_unknown_is_no_number(rows):
    assert [rows['/cmd_vel'][key] for key in (
        'latency_median', 'latency_p99', 'regressions', 'frames')] == [None, None, None, []]
    assert (rows['/imu']['frames'], rows['/tf']['frames']) == (['imu', 'imu_link'], ['b', 'c'])


def test_a_simulation_is_measured_by_its_clock(tmp_path):
    """It runs at half the speed, with a clock of 10 Hz."""
    messages = []
    for step in range(2000):
        received, time = BEGIN + step * SECOND // 50, step * SECOND // 100 + 5 * SECOND
        messages.append(Written('/joint_states', received, joint_state(
            time - SECOND // 50, ['turn'], [0.0]), step + 1))
        if step % 10 == 0:
            messages.append(Written('/clock', received, clock(time)))
    path = write_mcap(tmp_path / 'run.mcap', messages, {
        topic: KINDS[topic] for topic in ('/clock', '/joint_states')})
    (row,) = (row for row in evaluate_recording(path).rates if row['topic'] == '/joint_states')
    assert row['rate'] == pytest.approx(100, rel=0.01)
    assert row['jitter_p99'] < 1e-3 and row['longest_gap'] < 0.02
    assert row['latency_median'] == pytest.approx(0.02, abs=2e-3)


def test_a_silence_until_the_end_is_a_gap(tmp_path):
    messages = [Written(topic, BEGIN + step * SECOND // 10, joint_state(
        BEGIN + step * SECOND // 10, ['turn'], [0.0]), step + 1)
        for step in range(200) for topic in (
            '/joint_states', *(['/other'] if step <= 120 else []))]
    path = write_mcap(tmp_path / 'run.mcap', messages, {
        '/joint_states': KINDS['/joint_states'], '/other': KINDS['/joint_states']})
    rows = {row['topic']: row for row in evaluate_recording(path).rates}
    assert (rows['/other']['gaps'], rows['/other']['longest_gap'], rows['/other']['rate']) == (
        1, pytest.approx(7.9), pytest.approx(10))
    assert rows['/other']['longest_gap_at'] == pytest.approx(12.0)
    assert rows['/joint_states']['gaps'] == 0


def test_quantiles_take_no_more_room_for_more_messages():
    spread = _Spread()
    for seed in range(20):
        spread.add(np.random.default_rng(seed).uniform(0.009, 0.011, 10_000))
    sizes, numbers = spread.counted()
    assert numbers.sum() == 200_000 and len(sizes) < 250


def of_policy(rates, tmp_path, text) -> dict:
    """Return what is found with a policy and for how many seconds it was so, by the key."""
    (tmp_path / 'policy.yaml').write_text(text)
    found = unmet(read_policy(str(tmp_path / 'policy.yaml')), rates, (0, 33 * SECOND))
    return {finding.subject: (finding, (end - begin) / SECOND)
            for finding, (begin, end) in found}


MET = """topics:
  /joint_states: {min_rate: 40, max_rate: 60, max_gap: 2.1, max_jitter: 0.1, max_latency: 0.1}
  /imu: {frames: [imu, imu_link], max_regressions: 1000}
  /cmd_vel:
"""


def test_a_policy_that_is_met(rates, tmp_path):
    assert of_policy(rates, tmp_path, MET) == {}


@pytest.mark.parametrize(('required', 'message'), [
    ('min_rate: 50', 'The rate is 44.'), ('max_rate: 40.5', 'above the 40.5 Hz of the policy'),
    ('max_gap: 1.5', 'The longest gap is 2.0'), ('max_jitter: 0.005', 'The jitter (p99) is 0.0'),
    ('max_latency: 0.05', 'The latency (p99) is 0.07'),
    ('max_regressions: 0', 'The number of stamps that go back is '),
    ('frames: imu', '1 frame not in the policy: imu_link'),
    ('frames: [imu, imu_link, laser]', '1 frame of the policy not used: laser')])
def test_what_is_not_met_is_a_finding_of_the_topic(rates, tmp_path, required, message):
    ((found, seconds),) = of_policy(
        rates, tmp_path, f'topics:\n  /imu:\n    {required}\n').values()
    assert message in found.message
    assert (found.topic, found.subject, found.severity) == (
        '/imu', required.partition(':')[0], Severity.ERROR)
    assert seconds == pytest.approx(2.02 if 'gap' in required else 33, abs=0.02)


def test_what_cannot_be_measured_is_not_met(rates, tmp_path):
    found = of_policy(rates, tmp_path,
                      'topics: {/cmd_vel: {max_latency: 1, max_regressions: 0, max_gap: 9}}')
    assert {key: finding.message for key, (finding, _) in found.items()} == {
        'max_latency': 'The latency (p99) is unknown: it needs stamps by a clock that was '
                       'recorded',
        'max_regressions': 'The number of stamps that go back is unknown: it needs stamps, from '
                           'publishers that can be told apart'}


def test_a_topic_that_was_not_recorded(rates, tmp_path):
    ((found, _),) = of_policy(rates, tmp_path, 'topics: {/imuu: {min_rate: 1}}').values()
    assert found.message == 'Nothing was published on this topic of the policy'
    assert (found.topic, found.hint) == ('/imuu', "Did you mean '/imu'?")


@pytest.mark.parametrize(('text', 'line', 'error'), [
    ('', 1, 'It has no key topics'), ('topic: {}', 1, "Did you mean 'topics'?"),
    ('topics: [/imu]', 1, 'This is not a mapping'),
    ('topics:\n  imu: {min_rate: 1}', 2, "Did you mean '/imu'?"),
    ('topics:\n  /imu: {min_rates: 1}', 2, "Did you mean 'min_rate'?"),
    ('topics:\n  /imu:\n    min_rate: fast', 3, "'fast' is not a number"),
    ('topics:\n  /imu:\n    min_rate: [1]', 3, 'This is not a number'),
    ('topics:\n  /imu:\n    max_gap: -1', 3, 'max_gap is negative'),
    ('topics:\n  /imu:\n    max_gap: .inf', 3, 'is not a number'),
    ('topics:\n  /imu:\n    frames: {a: b}', 3, 'This is not a text'),
    ('topics:\n  /imu:\n  /imu:', 3, "There is another topic '/imu'"),
    ('topics: {/a: !!python/object/apply:os.system [id]}', 1, 'This is not a mapping'),
    ('topics: {/a: &a {frames: *a}}', 1, 'This is not a text'),
    ('topics: {<<: {/a: }}', 1, 'does not begin with a slash'),
    ('topics: ' + '{/a: ' * 3000, 1, 'It is nested too deeply'),
    ('a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b', 3, 'It is not YAML'),
    ('\0', 1, 'It is not YAML'), ('x' * 1_000_001, 1, 'more than 1000000 bytes')])
def test_errors_of_a_policy(tmp_path, text, line, error):
    (tmp_path / 'policy.yaml').write_text(text)
    with pytest.raises(DescriptionError) as raised:
        read_policy(str(tmp_path / 'policy.yaml'))
    assert error in raised.value.message and raised.value.line == line


@pytest.mark.slow
def test_exit_codes_and_formats(recording, tmp_path, capsys):
    policy = tmp_path / 'policy.yaml'
    policy.write_text('topics: {/imu: {min_rate: 90}, /scan: {frames: laser}, /a: , /b: , /c: }')
    arguments = ['doctor', str(recording), '--select', 'control', '--policy', str(policy)]
    assert main(arguments[:4]) == 0
    capsys.readouterr()
    assert main([*arguments, '--rates']) == 1
    text = capsys.readouterr().out
    assert '/imu: error: The rate is 44.' in text and '/c: error: Nothing was' in text
    assert any(line.startswith('/tf  ') and 'b, +1' in line for line in text.splitlines())
    assert main([*arguments, '--format', 'junit']) == 1
    suite = ElementTree.fromstring(capsys.readouterr().out)
    assert suite.get('failures') == '1' and suite.find('.//testcase').get('name') == str(recording)
    assert '/imu: error: The rate is 44.' in suite.find('.//failure').text
    assert '/c: error: Nothing was' in suite.find('.//failure').text
    assert main([*arguments, '--format', 'sarif']) == 1
    (run,) = json.loads(capsys.readouterr().out)['runs']
    assert [result['ruleId'] for result in run['results']] == ['policy-not-met'] * 5
    assert main([*arguments, '--format', 'json']) == 1
    assert {row['topic'] for row in json.loads(capsys.readouterr().out)['rates']} == {
        '/cmd_vel', '/imu', '/joint_states', '/tf'}
    policy.write_text(MET)
    assert main(arguments) == 0
    policy.write_text('topics: {/imu: {rate: 1}}')
    assert main(arguments) == 2
    assert f"{policy}:1:17: Key 'rate' does not exist" in capsys.readouterr().err


def test_a_folder_of_recordings_with_a_policy(tmp_path, capsys):
    (tmp_path / 'runs').mkdir()
    record(tmp_path / 'runs' / 'one.mcap')
    record(tmp_path / 'runs' / 'two.mcap')
    arguments = ['doctor', str(tmp_path / 'runs'), '--select', 'control']
    assert main(arguments) == 0
    policy = tmp_path / 'policy.yaml'
    policy.write_text('topics: {/imu: {min_rate: 90}}')
    assert main([*arguments, '--policy', str(policy)]) == 1
    assert 'policy-not-met           2' in capsys.readouterr().out
    assert main([*arguments, '--rates']) == 2
    assert '--rates is about a single recording' in capsys.readouterr().err
