// Copyright 2026 The urdf_tools authors
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

/** Checks of the workspace as tasks, whose findings become problems. */

import { ProcessExecution, Task, TaskDefinition, TaskProvider, TaskScope, workspace, WorkspaceFolder } from 'vscode';
import { Programs } from './program';
import { setting } from './settings';

interface Definition extends TaskDefinition {
  paths: string[];
  options?: string[];
}

export class CheckTasks implements TaskProvider {
  constructor(private readonly programs: Programs) {}

  async provideTasks(): Promise<Task[]> {
    const tasks = (workspace.workspaceFolders ?? []).map(
      folder => this.task({ type: 'urdf-tools', paths: ['.'] }, folder));
    return (await Promise.all(tasks)).filter(task => task !== undefined);
  }

  resolveTask(task: Task): Promise<Task | undefined> {
    return this.task(task.definition as Definition, task.scope);
  }

  private async task(definition: Definition, scope?: WorkspaceFolder | TaskScope): Promise<Task | undefined> {
    const program = await this.programs.find();
    if (program === undefined) {
      return undefined;
    }
    const folder = typeof scope === 'object' ? scope : workspace.workspaceFolders?.[0];
    const packages = Object.entries(setting<Record<string, string>>('packages', {}));
    const args = ['check', ...definition.options ?? [],
      ...packages.flatMap(([name, path]) => ['--package', `${name}=${path}`]), ...definition.paths];
    return new Task(
      definition, scope ?? TaskScope.Workspace, `check ${definition.paths.join(' ')}`, 'urdf-tools',
      new ProcessExecution(program.command, [...program.args, ...args], { cwd: folder?.uri.fsPath }), '$urdf-tools');
  }
}
