import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@tributary/process/environment';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runCommand } from './affected-process.js';
import { countOurs, type Row, TEMPLATE, UNPACK } from './affected-rows.js';
import type { PeerRepository } from './peers.js';

/** The tool as a job of our CI templates starts it: unpacked once from the packed tarball, then started by a shell. */
export class TemplateStart {
  private readonly tarball: string;
  private readonly folder: string;
  private readonly start: string;

  private constructor(tarball: string, folder: string) {
    this.tarball = tarball;
    this.folder = folder;
    const template = readFileSync(join(findProjectRoot(), 'ci/azure/azure-pipelines.yml'), 'utf8');
    const [start] = /\$\{AFFECTED:-node "\$PIPELINE_WORKSPACE\/[^"]+"\}/.exec(template) ?? [];
    if (start === undefined) throw new Error('the template does not say how affected is started');
    this.start = start;
  }

  static async prepare(work: string, env: Environment): Promise<TemplateStart> {
    const folder = join(work, 'template');
    mkdirSync(folder);
    const args = ['pack', '--silent', '--pack-destination', work];
    const name = await runCommand({ program: 'npm', args, cwd: join(findProjectRoot(), 'tools/affected') }, env);
    const template = new TemplateStart(join(work, name.trim()), folder);
    await runCommand(template.unpacking(work).command, env);
    return template;
  }

  /** Returns the question of all rows, and the step that each job does once. */
  rows({ cwd, base }: PeerRepository): Row[] {
    const args = ['-c', `${this.start} "$@"`, 'sh', '--base', base, '--head', 'HEAD', '--json'];
    const command = { program: 'sh', args, cwd, env: { PIPELINE_WORKSPACE: this.folder } };
    return [{ name: TEMPLATE, command, found: countOurs }, this.unpacking(cwd)];
  }

  private unpacking(cwd: string): Row {
    return { name: UNPACK, command: { program: 'tar', args: ['-xzf', this.tarball, '-C', this.folder], cwd } };
  }
}
