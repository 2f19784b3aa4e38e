import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runCommand } from './affected-process.js';

type Environment = Parameters<typeof runCommand>[1];

/** The files that turborepo reads in a monorepo to list packages. */
const SPARSE = ['package.json', 'turbo.json', '/yarn.lock', '/.yarnrc.yml', '/.yarn/patches/', ''];

/** A clone for turborepo, which needs a working tree. */
export class TurboClone {
  private readonly folder: string;
  private readonly env: Environment;

  private constructor(folder: string, env: Environment) {
    this.folder = folder;
    this.env = env;
  }

  /** Creates a clone that shares the objects of the repository and never writes to it. */
  static async create(path: string, { work, env }: { work: string; env: Environment }): Promise<TurboClone> {
    const folder = join(work, `turbo-${basename(join(path, '..'))}-${basename(path)}`);
    await runCommand({ program: 'git', args: ['clone', '-q', '--shared', '--no-checkout', path, folder], cwd: work }, env);
    await runCommand({ program: 'git', args: ['config', 'core.sparseCheckout', 'true'], cwd: folder }, env);
    writeFileSync(join(folder, '.git/info/sparse-checkout'), SPARSE.join('\n'));
    return new TurboClone(folder, env);
  }

  /** Returns the names of the packages that turborepo selects. A commit without `turbo.json` gets an empty one, which git ignores. */
  async ask(base: string, head: string): Promise<{ readonly names: ReadonlySet<string> } | { readonly failed: string }> {
    await runCommand({ program: 'git', args: ['checkout', '-q', '-f', '--detach', head], cwd: this.folder }, this.env);
    if (!existsSync(join(this.folder, 'turbo.json'))) {
      appendFileSync(join(this.folder, '.git/info/exclude'), '/turbo.json\n');
      writeFileSync(join(this.folder, 'turbo.json'), '{"tasks": {}}\n');
    }
    const turbo = join(findProjectRoot(), 'node_modules/.bin/turbo');
    const args = ['ls', `--filter=...[${base}...${head}]`, '--output=json'];
    try {
      const env = { ...this.env, TURBO_TELEMETRY_DISABLED: '1' };
      const text = await runCommand({ program: turbo, args, cwd: this.folder }, env);
      const { packages } = JSON.parse(text.slice(text.indexOf('{'))) as { packages: { items: { name: string }[] } };
      return { names: new Set(packages.items.map(({ name }) => name)) };
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }
}
