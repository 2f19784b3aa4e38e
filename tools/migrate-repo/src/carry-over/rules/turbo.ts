import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { readLooseJson, renameKey, setJson } from '../../edit/edit-json.js';
import { listing, type Message } from '../../message.js';
import { type CarryOverRule, type FileNote, firstOf, inPackage, inProject, kept, type RuleOutcome, type RuleSubject } from '../rule.js';

export const turbo: CarryOverRule = {
  title: 'Turborepo',
  matches: ['turbo.json', 'turbo.jsonc'],
  action: 'keep',
  reason: 'in a package it must extend the one of the root and may configure only its own tasks; otherwise Turborepo refuses to start',
  apply: narrowTurbo,
};

type Config = Readonly<Record<string, unknown>>;

/** Keys besides the tasks that Turborepo accepts in a package's file. */
const IN_A_PACKAGE: ReadonlySet<string> = new Set(['$schema', 'extends', 'tags', 'boundaries']);

function narrowTurbo(subject: RuleSubject): RuleOutcome {
  const root = firstOf(
    subject,
    ['turbo.json', 'turbo.jsonc'].map((file) => inProject(subject, file)),
  );
  const rootConfig = root === undefined ? undefined : readLooseJson(subject.monorepo.read(root) ?? '');
  const edits = new Map<RepoPath, string>();
  const notes = subject.files.map((file): FileNote => {
    const text = subject.read(file) ?? '';
    const config = readLooseJson(text);
    if (root === undefined)
      return kept(file, {
        topic: 'workflows' as const,
        text: 'The monorepo does not use Turborepo: delete it, or set up Turborepo at the root.',
      });
    if (!isPlainObject(config))
      return kept(file, { topic: 'behaviour' as const, text: 'It cannot be read, so Turborepo will refuse to start: correct it.' });
    const { narrowed, gone } = narrow(text, config, isPlainObject(rootConfig) ? rootConfig : {});
    if (narrowed === text) return kept(file);
    edits.set(inPackage(subject, file), narrowed);
    return {
      ...kept(file, ...listing(LOST, gone)),
      done: { text: 'It now extends the one of the root, as Turborepo requires in a package.' },
    };
  });
  return { edits, notes };
}

const LOST: Message = {
  topic: 'workflows',
  text: 'Settings that are allowed only at the root were removed: see its history, and move what you still want to the root.',
};

/** Returns the file's text for a package, and the removed keys. */
function narrow(text: string, config: Config, root: Config): { readonly narrowed: string; readonly gone: readonly string[] } {
  const block = tasksBlock(config, root);
  const tasks = block === undefined ? undefined : config[block.from];
  const foreign = isPlainObject(tasks) ? Object.keys(tasks).filter((task) => task.includes('#')) : [];
  const others = Object.keys(config).filter((key) => !IN_A_PACKAGE.has(key) && key !== block?.from);
  let narrowed = others.reduce((before, key) => setJson(before, [key], undefined), text);
  for (const task of foreign) narrowed = setJson(narrowed, [block?.from ?? '', task], undefined);
  if (block !== undefined && block.from !== block.to) narrowed = renameKey(narrowed, block.from, block.to);
  const hasRoot = Array.isArray(config['extends']) && config['extends'].includes('//');
  if (!hasRoot) narrowed = setJson(narrowed, ['extends'], ['//']);
  return { narrowed, gone: [...others, ...foreign.map((task) => `${block?.from}.${task}`)] };
}

/** Returns the block of tasks. `pipeline` of version 1 is `tasks` since version 2; the root's file shows which version runs. */
function tasksBlock(config: Config, root: Config): { readonly from: string; readonly to: string } | undefined {
  const from = ['tasks', 'pipeline'].find((key) => config[key] !== undefined);
  if (from === undefined) return undefined;
  return { from, to: root['pipeline'] !== undefined && root['tasks'] === undefined ? 'pipeline' : 'tasks' };
}
