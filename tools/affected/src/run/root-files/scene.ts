import { readNamedBlobs } from '@tributary/git/objects';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, ownerPlace } from '@tributary/workspaces/dependency-graph';
import { buildFileRules } from '@tributary/workspaces/file-rules';
import type { ChangedGraph } from '@tributary/workspaces/join-graphs';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { ProjectFiles } from '../../io/project.js';
import { findLines, findMentions } from '../../io/search-text.js';
import type { Snapshot } from '../../snapshot.js';
import type { AffectedInputs } from '../inputs.js';

/** A changed root file with its texts; `undefined` on the side that lacks it. */
export interface RootFile {
  readonly path: RepoPath;
  readonly base: string | undefined;
  readonly head: string | undefined;
}

/** A member that a changed root file affects, with the changed key; the file's path if all of it changed. */
export interface Concern {
  readonly place: number;
  readonly key: string;
}

/** The members that a changed root file affects. `unknown`: the rules decide, as for any other file. */
export type Verdict = 'unknown' | readonly Concern[];

/** Access to the two commits. */
export interface Scene {
  readonly kind: TaskKind;
  /** Those of the base and of the head. */
  readonly rootManifests: readonly Manifest[];
  /** The index of the root. */
  readonly root: number | undefined;
  /** Returns the workspaces that own a file at one of the commits; none if only the root does. */
  readonly owners: (path: string) => readonly number[];
  /** Tells whether a built-in rule says that tasks of this kind do not read a file outside workspaces. */
  readonly isUnread: (path: string) => boolean;
  /** Like `findMentions`. */
  readonly mentions: (texts: readonly string[]) => Promise<readonly RepoPath[] | undefined>;
  /** Like `findLines`. */
  readonly lines: (words: readonly string[]) => ReturnType<typeof findLines>;
  /** Returns the texts of all files that name root tasks, such as `"//#lint"`; `undefined` as for `mentions`. */
  readonly rootTasks: () => Promise<string | undefined>;
  /** Returns for each file its texts on the sides that have it. */
  readonly read: (paths: readonly RepoPath[]) => Promise<readonly (readonly string[])[]>;
  /** Returns the texts of one side; `undefined` for a missing file. */
  readonly readSide: (side: 'base' | 'head', paths: readonly RepoPath[]) => Promise<readonly (string | undefined)[]>;
  /** Returns the manifests of the head; `undefined` if some are unreadable. */
  readonly project: () => Promise<ProjectFiles | undefined>;
}

type Inputs = Pick<AffectedInputs, 'git' | 'place' | 'files' | 'headTree' | 'mergeBase' | 'taskKind'>;

interface Sides {
  readonly base: Snapshot;
  readonly head: Snapshot;
}

export function buildScene(inputs: Inputs & { readonly mergeBase: string }, { base, head }: Sides, joined: ChangedGraph): Scene {
  const { git, place, headTree, mergeBase, taskKind: kind = 'test' } = inputs;
  const rules = buildFileRules([], [], kind);
  const readSide: Scene['readSide'] = async (side, paths) => {
    const tree = side === 'base' ? mergeBase : headTree;
    const blobs = await readNamedBlobs(
      git,
      paths.map((path) => `${tree}:${inProject(place.project, path)}`),
    );
    return blobs.map((blob) => blob?.toString('utf8'));
  };
  const mentions: Scene['mentions'] = (texts) => findMentions({ git, place }, [mergeBase, headTree], texts);
  const read: Scene['read'] = async (paths) => {
    const [before, after] = [await readSide('base', paths), await readSide('head', paths)];
    return paths.map((_, at) => [...new Set([before[at], after[at]])].filter((text) => text !== undefined));
  };
  return {
    kind,
    rootManifests: [base.rootManifest, head.rootManifest],
    root: joined.graph.byPath.get(''),
    owners: buildOwners(base.graph, joined),
    isUnread: (path) => rules(path, 'outside')?.affects === 'none',
    mentions,
    lines: (words) => findLines({ git, place }, [mergeBase, headTree], words),
    readSide,
    read,
    rootTasks: once(async () => {
      const paths = await mentions(['"//#']);
      return paths && (await read(paths)).flat().join('\n');
    }),
    project: once(() => readWhole(inputs, head)),
  };
}

function inProject(project: RepoFolder, path: string): string {
  return project === '' ? path : `${project}/${path}`;
}

function buildOwners(base: DependencyGraph, { graph, placeOfBase }: ChangedGraph): (path: string) => readonly number[] {
  const root = graph.byPath.get('');
  return (path) => {
    const places = new Set([ownerPlace(graph, path), placeOfBase[ownerPlace(base, path) ?? -1]]);
    return [...places].filter((place): place is number => place !== undefined && place !== root);
  };
}

async function readWhole(inputs: Inputs, head: Snapshot): Promise<ProjectFiles | undefined> {
  if (head.project !== undefined) return head.project;
  const { withManifests } = await import('../read-manifests.js');
  const whole = await withManifests(inputs, inputs.headTree, head);
  return 'all' in whole ? undefined : whole.project;
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= read();
    return known;
  };
}
