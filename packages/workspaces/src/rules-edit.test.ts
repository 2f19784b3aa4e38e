import { describe, expect, it } from '@jest/globals';
import type { FileRule } from '@tributary/model/config';
import { addRules } from './rules-edit.js';

const RULE: FileRule = { files: ['docs/**'], affects: 'owner', because: 'nothing names it' };

describe('rules for tributary.json', () => {
  it('make a new file', () => {
    const rules = [{ files: 'docs/**', affects: 'owner', because: 'nothing names it' }];
    expect(JSON.parse(addRules(undefined, [RULE]))).toEqual({ affected: { rules } });
  });

  it('come behind those that are there, and keep comments, indentation and line ends', () => {
    const text =
      '\uFEFF{\r\n\t// first\r\n\t"affected": {\r\n\t\t"rules": [\r\n\t\t\t{ "files": "a", "affects": "all" } // why\r\n\t\t]\r\n\t}\r\n}\r\n';
    const edited = addRules(text, [RULE]);
    expect(edited).toContain('\t// first\r\n');
    expect(edited).toContain('{ "files": "a", "affects": "all" }');
    expect(edited).toContain('// why');
    expect(edited.startsWith('\uFEFF')).toBe(true);
    expect(edited.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(edited.indexOf('docs/**')).toBeGreaterThan(edited.indexOf('"a"'));
  });

  it.each([
    ['an empty list', '{ "affected": { "rules": [] } }'],
    ['a list with a comma at its end', '{ "affected": { "rules": [{ "files": "a", "affects": "all" },] } }'],
    ['a list with a comment at its end', '{ "affected": { "rules": [{ "files": "a", "affects": "all" } /* end */] } }'],
    ['another block', '{ "migrate": {}, }'],
    ['an empty block', '{ "affected": {} }'],
    ['names alone', '{ "affected": { "rootOnlyDependencies": ["x"] } }'],
  ])('can be read again behind %s', async (_, text) => {
    const { parseConfigFile } = await import('./config-file.js');
    const { affected } = parseConfigFile(addRules(text, [RULE, RULE]).replaceAll(/,(?=\s*[\]}])/g, ''), 'tributary.json');
    expect(affected.rules.filter(({ because }) => because !== undefined)).toHaveLength(2);
  });
});
