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

"""What editors, nodes, the view and the doctor make of hostile texts, without other processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from dataclasses import is_dataclass
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib.util import find_spec
import json
from pathlib import Path
from random import Random
from types import FunctionType
from types import SimpleNamespace
from typing import Any
from typing import NamedTuple
from xml.etree import ElementTree

from support.graph_records import GraphRecords
from support.graph_rule_cases import CASES
from support.recordings import messages_of
from support.recordings import record
from support.text_positions import cases_of_rules
from support.text_positions import descriptions
from support.text_positions import PLAIN
from support.text_positions import TEXTS
from support.text_positions import written
from support.text_runs import check_lines
from support.text_runs import check_sarif
from support.text_runs import command
from support.text_runs import Files
from support.text_runs import random_trial
from support.text_runs import RUNS
from support.text_runs import Trial
from support.text_runs import trials

from urdf_tools.check.validator import validates
from urdf_tools.doctor.graph_rules import as_data
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.graph_rules import in_format
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.doctor.robots import robot_of
from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import printable

RECORDS = find_spec('mcap') is not None

_TAGS = {'a', 'b', 'br', 'button', 'code', 'details', 'div', 'em', 'i', 'p', 'pre', 'small',
         'span', 'strong', 'style', 'summary', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
         'li', 'svg', 'path', 'caption', 'input', 'label', 'hr', 'h1', 'h2', 'h3'}


def over_the_network(text: str) -> str:
    """Return a text as a node receives it."""
    return text.replace('\0', '').encode('utf-8', 'replace').decode()


def editor(files: Files, folder: Path) -> None:
    """Open the file in the language server, and ask all that an editor asks there."""
    from lsprotocol import types
    from pygls.exceptions import JsonRpcException
    from pygls.exceptions import JsonRpcInternalError
    from pygls.workspace import Workspace
    from support.editor import put
    from urdf_tools.lsp.check_cycle import Preferences
    from urdf_tools.lsp.language_server import Session
    from urdf_tools.lsp.source_text import uri_of
    session = Session(Preferences(trusted=('/',)))
    session.server.protocol._workspace = Workspace(None, workspace_folders=[
        types.WorkspaceFolder(uri_of(str(files.folder)), '')])
    session.server.protocol.client_capabilities = types.ClientCapabilities()
    answers = {request: answer for request, answer in session.server.protocol.fm.features.items()
               if request.startswith(('textDocument/', 'workspace/sym')) and '/did' not in request}
    session._initialize(SimpleNamespace(initialization_options=None))
    position = files.trial.position
    path = str(files.folder / position.file)
    path = path if path.endswith(('.urdf', '.xacro', '.srdf')) else files.main
    for name in files.main, path:
        put(session._project, name, files.contents[str(Path(name).relative_to(files.folder))])
    checks = session._cycle.run()
    assert files.main in checks
    session._published.update(checks)
    for check in checks.values():
        assert 'internal-error' not in [found.finding.code for found in check.findings]
        sent(session._diagnostics(check))
    sent([list(each) for each in session._cycle.headlines.values()])
    positions = session._project.open[path].positions
    start = position.start if path.endswith(position.file) else 0
    for offset in start, start + 2:
        at = positions.range(offset, offset + 1)
        for name in PLAIN, files.text:
            params = SimpleNamespace(
                text_document=types.TextDocumentIdentifier(uri_of(path)), position=at.start,
                range=at, new_name=name, query=name, uri=uri_of(path), arguments={},
                context=SimpleNamespace(include_declaration=True, only=None))
            for answer in answers.values():
                try:
                    sent(answer(params))
                except JsonRpcInternalError:
                    raise
                except JsonRpcException as error:
                    sent(str(error))


def sent(value: object) -> None:
    """Check that a value can be sent to an editor."""
    from pygls.protocol import default_converter
    json.loads(json.dumps(default_converter().unstructure(value)).encode())


def services(files: Files, folder: Path) -> None:
    """Ask the services of model_server, and serialize all that nodes publish of a robot."""
    from rclpy.serialization import serialize_message
    from sensor_msgs.msg import JointState
    from urdf_tools.nodes.model_server import answers
    from urdf_tools.nodes.model_server.requests import RequestError
    from urdf_tools.nodes.model_server.requests import Server
    from urdf_tools.ros.findings import to_status
    from urdf_tools.ros.live_robot import LiveRobot
    text = over_the_network(files.contents[files.trial.described.main])
    name = over_the_network(files.text)
    states = JointState(name=[name], position=[0.0], velocity=[0.0])
    try:
        live = LiveRobot(loads(text), text)
    except DescriptionError:
        live = None

    def robot() -> LiveRobot:
        if live is None:
            raise RequestError('There is none')
        return live

    server = Server(robot, frame_prefix=name, loops_file=''.join(files.options[1:]))
    links = [] if live is None else [*live.robot.links]
    for service, requests in {
            'validate': [{'description': text}, {'ignore': [name]}, {'programs': [name]}],
            'convert_to_sdf': [{'description': text}, {'target': name}],
            'account': [{'description': text}, {}, {'programs': [name]}],
            'get_inertia': [{'link': name}, {'include_subtree': True}, {'joint_state': states},
                            *({'link': link} for link in links)],
            'get_link_transforms': [{}, {'frame_id': name, 'links': [name]}],
            'get_jacobian': [{'link': name}, {'joint_state': states},
                             *({'link': link} for link in links)],
            'compute_inertia': [{'mesh_resource': name, 'density': 1.0}]}.items():
        kind, answer, _ = answers.SERVICES[service]
        for request in requests:
            response = kind.Response()
            try:
                answer(server, kind.Request(**request), response)
            except RequestError as error:
                response.message = str(error)
            check_lines(printable(response.message))
            serialize_message(response)
            for line in getattr(response, 'headline', ()):
                check_lines(line)
    report = validates(text)
    for finding in report.findings:
        status = to_status(finding, report.robot)
        serialize_message(status)
        for shown in (status.message, status.hardware_id, *(
                part for value in status.values for part in (value.key, value.value))):
            check_lines(shown)


class _Markup(HTMLParser):
    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Check a tag."""
        assert tag in _TAGS, f'a tag of a text: {tag}'
        assert not [name for name, _ in attributes if name.startswith('on')], attributes


