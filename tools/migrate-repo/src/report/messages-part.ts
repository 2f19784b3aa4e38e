import type { MessagesResult, PackageResult } from '../result/result.js';
import { countOf, namesOf, sumOf } from '../text.js';

/** A line before and after, ready to be shown. Zero-width characters are spelled out. */
export interface ShownLine {
  readonly before: string;
  readonly after: string;
}

const SHOWN = 3;

/** Returns one sentence for each change to messages and signatures, done or planned; empty if there are none. */
export function messageSentences(packages: readonly PackageResult[], state: 'planned' | 'migrated'): readonly string[] {
  const messages = packages.flatMap((one) => one.messages ?? []);
  const [rewrites, moves] = state === 'planned' ? ['Rewrites', 'Moves'] : ['Rewrote', 'Moved'];
  const changed = sumOf(messages, ({ changed: count }) => count);
  const what = kindsOf(messages);
  const moved = sumOf(packages, (one) => (one.messages === null ? 0 : one.falseSignatures));
  const left = sumOf(packages, (one) => (one.messages === null ? one.falseSignatures : 0));
  return [
    ...(changed === 0 ? [] : [`${rewrites} the messages of ${countOf(changed, 'commit')}: ${what.join(', ')}.`]),
    ...unqualified(packages),
    ...untouched(messages),
    ...(moved === 0
      ? []
      : [`${moves} ${countOf(moved, 'signature')} into separate headers: no signature matches a rewritten commit or tag.`]),
    ...(left === 0
      ? []
      : [
          `${countOf(left, 'signature')} ${left === 1 ? 'does' : 'do'} not match the rewritten commits and tags, and with --exact ${left === 1 ? 'it stays' : 'they stay'}.`,
        ]),
  ];
}

/** Returns up to three sample lines of messages. */
export function messageSamples(packages: readonly PackageResult[]): readonly ShownLine[] {
  return packages
    .flatMap((one) => one.messages?.samples ?? [])
    .slice(0, SHOWN)
    .map(({ before, after }) => ({ before: visible(before), after: visible(after) }));
}

function kindsOf(messages: readonly MessagesResult[]): readonly string[] {
  const counted = [
    [sumOf(messages, ({ references }) => references), 'reference', 'named in full'],
    [sumOf(messages, ({ closingWords }) => closingWords), 'closing word', 'broken'],
    [sumOf(messages, ({ mentions }) => mentions), 'mention', 'broken'],
    [sumOf(messages, ({ commitIds }) => commitIds), 'commit id', 'replaced'],
  ] as const;
  return counted.flatMap(([count, noun, done]) => (count === 0 ? [] : [`${countOf(count, noun)} ${done}`]));
}

function unqualified(packages: readonly PackageResult[]): readonly string[] {
  const unknown = packages.filter(({ messages }) => (messages?.unqualified ?? 0) > 0);
  if (unknown.length === 0) return [];
  const count = sumOf(unknown, ({ messages }) => messages?.unqualified ?? 0);
  const names = namesOf(unknown.map(({ name }) => name));
  return [
    `${countOf(count, 'reference')} such as #12 in ${names} stay${count === 1 ? 's' : ''} unqualified: neither the address nor the package.json names the repository. To change that, add "repository" to the package.json.`,
  ];
}

function untouched(messages: readonly MessagesResult[]): readonly string[] {
  const count = sumOf(messages, (one) => one.untouched);
  if (count === 0) return [];
  const they = count === 1 ? 'It' : 'They';
  return [`${countOf(count, 'message')} cannot be changed, because of the encoding. ${they} may close issues and notify people.`];
}

function visible(line: string): string {
  return line.replaceAll('\u200b', '<zero-width space>');
}
