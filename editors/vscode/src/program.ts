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

/** The program urdf-tools: found, or installed into an environment of its own after asking. */

import { ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commands, ExtensionContext, LogOutputChannel, ProgressLocation, Uri, window } from 'vscode';
import { SECTION, setting, setupCandidates } from './settings';

export interface Program {
  command: string;
  args: string[];
}

export interface Output {
  code: number | null;
  stdout: string;
  stderr: string;
}

export class Programs {
  private found?: Promise<Program | undefined>;

  constructor(private readonly context: ExtensionContext, private readonly log: LogOutputChannel) {}

  /** Look again the next time. */
  forget(): void {
    this.found = undefined;
  }

  /** Return the program, or nothing if there is none that serves editors. */
  find(): Promise<Program | undefined> {
    this.found ??= this.look();
    return this.found;
  }

  /** Return the program, and tell the user if there is none. */
  async need(): Promise<Program | undefined> {
    return await this.find() ?? await this.offer();
  }

  private get environment(): string {
    return Uri.joinPath(this.context.globalStorageUri, 'environment').fsPath;
  }

  private candidates(): Program[] {
    const path = setting('path', '');
    if (path) {
      return [{ command: path, args: [] }];
    }
    return [
      ...setupCandidates().filter(existsSync).map(setup => (
        { command: 'bash', args: ['-c', '. "$0" && exec urdf-tools "$@"', setup] })),
      { command: 'urdf-tools', args: [] },
      { command: join(this.environment, 'bin', 'urdf-tools'), args: [] },
    ];
  }

  private async look(): Promise<Program | undefined> {
    for (const program of this.candidates()) {
      // With nothing to read, a server that has all that it needs ends at once, without an error.
      const { code, stderr } = await run(program, ['lsp']);
      const name = [program.command, ...program.args].join(' ');
      if (code === 0) {
        this.log.info(`Uses ${name}`);
        return program;
      }
      this.log.info(`Does not use ${name}: ${stderr.trim()}`);
    }
    return undefined;
  }

  /** Ask whether to install the program, and do so. */
  async offer(): Promise<Program | undefined> {
    const [install, settings] = ['Install', 'Open Settings'];
    const answer = await window.showWarningMessage(
      'The program urdf-tools was not found, or lacks what the language server needs. Install it into an ' +
      'environment of this extension? What it depends on comes from PyPI.', install, settings);
    if (answer === settings) {
      await commands.executeCommand('workbench.action.openSettings', `${SECTION}.path`);
    }
    return answer === install ? this.install() : undefined;
  }

  /** Install the program that comes with this extension. */
  async install(): Promise<Program | undefined> {
    const folder = this.context.asAbsolutePath('server');
    const wheel = existsSync(folder) ? readdirSync(folder).find(name => name.endsWith('.whl')) : undefined;
    if (wheel === undefined) {
      void window.showErrorMessage('This build of the extension comes without urdf-tools: make vsix adds it.');
      return undefined;
    }
    const python = { command: setting('python', 'python3'), args: [] };
    const steps: [Program, string[]][] = [
      [python, ['-m', 'venv', '--clear', this.environment]],
      [{ command: join(this.environment, 'bin', 'python'), args: [] }, [
        '-m', 'pip', 'install', '--disable-pip-version-check', `${join(folder, wheel)}[lsp,meshes,view,xacro]`]],
    ];
    const failed = await window.withProgress(
      { location: ProgressLocation.Notification, title: 'Installing urdf-tools' }, async () => {
        for (const [program, args] of steps) {
          const { code, stdout, stderr } = await run(program, args);
          this.log.info(stdout + stderr);
          if (code !== 0) {
            return stderr.trim().split('\n').pop() ?? '';
          }
        }
        return undefined;
      });
    if (failed !== undefined) {
      void window.showErrorMessage(`urdf-tools could not be installed: ${failed}`);
      return undefined;
    }
    this.forget();
    return this.find();
  }
}

export function start(program: Program, args: string[], cwd?: string): ChildProcessWithoutNullStreams {
  const child = spawn(program.command, [...program.args, ...args], { cwd });
  // A program that ends does not read what is written to it; its exit code tells why.
  child.stdin.on('error', () => undefined);
  return child;
}

/** Run a program until it ends. */
export function run(program: Program, args: string[], cwd?: string, input = ''): Promise<Output> {
  return new Promise(done => {
    const output: Output = { code: null, stdout: '', stderr: '' };
    const child = start(program, args, cwd);
    child.stdout.setEncoding('utf8').on('data', (text: string) => { output.stdout += text; });
    child.stderr.setEncoding('utf8').on('data', (text: string) => { output.stderr += text; });
    child.on('error', error => done({ ...output, stderr: error.message }));
    child.on('close', code => done({ ...output, code }));
    child.stdin.end(input);
  });
}
