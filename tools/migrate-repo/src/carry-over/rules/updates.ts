import { isPlainObject } from '@tributary/model/plain-object';
import { readLooseJson } from '../../edit/edit-json.js';
import { readYaml } from '../../edit/edit-yaml.js';
import type { Message } from '../../message.js';
import { someOf } from '../../text.js';
import { type CarryOverRule, dropNoted, dropped, firstOf, keepEach, type RuleOutcome, type RuleSubject } from '../rule.js';

const OF_DEPENDABOT = ['.github/dependabot.yml', '.github/dependabot.yaml'];

export const dependabot: CarryOverRule = {
  title: 'Dependabot',
  matches: OF_DEPENDABOT,
  action: 'drop',
  reason: 'GitHub reads the file of the root, and the workspaces share one lockfile; the report lists what else it had',
  apply: (subject) => dropForRoot(subject, OF_DEPENDABOT, updatesIn),
};

const OF_RENOVATE = [
  'renovate.json',
  'renovate.json5',
  '.github/renovate.json',
  '.github/renovate.json5',
  '.gitlab/renovate.json',
  '.renovaterc',
  '.renovaterc.json',
];

export const renovate: CarryOverRule = {
  title: 'Renovate',
  matches: OF_RENOVATE,
  action: 'drop',
  reason: 'Renovate reads the file of the root, whose settings apply to all packages; the report lists those that it had',
  apply: (subject) => dropForRoot(subject, OF_RENOVATE, settingsIn),
};

/** Removes the files if the root has such a file, with what `tell` finds in them; else nothing has their settings, and they stay. */
function dropForRoot(subject: RuleSubject, places: readonly string[], tell: (text: string) => readonly string[]): RuleOutcome {
  if (firstOf(subject, places) === undefined) return keepEach(subject, () => [UNUSED]);
  const notes = subject.files.map((file) => {
    const lost = tell(subject.read(file) ?? '');
    return dropped(file, 'It was removed: the one of the root applies.', lost.length === 0 ? undefined : { ...LOST, detail: someOf(lost) });
  });
  return dropNoted(subject, notes);
}

const UNUSED: Message = {
  topic: 'root-files',
  text: 'Unused: this file has no effect below the root, and the root has none. Delete it, or move it to the root.',
};

const LOST: Message = {
  topic: 'root-files',
  text: 'It was not carried over, because it would apply to all packages: add what you still want to the one of the root.',
};

const UNREADABLE = ['it cannot be read'];

/** Ecosystems that the root's own entry covers: workspaces share its lockfile, and workflows are there. */
const OF_THE_ROOT: ReadonlySet<string> = new Set(['npm', 'github-actions', 'gitsubmodule']);

/** Returns the entries for other ecosystems, and those with rules of their own. */
function updatesIn(text: string): readonly string[] {
  const value: unknown = readYaml(text)?.toJS();
  const updates = isPlainObject(value) ? value['updates'] : undefined;
  if (!Array.isArray(updates)) return UNREADABLE;
  return updates.filter(isPlainObject).flatMap((update) => {
    const ecosystem = String(update['package-ecosystem']);
    const rules = ['ignore', 'allow', 'groups', 'registries'].filter((key) => key in update);
    return rules.length === 0 && OF_THE_ROOT.has(ecosystem) ? [] : [[ecosystem, ...rules].join(', ')];
  });
}

function settingsIn(text: string): readonly string[] {
  const config = readLooseJson(text);
  return isPlainObject(config) ? Object.keys(config).filter((key) => key !== '$schema') : UNREADABLE;
}
