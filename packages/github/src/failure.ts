import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { redactUrls } from '@tributary/model/repo-url';
import { type Complaint, complaintIn } from './graphql-complaint.js';

/** What a request asks for, in the words of its error message. */
export interface ApiQuestion {
  /** Completes "GitHub did not show …", such as `pull request 7 of acme/app`. */
  readonly what: string;
  /** `write`: "GitHub did not write …". */
  readonly did?: 'show' | 'write';
  /** The permission that the token needs, in the syntax of a workflow: `pull-requests: read`. */
  readonly permission: string;
  /** The permissions of GraphQL fields that need another one, by field name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** What octokit throws: an `Error` with the HTTP status, which is 500 even if there was no response. */
interface Refusal {
  readonly status: number;
  /** `undefined` if there was no response. */
  readonly headers: Readonly<Record<string, unknown>> | undefined;
  readonly text: string;
  /** Whether `text` has the reasons for status 422. */
  readonly isReasoned: boolean;
}

/** Returns octokit's error as a ToolError. octokit's error itself is dropped: it contains the request with its headers. */
export function refusedOrUnreachable(question: ApiQuestion, error: unknown, token: string | undefined): Error {
  const complaint = complaintIn(error);
  if (complaint !== undefined) return complained(question, { ...complaint, message: printable(complaint.message, token) });
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') {
    // Not from the API: a bug of this package, or a ToolError of the caller.
    return error instanceof Error ? error : new Error(String(error));
  }
  const reasons = reasonsIn(error);
  const text = printable(reasons ?? messageBesideErrors(error) ?? deepestWords(error), token);
  const refusal = { status: error.status, headers: headersOf(error), text, isReasoned: reasons !== undefined };
  return refusal.headers !== undefined && refusal.status >= 400 && refusal.status < 500
    ? refused(question, refusal)
    : unreachable(question, refusal);
}

/** Returns the error for a response that does not match the API's description: another server may have sent it. */
export function misunderstood({ what }: ApiQuestion, why: string): ToolError {
  return new ToolError({
    code: 'GITHUB_UNREACHABLE',
    message: `The answer for ${what} is not from the GitHub API: ${why}.`,
    hint: 'Check the address of the API (GITHUB_API_URL) and any proxies.',
  });
}

function refused(question: ApiQuestion, { status, headers, text, isReasoned }: Refusal): ToolError {
  const isLimit = saysLimit(status, { headers, text });
  return new ToolError({
    code: 'GITHUB_REFUSED',
    message: `GitHub did not ${question.did ?? 'show'} ${question.what}: ${status}, ${text}`,
    hint: isLimit
      ? LIMIT
      : status === 422 && isReasoned
        ? REASONED
        : (hints(question)[status] ?? `See the API's documentation for status ${status}.`),
    data: { status, ...(isLimit ? { pauseSeconds: pauseAfter(headers) } : {}) },
  });
}

/**
 * Returns the error for a GraphQL complaint, which has status 200. A query that was too much for the server is repeated with a smaller
 * page, so it counts as no response.
 */
function complained(question: ApiQuestion, { kind, message, field, headers }: Complaint): ToolError {
  const { what, did = 'show', fields = {} } = question;
  const text = `GitHub did not ${did} ${what}: ${message}`;
  if (kind === 'too much')
    return new ToolError({ code: 'GITHUB_UNREACHABLE', message: text, hint: 'Try again later; the API is slow at times.' });
  if (kind === 'limit')
    return new ToolError({ code: 'GITHUB_REFUSED', message: text, hint: LIMIT, data: { pauseSeconds: pauseAfter(headers) } });
  const hint = {
    forbidden: `Give the token the permission "${fields[field] ?? question.permission}".`,
    missing: hints(question)[404] ?? '',
    other: 'The API rejects this query; an older GitHub Enterprise Server may lack some of its fields.',
  }[kind];
  return new ToolError({ code: 'GITHUB_REFUSED', message: text, hint });
}

const REASONED = 'GitHub says what it does not accept. Change that, then run the same command again.';

const LIMIT = 'The request limit of this token is reached; wait, or use a separate token.';

function hints({ permission }: ApiQuestion): Readonly<Record<number, string>> {
  return {
    401: 'The token is wrong, revoked or has expired.',
    403: `Give the token the permission "${permission}".`,
    404: `Check the names and the number. GitHub answers the same if the token lacks the permission "${permission}".`,
  };
}

