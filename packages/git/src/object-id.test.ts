import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { emptyTreeId, hashObject, idLength, makeObject, type ObjectFormat } from './object-id.js';

const cleanUp = cleanUpIn(afterAll);

describe.each<ObjectFormat>(['sha1', 'sha256'])('in a repository of format %s', (objectFormat) => {
  const repo = cleanUp.add(TempRepo.create({ bare: true, objectFormat }));
  const contents = ['', 'x', 'ü\n', '\0', Buffer.from([0xff, 0, 0x0a]), 'tree of rubbish', Buffer.alloc(70_000, 0xe9)].map((content) =>
    Buffer.from(content),
  );

  test.each(['blob', 'tree', 'commit', 'tag'] as const)('the id of a %s is that of git hash-object', (type) => {
    expect(contents.map((content) => hashObject(objectFormat, type, content))).toEqual(
      contents.map((content) => repo.gitWithInput(content, 'hash-object', '-t', type, '--literally', '--stdin')),
    );
  });

  test('the empty tree has the id that git gives it, and ids their length', () => {
    expect(emptyTreeId(objectFormat)).toBe(repo.gitWithInput('', 'mktree'));
    expect(emptyTreeId(objectFormat)).toHaveLength(idLength(objectFormat));
  });

  test('an object carries its id', () => {
    const content = Buffer.from('x');
    expect(makeObject(objectFormat, 'blob', content)).toEqual({ id: hashObject(objectFormat, 'blob', content), type: 'blob', content });
  });
});
