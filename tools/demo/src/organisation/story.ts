import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { CommitAuthor } from './people.js';

export type PackageManager = 'Yarn 1' | 'npm' | 'Yarn 4';

/** A repository, told as what has happened in it. Plain data: `replay` makes sense of it, `buildRepository` makes it real. */
export interface Story {
  /** The name of its folder. */
  readonly folder: string;
  readonly manager: PackageManager;
  /** When the first commit was made, in ISO 8601. */
  readonly begin: string;
  /** From one commit to the next, on average. */
  readonly hoursBetween: number;
  readonly events: readonly StoryEvent[];
}

/** Whatever touches the manifest refreshes the lockfile too, as package managers do. */
export interface CommitContent {
  readonly files?: Files;
  /** Laid over the manifest; blocks such as `dependencies` are merged, and `null` takes an entry away. */
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

/** The branch that all stories end on. */
export const TRUNK = 'main';

/** The company's own registry. The domain is reserved, so what anybody installs in the demo can never come from a stranger. */
export const COMPANY_REGISTRY = 'http://npm.harbor.example';

export function commit(by: CommitAuthor, message: string, change: CommitContent = {}): CommitEvent {
  return { kind: 'commit', by, message, signature: 'none', ...change };
}

export function signedCommit(by: CommitAuthor, message: string, change: CommitContent = {}): CommitEvent {
  return { ...commit(by, message, change), signature: 'looks-signed' };
}

/** A branch that starts where the trunk is; its events, then back to the trunk. */
export function branch(name: string, ...events: readonly StoryEvent[]): StoryEvent[] {
  return [{ kind: 'branch', name }, ...events, { kind: 'switch', name: TRUNK }];
}

/** More than one branch makes an octopus. */
export function merge(by: CommitAuthor, branches: readonly string[], message = `Merge branch '${branches.join("', '")}'`): StoryEvent {
  return { kind: 'merge', by, branches, message };
}

/** As `npm version` does it: a commit named after the version, and a tag, which is an annotated one if it says something. */
export function release(by: CommitAuthor, version: string, message?: string): StoryEvent[] {
  return [commit(by, version, { manifest: { version } }), { kind: 'tag', by, name: `v${version}`, message }];
}

/** The lines of a text file. */
export function file(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
