import pMap from 'p-map';

// Two cores fetch no faster with more, and a server may count connections.
const AT_ONCE = 4;

/**
 * Maps, a few at a time, in the order of `items`. If one fails, the others come to their end before the first failure is thrown: they write
 * into a folder that is removed then.
 */
export async function mapFew<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> {
  try {
    return await pMap(items, work, { concurrency: atOnce, stopOnError: false });
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}
