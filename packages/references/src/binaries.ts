import type { Collected } from './own-references.js';
import type { Tree } from './tree.js';

/** By command, the workspace that provides it. */
export function binaryOwners({ workspaces }: Collected): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  for (const [member, { manifest }] of workspaces) for (const name of manifest?.binaries ?? []) owners.set(name, member);
  return owners;
}

/** Returns the workspaces whose name or command is a word of a script. */
export function namedIn(script: string, collected: Collected, tree: Tree): ReadonlySet<number> {
  const owners = binaryOwners(collected);
  return new Set(wordsOf(script).flatMap((word) => owners.get(word) ?? tree.byName.get(word) ?? []));
}

export function wordsOf(script: string): readonly string[] {
  return script.split(/[\s'"`|&;()=]+/).map((word) => word.replace(/^.*\/node_modules\/\.bin\//, ''));
}
