import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ALL_CODES, type AllReason } from '@tributary/model/changeset';
import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type AffectedQuestion, decideAffected, type FoundReason } from '@tributary/workspaces/affected';
import { BUILT_IN_RULES, buildFileRules } from '@tributary/workspaces/file-rules';
import { joinGraphs } from '@tributary/workspaces/joined-graph';
import { buildMemberGraph, type MemberGraph } from '@tributary/workspaces/members';
import { ROOT_ONLY_DEPENDENCIES } from '@tributary/workspaces/root-dependencies';
import { Ajv } from 'ajv';
import { type Finding, type ReadingReason, type StaleProblem, sortFindings } from './check/finding.js';
import { gateResults, plans, receipts, shardResults } from './plan-documents.fixture.js';
import { figuresOf } from './replay-figures.js';
import type { CheckResult, ReplayedCommit, ReplayResult, WhyResult } from './result.js';
import { type AffectedReason, type AffectedResult, buildResult, type DirectReason, type GraphEdge, type GraphResult } from './result.js';

// The published schemas are held against the types and against what the pure code answers: each answer is valid, and nothing that a
// schema promises is missing from all of them. A new word of a type does not compile here until it has an answer, which the schema
// then refuses.

interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const ID = '0123456789abcdef0123456789abcdef01234567';
const LONG_ID = ID + ID.slice(0, 24);
const compared = { base: ID, head: LONG_ID, mergeBase: ID, warnings: ['There are 2 merge bases.'] };

const ANSWERS: Readonly<Record<string, () => readonly unknown[]>> = {
  'affected-result': () => [...selections(), ...ALL_CODES.map(everything), { ...everything('FAILED'), head: null }],
  'why-result': () => [...explanations(), notAffected()],
  'graph-result': () => [graphOf()],
  'replay-result': () => [replayed()],
  'check-result': () => [checked('transitive'), checked('terminal')],
  plan: () => [...selections(), everything('FAILED')].flatMap(plans),
  receipt: () => receipts(),
  'gate-result': () => gateResults(),
  'shard-result': () => shardResults(),
  error: () => [failure({ hint: 'Did you mean app?' }), failure({})],
};

describe.each(Object.entries(ANSWERS))('%s.schema.json', (name, build) => {
  const schema = readSchema(name);
  const printed = (): readonly unknown[] => build().map((answer) => JSON.parse(JSON.stringify(answer)));

  test('every answer is valid', () => {
    const validate = compile(schema);
    expect(printed().flatMap((answer) => (validate(answer) ? [] : [{ answer, errors: validate.errors }]))).toEqual([]);
  });

  test('every field and every word of it occurs', () => {
    const seen = new Seen(schema);
    for (const value of printed()) seen.add({ schema, value, at: '' });
    expect(listPromised(schema).filter((place) => !seen.places.has(place) && !isShownElsewhere(name, place))).toEqual([]);
  });

  test('every field is described, and no other is allowed', () => {
    const text = JSON.stringify(schema);
    const open = name === 'error' ? 1 : 0;
    expect(text.match(/"type":"object"/g)?.length).toBe((text.match(/"additionalProperties":false/g)?.length ?? 0) + open);
    expect(undescribed(schema, '')).toEqual([]);
  });
});

test.each(['affected-result', 'why-result', 'replay-result'])('%s knows every code of "all"', (name) => {
  const { properties } = readSchema(name).definitions?.['allReason'] ?? {};
  expect(properties?.['code']?.enum).toEqual(ALL_CODES);
});

test('the two schemas that hold reasons say the same about them', () => {
  const [one, other] = ['affected-result', 'why-result'].map((name) => readSchema(name).definitions);
  for (const part of ['allReason', 'reason', 'directReason']) expect(other?.[part]).toEqual(one?.[part]);
});

test.each<[name: string, broken: (document: object) => unknown]>([
  ['plan', (plan) => ({ ...plan, affected: { schemaVersion: 1 } })],
  ['shard-result', (result) => ({ ...result, receipts: [{ schemaVersion: 1 }] })],
])('%s is held to the schema that it refers to', (name, broken) => {
  const validate = compile(readSchema(name));
  const [document] = ANSWERS[name]?.() ?? [];
  expect([validate(document), validate(broken(document as object))]).toEqual([true, false]);
});

/** What schemas refer to lies beside them. */
function compile(schema: Schema): ReturnType<Ajv['compile']> {
  const ajv = new Ajv({ allErrors: true });
  for (const other of ['affected-result', 'receipt']) ajv.addSchema(readSchema(other), `${other}.schema.json`);
  return ajv.compile(schema);
}

/** Codes are the same in every answer that has one; that of `affected` itself shows all of them. */
function isShownElsewhere(name: string, place: string): boolean {
  return name !== 'affected-result' && place.startsWith('#/definitions/allReason.code = ');
}

