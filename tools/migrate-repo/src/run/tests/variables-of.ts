import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Environment } from '@tributary/process/environment';
import { readInstalledManifest } from '../../io/installed-manifest.js';
import { runStep, type TestSite, type TestStep } from './test-site.js';

/**
 * Returns the variables that the script `test` gets from the program that runs it, by running a script that records
 * them; `undefined` if that failed.
 */
export async function variablesOf(site: TestSite, step: Omit<TestStep, 'title'>): Promise<Environment | undefined> {
  const [program, answer] = ['variables.cjs', 'variables.json'].map((name) => join(site.work, name)) as [string, string];
  const manifest = join(step.cwd, 'package.json');
  const fields = readInstalledManifest(step.cwd);
  if (fields === undefined) return undefined;
  const text = readFileSync(manifest);
  rmSync(answer, { force: true });
  writeFileSync(program, `require('node:fs').writeFileSync(${JSON.stringify(answer)}, JSON.stringify(process.env));\n`);
  try {
    writeFileSync(manifest, JSON.stringify({ ...fields, scripts: { test: `node "${program.split(sep).join('/')}"` } }));
    await runStep(site, { ...step, title: 'variables' });
  } finally {
    writeFileSync(manifest, text);
  }
  return existsSync(answer) ? (JSON.parse(readFileSync(answer, 'utf8')) as Environment) : undefined;
}
