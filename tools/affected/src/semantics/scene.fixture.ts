import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { type LocalRegistry, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { type CliResult, createHome, type RunOptions, runCli, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { AffectedResult } from '../result.js';
import { answerHere } from '../testing/answer-here.fixture.js';
import { MONOREPO, PACKAGES } from './monorepo.fixture.js';

/**
 * The lockfile that Yarn writes for the fixture's monorepo. It is stored because each test file needs it; lockfile.long.test.ts compares it
 * with Yarn's own.
 */
const LOCKFILE = join(findProjectRoot(), 'tools/affected/src/semantics/monorepo.fixture.lock');

/** The names of the affected workspaces, sorted, or `all: <code>`. */
export type Answer = readonly string[] | string;

/** The change of one test. */
export interface FileChange {
  /** The files that the base already has. */
  readonly before?: Files;
  readonly files?: Files;
  /** Yarn updates the lockfile in each step that touches its inputs; by default it stays. */
  readonly lock?: 'by Yarn';
  /** Arguments in addition to `--base` and `--json`. */
  readonly args?: readonly string[];
  /** The variables of a CI engine; by default none. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The fixture's monorepo with a lockfile by Yarn, its registry, and the real tool. */
export class MonorepoScene {
  readonly registry: LocalRegistry;
  private readonly cleanUp: CleanUp;
  private readonly environment: Readonly<Record<string, string>>;
  private readonly original: TempRepo;
  private changes = 0;

  private constructor(cleanUp: CleanUp, registry: LocalRegistry) {
    this.cleanUp = cleanUp;
    this.registry = registry;
    this.environment = registryEnvironment(registry.url, cleanUp.add(createHome()).path);
    this.original = cleanUp.add(TempRepo.create());
  }

  /** Creates a scene for all tests of a file: `cleanUp` runs after the last one. */
  static async create(cleanUp: CleanUp): Promise<MonorepoScene> {
    const scene = new MonorepoScene(cleanUp, cleanUp.add(await startRegistry({ packages: PACKAGES })));
    scene.original.write({ ...monorepoFiles(MONOREPO), 'yarn.lock': readFileSync(LOCKFILE, 'utf8') });
    scene.original.commit('Start the monorepo');
    // One file instead of a hundred, because it is copied often.
    scene.original.git('repack', '-a', '-d', '-q');
    return scene;
  }

  /** Returns a copy of the monorepo for one test, on the branch `main`. */
  copy(): TempRepo {
    const folder = this.cleanUp.add(new TempFolder());
    cpSync(this.original.path, folder.path, { recursive: true, verbatimSymlinks: true });
    return TempRepo.create({ folder: folder.path });
  }

  /** Lets the project's own Yarn write the lockfile for the working tree. */
  lock(repo: TempRepo, folder = '.'): Promise<void> {
    return this.yarn(repo, ['install', '--no-immutable'], folder);
  }

  /** Runs a Yarn command that changes the lockfile and installs nothing. */
  async yarn(repo: TempRepo, args: readonly string[], folder = '.'): Promise<void> {
    const options = { cwd: join(repo.path, folder), env: this.environment };
    const yarn = await runProcess(process.execPath, [quickYarn(findProjectRoot()), ...args, '--mode=update-lockfile'], options);
    if (yarn.code !== 0) throw new Error(`Yarn could not make the lockfile:\n${yarn.stdout}${yarn.stderr}`);
  }

  /** Returns the monorepo with the change as its last commit. */
  async changed({ before, files, lock }: FileChange): Promise<TempRepo> {
    const repo = this.copy();
    for (const step of before === undefined ? [files] : [before, files]) {
      repo.write(step ?? {});
      if (lock === 'by Yarn' && Object.keys(step ?? {}).some(decidesResolution)) await this.lock(repo);
      repo.commit('Change');
    }
    return repo;
  }

  /** Makes the change. Returns the affected workspaces. */
  async ask(change: FileChange): Promise<Answer> {
    return answerOf(await this.resultOf(change));
  }

  /** Makes the change, and expects an answer. */
  async answers(change: FileChange, affected: Answer): Promise<void> {
    expect(await this.ask(change)).toEqual(affected);
  }

  async resultOf(change: FileChange): Promise<AffectedResult> {
    return readResult(await this.askAbout(change));
  }

  /** Returns the exit code and the error code for a change that has no answer. */
  async failureOf(change: FileChange): Promise<unknown> {
    return failureOf(await this.askAbout(change));
  }

  private async askAbout(change: FileChange): Promise<CliResult> {
    const { args = [], env = {} } = change;
    if (change.lock === 'by Yarn') return askTool(await this.changed(change), ['--base', 'HEAD~1', ...args], { env });
    const branch = this.storeChange(change);
    return askTool(this.original, ['--base', `${branch}~1`, '--head', branch, ...args], { env });
  }

  /** Commits a change to a new branch, without a copy or a working tree, which would take longer than the tool. */
  private storeChange({ before, files }: FileChange): string {
    const branch = `change-${++this.changes}`;
    const steps = before === undefined ? [files] : [before, files];
    const commits = steps.map((step, at) => commitText(branch, at === 0 ? 'from refs/heads/main\n' : '', step ?? {}));
    this.original.fastImport(Buffer.concat(commits));
    return branch;
  }
}

/** Returns a commit for `git fast-import`. Without a start it follows the last one of its branch. */
function commitText(branch: string, start: string, files: Files): Buffer {
  const head = `commit refs/heads/${branch}\ncommitter A <a@example.com> 1700000000 +0000\ndata 6\nChange\n${start}`;
  const changes = Object.entries(files).flatMap(([path, content]): readonly (string | Uint8Array)[] => {
    const quoted = `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
    if (content === null) return [`D ${quoted}\n`];
    const [mode, text] =
      typeof content === 'string' || content instanceof Uint8Array
        ? ['100644', content]
        : 'symlink' in content
          ? ['120000', content.symlink]
          : ['100755', content.executable];
    return [`M ${mode} inline ${quoted}\ndata ${Buffer.byteLength(text)}\n`, text, '\n'];
  });
  return Buffer.concat([head, ...changes, '\n'].map((part) => Buffer.from(part)));
}

/** Returns whether a file can change the resolution. Starting Yarn takes longer than the rest of a test. */
function decidesResolution(file: string): boolean {
  return /(^|\/)package\.json$|^yarn\.lock$|^\.yarnrc\.yml$|\.patch$/.test(file);
}

/** What says which change, and nothing about the program. */
const PLAIN = /^--(?:base|head|cwd|task|uncommitted|no-fetch)$/;

/** Asks with `--json`, as in a shell with only the given variables: in this process, or the bundled tool where it matters which it is. */
export function askTool(repo: TempRepo, args: readonly string[], { env = {}, ...options }: Partial<RunOptions> = {}): Promise<CliResult> {
  const isPlain = args[0]?.startsWith('-') === true && args.every((one) => !one.startsWith('-') || PLAIN.test(one));
  if (isPlain && Object.keys({ ...env, ...options }).length === 0) return answerHere(args, repo.path);
  return runCli('affected', [...args, '--json'], { cwd: repo.path, env, ...options });
}

/** Runs the tool and reads its answer. */
export async function ask(repo: TempRepo, args: readonly string[], options: Partial<RunOptions> = {}): Promise<Answer> {
  return answerOf(readResult(await askTool(repo, args, options)));
}

/** Reads the result of a successful run, and checks what holds for every answer. */
export function readResult(run: CliResult): AffectedResult {
  if (run.code !== 0) throw new Error(`affected ended with ${run.code ?? run.signal}:\n${run.stdout}${run.stderr}`);
  const result = JSON.parse(run.stdout) as AffectedResult;
  const paths = result.workspaces.map(({ path }) => path);
  expect(paths).toEqual(paths.toSorted((one, other) => (one === '.' ? -1 : other === '.' ? 1 : one < other ? -1 : 1)));
  for (const { reasons } of result.workspaces) expect(reasons.length).toBeGreaterThan(0);
  if (result.all !== null) expect(result.workspaces).toHaveLength(result.workspaceCount);
  return result;
}

export function answerOf({ all, workspaces }: AffectedResult): Answer {
  return all === null ? workspaces.map(({ name }) => name).toSorted() : `all: ${all.code}`;
}

export function failureOf(run: CliResult): unknown {
  const { error } = JSON.parse(run.stdout) as { error?: { code: string } };
  return { exit: run.code, code: error?.code };
}

/** Returns the text of a file in the working tree. */
export function readText(repo: TempRepo, file: string): string {
  return readFileSync(join(repo.path, file), 'utf8');
}
