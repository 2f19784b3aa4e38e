import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { PackageImport } from '../collect/package-import.js';
import { namesOf } from './read-imports.js';

function renamed(formerName: string, name: string): PackageImport {
  const commit = '1'.repeat(40) as CommitId;
  return { package: name, formerName, merge: commit, tip: commit, sourceCommit: commit, source: 'source', tagPatterns: [] };
}

test('a package that took its former name back is one package, by the configuration and by the newest record', () => {
  const byConfig = namesOf({ '@acme/pad': 'pad' }, [renamed('pad', '@acme/pad')]);
  expect(['pad', '@acme/pad'].map(byConfig.nameNow)).toEqual(['pad', 'pad']);
  const byRecord = namesOf({}, [renamed('@acme/pad', 'pad'), renamed('pad', '@acme/pad')]);
  expect(['pad', '@acme/pad'].map(byRecord.nameNow)).toEqual(['pad', 'pad']);
  expect(byRecord.formerNames).toEqual(['@acme/pad']);
});

test('names of records and of the configuration follow one another, and the configuration counts more', () => {
  const { nameNow } = namesOf({ '@acme/pad': '@acme/left-pad', box: 'crate' }, [renamed('pad', '@acme/pad'), renamed('box', 'case')]);
  expect(['pad', '@acme/pad', 'box', 'constructor', '__proto__'].map(nameNow)).toEqual([
    '@acme/left-pad',
    '@acme/left-pad',
    'crate',
    'constructor',
    '__proto__',
  ]);
});
