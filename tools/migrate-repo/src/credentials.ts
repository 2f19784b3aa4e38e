import { holdsToken } from '@tributary/model/secrets';
import type { Message } from './message.js';

/**
 * Whether a text contains a credential: in a URL or its query, or a token in the format of a well-known service. The
 * user name of an ssh URL is not a credential.
 */
export function holdsCredential(text: string): boolean {
  return IN_ADDRESS.test(text) || IN_QUERY.test(text) || holdsToken(text);
}

/** Whether a setting's key or its text indicates a credential. */
export function isCredential(key: string, text: string): boolean {
  return holdsCredential(text) || setsCredential(`${key.slice(key.lastIndexOf('.') + 1)}: ${text}`) || setsCredential(text);
}

/** Whether settings or commands set a literal credential, not one from the environment: `_authToken=…`, `npmAuthToken: …`. */
export function setsCredential(text: string): boolean {
  return SET.test(text) || holdsCredential(text);
}

/** `https://token@host`, `https://user:password@host`; not a value from the environment. */
const IN_ADDRESS = /(?<!\bssh):\/\/(?!git@)(?![^\s/@"']*\$\{?\{?)[^\s/@"']+@|\bssh:\/\/[^\s/@:"']+:(?!\$)[^\s/@"']+@/;

const IN_QUERY = /[?&][\w-]*(?:token|auth|key|secret|password)[\w-]*=(?!\$)[^\s&"']/i;

const SET =
  /(?:^|[\s"':;])(?:_authToken|_auth|_password|authToken|npmAuthToken|npmAuthIdent)["']?\s*[=:]\s*["']?(?!\$\{?\{?[\w\s.]+\}?\}?["']?\s*$)[^\s"']/im;

/** The message about a credential in a setting. */
export const CREDENTIAL: Message = {
  topic: 'credentials',
  text: 'It contains a credential, which is neither carried over nor shown: revoke it, and configure the root without a credential in the file.',
};
