import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import { isToolError } from '@tributary/model/errors';
import { compileSchema } from '@tributary/test-repo/schemas';
import fc from 'fast-check';
import { RIGHT, WRONG } from './config-documents.fixture.js';
import { parseConfigFile } from './config-file.js';

// The schema is made from `ConfigDocument`, the parser is written by hand. Whatever the parser takes, the schema allows. An editor cannot see
// all that the parser refuses: keys that are no paths, and rules that only exclude.

const validate = compileSchema('affected', 'tributary');
const UNSEEN = /^an edge to the file |^a rule that only takes out$/;

test.each(Object.entries(RIGHT))('the schema allows that %s is right', (_, document) => {
  expect([validate(document), validate.errors]).toEqual([true, null]);
});

test.each(Object.entries(WRONG).filter(([name]) => !UNSEEN.test(name)))('the schema refuses that %s is wrong', (_, document) => {
  expect(validate(document)).toBe(false);
});

test('what the parser takes as a glob, the schema allows', () => {
  const piece = fc.constantFrom('.', '..', '/', '!', '(', 'a', '*', '\n', ' ');
  const glob = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.oneof(glob, fc.array(glob, { maxLength: 3 })), (files) => {
      const document = { affected: { rules: [{ files, affects: 'all' }] } };
      if (isTaken(document) || typeof files === 'string') expect(validate(document)).toBe(isTaken(document));
    }),
    { numRuns: 500 },
  );
});

describe('the defaults that an editor shows are those of the parser', () => {
  test.each(['migrate', 'affected', 'publish'] as const)('%s', (block) => {
    expect(DEFAULT_CONFIG[block]).toMatchObject(defaultsOf(block));
  });
});

function isTaken(document: unknown): boolean {
  try {
    parseConfigFile(JSON.stringify(document), 'tributary.json');
    return true;
  } catch (error) {
    if (!isToolError(error)) throw error;
    return false;
  }
}

/** Returns the schema's defaults for missing keys of a block. */
function defaultsOf(block: string): Readonly<Record<string, unknown>> {
  const { properties } = validate.schema as { properties: Record<string, { properties: Record<string, { default?: unknown }> }> };
  const keys = Object.entries(properties[block]?.properties ?? {}).filter(([, value]) => 'default' in value);
  return Object.fromEntries(keys.map(([key, value]) => [key, value.default]));
}
