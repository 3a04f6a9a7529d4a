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

"""
Worker interpreters with limits, which process untrusted files.

A job is a function, named ``module:function``; a :class:`~urdf_tools.sandbox.pool.WorkerPool`
runs it in a process of its own, which is used again for the next one and ends with its parent.
It is a new interpreter, or a fork of a program without threads that allows it for what it trusts.
Requests and answers are JSON with bytes beside it, so that nothing that a worker answers is run.
What holds where:

- everywhere: the limits on wall time and on the size of an answer, for which the worker is killed,
  and the limit on CPU time, first as an exception in the job, then by the system;
- on Linux: the limit on memory, which macOS does not have.

A confined worker, moreover, starts no program, opens no connection, writes no file and touches no
other process: on Linux the kernel sees to it (:mod:`urdf_tools.sandbox.linux`), on other
systems a limit keeps it from writing. One that reads no files either asks its parent for them.

A worker ends as soon as its parent does, however that ended; one that is in the middle of a single
operation of Python, such as ``9**9**9``, when its CPU time is over.
"""
