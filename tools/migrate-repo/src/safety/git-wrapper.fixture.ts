import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { shellWord } from '@tributary/model/shell-word';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';

/**
 * What happens to the call that is hit:
 * - `fail`: git fails.
 * - `break`: this call and every later call fail.
 * - `die`: git is killed.
 * - `kill`: the tool is killed, and git with it.
 * - `orphan`: only the tool is killed; git continues.
 * - `interrupt`: Ctrl-C reaches the tool; git continues.
 * - `hang`: Ctrl-C reaches the tool; git hangs for three seconds or until it is terminated.
 */
export const FAULTS = {
  fail: 'echo "fatal: broken on purpose" >&2; exit 128',
  break: 'echo "fatal: broken for good" >&2; exit 128',
  die: 'kill -9 $$',
  kill: 'kill -9 $PPID; exit 1',
  orphan: 'touch "$log.orphan"; kill -9 $PPID; "$real" "$@"; code=$?; rm "$log.orphan"; exit $code',
  interrupt: 'kill -INT $PPID; exec "$real" "$@"',
  hang: 'kill -INT $PPID; sleep 3 & trap "kill $!; exit 143" TERM; wait; exit 1',
} as const;

export type GitFault = keyof typeof FAULTS;

/** A program named `git` that comes first in PATH and behaves differently from git at some calls. */
export class GitWrapper {
  readonly folder: TempFolder;

  /**
   * `act` is a shell script that runs before git at every call. `$n` is the number of the call, from 1; `$real` is the
   * true git; `$args` are all arguments.
   */
  constructor(cleanUp: CleanUp, act: string) {
    this.folder = cleanUp.add(new TempFolder());
    const script = `#!/bin/sh
real=${shellWord(findGit())}
log=${shellWord(this.folder.join('calls'))}
# Looks from the last known number on: every lower one is taken. Two calls at once never get the same, because mkdir fails for one.
n=
[ ! -e "$log.last" ] || read -r n < "$log.last"
n=$((\${n:-0} + 1))
while ! mkdir "$log-$n" 2>/dev/null; do n=$((n + 1)); done
echo "$n" > "$log.last"
args="$*"
printf '%s\\n' "$args" > "$log-$n/arguments"
${act}
exec "$real" "$@"
`;
    chmodSync(this.folder.write('git', script), 0o755);
  }

  /** Hits the call with this number. */
  static at(cleanUp: CleanUp, number: number, fault: GitFault): GitWrapper {
    // After `break`, every later call fails too.
    return new GitWrapper(cleanUp, `if [ "$n" ${fault === 'break' ? '-ge' : '='} ${number} ]; then ${FAULTS[fault]}; fi`);
  }

  /** Hits the calls whose arguments match a shell pattern. */
  static on(cleanUp: CleanUp, pattern: string, fault: string): GitWrapper {
    return new GitWrapper(cleanUp, `case "$args" in ${pattern}) ${fault};; esac`);
  }

  /** Environment variables for the tool. */
  get env(): Record<string, string> {
    return { PATH: `${this.folder.path}${delimiter}${process.env['PATH'] ?? ''}` };
  }

  /** Waits until no orphan runs any more, so that its late writes are not blamed on the next run. */
  async orphanHasEnded(): Promise<void> {
    while (existsSync(this.folder.join('calls.orphan'))) await setTimeout(20);
  }

  /** Returns the arguments of each call so far. */
  calls(): string[] {
    const count = readdirSync(this.folder.path).filter((name) => name.startsWith('calls-')).length;
    return Array.from({ length: count }, (_, at) => {
      const file = this.folder.join(`calls-${at + 1}`, 'arguments');
      return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    });
  }
}

function findGit(): string {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'git'))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error('there is no git on PATH');
  return found;
}
