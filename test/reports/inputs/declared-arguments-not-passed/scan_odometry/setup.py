from setuptools import setup

setup(
    name='scan_odometry',
    version='0.1.0',
    packages=['scan_odometry'],
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/scan_odometry']),
        ('share/scan_odometry', ['package.xml']),
        ('share/scan_odometry/launch', ['launch/odometry.launch.py']),
    ],
    install_requires=['setuptools'],
    entry_points={'console_scripts': ['odometry_node = scan_odometry.odometry_node:main']},
)
