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
"""The page: a robot, its panels, and the state that is kept when the robot changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from functools import partial
from itertools import islice
import json
from pathlib import Path
from textwrap import dedent
import threading
from types import MappingProxyType
from typing import Any

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.kinematics import KinematicTree
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import count
from urdf_tools.model.messages import printable
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.programs.models import WITH_MJCF
from urdf_tools.programs.summaries import lines_of
from urdf_tools.types import Array
from urdf_tools.view.camera import Camera
from urdf_tools.view.joint_panel import JointPanel
from urdf_tools.view.link_colours import account_for
from urdf_tools.view.link_colours import add_findings
from urdf_tools.view.link_colours import compared
from urdf_tools.view.link_colours import finding_remark
from urdf_tools.view.link_colours import FindingsByLink
from urdf_tools.view.link_colours import loss_colours
from urdf_tools.view.link_colours import MARKS
from urdf_tools.view.link_colours import MEANINGS
from urdf_tools.view.link_colours import SEVERITY_COLOURS
from urdf_tools.view.link_names import LinkNames
from urdf_tools.view.link_panel import link_rows
from urdf_tools.view.link_panel import LinkTools
from urdf_tools.view.link_panel import path_rows
from urdf_tools.view.link_panel import transform_text
from urdf_tools.view.local_server import LocalServer
from urdf_tools.view.local_server import MAX_UPLOAD
from urdf_tools.view.markup import alarm
from urdf_tools.view.markup import choices
from urdf_tools.view.markup import copyable
from urdf_tools.view.markup import folded
from urdf_tools.view.markup import grid
from urdf_tools.view.markup import note
from urdf_tools.view.markup import remark
from urdf_tools.view.markup import table
from urdf_tools.view.robot_view import Layer
from urdf_tools.view.robot_view import RobotView
from urdf_tools.view.scene import SceneCamera
from urdf_tools.view.scene_nodes import Rgb
from urdf_tools.view.shape_library import ShapeLibrary

_MAX_MESHES, _MAX_TREE = 20, 2000
"""Most meshes that are listed as not shown, and most links in the tree."""


class Viewer:
    """
    A robot in all browsers connected to a server.

    Where the joint positions come from is up to the caller: a user moves sliders, or the caller
    calls :meth:`set_positions` or moves :attr:`view`.

    :param on_choice: called with each configuration that a user chose; by default the robot
        moves there.
    :param camera: from where browsers look at first.
    :param start: positions of variables of the first robot, in radians or metres.
    :param background: what is behind the robot, see :class:`SceneCamera`.
    :param link: the link to select and look at first; empty for the whole robot.
    :ivar camera: where browsers look from.
    :ivar legend: the colours of links, and what they mean.
    :ivar link: the link that is looked at first.
    :ivar names: the names of links in the scene.
    :ivar resources: finds the meshes of the robot for accounts.
    :ivar view: the robot in the scene, or None before the first one.
    :ivar lock: held while the scene changes.
    """

    def __init__(self, server: LocalServer,
                 on_choice: Callable[[Array], None] | None = None, camera: Camera = Camera(),
                 start: Mapping[str, float] = MappingProxyType({}), background: str = 'neutral',
                 link: str = ''):
        self.server = server
        self.view: RobotView | None = None
        self.lock = threading.RLock()
        self.camera = SceneCamera(server, camera, background)
        self.names = LinkNames(server)
        self._start = start
        self._on_choice = self.set_positions if on_choice is None else on_choice
        self._by_link: FindingsByLink | None = None
        self._joints: JointPanel | None = None
        self.link = link
        self._selected = link
        self.resources = ResourceResolver()
        self._colours: Mapping[str, Rgb] = {}
        self.legend: Sequence[tuple[Rgb, str]] = ()
        self._extra_marks: Mapping[str, Rgb] = {}
        self._compared: tuple[Robot, list[Path]] | None = None
        self._switches: dict[Layer, Any] = {}
        self._folders: dict[str, Any] = {}
        self._add_panels()

    # Panels

    def _add_panels(self) -> None:
        gui = self.server.gui
        self._alarm = gui.add_html('', visible=False)
        self._tabs = gui.add_tab_group()
        self._tabs_view = self._tabs.add_tab('View')
        with self._tabs_view:
            self._summary = gui.add_html(note('No robot yet.'))
            for layer in Layer:
                box = self._switches[layer] = gui.add_checkbox(layer.value, layer is Layer.VISUAL)
                box.on_update(partial(
                    lambda layer, event: self.show(layer, event.target.value), layer))
            self._marking: Any = gui.add_dropdown('Colour links by', [*MARKS, *WITH_MJCF])
            self._marking.on_update(lambda event: self._colour())
            self._legend_note = gui.add_html('')
            reset = gui.add_button('Look at the whole robot')
            reset.on_click(lambda event: self.camera.look_at(event.client))
            self._missing = gui.add_html('')
        self._filled_tabs = {'Joints': self._tabs.add_tab('Joints')}
        with self._filled_tabs['Joints']:
            self._degrees: Any = gui.add_checkbox('Degrees', False)
            self._degrees.on_update(lambda event: self.use_degrees(event.target.value))
        with self._tabs.add_tab('Tree'):
            self._tree = gui.add_html('')
        self._filled_tabs['Findings'] = self._tabs.add_tab('Findings')
        with self._tabs.add_tab('Account'):
            self._comparison = gui.add_html('')
            self._account_note = gui.add_html('')
        with self._tabs.add_tab('Link'):
            self._link_choice: Any = gui.add_dropdown('Link', [''])
            self._link_choice.on_update(self._choose_link)
            self._link_note = gui.add_html(note('Click on a link.'))
            self._tools = LinkTools(gui)
            with gui.add_folder('Measure', expand_by_default=True):
                self._from_choice: Any = gui.add_dropdown('in the frame of', [''])
                self._from_choice.on_update(lambda event: self._measure())
                self._measure_note = gui.add_html('')

    def offer_files(self, on_upload: Callable[[str, bytes], None],
                    on_choice: Callable[[str], None]) -> None:
        """
        Let users open other files.

        :param on_upload: called with a name and the contents, as of :func:`unpacked`.
        :param on_choice: called with the path that a user chooses of those of :meth:`offer`.
        """
        with self._tabs_view:
            button = self.server.gui.add_upload_button('Open a file, or drop a folder here')
            self._paths: Any = self.server.gui.add_dropdown('File', [''], visible=False)
        button.on_upload(lambda event: on_upload(
            event.target.value.name, event.target.value.content))
        self._paths.on_update(
            lambda event: on_choice(event.target.value) if event.client else None)
        drop = json.dumps({'input': button._impl.uuid, 'most': MAX_UPLOAD})
        self.server.run_script(f'window.urdfDrop = {drop};', 'drop')

    def offer(self, paths: Sequence[str]) -> None:
        """Offer files to choose from, and show the first."""
        self._paths.options, self._paths.visible = paths, len(paths) > 1
        self._paths.value = paths[0]

    def look_at_robot(self) -> None:
        """Point all cameras at the robot."""
        for client in self.server.get_clients().values():
            self.camera.look_at(client)

    def add_tab(self, label: str) -> Any:
        """Add a tab to the panel, to be filled in a ``with`` statement."""
        return self._tabs.add_tab(label)

    # The robot

    def use(self, tree: KinematicTree, library: ShapeLibrary) -> None:
        """Show another robot, or another version of it; what a user has set stays."""
        with self.lock:
            before = self.positions()
            self._alarm.visible = False
            if self.view is not None:
                self.view.remove()
            view = self.view = RobotView(self.server, tree, library, self.select)
            positions = tree.configuration({
                name: value for name, value in before.items() if name in tree.variable_index})
            view.set_positions(positions)
            self._tools.use(view)
            for layer in filter(lambda layer: self._switches[layer].value, Layer):
                self.show(layer)
            with self._emptied('Joints'):
                self._joints = JointPanel(self.server.gui, tree, positions, self._on_choice,
                                          self._degrees.value)
            view.set_positions(self._joints.positions)
            self._link_choice.options = self._from_choice.options = ['', *tree.link_names]
            if not self._from_choice.value:
                self._from_choice.value = tree.robot.root
            self._set_title(tree.robot.name, tree.robot.name)
            self._tree.content = choices(_tree_rows(tree), self._link_choice._impl.uuid)
            names = json.dumps([printable(link)[:80] for link in tree.link_names])
            self.server.run_script(f'window.urdfLinks = {names};', 'links')
            self._summary.content = note(
                f'{tree.robot.name}: {count(len(tree.link_names), "link")}, '
                f'{count(len(tree.variable_names), "variable")}, from {tree.robot.source}')
            self._missing.content = _meshes(library)
            self.camera.show(view, link if (link := self.link) in tree.link_index else '')
            self._by_link = None
            self.select(self._selected if self._selected in tree.link_index else '')

    def _emptied(self, tab: str) -> Any:
        """Return an empty folder in a tab, instead of the one before."""
        if tab in self._folders:
            self._folders[tab].remove()
        with self._filled_tabs[tab]:
            self._folders[tab] = self.server.gui.add_folder(None)
        return self._folders[tab]

    def set_report(self, report: Report) -> None:
        """Show the findings about the robot that is shown, and what programs make of it."""
        with self.lock:
            if self.view is None:
                return
            self._by_link = FindingsByLink(self.view.tree.robot, report.findings)
            with self._emptied('Findings'):
                add_findings(self.server.gui, report, self._by_link, self.select)
            robot = self.view.tree.robot
            self._set_title(robot.name, f'{robot.name[:40]}: {report.verdict()}', report.valid)
            self._colour()
            self.select(self._selected)
        compared_before, self._compared = self._compared, (robot, [*self.view.library.files])
        if self._compared != compared_before:
            self._comparison.content = grid(compared(robot, self.resources))

    def show_error(self, heading: str, text: str, file: str) -> None:
        """Show an error above everything else until the next robot; this one stays."""
        self._alarm.content = alarm(heading, text)
        self._alarm.visible = True
        self._set_title(file, f'{file}: error', False)

    def _set_title(self, title: str, label: str, valid: bool = True) -> None:
        """Set the title of the page and the label of its panel, which have a tick if it passes."""
        title = json.dumps(('' if valid else '\N{BALLOT X} ') + printable(title)[:80])
        self.server.run_script(
            f'document.title = {title}; document.documentElement.toggleAttribute('
            f'"data-fails", {json.dumps(not valid)});', 'title')
        self.server.gui.set_panel_label(printable(label)[:120])

    def use_degrees(self, degrees: bool) -> None:
        """Show angles in degrees, or in radians."""
        with self.lock:
            self._degrees.value = degrees
            if self._joints is not None:
                self._joints.use_degrees(degrees)
            self.select(self._selected)

    # Poses

    def positions(self) -> Mapping[str, float]:
        """Return the position of each variable, in radians or metres."""
        if self._joints is None:
            return self._start
        return dict(zip(self._joints.tree.variable_names, self._joints.positions.tolist()))

    def set_positions(self, positions: Array) -> None:
        """
        Move the robot, and the sliders; not to a configuration of an earlier robot.

        :param positions: the variables of the tree, shape (n,).
        """
        with self.lock:
            if self.view is None or self._joints is None or (
                    len(positions) != len(self.view.tree.variable_names)):
                return
            self.view.set_positions(positions)
            self.show_positions(positions)

    def show_positions(self, positions: Array) -> None:
        """Show a configuration in the panels, but do not move the robot."""
        with self.lock:
            if self._joints is not None:
                self._joints.show(positions)
                self.names.refresh()
                self._measure()

    def choose(self, positions: Array) -> None:
        """Move to a configuration as a user does."""
        if self._joints is not None:
            self._joints.choose(positions)

    # Layers and colours

    def show(self, layer: Layer, visible: bool = True) -> None:
        """Show or hide a layer, for this robot and the next ones."""
        with self.lock:
            self._switches[layer].value = visible
            if layer is Layer.NAMES:
                self.names.show(self.view if visible else None)
            elif self.view is not None:
                self.view.show(layer, visible)

    def mark_findings(self, choice: str) -> None:
        """Colour links by findings, one of :data:`MARKS`, or by the losses of a program."""
        self._marking.value = choice  # It calls what a user's choice calls.

    def mark_links(self, colours: Mapping[str, Rgb]) -> None:
        """Draw links in colours, which hide those of findings."""
        with self.lock:
            self._extra_marks = dict(colours)
            self._paint()

    def _colour(self) -> None:
        """Choose the colours of links, and show what they mean."""
        with self.lock:
            if self.view is None:
                return
            robot, choice = self.view.tree.robot, str(self._marking.value)
            account = note('"Colour links by" in the tab View chooses a program.')
            meanings: Mapping[Rgb, str] = MEANINGS
            self._colours = {}
            if choice in WITH_MJCF:
                try:
                    found = account_for(choice, robot, self.resources)
                    self._colours = loss_colours(found, robot)
                    account = note(f'{found.program} {found.version}') + copyable(
                        dedent('\n'.join(map(printable, lines_of(found, robot.source)))))
                except DescriptionError as error:
                    account = note(str(error))
            elif (severity := MARKS[choice]) is not None and self._by_link is not None:
                self._colours = self._by_link.colours(severity)
                meanings = {SEVERITY_COLOURS[each]: each.label for each in Severity}
            number = Counter(self._colours.values())
            self.legend = [(rgb, f'{text}: {count(number[rgb], "link")}')
                           for rgb, text in meanings.items() if rgb in number]
            self._legend_note.content = ''.join(remark(*each, []) for each in self.legend)
            self._account_note.content = account
            self._paint()

    def _paint(self) -> None:
        if self.view is not None:
            self.view.mark_links({**self._colours, **self._extra_marks})

    # Links

    def select(self, link: str, event: Any = None) -> None:
        """Highlight a link and show its properties; nothing if the name is empty."""
        with self.lock:
            if self.view is None or link and link not in self.view.tree.link_index:
                return
            self._selected = link
            self.view.highlight(link)
            self._tools.link = link
            if self._link_choice.value != link:
                self._link_choice.value = link
            if not link:
                self._link_note.content = note('Click on a link.')
                self._measure_note.content = ''
                return
            findings = () if self._by_link is None else self._by_link.of_link.get(link, ())
            robot = self.view.tree.robot
            shown = robot, self.view.library, link
            self._link_note.content = table(link_rows(*shown, self._degrees.value)) + ''.join(
                finding_remark(finding, robot.source, finding.message)
                for finding in findings) + folded('Files', table(path_rows(*shown)))
            self._measure()
        # A click on the link itself leaves the camera where it is.
        client = getattr(event, 'client', None)
        if client is not None and hasattr(event, 'ray_origin'):
            self.server.run_script('urdfTab("Link");', '', client)
        else:
            self.camera.look_at(client, link)

    def _choose_link(self, event: Any) -> None:
        if event.client is not None and event.target.value != self._selected:
            self.select(event.target.value, event)

    def _measure(self) -> None:
        with self.lock:
            if self.view is None or not self._selected:
                return
            index, source = self.view.tree.link_index, self._from_choice.value
            if source in index and self._selected in index:
                self._measure_note.content = copyable(transform_text(
                    source, self._selected, self.view.pose(source),
                    self.view.pose(self._selected), self._degrees.value))


def _tree_rows(tree: KinematicTree) -> Iterator[tuple[str, str, int]]:
    """Yield each link, the joint above it, and how many joints it is away from the root."""
    robot, depths = tree.robot, {tree.robot.root: 0}
    for link in islice(robot.subtree(robot.root), _MAX_TREE):
        joint = robot.parent_joint.get(link)
        if joint is not None:
            depths[link] = depths[joint.parent] + 1
        yield link, '' if joint is None else f'{joint.name}: {joint.type.value}', depths[link]


def _meshes(library: ShapeLibrary) -> str:
    """Return what is not shown as specified, one line for each kind, and the reasons."""
    reasons = {file.filename: file.reason for file in library.missing}
    shown = [remark(SEVERITY_COLOURS[Severity.WARN], name, [reason])
             for name, reason in list(reasons.items())[:_MAX_MESHES]]
    if len(reasons) > _MAX_MESHES:
        shown.append(note(f'and {len(reasons) - _MAX_MESHES} more'))
    lines = [remark(SEVERITY_COLOURS[Severity.INFO], line, []) for line in library.summary()]
    return ''.join((*lines, *shown))
