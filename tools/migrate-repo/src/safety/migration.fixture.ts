import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { type CleanUp, cleanUpIn } from '@tributary/test-repo/clean-up';
import type { RepoSnapshot } from '@tributary/test-repo/repo-snapshot';
import { type CliResult, createHome, type RunOptions, runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo, formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo, type TempRepoOptions } from '@tributary/test-repo/temp-repo';

/** Options of a run, all optional; a fixture sets the others. */
export type FixtureRun = Partial<RunOptions>;

/** A monorepo with one workspace, in which the real tool runs. */
export class MigrationFixture {
  readonly monorepo: TempRepo;
  readonly home: TempFolder;

  constructor(monorepo: TempRepo, home: TempFolder) {
    this.monorepo = monorepo;
    this.home = home;
  }

  /** Runs the bundled `migrate-repo` in the monorepo. */
  run(args: readonly string[], options: FixtureRun = {}): Promise<CliResult> {
    return runCli('migrate-repo', args, { cwd: this.monorepo.path, ...options, env: { HOME: this.home.path, ...options.env } });
  }

  /** Returns everything that a failed run must not change. */
  state(): State {
    return readState(this.monorepo);
  }

  /** Expects the command to be refused with `code` and the monorepo to be exactly as before. */
  async refused(code: string, args: readonly string[], options: FixtureRun = {}): Promise<CliResult> {
    const before = this.state();
    const result = await this.run(args, options);
    expect(failureOf(result)).toEqual({ exit: code === 'USAGE' ? 2 : 1, code });
    expect(this.state()).toEqual(before);
    return result;
  }

  /** Expects the command to succeed and to add nothing but refs and objects. */
  async accepted(args: readonly string[], options: FixtureRun = {}): Promise<CliResult> {
    const before = this.state();
    const result = await this.run(args, options);
    expect({ code: result.code, stderr: result.code === 0 ? '' : result.stderr }).toEqual({ code: 0, stderr: '' });
    const now = this.state();
    const leftovers = before.leftovers.filter((pack) => now.leftovers.includes(pack));
    expect(besideRefs(now)).toEqual(besideRefs({ ...before, leftovers }));
    return result;
  }

  /** Discards a migration. Fetched objects may stay, unreachable: git's own housekeeping removes them. */
  async discarded(name: string, options: FixtureRun = {}): Promise<CliResult> {
    const before = this.state();
    const result = await this.run(['discard', name], options);
    expect({ code: result.code, stderr: result.code === 0 ? '' : result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(besideRefs({ ...this.state(), leftovers: [] })).toEqual(besideRefs({ ...before, leftovers: [] }));
    return result;
  }
}

/** A snapshot, and the packs of the repository, none of which may be a leftover. */
export interface State {
  readonly snapshot: RepoSnapshot;
  readonly packs: readonly string[];
  /** Packs without reachable objects. A fetched pack may also hold the source's own commits, which nothing reaches. */
  readonly leftovers: readonly string[];
  /** What `git fsck` reports as broken. */
  readonly broken: string;
}

export function readState(repo: TempRepo): State {
  const folder = gitFolderOf(repo);
  const packs = listPacks(folder);
  const snapshot = repo.snapshot();
  // The fixtures have no pack; their objects were checked when they were created.
  if (packs.length === 0) return { snapshot, packs, leftovers: [], broken: '' };
  const broken = repo.git('fsck', '--connectivity-only', '--no-dangling', '--no-progress');
  return { snapshot, packs, leftovers: findLeftovers(repo, folder, packs), broken };
}

/** Returns the state without refs, their logs and the packs that they reach. */
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

/** Returns the folder with objects and refs. */
export function gitFolderOf(repo: TempRepo): AbsolutePath {
  return parseAbsolutePath(repo.git('rev-parse', '--path-format=absolute', '--git-common-dir'));
}

/** Returns the exit code, and the code in brackets of the error message. */
export function failureOf(result: CliResult): { readonly exit: number | null; readonly code: string } {
  // A message about several packages names the code of each; its own code comes last.
  return { exit: result.code, code: [...result.stderr.matchAll(/\[([A-Z_]+)\]$/gm)].at(-1)?.[1] ?? result.stderr };
}

/** Creates a fixture whose monorepo has the workspace `packages/here`. */
export function createFixture(cleanUp: CleanUp, root: Manifest = {}, options: TempRepoOptions = {}): MigrationFixture {
  const description = { root, packages: { 'packages/here': {} }, files: { 'README.md': 'monorepo\n' } };
  return new MigrationFixture(cleanUp.add(createTempMonorepo(description, options)), cleanUp.add(createHome()));
}

/**
 * Creates the repository of a package: four commits, one of them a merge, and two tags. Written in one fast-import,
 * because every test needs it.
 */
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

/** Copies a fixture with everything in its folder, even what is not in git, so that a test can break the copy. */
export function copyFixture(cleanUp: CleanUp, fixture: MigrationFixture, home: TempFolder = fixture.home): MigrationFixture {
  const copy = cleanUp.add(TempRepo.create());
  cpSync(fixture.monorepo.path, copy.path, { recursive: true, preserveTimestamps: true, force: true });
  return new MigrationFixture(copy, home);
}

/** A monorepo with `left-pad` on the branch `migrate/left-pad`. */
export interface Migrated {
  readonly fixture: MigrationFixture;
  readonly source: TempRepo;
  /** The state of the monorepo without the migration. */
  readonly before: State;
}

const atEnd = cleanUpIn(afterAll);
const migrations = new Map<string, Migrated & { readonly putBack: () => void }>();

/**
 * Migrates `left-pad` with these options. Only the first call of a test file does it; the others put the same folders back to that state, so
 * use one at a time. A copy elsewhere would not do, because an import names its source.
 */
export async function createMigrated(...options: readonly string[]): Promise<Migrated> {
  const known = migrations.get(options.join(' '));
  if (known !== undefined) {
    known.putBack();
    return known;
  }
  const fixture = createFixture(atEnd);
  const source = createSource(atEnd);
  const before = fixture.state();
  await fixture.accepted(['left-pad', '--from', source.path, ...options]);
  const migrated = { fixture, source, before };
  migrations.set(options.join(' '), { ...migrated, putBack: keepFolders(atEnd, [fixture.monorepo.path, fixture.home.path, source.path]) });
  return migrated;
}

/** Copies the folders, and returns what puts them back as they are now. */
export function keepFolders(cleanUp: CleanUp, folders: readonly string[]): () => void {
  const copies = folders.map((folder) => ({ folder, copy: cleanUp.add(new TempFolder()).path }));
  const copy = (from: string, to: string): void =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, force: true });
  for (const one of copies) copy(one.folder, one.copy);
  return () => {
    for (const one of copies) {
      rmSync(one.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      copy(one.copy, one.folder);
    }
  };
}

/** Creates a fixture with a source, and the command line that imports it. */
export function prepareMigration(cleanUp: CleanUp): { readonly fixture: MigrationFixture; readonly command: readonly string[] } {
  const source = createSource(cleanUp);
  return { fixture: createFixture(cleanUp), command: ['left-pad', '--from', source.path] };
}
