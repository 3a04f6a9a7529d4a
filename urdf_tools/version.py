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
"""The version of the package, whose home is package.xml."""

from pathlib import Path
from xml.etree import ElementTree

_MANIFEST = Path(__file__).resolve().parents[1] / 'package.xml'


def _version() -> str:
    """Return the version in package.xml in a source tree, else that of the installation."""
    if _MANIFEST.is_file():
        return ElementTree.parse(_MANIFEST).findtext('version', '')
    from importlib import metadata  # It imports much, and a source tree does without.
    return metadata.version('urdf_tools')


__version__ = _version()
