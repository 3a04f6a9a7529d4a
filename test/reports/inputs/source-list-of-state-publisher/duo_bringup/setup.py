from glob import glob

from setuptools import find_packages
from setuptools import setup

package_name = 'duo_bringup'

setup(
    name=package_name,
    version='0.1.0',
    packages=find_packages(),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
        ('share/' + package_name + '/launch', glob('launch/*')),
        ('share/' + package_name + '/urdf', glob('urdf/*')),
    ],
    install_requires=['setuptools'],
    zip_safe=True,
    maintainer='me',
    maintainer_email='me@example.org',
    description='An arm and its gripper.',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'arm_driver = duo_bringup.arm_driver:main',
            'gripper_driver = duo_bringup.gripper_driver:main',
        ],
    },
)
