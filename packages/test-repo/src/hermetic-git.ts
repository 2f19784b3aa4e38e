import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** Settings for every hermetic git. They override those of the repository. */
const SETTINGS: Readonly<Record<string, string>> = {
  'init.defaultBranch': 'main',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.autocrlf': 'false',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  // Allows submodules by path, which git rejects by default since CVE-2022-39253.
  'protocol.file.allow': 'always',
  'advice.detachedHead': 'false',
};

/** The author of all fixtures. */
export const AUTHOR = { name: 'Ada Author', email: 'ada@example.com' } as const;

/** A clock for commits. It changes only with `advance`, so that ids depend only on the commits made. */
export class GitClock {
  private seconds = 1_600_000_000;

  advance(): void {
    this.seconds += 60;
  }

  /** Returns the current time, in seconds since 1970. */
  now(): number {
    return this.seconds;
  }
}

/**
 * Returns the environment for a git whose result depends neither on the machine nor on the user. It has no user or system configuration, a
 * fixed author and committer at `clock`, no hooks, no maintenance and no templates. Only `PATH` is inherited.
 */
export function hermeticGitEnvironment(clock: GitClock): Record<string, string> {
  const date = `@${clock.now()} +0000`;
  const settings = Object.entries(SETTINGS).flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    TMPDIR: tmpdir(),
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TEMPLATE_DIR: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
    GIT_COMMITTER_DATE: date,
    GIT_CONFIG_COUNT: String(Object.keys(SETTINGS).length),
    ...Object.fromEntries(settings),
  };
}

export interface GitCall {
  readonly folder: string;
  readonly clock: GitClock;
  readonly input?: string | Uint8Array;
  /** Overrides the hermetic environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs git, waits and returns its exact stdout. Throws an `Error` with git's own message if it fails. */
export function runHermeticGit(args: readonly string[], call: GitCall): Buffer {
  const run = spawnSync('git', args, {
    cwd: call.folder,
    env: { ...hermeticGitEnvironment(call.clock), ...call.environment },
    input: call.input ?? '',
    maxBuffer: 1 << 30,
  });
  if (run.error !== undefined) throw run.error;
  if (run.status !== 0) throw new Error(`git ${args.join(' ')} ended with ${run.status ?? run.signal}:\n${run.stderr.toString()}`);
  return run.stdout;
}
