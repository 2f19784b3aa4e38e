import type { Requirement } from '@tributary/model/requirement';
import { closedEnvironment } from './environment.js';
import { callProgram } from './spawn.js';

/** The same as in `engines` of the packages. */
const OLDEST_NODE = '20.19';

/** Returns whether this Node is new enough. */
export function checkNode(version: string): Requirement {
  if (isAtLeast(version, OLDEST_NODE)) return { name: 'Node', state: 'ok', found: version, hint: null };
  return { name: 'Node', state: 'missing', found: version, hint: `Install Node ${OLDEST_NODE} or newer: https://nodejs.org` };
}

/** A program to start for its version. */
export interface WantedProgram {
  readonly name: string;
  readonly program: string;
  /** The oldest version that is sufficient, such as `2.38`; `undefined`: any. */
  readonly oldest: string | undefined;
  /** How to install it. */
  readonly hint: string;
  /** The state of the requirement if the program is missing or too old. */
  readonly without: 'missing' | 'limited';
  readonly signal: AbortSignal;
}

/** Returns whether a program is installed and new enough, by its `--version`. Throws `INTERRUPTED`. */
export async function checkProgram({ name, program, oldest, hint, without, signal }: WantedProgram): Promise<Requirement> {
  const version = await versionOf(program, signal);
  if (version === undefined) return { name, state: without, found: 'not found', hint };
  if (oldest === undefined || isAtLeast(version, oldest)) return { name, state: 'ok', found: version, hint: null };
  return { name, state: without, found: `${version}, older than ${oldest}`, hint };
}

/** Returns whether git is installed and new enough. Throws `INTERRUPTED`. */
export function checkGit(oldest: string, signal: AbortSignal): Promise<Requirement> {
  const hint = `Install git ${oldest} or newer: https://git-scm.com/downloads`;
  return checkProgram({ name: 'git', program: 'git', oldest, hint, without: 'missing', signal });
}

async function versionOf(program: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const env = closedEnvironment(process.env);
    const { exit, stdout } = await callProgram({ program, args: ['--version'], env, timeoutMs: 10_000, signal });
    return exit === 0 ? /\d+\.\d+[\w.-]*/.exec(stdout.toString('utf8'))?.[0] : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Compares major and minor version. */
function isAtLeast(version: string, oldest: string): boolean {
  const [have, want] = [version, oldest].map((text) => text.replace(/^v/, '').split('.').map(Number));
  const [major = 0, minor = 0] = have ?? [];
  const [oldMajor = 0, oldMinor = 0] = want ?? [];
  return major > oldMajor || (major === oldMajor && minor >= oldMinor);
}
