import { type CommitTag, readTags } from '@tributary/git/history';
import { searchImportRecords } from '@tributary/git/import-records';
import { readNamedBlobs } from '@tributary/git/objects';
import type { CommitId } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord } from '@tributary/model/import-record';
import { isPlainObject } from '@tributary/model/plain-object';
import type { PackageImport } from '../collect/package-import.js';
import { type NameNow, renamesOf } from '../collect/renames.js';
import { parseJson } from '../model/parse-json.js';
import { CloneCache } from './clone-cache.js';
import { CommitHistory } from './commit-history.js';
import type { Clone } from './open-clone.js';

interface ReadImports {
  readonly imports: readonly PackageImport[];
  /** Unreadable records, with the reason. */
  readonly unreadable: readonly { readonly merge: CommitId; readonly problem: string }[];
}

/** A clone with what was read of its objects. */
export interface ReadClone extends Clone {
  readonly cache: CloneCache;
  readonly tags: readonly CommitTag[];
  /** What its main line and its tags contain. */
  readonly history: CommitHistory;
}

/** Reads the tags and the history of a clone. Throws `GIT_FAILED`. */
export async function readClone(clone: Clone): Promise<ReadClone> {
  const { git, head, gitDir } = clone;
  const cache = new CloneCache(gitDir);
  const tags = await readTags(git, cache.tags());
  cache.keepTags(tags);
  const history = new CommitHistory(git, cache);
  await history.read([head, ...tags.map(({ commit }) => commit)]);
  return { ...clone, cache, tags, history };
}

/** A clone with its import records. */
export interface ImportingClone extends ReadClone {
  readonly imports: readonly PackageImport[];
  readonly unreadableImports: ReadImports['unreadable'];
}

/** The current names of packages in all collected clones. */
export interface KnownNames {
  readonly nameNow: NameNow;
  /** Former names of packages, each once. */
  readonly formerNames: readonly string[];
}

/**
 * Joins the names of the configuration and of import records, the newest record first. The configuration takes precedence, then newer
 * records over older ones.
 */
export function namesOf(renamed: Readonly<Record<string, string>>, imports: readonly PackageImport[]): KnownNames {
  const pairs: (readonly [former: string, later: string])[] = Object.entries(renamed);
  for (const { formerName, package: name } of imports) {
    // If a package later took its old name back, that rename is ignored.
    const isKnown = formerName === undefined || pairs.some(([former]) => former === formerName);
    if (!isKnown && renamesOf(pairs)(name) !== formerName) pairs.push([formerName, name]);
  }
  return { nameNow: renamesOf(pairs), formerNames: [...new Set(pairs.map(([former]) => former))] };
}

/** Reads the import records of a clone. Throws `GIT_FAILED`. */
export async function readImports({ git, head }: Pick<Clone, 'git' | 'head'>): Promise<ReadImports> {
  const records = await searchImportRecords(git, [head]);
  const readable = records.flatMap(({ merge, record }) => (isReadableRecord(record) ? [{ merge, record }] : []));
  const manifests = await readNamedBlobs(
    git,
    readable.map(({ record }) => `${record.importedTip}:${record.path}/package.json`),
  );
  const imports = readable.map(({ merge, record }, at): PackageImport => {
    const before = textIn(manifests[at], 'name');
    return {
      package: record.package,
      formerName: before === record.package ? undefined : before,
      merge,
      tip: record.importedTip,
      sourceCommit: record.sourceCommit,
      source: record.source,
      tagPatterns: tagPatternsOf(record),
    };
  });
  const unreadable = records.flatMap(({ merge, record }) => (isReadableRecord(record) ? [] : [{ merge, problem: record.problem }]));
  return { imports, unreadable };
}

/** Returns the tag patterns of an import. A pattern with `{tag}` contains the old tag, `v1.2.3` or `1.2.3`. */
function tagPatternsOf({ tags }: ImportRecord): readonly string[] {
  if (tags === undefined) return [];
  const patterns = [tags.pattern, tags.pattern.replaceAll('{tag}', 'v{version}'), tags.pattern.replaceAll('{tag}', '{version}')];
  return [...new Set(patterns)].filter((pattern) => pattern.split('{version}').length === 2 && !pattern.includes('{tag}'));
}

/** Returns a text of a package.json; `undefined` if there is none. */
export function textIn(manifest: Buffer | undefined, key: 'name' | 'version'): string | undefined {
  const value = parseJson(manifest?.toString('utf8') ?? '');
  return isPlainObject(value) && typeof value[key] === 'string' ? value[key] : undefined;
}
