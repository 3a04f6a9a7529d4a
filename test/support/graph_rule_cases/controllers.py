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

"""Cases of the rules about ros2_control."""

from functools import partial

from support.graph_records import active
from support.graph_records import Case
from support.graph_records import controlled
from support.graph_records import GraphRecords
from support.graph_records import robot

from urdf_tools.doctor.observation import Controller

ARM = active('arm_controller', 'turn/position', 'slide/position')
TURN, SLIDE = (active(f'{joint}_controller', f'{joint}/position') for joint in ('turn', 'slide'))
EVIL = '::error::forged\n[FATAL] [1.0] [forged]: \x1b[31m\u202e'

case = partial(Case, nodes=('/controller_manager',), topic='/robot_description')


def run_by(*controllers: Controller, text: str = '', **options) -> GraphRecords:
    """Return a robot with a controller manager."""
    return robot(text or controlled()).manager(*controllers, **options)


def commanded() -> GraphRecords:
    """Return a robot with a broadcaster, a chain, and a gpio whose controller is not active."""
    return run_by(
        ARM, Controller('joint_state_broadcaster', 'active', required_states=ARM.required_states),
        Controller('outer', 'active', ('arm_controller/slide/position',), (
            'arm_controller/slide/position',), ('arm_controller/slide/effort', 'turn/position')),
        Controller('light_controller', 'inactive', required=('light/position',)),
        text=controlled(light='gpio'), interfaces=(*ARM.required, 'light/position'))


def in_two_halves() -> GraphRecords:
    """Return a robot with two managers, of a joint each, which take the description of both."""
    records = robot(controlled())
    for controller in (TURN, SLIDE):
        records.manager(controller, node=f'/{controller.name}_manager',
                        interfaces=controller.required)
    return records


def garbled() -> GraphRecords:
    return run_by(
        ARM, Controller('', ''),
        Controller(EVIL, EVIL, required=tuple(f'{EVIL}{number}' for number in range(3000))),
        interfaces=(*ARM.required, *(f'{number}/' for number in range(5000)), '', '/', '//'))


def slide_follows() -> str:
    return controlled().replace(
        '<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic joint="turn" multiplier="0"/>')


def missing(name: str, kind: str, *interfaces: str, **options) -> dict[str, object]:
    return {'controller': name, 'kind': kind, 'interfaces': list(interfaces), **options}


CASES = (
    case(
        'control-not-checked',
        lambda: robot().observed(unasked=('/controller_manager',)), robot,
        'The controllers of /controller_manager are not checked, because controller_manager_msgs '
        'is not installed here', topic=''),
    *(case(
        'control-manager-silent',
        lambda service=service: run_by(silent=service), commanded,
        f'/controller_manager does not respond to {service}', {'service': service},
        topic=f'/controller_manager/{service}')
      for service in ('list_controllers', 'list_hardware_interfaces')),
    case(
        'control-interface-missing',
        lambda: run_by(ARM, Controller('wrist', 'inactive', required=('trun/position',))),
        commanded,
        "Controller 'wrist' of /controller_manager requires 1 nonexistent command interface: "
        'trun/position', missing('wrist', 'command', 'trun/position', suggestion='turn/position'),
        subject='wrist', hint="Did you mean 'turn/position'?"),
    case(
        'control-interface-missing',
        lambda: run_by(ARM, Controller('force', 'inactive', required_states=(
            'turn/effort', 'turn/position', 'slide/effort'))), commanded,
        "Controller 'force' of /controller_manager requires 2 nonexistent state interfaces: "
        'turn/effort, slide/effort', missing('force', 'state', 'turn/effort', 'slide/effort'),
        subject='force'),
    case(
        'control-interface-missing', garbled, commanded,
        f'Controller {EVIL!r} of /controller_manager requires 3000 nonexistent command '
        f'interfaces: {", ".join(f"{EVIL}{number}" for number in range(10))} and 2990 more',
        missing(EVIL, 'command', *(f'{EVIL}{number}' for number in range(3000))), subject=EVIL),
    case(
        'control-interface-unused',
        lambda: run_by(TURN, Controller('slide_controller', 'inactive', required=(
            'slide/position',))), in_two_halves,
        'No active controller of /controller_manager commands slide; inactive: slide_controller',
        {'components': ['slide'], 'inactive': ['slide_controller']}),
    case(
        # Before Jazzy, a manager has its description from a parameter.
        'control-interface-unused',
        lambda: run_by(text=controlled(light='gpio'), interfaces=(), description=''), commanded,
        'No active controller of /controller_manager commands turn, slide, light',
        {'components': ['turn', 'slide', 'light']}),
    case(
        'control-interface-unused',
        lambda: run_by(TURN, node='/hands/controller_manager'),
        lambda: run_by(ARM, node='/hands/controller_manager'),
        'No active controller of /hands/controller_manager commands slide',
        {'components': ['slide']}, nodes=('/hands/controller_manager',)),
    case(
        'control-interface-unused',
        lambda: run_by(TURN), lambda: run_by(TURN, text=slide_follows()),
        'No active controller of /controller_manager commands slide', {'components': ['slide']},
        also=('frame-contradicts-model', 'joint-mimic-contradicts')),
    case(
        'control-joint-left-out',
        lambda: run_by(TURN, text=controlled(slide='')), commanded,
        "Robot 'arm' has 1 joint that neither its <ros2_control> nor a controller of "
        '/controller_manager uses: slide', {'robot': 'arm', 'joints': ['slide']}))
