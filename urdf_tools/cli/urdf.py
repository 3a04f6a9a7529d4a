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
Convert a robot to URDF that ROS reads, report what is lost, and prove the result.

For example:
  urdf-tools urdf robot.xml -o robot.urdf --meshes meshes
  urdf-tools urdf model.sdf -o robot.urdf --meshes meshes --uri package://robot/meshes
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from urdf_tools.atomic_write import placed
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.conversions import ACCEPT
from urdf_tools.cli.conversions import accepted_losses
from urdf_tools.cli.conversions import is_lost
from urdf_tools.cli.conversions import print_account
from urdf_tools.cli.output_files import make_folder
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import refuse_shared
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import say_written
from urdf_tools.cli.output_files import source_files
from urdf_tools.cli.output_files import write_file
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.messages import count
from urdf_tools.model.xml.document import Document
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.urdf.conversion import content_of
from urdf_tools.programs.urdf.conversion import UrdfConversion
from urdf_tools.programs.urdf.conversion import UrdfOptions

OPTIONS = ACCEPT


def run(arguments: argparse.Namespace) -> int:
    """Write the URDF; return 1 if there is none, not proved, or with losses not accepted."""
    accepted = accepted_losses(arguments)
    document = open_description(arguments)
    refuse_sources([arguments.output], document, arguments.file)
    if arguments.meshes and arguments.output in (None, '-'):
        raise CommandError('--meshes is relative to the file of -o; name one')
    path = None if arguments.file == '-' else Path(arguments.file)
    output = None if arguments.output in (None, '-') else Path(arguments.output)
    if output is not None:
        make_folder(arguments.output)
    conversion = UrdfConversion(
        build_robot(document),
        UrdfOptions(output, arguments.meshes, arguments.uri, arguments.ros2_control),
        Context(resources_of(arguments), path))
    if arguments.output and not conversion.account.causes:
        _write(arguments, document, conversion)
    proof = _proof(arguments, document, conversion) if arguments.prove else {}
    _report(arguments, document, conversion, proof)
    account = conversion.account
    lost = is_lost(account.losses, account.causes, accepted, arguments.format == 'text')
    return int(lost or not proof.get('holds', True))


def _write(arguments: argparse.Namespace, document: Document, conversion: UrdfConversion) -> None:
    folder = Path(arguments.output).parent / arguments.meshes
    refuse_inputs((str(folder / name) for name in conversion.files), [
        *source_files(document, arguments.file), *map(str, conversion.files.values())])
    try:
        copies = {}
        for name, source in conversion.files.items():
            copies[placed(folder, name)] = content_of(source)
        refuse_shared(copies, Path(arguments.output))
        for copy, data in copies.items():
            write_file(str(copy), data)
    except OSError as error:
        raise CommandError(f'Cannot copy {error.filename!r}: {error.strerror}') from error
    except MeshError as error:
        raise CommandError(f'Cannot convert {str(source)!r}: {error}') from error
    write_file(arguments.output, conversion.text)
    files = f', {count(len(copies), "file")} in {folder}{os.sep}' if copies else ''
    say_written(arguments.output, files)


def _proof(arguments: argparse.Namespace, document: Document, conversion: UrdfConversion
           ) -> dict[str, object]:
    """Return what the proof says, as data."""
    if arguments.file == '-' or not isinstance(document, ConvertedDocument):
        raise CommandError('--prove compares with a file of SDF or MJCF')
    from urdf_tools.programs.urdf.proof import prove
    return prove(conversion.text, arguments.file, document.format,
                 dict(arguments.mappings).get('model', ''))


def _report(arguments: argparse.Namespace, document: Document, conversion: UrdfConversion,
            proof: dict[str, object]) -> None:
    account, source, name = conversion.account, document.source, conversion.robot.name
    is_fixed = isinstance(document, ConvertedDocument) and document.format == 'MJCF' and not (
        document.is_free or account.causes)
    more = ('  MJCF fixes the base to the world, which URDF does not say; a fixed joint from a '
            'link world to it does' * is_fixed, str(proof.get('text', '')))
    print_account(
        arguments, account, source,
        f'{name}: {"no URDF" if account.causes else "URDF"} of {account.kept_of("links")} links '
        f'and {account.kept_of("moving_joints")} moving joints, as urdfdom {account.version} '
        'reads it', {'source': source, 'robot': name, 'files': sorted(conversion.files),
                     'proof': proof}, filter(None, more))
