/**
 * One line of output of `strace -f`. A call that another process interrupted comes in two halves. Texts have one character per byte,
 * because a path need not be UTF-8.
 */
export type StraceLine =
  | { readonly kind: 'call'; readonly pid: number; readonly text: string }
  | { readonly kind: 'begun'; readonly pid: number; readonly text: string }
  | { readonly kind: 'resumed'; readonly pid: number; readonly name: string; readonly text: string }
  /** `exit`: `null` if a signal ended it. */
  | { readonly kind: 'ended'; readonly pid: number; readonly exit: number | null }
  /** A thread ran `execve`: it continues under the id of its process. */
  | { readonly kind: 'superseded'; readonly pid: number; readonly by: number }
  /** strace could not read which call it is, or that call ended: the process is dying. */
  | { readonly kind: 'unread'; readonly pid: number }
  | { readonly kind: 'signal' }
  | { readonly kind: 'unknown' };

const UNFINISHED = ' <unfinished ...>';

/** Never throws: an unknown line becomes `unknown`. */
export function readStraceLine(line: string): StraceLine {
  const start = /^(\d+) +/.exec(line);
  if (start === null) return { kind: 'unknown' };
  const pid = Number(start[1]);
  const text = line.slice(start[0].length);
  if (text.startsWith('+++ ')) return readEnd(pid, text);
  if (text.startsWith('--- ')) return { kind: 'signal' };
  if (/^(?:<\.\.\. )?\?+[( ]/.test(text)) return { kind: 'unread', pid };
  const resumed = /^<\.\.\. (\w+) resumed>/.exec(text);
  if (resumed !== null) {
    // The process was killed meanwhile: `<... openat resumed> <unfinished ...>) = ?`
    const rest = text.slice(resumed[0].length).replace(`${UNFINISHED})`, ')');
    return { kind: 'resumed', pid, name: resumed[1] ?? '', text: rest };
  }
  if (text.endsWith(UNFINISHED)) return { kind: 'begun', pid, text: text.slice(0, -UNFINISHED.length) };
  return { kind: 'call', pid, text };
}

function readEnd(pid: number, text: string): StraceLine {
  const by = /^\+\+\+ superseded by execve in pid (\d+) \+\+\+$/.exec(text)?.[1];
  if (by !== undefined) return { kind: 'superseded', pid, by: Number(by) };
  const end = /^\+\+\+ (?:exited with (\d+)|killed by \w+.*) \+\+\+$/.exec(text);
  return end === null ? { kind: 'unknown' } : { kind: 'ended', pid, exit: end[1] === undefined ? null : Number(end[1]) };
}
