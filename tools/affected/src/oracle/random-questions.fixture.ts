import { Dice } from '@tributary/test-repo/dice';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { type Must, mustSelect } from './must-select.fixture.js';
import { type OracleProject, ownerOf, readProject } from './project.fixture.js';
import { makeCase, type PlainFiles, type RandomCase } from './random-case.fixture.js';
import type { StoredCommit } from './random-repo.fixture.js';
import { readsAt } from './reads.fixture.js';
import { changedPaths, sideOf } from './side.fixture.js';

/** A question with the required content of its answer. */
export interface RandomQuestion {
  readonly seed: number;
  readonly kind: string;
  readonly changes: readonly string[];
  readonly commits: readonly StoredCommit[];
  /** `undefined` if only a list has the changes. */
  readonly base: string | undefined;
  readonly head: string;
  /** The input of `--files-from`. */
  readonly list?: string;
  /** The planned task; by default `test`. */
  readonly task?: string;
  readonly fetch?: 'allowed' | 'never';
  /** Runs after the commits are stored. */
  readonly prepare?: (repo: TempRepo) => void;
  readonly must: Must;
  /** Whether a refusal is also correct; `always` if only a refusal is. */
  readonly mayFail: boolean | 'always';
}

/** Returns the question of a seed: a random case, asked in one of the available ways. */
export function makeQuestion(seed: number): RandomQuestion {
  const random = makeCase(seed);
  const dice = new Dice(seed * 7 + 1);
  const kind = dice.pick(KINDS);
  const commits: readonly StoredCommit[] = [
    { branch: `base-${seed}`, parents: [], files: random.base },
    { branch: `later-${seed}`, parents: [`base-${seed}`], files: random.later },
    { branch: `head-${seed}`, parents: [`base-${seed}`], files: random.head },
  ];
  const asked = { seed, kind, changes: random.changes, base: `base-${seed}`, head: `head-${seed}` };
  const plain = { ...asked, commits, must: mustOf(random), mayFail: random.isBroken };
  return { ...plain, ...WAYS[kind]?.(random, { dice, plain }) };
}

const NOTHING: Must = { graph: new Map(), selected: new Map(), all: undefined };

interface Start {
  readonly dice: Dice;
  readonly plain: RandomQuestion;
}

