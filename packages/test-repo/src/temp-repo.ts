import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CommitId, type ObjectId, parseObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { GitClock, runHermeticGit } from './hermetic-git.js';
import { formatRawCommit, type RawCommit } from './raw-commit.js';
import { type RepoSnapshot, takeSnapshot } from './repo-snapshot.js';
import { TempFolder } from './temp-folder.js';

/** The new content of a path in the working tree; `null` deletes it. */
export type FileContent = string | Uint8Array | null | { readonly executable: string } | { readonly symlink: string };

export type Files = Readonly<Record<string, FileContent>>;

export interface TempRepoOptions {
  readonly bare?: boolean;
  readonly objectFormat?: 'sha1' | 'sha256';
  /** Where to create it (default: a new temporary folder, which `dispose` removes). */
  readonly folder?: AbsolutePath;
}

export interface CommitOptions {
  /** Written before the commit. */
  readonly files?: Files;
  /** Sets another author, committer or date: `{ GIT_AUTHOR_NAME: 'Bob' }`. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface TagOptions {
  /** Makes it an annotated tag. */
  readonly message?: string;
  /** What to tag (default: `HEAD`). */
  readonly at?: string;
}

/** A real git repository with a hermetic git: the same calls give the same ids on every machine. Waits for each command. */
export class TempRepo {
  readonly path: AbsolutePath;
  readonly clock = new GitClock();
  private readonly owned: TempFolder | undefined;

  private constructor(folder: AbsolutePath | undefined) {
    this.owned = folder === undefined ? new TempFolder() : undefined;
    this.path = folder ?? (this.owned ?? new TempFolder()).path;
    mkdirSync(this.path, { recursive: true });
  }

  /** Creates an empty repository whose HEAD is the unborn branch `main`. */
  static create(options: TempRepoOptions = {}): TempRepo {
    const repo = new TempRepo(options.folder);
    repo.git('init', '-q', `--object-format=${options.objectFormat ?? 'sha1'}`, ...(options.bare === true ? ['--bare'] : []));
    return repo;
  }

  /** Clones another repository by its `file:` address, so that `--depth` and `--filter` work. */
  static cloneOf(source: TempRepo, ...options: string[]): TempRepo {
    const repo = new TempRepo(undefined);
    repo.git('clone', '-q', ...options, `file://${source.path}`, repo.path);
    return repo;
  }

  /** Runs git and returns stdout as UTF-8, without its last newline. Throws an `Error` with git's message. The clock does not advance. */
  git(...args: string[]): string {
    return this.gitBytes(...args)
      .toString()
      .replace(/\n$/, '');
  }

  /** Runs git and returns its exact stdout. */
  gitBytes(...args: string[]): Buffer {
    return runHermeticGit(args, { folder: this.path, clock: this.clock });
  }

  /** Like `git`, with input on stdin. */
  gitWithInput(input: string | Uint8Array, ...args: string[]): string {
    return runHermeticGit(args, { folder: this.path, clock: this.clock, input }).toString().replace(/\n$/, '');
  }

  /** Changes only the working tree. */
  write(files: Files): void {
    for (const [path, content] of Object.entries(files)) writeOne(join(this.path, path), content);
  }

  /** Commits everything in the working tree that is not ignored, even without changes or with an empty message. */
  commit(message: string, options: CommitOptions = {}): CommitId {
    if (options.files !== undefined) this.write(options.files);
    this.git('add', '-A');
    return this.newCommit(
      ['commit', '-q', '--allow-empty', '--allow-empty-message', '--cleanup=verbatim', '-m', message],
      options.environment,
    );
  }

  /** Creates a branch without checking it out. */
  branch(name: string, at = 'HEAD'): void {
    this.git('branch', '-q', '--no-track', name, at);
  }

  checkout(ref: string): void {
    this.git('checkout', '-q', ref);
  }

  /** Merges `other` into the current branch with a merge commit, even if it could be fast-forwarded. */
  merge(other: string, message = `Merge ${other}`): CommitId {
    return this.octopus([other], message);
  }

  /** Creates one merge commit with all of `others` as further parents. */
  octopus(others: readonly string[], message = `Merge ${others.join(', ')}`): CommitId {
    return this.newCommit(['merge', '-q', '--no-ff', '-m', message, ...others]);
  }

  /** Creates a tag and returns the id of its ref: that of the tag object if it is annotated, otherwise of the tagged object. */
  tag(name: string, options: TagOptions = {}): ObjectId {
    this.clock.advance();
    this.git(
      'tag',
      ...(options.message === undefined ? [] : ['-a', '--cleanup=verbatim', '-m', options.message]),
      name,
      options.at ?? 'HEAD',
    );
    return this.readRef(`refs/tags/${name}`);
  }

  /** Returns the id of a revision. */
  id(revision: string): ObjectId {
    return parseObjectId(this.git('rev-parse', '--verify', '--end-of-options', revision));
  }

  /** Runs `git fast-import`; the working tree does not change. */
  fastImport(stream: string | Uint8Array): void {
    this.gitWithInput(stream, 'fast-import', '--quiet', '--force', '--date-format=raw-permissive');
  }

  /** Writes an object with any content, well-formed or not. */
  writeObject(type: 'blob' | 'tree' | 'commit' | 'tag', content: string | Uint8Array): ObjectId {
    return parseObjectId(this.gitWithInput(content, 'hash-object', '-t', type, '-w', '--literally', '--stdin'));
  }

  /** Writes a commit object with exactly the described bytes; no ref is moved (see `git update-ref`). */
  writeRawCommit(commit: RawCommit): CommitId {
    return this.writeObject('commit', formatRawCommit(commit));
  }

  /** Returns the state, for a comparison "exactly as before". */
  snapshot(): RepoSnapshot {
    return takeSnapshot(this.path, (...args) => this.gitBytes(...args));
  }

  /** Removes the folder, if the repository created it. */
  dispose(): void {
    this.owned?.dispose();
  }

  private newCommit(args: readonly string[], environment: Readonly<Record<string, string>> = {}): CommitId {
    this.clock.advance();
    runHermeticGit(args, { folder: this.path, clock: this.clock, environment });
    return this.readRef('HEAD');
  }

  /** Returns the id of a ref that git has just written. Reading the file is fastest; git is called if the ref has no file. */
  private readRef(name: string): ObjectId {
    try {
      const text = readFileSync(join(this.path, '.git', name), 'utf8').trimEnd();
      return text.startsWith('ref: ') ? this.readRef(text.slice('ref: '.length)) : parseObjectId(text);
    } catch {
      return this.id(name);
    }
  }
}

function writeOne(file: string, content: FileContent): void {
  rmSync(file, { recursive: true, force: true });
  if (content === null) return;
  mkdirSync(dirname(file), { recursive: true });
  if (typeof content === 'string' || content instanceof Uint8Array) return writeFileSync(file, content);
  if ('symlink' in content) return symlinkSync(content.symlink, file);
  writeFileSync(file, content.executable);
  chmodSync(file, 0o755);
}
