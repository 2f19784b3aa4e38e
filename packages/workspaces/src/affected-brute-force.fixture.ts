import { type ChangeScene, ROOT, type SceneSide } from './affected-scene.fixture.js';
import type { EdgeField } from './dependency-graph.js';
import { buildFileRules } from './file-rules.js';

/** Returns the name at the head, by which members of both commits are identified; `gone: <name>` for a removed member. */
export function nameAtHead({ base, head }: ChangeScene, name: string): string {
  if (Object.values(head.members).includes(name)) return name;
  const folder = Object.entries(base.members).find(([, one]) => one === name)?.[0] ?? '';
  const successor = head.members[folder];
  return successor !== undefined && !Object.values(base.members).includes(successor) ? successor : `gone: ${name}`;
}

/** Returns the edges of both commits, by the names at the head. */
export function allEdges(scene: ChangeScene): readonly (readonly [from: string, field: EdgeField, to: string])[] {
  return [
    ...scene.head.edges,
    ...scene.base.edges.map(([from, field, to]) => [nameAtHead(scene, from), field, nameAtHead(scene, to)] as const),
  ];
}

function ownerAt(side: SceneSide, file: string): string | undefined {
  const folders = Object.keys(side.members).filter((folder) => folder === '' || file === folder || file.startsWith(`${folder}/`));
  return side.members[folders.sort((a, b) => b.length - a.length)[0] ?? ''];
}

/** Affected members, by name at the head. */
export interface Direct {
  /** Members that are affected together with their dependents. */
  readonly spreading: Set<string>;
  readonly alone: Set<string>;
}

/** Returns the members that are affected directly; `all` for every member. */
export function bruteDirect(scene: ChangeScene): Direct | 'all' {
  const { base, head, files, answered, found } = scene;
  const direct: Direct = { spreading: new Set(), alone: new Set() };
  const rules = buildFileRules(scene.rules, []);
  for (const [name, reach] of found) (reach === 'itself' ? direct.alone : direct.spreading).add(name);
  const before = Object.values(base.members).map((name) => nameAtHead(scene, name));
  for (const name of Object.values(head.members)) if (!before.includes(name)) direct.spreading.add(name);
  for (const name of before) if (name.startsWith('gone: ')) direct.spreading.add(name);
  for (const { path, status, kind } of files) {
    const inside = !path.startsWith('../');
    const now = status === 'deleted' ? undefined : ownerAt(head, path);
    const then = status === 'added' ? undefined : nameAtHead(scene, ownerAt(base, path) ?? '');
    const held = Object.entries(head.members).flatMap(([folder, name]) =>
      kind === 'submodule' && folder.startsWith(`${path}/`) ? [name] : [],
    );
    const owners = inside ? [now, then, ...held].filter((name) => name !== undefined && name !== ROOT) : [];
    const match = rules(path, owners.length === 0 ? 'outside' : 'workspace');
    const isAnswered = answered.includes(path);
    // A file with an answer of its own selects its owner, and the members that the user's rules add.
    const rule = isAnswered && match?.source !== 'tributary.json' ? undefined : match?.affects;
    if (rule === 'all' || (match === undefined && owners.length === 0 && !isAnswered)) return 'all';
    if (rule === 'owner') for (const name of owners.length === 0 ? [ROOT] : owners) direct.alone.add(name ?? '');
    const named = Array.isArray(rule) ? (rule as readonly string[]) : [];
    const spreads = match === undefined || isAnswered || Array.isArray(rule);
    for (const name of [...named, ...(spreads ? owners : [])]) direct.spreading.add(name ?? '');
  }
  return direct;
}

/** Computes a fixed point: dependents of a spreading member are affected, and spread too. */
export function bruteForce(scene: ChangeScene): readonly string[] {
  const everybody = Object.values(scene.head.members);
  const direct = bruteDirect(scene);
  if (direct === 'all') return everybody.sort();
  const spreading = new Set(direct.spreading);
  const affected = new Set([...direct.spreading, ...direct.alone, ...scene.always]);
  for (let size = -1; size !== spreading.size + affected.size; ) {
    size = spreading.size + affected.size;
    for (const [from, , to] of allEdges(scene)) {
      if (!spreading.has(to)) continue;
      affected.add(from);
      spreading.add(from);
    }
  }
  return everybody.filter((name) => affected.has(name)).sort();
}

/** Returns the distance of each spreading member from a seed. */
export function bruteDistances(scene: ChangeScene, seeds: ReadonlySet<string>): ReadonlyMap<string, number> {
  const distances = new Map([...seeds].map((name) => [name, 0]));
  const edges = allEdges(scene);
  for (let round = 0; round < 20; round++) {
    for (const [from, , to] of edges) {
      const distance = distances.get(to);
      if (distance !== undefined && distance + 1 < (distances.get(from) ?? Number.POSITIVE_INFINITY)) distances.set(from, distance + 1);
    }
  }
  return distances;
}
