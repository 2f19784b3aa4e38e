import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { Command } from './affected-process.js';

/** One line of a table: a command, and the number of workspaces in its answer. */
export interface Row {
  readonly name: string;
  readonly command: Command;
  /** Returns the number of workspaces in its output; missing if the command answers something else. */
  readonly found?: (stdout: string) => number;
  /** Runs before each run, unmeasured. */
  readonly prepare?: () => void;
}

/** The names by which bars find rows. */
const NODE = 'node -e 0';
export const OURS = 'affected, node <file>';
export const HELP = 'affected --help';
export const WRONG = 'affected --wrong-flag';
export const WIDE = 'affected, a file in each 20th';
export const LOCK = 'affected, one lock entry';
export const MANIFEST = 'affected, one manifest';
const COLD = 'affected, no source read before';
const TABLE = 'affected, as a table';
const PLAN = 'affected plan';
export const TEMPLATE = 'affected, as in the templates';
export const UNPACK = 'tar -xzf, once in a job';

/** Our own command, linked into `node_modules/.bin` as a package manager does. */
export class Ours {
  private readonly link: string;

  /** Throws an `Error` if the tool is not built. AFFECTED_CLI names another start file, to compare two of them. */
  constructor(work: string) {
    const file = resolve(process.env['AFFECTED_CLI'] ?? join(findProjectRoot(), 'tools/affected/out/cli.cjs'));
    if (!existsSync(file)) throw new Error(`${file} is not there: build first`);
    const bin = join(work, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    this.link = join(bin, 'affected');
    symlinkSync(file, this.link);
  }

  /** Returns the question of all rows: what can the commits since `base` affect? */
  row(name: string, place: { readonly cwd: string; readonly base: string }): Row {
    return { name, command: this.byNode(place.cwd, ['--base', place.base, '--head', 'HEAD', '--json']), found: countOurs };
  }

  /** The same through the link and its first line, `#!/usr/bin/env node`. */
  linked(place: { readonly cwd: string; readonly base: string }): Row {
    const row = this.row('affected, node_modules/.bin', place);
    return { ...row, command: { ...row.command, program: this.link, args: row.command.args.slice(1) } };
  }

  /** The same without what earlier runs kept, as a table, and its plan. */
  others(place: { readonly cwd: string; readonly base: string }): Row[] {
    const asked = ['--base', place.base, '--head', 'HEAD'];
    const forget = (): void => rmSync(join(place.cwd, '.git/tributary'), { recursive: true, force: true });
    return [
      { ...this.row(COLD, place), prepare: forget },
      { name: TABLE, command: this.byNode(place.cwd, asked) },
      { name: PLAN, command: this.byNode(place.cwd, ['plan', ...asked, '--out', `${this.link}-plan.json`]) },
    ];
  }

  /** Returns the commands whose time grows with the number of workspaces: the answers for one file and for one manifest, and the plan. */
  growing({ cwd, base }: { readonly cwd: string; readonly base: string }): Row[] {
    const asked = (branch: string): string[] => ['--base', base, '--head', branch];
    return [
      { name: 'select', command: this.byNode(cwd, [...asked('one-file'), '--json']) },
      { name: 'a manifest', command: this.byNode(cwd, [...asked('manifest'), '--json']) },
      { name: 'plan', command: this.byNode(cwd, ['plan', ...asked('one-file'), '--out', `${this.link}-plan.json`]) },
    ];
  }

  /** Returns the plan for a file in every twentieth package, which affects nearly all. */
  planOfAll({ cwd, base }: { readonly cwd: string; readonly base: string }): Row {
    const args = ['--base', base, '--head', 'twentieth', '--shards', '256', '--max-shards', '256', '--out', `${this.link}-plan.json`];
    return { name: 'plan of all', command: this.byNode(cwd, ['plan', ...args]) };
  }

  /** Returns commands that need no repository. */
  talk(cwd: string): Row[] {
    return [
      { name: HELP, command: this.byNode(cwd, ['--help']) },
      { name: WRONG, command: { ...this.byNode(cwd, ['--wrong-flag']), exit: 2 } },
    ];
  }

  private byNode(cwd: string, args: readonly string[]): Command {
    return { program: process.execPath, args: [this.link, ...args], cwd };
  }
}

/** Returns the baseline of all ratios. */
export function nodeRow(cwd: string): Row {
  return { name: NODE, command: { program: process.execPath, args: ['-e', '0'], cwd } };
}

/** Returns the number of workspaces in our JSON answer. */
export function countOurs(stdout: string): number {
  const { workspaces } = JSON.parse(stdout) as { workspaces: readonly unknown[] };
  return workspaces.length;
}
