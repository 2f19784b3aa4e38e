import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../io/database.js';
import { withReleases } from './releases.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(() => database.close());

interface LeadTimeRow {
  readonly repo?: string;
  readonly consumer?: string;
  readonly release: string | null;
  /** Seconds. */
  readonly out: number;
}

/** Returns which lead times came with the same release, by their places: `0+1 2`. */
async function together(leadTimes: readonly LeadTimeRow[], until: 'published' | 'released' = 'published'): Promise<string> {
  const text = (value: string | null | undefined): string => (value === null || value === undefined ? 'null::varchar' : `'${value}'`);
  const values = leadTimes.map(
    ({ repo = 'acme/ui', consumer, release, out }, place) =>
      `(${place}, ${text(repo)}, ${text(consumer)}, ${text(release)}, ${out}000000::bigint)`,
  );
  await database.run(
    `create or replace temp table lead_times as select * from (values ${values.join(', ')}) as all_rows (place, repo, consumer, release, out_at)`,
  );
  const rows = await database.rows(`select place, came_with from (${withReleases('lead_times', { until })}) order by place`);
  const groups = new Map<string, string[]>();
  for (const { place, came_with } of rows) groups.set(String(came_with), [...(groups.get(String(came_with)) ?? []), String(place)]);
  return [...groups.values()].map((places) => places.join('+')).join(' ');
}

const DAY = 24 * 3600;

test.each<[string, readonly LeadTimeRow[], string]>([
  [
    'packages of one run have one version, and come out one after the other',
    [
      { release: '1.1.0', out: 0 },
      { release: '1.1.0', out: 78 },
    ],
    '0+1',
  ],
  [
    'what comes out at one moment came together, whatever it is called',
    [
      { release: '1.1.0', out: 0 },
      { release: '2.0.0', out: 0 },
    ],
    '0+1',
  ],
  [
    'also with those that came later in its run',
    [
      { release: '1.1.0', out: 0 },
      { release: '1.1.0', out: 78 },
      { release: '2.0.0', out: 0 },
    ],
    '0+1+2',
  ],
  [
    'two packages that come to one version on different days did not',
    [
      { release: '1.1.0', out: 0 },
      { release: '1.1.0', out: 2 * DAY },
    ],
    '0 1',
  ],
  [
    'nor did two repositories',
    [
      { repo: 'acme/ui', release: '1.1.0', out: 0 },
      { repo: 'acme/api', release: '1.1.0', out: 0 },
    ],
    '0 1',
  ],
  [
    'two versions soon after each other are two',
    [
      { release: '1.1.0', out: 0 },
      { release: '1.1.1', out: 60 },
    ],
    '0 1',
  ],
  [
    'where releases have no name the moment is one',
    [
      { release: null, out: 0 },
      { release: null, out: 0 },
      { release: null, out: 60 },
    ],
    '0+1 2',
  ],
])('%s', async (_, leadTimes, expected) => {
  expect(await together(leadTimes)).toBe(expected);
});

test('a lead time that ends with the release of a consumer came with that', async () => {
  const leadTimes = [
    { repo: 'acme/ui', consumer: 'acme/app', release: '7.0.0', out: 0 },
    { repo: 'acme/api', consumer: 'acme/app', release: '7.0.0', out: 0 },
    { repo: 'acme/ui', consumer: 'acme/web', release: '7.0.0', out: 0 },
  ];
  expect(await together(leadTimes, 'released')).toBe('0+1 2');
});