/** Answers of the real code to changes that give a reason of each kind. */
function selections(): readonly AffectedResult[] {
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
    found: Object.values(FOUND).map((reason) => ({ place: head.byPath.get('lib' as RepoFolder) ?? 0, reach: 'dependents', reason })),
    always: ['app'],
    policy: { dev: 'transitive' },
    all: undefined,
  };
  // By way of `old` alone: the shortest way of `app` names the workspace that is gone.
  const gone = { ...question, files: [], found: [] };
  const unclaimed = { ...question, rules: () => undefined };
  return [question, gone, unclaimed].map((one) => buildResult(decideAffected(one), compared));
}

/** One of each kind; the kinds that `decideAffected` gives by itself are told apart by `false`. */
const DIRECT: Readonly<Record<DirectReason['kind'], false | readonly DirectReason[]>> = {
  file: false,
  rule: false,
  lockfile: [
    { kind: 'lockfile', dependency: 'left', entry: 'deep@npm:^1.0.0', from: 'deep@npm:1.0.0', to: 'deep@npm:1.1.0' },
    { kind: 'lockfile', dependency: 'deep', entry: 'deep@npm:^1.0.0', from: null, to: null },
  ],
  setting: [{ kind: 'setting', file: '.yarn/patches/left.patch', key: 'patch' }],
  added: false,
  removed: false,
  always: false,
  all: false,
};
const FOUND: readonly FoundReason['reason'][] = Object.values(DIRECT).flatMap((reasons) => (reasons === false ? [] : reasons));

function everything(code: AllReason['code']): AffectedResult {
  const one = graph({ '': 'root', app: 'app' }, []);
  const joined = joinGraphs(one, one);
  const nothing = { files: [], answered: new Set<string>(), rules: () => undefined, found: [], always: [] };
  const answer = decideAffected({ ...nothing, joined, base: one, policy: { dev: 'transitive' }, all: { code, reason: 'Why.' } });
  return buildResult(answer, { ...compared, base: null, mergeBase: null });
}

/** `why` of everybody in every answer above. */
function explanations(): readonly WhyResult[] {
  return [...selections(), everything('FILE_UNCLAIMED')].flatMap(({ workspaces, base, head, mergeBase, all }) =>
    workspaces.map(({ name, path, reasons }): WhyResult => {
      const explained = reasons.map((reason) => ({ reason, way: wayOf(reason) }));
      const about = { name, path, affected: true, whyNot: null, reasons: explained };
      return { schemaVersion: 1, base, head, mergeBase, all, ...about, warnings: compared.warnings };
    }),
  );
}

function notAffected(): WhyResult {
  const { warnings, ...commits } = compared;
  const about = { name: 'app', path: 'app', affected: false, whyNot: { dependsOn: 2, changed: ['lib'] }, reasons: [] };
  return { schemaVersion: 1, ...commits, all: null, ...about, warnings };
}

function wayOf(reason: AffectedReason): WhyResult['reasons'][number]['way'] {
  if (reason.kind !== 'dependency') return [];
  const edges = FIELDS.map((field) => ({ field, through: ['host@npm:1.0.0'] }));
  return reason.path.slice(1).map((to, at) => ({ from: reason.path[at] ?? '', to, edges }));
}

const FIELDS = Object.keys({ dependency: true, dev: true, peer: true, optional: true } satisfies Record<
  GraphEdge['field'],
  true
>) as readonly GraphEdge['field'][];
const LINKS: Readonly<Record<GraphEdge['kind'], string | null>> = {
  ...{ workspace: 'workspace:^', semver: '^1.0.0', portal: 'portal:../lib', link: 'link:../lib', file: 'file:../lib', exec: 'exec:../lib' },
  ...{ patch: 'patch:lib@workspace%3Alib#./lib.patch', alias: 'npm:lib@^1.0.0', catalog: 'catalog:', name: null, package: null },
};

function graphOf(): GraphResult {
  const kinds = Object.entries(LINKS) as readonly (readonly [GraphEdge['kind'], string | null])[];
  const workspaces = [null, true, false].map((affected, at) => ({ name: `w${at}`, path: at === 0 ? '.' : `w${at}`, affected }));
  const edges = FIELDS.flatMap((field) =>
    kinds.map(
      ([kind, range]): GraphEdge => ({ from: 'w1', to: 'w2', field, kind, range, through: kind === 'package' ? ['host@npm:1.0.0'] : [] }),
    ),
  );
  return { schemaVersion: 1, workspaces, edges };
}

