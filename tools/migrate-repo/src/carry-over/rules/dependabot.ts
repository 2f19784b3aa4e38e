import type { RepoPath } from '@tributary/model/paths';
import { isRecord } from '@tributary/model/record';
import { addToYaml, readYaml } from '../../edit/edit-yaml.js';
import { type CarryOverRule, firstAtRoot, inPackage, type RuleOutcome, type Subject, sentences } from '../rule.js';

const PLACES = ['.github/dependabot.yml', '.github/dependabot.yaml'];

/** What one entry for the root covers: workspaces share its lockfile, and workflows stand at the root. */
const OF_THE_ROOT: ReadonlySet<string> = new Set(['npm', 'github-actions', 'gitsubmodule']);

export const dependabot: CarryOverRule = {
  title: 'Dependabot',
  matches: PLACES,
  action: 'merge',
  reason:
    'GitHub reads the file of the root, and the workspaces share one lockfile; entries for other ecosystems get the folder of the package',
  apply: mergeUpdates,
};

function mergeUpdates(subject: Subject): RuleOutcome {
  const [file = ''] = subject.files;
  const root = firstAtRoot(subject, PLACES);
  const updates = updatesIn(subject.read(file));
  const rootUpdates = root === undefined ? undefined : updatesIn(subject.monorepo.read(root));
  if (updates === undefined || root === undefined || rootUpdates === undefined)
    return { edits: new Map(), notes: [notMerged(file, updates, root)] };
  const added = updates.filter((update) => !OF_THE_ROOT.has(ecosystemOf(update))).flatMap((update) => moved(update, subject));
  const missing = added.filter((update) => !rootUpdates.some((other) => keyOf(other) === keyOf(update)));
  const text = missing.reduce(
    (before, value) => addToYaml(before, { path: ['updates'], key: undefined, value, comment: `${subject.newcomer.name} (migrate-repo)` }),
    subject.monorepo.read(root) ?? '',
  );
  const edits = new Map<RepoPath, string | undefined>([
    [root, text],
    ...subject.files.map((one) => [inPackage(subject, one), undefined] as const),
  ]);
  const uncovered = [...OF_THE_ROOT].filter((name) => has(updates, name) && !has(rootUpdates, name));
  const rules = updates.filter(
    (update) => ['ignore', 'allow', 'groups', 'registries'].some((key) => key in update) && OF_THE_ROOT.has(ecosystemOf(update)),
  );
  const decision = sentences(
    uncovered.length === 0 ? undefined : `${root} has no entry for ${uncovered.join(', ')}: add one if it should.`,
    rules.length === 0
      ? undefined
      : `What it said about ${rules.map(ecosystemOf).join(', ')} (ignore, allow, groups, registries) is not carried over: see its history.`,
  );
  return {
    edits,
    notes: [
      {
        file,
        action: 'merge',
        done: added.length === 0 ? `${root} covers it.` : `Its entries for ${added.map(ecosystemOf).join(', ')} stand in ${root}.`,
        decision,
      },
    ],
  };
}

function notMerged(file: string, updates: readonly Update[] | undefined, root: RepoPath | undefined) {
  const why =
    updates !== undefined && root === undefined
      ? 'The root has none: take this one away, or move it there'
      : 'It or that of the root cannot be read: carry it over by hand';
  return { file, action: 'keep', done: 'It stays in the package, where nobody reads it.', decision: `${why}.` } as const;
}

type Update = Readonly<Record<string, unknown>>;

function updatesIn(text: string | undefined): readonly Update[] | undefined {
  const value: unknown = text === undefined ? undefined : readYaml(text)?.toJS();
  const updates = isRecord(value) ? value['updates'] : undefined;
  return Array.isArray(updates) && updates.every(isRecord) ? updates : undefined;
}

function ecosystemOf(update: Update): string {
  return String(update['package-ecosystem']);
}

function has(updates: readonly Update[], name: string): boolean {
  return updates.some((update) => ecosystemOf(update) === name);
}

function moved(update: Update, { newcomer }: Subject): readonly Update[] {
  const below = (folder: unknown): string => `/${newcomer.path}/${String(folder).replace(/^\/+/, '')}`.replace(/\/$/, '');
  if (Array.isArray(update['directories'])) return [{ ...update, directories: update['directories'].map(below) }];
  return [{ ...update, directory: below(update['directory'] ?? '/') }];
}

/** Dependabot allows one entry for each of them. */
function keyOf(update: Update): string {
  return JSON.stringify([ecosystemOf(update), update['directory'] ?? update['directories'], update['target-branch']]);
}
