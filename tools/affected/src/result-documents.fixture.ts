import type { AllReason } from '@tributary/model/changeset';
import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { type AffectedQuestion, decideAffected, type FoundReason } from '@tributary/workspaces/affected';
import { buildGraph, type DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { buildFileRules } from '@tributary/workspaces/file-rules';
import { joinGraphs, unchangedGraph } from '@tributary/workspaces/join-graphs';
import { withReadingEdges } from '@tributary/workspaces/reading-edges';
import { figuresOf } from './replay-figures.js';
import type { ReplayedCommit, ReplayResult, TuneProposal, TuneResult, WhyResult } from './result.js';
import { type AffectedReason, type AffectedResult, buildResult, type DirectReason, type WhyStep } from './result.js';

// The documents of the commands that tell what a change affects, for checks against their schemas. The real code makes them where it is
// pure.

/** A commit. */
export const ID = '0123456789abcdef0123456789abcdef01234567';
const LONG_ID = ID + ID.slice(0, 24);
const compared = { base: ID, head: LONG_ID, mergeBase: ID, warnings: ['There are 2 merge bases.'] };

/** Answers of the real code to changes, with reasons of each kind. */
export function selections(): readonly AffectedResult[] {
  const base = graph({ '': 'root', app: 'app', lib: 'lib', old: 'old' }, [
    ['app', 'lib'],
    ['app', 'old'],
  ]);
  const head = graph({ '': 'root', app: 'app', lib: 'lib', new: 'new' }, [['app', 'lib']]);
  const question: AffectedQuestion = {
    joined: joinGraphs(base, head),
    base,
    files: ['lib/a.ts', 'lib/b.ts', 'data.json'].map((path) => ({ path: path as RepoPath, status: 'modified', kind: 'file' })),
    answered: new Set(),
    rules: buildFileRules([{ files: ['data.json'], affects: ['lib'] }], []),
    found: Object.values(FOUND).map((reason) => ({ member: head.byPath.get('lib' as RepoFolder) ?? 0, reach: 'dependents', reason })),
    always: ['app'],
    all: undefined,
  };
  // Only through `old`: the shortest path of `app` names the removed workspace.
  const gone = { ...question, files: [], found: [] };
  const unclaimed = { ...question, rules: () => undefined };
  const readAs = (proof: string): AffectedQuestion => {
    const edges = { app: { workspaces: { lib: proof }, files: {} } };
    const joined = unchangedGraph(withReadingEdges(graph({ '': 'root', app: 'app', lib: 'lib' }, []), edges));
    return { ...question, joined, base: joined.graph, found: [] };
  };
  const answers = [question, gone, unclaimed, readAs('app/a.ts:1')].map((one) => decideAffected(one));
  return answers.map((one) => buildResult(one, compared));
}

/** Examples of each kind. `false` marks the kinds that `decideAffected` finds itself. */
const DIRECT: Readonly<Record<DirectReason['kind'], false | readonly DirectReason[]>> = {
  file: false,
  rule: false,
  read: [{ kind: 'read', file: 'data.json', by: 'lib/a.ts:1' }],
  lockfile: [
    { kind: 'lockfile', dependency: 'left', entry: 'deep@npm:^1.0.0', from: 'deep@npm:1.0.0', to: 'deep@npm:1.1.0' },
    { kind: 'lockfile', dependency: 'deep', entry: 'deep@npm:^1.0.0', from: null, to: null },
  ],
  setting: [{ kind: 'setting', file: '.yarn/patches/left.patch', key: 'patch' }],
  added: false,
  removed: false,
  nested: (['dissolved', 'new'] as const).map((became) => ({ kind: 'nested', folder: 'lib/inner', became })),
  always: false,
  all: false,
};
const FOUND: readonly FoundReason['reason'][] = Object.values(DIRECT).flatMap((reasons) => (reasons === false ? [] : reasons));

/** An answer in which everybody is affected, for this reason. */
export function everything(code: AllReason['code']): AffectedResult {
  const one = graph({ '': 'root', app: 'app' }, []);
  const joined = joinGraphs(one, one);
  const nothing = { files: [], answered: new Set<string>(), rules: () => undefined, found: [], always: [] };
  const answer = decideAffected({
    ...nothing,
    joined,
    base: one,
    all: { code, reason: 'Why.', subject: 'jest' },
  });
  return buildResult(answer, { ...compared, base: null, mergeBase: null });
}

/** `why` for each workspace of every answer above. */
export function explanations(): readonly WhyResult[] {
  return [...selections(), everything('FILE_UNCLAIMED')].flatMap(({ workspaces, base, head, mergeBase, all }) =>
    workspaces.map(({ name, path, reasons }): WhyResult => {
      const explained = reasons.map((reason) => ({ reason, steps: wayOf(reason) }));
      const about = { name, path, affected: true, whyNot: null, reasons: explained };
      return { schemaVersion: 1, base, head, mergeBase, all, ...about, warnings: compared.warnings };
    }),
  );
}

/** `why` for an unaffected workspace. */
export function notAffected(): WhyResult {
  const { warnings, ...commits } = compared;
  const about = { name: 'app', path: 'app', affected: false, whyNot: { dependsOn: 2, apart: [], changed: ['lib'] }, reasons: [] };
  return { schemaVersion: 1, ...commits, all: null, ...about, warnings };
}

function wayOf(reason: AffectedReason): WhyResult['reasons'][number]['steps'] {
  if (reason.kind !== 'dependency') return [];
  const edges = FIELDS.map((field) => ({ field, through: ['host@npm:1.0.0'], ...(field === 'read' ? { proof: 'app/a.ts:1' } : {}) }));
  return reason.path.slice(1).map((to, at) => ({ from: reason.path[at] ?? '', to, edges }));
}

/** Every possible field of an edge. */
const FIELDS = Object.keys({ dependency: true, dev: true, peer: true, optional: true, read: true } satisfies Record<
  WhyStep['edges'][number]['field'],
  true
>) as readonly WhyStep['edges'][number]['field'][];
/** A replay as `affected replay --json` prints it. */
export function replayed(): ReplayResult {
  const all: AllReason = { code: 'FILE_UNCLAIMED', reason: 'tools.sh is outside of every workspace.', subject: 'tools.sh' };
  const commits: readonly ReplayedCommit[] = [
    { commit: ID, workspaceCount: 4, affected: 3, all: null, milliseconds: 1.5 },
    { commit: LONG_ID, workspaceCount: 4, affected: 4, all, milliseconds: 2 },
  ];
  return {
    schemaVersion: 1,
    head: ID,
    workflow: { path: 'ci.yml', testing: null },
    commits,
    policies: figuresOf(commits),
    warnings: ['A warning.'],
  };
}

export function tuned(): TuneResult {
  const rules = (['owner', ['root', 'app']] as const).map((affects): TuneProposal => {
    const rule = { files: ['docs/**'], affects, because: 'nothing names it' };
    return { kind: 'rule', rule, commits: 2, saves: 0.05 };
  });
  return {
    schemaVersion: 1,
    head: ID,
    workflow: { path: null, testing: ['ci.yml', 'test.yml'] },
    commits: 10,
    before: { all: 4, mean: 0.5 },
    after: { all: 1, mean: 0.4 },
    proposals: rules,
    reach: [{ kind: 'tests', commits: 1, saves: 0.1 }],
    left: [null, 'jest.config.js'].map((subject) => ({ code: 'RULE', subject, commits: 1, share: 0.1, narrows: 'A rule.' })),
    written: rules.slice(1),
    warnings: ['A warning.'],
  };
}

/** What the command line prints for a failure. */
export function failure({ hint }: { readonly hint?: string }): unknown {
  const message = 'The head has no workspace "ap".';
  const error = new ToolError({ code: 'WORKSPACE_UNKNOWN', message, data: { name: 'ap' }, ...(hint === undefined ? {} : { hint }) });
  return { schemaVersion: 1, error };
}

/** Builds a graph from names by folder, such as `{ '': 'root', app: 'app' }`, and dependencies. */
function graph(names: Readonly<Record<string, string>>, edges: readonly (readonly [string, string])[]): DependencyGraph {
  const members = Object.entries(names).map(([path, name]) => ({ name: name as WorkspaceName, path: path as RepoFolder }));
  const placeOf = (name: string): number => members.findIndex((member) => member.name === name);
  return buildGraph(
    members,
    edges.map(([from, to]) => ({ from: placeOf(from), to: placeOf(to), field: 'any' })),
  );
}
