import type { CommitId } from '@tributary/model/ids';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Instant } from '@tributary/model/time';
import { commitIn } from './commit-in.js';
import { type ApiQuestion, misunderstood } from './failure.js';

/**
 * Reads a response of the API field by field. Unexpected data is `GITHUB_UNREACHABLE`: another server may have sent it, or it was cut off.
 */
export class AnswerFields {
  private readonly value: Readonly<Record<string, unknown>>;
  private readonly question: ApiQuestion;

  constructor(value: unknown, question: ApiQuestion) {
    if (!isPlainObject(value)) throw misunderstood(question, 'a part of it is missing');
    this.value = value;
    this.question = question;
  }

  has(key: string): boolean {
    return this.value[key] !== null && this.value[key] !== undefined;
  }

  /** Returns the fields of a nested object. */
  of(key: string): AnswerFields {
    return new AnswerFields(this.value[key], this.question);
  }

  maybeOf(key: string): AnswerFields | undefined {
    return this.has(key) ? this.of(key) : undefined;
  }

  list(key: string): readonly AnswerFields[] {
    const value = this.value[key];
    if (!Array.isArray(value)) throw misunderstood(this.question, `"${key}" is no list`);
    return value.map((entry: unknown) => new AnswerFields(entry, this.question));
  }

  text(key: string): string {
    const value = this.value[key];
    if (typeof value !== 'string') throw misunderstood(this.question, `"${key}" is no text`);
    return value;
  }

  maybeTexts(key: string): readonly string[] | undefined {
    const value = this.value[key];
    if (!this.has(key)) return undefined;
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
      throw misunderstood(this.question, `"${key}" is not a list of strings`);
    return value;
  }

  maybeText(key: string): string | undefined {
    return this.has(key) ? this.text(key) : undefined;
  }

  isTrue(key: string): boolean {
    const value = this.value[key];
    if (typeof value !== 'boolean') throw misunderstood(this.question, `"${key}" is neither true nor false`);
    return value;
  }

  /** Returns an integer of at least 0. */
  number(key: string): number {
    const value = this.value[key];
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw misunderstood(this.question, `"${key}" is not a whole number`);
    return value as number;
  }

  commit(key: string): CommitId {
    return commitIn(this.value[key], this.question);
  }

  time(key: string): Instant {
    const text = this.value[key];
    // The time zone is required: without it, the time would be read in the zone of this machine.
    const time = typeof text === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(time)) throw misunderstood(this.question, `"${key}" is no time`);
    return time as Instant;
  }

  maybeTime(key: string): Instant | undefined {
    return this.has(key) ? this.time(key) : undefined;
  }
}
