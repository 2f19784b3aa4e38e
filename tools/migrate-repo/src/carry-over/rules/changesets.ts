import { isDeepStrictEqual } from 'node:util';
import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { readYaml } from '../../edit/edit-yaml.js';
import { fieldsIn } from '../../fields.js';
import { listing, type Message } from '../../message.js';
import { someOf } from '../../text.js';
import { type CarryOverRule, type FileNote, inProject, kept, type RuleOutcome, type RuleSubject, without } from '../rule.js';

const CONFIG = '.changeset/config.json';

export const changesets: CarryOverRule = {
  title: 'Changesets',
  matches: ['.changeset/**'],
  action: 'merge',
  reason: 'changesets are read only at the root; unreleased ones move there',
  inherits: true,
  apply: moveChangesets,
};

function moveChangesets(subject: RuleSubject): RuleOutcome {
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
  const moved: FileNote = {
    file: '.changeset/',
    action: moving.length === 0 ? 'drop' : 'merge',
    done: {
      text: 'Unreleased changesets moved to the folder at the root, and the rest was removed.',
      detail: moving.length === 0 ? 'none is pending' : `${moving.length} waiting`,
    },
    remarks: [...preMode(subject), ...configDecision(subject)],
  };
  return { edits, notes: [moved, ...[...strangers].map(([file, names]) => kept(file, { ...STRANGERS, detail: names }))] };
}

function withoutRoot(pending: number): Message {
  return {
    topic: 'releases',
    text: 'The monorepo does not use changesets, so nothing reads them here: release what is pending and delete the folder, or set up changesets at the root.',
    detail: pending === 0 ? 'none is pending' : `${pending} waiting`,
  };
}

const STRANGERS: Message = {
  topic: 'releases',
  text: 'It lists unknown workspaces, so "changeset version" would fail for the whole monorepo. It stays in the package, where nothing reads it. Remove those names and move it to the root, or release it first.',
};

/**
 * Returns the packages in a changeset that the monorepo lacks, in words; empty if there are none. An unreadable
 * changeset is reported too.
 */
function strangersIn({ read, repository }: RuleSubject, file: string): string {
  const [, front] = /^\s*---\r?\n(.*?)\r?\n?---(?:\r?\n|$)/s.exec(read(file) ?? '') ?? [];
  const releases: unknown = front === undefined ? undefined : front.trim() === '' ? {} : readYaml(front)?.toJS();
  if (!isPlainObject(releases)) return 'it cannot be read';
  return someOf(Object.keys(releases).filter((name) => !repository.workspaceNames.has(name)));
}

function preMode({ files }: RuleSubject): readonly Message[] {
  return files.includes('.changeset/pre.json')
    ? [{ topic: 'releases', text: 'The package was in pre-release mode: enter that mode at the root to keep it.' }]
    : [];
}

/** Returns decisions about settings that differ from the root's, with their names and values. */
function configDecision({ read, monorepo, repository }: RuleSubject): readonly Message[] {
  const own = fieldsIn(read(CONFIG));
  const root = fieldsIn(monorepo.read(inProject({ repository }, CONFIG)));
  const different = Object.keys(own).filter((key) => key !== '$schema' && !isDeepStrictEqual(own[key], root[key]) && !isEmpty(own[key]));
  const settings = different.map((key) => `\`"${key}": ${JSON.stringify(own[key]).replaceAll('`', "'")}\``);
  const text = 'Its changesets settings differed from those of the root, which now apply: check which of them you still want.';
  return listing({ topic: 'releases', text }, settings, 5);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Returns the path at the root: the same name, unless another changeset has it. */
function targetOf(subject: RuleSubject, file: string): RepoPath {
  const same = inProject(subject, file);
  const taken = subject.monorepo.read(same);
  if (taken === undefined || taken === subject.read(file)) return same;
  return inProject(subject, `.changeset/${subject.shortName}-${file.slice(file.lastIndexOf('/') + 1)}`);
}
