import { expect, test } from '@jest/globals';
import { readEvidence } from './evidence.js';

test('a path into node_modules where nothing lies is evidence', () => {
  const line = "Error: ENOENT: no such file or directory, open 'node_modules/world-atlas/world/50m.json'";
  const { modulePaths, missingModules, lines } = readEvidence(`\n${line}\n    at x\n`);
  expect({ modulePaths, missingModules, line: lines.get('world-atlas') }).toEqual({
    modulePaths: ['world-atlas'],
    missingModules: [],
    line,
  });
});

test('modules that are not found are evidence, each once', () => {
  const output =
    "Error: Cannot find module '@acme/ui/button'\nError: Cannot find module '@acme/ui/button'\nCannot find package 'lib' imported from /x";
  expect(readEvidence(output).missingModules).toEqual(['@acme/ui', 'lib']);
});

test('files of the package itself, and other failures, are none', () => {
  const { modulePaths, missingModules } = readEvidence(
    "Cannot find module './local.js'\nCannot find module '/abs/file.js'\nAssertionError: node_modules/x\n",
  );
  expect({ modulePaths, missingModules }).toEqual({ modulePaths: [], missingModules: [] });
});
