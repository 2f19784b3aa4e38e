// The page of benchmarks: a section is replaced, not added twice, and the others stay; each bench is an existing script.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { BENCHES, sectionOf, withSection } from './bench-docs.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const facts = [['date', '2026-11-26']];

test('each bench is a command of the project, and each section has date, machine and versions', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const page = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8');
  const sections = page.split(/^## /m).slice(1);
  const titles = Object.values(BENCHES).map(({ title }) => title);
  for (const name of Object.keys(BENCHES)) expect(scripts[`bench:${name}`]).toContain(`bench/out/${name}.cjs`);
  expect(sections).not.toEqual([]);
  for (const section of sections) {
    expect(titles).toContain(section.split('\n')[0]);
    expect(section).toMatch(
      /- date: \d{4}-\d\d-\d\d\n- machine: \d+ × .*\n- load before the run: [\d.]+\n- versions: Tributary \w+, Node [\d.]+, git /,
    );
  }
});

test('a section is replaced, and the others stay, in the order of the list', () => {
  const old = withSection('', 'rewrite', sectionOf('rewrite', { output: 'old\n', facts }));
  const both = withSection(old, 'affected', sectionOf('affected', { output: 'x\n', facts }));
  const page = withSection(both, 'rewrite', sectionOf('rewrite', { output: 'new\n', facts }));
  expect(page.match(/^## .*$/gm)).toEqual(['## Select workspaces', '## Rewrite a history']);
  expect(page).toContain('new\n```');
  expect(page).not.toContain('old');
  expect(withSection(page, 'affected', sectionOf('affected', { output: 'x\n', facts }))).toBe(page);
});