@cache
def viewer() -> Any:
    """Return the viewer of this process."""
    from urdf_tools.view.local_server import LocalServer
    from urdf_tools.view.viewer import Viewer
    return Viewer(LocalServer(port=8570))


def view(files: Files, folder: Path) -> None:
    """Show the robot in a page, with its findings, its names and the account of a program."""
    from support.viser_page import received
    from urdf_tools import KinematicTree
    from urdf_tools import ResourceResolver
    from urdf_tools.view.link_colours import LOSSES
    from urdf_tools.view.robot_view import Layer
    from urdf_tools.view.shape_library import MeshScenes
    from urdf_tools.view.shape_library import ShapeLibrary
    page = viewer()
    text = files.contents[files.trial.described.main]
    report = validates(text)
    try:
        robot = loads(text)
        resources = ResourceResolver(files.folder)
        page.use(KinematicTree(robot), ShapeLibrary(robot, resources.resolve, MeshScenes()))
        page.show(Layer.NAMES)
        page.set_report(report)
        page.mark_findings([*LOSSES][files.trial.position.start % len(LOSSES)])
        for link in robot.links:
            page.select(link)
    except DescriptionError as error:
        page.show_error(files.text, str(error), files.text)
    page._set_title('', 'the end')
    for message in received(page.server.url):
        parts = {**message, **message.get('props', {}), **message.get('updates', {})}
        for name in 'label', 'title', 'hint':
            assert (parts.get(name) or '').isprintable(), parts
        if 'Html' in message['type'] or 'content' in parts:
            _Markup().feed(str(parts.get('content', '')))
        if parts.get('label') == 'the end':
            break


RUNS.update({name: run for name, run, package in (
    ('editor', editor, 'pygls'), ('services', services, 'urdf_tools_interfaces'),
    ('view', view, 'viser')) if find_spec(package) is not None})


