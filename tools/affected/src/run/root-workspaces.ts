import type { AllReason } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { DependencyEdge, Member } from '@tributary/workspaces/dependency-graph';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { readTexts } from '../io/mentions.js';
import { type SearchSubject, workspaceSubject } from '../root-uses/subject.js';
import type { Users } from '../root-uses/uses.js';
import type { Snapshot } from '../snapshot.js';
import type { SidesCompared } from './compared.js';
import { loadRules } from './config.js';
import { findUsers } from './find-users.js';
import type { AffectedInputs } from './inputs.js';

/** The effect on other workspaces if the root depends on selected ones. */
export type RootWorkspaces =
  | { readonly kind: 'all'; readonly all: AllReason }
  /** From workspaces that name them without declaring them. */
  | { readonly kind: 'edges'; readonly edges: readonly DependencyEdge[] };

/**
 * Finds the users of workspaces of the head through the root. These are all workspaces if a test script or shared setting names one;
 * workspaces whose files name it without declaring it; or only the root. Throws `GIT_FAILED`, `CONFIG_INVALID`.
 */
export async function usersThroughRoot(
  inputs: AffectedInputs,
  { graph, rootManifest, linked }: Snapshot,
  { open, before }: { readonly open: readonly number[]; readonly before: Pick<SidesCompared, 'base' | 'joined'> },
): Promise<RootWorkspaces> {
  const members = open.flatMap((member) => graph.members[member] ?? []);
  const rules = await loadRules(inputs, linked);
  const scene = { ...inputs, graph, rootManifest, rules, kind: inputs.taskKind ?? 'test' };
  const manifests = await readTexts(
    inputs,
    members.map(({ path }) => `${path}/package.json`),
  );
  const subjects = members.map((member, at) =>
    subjectOf(member, { manifest: manifests[at] ?? '', rootManifest, former: formerNames(open[at] ?? -1, before) }),
  );
  const users = await findUsers(scene, subjects, ({ bearing }) => bearing.kind === 'everybody');
  const shared = users.findIndex(({ everybody }) => everybody !== undefined);
  if (shared >= 0) return { kind: 'all', all: sharedReason(members[shared]?.name ?? '', users[shared]) };
  const edges = open.flatMap((to, at) =>
    [...(users[at]?.workspaces.keys() ?? [])].filter((from) => from !== to).map((from): DependencyEdge => ({ from, to, field: 'any' })),
  );
  return { kind: 'edges', edges };
}

interface Naming {
  readonly manifest: string;
  readonly rootManifest: Manifest;
  readonly former: readonly string[];
}

/** Returns the subject of a workspace. It matches its present and former names, its binaries, and the root's aliases for it. */
function subjectOf({ name, path }: Member, { manifest, rootManifest, former }: Naming): SearchSubject {
  const { bin } = parseManifest(manifest, `${path}/package.json`).raw;
  const binaries = typeof bin === 'string' ? [name.slice(name.indexOf('/') + 1)] : isPlainObject(bin) ? Object.keys(bin) : [];
  return workspaceSubject({ name, path }, [...binaries, ...former, ...aliasesOf(rootManifest, { name, path })]);
}

/** Returns the names of a workspace at the base. */
function formerNames(member: number, { base, joined }: Pick<SidesCompared, 'base' | 'joined'>): readonly string[] {
  return base.members.flatMap(({ name }, at) => (joined.memberOfBase[at] === member ? [name] : []));
}

function aliasesOf({ raw }: Manifest, { name, path }: { readonly name: string; readonly path: RepoFolder }): readonly string[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((block) => {
    const ranges = raw[block];
    if (!isPlainObject(ranges)) return [];
    const leadsThere = (range: unknown): boolean => typeof range === 'string' && (range.includes(name) || range.includes(path));
    return Object.keys(ranges).filter((key) => key !== name && leadsThere(ranges[key]));
  });
}

function sharedReason(name: string, users: Users | undefined): AllReason {
  const reason = `The root depends on the workspace ${name}, which every workspace can use (${users?.everybody?.what ?? ''} names it).`;
  return { code: 'ROOT_DEPENDENCY_CHANGED', reason, subject: name };
}