function replayed(): ReplayResult {
  const all: AllReason = { code: 'FILE_UNCLAIMED', reason: 'tools.sh is outside of every workspace.' };
  const commits: readonly ReplayedCommit[] = [
    { commit: ID, workspaceCount: 4, affected: 3, affectedTerminal: 1, all: null, milliseconds: 1.5 },
    { commit: LONG_ID, workspaceCount: 4, affected: 4, affectedTerminal: 4, all, milliseconds: 2 },
  ];
  return { schemaVersion: 1, head: ID, commits, policies: figuresOf(commits), warnings: ['A warning.'] };
}

function checked(dev: CheckResult['dev']): CheckResult {
  return {
    schemaVersion: 1,
    head: ID,
    findings: sortFindings(Object.values(FINDINGS).flatMap((found: readonly Finding[]) => found.flatMap(withEachSeverity))),
    rules: [
      { files: ['data.json', '!old.json'], affects: ['lib'], source: 'tributary.json' },
      { files: ['**/*.test.ts'], affects: 'owner', source: 'tributary.json' },
      { files: ['tsconfig.json'], affects: 'all', source: 'turbo.json' },
      ...BUILT_IN_RULES.map((rule) => ({ ...rule, source: 'built-in' as const })),
    ],
    rootOnlyDependencies: ROOT_ONLY_DEPENDENCIES,
    always: ['app'],
    dev,
    skippedFiles: 1,
    warnings: ['There is no yarn.lock, so it was not compared with the manifests.'],
  };
}

function withEachSeverity(finding: Finding): readonly Finding[] {
  return (['hole', 'note'] as const).map((severity) => ({ ...finding, severity }));
}

const app = 'app' as WorkspaceName;
const lib = 'lib' as WorkspaceName;
const inFile = { workspace: app, file: 'app/a.ts' as RepoPath, line: 1, specifier: '../lib/a' } as const;
const folder = 'lib' as RepoFolder;
const READINGS = Object.keys({
  ...{ unseen: true, reached: true, fixture: true, 'own-manifest': true, 'root-setting': true, document: true, outside: true },
} satisfies Record<ReadingReason, true>) as readonly ReadingReason[];
const STALE: { readonly [What in StaleProblem['what']]: readonly (StaleProblem & { readonly what: What })[] } = {
  'workspace-missing': [{ what: 'workspace-missing' }],
  'workspace-extra': [{ what: 'workspace-extra' }],
  'workspace-moved': [{ what: 'workspace-moved', lockPath: folder, path: folder }],
  'edge-missing': [{ what: 'edge-missing', to: lib }],
  'edge-extra': [{ what: 'edge-extra', to: lib }],
  range: [
    { what: 'range', name: 'left', inLock: '^1.0.0', inManifest: '^2.0.0' },
    { what: 'range', name: 'left', inLock: undefined, inManifest: undefined },
  ],
};

/** Of each kind every word, apart from the severity. */
const FINDINGS: { readonly [Kind in Finding['kind']]: readonly Extract<Finding, { kind: Kind }>[] } = {
  'undeclared-import': READINGS.flatMap((reason) =>
    (['root', 'nobody'] as const).map((declaredBy) => ({
      kind: 'undeclared-import',
      severity: 'hole',
      ...inFile,
      reason,
      target: lib,
      declaredBy,
    })),
  ),
  'escaping-path': READINGS.flatMap((reason) =>
    [folder, undefined].map((path) => ({
      kind: 'escaping-path',
      severity: 'note',
      ...inFile,
      reason,
      path,
      target: path === undefined ? undefined : lib,
    })),
  ),
  'escaping-symlink': READINGS.map((reason) => ({
    kind: 'escaping-symlink',
    severity: 'hole',
    reason,
    workspace: app,
    file: inFile.file,
    path: folder,
    target: lib,
  })),
  'case-twins': [{ kind: 'case-twins', severity: 'hole', paths: ['a.ts', 'A.ts'] as unknown as readonly RepoPath[] }],
  cycle: (['needed', 'not-needed'] as const).map((dev) => {
    return { kind: 'cycle', severity: 'note', workspaces: [app, lib], fields: ['any', ...FIELDS], dev, chain: [app, lib] };
  }),
  'stale-lock': Object.values(STALE).flatMap((problems) =>
    problems.map((problem) => ({ kind: 'stale-lock', severity: 'hole', workspace: app, problem })),
  ),
  'idle-rule': (['all', 'none', 'owner', ['lib']] as const).map((affects) => ({
    kind: 'idle-rule',
    severity: 'note',
    files: ['*.js'],
    affects,
  })),
  'unknown-workspace': [['*.js'], undefined].map((files) => ({ kind: 'unknown-workspace', severity: 'hole', name: 'ap', files })),
  'unsafe-dev-edge': (['script', 'source', 'build-setting', 'root-setting'] as const).flatMap((why) =>
    [7, undefined].map((line) => ({
      kind: 'unsafe-dev-edge',
      severity: 'note',
      workspace: app,
      dependency: lib,
      why,
      file: inFile.file,
      line,
      detail: 'build: lib',
    })),
  ),
};

