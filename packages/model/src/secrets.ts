import { matchesStars } from './stars.js';

/** Names of variables and settings that hold a secret, such as `NPM_TOKEN`, `DB_PASS` and `AWS_SECRET_ACCESS_KEY`. */
const SECRET_NAME =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH(?!ORS?(?:_|$))|COOKIE|SESSION|PRIVATE|API_?KEY|ACCESS_?KEY|CONNECTION_?STRING|JWT|BEARER|(?:PASS|CREDS?|OTP|DSN)(?:_|$)|(?:^|_)(?:KEY|KEYS|PAT|PWD|PIN)(?:_|$)/i;

/**
 * A header, a key of Stripe or OpenAI (`sk_SK` is Slovak), a connection string, or `user:password@host`
 * (`node:22@sha256:…` is an image). With bounds: whoever writes a commit message writes a variable of some engines.
 */
const SECRET_VALUE =
  /^(?:Bearer|Basic)\s|\bsk[-_][\w-]{6}|(?:Password|Pwd|AccountKey)\s{0,9}=|(?:^|:\/\/)[^\s/@:]{0,500}:[^\s@]{1,500}@(?!sha256:)/i;

/**
 * Tokens in the form of a well-known service: GitHub, npm, GitLab, Slack, Amazon, Google, Stripe, OpenAI, PyPI, Docker, Hugging Face,
 * SendGrid, and JSON Web Tokens. Shorter ones count too: a report may have cut them.
 */
const TOKEN =
  /\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|npm_[A-Za-z0-9]{16,}|gl(?:pat|dt|rt|cbt|ptt|agent)-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}|A[KS]IA[0-9A-Z]{16}\b|AIza[\w-]{20,}|ya29\.[\w-]{16,}|[rs]k[-_](?:live|test|proj|ant)[-_][\w-]{8,}|pypi-[\w-]{16,}|dckr_pat_[\w-]{8,}|hf_[A-Za-z0-9]{16,}|SG\.[\w-]{10,100}\.[\w-]{10,}|eyJ[\w-]{10,500}\.eyJ[\w-]{10,}(?:\.[\w-]*)?)/g;

/** A private key in PEM, to its end or to where the text was cut; its line ends may be escaped. */
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g;

/** What follows the name of a header with a credential, however it is quoted: `authorization: 'Bearer …'`. */
const HEADER = /\b((?:proxy-)?authorization|x-api-key|private-token|job-token)(\\*["']?\s*[:=]\s*\\*["'`]?)[^\n"'`\\]+/gi;

/** `Bearer …` and `Basic …` elsewhere; not words without a digit, such as "Basic authentication". */
const SCHEME = /\b(Bearer|Basic)\s+(?=[^\s"'`]*\d)[\w.~+/=-]{12,}/g;

