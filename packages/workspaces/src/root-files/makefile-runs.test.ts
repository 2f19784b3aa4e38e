import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { diffMakefiles, findMakeCalls, isReached, parseMakefile, targetNames } from './makefile.js';

const RUNS = Number(process.env['MAKEFILE_RUNS'] ?? 25);

const targets = ['a', 'b', 'c', 'd', 'e'];
const target = fc.constantFrom(...targets);
const variable = fc.constantFrom('X', 'Y', 'Z', 'W');
const value = fc.oneof(
  fc.constantFrom('1', '2', ''),
  target,
  variable.map((name) => `$(${name})`),
  variable.map((name) => `$${name}`),
  variable.map((name) => `$(subst 1,2,$(${name}))`),
  variable.map((name) => `$(foreach i,1 2,$(i)$(${name}))`),
);
const assignment = fc.tuple(variable, fc.constantFrom('=', ':=', '?=', '+='), value).map((parts) => parts.join(' '));
const recipe = fc.oneof(
  value.map((text) => `\t@echo ${text} $@`),
  target.map((name) => `\t$(MAKE) -f F ${name}`),
  variable.map((name) => `\t$(MAKE) -f F $(${name})`),
);
const prerequisite = fc.oneof(
  target,
  variable.map((name) => `$(${name})`),
);
const rule = fc
  .tuple(target, fc.array(prerequisite, { maxLength: 2 }), fc.array(recipe, { maxLength: 2 }))
  .map(([name, before, lines]) => [`${name}: ${before.join(' ')}`, ...lines].join('\n'));
const block = fc.oneof(
  assignment,
  rule,
  fc.tuple(variable, fc.oneof(assignment, rule)).map(([name, inner]) => `ifeq ($(${name}),1)\n${inner}\nelse\nendif`),
  fc.constantFrom('.PHONY: a b', '.PHONY: c', '# words'),
);
const change = fc.record({
  before: fc.array(block, { maxLength: 8 }),
  at: fc.nat(7),
  other: block,
  how: fc.constantFrom('replace', 'insert', 'delete'),
  goal: fc.constantFrom('', ...targets),
});

/** Returns what make would run, and how it ends; `undefined` if it calls itself without end. */
function dryRun(text: string, goal: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'makefile-'));
  writeFileSync(join(folder, 'F'), text);
  const args = ['-n', '-f', 'F', ...(goal === '' ? [] : [goal])];
  const { status, stdout, stderr } = spawnSync('make', args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 400,
    env: { PATH: process.env['PATH'] },
  });
  rmSync(folder, { recursive: true, force: true });
  const errors = stderr.replace(/^.*warning:.*$/gm, '').replace(/F:\d+|\[F.*?\]/g, '');
  return status === null ? undefined : `${status}\n${stdout}\n${errors.trim()}`.replaceAll(folder, '');
}

const hasMake = spawnSync('make', ['--version']).stdout?.toString().startsWith('GNU Make') === true;

(hasMake ? test : test.skip)('make does the same with both where nothing that changed is reached', () => {
  fc.assert(
    fc.property(change, ({ before, at, other, how, goal }) => {
      const after = [...before];
      after.splice(Math.min(at, before.length), how === 'insert' ? 0 : 1, ...(how === 'delete' ? [] : [other]));
      const texts = [before, after].map((blocks) => `${blocks.join('\n')}\n`) as [string, string];
      const [base, head] = [parseMakefile(texts[0]), parseMakefile(texts[1])];
      const diff = base && head && diffMakefiles(base, head);
      if (base === undefined || head === undefined || diff === undefined) return;
      const sides = [base, head];
      if (isReached(diff, sides, [findMakeCalls(`make ${goal}`, targetNames(sides), 'commands')])) return;
      const [one, two] = [dryRun(texts[0], goal), dryRun(texts[1], goal)];
      if (one !== undefined && two !== undefined) expect(two).toBe(one);
    }),
    { numRuns: RUNS },
  );
});
