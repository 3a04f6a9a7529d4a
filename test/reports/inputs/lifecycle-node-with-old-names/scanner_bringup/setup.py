from glob import glob

from setuptools import find_packages
from setuptools import setup

package_name = 'scanner_bringup'

setup(
    name=package_name,
    version='0.1.0',
    packages=find_packages(),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
        ('share/' + package_name + '/config', glob('config/*')),
        ('share/' + package_name + '/launch', glob('launch/*')),
    ],
    install_requires=['setuptools'],
    zip_safe=True,
    maintainer='me',
    maintainer_email='me@example.org',
    description='A scanner.',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'scanner = scanner_bringup.scanner:main',
        ],
    },
)
