import { expect, test } from '@jest/globals';
import { parquetAmong } from './compact.js';

const FILES = ['events/week=2026-01-05/000001_0.parquet', 'index/000001.parquet'];
const OTHERS = ['record.json', 'events', 'events/week=2026-01-05', 'journal/1-00000000.ndjson', 'mine/index/000001.parquet'];

test.each(['/', '\\'])('the files of Parquet are found where folders have %p between them', (separator) => {
  const paths = [...FILES, ...OTHERS].map((path) => path.replaceAll('/', separator));
  expect(parquetAmong(paths, separator)).toEqual(FILES);
});
