/** A system call, as strace prints it. Texts have one character per byte. */
export interface Syscall {
  readonly name: string;
  /** As printed: `"a b"`, `AT_FDCWD</repo>`, `O_RDONLY|O_CLOEXEC`. */
  readonly args: readonly string[];
  /** `undefined`: the process ended during the call. */
  readonly value: number | undefined;
  /** Such as `ENOENT`; `undefined` for a successful call. */
  readonly error: string | undefined;
  /** The path of the returned file descriptor. */
  readonly path: string | undefined;
}

/** Parses `openat(AT_FDCWD</repo>, "a", O_RDONLY) = 3</repo/a>`. Returns `undefined` for other text. */
export function parseSyscall(text: string): Syscall | undefined {
  const name = /^\w+\(/.exec(text)?.[0];
  if (name === undefined) return undefined;
  const list = splitArguments(text, name.length);
  if (list === undefined) return undefined;
  const result = /^\s*= (?:(\?)|(-?\d+)|0x[0-9a-f]+)/.exec(text.slice(list.end));
  if (result === null) return undefined;
  const rest = text.slice(list.end + result[0].length);
  return {
    name: name.slice(0, -1),
    args: list.args,
    value: result[1] === '?' ? undefined : Number(result[2] ?? 0),
    error: result[2]?.startsWith('-') === true ? /^ (E[A-Z0-9]+)/.exec(rest)?.[1] : undefined,
    path: pathIn(rest),
  };
}

/** Splits at commas outside strings, paths and brackets, up to the closing parenthesis of the call. */
function splitArguments(text: string, start: number): { readonly args: readonly string[]; readonly end: number } | undefined {
  const args: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfText(text, at);
    else if (char === '<' && /[\w]/.test(text[at - 1] ?? '') && /[/\w(]/.test(text[at + 1] ?? '')) at = text.indexOf('>', at);
    else if (char === '(' || char === '[' || char === '{') depth++;
    else if (depth > 0 && (char === ')' || char === ']' || char === '}')) depth--;
    else if (depth === 0 && (char === ',' || char === ')')) {
      const arg = text.slice(from, at).trim();
      if (arg !== '' || char === ',') args.push(arg);
      if (char === ')') return { args, end: at + 1 };
      from = at + 1;
    }
    if (at < 0) return undefined;
  }
  return undefined;
}

/** Returns the index of the closing quote of a string; -1 if there is none. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** Returns the string of an argument such as `"a\nb"`. `cut`: strace truncated it. `undefined` if the argument is not a string. */
export function textOf(arg: string | undefined): { readonly text: string; readonly cut: boolean } | undefined {
  if (arg === undefined || !arg.startsWith('"')) return undefined;
  const end = endOfText(arg, 0);
  return end < 0 ? undefined : { text: decodeEscapes(arg.slice(1, end)), cut: arg.slice(end + 1) === '...' };
}

/** Returns the path of a descriptor: `3</repo/a>`, `AT_FDCWD</repo>`. `undefined` for a socket, a pipe, and without a path. */
export function pathIn(arg: string | undefined): string | undefined {
  const path = /^(?:AT_FDCWD|\d+)?<(\/[^>]*)>/s.exec(arg ?? '')?.[1];
  // Linux appends this for a file without a name. A real name may also end so; it then counts as another file.
  return path === undefined ? undefined : decodeEscapes(path).replace(/ ?\(deleted\)$/, '');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };

function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:([0-7]{1,3})|x([0-9a-f]{2})|(.))/gs, (_, octal?: string, hex?: string, char?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return ESCAPES[char ?? ''] ?? char ?? '';
  });
}
