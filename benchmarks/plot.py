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

"""Results as a plot."""

from pathlib import Path
from statistics import median

from benchmarks.report import Results
import matplotlib

matplotlib.use('Agg')

from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import LogFormatter  # noqa: E402
from matplotlib.ticker import NullLocator  # noqa: E402
from matplotlib.ticker import ScalarFormatter  # noqa: E402


def plot(results: Results, file: Path) -> None:
    """Save CPU time and latency over the number of joints, a line for each node."""
    figure, (costs, delays) = pyplot.subplots(1, 2, figsize=(10, 4), layout='constrained')
    for name in dict.fromkeys(name for _, name in results):
        runs = {joints: results[joints, node] for joints, node in results if node == name}
        for axes, field in ((costs, 'cpu'), (delays, 'p50')):
            axes.plot(
                list(runs),
                [median(getattr(run, field) for run in measured) for measured in runs.values()],
                marker='o', label=name)
    costs.set_title('CPU time of the process per message')
    delays.set_title('Median latency from joint state to /tf')
    for axes in (costs, delays):
        axes.set(xlabel='joints', ylabel='microseconds', xscale='log', yscale='log')
        axes.set_xticks(sorted({joints for joints, _ in results}))
        axes.xaxis.set_minor_locator(NullLocator())
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(ScalarFormatter())
        axes.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(3, 1)))
        axes.grid(alpha=0.3, which='both')
    costs.legend()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=120)
    pyplot.close(figure)
