import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { listCollected, readCollected } from './collected.js';
import { checkSegment } from './journal.js';
import { readKeptChannels } from './kept-channels.js';
import { readManifest } from './record-files.js';
import { checkFile } from './sums.js';

// A record comes from a branch, to which others may push.

const cleanUp = cleanUpIn(afterAll);

function recordWith(file: string, content: unknown): AbsolutePath {
  const record = parseAbsolutePath(cleanUp.add(new TempFolder()).path);
  mkdirSync(dirname(join(record, file)), { recursive: true });
  writeFileSync(join(record, file), typeof content === 'string' ? content : JSON.stringify(content));
  return record;
}

const INVALID = expect.objectContaining({ code: 'RECORD_INVALID' });

test.each(['../outside.parquet', '/etc/passwd', 'events/../../x', 'events\\x', 'C:/x'])(
  'a file of events that is elsewhere: %s',
  (file) => {
    const record = recordWith('record.json', { schemaVersion: 1, files: [file], compacted: [] });
    expect(() => readManifest(record)).toThrow(INVALID);
  },
);

test.each(['--upload-pack=touch x', 'main', 'HEAD', ''])('a last commit that is no id: %j', (head) => {
  const kept = { schemaVersion: 1, head, events: [], revisions: {} };
  expect(() => readCollected(recordWith('collected/acme.json', kept), 'acme')).toThrow(INVALID);
});

test.each([{ __proto__: null }, { pad: null }, { pad: 5 }, { pad: ['x'] }])('channels that are none: %j', (channels) => {
  const record = recordWith('collected/acme.channels.json', { schemaVersion: 1, channels });
  if ('pad' in channels) expect(() => readKeptChannels(record, 'acme', 'new')).toThrow(INVALID);
  else expect(readKeptChannels(record, 'acme', 'new').size).toBe(0);
});

test('a name of a file that is no name of a repository is left out', () => {
  const kept = { schemaVersion: 1, head: 'a'.repeat(40), events: [], revisions: {} };
  expect(listCollected(recordWith('collected/%zz.json', kept))).toEqual([]);
  expect(listCollected(recordWith('collected/acme%2Fui.json', kept))).toEqual([{ repo: 'acme/ui', hasEvents: false }]);
});

test.each(['[]', 'null', '{"bytes":1e999}', '{"__proto__":{"bytes":1,"sha256":"x"}}'])('this is no checksum: %s', (sum) => {
  const record = recordWith('journal/1700000000000-0123abcd.sum', sum);
  expect(() => checkSegment(join(record, 'journal/1700000000000-0123abcd.ndjson'))).toThrow(INVALID);
});

const onPosix = process.platform === 'win32' ? test.skip : test;

onPosix('a device has no sum', () => {
  expect(() => checkFile('/dev/zero', [{ bytes: 1, sha256: 'x' }])).toThrow(INVALID);
});
