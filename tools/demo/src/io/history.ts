import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AbsolutePath } from '@tributary/model/paths';
import { runHermeticGit } from '@tributary/test-repo/hermetic-git';
import { GPGSIG_HEADER } from '@tributary/test-repo/raw-commit';
import { type FileContent, TempRepo } from '@tributary/test-repo/temp-repo';
import { type CommitAuthor, signatureOf } from '../organisation.js';
import { LOCKFILE_NAME, makeLockfile, type PackageManager, type Surroundings } from './package-managers.js';

/** How a repository begins. */
export interface Beginning {
  readonly folder: AbsolutePath;
  /** The folder with its final files; `package.json` has the version 0.0.0 there. */
  readonly template: AbsolutePath;
  readonly manager: PackageManager;
  /** The time of the first commit, in ISO 8601. */
  readonly begin: string;
}

/** Texts of a template, and what stood in their place at the time of a commit. */
export type EarlierTexts = Readonly<Record<string, string>>;

const MAIN = 'main';
const DAY = 24 * 3600;
/** People commit at irregular intervals, in days. */
const PAUSES = [9, 41, 20, 2, 50] as const;

/** Writes the history of a repository, commit by commit. The same calls give the same commit ids. */
export class History {
  readonly repo: TempRepo;
  private readonly start: Beginning;
  private readonly surroundings: Surroundings;
  private seconds: number;
  private steps = 0;
  private version = '0.0.0';

  constructor(start: Beginning, surroundings: Surroundings) {
    this.start = start;
    this.surroundings = surroundings;
    this.repo = TempRepo.create({ folder: start.folder });
    this.seconds = Date.parse(start.begin) / 1000;
  }

  /** Commits files or folders of the template. A changed manifest also updates the lockfile, as package managers do. */
  async commit(by: CommitAuthor, message: string, paths: readonly string[], earlier: EarlierTexts = {}): Promise<void> {
    // git runs synchronously: here the progress is redrawn and Ctrl-C handled.
    await setImmediate();
    this.surroundings.signal.throwIfAborted();
    for (const path of paths.flatMap((one) => filesBelow(this.start.template, one))) this.write(path, earlier);
    this.repo.git('add', '-A');
    if (paths.some((path) => path.endsWith('package.json'))) await this.lock();
    this.repo.commit(`${message}\n`, { environment: signatureOf(by, this.nextTime()) });
  }

  /** Commits files with a fake signature; git itself would need a key. */
  signedCommit(by: CommitAuthor, message: string, path: string): void {
    this.write(path, {});
    this.repo.git('add', '-A');
    const person = `${by.name} <${by.email}> ${this.nextTime()} ${by.zone}`;
    const tree = this.repo.git('write-tree');
    const parents = [this.repo.id('HEAD')];
    const headers = [GPGSIG_HEADER];
    const id = this.repo.writeRawCommit({ tree, parents, author: person, committer: person, headers, message: `${message}\n` });
    this.repo.git('update-ref', `refs/heads/${MAIN}`, id);
  }

  /** Releases a version as `npm version` and `npm publish` do: a commit, a tag, annotated if it has a message, and a package in the registry. */
  async release(by: CommitAuthor, version: string, message?: string): Promise<void> {
    this.version = version;
    for (const name of ['package.json', ...(this.start.manager === 'npm' ? ['package-lock.json'] : [])]) {
      // npm's lockfile has the version of the package itself twice, before all others.
      let left = 2;
      this.repo.write({ [name]: this.read(name).replace(/"version": "[^"]*"/g, (old) => (left-- > 0 ? `"version": "${version}"` : old)) });
    }
    await this.commit(by, version, []);
    this.as(by, this.seconds, 'tag', ...(message === undefined ? [] : ['-a', '-m', message]), `v${version}`);
    const packed = this.tracked().filter((path) => !/(?:^|\/)\.|^package\.json$/.test(path));
    const files = Object.fromEntries(packed.map((path) => [path, this.read(path)]));
    this.surroundings.registry.add({ manifest: JSON.parse(this.read('package.json')), files });
  }

  /** Creates a branch from main, does the work there and switches back. */
  async branch(name: string, work: () => Promise<void>): Promise<void> {
    this.repo.branch(name, MAIN);
    this.repo.checkout(name);
    await work();
    this.repo.checkout(MAIN);
  }

  /** Merges branches into main; several make an octopus merge. */
  merge(by: CommitAuthor, branches: readonly string[], message: string): void {
    this.as(by, this.nextTime(), 'merge', '-q', '--no-ff', '-m', message, ...branches);
  }

  private write(path: string, earlier: EarlierTexts): void {
    const file = join(this.start.template, path);
    const texts = Object.entries({ ...earlier, '"version": "0.0.0"': `"version": "${this.version}"` });
    const text = texts.reduce((whole, [now, then]) => whole.replace(now, () => then), readFileSync(file, 'utf8'));
    const content: FileContent = (statSync(file).mode & 0o100) === 0 ? text : { executable: text };
    this.repo.write({ [path]: content });
  }

  private async lock(): Promise<void> {
    const manifests = this.tracked().filter((path) => path.endsWith('package.json'));
    const texts = Object.fromEntries(manifests.map((path) => [path, this.read(path)]));
    this.repo.write({ [LOCKFILE_NAME[this.start.manager]]: await makeLockfile(this.start.manager, texts, this.surroundings) });
  }

  private tracked(): string[] {
    return this.repo.git('ls-files', '-z').split('\0').filter(Boolean);
  }

  private read(path: string): string {
    return readFileSync(join(this.repo.path, path), 'utf8');
  }

  private nextTime(): number {
    // Avoids times on the hour.
    this.seconds += (PAUSES[this.steps % PAUSES.length] ?? 0) * DAY + this.steps * 97;
    this.steps++;
    return this.seconds;
  }

  /** Runs git as a person. `TempRepo` itself merges and tags as the author of all fixtures. */
  private as(by: CommitAuthor, seconds: number, ...args: readonly string[]): void {
    runHermeticGit(args, { folder: this.repo.path, clock: this.repo.clock, environment: signatureOf(by, seconds) });
  }
}

/** Returns a file itself, or the files below a folder, as paths from the template. */
function filesBelow(template: string, path: string): string[] {
  if (!statSync(join(template, path)).isDirectory()) return [path];
  return readdirSync(join(template, path)).flatMap((name) => filesBelow(template, `${path}/${name}`));
}