/** `user:password` in an address, which no variable needs to hold. */
const LOGIN = /:\/\/[^\s/@:"'`<>\\]{0,500}:[^\s/?#@"'`<>\\]{1,500}@/g;

/** Returns whether the name or the value of a variable indicates a secret. */
export function looksSecret(name: string, value: string | undefined): boolean {
  return SECRET_NAME.test(name) || (value !== undefined && (SECRET_VALUE.test(value) || holdsToken(value)));
}

/** Returns whether a text has a token in a well-known form, or a private key. */
export function holdsToken(text: string): boolean {
  return text.search(TOKEN) !== -1 || text.search(PEM) !== -1;
}

/** Returns a text with `***` in the place of each secret. Masking twice changes nothing more. */
export type Mask = (text: string) => string;

const HIDDEN = '***';
const FORMS = [
  [PEM, HIDDEN],
  [HEADER, `$1$2${HIDDEN}`],
  [SCHEME, `$1 ${HIDDEN}`],
  [LOGIN, `://${HIDDEN}@`],
  [TOKEN, HIDDEN],
] as const;

/**
 * Returns a mask for texts that a process with this environment has printed. It replaces the values of variables that look secret: written
 * out, JSON-escaped, URL-encoded and in base64, and pieces of long ones, because a report cuts texts. It also replaces tokens in well-known
 * forms, private keys, and headers that authorise. A secret in a variable with an innocent name is not known.
 */
export function maskFor(environment: Readonly<Record<string, string | undefined>>): Mask {
  const secret = Object.entries(environment).filter(([name, value = '']) => isSecret(name, value, environment));
  const values = [...new Set(secret.flatMap(([name, value = '']) => valuesOf(name, value)))];
  const whole = values.filter((value) => lengthOfPieces(value) === undefined).flatMap(formsOf);
  whole.sort((a, b) => b.length - a.length);
  const pieces = PIECES.map((length) => {
    const forms = values.filter((value) => lengthOfPieces(value) === length).flatMap(formsOf);
    return { length, known: new Set(forms.flatMap((form) => piecesOf(form, length))) };
  });
  return (text) => {
    const known = FORMS.reduce((masked, [form, shown]) => masked.replace(form, shown), text);
    return whole.reduce((masked, form) => masked.replaceAll(form, HIDDEN), withoutPieces(known, pieces));
  };
}

/** Buildkite's list of patterns of names; its default names suffixes that are secret here anyway. */
const REDACTED = 'BUILDKITE_REDACTED_VARS';

function isSecret(name: string, value: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  if (looksSecret(name, value)) return true;
  const patterns = (environment[REDACTED] ?? '').split(',').map((one) => one.trim());
  return patterns.some((one) => one !== '' && one !== '*' && matchesStars(one, name));
}

/** Shorter values, such as `true`, would be masked in ordinary words. */
const SHORTEST = 6;

/**
 * Each line of a value is a secret of its own, as for CI engines. In a variable with an innocent name, such as the message of a commit, only
 * lines that look secret are.
 */
function valuesOf(name: string, value: string): readonly string[] {
  const lines = value.split(/\r?\n|\\n/).map((line) => line.trim());
  const secret = looksSecret(name, '') ? lines : lines.filter((line) => looksSecret('', line));
  return [...new Set([value.trim(), ...secret])].filter((one) => one.length >= SHORTEST);
}

function formsOf(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  return [value, json, encodeURIComponent(value), encodeURI(value), ...base64Of(value)].filter((form) => form.length >= SHORTEST);
}

/** Base64 of a text that contains the value, such as `user:password`: what the value alone decides, for each place where it may begin. */
function base64Of(value: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const first = Math.ceil((before * 8) / 6);
    const core = bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The lengths of pieces that are looked for, in characters: of what looks random, and of what may have words. */
const PIECES = [8, 16] as const;

/** Returns the length of the pieces of a value; `undefined` for one that is only looked for as a whole: it is short, or a path. */
function lengthOfPieces(value: string): number | undefined {
  if (value.length < PIECES[1] || /^(?:[./~]|[A-Za-z]:[\\/])/.test(value)) return undefined;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/[\s/]/.test(value) ? PIECES[0] : PIECES[1];
}

function piecesOf(form: string, length: number): readonly string[] {
  return Array.from({ length: Math.max(form.length - length + 1, 0) }, (_, at) => form.slice(at, at + length));
}

/** Replaces each run of characters that pieces cover. */
function withoutPieces(text: string, pieces: readonly { readonly length: number; readonly known: ReadonlySet<string> }[]): string {
  const kept: string[] = [];
  let hiddenTo = 0;
  for (let at = 0; at < text.length; at++) {
    for (const { length, known } of pieces) {
      if (known.size === 0 || !known.has(text.slice(at, at + length))) continue;
      if (kept.length === 0 || at > hiddenTo) kept.push(text.slice(hiddenTo, at), HIDDEN);
      hiddenTo = Math.max(hiddenTo, at + length);
    }
  }
  return kept.join('') + text.slice(hiddenTo);
}
