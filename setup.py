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
from pathlib import Path
from xml.etree import ElementTree

from setuptools import find_packages
from setuptools import setup

# colcon runs a link to this file in a folder without the others.
HERE = Path(__file__).resolve().parent

SHARED_FOLDERS = ('config', 'launch', 'rviz', 'urdf')

setup(
    name='urdf_tools',
    version=ElementTree.parse(HERE / 'package.xml').findtext('version'),
    description='The URDF toolset for ROS 2',
    long_description=HERE.joinpath('README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    license='Apache-2.0',
    maintainer='The urdf_tools authors',
    maintainer_email='maintainers@urdf-tools.example',
    python_requires='>=3.10',
    packages=find_packages(include=['urdf_tools', 'urdf_tools.*']),
    package_data={'urdf_tools': [
        'py.typed', '*.pyi', '*/*.json', '*/*.pyi', '*/*.yaml', 'check/*/*.json',
        'doctor/recordings/*.*', 'programs/gazebo/*.json', 'ros/*.xml',
        'view/*.js']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/urdf_tools']),
        ('share/urdf_tools', ['package.xml']),
        *((f'share/urdf_tools/{folder}', glob(f'{folder}/*.*')) for folder in SHARED_FOLDERS),
        # ros2 run and launch files look for nodes here. As entry points they would be commands
        # on the PATH after pip install.
        ('lib/urdf_tools', glob('scripts/*')),
    ],
    zip_safe=False,
    install_requires=[
        'lazy-loader', 'lxml', 'numpy', 'pyyaml', 'tomli; python_version < "3.11"',
        'urdfdom-py'],
    extras_require={
        'completion': ['argcomplete>=3'],
        'contacts': ['coal>=3'],
        'docs': ['furo', 'myst-parser', 'sphinx', 'sphinx-copybutton'],
        'lsp': ['pygls>=2'],
        'meshes': ['scipy', 'trimesh'],
        'mujoco': ['mujoco>=3.3'],
        'recordings': ['mcap'],
        'test': ['hypothesis', 'pytest'],
        'view': ['pillow>=10.1', 'pycollada', 'viser>=1.1,<2'],
        'xacro': ['xacro'],
    },
    entry_points={
        'console_scripts': ['urdf-tools = urdf_tools.cli:main'],
        'pytest11': ['urdf_tools = urdf_tools.check.testing.pytest_plugin'],
    },
)
