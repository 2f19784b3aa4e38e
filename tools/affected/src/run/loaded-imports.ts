import type { RepoPath } from '@tributary/model/paths';
import { findInnerUses } from '@tributary/references/inner-references';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { type CodeSource, readWorkspaceCode } from '../io/workspace-code.js';
import type { ReferenceFacts } from '../reasons/reference-facts.js';

/** Adds what a source that settings of the root load leads to in its workspace. Throws `GIT_FAILED`. */
export async function addLoadedImports(facts: ReferenceFacts, source: CodeSource): Promise<ReferenceFacts> {
  const loaded: Record<string, string> = { ...facts.loaded };
  for (const [path, place] of Object.entries(facts.loaded)) {
    const member = owningMember(source.graph, path);
    if (member === undefined) continue;
    for (const used of findInnerUses(await readWorkspaceCode(source, member), path as RepoPath))
      loaded[used] ??= `${place}, through ${path}`;
  }
  return { ...facts, loaded };
}
