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
export class MigrationScene {
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
  const folder = gitFolderOf(repo);
  const packs = listPacks(folder);
  const snapshot = repo.snapshot();
  // The fixtures have no pack: what they have was looked at when it was made.
  if (packs.length === 0) return { snapshot, packs, leftovers: [], broken: '' };
  const broken = repo.git('fsck', '--connectivity-only', '--no-dangling', '--no-progress');
  return { snapshot, packs, leftovers: findLeftovers(repo, folder, packs), broken };
}

/** The state without refs, their logs and the packs they reach. */
export function besideRefs({ snapshot, leftovers, broken }: State): unknown {
  const gitFolder = Object.entries(snapshot.gitFolder).filter(([name]) => !/^logs\/refs\b/.test(name));
  return { ...snapshot, refs: [], gitFolder: Object.fromEntries(gitFolder), leftovers, broken };
}

function listPacks(gitFolder: AbsolutePath): string[] {
  const folder = join(gitFolder, 'objects', 'pack');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function findLeftovers(repo: TempRepo, gitFolder: AbsolutePath, packs: readonly string[]): string[] {
  const indices = packs.filter((file) => file.endsWith('.idx'));
  const halves = packs.filter((file) => !file.endsWith('.idx') && !indices.includes(file.replace(/\.\w+$/, '.idx')));
  const reachable = new Set(repo.git('rev-list', '--objects', '--no-object-names', '--all', '--indexed-objects').split('\n'));
  const isLeft = (index: string): boolean => {
    const listed = repo.gitWithInput(readFileSync(join(gitFolder, 'objects', 'pack', index)), 'show-index');
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
export function createScene(cleanUp: CleanUp, root: Manifest = {}, options: TempRepoOptions = {}): MigrationScene {
  const description = { root, packages: { 'packages/here': {} }, files: { 'README.md': 'monorepo\n' } };
  return new MigrationScene(cleanUp.add(createTempMonorepo(description, options)), cleanUp.add(createHome()));
}

/** The repository of a package: four commits, a merge among them, and two tags. Made in one go: it is needed in every test. */
export function createSource(cleanUp: CleanUp, name = 'left-pad', manifest: Manifest = {}, options: TempRepoOptions = {}): TempRepo {
  const repo = cleanUp.add(TempRepo.create(options));
  const person = (at: number): string => `Ada Author <ada@example.com> ${1_600_000_000 + at} +0000`;
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const file = (path: string, text: string): string => `M 100644 inline ${path}\n${data(text)}`;
  const commit = (at: number, branch: string, message: string): string =>
    `commit refs/heads/${branch}\nmark :${at}\nauthor ${person(at)}\ncommitter ${person(at)}\n${data(message)}`;
  const stream = [
    `${commit(1, 'main', 'Start')}${file('package.json', formatManifest({ name, version: '1.0.0', ...manifest }))}${file('src/index.js', '1\n')}`,
    'reset refs/tags/v1.0.0\nfrom :1\n',
    `${commit(2, 'main', 'Go on')}from :1\n${file('src/index.js', '2\n')}${file('yarn.lock', '# yarn lockfile v1\n')}`,
    `${commit(3, 'side', 'Aside')}from :1\n${file('side.js', '3\n')}`,
    `${commit(4, 'main', 'Merge side')}from :2\nmerge :3\n${file('side.js', '3\n')}`,
    `tag v1.1.0\nfrom :4\ntagger ${person(5)}\n${data('The second')}`,
  ];
  repo.fastImport(stream.join('\n'));
  repo.git('reset', '-q', '--hard');
  return repo;
}

/** A copy of a repository with everything that is not in git, to break one of many. */
export function copyScene(cleanUp: CleanUp, scene: MigrationScene, home: TempFolder = scene.home): MigrationScene {
  const copy = cleanUp.add(TempRepo.create());
  cpSync(scene.monorepo.path, copy.path, { recursive: true, preserveTimestamps: true, force: true });
  return new MigrationScene(copy, home);
}

/** A scene with a source, and the command line that brings it. */
export function prepareMigration(cleanUp: CleanUp): { readonly scene: MigrationScene; readonly command: readonly string[] } {
  const source = createSource(cleanUp);
  return { scene: createScene(cleanUp), command: ['left-pad', '--from', source.path] };
}
