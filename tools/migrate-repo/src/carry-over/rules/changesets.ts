import { isDeepStrictEqual } from 'node:util';
import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { readLooseJson } from '../../edit/edit-json.js';
import { readYaml } from '../../edit/edit-yaml.js';
import type { Message } from '../../message.js';
import { type CarryOverRule, inProject, kept, type Note, type RuleOutcome, type Subject, someOf, without } from '../rule.js';

const CONFIG = '.changeset/config.json';

export const changesets: CarryOverRule = {
  title: 'Changesets',
  matches: ['.changeset/**'],
  action: 'merge',
  reason: 'changesets are read at the root only; those that wait for a release move there',
  apply: moveChangesets,
};

function moveChangesets(subject: Subject): RuleOutcome {
  const pending = subject.files.filter((file) => /^\.changeset\/[^/]+\.md$/i.test(file) && !/\/README\.md$/i.test(file));
  if (subject.monorepo.read(inProject(subject, CONFIG)) === undefined)
    return { edits: new Map(), notes: [kept('.changeset/', withoutRoot(pending.length))] };
  const strangers = new Map(pending.map((file) => [file, strangersIn(subject, file)] as const).filter(([, names]) => names !== ''));
  const moving = pending.filter((file) => !strangers.has(file));
  const edits = new Map(
    without(
      subject,
      subject.files.filter((file) => !strangers.has(file)),
    ),
  );
  for (const file of moving) edits.set(targetOf(subject, file), subject.read(file));
  const moved: Note = {
    file: '.changeset/',
    action: moving.length === 0 ? 'drop' : 'merge',
    done: {
      text: 'Changesets that wait for a release stand in that of the root, and the rest was taken away.',
      detail: moving.length === 0 ? 'none waits' : `${moving.length} waiting`,
    },
    remarks: [...preMode(subject), ...configDecision(subject)],
  };
  return { edits, notes: [moved, ...[...strangers].map(([file, names]) => kept(file, { ...STRANGERS, detail: names }))] };
}

function withoutRoot(pending: number): Message {
  return {
    topic: 'releases',
    text: 'The monorepo does not use changesets, and nobody reads them here: release what waits and take the folder away, or set changesets up at the root.',
    detail: pending === 0 ? 'none waits' : `${pending} waiting`,
  };
}

const STRANGERS: Message = {
  topic: 'releases',
  text: 'It names packages that are no workspaces, with which "changeset version" would fail for the whole monorepo, so it was left in the package, where nobody reads it: take these names out and move it to the root, or release it before.',
};

/** The packages that a changeset names and the monorepo does not have, in words; empty if there are none. What cannot be read is one. */
function strangersIn({ read, repository }: Subject, file: string): string {
  const [, front] = /^\s*---\r?\n(.*?)\r?\n?---(?:\r?\n|$)/s.exec(read(file) ?? '') ?? [];
  const releases: unknown = front === undefined ? undefined : front.trim() === '' ? {} : readYaml(front)?.toJS();
  if (!isPlainObject(releases)) return 'it cannot be read';
  return someOf(Object.keys(releases).filter((name) => !repository.workspaceNames.has(name)));
}

function preMode({ files }: Subject): readonly Message[] {
  return files.includes('.changeset/pre.json')
    ? [{ topic: 'releases', text: 'The package was in pre-release mode: enter it at the root if it shall stay so.' }]
    : [];
}

/** By the name of the setting what it said, where that is not what the root says. */
function configDecision({ read, monorepo, repository }: Subject): readonly Message[] {
  const own = readLooseJson(read(CONFIG) ?? '{}');
  if (!isPlainObject(own)) return [];
  const ofRoot = readLooseJson(monorepo.read(inProject({ repository }, CONFIG)) ?? '');
  const root = isPlainObject(ofRoot) ? ofRoot : {};
  const different = Object.keys(own).filter((key) => key !== '$schema' && !isDeepStrictEqual(own[key], root[key]) && !isEmpty(own[key]));
  if (different.length === 0) return [];
  const settings = different.map((key) => `\`"${key}": ${JSON.stringify(own[key]).replaceAll('`', "'")}\``);
  return [
    {
      topic: 'releases',
      text: 'Its settings of changesets were not those of the root, which count now: see what of it is still wanted.',
      detail: someOf(settings),
    },
  ];
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The same name, unless another changeset has it. */
function targetOf(subject: Subject, file: string): RepoPath {
  const same = inProject(subject, file);
  const taken = subject.monorepo.read(same);
  if (taken === undefined || taken === subject.read(file)) return same;
  return inProject(subject, `.changeset/${subject.shortName}-${file.slice(file.lastIndexOf('/') + 1)}`);
}
