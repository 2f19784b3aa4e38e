import type { Duration } from '@tributary/model/time';

/** Compares the clock of a server with ours by the `Date` header of its answers, which has whole seconds. Corrects nothing. */
export class ServerClock {
  /** How far the server is ahead; `undefined` before the first answer that says its time. */
  skew: Duration | undefined;

  /** `fetch` that looks at the header of each answer. */
  watch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      const time = Date.parse(response.headers.get('date') ?? '');
      // The moment lies anywhere within its second.
      if (!Number.isNaN(time)) this.skew = (Math.round((time + 500 - Date.now()) / 1000) * 1000) as Duration;
      return response;
    };
  }
}
