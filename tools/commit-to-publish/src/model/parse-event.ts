import { isPlainObject } from '@tributary/model/plain-object';
import { ACTORS, CONFIDENCES, type Event, FILES, type Micros, OUTCOMES, SOURCES } from './event.js';
import { parseJson } from './parse-json.js';
import { STAGES } from './stage.js';

/** Clocks of machines differ by as much, in microseconds: what is further ahead is from the future. */
export const AHEAD = 10 * 60e6;

const TEXTS = ['id', 'change', 'repo', 'package'] as const;
const OPTIONAL_TEXTS = ['consumer', 'release', 'channel', 'team', 'url'] as const;
const TIMES = ['startedAt', 'endedAt', 'recordedAt'] as const;
const CHOICES: readonly (readonly [key: string, choices: readonly string[]])[] = [
  ['stage', STAGES],
  ['outcome', OUTCOMES],
  ['actor', ACTORS],
  ['source', SOURCES],
  ['confidence', CONFIDENCES],
];

const KEYS: ReadonlySet<string> = new Set([
  'schemaVersion',
  'attempt',
  'revision',
  'files',
  ...TEXTS,
  ...OPTIONAL_TEXTS,
  ...TIMES,
  ...CHOICES.map(([key]) => key),
]);

/** In characters; a longer string is a mistake. */
const LONGEST = 1000;
const TEXT = `a string of 1 to ${LONGEST} characters without control characters`;

/** Returns what is wrong with a value that should be an event, as a predicate without its subject; `undefined` if it is an event. */
export function eventFlaw(value: unknown, now: Micros): string | undefined {
  if (!isPlainObject(value)) return 'is no object';
  const version = value['schemaVersion'];
  if (version !== 1)
    return typeof version === 'number' && version > 1
      ? `has schemaVersion ${version}, which is newer than this program`
      : 'has no schemaVersion 1';
  return textFlaw(value) ?? choiceFlaw(value) ?? timeFlaw(value, now) ?? unknownKey(value);
}

/** Parses a line of NDJSON. Returns the event, or what is wrong with the line. */
export function parseEventLine(line: string, now: Micros): Event | string {
  const value = parseJson(line);
  if (value === undefined) return 'is no JSON';
  return eventFlaw(value, now) ?? (value as Event);
}

function textFlaw(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of TEXTS) if (!isText(value[key])) return `needs "${key}", ${TEXT}`;
  for (const key of OPTIONAL_TEXTS) if (value[key] !== undefined && !isText(value[key])) return optionalFlaw(value, key, `is not ${TEXT}`);
  const url = value['url'];
  if (typeof url === 'string' && !isWebAddress(url)) return 'has "url", which does not begin with https:// or http://';
  return undefined;
}

/** A link of any other scheme could run code that a stranger wrote. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\//.test(url);
}

/** Control characters would break tables; DuckDB rejects lines with lone surrogates. */
const PLAIN = /^[^\p{Cc}\p{Cs}]*$/u;
/** Direction marks reorder the text around them, so that a reader takes a name for another one. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Most texts are nothing else, and it is seen in a fraction of the time. */
const ASCII = /^[ -~]*$/;

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && isShort(value) && (ASCII.test(value) || (PLAIN.test(value) && !BIDI.test(value)));
}

/** A character may take two UTF-16 units. */
function isShort(value: string): boolean {
  return value.length <= LONGEST || (value.length <= 2 * LONGEST && Array.from(value).length <= LONGEST);
}

function choiceFlaw(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, choices] of CHOICES) if (!choices.includes(value[key] as string)) return `needs "${key}", one of ${choices.join(', ')}`;
  if (value['outcome'] === 'unmeasured' && value['stage'] !== 'publish')
    return 'has "outcome" unmeasured, which is only for "stage" publish';
  if (!isCount(value['attempt'])) return 'needs "attempt", a number from 1';
  if (value['files'] !== undefined && !FILES.some((choice) => choice === value['files']))
    return optionalFlaw(value, 'files', `is not ${FILES.join(' or ')}`);
  return value['revision'] === undefined || isCount(value['revision'])
    ? undefined
    : optionalFlaw(value, 'revision', 'is not a number from 1');
}

/** Some encoders write null for a missing value. */
function optionalFlaw(value: Readonly<Record<string, unknown>>, key: string, flaw: string): string {
  return value[key] === null ? `has "${key}" with the value null: leave out the field instead` : `has "${key}", which ${flaw}`;
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) < 1e6;
}

function timeFlaw(value: Readonly<Record<string, unknown>>, now: Micros): string | undefined {
  for (const key of TIMES) {
    const time = value[key];
    if (!Number.isSafeInteger(time) || (time as number) < 0) return `needs "${key}", whole microseconds since 1970 (UTC)`;
    if ((time as number) > now + AHEAD) return `has "${key}" in the future`;
    // A value that is too small by a factor of 1000 was meant as milliseconds, and would count as a day of 1970.
    if ((time as number) < FIRST) return `has "${key}" before 2000: are these milliseconds?`;
  }
  return (value['endedAt'] as number) < (value['startedAt'] as number) ? 'ends before it starts' : undefined;
}

const FIRST = Date.UTC(2000, 0, 1) * 1000;

/** Tells whether something can have happened then. */
export function isPossible(time: Micros, now: Micros): boolean {
  return time >= FIRST && time <= now + AHEAD;
}

function unknownKey(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const key in value) if (!KEYS.has(key)) return `has "${key.slice(0, 40)}", which is not a field of an event`;
  return undefined;
}
