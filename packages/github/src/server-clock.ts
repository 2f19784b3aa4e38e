import type { Duration } from '@tributary/model/time';

/** Compares a server's clock with the local one by the `Date` header of its responses, which has whole seconds. Corrects nothing. */
export class ServerClock {
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
