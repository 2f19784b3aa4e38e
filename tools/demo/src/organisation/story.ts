import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { CommitAuthor } from './people.js';

export type PackageManager = 'Yarn 1' | 'npm' | 'Yarn 4';

/** A repository, described by the events in it. Plain data: `replay` interprets it, `buildRepository` creates the repository. */
export interface Story {
  /** The name of its folder. */
  readonly folder: string;
  readonly manager: PackageManager;
  /** Time of the first commit, in ISO 8601. */
  readonly begin: string;
  /** The average time between commits. */
  readonly hoursBetween: number;
  readonly events: readonly StoryEvent[];
}

/** The content of a commit. A changed manifest also updates the lockfile, as package managers do. */
export interface CommitContent {
  readonly files?: Files;
  /** Overrides the manifest; blocks such as `dependencies` are merged, and `null` removes an entry. */
  readonly manifest?: Manifest;
}

export interface CommitEvent extends CommitContent {
  readonly kind: 'commit';
  readonly by: CommitAuthor;
  readonly message: string;
  /** `looks-signed`: with a signature header that no key verifies. */
  readonly signature: 'none' | 'looks-signed';
}

export type StoryEvent =
  | CommitEvent
  | { readonly kind: 'branch'; readonly name: string }
  | { readonly kind: 'switch'; readonly name: string }
  | { readonly kind: 'merge'; readonly by: CommitAuthor; readonly branches: readonly string[]; readonly message: string }
  | { readonly kind: 'tag'; readonly by: CommitAuthor; readonly name: string; readonly message: string | undefined };

/** The final branch of all stories. */
export const TRUNK = 'main';

/** The company's own registry. The domain is reserved, so an install in the demo can never download a stranger's package. */
export const COMPANY_REGISTRY = 'http://npm.harbor.example';

export function commit(by: CommitAuthor, message: string, change: CommitContent = {}): CommitEvent {
  return { kind: 'commit', by, message, signature: 'none', ...change };
}

export function signedCommit(by: CommitAuthor, message: string, change: CommitContent = {}): CommitEvent {
  return { ...commit(by, message, change), signature: 'looks-signed' };
}

/** Returns a branch from the current trunk: its events, then the switch back to the trunk. */
export function branch(name: string, ...events: readonly StoryEvent[]): StoryEvent[] {
  return [{ kind: 'branch', name }, ...events, { kind: 'switch', name: TRUNK }];
}

/** Returns a merge; several branches make an octopus merge. */
export function merge(by: CommitAuthor, branches: readonly string[], message = `Merge branch '${branches.join("', '")}'`): StoryEvent {
  return { kind: 'merge', by, branches, message };
}

/** Returns a release as `npm version` makes it: a commit named after the version, and a tag, annotated if it has a message. */
export function release(by: CommitAuthor, version: string, message?: string): StoryEvent[] {
  return [commit(by, version, { manifest: { version } }), { kind: 'tag', by, name: `v${version}`, message }];
}

/** Returns a text file with these lines. */
export function file(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
