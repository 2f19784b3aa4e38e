import type { ChangedFile } from '@tributary/model/changeset';
import type { FileRule } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { type AffectedAnswer, type AffectedQuestion, type DirectReason, decideAffected } from './affected.js';
import { buildGraph, type DependencyEdge, type DependencyGraph, type EdgeField } from './dependency-graph.js';
import { buildFileRules } from './file-rules.js';
import { joinGraphs } from './join-graphs.js';

/** The workspaces of one commit. */
export interface SceneSide {
  /** Folder -> name; `''` is the root. */
  readonly members: Readonly<Record<string, string>>;
  /** The dependencies, by name. */
  readonly edges: readonly (readonly [from: string, field: EdgeField, to: string])[];
}

/** A change, described without indexes. */
export interface ChangeScene {
  readonly base: SceneSide;
  readonly head: SceneSide;
  readonly files: readonly ChangedFile[];
  readonly answered: readonly string[];
  readonly rules: readonly FileRule[];
  /** Reasons found elsewhere, for members of the head. */
  readonly found: readonly (readonly [name: string, reach: 'dependents' | 'itself'])[];
  readonly always: readonly string[];
}

/** The name of the root. */
export const ROOT = 'root';

function graphOf({ members, edges }: SceneSide): DependencyGraph {
  const entries = Object.entries(members);
  const memberOf = (name: string): number => entries.findIndex(([, one]) => one === name);
  return buildGraph(
    entries.map(([path, name]) => ({ name: name as WorkspaceName, path: path as RepoFolder })),
    edges.map(([from, field, to]): DependencyEdge => ({ from: memberOf(from), to: memberOf(to), field })),
  );
}

const SETTING: DirectReason = { kind: 'setting', file: '.yarnrc.yml', key: 'catalog.x' };

/** Returns the question that a scene describes. A found reason of a member is a setting. */
export function questionOf(scene: ChangeScene): AffectedQuestion {
  const base = graphOf(scene.base);
  const joined = joinGraphs(base, graphOf(scene.head));
  const { members } = joined.graph;
  const { files, answered, found, always } = scene;
  return {
    joined,
    base,
    files,
    answered: new Set(answered),
    rules: buildFileRules(scene.rules, []),
    found: found.map(([name, reach]) => ({ member: members.findIndex((member) => member.name === name), reach, reason: SETTING })),
    always,
    all: undefined,
  };
}

/** Returns the answer of the real code. */
export function decide(scene: ChangeScene): AffectedAnswer {
  return decideAffected(questionOf(scene));
}

/** Returns the names of the affected members, sorted. */
export function namesIn({ members }: AffectedAnswer): readonly string[] {
  return members.map(({ name }) => name).sort();
}
