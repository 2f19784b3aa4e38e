import { existsSync, mkdtempSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asUser, type Git } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { runContained } from '@tributary/process/contained';
import { changedText, type InstalledPackage, type Mutant } from '../audit/mutant.js';
import { asRecord } from '../plan/turbo-tasks.js';
import { type BrokenPackage, breakPackage, mendPackage, ownPackageFolder } from './broken-package.js';
import { definedEnvironment, withoutRepository } from './environment.js';
import type { RepoLocation } from './locate.js';
import { makeWritable, removeFolder } from './remove-folder.js';
import { runTurbo, type TurboTask } from './turbo.js';

/** What a change or a test would not be read from. */
const LARGEST = 200_000;
/** For the installation. */
const SETUP_MS = 30 * 60_000;

/** A clone of its own, in which files may be changed and tests run. The user's repository is only read. */
export class AuditCopy {
  /** The root of the project. */
  readonly folder: AbsolutePath;
  private readonly top: string;
  private readonly start: string;
  private readonly git: Git;
  private readonly signal: AbortSignal;
  /** Packages that fail now. */
  private broken: readonly BrokenPackage[] = [];

  private constructor(
    top: string,
    { start, project, signal }: { readonly start: string; readonly project: string; readonly signal: AbortSignal },
  ) {
    this.top = top;
    this.start = start;
    this.signal = signal;
    this.folder = parseAbsolutePath(join(top, 'copy', project));
    this.git = asUser(parseAbsolutePath(join(top, 'copy')), { signal });
  }

  /** Clones a commit; objects are those of the user's repository. Throws `GIT_FAILED`. */
  static async make({ gitDir, project }: RepoLocation, start: string, signal: AbortSignal): Promise<AuditCopy> {
    const top = realpathSync.native(mkdtempSync(join(tmpdir(), 'affected-audit-')));
    try {
      const git = asUser(parseAbsolutePath(top), { signal });
      await git.text(['clone', '--quiet', '--shared', '--no-tags', '--no-checkout', gitDir, join(top, 'copy')]);
      const copy = new AuditCopy(top, { start, project, signal });
      await copy.git.text(['checkout', '--quiet', '--detach', start, '--']);
      return copy;
    } catch (error) {
      removeFolder(top);
      throw error;
    }
  }

  /** Never throws. Returns a warning if something stays. */
  remove(): string | undefined {
    const reason = removeFolder(this.top);
    return reason === undefined ? undefined : `The copy in ${this.top} could not be removed: ${reason}`;
  }

  /**
   * Runs a command of the user's in a shell. Throws `INSTALL_FAILED` if it fails, or if git then sees another state than the commit: a change
   * would be compared with that, and `restore` would remove it.
   */
  async setUp(command: string): Promise<void> {
    const call = { program: '/bin/sh', args: ['-c', command], env: withoutRepository(definedEnvironment()), cwd: this.folder };
    const { ended, output } = await runContained({ ...call, log: join(this.top, 'setup.log'), timeoutMs: SETUP_MS, signal: this.signal });
    if (ended !== 'well')
      throw setupFailed(
        `"${command}" failed in a copy of the project: ${output.trim().split('\n').slice(-5).join(' | ')}`,
        'Name another command with --setup.',
      );
    const changed = await this.firstChange();
    if (changed === undefined) return;
    throw setupFailed(
      `After "${command}", ${changed} differs from the commit.`,
      'Commit or ignore what the command makes, or name another one with --setup.',
    );
  }

