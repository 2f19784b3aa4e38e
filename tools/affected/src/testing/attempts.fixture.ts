import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { ShardRepo } from './shard-repo.fixture.js';

/** A change after which a test fails or does not run, and the script passes, if it can. */
export interface Attempt {
  /** The script before the change, with one test that passes. */
  readonly before: string;
  readonly script: string;
  /** The text of the test file before and after. */
  readonly tests: readonly [before: string, after: string];
  /** The name of the test file; by default `a.test.js`. */
  readonly file?: string;
  readonly files?: Files;
  /** Other scripts. */
  readonly scripts?: Readonly<Record<string, string>>;
}

/** `red`: the gate fails for it. `told`: plan or gate name it in a warning. */
export type Outcome = 'red' | 'told' | 'silent';

/**
 * Runs attempts, each in a workspace of its own named as its key, as one change: plan, shard, gate. `programs`: of the runners, by name.
 */
export async function tryAttempts(
  cleanUp: CleanUp,
  attempts: Readonly<Record<string, Attempt>>,
  programs: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, Outcome>>> {
  const all = Object.entries(attempts);
  const packages = all.map(
    ([name, { before, tests, file = 'a.test.js' }]) => [name, { test: before, files: { [file]: tests[0] } }] as const,
  );
  const one = await ShardRepo.create(cleanUp, Object.fromEntries(packages), { changed: Object.keys(attempts) });
  const { repo, work } = one;
  for (const [name, program] of Object.entries(programs))
    writeFileSync(join(work, 'bin', name), `#!/bin/sh\nexec "${program}" "$@"\n`, { mode: 0o755 });
  all.forEach(([name, { script, tests, file = 'a.test.js', files = {}, scripts = {} }], at) => {
    const manifest = `${JSON.stringify({ name, version: '1.0.0', scripts: { test: script, ...scripts } })}\n`;
    const written = { ...files, [file]: tests[1], 'package.json': manifest };
    repo.write(Object.fromEntries(Object.entries(written).map(([path, text]) => [`packages/p${at}/${path}`, text])));
  });
  repo.commit('Break tests');
  const plan = ['--plan', join(work, 'plan.json')];
  const planned = await one.affected(['plan', '--base', 'main', '--shards', '1', '--out', join(work, 'plan.json')]);
  await one.affected(['run-shard', '01', ...plan]);
  const gate = await one.affected(['gate', ...plan]);
  const warnings = `${planned.stderr}\n${gate.stderr}`.split('\n').filter((line) => line.startsWith('warning: '));
  const problems = gate.stdout.split('\n').filter((line) => !/^(?:Left out|Failed test): /.test(line));
  const names = (lines: readonly string[], name: string): boolean =>
    lines.some((line) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(line));
  return Object.fromEntries(
    all.map(([name]) => [name, gate.code === 1 && names(problems, name) ? 'red' : names(warnings, name) ? 'told' : 'silent']),
  );
}
