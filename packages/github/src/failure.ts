import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { redactUrls } from '@tributary/model/repo-url';
import { type Complaint, complaintIn } from './graphql-complaint.js';
import { pauseAfter } from './rate-limit.js';

/** What the API is asked for, in the words of its failure. */
export interface Question {
  /** `pull request 7 of acme/app`: completes "GitHub did not show …". */
  readonly what: string;
  /** `write`: "GitHub did not write …". */
  readonly did?: 'show' | 'write';
  /** What the token must be allowed, as a workflow writes it: `pull-requests: read`. */
  readonly permission: string;
  /** Fields of a GraphQL query that need another permission, by their name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** What octokit throws: an `Error` with the HTTP status, 500 also where no answer came. */
interface Refusal {
  readonly status: number;
  /** `undefined` where no answer came. */
  readonly headers: Readonly<Record<string, unknown>> | undefined;
  readonly text: string;
}

/** Names what octokit threw. Its error is not handed on: it holds the request with its headers. */
export function refusedOrUnreachable(question: Question, error: unknown, token: string | undefined): Error {
  const complaint = complaintIn(error);
  if (complaint !== undefined) return complained(question, { ...complaint, message: printable(complaint.message, token) });
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') {
    // Not of the API: a defect of ours, or a ToolError of the one who asked.
    return error instanceof Error ? error : new Error(String(error));
  }
  const refusal = { status: error.status, headers: headersOf(error), text: printable(reasonsIn(error) ?? deepestWords(error), token) };
  return refusal.headers !== undefined && refusal.status >= 400 && refusal.status < 500
    ? refused(question, refusal)
    : unreachable(question, refusal);
}

/** The answer came, but is not what the API's description promises: another server may have given it. */
export function misunderstood({ what }: Question, why: string): ToolError {
  return new ToolError({
    code: 'GITHUB_UNREACHABLE',
    message: `The answer for ${what} is not from the GitHub API: ${why}.`,
    hint: 'Check the address of the API (GITHUB_API_URL) and any proxies.',
  });
}

function refused(question: Question, { status, headers, text }: Refusal): ToolError {
  const isLimit = saysLimit(status, { headers, text });
  return new ToolError({
    code: 'GITHUB_REFUSED',
    message: `GitHub did not ${question.did ?? 'show'} ${question.what}: ${status}, ${text}`,
    hint: isLimit ? LIMIT : (hints(question)[status] ?? `See the API's documentation for status ${status}.`),
    data: { status, ...(isLimit ? { pauseSeconds: pauseAfter(headers) } : {}) },
  });
}

/** GraphQL says no with the status 200. What was too much for it is asked again with less, so it counts as no answer. */
function complained(question: Question, { kind, message, field, headers }: Complaint): ToolError {
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

const LIMIT = 'The request limit of this token is reached; wait, or use a separate token.';

function hints({ permission }: Question): Readonly<Record<number, string>> {
  return {
    401: 'The token is wrong, revoked or has expired.',
    403: `Give the token the permission "${permission}".`,
    422: 'GitHub says what it does not accept. Change that, then run the same command again.',
    404: `Check the names and the number. GitHub answers the same if the token lacks the permission "${permission}".`,
  };
}

function saysLimit(status: number, { headers, text }: Pick<Refusal, 'headers' | 'text'>): boolean {
  const isSaid = headers?.['x-ratelimit-remaining'] === '0' || headers?.['retry-after'] !== undefined || /secondary rate/i.test(text);
  return status === 429 || (status === 403 && isSaid);
}

function unreachable(question: Question, { status, headers, text }: Refusal): ToolError {
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

/** `Validation Failed: A pull request already exists for acme:main.`: what a 422 has in `errors`. Source: docs.github.com/rest, "Troubleshooting the REST API", "Validation Failed". */
function reasonsIn(error: Error): string | undefined {
  const { data } = responseOf(error);
  if (!isPlainObject(data) || !Array.isArray(data['errors']) || data['errors'].length === 0) return undefined;
  return `${String(data['message'])}: ${data['errors'].map(reasonIn).join('; ')}`;
}

function reasonIn(entry: unknown): string {
  if (!isPlainObject(entry)) return String(entry);
  const { message, field, code } = entry;
  return typeof message === 'string' ? message : `"${String(field)}" is ${String(code)}`;
}

/** "fetch failed" says nothing; why, stands in the cause of the cause. */
function deepestWords(error: Error): string {
  let words = error.message;
  for (let cause = error.cause; typeof cause === 'object' && cause !== null; cause = 'cause' in cause ? cause.cause : undefined) {
    // Where several addresses were tried the error has a code alone.
    const { message, code } = cause as { readonly message?: unknown; readonly code?: unknown };
    const text = message === '' || message === undefined ? code : message;
    if (typeof text === 'string') words = text;
  }
  return words;
}

/** One short line without control characters, addresses' credentials and the token, should a server send it back. */
function printable(text: string, token: string | undefined): string {
  const bare = token === undefined ? text : text.replaceAll(token, '***');
  const line = redactUrls(bare.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()).slice(0, 300);
  return line === '' ? 'without a word' : line;
}
