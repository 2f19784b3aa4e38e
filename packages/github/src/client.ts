import { ToolError } from '@tributary/model/errors';
import { redactUrls } from '@tributary/model/repo-url';
import { type Duration, formatDuration } from '@tributary/model/time';
import { Octokit } from 'octokit';
import { type ApiQuestion, refusedOrUnreachable } from './failure.js';
import { patientFetch, pause } from './patient-fetch.js';

/** The name of a repository in the API. */
export interface RepositoryName {
  readonly owner: string;
  readonly repo: string;
}

export interface GitHubOptions {
  /** `https://api.github.com`, or `https://<host>/api/v3` of GitHub Enterprise Server. CI has it in `GITHUB_API_URL`. */
  readonly apiUrl: string;
  /** `undefined`: anonymous, with only public repositories and 60 requests an hour. */
  readonly token: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Precedes octokit's own user agent, as GitHub requires of its clients. */
  readonly userAgent?: string;
  /** The time limit for all calls and waits together, from now on (default: 30 s, because a CI job must never hang); `Infinity`: none. */
  readonly timeLimitMs?: number;
  /** The time limit of one request until its response is complete (default: the limit of all together). */
  readonly requestLimitMs?: number;
  /** Called before a pause until the rate limit is reset. */
  readonly onPause?: (seconds: number) => void;
  /** The length of a second of waiting, in milliseconds. Tests shorten it. */
  readonly secondMs?: number;
}

/** One GitHub API, called with one token. */
export interface GitHub {
  /**
   * Lets `ask` call the API. Throws `GITHUB_REFUSED` (a 4xx response, or the rate limit is used up), `GITHUB_UNREACHABLE` (no response,
   * 5xx, or too late) and `INTERRUPTED`. Neither message nor cause ever contains the token.
   */
  readonly call: <T>(question: ApiQuestion, ask: (octokit: Octokit) => Promise<T>) => Promise<T>;
  /** Waits for some seconds. Throws `INTERRUPTED`, or `GITHUB_UNREACHABLE` if the time limit is reached. */
  readonly pause: (question: ApiQuestion, seconds: number) => Promise<void>;
  /** Called before a pause until the rate limit is reset. */
  readonly onPause: (seconds: number) => void;
  /** How far the server's clock is ahead of the local one at its last response, in whole seconds; `undefined` before the first response. */
  readonly clockSkew: () => Duration | undefined;
}

const TIME_LIMIT_MS = 30_000;
/** If the API requests a longer pause, the call fails: the caller has another source for its result. */
const LONGEST_PAUSE_SECONDS = 20;
/** After 1 and after 4 seconds. */
const RETRIES = 2;

/** octokit waits a second between writes, and treats every GraphQL query as a write. Here the only write is one comment. */
const withoutGaps = { key: () => ({ schedule: <T>(_: unknown, job: () => Promise<T>): Promise<T> => job() }) };
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Returns a client for one GitHub API. octokit's plugins retry temporary failures: 5xx and broken connections twice, a used-up rate limit
 * once if it is reset soon. `patientFetch` handles `Retry-After`. Sends nothing before the first call. Throws `USAGE` for an invalid
 * address or token.
 */
export function createGitHub(options: GitHubOptions): GitHub {
  const secondMs = options.secondMs ?? 1000;
  const end = endOf(options);
  const clock = new ServerClock();
  const patience = { secondMs, longestSeconds: LONGEST_PAUSE_SECONDS, signal: end.signal, requestLimitMs: options.requestLimitMs };
  const octokit = new Octokit({
    baseUrl: checkedAddress(options.apiUrl),
    auth: checkedToken(options.token),
    ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
    log: silent,
    request: { signal: end.signal, log: silent, fetch: clock.watch(patientFetch(patience)) },
    retry: { retries: RETRIES, retryAfterBaseValue: secondMs, doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451] },
    throttle: {
      retryAfterBaseValue: secondMs,
      write: withoutGaps,
      // Three seconds between opening pull requests, as GitHub requires; none if a second is shorter.
      ...(options.secondMs === undefined ? {} : { notifications: withoutGaps }),
      // `retryCount` counts the earlier attempts of this request. A pause cannot be aborted, so it would delay the end of the process.
      onRateLimit: (seconds: number, _request: unknown, _octokit: unknown, retryCount: number) =>
        retryCount === 0 && seconds <= LONGEST_PAUSE_SECONDS && seconds * secondMs < end.at - performance.now(),
      // `patientFetch` has already waited. Without `Retry-After`, GitHub requires at least a minute.
      onSecondaryRateLimit: () => false,
    },
  });
  const call: GitHub['call'] = async (question, ask) => {
    try {
      return await Promise.race([ask(octokit), end.reached]);
    } catch (error) {
      if (end.reason !== undefined) throw end.reason(question);
      throw refusedOrUnreachable(question, error, options.token);
    }
  };
  return {
    call,
    pause: (question, seconds) => call(question, () => pause(seconds * secondMs, end.signal)),
    onPause: options.onPause ?? ignore,
    clockSkew: () => clock.skew,
  };
}

