import { ToolError } from './errors.js';
import type { AbsolutePath } from './paths.js';

// Shared by name: a tool is several bundle files, each with its own copy of this module.
const address = Symbol.for('tributary.RepoUrl.address');

// A line break or an escape sequence in an address would forge output.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029]/;
const UNPRINTED = new RegExp(`${CONTROL.source}|[\\s'"]`, 'g');

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

  /** For `console.log` and `util.inspect`, which can be asked for hidden properties. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
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
  const bare = text.replace(/^git\+(?=(https?|ssh|file):)/i, '');
  if (bare === '' || bare.startsWith('-') || CONTROL.test(bare))
    throw refused(text, 'it is empty, starts with a dash or has a control character');
  // git also takes a digit as the first character of a transport.
  const scheme = /^([A-Za-z0-9][A-Za-z0-9+.-]*)(:\/\/|::)/.exec(bare);
  if (scheme !== null) return parseWithScheme(text, bare, scheme);
  // git would take `user` for the host of `user:password@host:path`, and everybody would see the password.
  if (/^[^/@:]+:[^/@]*@[^/]*:/.test(bare)) throw refused('with a password before its host', 'an address of this form holds none');
  if (isScpLike(bare)) return new RepoUrl('remote', checkedHost(text, bare, bare.slice(0, bare.indexOf(':'))));
  const path = resolvePath(bare);
  if (CONTROL.test(path)) throw refused(text, 'it stands for a path with a control character');
  return new RepoUrl('path', path);
}

// A password may hold `@`, and one with a slash or `?` that nobody encoded is told from a path by what is no port: `user:pass/word@host`.
// The start is no letter of a scheme, so that a long word is looked at once and not from each of its letters.
const USER = /(?<![a-z0-9+.-])([a-z0-9+.-]*:\/\/)([^\s/?#"]*@|[^\s/?#":@[]*:(?!\d*(?:[\s/?#'"]|$))[^\s"]{0,1000}@)/gi;
// Punctuation alone is no query: "Did you mean https://host.example/x?"
const QUERY = /(:\/\/[^\s?#'"]*)([?#](?=[^\s'"]*[^\s'"?#.,;:!)\]}>])[^\s'"]*)?/g;

/** Takes user names, passwords and query strings out of every address in a text, as git's messages may show them. */
export function redactUrls(text: string): string {
  // The user name of an ssh address is no secret and is needed to reach it.
  const users = (_: string, scheme: string, user: string): string =>
    /^(git\+)?ssh:/i.test(scheme) && !/[:/]/.test(user) ? `${scheme}${user}` : scheme;
  return text.replace(USER, users).replace(QUERY, '$1');
}

function parseWithScheme(text: string, bare: string, scheme: RegExpExecArray): RepoUrl {
  const [, name = '', separator] = scheme;
  if (separator === '::' || !/^(https?|ssh|file)$/i.test(name))
    throw refused(text, `"${name}" is not one of https, http, ssh, file and paths`);
  const rest = bare.slice(scheme[0].length);
  const transport = name.toLowerCase();
  // git knows transports in small letters only.
  const written = `${transport}://${rest}`;
  if (transport === 'file') return new RepoUrl('remote', written);
  const [authority = ''] = rest.split('/', 1);
  // Beyond such a character the address could not be told from the text around it, and a password in it would be printed.
  if (/[\s'"]/.test(transport === 'ssh' ? authority : rest))
    throw refused(text, 'it has a blank or a quote, which must be written as %20, %22 or %27');
  if (/[?#]/.test(authority)) throw refused(text, 'it has no path, or a user or password with ? or #, which must be written as %3F or %23');
  return new RepoUrl('remote', checkedHost(text, written, authority));
}

/** `host:path` and `user@host:path`, as git decides it: a colon before the first slash. */
function isScpLike(text: string): boolean {
  return /^[^/\\:]{2,}:/.test(text);
}

/** `authority`: what stands before the path, `user:password@host:port`. */
function checkedHost(text: string, bare: string, authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host === '' || host.startsWith(':')) throw refused(text, 'it has no host');
  // ssh would read it as an option; git takes brackets and percent signs away before ssh sees it.
  if ([authority, host].some((part) => /^(\[|%5b)*(-|%2d)/i.test(part))) throw refused(text, 'its host or user starts with a dash');
  if (/^https?:/i.test(bare) && !/^(\[[^\]]*\]|[^:]*)(:\d*)?$/.test(host)) throw refused(text, 'its port is no number');
  return bare;
}

function refused(text: string, why: string): ToolError {
  return new ToolError({
    code: 'URL_REFUSED',
    message: `The address ${redactUrls(text.replace(UNPRINTED, '_'))} is refused: ${why}.`,
    hint: 'Give an https or ssh address, or the path of a repository on this machine.',
  });
}
