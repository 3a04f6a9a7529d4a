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

from atexit import register
from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import fields
from dataclasses import is_dataclass
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib.util import find_spec
import json
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp
from types import FunctionType
from types import SimpleNamespace
from typing import Any
from typing import NamedTuple
from xml.etree import ElementTree

from support.graph_records import GraphRecords
from support.graph_rule_cases import CASES
from support.recordings import KINDS as MADE_OF_BYTES
from support.recordings import messages_of
from support.recordings import record
from support.text_positions import cases_of_rules
from support.text_positions import descriptions
from support.text_positions import PLAIN
from support.text_positions import TEXTS
from support.text_positions import with_any
from support.text_positions import written
from support.text_runs import BROWSED
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
from urdf_tools.messages.batches import MAX_NAME
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
    for lines in session._cycle.headlines.values():
        sent(list(lines))
        for line in lines:
            check_lines(line)
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
    from urdf_tools.ros.request_size import RequestError
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
    page = viewer()
    show(page, files)
    page._set_title('', 'the end')
    for message in received(page.server.url):
        parts = {**message, **message.get('props', {}), **message.get('updates', {})}
        for name in 'label', 'title', 'hint':
            assert (parts.get(name) or '').isprintable(), parts
        if 'Html' in message['type'] or 'content' in parts:
            _Markup().feed(str(parts.get('content', '')))
        if parts.get('label') == 'the end':
            break


def show(page: Any, files: Files) -> None:
    """Show the robot, its findings, its names and the losses of a program."""
    from urdf_tools import KinematicTree
    from urdf_tools import ResourceResolver
    from urdf_tools.programs.models import WITH_MJCF
    from urdf_tools.view.robot_view import Layer
    from urdf_tools.view.shape_library import MeshScenes
    from urdf_tools.view.shape_library import ShapeLibrary
    text = files.contents[files.trial.described.main]
    report = validates(text)
    try:
        robot = loads(text)
        resources = ResourceResolver(files.folder)
        page.use(KinematicTree(robot), ShapeLibrary(robot, resources.resolve, MeshScenes()))
        page.show(Layer.NAMES)
        page.set_report(report)
        page.mark_findings(WITH_MJCF[files.trial.position.start % len(WITH_MJCF)])
        for link in robot.links:
            page.select(link)
    except DescriptionError as error:
        page.show_error(files.text, str(error), files.text)


_TOUCHED = """
(() => {
  for (const each of document.querySelectorAll('*')) {
    each.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
  }
  const strange = [...document.querySelectorAll('*')].filter(each => [...each.attributes].some(
    attribute => /^on/i.test(attribute.name) || /^\\s*javascript:/i.test(attribute.value)
      || attribute.name === 'src' && attribute.value === 'x'));
  return {ran: String(window.hacked), strange: strange.map(each => each.outerHTML.slice(0, 200))};
})()
"""
"""Move over every element, and find those of texts."""


@cache
def browser() -> Any:
    """Return the page of this process in a headless Chromium."""
    from support.devtools import Page
    return Page('about:blank')


def check_markup(page: Any) -> None:
    """Check that no markup of a text is in a page."""
    touched = page.evaluate(_TOUCHED)
    assert touched == {'ran': 'undefined', 'strange': []}, touched


def browse_view(files: Files, folder: Path) -> None:
    """Show the robot in a page of a browser, each name with a text of its own."""
    files = Files(files.trial, folder, change=with_any)
    shown, page = viewer(), browser()
    if page.evaluate('location.href').rstrip('/') != shown.server.url.rstrip('/'):
        page.call('Page.navigate', url=shown.server.url)
        page.wait(shown.server.get_clients, 'the page')
    show(shown, files)
    shown._set_title('', f'the end {len(_SHOWN)}')
    page.wait(lambda: f'the end {len(_SHOWN)}' in page.text(), 'the title')
    _SHOWN.append(files.trial.text)
    check_markup(page)


_SHOWN: list[str] = []
"""What the page of this process has shown."""


def browse_report(path: Path) -> None:
    """Open the report of a recording in a browser; it loads nothing."""
    page = browser()
    page.call('Page.navigate', url=path.as_uri())
    page.wait(lambda: page.evaluate(
        f'document.readyState === "complete" && location.href === {json.dumps(path.as_uri())}'))
    check_markup(page)
    assert page.evaluate('performance.getEntriesByType("resource").length') == 0


@cache
def untouched_recording() -> Path:
    """Return the path of a recording of a robot."""
    folder = Path(mkdtemp())
    register(rmtree, folder)
    return record(folder / 'run.mcap', next(
        seen for case in CASES if (seen := case.bad().observation()).texts and messages_of(seen)))


def doctor(files: Files, folder: Path) -> None:
    """Compare a recording with the description."""
    path = str(untouched_recording())
    command('doctor', path, '--model', files.main, '--verbose', '--report', str(
        folder / 'report.html'))
    json.loads(command('doctor', path, '--model', files.main, '--format', 'json',
                       is_terminal=False)[1] or '{}')


