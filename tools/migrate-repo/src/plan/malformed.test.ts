import { describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { parseManifest } from '@tributary/workspaces/manifest';
import { refuseMalformed } from './malformed.js';

function refusal(manifest: object): string | undefined {
  try {
    refuseMalformed(parseManifest(JSON.stringify(manifest), 'package.json'), 'package.json of x');
    return undefined;
  } catch (error) {
    return isToolError(error) ? `${error.code} ${JSON.stringify(error.data)} ${error.message}` : String(error);
  }
}

describe('refused, with file and field', () => {
  test.each([
    [{ dependencies: ['ms'] }, '"dependencies" must map names to ranges, but is a list.'],
    [{ devDependencies: 'ms' }, '"devDependencies" must map names to ranges, but is the text "ms".'],
    [{ peerDependencies: false }, '"peerDependencies" must map names to ranges, but is the boolean false.'],
    [{ dependencies: { ms: 2 } }, '"dependencies" has the number 2 for ms, but a range must be a string.'],
    [{ optionalDependencies: { ms: null } }, '"optionalDependencies" has null for ms, but a range must be a string.'],
    [{ dependencies: { ms: { version: '1' } } }, '"dependencies" has a map for ms, but a range must be a string.'],
    [{ dependencies: { 'a/b/c': '1' } }, '"dependencies" has the invalid package name "a/b/c".'],
    [{ dependencies: { '': '1' } }, '"dependencies" has the invalid package name "".'],
    [{ dependencies: { 'a b': '1' } }, '"dependencies" has the invalid package name "a b".'],
    [{ dependencies: { 'a\u001b[2Jb': '1' } }, '"dependencies" has the invalid package name "a\\u001b[2Jb".'],
  ])('%j', (manifest, message) => {
    const [field] = Object.keys(manifest);
    expect(refusal(manifest)).toMatch(new RegExp(`^MANIFEST_INVALID {"file":"package.json of x","field":"${field}"`));
    expect(refusal(manifest)).toContain(` package.json of x: ${message}`);
  });
});

test.each([{}, { dependencies: null }, { dependencies: {}, devDependencies: { '@acme/ui': 'workspace:^', Old_Name: '' } }])(
  '%j is well',
  (manifest) => {
    expect(refusal(manifest)).toBeUndefined();
  },
);
