import { ToolError } from '@tributary/model/errors';
import { parseObjectId } from '@tributary/model/ids';
import type { RunningProgram } from '@tributary/process/spawn';
import type { GitObject, NamedObject, ObjectType } from './object-id.js';

const LINE_FEED = 0x0a;

/** The part of `Git` that starts a process. */
interface Starter {
  readonly start: (args: readonly string[]) => RunningProgram;
}

/** One request to git, and the answers received so far. */
interface Question<T> {
  readonly command: 'info' | 'contents';
  readonly names: readonly string[];
  readonly answers: T[];
  readonly resolve: (answers: T[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads objects through one `git cat-file` process that stays open until `close`: starting another process takes longer than most requests.
 * A name is such as `<commit>:package.json`, and must not contain NUL. After a failure (`GIT_FAILED`), every request fails.
 */
export class ObjectReader {
  private readonly git: Starter;
  private running: RunningProgram | undefined;
  private readonly waiting: Question<unknown>[] = [];
  private held: Buffer[] = [];
  private heldBytes = 0;
  private neededBytes = 1;
  private failure: { readonly error: unknown } | undefined;

  constructor(git: Starter) {
    this.git = git;
  }

  /** Returns what each name refers to; `undefined` for a name that refers to nothing. */
  resolve(names: readonly string[]): Promise<(NamedObject | undefined)[]> {
    return this.ask('info', names);
  }

  /** Returns the object of each name; `undefined` if there is none. All objects are held in memory. */
  read(names: readonly string[]): Promise<(GitObject | undefined)[]> {
    return this.ask('contents', names);
  }

  /** Ends the requests; git then exits. */
  close(): void {
    this.failure ??= { error: new ToolError({ code: 'GIT_FAILED', message: 'git received a request after the last one.' }) };
    this.running?.stdin.end();
  }

  private ask<T>(command: 'info' | 'contents', names: readonly string[]): Promise<T[]> {
    if (names.length === 0) return Promise.resolve([]);
    return new Promise<T[]>((resolve, reject) => {
      if (this.failure !== undefined) throw this.failure.error;
      this.waiting.push({ command, names, answers: [], resolve, reject } as Question<T> as Question<unknown>);
      this.running ??= this.start();
      this.running.stdin.write(`${names.map((name) => `${command} ${name}\0`).join('')}flush\0`);
    });
  }

  private start(): RunningProgram {
    // Requests end with NUL: git would remove a carriage return ("Icon\r" of macOS) at the end of a line.
    const running = this.git.start(['cat-file', '--batch-command', '--buffer', '-z']);
    running.stdout.on('data', (chunk: Buffer) => this.take(chunk));
    running.done().then(
      () => this.fail(new ToolError({ code: 'GIT_FAILED', message: 'git ended before it answered.' })),
      (error: unknown) => this.fail(error),
    );
    return running;
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  private take(chunk: Buffer): void {
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    // Joining after each chunk would copy a large object again and again.
    if (this.heldBytes < this.neededBytes) return;
    const bytes = this.held.length === 1 ? chunk : Buffer.concat(this.held);
    let at = 0;
    try {
      for (let next = this.takeAnswer(bytes, at); next !== undefined; next = this.takeAnswer(bytes, at)) at = next;
    } catch (error) {
      this.fail(error);
    }
    this.held = at === bytes.length ? [] : [bytes.subarray(at)];
    this.heldBytes = bytes.length - at;
  }

  /** Reads the answer that starts at an offset. Returns the offset after it; `undefined` if it is incomplete. */
  private takeAnswer(bytes: Buffer, at: number): number | undefined {
    const [question] = this.waiting;
    this.neededBytes = 1;
    if (question === undefined) return undefined;
    const end = endOfAnswer(bytes, at, question.names[question.answers.length] ?? '');
    if (end < 0) return undefined;
    const object = parseAnswer(bytes.toString('utf8', at, end), question);
    if (question.command === 'info' || object === undefined) return this.answer(question, object, end + 1);
    const next = end + 1 + object.size + 1;
    this.neededBytes = next - at;
    if (next > bytes.length) return undefined;
    const { id, type } = object;
    return this.answer(question, { id, type, content: bytes.subarray(end + 1, next - 1) }, next);
  }

  private answer(question: Question<unknown>, answer: unknown, next: number): number {
    if (question.answers.push(answer) === question.names.length) this.waiting.shift()?.resolve(question.answers);
    return next;
  }
}

/**
 * Returns the end of an answer's first line; -1 if it is incomplete. For a missing object, git prints the name, which may contain line
 * breaks.
 */
function endOfAnswer(bytes: Buffer, at: number, name: string): number {
  if (!name.includes('\n')) return bytes.indexOf(LINE_FEED, at);
  const written = Buffer.from(name);
  const start = bytes.subarray(at, at + written.length);
  const isNamed = written.subarray(0, start.length).equals(start);
  if (isNamed && start.length < written.length) return -1;
  return bytes.indexOf(LINE_FEED, isNamed ? at + written.length : at);
}

/**
 * Parses the first line of an answer. An ambiguous name is not a missing file. A submodule is an object of another repository, so it counts
 * as missing.
 */
function parseAnswer(line: string, { command, names, answers }: Question<unknown>): NamedObject | undefined {
  const match = /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/.exec(line);
  const name = names[answers.length] ?? '';
  if (match === null && (line === `${name} missing` || /^[0-9a-f]+ submodule$/.test(line))) return undefined;
  if (match === null && command === 'info' && line === `${name} ambiguous`) return undefined;
  if (match === null) throw new ToolError({ code: 'GIT_FAILED', message: `git answered "${line.slice(0, 80)}" for ${name}.` });
  const [, id = '', type = '', size = ''] = match;
  return { id: parseObjectId(id), type: type as ObjectType, size: Number(size) };
}
