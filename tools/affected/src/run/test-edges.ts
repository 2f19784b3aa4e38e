import { isInside, type RepoFolder } from '@tributary/model/paths';
import { findInnerReferences, type WorkspaceCode } from '@tributary/references/inner-references';
import { isReadFrom } from '../reasons/known-readers.js';
import type { ReferenceFacts } from '../reasons/reference-facts.js';
import type { InnerCode } from './inner-code.js';

/**
 * Keeps of the edges of tests those of workspaces whose sources, and whose tests that others use, do not import the target. The rest are
 * edges like others by name. Throws `GIT_FAILED`.
 */
export async function settleTestEdges(facts: ReferenceFacts, code: InnerCode, isApart: boolean): Promise<ReferenceFacts> {
  const inTests: Record<string, ReferenceFacts['inTests'][string]> = {};
  const named = { ...facts.named };
  for (const [member, { name, path }] of code.source.graph.members.entries()) {
    if (!Object.hasOwn(facts.inTests, name)) continue;
    const { workspaces = {} } = facts.inTests[name] ?? {};
    const isUsedByOthers = (file: string): boolean => isReadFrom(facts.readers, path, file);
    const around = Object.entries(facts.readers).filter(([read]) => isInside(read, path) || isInside(path, read as RepoFolder));
    const key = JSON.stringify(around.map(([read, readers]) => [read, readers.map(({ ending = null }) => ending)]));
    const find = (own: Omit<WorkspaceCode, 'isUsedByOthers'>): Iterable<string> => findInnerReferences({ ...own, isUsedByOthers }).packages;
    const [found] = isApart ? await code.ask(member, [{ key: `imports beside ${key}`, find }], Object.keys(workspaces)) : [];
    const imported = found && new Set(found);
    const pick = (isWanted: (target: string) => boolean): typeof workspaces =>
      Object.fromEntries(Object.entries(workspaces).filter(([target]) => isWanted(target)));
    const isSeen = (target: string): boolean => imported?.has(target) !== false;
    inTests[name] = { workspaces: pick((target) => !isSeen(target)), files: {} };
    named[name] = { workspaces: { ...named[name]?.workspaces, ...pick(isSeen) }, files: named[name]?.files ?? {} };
  }
  return { ...facts, named, inTests };
}
