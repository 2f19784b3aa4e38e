import { afterAll, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import fc from 'fast-check';
import { emptyTreeId, hashObject, idLength, type ObjectFormat } from './object-id.js';
import { FOLDER_MODE, formatTree, isFolder, nameAsText, parseTree, type TreeEntry, textAsName } from './tree.js';

const cleanUp = cleanUpIn(afterAll);
const TYPES: Readonly<Record<string, string>> = { '40000': 'tree', '160000': 'commit' };

function mktree(repo: TempRepo, entries: readonly TreeEntry[]): string {
  const lines = entries.map(({ mode, id, name }) => `${mode} ${TYPES[mode] ?? 'blob'} ${id}\t${name}\0`);
  return repo.gitWithInput(Buffer.from(lines.join(''), 'latin1'), 'mktree', '-z', '--missing');
}

function names(entries: readonly TreeEntry[]): string[] {
  return entries.map((entry) => entry.name);
}

describe.each<ObjectFormat>(['sha1', 'sha256'])('in the format %s', (objectFormat) => {
  const repo = cleanUp.add(TempRepo.create({ bare: true, objectFormat }));
  const id = fc
    .string({
      unit: fc.constantFrom(...'0123456789abcdef'.split('')),
      minLength: idLength(objectFormat),
      maxLength: idLength(objectFormat),
    })
    .map((text) => text as ObjectId);
  // Bytes around `/` in sort order, and bytes that are not valid UTF-8.
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '-', '0', ' ', '\x01', '\t', '\n', '~', '\x7f', '\x80', '\xc3', '\xff'),
    minLength: 1,
    maxLength: 4,
  });
  const entry = fc.record({ mode: fc.constantFrom('100644', '100755', '120000', '40000', '160000'), name, id });
  const entries = fc.uniqueArray(entry, { selector: (one) => one.name, maxLength: 8 });

  test('a tree has the bytes that git mktree gives it, in whatever order its entries come', () => {
    fc.assert(
      fc.property(entries, (some) => {
        expect(hashObject(objectFormat, 'tree', formatTree(some))).toBe(mktree(repo, some));
      }),
      { numRuns: 80 },
    );
  });

  test('what is written is read back, and what is read is written back', () => {
    fc.assert(
      fc.property(entries, (some) => {
        const content = formatTree(some);
        const read = parseTree(objectFormat, content);
        expect(formatTree(read)).toEqual(content);
        expect(new Set(read)).toEqual(new Set(some));
      }),
    );
  });

  test('nothing is the empty tree', () => {
    expect(parseTree(objectFormat, Buffer.alloc(0))).toEqual([]);
    expect(hashObject(objectFormat, 'tree', formatTree([]))).toBe(emptyTreeId(objectFormat));
  });

  test('bytes that end in the middle of an entry are no tree', () => {
    const whole = formatTree([{ mode: '100644', name: 'a', id: 'a'.repeat(idLength(objectFormat)) as ObjectId }]);
    for (let length = 1; length < whole.length; length++) {
      expect(() => parseTree(objectFormat, whole.subarray(0, length))).toThrow('in the middle of an entry');
    }
  });
});

const anId = '1'.repeat(40) as ObjectId;

test('a folder sorts as if its name ended in a slash', () => {
  const some = ['a', 'a.b', 'a-b', 'a0', 'a b'].map((name): TreeEntry => ({ mode: name === 'a' ? FOLDER_MODE : '100644', name, id: anId }));
  expect(names(parseTree('sha1', formatTree(some)))).toEqual(['a b', 'a-b', 'a.b', 'a', 'a0']);
  const files = some.map((entry) => ({ ...entry, mode: '100644' }));
  expect(names(parseTree('sha1', formatTree(files)))).toEqual(['a', 'a b', 'a-b', 'a.b', 'a0']);
});

test.each([
  ['40000', true],
  ['040000', true],
  ['40755', true],
  ['100644', false],
  ['100664', false],
  ['120000', false],
  ['160000', false],
])('that the mode %s, which some tool has written, is a folder is %s; it is kept, and git finds the order right', (mode, folder) => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  const blob = repo.writeObject('blob', '');
  const target = folder ? repo.writeObject('tree', '') : blob;
  const content = formatTree([
    { mode, name: 'a', id: target },
    { mode: '100644', name: 'a.b', id: blob },
  ]);
  expect(isFolder({ mode, name: 'a', id: anId })).toBe(folder);
  expect(parseTree('sha1', content).find((entry) => entry.name === 'a')?.mode).toBe(mode);
  repo.git('update-ref', 'refs/heads/main', repo.writeRawCommit({ tree: repo.writeObject('tree', content), message: 'x\n' }));
  // `fsck` ends with 0 although it warns of such modes; a wrong order would be an error.
  if (mode !== '160000') repo.git('fsck', '--no-dangling');
});

test('a text becomes a name byte for byte, and a name becomes text again', () => {
  expect(textAsName('ü')).toBe('\xc3\xbc');
  expect(nameAsText('\xc3\xbc')).toBe('ü');
  expect(nameAsText('\xff')).toBe('\ufffd');
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => expect(nameAsText(textAsName(text))).toBe(text)));
});