function saysLimit(status: number, { headers, text }: Pick<Refusal, 'headers' | 'text'>): boolean {
  const isSaid = headers?.['x-ratelimit-remaining'] === '0' || headers?.['retry-after'] !== undefined || /secondary rate/i.test(text);
  return status === 429 || (status === 403 && isSaid);
}

function unreachable(question: ApiQuestion, { status, headers, text }: Refusal): ToolError {
  return new ToolError({
    code: 'GITHUB_UNREACHABLE',
    message: `GitHub did not ${question.did ?? 'show'} ${question.what}: ${headers === undefined ? text : `${status}, ${text}`}`,
    hint: 'Check the address of the API (GITHUB_API_URL) and the network, or try again later.',
    data: headers === undefined ? {} : { status },
  });
}

function headersOf(error: Error): Refusal['headers'] {
  const { headers } = responseOf(error);
  return typeof headers === 'object' && headers !== null ? { ...headers } : undefined;
}

function responseOf(error: Error): Readonly<Record<string, unknown>> {
  const response = 'response' in error ? error.response : undefined;
  return typeof response === 'object' && response !== null ? { ...response } : {};
}

/**
 * Returns `Validation Failed: A pull request already exists for acme:main.`: the message of a 422 and the reasons in its `errors`;
 * `undefined` without reasons. Source: docs.github.com/rest, "Troubleshooting the REST API", "Validation Failed".
 */
function reasonsIn(error: Error): string | undefined {
  const { data } = responseOf(error);
  if (!isPlainObject(data)) return undefined;
  const { message, errors } = data;
  const reasons = (Array.isArray(errors) ? errors : [errors]).map(reasonIn).filter((reason) => reason !== undefined);
  if (reasons.length === 0) return undefined;
  return [...(isSaid(message) ? [message] : []), reasons.join('; ')].join(': ');
}

/** octokit would add `errors` as JSON, also where they tell nothing. */
function messageBesideErrors(error: Error): string | undefined {
  const { data } = responseOf(error);
  return isPlainObject(data) && data['errors'] !== undefined && isSaid(data['message']) ? data['message'] : undefined;
}

/** The code `custom` refers to a message. */
function reasonIn(entry: unknown): string | undefined {
  if (isSaid(entry)) return entry;
  if (!isPlainObject(entry)) return undefined;
  const { message, field, resource, code } = entry;
  if (isSaid(message)) return message;
  if (!isSaid(code) || code === 'custom') return undefined;
  const subject = [field, resource].find(isSaid);
  return subject === undefined ? code : `"${subject}" is ${code}`;
}

function isSaid(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** "fetch failed" says nothing; why, stands in the cause of the cause. */
function deepestWords(error: Error): string {
  let words = error.message;
  for (let cause = error.cause; typeof cause === 'object' && cause !== null; cause = 'cause' in cause ? cause.cause : undefined) {
    // If several addresses were tried, the error has only a code.
    const { message, code } = cause as { readonly message?: unknown; readonly code?: unknown };
    const text = message === '' || message === undefined ? code : message;
    if (typeof text === 'string') words = text;
  }
  return words;
}

/** Returns one short line without control characters, credentials of addresses, or the token, which a server could send back. */
function printable(text: string, token: string | undefined): string {
  const bare = token === undefined ? text : text.replaceAll(token, '***');
  const line = redactUrls(bare.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()).slice(0, 300);
  return line === '' ? 'without a word' : line;
}

/** GitHub requires at least a minute if it names no time. */
const UNNAMED_SECONDS = 60;

/**
 * Returns how many seconds to wait after a "too many requests" response, from its headers (names in lower case). `x-ratelimit-reset` is a
 * time of the server's clock, so it is compared with the server's `date`. Source: docs.github.com, "Rate limits for the REST API".
 */
function pauseAfter(headers: Readonly<Record<string, unknown>> | undefined): number {
  const after = Number(headers?.['retry-after'] ?? Number.NaN);
  if (after >= 0) return after;
  const resetAt = Number(headers?.['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  if (headers?.['x-ratelimit-remaining'] !== '0' || Number.isNaN(resetAt)) return UNNAMED_SECONDS;
  const saidAt = Date.parse(String(headers['date']));
  const now = Number.isNaN(saidAt) ? Date.now() : saidAt;
  // Adds a second after the reset, as octokit does.
  return Math.max(0, Math.ceil((resetAt - now) / 1000)) + 1;
}
