import { textWithin } from '@tributary/model/text-within';
import { type Duration, formatDuration } from '@tributary/model/time';

export interface Patience {
  /** The length of a second, in milliseconds. */
  readonly secondMs: number;
  /** If the server requests a longer pause, the response is returned unchanged. */
  readonly longestSeconds: number;
  readonly signal: AbortSignal;
  /** The limit of each request until its response is complete, in milliseconds, without pauses. */
  readonly requestLimitMs?: number | undefined;
}

const PAUSES = 2;
const MAY_ASK_FOR_A_PAUSE = [403, 429, 503];

/**
 * Returns a `fetch` that waits as `Retry-After` requests, at most twice for each request. octokit's plugins wait only if the body mentions
 * a secondary rate limit. A proxy in front of GitHub Enterprise sends only the header. A date in the header is not supported. Sources: RFC
 * 9110, 10.2.3; docs.github.com, "Best practices for using the REST API".
 */
export function patientFetch(patience: Patience): typeof fetch {
  return async (input, init) => {
    for (let pauses = 0; ; pauses += 1) {
      const response = await fetch(input, limited(init, patience));
      const seconds = pauseOf(response);
      if (seconds === undefined || seconds > patience.longestSeconds || pauses === PAUSES) return whole(response);
      // An unread body would keep its connection open.
      await response.body?.cancel();
      await pause(seconds * patience.secondMs, patience.signal);
    }
  };
}

/**
 * Reads the body of a good response, and throws if it breaks off, falls silent or does not end. octokit ignores that, and takes what has
 * arrived for the whole body. Other responses are told by their status.
 */
async function whole(response: Response): Promise<Response> {
  try {
    const { status, headers } = response;
    return response.body === null ? response : new Response(await textWithin(response), { status, headers });
  } catch (error) {
    if (response.ok) throw error;
    return new Response('', { status: response.status, headers: response.headers });
  }
}

function limited(init: RequestInit | undefined, { signal, requestLimitMs }: Patience): RequestInit | undefined {
  if (requestLimitMs === undefined) return init;
  return { ...init, signal: AbortSignal.any([signal, silenceAfter(requestLimitMs)]) };
}

/** Its reason says what happened, in words for the error. */
function silenceAfter(limitMs: number): AbortSignal {
  const controller = new AbortController();
  const reason = new Error(`no answer within ${formatDuration(limitMs as Duration)}`);
  setTimeout(() => controller.abort(reason), limitMs).unref();
  return controller.signal;
}

function pauseOf(response: Response): number | undefined {
  const header = response.headers.get('retry-after') ?? '';
  return MAY_ASK_FOR_A_PAUSE.includes(response.status) && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

/** Waits. Ends early, without an error, when the signal is aborted: the next request then reports it. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
