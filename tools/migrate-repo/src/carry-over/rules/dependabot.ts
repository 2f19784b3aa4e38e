import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { compileGlob } from '@tributary/workspaces/glob';
import { addToYaml, readYaml } from '../../edit/edit-yaml.js';
import { listing } from '../../message.js';
import { type CarryOverRule, type FileNote, firstOf, kept, type RuleOutcome, type RuleSubject, without } from '../rule.js';

const PLACES = ['.github/dependabot.yml', '.github/dependabot.yaml'];

/** Ecosystems that one entry for the root covers: workspaces share its lockfile, and workflows are at the root. */
const OF_THE_ROOT: ReadonlySet<string> = new Set(['npm', 'github-actions', 'gitsubmodule']);

export const dependabot: CarryOverRule = {
  title: 'Dependabot',
  matches: PLACES,
  action: 'merge',
  reason:
    'GitHub reads the file of the root, and the workspaces share one lockfile; entries for other ecosystems get the folder of the package',
  apply: mergeUpdates,
};

function mergeUpdates(subject: RuleSubject): RuleOutcome {
  const [file = ''] = subject.files;
  const root = firstOf(subject, PLACES);
  const updates = updatesIn(subject.read(file));
  const rootUpdates = root === undefined ? undefined : updatesIn(subject.monorepo.read(root));
  if (updates === undefined || root === undefined || rootUpdates === undefined)
    return { edits: new Map(), notes: [notMerged(file, updates, root)] };
  const added = updates.filter((update) => !OF_THE_ROOT.has(ecosystemOf(update))).flatMap((update) => moved(update, subject));
  const missing = added.filter((update) => !rootUpdates.some((other) => keyOf(other) === keyOf(update)));
  const text = missing.reduce(
    (before, value) =>
      addToYaml(before, { path: ['updates'], key: undefined, value, comment: `${subject.importedPackage.name} (migrate-repo)` }),
    subject.monorepo.read(root) ?? '',
  );
  const edits = new Map([...without(subject, subject.files), [root, text] as const]);
  const uncovered = [...OF_THE_ROOT].filter((name) => has(updates, name) && !covers(rootUpdates, name, subject));
  const rules = updates.filter(
    (update) => ['ignore', 'allow', 'groups', 'registries'].some((key) => key in update) && OF_THE_ROOT.has(ecosystemOf(update)),
  );
  const remarks = [
    ...listing(
      { topic: 'workflows', text: `\`${root}\` has no entry for what this one updated: add one if you want these updates.` },
      uncovered,
    ),
    ...listing({ topic: 'workflows', text: NOT_CARRIED }, rules.map(ecosystemOf)),
  ];
  return {
    edits,
    notes: [
      {
        file,
        action: 'merge',
        done:
          added.length === 0
            ? { text: `It was removed: \`${root}\` covers it.` }
            : { text: `Its entries were added to \`${root}\`, with the folder of the package.`, detail: added.map(ecosystemOf).join(', ') },
        remarks,
      },
    ],
  };
}

const NOT_CARRIED =
  'Its ignore, allow and group rules and its registries were not carried over, because they would apply to all packages: see its history.';

function notMerged(file: string, updates: readonly Update[] | undefined, root: RepoPath | undefined): FileNote {
  return updates !== undefined && root === undefined
    ? kept(file, {
        text: 'Unused: this file has no effect below the root, and the root has none. Delete it, or move it to the root.',
      })
    : kept(file, {
        topic: 'workflows' as const,
        text: 'Unused: this file has no effect below the root. It or the one of the root cannot be read, so carry it over by hand.',
      });
}

type Update = Readonly<Record<string, unknown>>;

function updatesIn(text: string | undefined): readonly Update[] | undefined {
  const value: unknown = text === undefined ? undefined : readYaml(text)?.toJS();
  const updates = isPlainObject(value) ? value['updates'] : undefined;
  return Array.isArray(updates) && updates.every(isPlainObject) ? updates : undefined;
}

function ecosystemOf(update: Update): string {
  return String(update['package-ecosystem']);
}

function has(updates: readonly Update[], name: string): boolean {
  return updates.some((update) => ecosystemOf(update) === name);
}

/**
 * Whether an entry of the root covers an ecosystem. For npm, it must be for the folder with the workspaces' lockfile;
 * for others, for the root of the repository, which has the workflows and submodules.
 */
function covers(updates: readonly Update[], name: string, { repository }: RuleSubject): boolean {
  const wanted = name === 'npm' ? `/${repository.root}` : '/';
  return updates
    .filter((update) => ecosystemOf(update) === name)
    .flatMap((update) => (Array.isArray(update['directories']) ? update['directories'] : [update['directory'] ?? '/']))
    .map((folder: unknown) => `/${String(folder).replace(/^\/+|\/+$/g, '')}`)
    .some((folder) => folder === wanted || compileGlob(folder)?.(wanted) === true);
}

function moved(update: Update, { importedPackage }: RuleSubject): readonly Update[] {
  const below = (folder: unknown): string => `/${importedPackage.path}/${String(folder).replace(/^\/+/, '')}`.replace(/\/$/, '');
  if (Array.isArray(update['directories'])) return [{ ...update, directories: update['directories'].map(below) }];
  return [{ ...update, directory: below(update['directory'] ?? '/') }];
}

/** Returns the key for which Dependabot allows one entry. */
function keyOf(update: Update): string {
  return JSON.stringify([ecosystemOf(update), update['directory'] ?? update['directories'], update['target-branch']]);
}
