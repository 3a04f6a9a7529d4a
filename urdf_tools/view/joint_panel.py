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
"""The sliders of the joints."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
import threading
from typing import Any

import numpy as np

from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.loops.tracker import LoopMotion
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.robot import Mimic
from urdf_tools.types import Array
from urdf_tools.view.link_panel import unit_of
from urdf_tools.view.markup import note
import viser

_DIGITS = 6
"""Decimals of the positions that the page shows."""


class JointPanel:
    """
    Sliders, and buttons that move all joints: zero, centre and random.

    Of joints in loops only the free ones have sliders; the others follow.

    :param on_change: called with the configuration that a user chose, shape (n,).
    :param positions: the configuration to begin with.
    :param degrees: whether angles are shown in degrees.
    """

    def __init__(self, gui: viser.GuiApi, tree: KinematicTree, positions: Array,
                 on_change: Callable[[Array], None], degrees: bool = False):
        self._loops = LoopMotion(tree) if tree.robot.loops else None
        self._following: set[str] = set()
        self.tree = tree
        self.positions = positions
        self._gui = gui
        self._degrees = degrees
        self._on_change = on_change
        self._lock = threading.RLock()
        self._lower, self._upper = tree.ranges()
        self._sliders: dict[str, Any] = {}
        self._shown: dict[str, float] = {}
        self._followers: dict[str, Any] = {}
        self._folder: Any = None
        if not tree.variable_names:
            gui.add_html(note('The robot has no moving joint.'))
            return
        if self._loops is not None:
            self._close_loops(self._loops)
        self._add_buttons()
        self._search = gui.add_text('Search', '', hint='Part of the name of a joint')
        self._search.on_update(lambda event: self._add_joints())
        self._slot = gui.add_folder(None)
        self._add_joints()

    # Controls

    def _close_loops(self, loops: LoopMotion) -> None:
        """Close the loops, and report which ones stay open."""
        self._following = loops.known() - loops.independent
        self.positions, _ = loops.follow(self.positions)
        undecided = loops.tracker.undecided(loops.independent)
        unclosable = loops.tracker.unclosable()
        if undecided:
            self._gui.add_html(note(
                'Loops stay open here that can be assembled in several ways. Which one is decided '
                f'by measured or "initial" positions of some of {name_list(undecided)}.'))
        if unclosable:
            self._gui.add_html(note(
                f'No positions were found that close loops {name_list(unclosable)}.'))

    def _add_buttons(self) -> None:
        actions: Mapping[str, Callable[[], Array]] = {
            'Zero': self.tree.neutral, 'Centre': self._center,
            'Random': self.tree.random_configuration}
        buttons = self._gui.add_button_group('Move all', [*actions])

        @buttons.on_click
        def _(event: Any) -> None:
            self.choose(actions[event.target.value]())

    def use_degrees(self, degrees: bool) -> None:
        """Show angles in degrees, or in radians."""
        self._degrees = degrees
        if self._folder is not None:
            self._add_joints()

    def _unit(self, name: str) -> tuple[str, float]:
        """Return the unit in which a variable is shown, and the factor to it."""
        joint, suffix = self.tree.robot.joints.get(name), name.rpartition('/')[2]
        if joint is None and suffix.startswith('rot_'):
            return '', 1.0
        return unit_of(
            joint.type.unit if joint else 'rad' if suffix == 'theta' else 'm', self._degrees)

    def _label(self, name: str) -> str:
        """Return the name of a variable with its unit."""
        unit, _ = self._unit(name)
        return printable(f'{name} [{unit}]' if unit else name)

    def _add_slider(self, name: str) -> None:
        tree, index = self.tree, self.tree.variable_index[name]
        scale = self._unit(name)[1]
        lower, upper = scale * float(self._lower[index]), scale * float(self._upper[index])
        if name.rpartition('/')[2].startswith('rot_'):
            lower, upper = -1.0, 1.0
        has_limits = np.isfinite([tree.position_lower[index], tree.position_upper[index]]).all()
        hint = f'{lower:.6g} to {upper:.6g}' if has_limits else 'no limits'
        if name in tree.robot.joints:
            hint = f'{tree.robot.joints[name].type.value}, {hint}'
        value = scale * float(self.positions[index])
        # A position may be beyond the limits.
        ends = min(lower, value), max(upper, value)
        slider = self._gui.add_slider(
            self._label(name), *ends, max((upper - lower) / 1000, 1e-9), value, hint=hint,
            marks=tuple((end, f'{end:.4g}') for end in dict.fromkeys(ends)))
        slider.precision = _DIGITS
        self._sliders[name], self._shown[name] = slider, value

        @slider.on_update
        def _(event: Any) -> None:
            if event.client is not None:
                self._slide(name, event.target)

    def _add_follower(self, name: str) -> None:
        hint = 'follows from the loops'
        if name in self.tree.mimic:
            mimic = self.tree.mimic[name]
            hint = printable(f'{mimic.multiplier:g} * {mimic.joint} {mimic.offset:+g}')
        self._followers[name] = self._gui.add_number(
            self._label(name), 0.0, step=10**-_DIGITS, disabled=True, hint=hint)

    def _add_joints(self) -> None:
        """Show the joints that are searched for."""
        wanted = self._search.value.strip().lower()
        tree, gui = self.tree, self._gui
        with self._lock:
            if self._folder is not None:
                self._folder.remove()
            self._sliders.clear()
            self._followers.clear()
            with self._slot:
                self._folder = gui.add_folder(None)
            with self._folder:
                for name in tree.variable_names:
                    if wanted in name.lower() and name not in self._following:
                        self._add_slider(name)
                followers = [name for name in (*sorted(self._following), *tree.mimic)
                             if wanted in name.lower()]
                if followers:
                    with gui.add_folder('Joints that follow', expand_by_default=bool(wanted)):
                        for name in followers:
                            self._add_follower(name)
            self.show(self.positions)

    # Motion

    def _slide(self, name: str, slider: Any) -> None:
        with self._lock:
            positions = self.positions.copy()
            # A number that is typed beside it may be beyond its ends.
            self._shown[name] = float(np.clip(slider.value, slider.min, slider.max))
            positions[self.tree.variable_index[name]] = self._shown[name] / self._unit(name)[1]
            self.choose(positions)

    def choose(self, positions: Array) -> None:
        """Move to a configuration, as a user does; instead of an invalid one, stay."""
        with self._lock:
            if not np.isfinite(positions).all() or any(
                    np.linalg.norm(positions[part]) < 1e-6
                    for part in self.tree.quaternions.values()):
                self.show(self.positions)
                return
            if self._loops is not None:
                positions, _ = self._loops.follow(positions)
            self.show(positions)
            self._on_change(positions)

    def show(self, positions: Array) -> None:
        """Show a configuration without a change event."""
        with self._lock:
            self.positions = positions.copy()
            for name, slider in self._sliders.items():
                value = self._unit(name)[1] * float(positions[self.tree.variable_index[name]])
                # The slider itself may have moved on, to where the robot follows next.
                if self._shown[name] != value:
                    slider.min, slider.max = min(slider.min, value), max(slider.max, value)
                    slider.value = self._shown[name] = value
            for name, number in self._followers.items():
                mimic = self.tree.mimic.get(name, Mimic(name))
                leader = float(positions[self.tree.variable_index[mimic.joint]])
                number.value = round(
                    self._unit(name)[1] * (mimic.multiplier * leader + mimic.offset), _DIGITS)

    def _center(self) -> Array:
        center: Array = (self._lower + self._upper) / 2
        for part in self.tree.quaternions.values():
            center[part] = (0, 0, 0, 1)
        return center