class GraphTrial(NamedTuple):
    """
    A graph that breaks a rule, where all that has a name has another one.

    :ivar run: ``graph``, or ``recording`` of it.
    :ivar case: the number of the case of the rule.
    :ivar name: the old name.
    :ivar text: the new one, of :data:`TEXTS`.
    """

    run: str
    case: int
    name: str
    text: str

    suffix = '.json'

    @property
    def data(self) -> bytes:
        """What it is, to be run again."""
        return json.dumps(self._asdict()).encode()

    def check(self, folder: Path) -> None:
        """Run it; see :meth:`support.text_runs.Trial.check`."""
        if self.run == 'graph':
            self._check_graph()
        else:
            self._check_recording(folder)

    def _records(self, text: str) -> GraphRecords:
        new = over_the_network(text)
        records = CASES[self.case].bad()
        vars(records).update(_renamed(vars(records), self.name, f'{self.name[:1]}{new}'
                                      if self.name.startswith('/') else new))
        return records

    def _check_graph(self) -> None:
        # A slash is a namespace, so the names that are compared have as many.
        slashes = '/'.join(PLAIN for _ in TEXTS[self.text].split('/'))
        seen, other = (self._records(text).observation() for text in (TEXTS[self.text], slashes))
        report, plain = (evaluate(each, 'graph') for each in (seen, other))
        codes, expected = (Counter(each.code for each in of.findings) for of in (report, plain))
        assert not codes['internal-error'], report.findings
        # Of a description that XML cannot have, only that is reported.
        if codes['description-unreadable'] <= expected['description-unreadable']:
            assert not expected - codes, f'lost: {expected - codes}, more: {codes - expected}'
        for verbose in False, True:
            check_lines(in_format(report, 'text', 0, 2, verbose=verbose))
            ElementTree.fromstring(in_format(report, 'junit', 0, 1, verbose=verbose))
        data = as_data(report, seen)
        assert Counter(each['code'] for each in data['findings']) == codes
        json.dumps(data)
        check_sarif(json.dumps(in_format(report, 'sarif', 0, 2)), {'findings': data['findings']})
        if find_spec('rclpy') is not None:
            from rclpy.serialization import serialize_message
            from urdf_tools.ros.findings import to_status
            for finding in report.findings:
                status = to_status(finding, 'graph')
                check_lines(status.message)
                serialize_message(status)

    def _check_recording(self, folder: Path) -> None:
        seen = self._records(TEXTS[self.text]).observation()
        if not messages_of(seen):
            return
        path, page = record(folder / 'run.mcap', seen), folder / 'page.html'
        command('doctor', str(path), '--report', str(page), '--verbose')
        shown = page.read_text()
        data = shown.partition('<script id="data" type="application/json">')[2].partition(
            '</script>')[0]
        json.loads(data)
        assert '<' not in data
        _, out = command('doctor', str(path), '--format', 'json', is_terminal=False)
        json.loads(out)


def _renamed(value: Any, old: str, new: str) -> Any:
    """Return data with another text instead of one, also within descriptions."""
    def inner(each: Any) -> Any:
        return _renamed(each, old, new)
    if isinstance(value, PublishedText):
        text = value.text.replace(f'"{old}"', f'"{written(new, "attribute")}"')
        return replace(value, topic=inner(value.topic), publisher=inner(value.publisher),
                       text=text, **dict(zip(('robot', 'error'), robot_of(text))))
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, dict):
        return {inner(key): inner(each) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, '_fields'):
        return type(value)(*map(inner, value))
    if isinstance(value, (tuple, list)):
        return type(value)(map(inner, value))
    if is_dataclass(value) and not isinstance(value, (type, FunctionType)):
        return replace(value, **{
            each.name: inner(getattr(value, each.name)) for each in fields(value) if each.init})
    return value


def _names(value: Any) -> Iterator[str]:
    """Yield the names of topics, nodes, frames, joints and controllers in data."""
    if isinstance(value, str):
        if value and '/msg/' not in value and len(value) < 60:
            yield value
    elif isinstance(value, dict):
        for each in value.items():
            yield from _names(each)
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _names(each)
    elif isinstance(value, PublishedText):
        yield from (value.topic, value.publisher)
        if value.robot is not None:
            yield from (*value.robot.links, *value.robot.joints)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _names(getattr(value, field.name))


@cache
def names_of(case: int) -> tuple[str, ...]:
    """Return the names in the graph of a case."""
    records = CASES[case].bad()
    return tuple(each for each in dict.fromkeys(_names(vars(records)))
                 if each not in records._others)


def any_trial(random: Random) -> Trial | GraphTrial:
    """Return any trial; a fifth of them are of graphs, and some of these of recordings."""
    if random.random() < 0.8:
        return random_trial(random)
    case = random.randrange(len(CASES))
    return GraphTrial(
        'recording' if RECORDS and random.random() < 0.1 else 'graph', case,
        random.choice(names_of(case)), random.choice([*TEXTS]))


def every_trial() -> Iterator[Trial | GraphTrial]:
    """Yield all trials, those of the cases of rules only with the verbs check and account."""
    for described in descriptions().values():
        yield from trials(described)
    for described in cases_of_rules().values():
        yield from trials(described, {name: RUNS[name] for name in ('check', 'account')})
    for run in ['graph', *['recording'] * RECORDS]:
        yield from graph_trials(run)


def graph_trials(run: str = 'graph') -> Iterator[GraphTrial]:
    """Yield all trials of graphs, or of recordings of them."""
    for case in range(len(CASES)):
        for name in names_of(case):
            for text in TEXTS:
                yield GraphTrial(run, case, name, text)
