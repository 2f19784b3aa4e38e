import { ToolError } from '@tributary/model/errors';
import { tagRef, type WorkspaceName, withoutScope } from '@tributary/model/ids';
import { parseRepoPath, type RepoPath } from '@tributary/model/paths';

/**
 * Returns the target folder: `packages/{shortName}` and `@acme/ui` give `packages/ui`. Throws `USAGE` for a pattern
 * that gives no valid path.
 */
export function targetPath(pattern: string, name: WorkspaceName): RepoPath {
  return parseRepoPath(fill(pattern, { name, shortName: withoutScope(name) }));
}

/**
 * Returns a tag's new name. `{name}@{version}`, `d3-array` and any of `v1.2.3`, `1.2.3`, `d3-array@1.2.3` and
 * `d3-array-v1.2.3` give `d3-array@1.2.3`. Throws `USAGE`.
 */
export function newTagName(pattern: string, name: WorkspaceName, tag: string): string {
  const renamed = fillTag(pattern, name, tag);
  tagRef(renamed);
  return renamed;
}

function fillTag(pattern: string, name: WorkspaceName, tag: string): string {
  // A pattern with the name adds it once.
  const bare = /\{(?:name|shortName)\}/.test(pattern) ? withoutName(name, tag) : tag;
  return fill(pattern, { name, shortName: withoutScope(name), tag: bare, version: versionOfTag(name, tag) });
}

/** Returns a tag without the package name and without the `v` before a digit. */
export function versionOfTag(name: WorkspaceName, tag: string): string {
  const rest = withoutName(name, tag);
  return /^v?\d/.test(rest) ? rest.replace(/^v/, '') : tag;
}

/** Whether a tag names the package and a version of it. */
export function isOwnTag(name: WorkspaceName, tag: string): boolean {
  return /^v?\d/.test(withoutName(name, tag)) && withoutName(name, tag) !== tag;
}

function withoutName(name: WorkspaceName, tag: string): string {
  const before = [name, withoutScope(name)].flatMap((one) => [`${one}@`, `${one}-v`, `${one}/v`]).find((start) => tag.startsWith(start));
  return before === undefined ? tag : tag.slice(before.length);
}

/** Whether a tag names another package, as in a repository with several packages. */
export function isOfOtherPackage(name: WorkspaceName, tag: string): boolean {
  const named = /^(@[^/@]+\/[^/@]+|[^/@]+)@v?\d/.exec(tag)?.[1];
  return named !== undefined && named !== name && named !== withoutScope(name);
}

/** Returns the branch for packages: `migrate/d3-array`, or `migrate/d3-and-30-more` for several. */
export function defaultBranch(names: readonly WorkspaceName[]): string {
  const [first] = [...names].sort();
  return names.length > 1 ? `migrate/${first}-and-${names.length - 1}-more` : `migrate/${first}`;
}

/**
 * Rejects tags that cannot all be created. Throws `TAG_COLLISION` for a name that exists, that two tags would get, or
 * that would have to be both a file and a folder: git stores refs as files.
 */
export function refuseTagCollisions(tags: readonly { readonly name: string; readonly newName: string }[], refs: ReadonlySet<string>): void {
  const existing = new TakenRefs(refs);
  const own = new TakenRefs([]);
  const oldNames = new Map<string, string>();
  const clashes = tags.flatMap((tag) => {
    const ref = `refs/tags/${tag.newName}`;
    const other = own.conflictWith(ref);
    own.add(ref);
    if (other === ref) return [`${oldNames.get(ref)} and ${tag.name} would both become ${tag.newName}`];
    oldNames.set(ref, tag.name);
    if (other !== undefined) return [`${tag.name} would become ${tag.newName}, which conflicts with ${other} from ${oldNames.get(other)}`];
    const conflict = existing.conflictWith(ref);
    return conflict === undefined ? [] : [`${tag.name} would become ${tag.newName}, but ${conflict} is taken`];
  });
  if (clashes.length > 0) throw tagCollision(clashes);
}

/** Returns the error for tags, each of which has a clause. */
export function tagCollision(clashes: readonly string[]): ToolError {
  return new ToolError({
    code: 'TAG_COLLISION',
    message: `${clashes.length === 1 ? 'A tag cannot' : `${clashes.length} tags cannot`} be imported: ${clashes.slice(0, 3).join('; ')}${clashes.length > 3 ? '; …' : ''}.`,
    hint: 'Keep the names of the tags with --tags "{name}@{tag}", skip them with --no-tags, or delete one of each pair. To delete tags of an earlier unmerged migration, run "migrate-repo discard <package>".',
    data: { clashes },
  });
}

/** Returns the ref that prevents another from being created: itself, a folder of it, or a ref below it (git stores refs as files). */
export function conflictingRef(ref: string, refs: ReadonlySet<string>): string | undefined {
  return new TakenRefs(refs).conflictWith(ref);
}

/** An index of refs, because there may be thousands of refs, and as many tags to check. */
class TakenRefs {
  private readonly refs = new Set<string>();
  /** Maps a folder to a ref below it. */
  private readonly folders = new Map<string, string>();

  constructor(refs: Iterable<string>) {
    for (const ref of refs) this.add(ref);
  }

  add(ref: string): void {
    this.refs.add(ref);
    for (const folder of foldersAbove(ref)) if (!this.folders.has(folder)) this.folders.set(folder, ref);
  }

  conflictWith(ref: string): string | undefined {
    if (this.refs.has(ref)) return ref;
    return foldersAbove(ref).find((folder) => this.refs.has(folder)) ?? this.folders.get(ref);
  }
}

function foldersAbove(ref: string): string[] {
  const names = ref.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}

function fill(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (hole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? hole) : hole));
}