interface End {
  readonly signal: AbortSignal;
  /** On the scale of `performance.now()`. */
  readonly at: number;
  /** Never resolves; rejects when the time limit is reached or the caller's signal is aborted. */
  readonly reached: Promise<never>;
  /** Why the end was reached; `undefined` before. */
  reason: ((question: ApiQuestion) => ToolError) | undefined;
}

/** Returns the end of all calls. Waits inside the plugins do not listen to signals, so there is a promise too. */
function endOf({ signal, timeLimitMs = TIME_LIMIT_MS }: GitHubOptions): End {
  const controller = new AbortController();
  const reached = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(new Error('the end was reached')), { once: true });
  });
  // No call may be waiting when it rejects.
  reached.catch(ignore);
  const end: End = { signal: controller.signal, at: performance.now() + timeLimitMs, reached, reason: undefined };
  const stop = (reason: (question: ApiQuestion) => ToolError): void => {
    end.reason ??= reason;
    // Without a reason: octokit would take ours for a broken connection and retry.
    controller.abort();
  };
  // A timer with an infinite delay would fire at once.
  if (timeLimitMs !== Number.POSITIVE_INFINITY) setTimeout(() => stop((question) => tooLate(question, timeLimitMs)), timeLimitMs).unref();
  if (signal?.aborted === true) stop(interrupted);
  signal?.addEventListener('abort', () => stop(interrupted), { once: true });
  return end;
}

function tooLate({ what, did = 'show' }: ApiQuestion, timeLimitMs: number): ToolError {
  return new ToolError({
    code: 'GITHUB_UNREACHABLE',
    message: `GitHub did not ${did} ${what} within ${formatDuration(timeLimitMs as Duration)}.`,
    hint: 'Try again later, or use git without the API: it gives the same result.',
  });
}

function interrupted(): ToolError {
  return new ToolError({ code: 'INTERRUPTED', message: 'The command was interrupted.' });
}

function checkedAddress(apiUrl: string): string {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    const message = `${JSON.stringify(redactUrls(apiUrl))} is not the address of a GitHub API.`;
    throw new ToolError({
      code: 'USAGE',
      message,
      hint: 'Use an address such as https://api.github.com or https://github.example/api/v3.',
    });
  }
  return url.href.replace(/\/+$/, '');
}

/** Rejects a token that is invalid in a header, because the HTTP client would print it. */
function checkedToken(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    const message = 'The token for GitHub is empty, or has a blank or another invalid character.';
    throw new ToolError({ code: 'USAGE', message, hint: 'Check for a line break at its end.' });
  }
  return token;
}

function ignore(): void {}

/** Compares a server's clock with the local one by the `Date` header of its responses, which has whole seconds. Corrects nothing. */
class ServerClock {
  /** How far the server is ahead; `undefined` before the first response with a time. */
  skew: Duration | undefined;

  /** Returns a `fetch` that reads the header of each response. */
  watch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      const time = Date.parse(response.headers.get('date') ?? '');
      // The time may be anywhere within its second.
      if (!Number.isNaN(time)) this.skew = (Math.round((time + 500 - Date.now()) / 1000) * 1000) as Duration;
      return response;
    };
  }
}
