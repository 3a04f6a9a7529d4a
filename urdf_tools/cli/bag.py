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
Correct the frames in a recording, or identify the payload in it.

frames: writes the recording with robot_description, tf and tf_static as state_publisher would have
published them for the model. Transforms of frames that the model does not have, and all other
messages, stay as they are, byte for byte. identify: prints the mass at a link, and its centre,
that explain what the efforts of the robot at rest are besides those that hold the model against
gravity, with standard errors.

For example:
  urdf-tools bag identify drive.mcap
  urdf-tools bag frames drive.mcap --model robot.urdf -o corrected.mcap
"""

from __future__ import annotations

import argparse
from pathlib import Path

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import require_packages
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output_files import opened
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.progress import progress
from urdf_tools.cli.recorded_faults import RECORDING_LIMITS
from urdf_tools.doctor.recordings.confined_reading import read
from urdf_tools.doctor.recordings.recording import recorded_files
from urdf_tools.doctor.recordings.republished_frames import FrameOptions
from urdf_tools.model.messages import count

_DEFAULTS = FrameOptions()

OPTIONS = {
    '--publish-frequency': {'default': _DEFAULTS.frequency},
    '--namespace': {'default': _DEFAULTS.namespace}, '--tf': {'default': _DEFAULTS.tf},
    **RECORDING_LIMITS}


def run(arguments: argparse.Namespace) -> int:
    """Write the recording and print what was replaced, or print the payload."""
    if arguments.what == 'identify':
        return _identify(arguments)
    if not arguments.file or not arguments.output:
        raise CommandError('bag frames needs --model and --output')
    if arguments.output == '-':
        raise CommandError('A recording is not written to standard output; name a file')
    require_packages('Writing recordings', mcap='recordings')
    document = open_description(arguments)
    refuse_sources([arguments.output], document, arguments.file)
    refuse_inputs([arguments.output], map(str, recorded_files(Path(arguments.recording))))
    make_robot(document)
    with progress(f'writing {arguments.output}'), opened(arguments.output) as file:
        found, _ = read(
            arguments.recording, arguments.recording_limits, 'frames',
            document.data.decode(errors='replace'), arguments.frame_prefix,
            arguments.publish_frequency, arguments.namespace, arguments.tf, write=file.write)
    print_lines(f'{arguments.recording}: {damage}' for damage in found['damages'])
    counts = [f'{times} {what}' for what, times in sorted(found['counts'].items())]
    print_lines(f'{arguments.output}: {line}'
                for line in (count(found['messages'], 'message'), *counts))
    return 0


def _identify(arguments: argparse.Namespace) -> int:
    """Print the payload that explains the efforts at rest."""
    model = open_description(arguments).data.decode(errors='replace') if arguments.file else ''
    with progress(f'reading {arguments.recording}'):
        found, _ = read(arguments.recording, arguments.recording_limits, 'payload', model,
                        arguments.link or '')
    if arguments.format == 'json':
        print_json(found)
        return 0
    centre = ', '.join(f'{value:.4f} ± {error:.4f}' if error < 1 else 'unknown'
                       for value, error in zip(found['centre'], found['centre_errors']))
    mass = 'unknown, because the postures are too few or too similar'
    if found['mass_error'] < 1e3:
        mass = f'{found["mass"]:.3f} ± {found["mass_error"]:.3f} kg'
    rests = ', '.join(f'{name} {rest:.2g}' for name, rest in found['rest'].items())
    print_lines(f'{arguments.recording}: {line}' for line in (
        f'{count(found["postures"], "still posture")} of {found["robot"]!r}, with efforts of '
        f'{count(len(found["rest"]), "joint")}', f'payload at link {found["link"]!r}: {mass}',
        f'centre of mass in its frame: {centre} m', f'efforts left over: {rests}'))
    return 0
