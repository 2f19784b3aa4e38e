import { Dice } from '@tributary/test-repo/dice';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { mustSelect } from './must-select.fixture.js';
import { type OracleProject, readProject } from './project.fixture.js';
import type { PlainFiles } from './random-case.fixture.js';
import type { RandomQuestion } from './random-questions.fixture.js';
import { type StoredCommit, storeCommits } from './random-repo.fixture.js';
import { sideOf } from './side.fixture.js';

const NAMES = ['a', 'b', 'c', 'd'];

/** A shallow clone of a random history of `main` and `topic`, with a question about the changes of `topic`. */
export interface ShallowCase {
  /** The repository that it was cloned from, which is needed until the question is answered. */
  readonly origin: TempRepo;
  readonly clone: TempRepo;
  readonly question: RandomQuestion;
}

export function makeShallowCase(seed: number): ShallowCase {
  const dice = new Dice(seed);
  const origin = TempRepo.create({ bare: true });
  const { commits, main, topic } = makeHistory(dice);
  storeCommits(origin, commits);
  origin.git('branch', '-f', 'main', main);
  origin.git('branch', '-f', 'topic', topic);
  const clone = TempRepo.cloneOf(origin, '--no-checkout', `--depth=${1 + dice.below(8)}`, '--no-single-branch', '--branch', 'topic');
  if (dice.chance(40)) clone.git('fetch', '-q', `--deepen=${1 + dice.below(3)}`, 'origin', dice.pick(['main', 'topic']));
  const names = origin.git('merge-base', '--all', 'main', 'topic').split('\n');
  // With several merge bases, the base itself is compared.
  const base = names.length === 1 ? origin.git('log', '-1', '--format=%s', names[0] ?? '') : main;
  const must = mustSelect({ before: projectOf(commits, base), after: projectOf(commits, topic) });
  const fetch = dice.pick(['allowed', 'never'] as const);
  const asked = { base: 'origin/main', head: 'origin/topic', fetch, commits, must };
  return { origin, clone, question: { seed, kind: `shallow, fetch ${fetch}`, changes: [], mayFail: false, ...asked } };
}

/** Makes a history. Each commit sets one file of some workspaces to one of a few texts, so that later commits revert earlier ones. */
function makeHistory(dice: Dice): { commits: StoredCommit[]; main: string; topic: string } {
  const commits: StoredCommit[] = [{ branch: 'm0', parents: [], files: monorepo() }];
  const add = (branch: string, parents: readonly string[]): string => {
    const files = commits.find((commit) => commit.branch === parents[0])?.files ?? {};
    const changed = { [`packages/${dice.pick(NAMES)}/index.js`]: `${dice.below(3)}\n` };
    commits.push({ branch, parents, files: { ...files, ...changed } });
    return branch;
  };
  const length = 3 + dice.below(10);
  const mainLine = ['m0'];
  for (let at = 1; at <= length; at++) mainLine.push(add(`m${at}`, [mainLine.at(-1) ?? '']));
  let topic = dice.pick(mainLine);
  for (let at = 0, count = 1 + dice.below(5); at < count; at++) {
    topic = add(`t${at}`, [...new Set(dice.chance(30) ? [topic, dice.pick(mainLine)] : [topic])]);
  }
  let main = mainLine.at(-1) ?? 'm0';
  if (dice.chance(30)) main = add('merged', [main, 't0']);
  return { commits, main: add('last', [main]), topic: add('tip', [topic]) };
}

function monorepo(): PlainFiles {
  const manifests = NAMES.map((name) => [`packages/${name}/package.json`, formatManifest({ name, version: '1.0.0' })]);
  const root = { name: 'monorepo', private: true, workspaces: ['packages/*'] };
  return { 'package.json': formatManifest(root), ...Object.fromEntries(manifests) };
}

function projectOf(commits: readonly StoredCommit[], branch: string): OracleProject {
  const project = readProject(sideOf(commits.find((commit) => commit.branch === branch)?.files ?? {}));
  if (project === undefined) throw new Error(`no commit ${branch}`);
  return project;
}
