import type { RepoPath } from '@tributary/model/paths';
import { isRecord } from '@tributary/model/record';
import { readLooseJson, setJson } from '../../edit/edit-json.js';
import { type CarryOverRule, inPackage, keepEach, type Note, type RuleOutcome, STAYS, type Subject, sentences } from '../rule.js';

export const releases: CarryOverRule = {
  title: 'Releases',
  matches: [
    'lerna.json',
    '{.,}release-please-{config,manifest}.json',
    '.releaserc*',
    'release.config.*',
    '.release-it.*',
    '.versionrc*',
    '.auto{rc,rc.*}',
    'auto.config.*',
    'semantic-release.*',
    'beachball.config.*',
    'rush.json',
    'changelog.config.*',
  ],
  action: 'keep',
  reason: 'it takes the whole repository for the package: tags, history and changelog',
  apply: (subject) =>
    keepEach(
      subject,
      () =>
        `Set releases up for one package among many: tags need its name in front (such as ${subject.newcomer.name}@1.2.3), and commits must be sought below ${subject.newcomer.path}.`,
    ),
};

export const nx: CarryOverRule = {
  title: 'Nx',
  matches: ['nx.json', '.nxignore', 'workspace.json'],
  action: 'keep',
  reason: 'Nx reads it at the root only; a project.json stays where it is',
  apply: (subject) =>
    keepEach(subject, () => 'Carry its target defaults and named inputs over to the root if the monorepo uses Nx; else take it away.'),
};

export const turbo: CarryOverRule = {
  title: 'Turborepo',
  matches: ['turbo.json', 'turbo.jsonc'],
  action: 'keep',
  reason: 'in a package it must extend that of the root, and may speak of its own tasks only; Turborepo starts nothing while one does not',
  apply: narrowTurbo,
};

/** What Turborepo takes in the file of a package. */
const IN_A_PACKAGE: ReadonlySet<string> = new Set(['$schema', 'extends', 'tasks', 'tags', 'boundaries']);

function narrowTurbo(subject: Subject): RuleOutcome {
  const rootHas = ['turbo.json', 'turbo.jsonc'].some((file) => subject.monorepo.read(file as RepoPath) !== undefined);
  const edits = new Map<RepoPath, string>();
  const notes = subject.files.map((file): Note => {
    const text = subject.read(file) ?? '';
    const config = readLooseJson(text);
    if (!rootHas)
      return {
        file,
        action: 'keep',
        done: STAYS,
        decision: 'The monorepo does not use Turborepo: take it away, or set it up at the root.',
      };
    if (!isRecord(config))
      return { file, action: 'keep', done: STAYS, decision: 'It cannot be read, and Turborepo will refuse to start: correct it.' };
    const tasks = isRecord(config['tasks']) ? Object.keys(config['tasks']).filter((task) => task.includes('#')) : [];
    const gone = [...Object.keys(config).filter((key) => !IN_A_PACKAGE.has(key)), ...tasks.map((task) => `tasks.${task}`)];
    const smaller = gone.reduce(
      (before, key) => setJson(before, key.startsWith('tasks.') ? ['tasks', key.slice('tasks.'.length)] : [key], undefined),
      text,
    );
    const hasRoot = Array.isArray(config['extends']) && config['extends'].includes('//');
    const narrowed = hasRoot ? smaller : setJson(smaller, ['extends'], ['//']);
    edits.set(inPackage(subject, file), narrowed);
    const decision =
      gone.length === 0
        ? undefined
        : `Taken out, because the root alone may say it: ${gone.join(', ')}. See its history, and carry over what is still wanted.`;
    return {
      file,
      action: 'keep',
      done: narrowed === text ? STAYS : 'It stays in the package, and extends that of the root.',
      decision: sentences(decision),
    };
  });
  return { edits, notes };
}
