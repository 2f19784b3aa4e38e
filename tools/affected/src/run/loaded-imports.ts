import type { RepoPath } from '@tributary/model/paths';
import { push } from '@tributary/references/groups';
import { findInnerUses } from '@tributary/references/inner-references';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import type { ReferenceFacts } from '../reasons/reference-facts.js';
import type { InnerCode } from './inner-code.js';

/** Adds what a source that settings of the root load leads to in its workspace. Throws `GIT_FAILED`. */
export async function addLoadedImports(facts: ReferenceFacts, code: InnerCode): Promise<ReferenceFacts> {
  const loaded: Record<string, string> = { ...facts.loaded };
  const byMember = new Map<number, RepoPath[]>();
  for (const path of Object.keys(facts.loaded)) {
    const member = owningMember(code.source.graph, path);
    if (member !== undefined) push(byMember, member, path as RepoPath);
  }
  for (const [member, paths] of byMember) {
    const uses = await code.ask(
      member,
      paths.map((path) => ({ key: `uses of ${path}`, find: (own) => findInnerUses(own, path) })),
    );
    for (const [at, path] of paths.entries())
      for (const used of uses[at] ?? []) loaded[used] ??= `${facts.loaded[path] ?? ''}, through ${path}`;
  }
  return { ...facts, loaded };
}
