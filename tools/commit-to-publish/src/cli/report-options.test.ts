import { expect, test } from '@jest/globals';
import type { PublishConfig } from '@tributary/model/publish-config';
import type { Instant } from '@tributary/model/time';
import type { Micros } from '../model/event.js';
import { type ReportOptions, readReportRequest } from './report-options.js';

const NOW = Date.UTC(2026, 0, 7, 12) as Instant;
const day = (text: string): Micros => (Date.parse(`${text}T00:00:00Z`) * 1000) as Micros;
const OPTIONS: ReportOptions = { channels: 'latest', to: 'published', actor: 'all', changes: 'published' };

function read(options: Partial<ReportOptions>): ReturnType<typeof readReportRequest> {
  return readReportRequest({ ...OPTIONS, ...options }, { now: NOW, config: { ready: 'merged', channels: [] } as unknown as PublishConfig });
}

test('without options six weeks up to now, in a chart of half a year', () => {
  const [until, before] = [day('2026-01-12'), (NOW * 1000) as Micros];
  expect(read({})).toMatchObject({ weeks: 6, since: day('2025-07-14'), until, before, earliest: undefined });
});

test('--since counts all that ended since then, and --window the last weeks of it', () => {
  const since = day('2025-12-03');
  expect(read({ since })).toMatchObject({ weeks: 6, since: day('2025-12-01'), earliest: since });
  expect(read({ since, window: 2 })).toMatchObject({ weeks: 2, earliest: since });
  expect(read({ since, until: day('2025-12-30') })).toMatchObject({ weeks: 5, until: day('2026-01-05'), before: day('2025-12-30') });
  expect(() => read({ since, until: since })).toThrow('--since is not before --until.');
  // Without --until, the message names no --until.
  expect(() => read({ since: day('2030-01-01') })).toThrow(/^--since 2030-01-01 is in the future\.$/);
});
