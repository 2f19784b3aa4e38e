import type { NamedPackage } from '../align/who-asks.js';
import type { YarnMessage } from './yarn.js';

/** An error of Yarn, taken apart. */
export interface YarnError extends Pick<YarnMessage, 'code' | 'step'> {
  /** What it is about; `undefined` where it does not say. */
  readonly about: NamedPackage | undefined;
  /** What is said of it, on one line. */
  readonly words: string;
  /** By their names, what stands below it: `Request URL`, `Response Code`, `Fatal Error`. */
  readonly details: ReadonlyMap<string, string>;
}

/** `lib@npm:^1.0.0: No candidates found`, `Error: lib@nonsense isn't supported by any available resolver`. */
const ABOUT = /^(?:[A-Z]\w*: )?((?:@[^/@\s]+\/)?[^/@\s:]+)@(.+?)(?:: | (?=(?:isn|couldn|can|doesn)'t |lists |must |is |needs )|$)(.*)$/;

/** Takes one error apart; `details`: the messages behind it that are indented. */
export function readError({ code, step, text }: YarnMessage, details: readonly YarnMessage[]): YarnError {
  const line = tellingLine(text);
  const [, name, reference, rest = ''] = ABOUT.exec(line) ?? [];
  const lines = details.map((detail) => /^\s+([A-Z][^:]*): (.*)$/.exec(detail.text));
  const pairs = lines.flatMap((match): readonly [string, string][] => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']]));
  const isAbout = name !== undefined && reference !== undefined;
  return {
    code,
    step,
    details: new Map(pairs),
    about: isAbout ? { name, reference: reference.replace(/::.*$/, '') } : undefined,
    // Some errors say twice what they are about.
    words: asWords(isAbout ? rest.replace(`${name}@${reference}: `, '') : line),
  };
}

/** The line that names the error, without the place in Yarn's code behind it; what a range or a path may hold is no line of its own. */
function tellingLine(text: string): string {
  const bare = text.replace(/\n\s+at [\s\S]*$/, '');
  const named = /^.*\.c?js:\d+\n[\s\S]*?^(\w*Error: .*)$/m.exec(bare)?.[1];
  return (named ?? bare).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Without the class of the error, the dot, and a file that is named twice. */
function asWords(text: string): string {
  return text
    .trim()
    .replace(/^[A-Z]\w*Error: /, '')
    .replace(/( in \.yarnrc\.yml) \(in \.yarnrc\.yml\)$/, '$1')
    .replace(/\.$/, '');
}

const LONGEST = 160;

/** A package as people know it: without `npm:`, without what is only Yarn's. */
export function shownPackage({ name, reference }: NamedPackage): string {
  const range = decoded(reference).replace(/^npm:(?!.+@)/, '');
  const whole = `${name}@${range}`;
  return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST)}…`;
}

/** `ms@npm%3A2.1.3` in the address of a patch. */
function decoded(reference: string): string {
  try {
    return reference.startsWith('patch:') ? decodeURIComponent(reference) : reference;
  } catch {
    return reference;
  }
}
