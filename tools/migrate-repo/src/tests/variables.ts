import { isCredential } from '../credentials.js';

/** Variables that tests get in addition to the closed environment; `undefined` removes a variable. */
export type TestVariables = Readonly<Record<string, string | undefined>>;

/** Returns an environment with changes applied. */
export function withVariables(env: Readonly<Record<string, string>>, changes: TestVariables): Readonly<Record<string, string>> {
  const all = Object.entries({ ...env, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Variables with which the tool closes the environment. Passing them on would open it. */
const OF_THE_TOOL =
  /^(?:PATH|Path|HOME|USERPROFILE|TMPDIR|TEMP|TMP|XDG_\w+|APPDATA|LOCALAPPDATA|COREPACK_\w+|YARN_\w+|npm_config_\w+|GIT_(?!AUTHOR_|COMMITTER_)\w+|SSH_\w+|TRIBUTARY_\w+)$/i;
const SECRET =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH(?!ORS?(?:_|$))|COOKIE|SESSION|PRIVATE|API_?KEY|ACCESS_?KEY|JWT|BEARER|(?:PASS|CREDS?|OTP)(?:_|$)|(?:^|_)(?:KEY|KEYS|PAT|PWD|PIN)(?:_|$)/i;
/**
 * A header, a key of Stripe or OpenAI (`sk_SK` is Slovak), a connection string, or `user:password@host`
 * (`node:22@sha256:…` is an image).
 */
const SECRET_VALUE = /^(?:Bearer|Basic)\s|\bsk[-_][\w-]{6}|(?:Password|Pwd|AccountKey)\s*=|(?:^|:\/\/)[^\s/@:]*:[^\s@]+@(?!sha256:)/i;

/** Returns why tests never get a variable; `undefined` if they get it once the user agrees. */
export function whyRefused(name: string, value: string | undefined): 'closed' | 'secret' | undefined {
  if (OF_THE_TOOL.test(name)) return 'closed';
  return looksSecret(name, value) ? 'secret' : undefined;
}

/** Whether a name or value looks like a token or a password. */
function looksSecret(name: string, value: string | undefined): boolean {
  return SECRET.test(name) || (value !== undefined && (SECRET_VALUE.test(value) || isCredential(name, value)));
}
