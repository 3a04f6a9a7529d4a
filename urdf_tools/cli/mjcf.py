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
Convert a robot to MJCF for MuJoCo, report what is lost, and prove the result.

For example:
  urdf-tools mjcf robot.urdf
  urdf-tools mjcf robot.urdf -o robot.xml --write-settings robot.mjcf.yaml
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import loops_file
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.arguments import with_loops
from urdf_tools.cli.conversions import ACCEPT
from urdf_tools.cli.conversions import accepted_losses
from urdf_tools.cli.conversions import is_lost
from urdf_tools.cli.conversions import print_account
from urdf_tools.cli.output_files import make_folder
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import refuse_shared
from urdf_tools.cli.output_files import say_written
from urdf_tools.cli.output_files import source_files
from urdf_tools.cli.output_files import write_file
from urdf_tools.model.messages import count
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mjcf import convert
from urdf_tools.programs.mjcf import MjcfConversion
from urdf_tools.programs.mjcf import MjcfOptions
from urdf_tools.programs.mjcf.assets import FOLDER
from urdf_tools.programs.mjcf.bodies import moves_with_base
from urdf_tools.programs.mjcf.conversion import model_files
from urdf_tools.programs.mjcf.conversion import write_model
from urdf_tools.programs.mjcf.settings import MjcfSettings
from urdf_tools.programs.mjcf.settings import settings_text

OPTIONS = ACCEPT


def run(arguments: argparse.Namespace) -> int:
    """Write the model; return 1 if there is none, not proved, or with losses not accepted."""
    accepted = accepted_losses(arguments)
    document = open_description(arguments)
    robot = with_loops(make_robot(document, has_account=True), arguments)
    srdf = None if arguments.srdf is None else read_document(
        read_file(arguments.srdf), arguments.srdf)
    if srdf is not None and srdf.root.tag != 'robot':
        raise CommandError(f'{arguments.srdf!r} is not an SRDF file: its root is not <robot>')
    path = None if arguments.file == '-' else Path(arguments.file)
    options = MjcfOptions(
        arguments.base, arguments.actuators, None if srdf is None else srdf.root,
        MjcfSettings() if arguments.settings is None else
        MjcfSettings.read(robot, arguments.settings))
    for output in (arguments.output, arguments.write_settings):
        if output not in (None, '-'):
            make_folder(output)
    conversion = convert(robot, options, Context(resources_of(arguments), path))
    if conversion.document is not None:
        _write(arguments, document, conversion)
    is_proved = arguments.prove or arguments.hold_error is not None
    proof = _proof(conversion, arguments.hold_error) if (
        is_proved and conversion.document is not None) else {}
    _report(arguments, document, conversion, proof)
    lost = is_lost(conversion.losses, conversion.causes, accepted, arguments.format == 'text')
    return int(lost or not proof.get('holds', True))


def _write(arguments: argparse.Namespace, document: Document, conversion: MjcfConversion
           ) -> None:
    output, settings = arguments.output, arguments.write_settings
    if output == '-' and conversion.files:
        raise CommandError('The model has meshes, which are written beside it; name a file')
    path = Path(output) if output and output != '-' else None
    refuse_inputs([settings, *(map(str, model_files(conversion, path)) if path else ())], [
        *source_files(document, arguments.file), loops_file(arguments), arguments.srdf,
        arguments.settings, *map(str, conversion.sources)])
    if settings:
        write_file(settings, settings_text(conversion.settings).encode())
    if output == '-':
        write_file('-', conversion.text.encode())
    if path is None:
        return
    try:
        refuse_shared(model_files(conversion, path), path)
        write_model(conversion, path)
    except OSError as error:
        raise CommandError(
            f'Cannot write {error.filename or output!r}: {error.strerror}') from error
    files = count(len(conversion.files), 'file')
    say_written(output, f', {files} in {path.parent / FOLDER}{os.sep}' if conversion.files else '')


def _proof(conversion: MjcfConversion, hold_error: float | None) -> dict[str, object]:
    """Return what the proof and a simulation say, as data."""
    # MuJoCo and the dynamics of the robot are only imported where they are asked for.
    from urdf_tools.programs.mjcf.proof import attempted
    from urdf_tools.programs.mjcf.proof import prove
    from urdf_tools.programs.mjcf.simulation import behaves
    from urdf_tools.programs.mjcf.simulation import described
    from urdf_tools.programs.mjcf.simulation import fallen
    from urdf_tools.programs.mjcf.simulation import simulate
    with TemporaryDirectory() as folder:
        written = Path(folder) / 'model.xml'
        write_model(conversion, written)
        found = attempted(lambda: prove(conversion, written))
        if 'differences' not in found:
            return found
        behaviour = simulate(written, [
            each.joint.name for each in conversion.actuators if each.kind == 'position'])
    fault = fallen(behaviour)
    is_borne = not fault or not any(link.collisions for link in conversion.robot.links.values())
    return {**found, 'behaviour': behaviour,
            'text': '\n'.join((*fault, str(found['text']), *described(behaviour))),
            'holds': found['holds'] and is_borne and (
                hold_error is None or behaves(behaviour, hold_error))}


def _report(arguments: argparse.Namespace, document: Document, conversion: MjcfConversion,
            proof: dict[str, object]) -> None:
    account, contacts, robot = conversion.account, conversion.contacts, conversion.robot
    lines = [] if contacts is None else [*contacts.lines()]
    added = sum(each.element is None for each in conversion.actuators)
    if contacts and added:
        lines.insert(0, f'  added: {count(added, "actuator")} that the description does not ask '
                     'for; --actuators none leaves them out')
    elif contacts and not conversion.actuators and any(joint.type.dof for joint in robot.tree):
        lines.insert(0, '  the model has no actuator')
    if contacts and arguments.base is None and account.base == 'fixed' and (
            robot.root != WORLD and moves_with_base(robot)):
        lines.insert(0, '  the base is fixed to the world; --base free lets it move')
    print_account(
        arguments, account, document.source,
        f'{robot.name}: {"no MJCF" if account.causes else "MJCF"} of '
        f'{account.kept_of("links")} links and {account.kept_of("moving_joints")} moving joints, '
        f'base {account.base}', {'files': sorted(conversion.files), 'proof': proof},
        (*lines, *str(proof.get('text', '')).splitlines()))
