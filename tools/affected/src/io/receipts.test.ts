import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { planOfPieces, receiptFor } from '../gate/proof.fixture.js';
import type { Receipt } from '../receipt/receipt.js';
import { describePlace, readReceipts, takeReceipt, writeReceipt } from './receipts.js';

const cleanUp = cleanUpIn(afterEach);
let folder: TempFolder;

beforeEach(() => {
  folder = cleanUp.add(new TempFolder());
});

const plan = planOfPieces([['ui'], ['app']]);
const [first, second] = plan.shards.map((shard) => receiptFor(plan, shard)) as [Receipt, Receipt];
const text = JSON.stringify(first);

describe('receipts are found', () => {
  test('as they were written', () => {
    writeReceipt(folder.path, first);
    expect(readReceipts(folder.path)).toEqual([{ file: '01.json', receipt: first }]);
  });

  test('without secrets, also those that another job has written', () => {
    const token = `ghs_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
    const failures = [{ file: null, line: null, test: `uses ${token}`, message: token }];
    const pieces = first.pieces.map((piece) => ({ ...piece, exit: 1, failures, retried: failures, log: token }));
    const leaking = { ...first, pieces, failedBuilds: [{ task: 'ui#build', exit: 1, log: token }] };
    const masked = JSON.parse(JSON.stringify(leaking).replaceAll(token, '***'));
    expect(writeReceipt(folder.path, leaking)).toEqual(masked);
    expect(readFileSync(folder.join('01.json'), 'utf8')).not.toContain(token);
    folder.write('01.json', JSON.stringify(leaking));
    expect(readReceipts(folder.path)).toEqual([{ file: '01.json', receipt: masked }]);
  });

  test('in a folder that is made for them, and nothing else is left there', () => {
    const below = folder.join('a', 'b');
    writeReceipt(below, first);
    writeReceipt(below, second);
    writeReceipt(below, { ...first, attempt: 2 });
    expect(readdirSync(below)).toEqual(['01.json', '02.json']);
    expect(readReceipts(folder.path)).toEqual([
      { file: 'a/b/01.json', receipt: { ...first, attempt: 2 } },
      { file: 'a/b/02.json', receipt: second },
    ]);
  });

  test('in folders below, as engines unpack artifacts, in the order of their names', () => {
    for (const path of ['z/01.json', 'receipt-02/02.json', 'receipt-01/.tributary/receipts/01.json', '03.json']) folder.write(path, text);
    expect(readReceipts(folder.path).map(({ file }) => file)).toEqual([
      '03.json',
      'receipt-01/.tributary/receipts/01.json',
      'receipt-02/02.json',
      'z/01.json',
    ]);
  });

  test('also in a folder that is called like one', () => {
    folder.write('01.json/01.json', text);
    expect(readReceipts(folder.path)).toEqual([{ file: '01.json/01.json', receipt: first }]);
  });

  test('and other files are not looked at', () => {
    for (const path of ['01.json.part', 'turbo.log', 'json', '01.jsonc', 'sub/01.JSON']) folder.write(path, '{');
    expect(readReceipts(folder.path)).toEqual([]);
  });

  test.each(['gone', 'gone/below', 'file', 'file/below'])('none where there is no folder: %s', (path) => {
    folder.write('file', text);
    expect(readReceipts(folder.join(path))).toEqual([]);
  });
});

test('what there is in the place of receipts', () => {
  folder.write('file', text);
  const places = ['gone', 'gone/below', 'file', 'file/below', ''];
  expect(places.map((path) => describePlace(folder.join(path)))).toEqual(['nothing', 'nothing', 'no folder', 'nothing', 'an empty folder']);
});

describe('what cannot be read is named, and never taken for nothing:', () => {
  /** Returns `[file, problem]` of all problems. */
  function problems(): readonly (readonly [file: string, problem: unknown])[] {
    return readReceipts(folder.path).map((one) => [one.file, 'problem' in one ? one.problem : undefined]);
  }

  test('a file that is no receipt', () => {
    folder.write('01.json', '{');
    folder.write('02.json', '');
    folder.write('03.json', Buffer.from([0xff, 0xfe, 0x00]));
    expect(problems()).toEqual(['01.json', '02.json', '03.json'].map((file) => [file, 'it is not a JSON object']));
  });

  test('a link, wherever it leads', () => {
    const outside = cleanUp.add(new TempFolder());
    symlinkSync(outside.write('x.json', text), folder.join('01.json'));
    symlinkSync(folder.join('nowhere'), folder.join('02.json'));
    symlinkSync(outside.path, folder.join('03.json'));
    symlinkSync('/dev/zero', folder.join('04.json'));
    symlinkSync('05.json', folder.join('05.json'));
    expect(problems()).toEqual([1, 2, 3, 4, 5].map((at) => [`0${at}.json`, 'it is not a file, but a link or something else']));
  });

  test('a pipe, which would never end', async () => {
    await runProcess('mkfifo', [folder.join('01.json')], { cwd: folder.path });
    expect(problems()).toEqual([['01.json', 'it is not a file, but a link or something else']]);
  });

  test('a file that is too large, which is not even read', () => {
    folder.write('01.json', text);
    truncateSync(folder.join('01.json'), 4 * 1024 * 1024 + 1);
    folder.write('02.json', '{}');
    truncateSync(folder.join('02.json'), 2 ** 40);
    expect(problems()).toEqual([
      ['01.json', 'it has 4194305 bytes'],
      ['02.json', 'it has 1099511627776 bytes'],
    ]);
  });

  test('a folder that is too deep', () => {
    folder.write('a/b/c/d/01.json', text);
    folder.write('a/b/c/d/e/01.json', text);
    expect(problems()).toEqual([
      ['a/b/c/d/01.json', undefined],
      ['a/b/c/d/e', 'the folder is nested too deeply'],
    ]);
  });

  test('a name that would write into the log is changed where it is told', () => {
    folder.write('a\n::error::forged\u001B[2J.json', text);
    expect(readReceipts(folder.path)).toEqual([{ file: 'a?::error::forged?[2J.json', receipt: first }]);
  });

  test('more files than any plan has', () => {
    const one = folder.write('00000.json', '{}');
    for (let at = 1; at <= 20_000; at++) linkSync(one, folder.join(`${String(at).padStart(5, '0')}.json`));
    const all = problems();
    expect(all).toHaveLength(20_001);
    expect(all.at(-1)).toEqual([folder.path, 'it has more than 20000 files']);
  });
});

test('a linked folder is not followed', () => {
  const outside = cleanUp.add(new TempFolder());
  outside.write('01.json', text);
  symlinkSync(outside.path, folder.join('linked'));
  symlinkSync(folder.path, folder.join('circle'));
  expect(readReceipts(folder.path)).toEqual([]);
  // The folder itself may be a link, because the caller chose it.
  const link = folder.join('way');
  symlinkSync(outside.path, link);
  expect(readReceipts(link)).toEqual([{ file: '01.json', receipt: first }]);
});

test('a receipt is written in place of half of one', () => {
  mkdirSync(folder.join('receipts'));
  writeFileSync(folder.join('receipts', '01.json'), text.slice(0, 20));
  writeReceipt(folder.join('receipts'), first);
  expect(JSON.parse(readFileSync(folder.join('receipts', '01.json'), 'utf8'))).toEqual(first);
  expect(readdirSync(folder.join('receipts'))).toEqual(['01.json']);
});

test('a receipt is neither taken away nor written where there is a file in place of the folder', () => {
  const file = folder.write('file', 'x');
  const unusable = expect.objectContaining({
    code: 'FILE_UNUSABLE',
    message: expect.stringContaining(`${file}/01.json cannot be written`),
  });
  expect(() => takeReceipt(file, '01')).toThrow(unusable);
  expect(() => writeReceipt(file, first)).toThrow(unusable);
  mkdirSync(folder.join('01.json'));
  expect(() => takeReceipt(folder.path, '01')).toThrow(expect.objectContaining({ code: 'FILE_UNUSABLE' }));
});

test('a receipt is taken away before its shard runs again, and the others stay', () => {
  for (const receipt of [first, second]) writeReceipt(folder.path, receipt);
  takeReceipt(folder.path, '01');
  takeReceipt(folder.path, '07');
  takeReceipt(folder.join('gone'), '01');
  expect(readdirSync(folder.path)).toEqual(['02.json']);
});
