import { ToolError } from '@tributary/model/errors';
import { tagRef, type WorkspaceName, withoutScope } from '@tributary/model/ids';
import { parseRepoPath, type RepoPath } from '@tributary/model/paths';

/** Where a package goes: `packages/{shortName}` and `@acme/ui` give `packages/ui`. Throws `USAGE` for a pattern that leads nowhere. */
export function targetPath(pattern: string, name: WorkspaceName): RepoPath {
  return parseRepoPath(fill(pattern, { name, shortName: withoutScope(name) }));
}

/** What a tag is called after the move: `{name}@{version}`, `d3-array` and `v1.2.3` give `d3-array@1.2.3`. Throws `USAGE`. */
export function newTagName(pattern: string, name: WorkspaceName, tag: string): string {
  const renamed = fillTag(pattern, name, tag);
  tagRef(renamed);
  return renamed;
}

/** What stands before and behind the old name in every tag that the pattern can give. */
export function tagAffixes(pattern: string, name: WorkspaceName): { readonly before: string; readonly after: string } {
  // No tag can hold this character.
  const [before = '', after = ''] = fillTag(pattern, name, '\u0001').split('\u0001');
  return { before, after };
}

function fillTag(pattern: string, name: WorkspaceName, tag: string): string {
  return fill(pattern, { name, shortName: withoutScope(name), tag, version: tag.replace(/^v(?=\d)/, '') });
}

/** Branch for these packages: `migrate/d3-array`, or `migrate/d3-and-30-more` where there are several. */
export function defaultBranch(names: readonly WorkspaceName[]): string {
  const [first] = [...names].sort();
  return names.length > 1 ? `migrate/${first}-and-${names.length - 1}-more` : `migrate/${first}`;
}

/** Tags that cannot all be created. Throws `TAG_COLLISION` for a name that exists, or that two tags would get. */
export function refuseTagCollisions(tags: readonly { readonly name: string; readonly newName: string }[], refs: ReadonlySet<string>): void {
  const taken = new Map<string, string>();
  const clashes = tags.flatMap((tag) => {
    const ref = `refs/tags/${tag.newName}`;
    const other = taken.get(ref);
    taken.set(ref, tag.name);
    if (other !== undefined) return [`${other} and ${tag.name} would both become ${tag.newName}`];
    const inTheWay = conflictingRef(ref, refs);
    return inTheWay === undefined ? [] : [`${tag.name} would become ${tag.newName}, and ${inTheWay} exists`];
  });
  if (clashes.length === 0) return;
  throw new ToolError({
    code: 'TAG_COLLISION',
    message: `${clashes.length === 1 ? 'A tag cannot' : `${clashes.length} tags cannot`} be brought along: ${clashes.slice(0, 3).join('; ')}${clashes.length > 3 ? '; …' : ''}.`,
    hint: 'Choose another pattern with --tags (such as "{name}@{tag}"), or leave the tags behind with --no-tags.',
    data: { clashes },
  });
}

/** The ref that keeps another one from being created: itself, a folder of it, or a ref below it (git keeps refs as files). */
export function conflictingRef(ref: string, refs: ReadonlySet<string>): string | undefined {
  if (refs.has(ref)) return ref;
  const names = ref.split('/');
  const above = names.map((_, at) => names.slice(0, at).join('/')).find((folder) => refs.has(folder));
  return above ?? [...refs].find((other) => other.startsWith(`${ref}/`));
}

function fill(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
}
