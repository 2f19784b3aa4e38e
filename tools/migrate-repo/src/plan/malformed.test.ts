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
    [{ dependencies: ['ms'] }, '"dependencies" must map names to ranges, and is a list.'],
    [{ devDependencies: 'ms' }, '"devDependencies" must map names to ranges, and is the text "ms".'],
    [{ peerDependencies: false }, '"peerDependencies" must map names to ranges, and is the boolean false.'],
    [{ dependencies: { ms: 2 } }, '"dependencies" has the number 2 for ms, and a range must be a text.'],
    [{ optionalDependencies: { ms: null } }, '"optionalDependencies" has null for ms, and a range must be a text.'],
    [{ dependencies: { ms: { version: '1' } } }, '"dependencies" has a map for ms, and a range must be a text.'],
    [{ dependencies: { 'a/b/c': '1' } }, '"dependencies" has "a/b/c", which is no name of a package.'],
    [{ dependencies: { '': '1' } }, '"dependencies" has "", which is no name of a package.'],
    [{ dependencies: { 'a b': '1' } }, '"dependencies" has "a b", which is no name of a package.'],
    [{ dependencies: { 'a\u001b[2Jb': '1' } }, '"dependencies" has "a\\u001b[2Jb", which is no name of a package.'],
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