  /** `undefined` for what is too large, a link, or no text. */
  read(path: string): string | undefined {
    const file = join(this.folder, path);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) > LARGEST && path !== 'yarn.lock') return undefined;
    const text = readFileSync(file, 'utf8');
    return /[\0\uFFFD]/.test(text) ? undefined : text;
  }

  /** Those of `packages` that lie in the root's node_modules in that version, and that may be broken. */
  installed(packages: readonly InstalledPackage[]): readonly InstalledPackage[] {
    return packages.filter(({ name, version }) => this.versionOf(name) === version);
  }

  /** Makes changes of different places one commit, and returns its id. Throws `GIT_FAILED`. */
  async apply(mutants: readonly Mutant[]): Promise<string> {
    for (const mutant of mutants) {
      const file = join(this.folder, mutant.file);
      writeFileSync(file, changedText(readFileSync(file, 'utf8'), mutant));
      if (mutant.breaks !== undefined) this.breakPackage(mutant.breaks);
    }
    const author = ['user.name=affected', 'user.email=affected@localhost', 'commit.gpgSign=false'].flatMap((one) => ['-c', one]);
    await this.git.text([...author, 'commit', '--quiet', '--all', '--no-verify', '--message', 'Mutant']);
    return this.git.text(['rev-parse', 'HEAD']);
  }

  /** Back to the start; what is ignored stays. */
  async restore(): Promise<void> {
    await this.git.text(['reset', '--quiet', '--hard', this.start]);
    await this.clean();
    // Of two names of one folder, the first has the original.
    for (const one of this.broken.toReversed()) mendPackage(one);
    this.broken = [];
  }

  /** Runs a task of workspaces, by their names for turborepo, without a cache. `too late`: it did not end in time. Throws as `runTurbo`. */
  async run(task: string, workspaces: readonly string[], timeoutMs: number): Promise<readonly TurboTask[] | 'too late'> {
    let isLate = false;
    try {
      return await runTurbo({
        folder: this.folder,
        task,
        workspaces,
        cache: 'ignored',
        concurrency: 2,
        scriptArguments: [],
        env: { ...NO_REMOTE_CACHE, TURBO_CACHE_DIR: join(this.top, 'cache') },
        run: async ({ program, args, env, cwd }) => {
          const call = { program, args, env: withoutRepository(env), cwd };
          const { ended } = await runContained({ ...call, log: join(this.top, 'run.log'), timeoutMs, signal: this.signal });
          isLate = ended === 'too late' || ended === 'too much output';
          return ended === 'well' ? 0 : 1;
        },
        signal: this.signal,
      });
    } catch (error) {
      if (isLate) return 'too late';
      throw error;
    }
  }

  private async clean(): Promise<void> {
    const args = ['clean', '--quiet', '-d', '--force'];
    if ((await this.git.attempt(args)).exit === 0) return;
    // A test may have left a folder that nobody may write.
    makeWritable(join(this.top, 'copy'));
    await this.git.text(args);
  }

  /** What differs from the start and is not ignored. */
  private async firstChange(): Promise<string | undefined> {
    if ((await this.git.text(['rev-parse', 'HEAD'])) !== this.start) return 'HEAD';
    const status = await this.git.text(['status', '--porcelain', '--untracked-files=normal', '--no-renames']);
    return status === ''
      ? undefined
      : status
          .trim()
          .split('\n', 1)[0]
          ?.replace(/^\S+\s+/, '');
  }

  private versionOf(name: string): unknown {
    const folder = ownPackageFolder(this.folder, name);
    const file = join(folder ?? '', 'package.json');
    if (folder === undefined || !existsSync(file)) return undefined;
    return asRecord(JSON.parse(readFileSync(file, 'utf8')))['version'];
  }

  private breakPackage({ name }: InstalledPackage): void {
    const folder = ownPackageFolder(this.folder, name);
    if (folder === undefined) return;
    this.broken = [...this.broken, breakPackage(folder, join(this.top, `package-${this.broken.length}`))];
  }
}

function setupFailed(message: string, hint: string): ToolError {
  return new ToolError({ code: 'INSTALL_FAILED', message, hint });
}

/** What mutants leave in a cache must not reach others. turborepo 2.11 refuses TURBO_CACHE beside the older variables; empty ones count as unset. */
const NO_REMOTE_CACHE = {
  TURBO_CACHE: 'local:rw',
  ...Object.fromEntries(
    ['API', 'TOKEN', 'TEAM', 'TEAMID', 'FORCE', 'REMOTE_ONLY', 'REMOTE_CACHE_READ_ONLY'].map((name) => [`TURBO_${name}`, '']),
  ),
};
