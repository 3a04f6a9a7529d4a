from setuptools import find_packages
from setuptools import setup

package_name = 'pendulum_test_nodes'

setup(
    name=package_name,
    version='0.1.0',
    packages=find_packages(),
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
    ],
    install_requires=['setuptools'],
    zip_safe=True,
    maintainer='me',
    maintainer_email='me@example.org',
    description='Nodes that test a pendulum.',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'position_publisher = pendulum_test_nodes.position_publisher:main',
        ],
    },
)
