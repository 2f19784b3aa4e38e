import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { redactUrls } from '@tributary/model/repo-url';
import type { Environment } from '@tributary/process/environment';
import { startProgram } from '@tributary/process/spawn';
import type { Yarn } from './find-yarn.js';
import { yarnEnvironment } from './yarn-environment.js';

/** One line of Yarn's output. */
export interface YarnMessage {
  readonly type: 'info' | 'warning' | 'error';
  /** `YN0082`; `YN0000` for lines without a code. */
  readonly code: string;
  /** Without credentials. */
  readonly text: string;
  /** Yarn's current step: `Resolution step`; empty before the first. */
  readonly step: string;
}

/** How Yarn is run, and for whom. */
export interface YarnContext {
  readonly yarn: Yarn;
  /** A folder with the files of the monorepo's root. Yarn gets the variables that its settings name. */
  readonly root: AbsolutePath;
  /** Overrides for the result of `yarnEnvironment`. */
  readonly env?: Environment | undefined;
  /**
   * Whether scripts of packages may run. If not, nothing is built, and git reaches no repository, because Yarn packs
   * repositories by running their scripts.
   */
  readonly scripts?: 'run' | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called before Yarn runs, with the purpose: `Installing`. */
  readonly onPhase?: ((name: string) => void) | undefined;
  /** Called with every message as it arrives. */
  readonly onMessage?: ((message: YarnMessage) => void) | undefined;
}

/** No protocol has this name, so git rejects every address. */
const NO_GIT: Environment = { GIT_ALLOW_PROTOCOL: 'none' };

/** Overrides for `YarnContext.env`: git may use its default protocols. */
export const WITH_GIT: Environment = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' };

export interface YarnOutcome {
  readonly succeeded: boolean;
  /** In order of arrival. */
  readonly messages: readonly YarnMessage[];
}

/**
 * Runs a Yarn command that supports `--json`. A failure of Yarn is a result, because some failures can be corrected.
 * Throws `INTERRUPTED`, `PROGRAM_MISSING`, `DISK_FULL`.
 */
export async function runYarn(context: YarnContext, args: readonly string[], cwd: AbsolutePath): Promise<YarnOutcome> {
  const { yarn, root, env, scripts, signal, onMessage } = context;
  // The release was chosen for the monorepo. Another folder must not lead to another release.
  const environment = yarnEnvironment(root, { YARN_IGNORE_PATH: '1', ...(scripts === 'run' ? {} : NO_GIT), ...env });
  const running = startProgram({
    program: yarn.program,
    args: [...yarn.args, ...args, '--json'],
    cwd,
    env: environment,
    ...(signal && { signal }),
  });
  const messages: YarnMessage[] = [];
  running.stdin.end();
  try {
    for await (const line of createInterface({ input: running.stdout })) {
      const message = readMessage(line, messages.at(-1)?.step ?? '');
      if (message === undefined) continue;
      messages.push(message);
      onMessage?.(message);
    }
    await running.done();
    return { succeeded: true, messages };
  } catch (error) {
    // A stream that was cut off throws first, without the reason.
    const reason = await running.done().then(
      () => error,
      (failure: unknown) => failure,
    );
    if (!isToolError(reason) || reason.code !== 'PROGRAM_FAILED') throw reason;
    const stderr = textOf(reason.data['stderr']).trim();
    const last: YarnMessage = { type: 'error', code: 'YN0000', text: stderr, step: messages.at(-1)?.step ?? '' };
    return { succeeded: false, messages: stderr === '' ? messages : [...messages, last] };
  }
}

/**
 * Reads one line of output. Anything other than a message, such as a usage error or a warning of Node, becomes plain
 * text. Returns `undefined` for an empty line.
 */
function readMessage(line: string, step: string): YarnMessage | undefined {
  if (line.trim() === '') return undefined;
  const message = parseJson(line);
  if (!isPlainObject(message)) return readPlain(redactUrls(stripVTControlCharacters(line)), step);
  if (Array.isArray(message['children'])) return readConstraint(textOf(message['value']), message['children'], step);
  const text = withoutPath(redactUrls(textOf(message['data'])));
  const type = message['type'] === 'error' || message['type'] === 'warning' ? message['type'] : 'info';
  const [, opened] = /^┌ (.*)$/.exec(text) ?? [];
  return { type, code: typeof message['displayName'] === 'string' ? message['displayName'] : 'YN0000', text, step: opened ?? step };
}

/** Reads an error about settings or the command line, which comes in this form, coloured and followed by the usage. */
function readPlain(line: string, step: string): YarnMessage {
  const [, problem] = /^(?:[A-Z]\w+ )+Error: (.*)$/.exec(line) ?? [];
  return { type: problem === undefined ? 'info' : 'error', code: 'YN0000', text: problem ?? line, step };
}

/** Reads what `yarn constraints` reports about a workspace. */
function readConstraint(workspace: string, errors: readonly unknown[], step: string): YarnMessage {
  const words = errors.flatMap((error) => (isPlainObject(error) ? [textOf(error['value']).replace(/^⚙ /, '')] : []));
  return { type: 'error', code: 'YN0084', text: redactUrls(`${workspace}: ${words.join('; ')}`), step };
}

/** Shortens registry URLs to their host, because the path may be a secret. */
function withoutPath(text: string): string {
  return text.replace(/^(\s*Request URL: \w+:\/\/[^/\s]+\/).*$/s, '$1…');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the value of a JSON text; `undefined` if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
