import type { Message } from './message.js';

/** Whether a text has a credential in it: in an address, in its query, or by the form that tokens of well-known services have. The user name of an ssh address is none. */
export function holdsCredential(text: string): boolean {
  return IN_ADDRESS.test(text) || IN_QUERY.test(text) || TOKEN.test(text);
}

/** Whether a key of a file, or the text behind it, tells of a credential. */
export function isCredential(key: string, text: string): boolean {
  return holdsCredential(text) || setsCredential(`${key.slice(key.lastIndexOf('.') + 1)}: ${text}`) || setsCredential(text);
}

/** Whether lines of settings or commands set a credential that is written out, not taken from the environment: `_authToken=…`, `npmAuthToken: …`. */
export function setsCredential(text: string): boolean {
  return SET.test(text) || holdsCredential(text);
}

/** `https://token@host`, `https://user:password@host`; what comes from the environment is none. */
const IN_ADDRESS = /(?<!\bssh):\/\/(?!git@)(?![^\s/@"']*\$\{?\{?)[^\s/@"']+@|\bssh:\/\/[^\s/@:"']+:(?!\$)[^\s/@"']+@/;

const IN_QUERY = /[?&][\w-]*(?:token|auth|key|secret|password)[\w-]*=(?!\$)[^\s&"']/i;

/** Of GitHub, npm, GitLab, Slack, Amazon; a key in the form of PEM; a JSON Web Token. */
const TOKEN =
  /\b(?:gh[pousr]_\w{36}|github_pat_\w{40}|npm_\w{36}|glpat-[\w-]{20}|xox[abprs]-[\w-]{10}|AKIA[0-9A-Z]{16}\b|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.)|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const SET =
  /(?:^|[\s"':;])(?:_authToken|_auth|_password|authToken|npmAuthToken|npmAuthIdent)["']?\s*[=:]\s*["']?(?!\$\{?\{?[\w\s.]+\}?\}?["']?\s*$)[^\s"']/im;

/** What a person is told of one in a setting. */
export const CREDENTIAL: Message = {
  topic: 'credentials',
  text: 'It contains a credential, which is neither carried over nor shown: revoke it, and configure the root without a credential in the file.',
};
