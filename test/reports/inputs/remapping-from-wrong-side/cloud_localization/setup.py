from setuptools import setup

setup(
    name='cloud_localization',
    version='0.1.0',
    packages=['cloud_localization'],
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/cloud_localization']),
        ('share/cloud_localization', ['package.xml']),
        ('share/cloud_localization/launch', ['launch/carla.launch.py']),
    ],
    install_requires=['setuptools'],
    entry_points={'console_scripts': ['localization = cloud_localization.localization:main']},
)