/** The ways to ask, with their differences from `--base X --head Y`. */
const WAYS: Readonly<Record<string, (random: RandomCase, start: Start) => Partial<RandomQuestion>>> = {
  direct: () => ({}),
  'base has moved on': ({ seed }) => ({ base: `later-${seed}` }),
  'list of names': (random, { dice }) => list(random, [...differing(random)], dice.chance(50) ? '\0' : '\n'),
  'list of some names': (random, { dice }) =>
    list(
      random,
      [...differing(random)].filter(() => dice.chance(60)),
      '\n',
    ),
  'list with a line of several names': (random, { dice, plain }) => {
    const names = [...differing(random)];
    const line = ['packages/x/a.js', 'packages/y/b.js', 'c.js'].join(dice.pick([' ', ',', ', ']));
    return { ...list(random, [...names, line], '\n'), must: { ...plain.must, all: 'a line names no file' } };
  },
  'list without a base': (random) => {
    const { head } = random;
    const names = [...differing(random)];
    return {
      ...list(random, names, '\0'),
      base: undefined,
      must: names.length === 0 ? NOTHING : mustBetween(random, { base: head, head }, new Set(names)),
    };
  },
  'list without a base, with a line of several names': (random) => ({
    ...list(random, ['packages/x/a.js packages/y/b.js'], '\n'),
    base: undefined,
    mayFail: 'always',
  }),
  'replaced base': (random, { plain }) => ({
    prepare: (repo) => repo.git('replace', `base-${random.seed}`, `later-${random.seed}^{commit}`),
    must: mustBetween(random, { base: random.later, head: random.head }),
    mayFail: random.isBroken,
    // The replacement is the base with another tree. Otherwise its parent would be the base itself.
    commits: plain.commits.map((commit) => (commit.branch.startsWith('later') ? { ...commit, parents: [] } : commit)),
  }),
  'replaced head': (random) => ({
    prepare: (repo) => repo.git('replace', `head-${random.seed}`, `later-${random.seed}^{commit}`),
    must: mustBetween(random, { base: random.base, head: random.later }),
  }),
  'lint task': (random, { plain }) => ({
    task: 'lint',
    must: { ...plain.must, selected: plain.must.graph, all: [...differing(random)].find((path) => isLintSetting(random, path)) },
  }),
  // For a task of an unknown kind, every file counts as read.
  'unknown task': (random) => ({
    task: 'docs',
    must: wide(
      random,
      [...differing(random)].find((path) => isSetting(random, path)),
    ),
  }),
  'pnpm without a lockfile of Yarn': (random, { plain }) => {
    const files = without(
      { ...random.head, 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n', 'pnpm-lock.yaml': 'lockfileVersion: 9\n' },
      'yarn.lock',
    );
    return {
      commits: plain.commits.map((commit) => (commit.branch.startsWith('head') ? { ...commit, files } : commit)),
      mayFail: 'always',
    };
  },
  'pnpm files beside a lockfile of Yarn': (random, { plain }) => {
    const files = { ...random.head, 'pnpm-workspace.yaml': 'packages:\n  - nowhere/*\n' };
    const commits = plain.commits.map((commit) => (commit.branch.startsWith('head') ? { ...commit, files } : commit));
    return { commits, mayFail: random.head['yarn.lock'] === undefined || plain.mayFail };
  },
};

const KINDS = [...Object.keys(WAYS), ...Array<string>(12).fill('direct'), 'base has moved on'];

function list(random: RandomCase, names: readonly string[], separator: string): Partial<RandomQuestion> {
  const must = mustBetween(random, random, new Set(names));
  return {
    list: names.map((name) => `${name}${separator}`).join(''),
    must: names.length === 0 ? { ...must, all: 'the list is empty' } : must,
  };
}

function isLintSetting(random: RandomCase, path: string): boolean {
  return /^(eslint\.config\.mjs|\.prettierrc)$/.test(path) && isUnruled(random, path);
}

function isSetting(random: RandomCase, path: string): boolean {
  return /^(eslint\.config\.mjs|\.prettierrc|README\.md|docs\/guide\.md)$/.test(path) && isUnruled(random, path);
}

/** Returns whether no user rule applies to a path outside of workspaces. Such rules come first. */
function isUnruled({ base, head }: RandomCase, path: string): boolean {
  return base['tributary.json'] === undefined && [base, head].every((files) => outside(files, path));
}

function outside(files: PlainFiles, path: string): boolean {
  const project = readProject(sideOf(files));
  return project !== undefined && ownerOf(project, path) === undefined;
}

function differing({ base, head }: RandomCase): Set<string> {
  return changedPaths(sideOf(base), sideOf(head));
}

function mustOf(random: RandomCase): Must {
  return mustBetween(random, random);
}

function mustBetween({ reads }: RandomCase, { base, head }: Pick<RandomCase, 'base' | 'head'>, listed?: ReadonlySet<string>): Must {
  return mustSelect({ before: projectOf(base), after: projectOf(head), listed, readsOf: (project) => readsAt(project, reads) });
}

/** By the graph alone, with all dependents of each file. */
function wide({ base, head }: RandomCase, all: string | undefined): Must {
  const { graph } = mustSelect({ before: projectOf(base), after: projectOf(head), isNarrowed: false });
  return { graph, selected: graph, all };
}

function projectOf(files: PlainFiles): OracleProject {
  const project = readProject(sideOf(files));
  if (project === undefined) throw new Error('the generator made a root without a manifest');
  return project;
}

function without(files: PlainFiles, path: string): PlainFiles {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));
}
