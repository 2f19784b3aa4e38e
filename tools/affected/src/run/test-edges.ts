import { findInnerReferences } from '@tributary/references/inner-references';
import { type CodeSource, readWorkspaceCode } from '../io/workspace-code.js';
import { isReadFrom } from '../reasons/known-readers.js';
import type { ReferenceFacts } from '../reasons/reference-facts.js';

/**
 * Keeps of the edges of tests those of workspaces whose sources, and whose tests that others use, do not import the target. The rest are
 * edges like others by name. Throws `GIT_FAILED`.
 */
export async function settleTestEdges(facts: ReferenceFacts, source: CodeSource, isApart: boolean): Promise<ReferenceFacts> {
  const inTests: Record<string, ReferenceFacts['inTests'][string]> = {};
  const named = { ...facts.named };
  for (const [member, { name, path }] of source.graph.members.entries()) {
    if (!Object.hasOwn(facts.inTests, name)) continue;
    const { workspaces = {} } = facts.inTests[name] ?? {};
    const code = isApart ? await readWorkspaceCode(source, member, Object.keys(workspaces)) : undefined;
    const isUsedByOthers = (file: string): boolean => isReadFrom(facts.readers, path, file);
    const imported = code && findInnerReferences({ ...code, isUsedByOthers }).packages;
    const pick = (isWanted: (target: string) => boolean): typeof workspaces =>
      Object.fromEntries(Object.entries(workspaces).filter(([target]) => isWanted(target)));
    const isSeen = (target: string): boolean => imported?.has(target) !== false;
    inTests[name] = { workspaces: pick((target) => !isSeen(target)), files: {} };
    named[name] = { workspaces: { ...named[name]?.workspaces, ...pick(isSeen) }, files: named[name]?.files ?? {} };
  }
  return { ...facts, named, inTests };
}
