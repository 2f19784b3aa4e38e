import { isCredential } from '../credentials.js';

/** Variables that tests get in addition to the closed environment; `undefined` removes a variable. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns an environment with changes applied. */
export function withVariables(env: Readonly<Record<string, string>>, changes: Variables): Readonly<Record<string, string>> {
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

/** Whether a name or value looks like a token or a password. Neither tests nor a report get the value then. */
export function looksSecret(name: string, value: string | undefined): boolean {
  return SECRET.test(name) || (value !== undefined && (SECRET_VALUE.test(value) || isCredential(name, value)));
}

/** Facts about the variables of a package whose tests fail in the closed environment. */
export interface VariableFacts {
  /** The user's variables. */
  readonly user: Readonly<Record<string, string | undefined>>;
  /** The variables that the tests got. */
  readonly closed: Readonly<Record<string, string>>;
  /** The variables that the workflows of its source set to a literal. */
  readonly ci: ReadonlyMap<string, string>;
  /** The variables that its files read. */
  readonly read: ReadonlySet<string>;
}

/** A variable that may be missing. */
export interface VariableSuspect {
  readonly name: string;
  /** `undefined`: the variable is removed. */
  readonly value: string | undefined;
  readonly from: 'ci' | 'user';
}

export interface VariableSuspects {
  /** May be tried without asking: their values are public, or describe the time zone, the language or the terminal. Ordered by name. */
  readonly tried: readonly VariableSuspect[];
  /** The package reads them and the user has set them. Only the user may pass them on. Ordered by name. */
  readonly untried: readonly string[];
  /** Variables of the user or the workflows whose name or value looks like a secret. Nobody may pass them on. Ordered by name. */
  readonly refused: readonly string[];
}

/** Variables that the closed environment itself sets. */
const SET_HERE = ['CI', 'NO_COLOR', 'LC_ALL'];

/**
 * Returns the variables whose absence may make tests fail in the closed environment. A literal of the workflows takes
 * precedence over the user's value.
 */
export function suspectVariables({ user, closed, ci, read }: VariableFacts): VariableSuspects {
  const literals = [...ci].filter(([name, value]) => !OF_THE_TOOL.test(name) && closed[name] !== value);
  const isSecret = ([name, value]: readonly [string, string]): boolean => whyRefused(name, value) !== undefined;
  const open = literals.filter((one) => !isSecret(one));
  const tried = new Map<string, VariableSuspect>(open.map(([name, value]) => [name, { name, value, from: 'ci' }]));
  const refused = new Set(literals.filter(isSecret).map(([name]) => name));
  const untried: string[] = [];
  for (const name of new Set([...SET_HERE, ...Object.keys(user)])) {
    const value = user[name];
    if (tried.has(name) || closed[name] === value || OF_THE_TOOL.test(name)) continue;
    if (value === undefined || isOpen(name, value)) tried.set(name, { name, value, from: 'user' });
    else if (read.has(name) && isSecret([name, value])) refused.add(name);
    else if (read.has(name)) untried.push(name);
  }
  const byName = [...tried.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { tried: byName, untried: untried.sort(), refused: [...refused].sort() };
}

/** Names of variables that describe the time zone, the language or the terminal. */
const DESCRIBING =
  /^(?:TZ|LANG|LANGUAGE|LC_(?:ALL|COLLATE|CTYPE|MESSAGES|MONETARY|NUMERIC|TIME)|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|CI|COLUMNS|LINES)$/;

/**
 * Whether a variable of the user may be tried without asking. A path may lead to data that tests overwrite, and a
 * switch may start a deployment.
 */
function isOpen(name: string, value: string): boolean {
  return DESCRIBING.test(name) && whyRefused(name, value) === undefined;
}
