import { ToolError } from '@tributary/model/errors';
import { redactUrls } from '@tributary/model/repo-url';
import { type Duration, formatDuration } from '@tributary/model/time';
import { Octokit } from 'octokit';
import { type Question, refusedOrUnreachable } from './failure.js';
import { patientFetch, pause } from './patient-fetch.js';
import { ServerClock } from './server-clock.js';

/** Which repository of the API. */
export interface RepositoryName {
  readonly owner: string;
  readonly repo: string;
}

export interface GitHubOptions {
  /** `https://api.github.com`, or `https://<host>/api/v3` of GitHub Enterprise Server: what CI has in `GITHUB_API_URL`. */
  readonly apiUrl: string;
  /** `undefined` asks as nobody: public repositories only, 60 requests an hour. */
  readonly token: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Comes before octokit's own, as GitHub asks of its clients. */
  readonly userAgent?: string;
  /** How long all calls and waits together may take, from now on; `Infinity`: any time. A CI job must never hang because of us: 30 s. */
  readonly timeLimitMs?: number;
  /** How long a single request may take, until its whole answer is there; without it, as long as all together. */
  readonly requestLimitMs?: number;
  /** Called before a pause until the limit of requests is renewed. */
  readonly onPause?: (seconds: number) => void;
  /** How long a second of waiting lasts. Tests make it shorter. */
  readonly secondMs?: number;
}

/** One GitHub API, asked with one token. */
export interface GitHub {
  /**
   * Lets `ask` call the API. Throws `GITHUB_REFUSED` (the answer was 4xx, or the limit of requests is used up), `GITHUB_UNREACHABLE`
   * (no answer, 5xx, too late) and `INTERRUPTED`; neither message nor cause ever holds the token.
   */
  readonly call: <T>(question: Question, ask: (octokit: Octokit) => Promise<T>) => Promise<T>;
  /** Does nothing for some seconds. Throws `INTERRUPTED`, or `GITHUB_UNREACHABLE` where the time is over. */
  readonly pause: (question: Question, seconds: number) => Promise<void>;
  /** Called before a pause until the limit of requests is renewed. */
  readonly onPause: (seconds: number) => void;
  /** How far the server's clock is ahead of ours, to a second, as of its last answer; `undefined` before the first one. */
  readonly clockSkew: () => Duration | undefined;
}

const TIME_LIMIT_MS = 30_000;
/** A longer pause that the API asks for is not kept: the caller has another way to its answer. */
const LONGEST_PAUSE_SECONDS = 20;
/** After 1 and after 4 seconds. */
const RETRIES = 2;

/** octokit leaves a second between writes, and takes every GraphQL query for one. Here nothing is written but one comment. */
const withoutGaps = { key: () => ({ schedule: <T>(_: unknown, job: () => Promise<T>): Promise<T> => job() }) };
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * What fails for a passing reason is tried again by octokit's plugins: 5xx and broken connections twice, a used-up limit once if it is
 * renewed soon; `Retry-After` is kept by `patientFetch`. Nothing is sent before the first call. Throws `USAGE` for an address or a token
 * that cannot be one.
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
      // Three seconds between pull requests that are opened, as GitHub wants it, and none where a second is shorter.
      ...(options.secondMs === undefined ? {} : { notifications: withoutGaps }),
      // `retryCount` counts the earlier tries of this request. A pause cannot be broken off: it would keep the process from ending.
      onRateLimit: (seconds: number, _request: unknown, _octokit: unknown, retryCount: number) =>
        retryCount === 0 && seconds <= LONGEST_PAUSE_SECONDS && seconds * secondMs < end.at - performance.now(),
      // `patientFetch` has waited already; without `Retry-After` GitHub wants a minute at least.
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
  /** As `performance.now()` counts. */
  readonly at: number;
  /** Never resolves; rejects as soon as the time is over or the signal of the caller comes. */
  readonly reached: Promise<never>;
  /** Why the end was reached; before, `undefined`. */
  reason: ((question: Question) => ToolError) | undefined;
}

/** A wait inside the plugins does not listen to signals, hence the promise beside the signal. */
function endOf({ signal, timeLimitMs = TIME_LIMIT_MS }: GitHubOptions): End {
  const controller = new AbortController();
  const reached = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(new Error('the end was reached')), { once: true });
  });
  // Nobody may be asking when it comes.
  reached.catch(ignore);
  const end: End = { signal: controller.signal, at: performance.now() + timeLimitMs, reached, reason: undefined };
  const stop = (reason: (question: Question) => ToolError): void => {
    end.reason ??= reason;
    // Without a reason of ours, which octokit would take for a broken connection and try again.
    controller.abort();
  };
  // A timer cannot be set for ever: it would end at once.
  if (timeLimitMs !== Number.POSITIVE_INFINITY) setTimeout(() => stop((question) => tooLate(question, timeLimitMs)), timeLimitMs).unref();
  if (signal?.aborted === true) stop(interrupted);
  signal?.addEventListener('abort', () => stop(interrupted), { once: true });
  return end;
}

function tooLate({ what, did = 'show' }: Question, timeLimitMs: number): ToolError {
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

/** What cannot stand in a header is refused here, because the HTTP client would print it. */
function checkedToken(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    const message = 'The token for GitHub is empty, or has a blank or another invalid character.';
    throw new ToolError({ code: 'USAGE', message, hint: 'Check for a line break at its end.' });
  }
  return token;
}

function ignore(): void {}
