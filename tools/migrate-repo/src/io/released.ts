import type { Git } from '@tributary/git/git';
import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import { isInside, type RepoFolder, relativeTo } from '@tributary/model/paths';
import rsort from 'semver/functions/rsort.js';
import valid from 'semver/functions/valid.js';
import type { Monorepo } from '../align/project.js';
import { isPlaceholder } from '../align/publishing/link-version.js';
import type { SourceFacts } from '../plan/facts.js';
import { isOfOtherPackage, versionOfTag } from '../plan/names.js';
import type { MigrationPlan } from '../plan/plan.js';
import type { Target } from './target.js';

interface Sources {
  readonly plan: MigrationPlan;
  readonly fetched: ReadonlyMap<string, { readonly git: Git; readonly facts: SourceFacts }>;
}

/**
 * Returns the newest release of each workspace with a placeholder version, by folder. For imported packages, it is the
 * highest version among the tags on the migrated branch. For others, it is the highest among the monorepo's tags that
 * HEAD contains. A workspace without such a tag has none.
 */
export async function readReleased({ facts, git }: Target, { plan, fetched }: Sources): Promise<Monorepo['released']> {
  const released = new Map<RepoFolder, string>();
  const note = (folder: RepoFolder, version: string | undefined): unknown => version !== undefined && released.set(folder, version);
  for (const { source, path, tags } of plan.packages) {
    const from = fetched.get(source.request.name);
    if (from === undefined || !isPlaceholder(source.manifest.version)) continue;
    const there = await tagsOn(from.git, source.tip, 'refs/source/tags/');
    const own = new Set(tags.map(({ name }) => name));
    const names = source.request.subdirectory === undefined ? there : there.filter((name) => own.has(name));
    note(isInside(path, facts.root) ? (relativeTo(facts.root, path) as RepoFolder) : path, newest(source.request.name, names, 'alone'));
  }
  const there = facts.workspaces.filter(({ manifest }) => isPlaceholder(manifest.version));
  const names = there.length === 0 ? [] : await tagsOn(git, facts.head, 'refs/tags/');
  for (const { name, path } of there) note(path, newest(name, names, 'among others'));
  return released;
}

async function tagsOn(git: Git, tip: CommitId, folder: string): Promise<readonly string[]> {
  const output = await git.text(['for-each-ref', `--merged=${tip}`, '--format=%(refname)', folder]);
  return output.split('\n').flatMap((ref) => (ref === '' ? [] : [ref.slice(folder.length)]));
}

/**
 * Returns the newest version among tags. In a package's own repository, all tags count that do not name another
 * package. In the monorepo, only those count that name the package.
 */
function newest(name: WorkspaceName, tags: readonly string[], place: 'alone' | 'among others'): string | undefined {
  const own = tags.filter((tag) => (place === 'alone' ? !isOfOtherPackage(name, tag) : tag.startsWith(`${name}@`)));
  const versions = own.flatMap((tag) => valid(versionOfTag(name, tag)) ?? []);
  const stable = versions.filter((version) => !version.includes('-'));
  return rsort(stable.length > 0 ? stable : versions)[0];
}
