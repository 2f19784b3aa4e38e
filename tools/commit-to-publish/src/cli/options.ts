import { InvalidArgumentError } from 'commander';
import type { Micros } from '../model/event.js';

/** The ends that a lead time may have. */
export const ENDS = ['published', 'upgraded', 'released'] as const;
export type End = (typeof ENDS)[number];

/** Collects the values of an option that may be repeated. */
export function addList(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

export function readWeeks(text: string): number {
  const weeks = Number(/^(\d{1,3})w?$/.exec(text)?.[1]);
  if (!(weeks >= 1)) throw new InvalidArgumentError('It is a number of weeks, such as 6w.');
  return weeks;
}

/** Returns the first moment of a day (UTC), such as `2026-01-05`; `undefined` if the text is not a date of the calendar. */
export function startOfDay(text: string): Micros | undefined {
  const time = /^[12]\d{3}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // JavaScript turns a day that February does not have into one of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? ((time * 1000) as Micros) : undefined;
}
