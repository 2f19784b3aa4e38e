import { ToolError } from './errors.js';
import type { AbsolutePath } from './paths.js';

// Shared by name: a tool is several bundle files, each with its own copy of this module.
const address = Symbol.for('tributary.RepoUrl.address');

/**
 * Where a repository is fetched from. Printed, serialised or interpolated it never shows a credential; only `reveal`, called
 * where git is started, gives the address as it was written.
 */
export class RepoUrl {
  readonly kind: 'path' | 'remote';
  private readonly shown: string;

  declare readonly [address]: string;

  constructor(kind: 'path' | 'remote', text: string) {
    this.kind = kind;
    this.shown = kind === 'path' ? text : redactUrls(text);
    Object.defineProperty(this, address, { value: text, enumerable: false });
  }

  toString(): string {
    return this.shown;
  }

  toJSON(): string {
    return this.shown;
  }
}

/** The address with its credentials, for git's argument list only. */
export function reveal(url: RepoUrl): string {
  return url[address];
}

/**
 * Accepts `https:`, `http:`, `ssh:`, `git+ssh:`, `git+https:`, `file:`, `user@host:path` and paths. Other transports can run
 * programs (`ext::`, `fd::`), an option in the place of an address too. Throws `URL_REFUSED`.
 */
export function parseRepoUrl(text: string, resolvePath: (path: string) => AbsolutePath): RepoUrl {
  const bare = text.replace(/^git\+(?=(https?|ssh|file):)/, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in an address would forge output
  if (bare === '' || bare.startsWith('-') || /[\0-\x1f]/.test(bare)) throw refused(text, 'it is empty, starts with a dash or has a control character');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*)(:\/\/|::)/.exec(bare);
  if (scheme !== null) return parseWithScheme(text, bare, scheme);
  if (isScpLike(bare)) return new RepoUrl('remote', checkedHost(text, bare, bare.replace(/^[^@:]*@/, '')));
  return new RepoUrl('path', resolvePath(bare));
}

/** Takes user names, passwords and query strings out of every address in a text, as git's messages may show them. */
export function redactUrls(text: string): string {
  return text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)([^\s/@'"]*@)?([^\s?#'"]*)([?#][^\s'"]*)?/gi, (whole, scheme: string, user: string | undefined, rest: string, query: string | undefined) => {
    if (user === undefined && query === undefined) return whole;
    // The user name of an ssh address is no secret and is needed to reach it.
    const kept = user !== undefined && /^(git\+)?ssh:/i.test(scheme) && !user.includes(':') ? user : '';
    return `${scheme}${kept}${rest}`;
  });
}

function parseWithScheme(text: string, bare: string, scheme: RegExpExecArray): RepoUrl {
  const [, name = '', separator] = scheme;
  if (separator === '::' || !/^(https?|ssh|file)$/i.test(name)) throw refused(text, `"${name}" is not one of https, http, ssh, file and paths`);
  const rest = bare.slice(scheme[0].length);
  if (name.toLowerCase() === 'file') return new RepoUrl('remote', bare);
  return new RepoUrl('remote', checkedHost(text, bare, rest.replace(/^[^/]*@/, '')));
}

/** `host:path` and `user@host:path`, as git decides it: a colon before the first slash. */
function isScpLike(text: string): boolean {
  return /^[^/\\:]{2,}:/.test(text);
}

function checkedHost(text: string, bare: string, afterUser: string): string {
  // ssh would read such a host as an option.
  if (afterUser.startsWith('-') || afterUser === '') throw refused(text, 'it has no host, or one that starts with a dash');
  return bare;
}

function refused(text: string, why: string): ToolError {
  return new ToolError({
    code: 'URL_REFUSED',
    message: `The address ${redactUrls(text)} is refused: ${why}.`,
    hint: 'Give an https or ssh address, or the path of a repository on this machine.',
  });
}
