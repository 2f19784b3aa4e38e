import type { CommitTag, NamedCommit, TaggedCommit } from '@tributary/git/history';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { type Cache, openCache } from '@tributary/process/cache';
import { type KeptWalk, keptWalkOf, walkedFrom } from '../collect/kept-walk.js';
import type { Walked } from '../collect/layout-walk.js';

/** Set by scripts/bundle.mjs. */
declare const SOURCES_VERSION: string | undefined;
const version = typeof SOURCES_VERSION === 'string' ? SOURCES_VERSION : 'sources';

/** Tells whether a hundredth is new. Reading less again costs less than to write the whole file. */
function isMuch(fresh: number, all: number): boolean {
  return fresh > 0 && fresh * 100 >= all;
}

/** The parents by their index, and the subjects of merges by theirs. */
interface KeptHistory {
  readonly commits: readonly (readonly [CommitId, ...parents: number[]])[];
  readonly subjects: Readonly<Record<number, string>>;
  readonly messages: Readonly<Record<CommitId, string>>;
}

/** As in `CommitHistory`. */
interface History {
  readonly commits: Map<CommitId, NamedCommit>;
  readonly messages: Map<CommitId, string>;
}

type KeptTag = readonly [commit: CommitId, committed: number, tagged: number | null];

/** Version by path of a manifest, by commit. */
export type VersionsAt = Map<CommitId, Map<string, string | undefined>>;

/**
 * What was read of the objects of a clone, which never change, in its git directory: the next collection reads only what is new. Without it,
 * or if it is damaged, everything is read again.
 */
export class CloneCache {
  private readonly cache: Cache<unknown>;

  constructor(gitDir: AbsolutePath) {
    this.cache = openCache<unknown>(gitDir, 'collect', { version });
  }

  history(): History {
    const kept = (this.cache.get('history') ?? { commits: [], subjects: {}, messages: {} }) as KeptHistory;
    const idOf = (at: number): CommitId => kept.commits[at]?.[0] as CommitId;
    const commits = kept.commits.map(([id, ...parents], at): [CommitId, NamedCommit] => [
      id,
      { id, parents: parents.map(idOf), subject: kept.subjects[at] ?? '' },
    ]);
    return { commits: new Map(commits), messages: new Map(Object.entries(kept.messages) as [CommitId, string][]) };
  }

  keepHistory({ commits, messages }: History, fresh: number): void {
    if (!isMuch(fresh, commits.size)) return;
    const at = new Map([...commits.keys()].map((id, position) => [id, position]));
    const rows = [...commits.values()].map(({ id, parents }) => [id, ...parents.map((parent) => at.get(parent) ?? -1)] as const);
    const subjects = [...commits.values()].flatMap(({ subject }, position) => (subject === '' ? [] : [[position, subject] as const]));
    this.cache.add('history', { commits: rows, subjects: Object.fromEntries(subjects), messages: Object.fromEntries(messages) });
  }

  /** `settings`: all that the walk depends on, besides commits. */
  walked(settings: string): Walked | undefined {
    const kept = this.cache.get(settings) as KeptWalk | undefined;
    return kept === undefined ? undefined : walkedFrom(kept);
  }

  keepWalked(settings: string, walked: Walked, fresh: number): void {
    if (isMuch(fresh, walked.steps.length)) this.cache.add(settings, keptWalkOf(walked));
  }

  tags(): ReadonlyMap<ObjectId, TaggedCommit> {
    const kept = (this.cache.get('tags') ?? {}) as Readonly<Record<ObjectId, KeptTag>>;
    return new Map(
      Object.entries(kept).map(([id, [commit, committed, tagged]]) => [id as ObjectId, { commit, committed, tagged: tagged ?? undefined }]),
    );
  }

  keepTags(tags: readonly CommitTag[]): void {
    const known = (this.cache.get('tags') ?? {}) as object;
    if (!isMuch(tags.filter(({ object }) => !(object in known)).length, tags.length)) return;
    const kept = tags.map(({ object, commit, committed, tagged = null }) => [object, [commit, committed, tagged]] as const);
    this.cache.add('tags', Object.fromEntries(kept));
  }

  versions(): VersionsAt {
    const kept = (this.cache.get('versions') ?? {}) as Readonly<Record<CommitId, readonly (readonly [string, string | null])[]>>;
    return new Map(
      Object.entries(kept).map(([id, files]) => [id as CommitId, new Map(files.map(([path, found]) => [path, found ?? undefined]))]),
    );
  }

  keepVersions(versions: VersionsAt, fresh: number): void {
    const all = [...versions.values()].reduce((sum, { size }) => sum + size, 0);
    if (!isMuch(fresh, all)) return;
    const kept = [...versions].map(([id, files]) => [id, [...files].map(([path, found = null]) => [path, found] as const)] as const);
    this.cache.add('versions', Object.fromEntries(kept));
  }

  save(): void {
    this.cache.save();
  }
}
