import pMap from 'p-map';

// On two cores, more parallel fetches are no faster, and a server may limit connections.
const AT_ONCE = 4;

/**
 * Maps items, a few at a time. Results are in the order of `items`. If one fails, the others finish before the first
 * error is thrown, because they write into a folder that is then removed.
 */
export async function mapFew<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> {
  try {
    return await pMap(items, work, { concurrency: atOnce, stopOnError: false });
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}
