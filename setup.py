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

from glob import glob

from setuptools import find_packages
from setuptools import setup

NODES = (
    'inertia_publisher', 'joint_state_source', 'model_server', 'model_validator',
    'state_publisher')
SHARED_FOLDERS = ('config', 'launch', 'rviz', 'urdf')

setup(
    name='urdf_tools',
    version='0.1.0',
    packages=find_packages(include=['urdf_tools', 'urdf_tools.*']),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/urdf_tools']),
        ('share/urdf_tools', ['package.xml']),
        *((f'share/urdf_tools/{folder}', glob(f'{folder}/*.*')) for folder in SHARED_FOLDERS),
        # Scripts of entry points go to lib/urdf_tools, where ros2 run finds the nodes; the
        # command for the terminal belongs on the PATH.
        ('bin', ['bin/urdf-tools']),
    ],
    install_requires=['setuptools'],
    extras_require={'test': ['pytest']},
    zip_safe=False,
    maintainer='The urdf_tools authors',
    maintainer_email='maintainers@urdf-tools.example',
    description='The URDF toolset for ROS 2',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [f'{node} = urdf_tools.nodes.{node}.node:main' for node in NODES],
    },
)
