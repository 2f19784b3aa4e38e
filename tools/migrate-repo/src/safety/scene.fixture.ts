import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { RepoSnapshot } from '@tributary/test-repo/repo-snapshot';
import { type CliResult, createHome, type RunOptions, runCli } from '@tributary/test-repo/run-cli';
import type { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo, formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo, type TempRepoOptions } from '@tributary/test-repo/temp-repo';

/** Options of a run, without what a scene decides. */
export type SceneRun = Partial<RunOptions>;

/** A monorepo with one workspace, and the real tool to be run on it. */
export class Scene {
  readonly monorepo: TempRepo;
  readonly home: TempFolder;

  constructor(monorepo: TempRepo, home: TempFolder) {
    this.monorepo = monorepo;
    this.home = home;
  }

  /** Runs the bundled `migrate-repo` in the monorepo. */
  run(args: readonly string[], options: SceneRun = {}): Promise<CliResult> {
    return runCli('migrate-repo', args, { cwd: this.monorepo.path, ...options, env: { HOME: this.home.path, ...options.env } });
  }

  /** Everything that a failed run must leave alone. */
  state(): State {
    return readState(this.monorepo);
  }

  /** Runs what must be refused with `code`, and expects the monorepo to be exactly as before. */
  async refused(code: string, args: readonly string[], options: SceneRun = {}): Promise<CliResult> {
    const before = this.state();
    const result = await this.run(args, options);
    expect(failureOf(result)).toEqual({ exit: code === 'USAGE' ? 2 : 1, code });
    expect(this.state()).toEqual(before);
    return result;
  }

  /** Runs what must succeed; nothing but new refs and objects may be there afterwards. */
  async accepted(args: readonly string[], options: SceneRun = {}): Promise<CliResult> {
    const before = this.state();
    const result = await this.run(args, options);
    expect({ code: result.code, stderr: result.code === 0 ? '' : result.stderr }).toEqual({ code: 0, stderr: '' });
    const now = this.state();
    const leftovers = before.leftovers.filter((pack) => now.leftovers.includes(pack));
    expect(besideRefs(now)).toEqual(besideRefs({ ...before, leftovers }));
    return result;
  }

  /** Takes a migration back. What was fetched may stay, unreachable: git's own housekeeping removes it. */
  async discarded(name: string, options: SceneRun = {}): Promise<CliResult> {
    const before = this.state();
    const result = await this.run(['discard', name], options);
    expect({ code: result.code, stderr: result.code === 0 ? '' : result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(besideRefs({ ...this.state(), leftovers: [] })).toEqual(besideRefs({ ...before, leftovers: [] }));
    return result;
  }
}

/** A snapshot, and the objects, of which no leftover may be there. */
export interface State {
  readonly snapshot: RepoSnapshot;
  readonly packs: readonly string[];
  /** Packs of which nothing can be reached. One that was fetched also holds the source's own commits, which nothing reaches. */
  readonly leftovers: readonly string[];
  /** What `git fsck` finds broken. */
  readonly broken: string;
}

export function readState(repo: TempRepo): State {
  const packs = listPacks(repo);
  return {
    snapshot: repo.snapshot(),
    packs,
    leftovers: findLeftovers(repo, packs),
    broken: repo.git('fsck', '--connectivity-only', '--no-dangling', '--no-progress'),
  };
}

/** The state without refs, their logs and the packs they reach. */
export function besideRefs({ snapshot, leftovers, broken }: State): unknown {
  const gitFolder = Object.entries(snapshot.gitFolder).filter(([name]) => !/^logs\/refs\b/.test(name));
  return { ...snapshot, refs: [], gitFolder: Object.fromEntries(gitFolder), leftovers, broken };
}

function listPacks(repo: TempRepo): string[] {
  const folder = join(gitFolderOf(repo), 'objects', 'pack');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function findLeftovers(repo: TempRepo, packs: readonly string[]): string[] {
  const indices = packs.filter((file) => file.endsWith('.idx'));
  const halves = packs.filter((file) => !file.endsWith('.idx') && !indices.includes(file.replace(/\.\w+$/, '.idx')));
  if (indices.length === 0) return halves;
  const reachable = new Set(repo.git('rev-list', '--objects', '--no-object-names', '--all', '--indexed-objects').split('\n'));
  const isLeft = (index: string): boolean => {
    const listed = repo.gitWithInput(readFileSync(join(gitFolderOf(repo), 'objects', 'pack', index)), 'show-index');
    return !listed.split('\n').some((line) => reachable.has(line.split(' ')[1] ?? ''));
  };
  return [...halves, ...indices.filter(isLeft)];
}

/** The folder with objects and refs. */
export function gitFolderOf(repo: TempRepo): AbsolutePath {
  return parseAbsolutePath(repo.git('rev-parse', '--path-format=absolute', '--git-common-dir'));
}

/** The exit code, and the code in brackets of the error message. */
export function failureOf(result: CliResult): { readonly exit: number | null; readonly code: string } {
  // The message of several packages names the code of each, and its own comes last.
  return { exit: result.code, code: [...result.stderr.matchAll(/\[([A-Z_]+)\]$/gm)].at(-1)?.[1] ?? result.stderr };
}

/** A scene whose monorepo has the workspace `packages/here`. */
export function createScene(cleanUp: CleanUp, root: Manifest = {}, options: TempRepoOptions = {}): Scene {
  const description = { root, packages: { 'packages/here': {} }, files: { 'README.md': 'monorepo\n' } };
  return new Scene(cleanUp.add(createTempMonorepo(description, options)), cleanUp.add(createHome()));
}

/** The repository of a package: three commits, a merge among them, and two tags. */
export function createSource(cleanUp: CleanUp, name = 'left-pad', manifest: Manifest = {}, options: TempRepoOptions = {}): TempRepo {
  const repo = cleanUp.add(TempRepo.create(options));
  repo.commit('Start', { files: { 'package.json': formatManifest({ name, version: '1.0.0', ...manifest }), 'src/index.js': '1\n' } });
  repo.tag('v1.0.0');
  repo.branch('side');
  repo.commit('Go on', { files: { 'src/index.js': '2\n', 'yarn.lock': '# yarn lockfile v1\n' } });
  repo.checkout('side');
  repo.commit('Aside', { files: { 'side.js': '3\n' } });
  repo.checkout('main');
  repo.merge('side');
  repo.tag('v1.1.0', { message: 'The second' });
  return repo;
}

/** A copy of a repository with everything that is not in git, to break one of many. */
export function copyScene(cleanUp: CleanUp, scene: Scene, home: TempFolder = scene.home): Scene {
  const copy = cleanUp.add(TempRepo.create());
  cpSync(scene.monorepo.path, copy.path, { recursive: true, preserveTimestamps: true, force: true });
  return new Scene(copy, home);
}
