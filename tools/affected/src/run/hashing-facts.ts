import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import type { FileRules } from '@tributary/workspaces/file-rules';
import type { TrackedFile } from '../io/tracked-files.js';
import type { HashingFacts } from '../plan/hashed-files.js';
import type { HeadProject } from './head-project.js';

/** Returns the facts on what turborepo hashes. It lists all files only if inputs leave some out. */
export function hashingFacts(
  { side, project }: HeadProject,
  rules: FileRules,
  known: Pick<HashingFacts, 'changed' | 'inputs' | 'turboInputs'>,
): HashingFacts {
  let read: OwnedFiles | undefined;
  const owned = (): OwnedFiles => {
    read ??= filesByOwner(project.tracked(), side.graph, rules);
    return read;
  };
  return {
    ...known,
    files: () => owned().files,
    hasLinks: (workspace) => (workspace === '' ? owned().linking.size > 0 : owned().linking.has(workspace)),
  };
}

interface OwnedFiles {
  /** By workspace, without files that a rule keeps from selecting its dependents. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Workspaces with symbolic links. */
  readonly linking: ReadonlySet<string>;
}

function filesByOwner(tracked: readonly TrackedFile[], graph: DependencyGraph, rules: FileRules): OwnedFiles {
  const files = new Map<string, string[]>();
  const linking = new Set<string>();
  for (const { path, kind } of tracked) {
    const owner = graph.members[owningMember(graph, path) ?? -1];
    if (owner === undefined) continue;
    if (kind === 'link') linking.add(owner.name);
    const affects = rules(path, owner.path === '' ? 'outside' : 'workspace')?.affects;
    if (affects === 'none' || affects === 'owner') continue;
    const known = files.get(owner.name);
    if (known === undefined) files.set(owner.name, [path]);
    else known.push(path);
  }
  return { files, linking };
}
