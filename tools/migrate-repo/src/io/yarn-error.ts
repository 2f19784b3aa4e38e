import type { NamedPackage } from '../align/who-asks.js';
import type { YarnMessage } from './yarn.js';

/** A parsed error of Yarn. */
export interface YarnError extends Pick<YarnMessage, 'code' | 'step'> {
  /** The package that it is about; `undefined` if it does not say. */
  readonly about: NamedPackage | undefined;
  /** The message, on one line. */
  readonly words: string;
  /** The details below it, by name: `Request URL`, `Response Code`, `Fatal Error`. */
  readonly details: ReadonlyMap<string, string>;
}

/** `lib@npm:^1.0.0: No candidates found`, `Error: lib@nonsense isn't supported by any available resolver`. */
const ABOUT = /^(?:[A-Z]\w*: )?((?:@[^/@\s]+\/)?[^/@\s:]+)@(.+?)(?:: | (?=(?:isn|couldn|can|doesn)'t |lists |must |is |needs )|$)(.*)$/;

/** Parses one error. `details`: the indented messages after it. */
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
    // Some errors name their subject twice.
    words: asWords(isAbout ? rest.replace(`${name}@${reference}: `, '') : line),
  };
}

/** Returns the line with the error, without the position in Yarn's code. Line breaks in a range or a path become spaces. */
function tellingLine(text: string): string {
  const bare = text.replace(/\n\s+at [\s\S]*$/, '');
  const named = /^.*\.c?js:\d+\n[\s\S]*?^(\w*Error: .*)$/m.exec(bare)?.[1];
  return (named ?? bare).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Removes the error's class, the full stop, and a repeated file name. */
function asWords(text: string): string {
  return text
    .trim()
    .replace(/^[A-Z]\w*Error: /, '')
    .replace(/( in \.yarnrc\.yml) \(in \.yarnrc\.yml\)$/, '$1')
    .replace(/\.$/, '');
}

const LONGEST = 160;

/** Returns a package as users know it, without `npm:` and Yarn's own notation. */
export function shownPackage({ name, reference }: NamedPackage): string {
  const range = decoded(reference).replace(/^npm:(?!.+@)/, '');
  const whole = `${name}@${range}`;
  return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST)}…`;
}

/** Decodes `ms@npm%3A2.1.3` in the address of a patch. */
function decoded(reference: string): string {
  try {
    return reference.startsWith('patch:') ? decodeURIComponent(reference) : reference;
  } catch {
    return reference;
  }
}