/** What the door to the terminal prints for a failure. */
function failure({ hint }: { readonly hint?: string }): unknown {
  const message = 'There is no workspace called "ap".';
  const error = new ToolError({ code: 'WORKSPACE_UNKNOWN', message, data: { name: 'ap' }, ...(hint === undefined ? {} : { hint }) });
  return { schemaVersion: 1, error };
}

/** `{ '': 'root', app: 'app' }` by folder, and who depends on whom. */
function graph(names: Readonly<Record<string, string>>, edges: readonly (readonly [string, string])[]): MemberGraph {
  const members = Object.entries(names).map(([path, name]) => ({ name: name as WorkspaceName, path: path as RepoFolder }));
  const placeOf = (name: string): number => members.findIndex((member) => member.name === name);
  return buildMemberGraph(
    members,
    edges.map(([from, to]) => ({ from: placeOf(from), to: placeOf(to), field: 'any' })),
  );
}

function readSchema(name: string): Schema {
  return JSON.parse(readFileSync(join(findProjectRoot(), 'tools/affected/schema', `${name}.schema.json`), 'utf8')) as Schema;
}

interface At {
  readonly schema: Schema;
  readonly at: string;
}

/**
 * All places that a schema names: `.edges[].from`, for a fixed set of words `.edges[].field = dev`, and for shapes that are told apart by
 * their kind `<cycle>.dev`. A definition is one place, wherever it is used.
 */
function listPromised(root: Schema): string[] {
  const definitions = Object.entries(root.definitions ?? {}).map(([name, schema]) => ({ schema, at: `#/definitions/${name}` }));
  return [{ schema: root, at: '' }, ...definitions].flatMap(promisedBelow);
}

function promisedBelow({ schema, at }: At): string[] {
  const { type, $ref, properties = {}, items, enum: words = [], const: word } = schema;
  if ($ref !== undefined) return [];
  const choices = choicesOf(schema);
  return [
    ...(choices.length > 0 ? [] : [type === 'null' ? `${at} = null` : at]),
    ...words.map((one) => `${at} = ${one}`),
    ...(word === undefined ? [] : [`${at} = ${word}`]),
    ...choices.flatMap((choice) => promisedBelow({ schema: choice, at: at + labelOf(choice) })),
    ...Object.entries(properties).flatMap(([key, below]) => promisedBelow({ schema: below, at: `${at}.${key}` })),
    ...(items === undefined ? [] : promisedBelow({ schema: items, at: `${at}[]` })),
  ];
}

/** The places of `listPromised` that a valid value fills. */
class Seen {
  readonly places = new Set<string>();
  private readonly root: Schema;
  private readonly validators = new Map<Schema, (value: unknown) => boolean>();

  constructor(root: Schema) {
    this.root = root;
  }

  add({ schema, at, value }: At & { readonly value: unknown }): void {
    const { $ref, properties = {}, items } = schema;
    if ($ref !== undefined) return this.add({ schema: this.definition($ref), at: $ref, value });
    this.places.add(at).add(`${at} = ${String(value)}`);
    const choice = choicesOf(schema).find((one) => this.isValid(one, value));
    if (choice !== undefined) this.add({ schema: choice, at: at + labelOf(choice), value });
    for (const [key, below] of Object.entries(properties)) {
      const inside = (value as Readonly<Record<string, unknown>>)[key];
      if (inside !== undefined) this.add({ schema: below, at: `${at}.${key}`, value: inside });
    }
    if (items !== undefined && Array.isArray(value)) for (const one of value) this.add({ schema: items, at: `${at}[]`, value: one });
  }

  private definition($ref: string): Schema {
    return this.root.definitions?.[$ref.replace('#/definitions/', '')] ?? {};
  }

  private isValid(schema: Schema, value: unknown): boolean {
    const known = this.validators.get(schema) ?? new Ajv().compile({ ...schema, definitions: this.root.definitions });
    this.validators.set(schema, known);
    return known(value);
  }
}

function choicesOf({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf];
}

/** Shapes that are told apart by their `kind` have places of their own. */
function labelOf(schema: Schema): string {
  const kind = schema.properties?.['kind']?.const;
  return kind === undefined ? '' : `<${kind}>`;
}

/** Fields without a description. */
function undescribed(schema: Schema, at: string): string[] {
  const below = [schema.items, ...choicesOf(schema), ...Object.values(schema.definitions ?? {})];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
      ...('description' in field || field.$ref !== undefined ? [] : [`${at}.${key}`]),
      ...undescribed(field, `${at}.${key}`),
    ]),
    ...below.flatMap((one) => (one === undefined ? [] : undescribed(one, at))),
  ];
}
