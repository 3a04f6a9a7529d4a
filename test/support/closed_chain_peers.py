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

"""
Closed chains in Pinocchio and MuJoCo, as JSON: the differences from ours.

It runs in the environment of ``make oracle``, and takes a folder for the models.
"""

import json
from pathlib import Path
import sys

import mujoco
import numpy as np
import pinocchio
from support.mechanisms import closed_chain
from support.mechanisms import CLOSED_CHAINS

from urdf_tools.dynamics import InverseDynamics
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.loader import save
from urdf_tools.model.loops import LoopType
from urdf_tools.programs.mjcf.conversion import to_mjcf


def relative(found, expected):
    return float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-9))


class InPinocchio:
    """A mechanism with balls as points that are held together, and hinges as two of them."""

    def __init__(self, mechanism: Mechanism, path: Path):
        self.tree, self.loops = mechanism.tree, mechanism.loops
        self.model = pinocchio.buildModelFromUrdf(str(path))
        self.points, self.owners = pinocchio.StdVec_RigidConstraintModel(), []
        for number, loop in enumerate(self.loops):
            for along in (0.1, -0.1) if loop.type is LoopType.HINGE else (0,):
                self.owners.append((number, along * np.array(loop.parent_axis)))
                self.points.append(pinocchio.RigidConstraintModel(
                    pinocchio.ContactType.CONTACT_3D, self.model,
                    *self.end(loop.parent, loop.parent_origin, loop.parent_axis, along),
                    *self.end(loop.child, loop.child_origin, loop.child_axis, along)))
        self.names = [name for name in self.model.names if name != 'universe']
        self.order = [self.tree.velocity_index[name] for name in self.names]

    def end(self, link, origin, axis, along):
        frame = self.model.frames[self.model.getFrameId(link, pinocchio.FrameType.BODY)]
        point = pinocchio.SE3(origin.matrix)
        point.translation = point.translation + point.rotation @ (along * np.array(axis))
        return frame.parentJoint, frame.placement * point

    def configuration(self, positions):
        values = []
        for name in self.names:
            theirs, ours = self.model.joints[self.model.getJointId(name)], positions[
                self.tree.variable_index[name]]
            values += [ours] if theirs.nq == 1 else [np.cos(ours), np.sin(ours)]
        return np.array(values)

    def motion(self, positions, velocities, efforts):
        """Return accelerations and what loops exert on their child links, in our order."""
        data = self.model.createData()
        contacts = pinocchio.StdVec_RigidConstraintData()
        for point in self.points:
            contacts.append(point.createData())
        pinocchio.initConstraintDynamics(self.model, data, self.points, contacts)
        found = pinocchio.constraintDynamics(
            self.model, data, self.configuration(positions), velocities[self.order],
            efforts[self.order], self.points, contacts,
            pinocchio.ProximalSettings(1e-14, 1e-9, 200))
        accelerations = np.zeros(len(velocities))
        accelerations[self.order] = found
        wrenches = np.zeros((len(self.loops), 6))
        for (loop, arm), contact in zip(self.owners, contacts):
            # Theirs act on the first of the two bodies.
            force = -contact.contact_force.linear
            wrenches[loop] += np.concatenate((force, np.cross(arm, force)))
        return accelerations, wrenches


class InMujoco:
    """A mechanism with loops as equality constraints between sites."""

    def __init__(self, mechanism: Mechanism, path: Path):
        to_mjcf(mechanism.tree.robot, path)
        self.model, self.tree = mujoco.MjModel.from_xml_path(str(path)), mechanism.tree
        self.model.eq_solimp[:] = 0.99999, 0.99999, 0.001, 0.5, 2
        self.model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)
        self.model.opt.tolerance, self.model.opt.iterations = 0, 500
        self.data = mujoco.MjData(self.model)
        self.rows = [self.model.joint(name).dofadr[0] for name in self.tree.velocity_names]

    def compare(self, positions, velocities, accelerations, efforts):
        """
        Return relative differences.

        :return: of efforts, accelerations and constraint forces projected on the motions that
            constraints allow; of accelerations at rest with the efforts.
        """
        model, data = self.model, self.data
        for name, value in zip(self.tree.variable_names, positions):
            data.qpos[model.joint(name).qposadr[0]] = value
        data.qvel[self.rows], applied = velocities, np.zeros(model.nv)
        applied[self.rows] = efforts
        data.qfrc_applied[:] = applied
        mujoco.mj_forward(model, data)
        jacobian = np.zeros((data.nefc, model.nv))
        if mujoco.mj_isSparse(model):
            mujoco.mju_sparse2dense(jacobian, data.efc_J.ravel(), data.efc_J_rownnz,
                                    data.efc_J_rowadr, data.efc_J_colind)
        else:
            jacobian[:] = data.efc_J.reshape(-1, model.nv)
        held = jacobian[data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)]
        values, rows = np.linalg.svd(held)[1:]
        free = rows[(values > 1e-7 * values[0]).sum():]
        mass = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass)
        changes = np.zeros(model.nv)
        changes[self.rows] = accelerations
        return (relative(free @ (mass @ changes + data.qfrc_bias), free @ applied),
                relative(data.qacc, changes))


def compare(name: str, folder: Path) -> dict[str, float]:
    """Return the largest relative differences of a mechanism."""
    mechanism, driven, (positions, velocities, accelerations) = closed_chain(name)
    dynamics = InverseDynamics(mechanism, driven)
    motion = dynamics._chain.motion(positions, velocities, accelerations)
    moving = dynamics.with_loop_forces(positions, velocities, accelerations)
    # Constraints of MuJoCo give way in proportion to forces, which are mostly those of gravity.
    rest = dynamics.with_loop_forces(positions, accelerations=10 * accelerations)
    starting = dynamics._chain.motion(positions, 0 * velocities, 10 * accelerations).accelerations
    save(mechanism.tree.robot, folder / 'robot.urdf')
    found: dict[str, list[float]] = {}

    def note(what, difference):
        found.setdefault(what, []).append(difference)

    theirs = InMujoco(mechanism, folder / 'robot.xml')
    for row, q in enumerate(positions):
        note('MuJoCo: efforts', theirs.compare(
            q, motion.velocities[row], motion.accelerations[row], moving.efforts[row])[0])
        note('MuJoCo: accelerations from rest', theirs.compare(
            q, 0 * velocities[row], starting[row], rest.efforts[row])[1])
    if all(loop.type is not LoopType.GEAR for loop in mechanism.loops):
        pin = InPinocchio(mechanism, folder / 'robot.urdf')
        for row, q in enumerate(positions):
            changes, wrenches = pin.motion(q, motion.velocities[row], moving.efforts[row])
            known = ~moving.undetermined[row]
            note('Pinocchio: accelerations', relative(changes, motion.accelerations[row]))
            note('Pinocchio: loop forces', relative(
                wrenches[known], moving.wrenches[row][known]))
    return {what: max(each) for what, each in found.items()}


if __name__ == '__main__':
    json.dump({name: compare(name, Path(sys.argv[1])) for name in CLOSED_CHAINS}, sys.stdout)
