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
"""What programs know, as they list it themselves: elements, attributes, shapes, sensors."""

from __future__ import annotations

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Any

TABLES: Mapping[str, Any] = json.loads(Path(__file__).with_name('tables.json').read_bytes())
"""The tables by their names; the constants made of them say what is in each."""