def frames(files: Files, folder: Path) -> None:
    """Write a recording with the frames of the description, and read it."""
    path = folder / 'frames.mcap'
    path.unlink(missing_ok=True)
    code, _ = command('bag', 'frames', str(untouched_recording()), '--model', files.main, '-o',
                      str(path))
    if code == 0:
        codes = Counter(each['code'] for each in json.loads(command(
            'doctor', str(path), '--format', 'json', is_terminal=False)[1])['findings'])
        assert not codes.keys() & {'internal-error', 'description-unreadable'}, codes


RUNS.update({name: run for name, run, package in (
    ('editor', editor, 'pygls'), ('services', services, 'urdf_tools_interfaces'),
    ('view', view, 'viser'), ('doctor', doctor, 'mcap'), ('frames', frames, 'mcap')
) if find_spec(package) is not None})


BROWSED['browser'] = browse_view


class GraphTrial(NamedTuple):
    """
    A graph that breaks a rule, where all that has a name has another one.

    :ivar run: ``graph``, ``recording`` of it, or ``page``: its report in a browser.
    :ivar case: the number of the case of the rule.
    :ivar name: the old name, or an empty one: all names get the text at their ends.
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
        names = {self.name: f'/{new}' if self.name.startswith('/') else new} if self.name else {
            name: with_any(name) if self.run == 'page' else name + new
            for name in names_of(self.case) if name not in MADE_OF_BYTES}
        vars(records).update(_renamed(vars(records), names))
        return records

    def _plain(self) -> str:
        # A slash is a namespace, so the names that are compared have as many.
        return '/'.join(PLAIN for _ in TEXTS[self.text].split('/'))

    def _check_graph(self) -> None:
        seen, other = (
            self._records(text).observation() for text in (TEXTS[self.text], self._plain()))
        report, plain = (evaluate(each, 'graph') for each in (seen, other))
        codes, expected = (Counter(each.code for each in of.findings) for of in (report, plain))
        if self.name and not TEXTS[self.text]:
            expected = Counter()  # What has no name is nothing that a node can wait for.
        check_codes(codes, expected)
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
        if not messages_of(seen) or self.name == '/clock':  # It is written by this name only.
            return
        path, page = record(folder / 'run.mcap', seen), folder / 'page.html'
        command('doctor', str(path), '--report', str(page), '--verbose', '--rates')
        if self.run == 'page':
            return browse_report(page)
        shown = page.read_text()
        data = shown.partition('<script id="data" type="application/json">')[2].partition(
            '</script>')[0]
        json.loads(data)
        assert '<' not in data
        if len(TEXTS[self.text]) > MAX_NAME:
            return  # Frames of such names are left out.
        record(path, self._records(self._plain()).observation())
        _, other = command('doctor', str(path), '--format', 'json', is_terminal=False)
        record(path, seen)
        _, out = command('doctor', str(path), '--format', 'json', is_terminal=False)
        check_codes(*(Counter(each['code'] for each in json.loads(data)['findings'])
                      for data in (out, other)))
        ElementTree.fromstring(command('doctor', str(path), '--format', 'junit')[1])


def check_codes(codes: Counter[str], expected: Counter[str]) -> None:
    """Check that what is found with plain names is found."""
    assert not codes['internal-error'], codes
    # Of a description that XML cannot have, only that is reported.
    if codes['description-unreadable'] <= expected['description-unreadable']:
        assert not expected - codes, f'lost: {expected - codes}, more: {codes - expected}'


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return data with other names, also within descriptions."""
    def inner(each: Any) -> Any:
        return _renamed(each, names)
    if isinstance(value, PublishedText):
        text = value.text
        for old, new in names.items():
            text = text.replace(f'"{old}"', f'"{written(new, "attribute")}"')
        return replace(value, topic=inner(value.topic), publisher=inner(value.publisher),
                       text=text, **dict(zip(('robot', 'error'), robot_of(text))))
    if isinstance(value, str):
        return names.get(value, value)
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
    return tuple(each for each in dict.fromkeys(_names([*vars(records).values()]))
                 if each not in records._others)


def any_trial(random: Random) -> Trial | GraphTrial:
    """Return any trial; a fifth of them are of graphs, and some of these of recordings."""
    if random.random() < 0.8:
        return random_trial(random)
    case = random.randrange(len(CASES))
    run = 'recording' if RECORDS and random.random() < 0.3 else 'graph'
    # The writer of recordings has not the memory for names of a million characters everywhere.
    texts = TEXTS.keys() - {'million'} if run == 'recording' else TEXTS
    return GraphTrial(run, case, random.choice(['', *names_of(case)]),
                      random.choice(sorted(texts)))


def any_page(random: Random) -> Trial | GraphTrial:
    """Return any trial that needs a browser; each name has a text of its own."""
    if random.random() < 0.5:
        return GraphTrial('page', random.randrange(len(CASES)), '', 'markup')
    described = random.choice([*descriptions().values()])
    return Trial('browser', described, next(described.positions()), 'markup', 'names')


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
        for name in ('', *names_of(case)):
            for text in TEXTS:
                yield GraphTrial(run, case, name, text)
