import type { EdgesConfig } from '@tributary/model/config';
import type { Reading } from '@tributary/references/reading-search';
import type { ReferenceMap } from '@tributary/references/reference-map';
import { ownerOf, resolveFiles } from '@tributary/references/tree';
import { undeclaredReadings } from '@tributary/references/undeclared';
import { placeText } from '@tributary/references/users';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { kindOfTask } from '@tributary/workspaces/task-kinds';

/** Returns what workspaces read without an edge of a manifest, or a rule of the user about the very file, that carries a change there. */
export function unfollowedReadings(map: ReferenceMap, rules: FileRules): readonly Reading[] {
  const { tree } = map;
  const isRuled = (file: string, reader: string): boolean => {
    const match = rules(file, 'workspace');
    if (match === undefined || match.source === 'built-in') return false;
    return match.affects === 'all' || (typeof match.affects !== 'string' && match.affects.includes(reader));
  };
  return undeclaredReadings(map).filter(({ from, target, path }) => {
    // A change of such a file selects every workspace.
    if (target.kind === 'file' && ownerOf(tree, target.path) === tree.root) return rules(target.path, 'outside')?.affects !== 'all';
    if (path === undefined || ownerOf(tree, path) === tree.root) return true;
    const { files } = resolveFiles(tree, path);
    return files.length === 0 || !files.every((file) => isRuled(file, tree.graph.members[from]?.name ?? ''));
  });
}

interface Reads {
  readonly workspaces: (readonly [name: string, place: string])[];
  readonly files: (readonly [path: string, place: string])[];
}

/** Turborepo hashes the file for a test, so no dependent gets anything else. */
export function isForTestsAlone({ key = '' }: Reading): boolean {
  const [, task] = /^(?:tasks|pipeline)\.(.+)\.inputs\./.exec(key) ?? [];
  return task !== undefined && ['test', 'lint', 'format'].includes(kindOfTask(task.replace(/^.*#/, '')));
}

/** Returns such readings as edges, with the place of each. */
export function undeclaredEdges({ tree }: ReferenceMap, readings: readonly Reading[]): EdgesConfig {
  const { members } = tree.graph;
  // A workspace may have the name of what every object has.
  const reads = new Map<string, Reads>();
  for (const { from, target, chain, isPerhaps } of readings) {
    const reader = members[from]?.name ?? '';
    const own = reads.get(reader) ?? { workspaces: [], files: [] };
    reads.set(reader, own);
    const last = chain.at(-1);
    const place = `${last === undefined ? '' : placeText(last)}${isPerhaps === true ? ' perhaps' : ''}`;
    if (target.kind === 'workspace') own.workspaces.push([members[target.member]?.name ?? '', place]);
    else own.files.push([target.path, place]);
  }
  return Object.fromEntries(
    [...reads].map(([reader, { workspaces, files }]) => [
      reader,
      { workspaces: Object.fromEntries(workspaces), files: Object.fromEntries(files) },
    ]),
  );
}
