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

"""A written model in motion, in a process of its own: whether it starts free, and holds."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.types import Array

_SECONDS = 2.0

_POSTURES = 25

_TRIES = 20
"""Random postures for each that is free of contacts."""

_TOUCH = 1e-3
"""Share of the weight below which a contact force does not count, as of closed fingers."""

_FLOOR, _DEPTH = 'the floor below', 50.0
"""Name of the floor, and how far it is below the origin in m before it meets the robot."""

_pool = WorkerPool('urdf_tools.programs.mjcf.simulation:job', 1)
_LIMITS = Limits(16384, 300, 600)


def simulate(path: Path, joints: list[str]) -> dict[str, Any]:
    """
    Return how a model behaves in MuJoCo for 2 s, as data for JSON.

    At ``home``: the largest force between its own bodies in N, the bodies, the largest velocity,
    and with a free base how far it sinks on a floor, in m, and whether it falls through. From
    random postures, in which nothing touches, or without contacts if there are none, with a fixed
    base, as ``hold`` (with loops only from home): the errors at the end in rad, and in m of joints
    that slide, the kinetic energy in J and the largest velocity. Or else there is a ``problem``.

    :param path: the file of the model, beside which others are written.
    :param joints: the joints that position actuators of the same names hold.
    """
    try:
        found: dict[str, Any] = _pool.run([str(path), joints], _LIMITS)[0]
    except SandboxError as error:
        return {'problem': str(error)}
    return found


def described(found: dict[str, Any]) -> Iterator[str]:
    """Yield what :func:`simulate` found, as lines."""
    if 'problem' in found:
        yield f'Not simulated: {found["problem"]}'
        return
    home, hold = found['home'], found['hold']
    yield (f'Simulated at home for {home["seconds"]:g} s: ' + (
        f'contact force {home["contact_force"]:.3g} N between {" and ".join(home["bodies"])}'
        if home['bodies'] else 'no contact forces') + f', largest velocity '
        f'{home["largest_speed"]:.2g}' + (
            '' if home['sinks'] is None else f', sinks {home["sinks"]:.3g} m on a floor')
        + (', diverges' if home['diverged'] else ''))
    if not hold['postures']:
        yield 'Nothing could be held: no joint has a position actuator'
        return
    errors = ''.join(
        f'error {each["median"]:.2g} {unit} (median) and {each["largest"]:.2g} {unit} (largest, '
        f'{each["joint"]}), ' for each, unit in (
            (hold['turning'], 'rad'), (hold['sliding'], 'm')) if each)
    yield (f'Held {hold["postures"]} random postures'
           f'{"" if hold["contacts"] else ", with contacts off"}: {errors}kinetic energy '
           f'{hold["kinetic_energy"]:.2g} J, largest velocity {hold["largest_speed"]:.2g}, '
           f'{hold["diverged"]} diverged')


def fallen(found: dict[str, Any]) -> list[str]:
    """Return, as a line, that a robot falls through the floor; nothing if it does not."""
    home = found.get('home', {'falls': False})
    return [] if not home['falls'] else [
        f'Fault: the robot falls {home["sinks"]:.3g} m through the floor. Give the links on '
        'which it stands <collision> shapes, and meshes that can be read']


def behaves(found: dict[str, Any], error: float) -> bool:
    """
    Return whether a model starts free of contact forces, diverges nowhere, and holds.

    :param found: by :func:`simulate`.
    :param error: largest allowed error of joints that turn, in rad.
    """
    if 'problem' in found:
        return False
    home, hold = found['home'], found['hold']
    return not (home['bodies'] or home['diverged'] or hold['diverged']) and (
        hold['turning'] is None or hold['turning']['largest'] <= error)


def job(request: Any, data: bytes) -> tuple[object, bytes]:
    """Simulate a model; the request is its path and the joints that are held."""
    path, joints = Path(request[0]), request[1]
    mujoco = import_module('mujoco')
    mujoco.set_mju_user_warning(lambda _: None)
    tree = ElementTree.parse(path)
    root = tree.getroot()
    bases = [body for body in root.iterfind('worldbody/body')
             if body.find('freejoint') is not None]
    if not bases:
        model = _Simulation(mujoco, path, joints)
        return {'home': model.at_home(), 'hold': model.hold()}, b''
    for world in root.iterfind('worldbody'):
        world.append(ElementTree.Element('geom', {
            'name': _FLOOR, 'type': 'plane', 'size': '0 0 1', 'pos': f'0 0 {-_DEPTH}'}))
    tree.write(floor := path.with_name('on_floor.xml'))
    for body in bases:
        body[:] = [each for each in body if each.tag != 'freejoint']
    root[:] = [each for each in root if each.tag != 'keyframe']
    tree.write(fixed := path.with_name('fixed.xml'))
    return {'home': _Simulation(mujoco, floor, joints).at_home(),
            'hold': _Simulation(mujoco, fixed, joints).hold()}, b''


class _Simulation:
    """A model in MuJoCo, and the joints that are held."""

    def __init__(self, mujoco: Any, path: Path, joints: list[str]):
        self._mujoco, self._joints = mujoco, joints
        self._model = model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        self._data = mujoco.MjData(model)
        self._steps = round(_SECONDS / model.opt.timestep)
        numbers = [model.joint(name).id for name in joints]
        self._controls = [model.actuator(name).id for name in joints]
        self._places = model.jnt_qposadr[numbers]
        self._slides = model.jnt_type[numbers] == int(mujoco.mjtJoint.mjJNT_SLIDE)
        reach = np.where(self._slides, 1.0, np.pi)[:, None] * [-1.0, 1.0]
        self._bounds = np.where(
            model.jnt_limited[numbers][:, None] != 0, model.jnt_range[numbers], reach)
        self._floor = mujoco.mj_name2id(model, int(mujoco.mjtObj.mjOBJ_GEOM), _FLOOR)

    def at_home(self) -> dict[str, Any]:
        """Return what happens from the first keyframe, or from zero without one."""
        model, data, mujoco = self._model, self._data, self._mujoco
        self._start()
        if self._floor >= 0:
            # The tree of boxes around shapes is that of the floor where it was.
            model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_MIDPHASE)
            model.geom_pos[self._floor, 2] += min((
                mujoco.mj_geomDistance(model, data, self._floor, geom, 2 * _DEPTH, None)
                for geom in range(model.ngeom) if geom != self._floor and (
                    model.geom_contype[geom] or model.geom_conaffinity[geom])), default=_DEPTH)
        height, speed = data.subtree_com[0][2], 0.0
        bodies: tuple[int, ...] = ()
        force = _TOUCH * float(np.sum(model.body_mass) * np.linalg.norm(model.opt.gravity))
        for _ in range(self._steps):
            mujoco.mj_step(model, data)
            speed = max(speed, float(np.abs(data.qvel).max(initial=0.0)))
            found = max(self._forces(), default=(0.0, 0, 0))
            if found[0] > force:
                force, bodies = found[0], found[1:]
        return {
            'seconds': _SECONDS, 'contact_force': force if bodies else 0.0,
            'bodies': [model.body(int(model.geom_bodyid[geom])).name for geom in bodies],
            'largest_speed': speed, 'diverged': self._has_diverged,
            'sinks': float(height - data.subtree_com[0][2]) if self._floor >= 0 else None,
            'falls': self._floor >= 0 and bool(
                data.subtree_com[0][2] < model.geom_pos[self._floor, 2])}

    def _forces(self) -> Iterator[tuple[float, int, int]]:
        """Yield the normal forces between bodies of the robot, with the shapes."""
        for number, contact in enumerate(self._data.contact):
            if self._floor in contact.geom or contact.efc_address < 0:
                continue
            force = np.zeros(6)
            self._mujoco.mj_contactForce(self._model, self._data, number, force)
            yield float(force[0]), int(contact.geom[0]), int(contact.geom[1])

    def hold(self) -> dict[str, Any]:
        """Return what happens from random postures in which nothing touches, if there are any."""
        model, data, mujoco = self._model, self._data, self._mujoco
        rng, diverged, energy, speed = np.random.default_rng(0), 0, 0.0, 0.0
        errors: list[Array] = []
        is_open = bool((model.eq_type == int(mujoco.mjtEq.mjEQ_JOINT)).all())
        for number in range(2 * _POSTURES * _TRIES if self._joints else 0):
            if number == _POSTURES * _TRIES and not errors:
                model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
            self._start()
            if is_open:  # Random postures would open loops.
                data.qpos[self._places] = rng.uniform(*self._bounds.T)
            data.ctrl[self._controls] = data.qpos[self._places]
            self._follow()
            mujoco.mj_forward(model, data)
            if data.ncon:
                continue
            target = data.qpos[self._places]
            mujoco.mj_step(model, data, self._steps)
            mujoco.mj_forward(model, data)
            diverged += self._has_diverged
            errors.append(np.abs(data.qpos[self._places] - target))
            energy = max(energy, float(data.energy[1]))
            speed = max(speed, float(np.abs(data.qvel).max(initial=0.0)))
            if len(errors) == (_POSTURES if is_open else 1):
                break
        is_touching = not model.opt.disableflags
        return {
            'postures': len(errors), 'contacts': is_touching, 'diverged': diverged,
            'kinetic_energy': energy, 'largest_speed': speed,
            'turning': self._statistics(errors, ~self._slides),
            'sliding': self._statistics(errors, self._slides)}

    def _statistics(self, errors: list[Array], chosen: Array) -> dict[str, Any] | None:
        """Return median and largest error of some of the joints; None without any."""
        if not errors or not chosen.any():
            return None
        table = np.array(errors)[:, chosen]
        worst = np.flatnonzero(chosen)[int(table.max(axis=0).argmax())]
        return {'median': float(np.median(table.max(axis=1))), 'largest': float(table.max()),
                'joint': self._joints[worst]}

    def _start(self) -> None:
        if self._model.nkey:
            self._mujoco.mj_resetDataKeyframe(self._model, self._data, 0)
        else:
            self._mujoco.mj_resetData(self._model, self._data)
        self._mujoco.mj_forward(self._model, self._data)

    def _follow(self) -> None:
        """Bring joints that follow another one to where they have to be."""
        model, data = self._model, self._data
        followers = np.flatnonzero(
            (model.eq_type == int(self._mujoco.mjtEq.mjEQ_JOINT)) & (model.eq_obj2id >= 0))
        for _ in followers:  # One may follow another one.
            for number in followers:
                place, leader = model.jnt_qposadr[
                    [model.eq_obj1id[number], model.eq_obj2id[number]]]
                data.qpos[place] = np.polyval(
                    model.eq_data[number, 4::-1], data.qpos[leader])

    @property
    def _has_diverged(self) -> bool:
        kinds = self._mujoco.mjtWarning
        return any(self._data.warning[int(kind)].number for kind in (
            kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC))
