import { ToolError } from './errors.js';
import type { AbsolutePath } from './paths.js';

// A global symbol: a tool is several bundle files, each with its own copy of this module.
const address = Symbol.for('tributary.RepoUrl.address');

// A line break or an escape sequence in an address could forge output.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029]/;
const UNPRINTED = new RegExp(`${CONTROL.source}|[\\s'"]`, 'g');

/**
 * The address to fetch a repository from. It shows no credentials when printed, serialised or interpolated. Only `reveal`, called where git
 * is started, returns the original address.
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

/** Returns the address with its credentials, only for git's argument list. */
export function reveal(url: RepoUrl): string {
  return url[address];
}

/**
 * Parses `https:`, `http:`, `ssh:`, `git+ssh:`, `git+https:`, `file:`, `user@host:path` and paths. Rejects other transports, which can run
 * programs (`ext::`, `fd::`), and addresses that git would read as an option. Throws `URL_REFUSED`.
 */
export function parseRepoUrl(text: string, resolvePath: (path: string) => AbsolutePath): RepoUrl {
  const bare = text.replace(/^git\+(?=(https?|ssh|file):)/i, '');
  if (bare === '' || bare.startsWith('-') || CONTROL.test(bare))
    throw refused(text, 'it is empty, starts with a dash or has a control character');
  // git also allows a digit as the first character of a transport.
  const scheme = /^([A-Za-z0-9][A-Za-z0-9+.-]*)(:\/\/|::)/.exec(bare);
  if (scheme !== null) return parseWithScheme(text, bare, scheme);
  // git would take `user` for the host of `user:password@host:path`, and everybody would see the password.
  if (/^[^/@:]+:[^/@]*@[^/]*:/.test(bare)) throw refused('with a password before its host', 'an address of this form cannot have one');
  if (isScpLike(bare)) return new RepoUrl('remote', checkedHost(text, bare, bare.slice(0, bare.indexOf(':'))));
  const path = resolvePath(bare);
  if (CONTROL.test(path)) throw refused(text, 'it decodes to a path with a control character');
  return new RepoUrl('path', path);
}

// Without an `@`, which may be in the path only after such a host: `https://host.example:8443/@scope/x`.
const HOST = /^(?:\[[\w:.%]*\]|[^?#'":@[\]]+)(?::\d+)?$/;
// At the end of a word, the host may be followed by punctuation: "Is it 'ssh://git@host.example'?"
const LAST_HOST = /^(?:\[[\w:.%]*\]|[^?#'":@[\]]+)(?::\d+)?(?:['":?][^\w@]*)?$/;
// Punctuation alone is not a query: "Did you mean https://host.example/x?"
const QUERY = /(:\/\/[^\s?#'"]*)([?#](?=[^\s'"]*[^\s'"?#.,;:!)\]}>])[^\s'"]*)?/g;

/**
 * Returns a text in which every address has no user name, password or query string, for texts such as git's messages. If the end of a
 * password is unclear (an unencoded `/`, `?`, `#` or quote), everything up to the word's last `@` is hidden. Redacting twice changes
 * nothing more. The user name of an ssh address stays: it is no secret and is needed to connect.
 */
export function redactUrls(text: string): string {
  // Most texts have no address. A pattern over megabytes can overflow the stack of a process that has compiled many patterns.
  if (!text.includes('://')) return text;
  return text.replace(/\S+/g, hideUsers).replace(QUERY, '$1');
}

/** Hides the user parts of all addresses in `word`, a text without blanks. */
function hideUsers(word: string): string {
  const lastAt = word.lastIndexOf('@');
  const kept: string[] = [];
  let done = 0;
  for (let colon = word.indexOf('://'); colon !== -1 && colon < lastAt; colon = word.indexOf('://', done)) {
    const start = colon + 3;
    const user = userLength(word, start, lastAt);
    kept.push(word.slice(done, start));
    done = start + user;
  }
  return kept.join('') + word.slice(done);
}

/**
 * Returns how many characters of an address to hide, counted from `start`, the end of its scheme. Reads no further than the next slash, so
 * time stays linear.
 */
function userLength(word: string, start: number, lastAt: number): number {
  const slash = word.indexOf('/', start);
  const authority = word.slice(start, slash === -1 ? undefined : slash);
  const at = authority.lastIndexOf('@');
  const [user, host] = [authority.slice(0, Math.max(at, 0)), authority.slice(at + 1)];
  const scheme = word.slice(Math.max(start - 11, 0), start - 3);
  const isFile = authority === '' && /file$/i.test(scheme);
  const isHost = (slash === -1 ? LAST_HOST : HOST).test(host);
  // `user:p@ss/word@host.example`: `ss` is not a host of the internet, so the password continues.
  const isInPassword = user.includes(':') && lastAt > start + at && !/[.:\]]|^localhost$/i.test(host);
  if (!isFile && (!isHost || isInPassword)) return lastAt + 1 - start;
  const isNeeded = /(?<![a-z0-9+.-])(git\+)?ssh$/i.test(scheme) && !/[:?#'"]/.test(user);
  return isNeeded ? 0 : at + 1;
}

function parseWithScheme(text: string, bare: string, scheme: RegExpExecArray): RepoUrl {
  const [, name = '', separator] = scheme;
  if (separator === '::' || !/^(https?|ssh|file)$/i.test(name))
    throw refused(text, `"${name}" is not one of https, http, ssh, file and paths`);
  const rest = bare.slice(scheme[0].length);
  const transport = name.toLowerCase();
  // git accepts transports only in lower case.
  const written = `${transport}://${rest}`;
  if (transport === 'file') return new RepoUrl('remote', written);
  const [authority = ''] = rest.split('/', 1);
  // Where such a character ends the address is unclear in a text, so a password in it would be printed.
  if (/[\s'"]/.test(transport === 'ssh' ? authority : rest))
    throw refused(text, 'it has a blank or a quote, which must be written as %20, %22 or %27');
  if (/[?#]/.test(authority)) throw refused(text, 'it has no path, or a user or password with ? or #, which must be written as %3F or %23');
  return new RepoUrl('remote', checkedHost(text, written, authority));
}

/** Returns whether git reads it as `host:path` or `user@host:path`: a colon before the first slash. */
function isScpLike(text: string): boolean {
  return /^[^/\\:]{2,}:/.test(text);
}

/** Checks the host. `authority` is the part before the path: `user:password@host:port`. */
function checkedHost(text: string, bare: string, authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host === '' || host.startsWith(':')) throw refused(text, 'it has no host');
  // ssh would read it as an option. git removes brackets and percent signs before ssh sees it.
  if ([authority, host].some((part) => /^(\[|%5b)*(-|%2d)/i.test(part))) throw refused(text, 'its host or user starts with a dash');
  if (/^https?:/i.test(bare) && !/^(\[[^\]]*\]|[^:]*)(:\d*)?$/.test(host)) throw refused(text, 'its port is not a number');
  return bare;
}

function refused(text: string, why: string): ToolError {
  return new ToolError({
    code: 'URL_REFUSED',
    message: `The address ${redactUrls(text.replace(UNPRINTED, '_'))} is refused: ${why}.`,
    hint: 'Give an https or ssh address, or the path of a repository on this machine.',
  });
}
