import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrateResult } from '@tributary/migrate-repo/result/result';
import type { Environment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { compareHistory } from './family-history.js';
import { comparePacked } from './family-packed.js';

/**
 * Compares a migrated family without trusting the tool: each history with that of git-filter-repo, each package.json that npm would publish
 * with that of the source. Also reports whether an installation in a fresh clone changes a file.
 */
export async function compareFamily(
  answer: MigrateResult,
  { fresh, work, env }: { readonly fresh: string; readonly work: string; readonly env: Environment },
): Promise<string> {
  const folder = join(work, 'compared');
  mkdirSync(folder);
  const lines = [['', 'equal to git-filter-repo: commits; tags', 'published package.json'].map(pad).join('')];
  for (const [at, one] of answer.packages.entries()) {
    const history = await compareHistory(one, { fresh, copy: join(folder, `${at}.git`), env });
    const place = { migrated: join(fresh, one.path), copy: join(folder, `${at}`), env };
    const packed = await comparePacked(one, place);
    const equal =
      history === undefined
        ? 'git-filter-repo is not here'
        : `${history.equal} of ${history.commits}; ${history.equalTags} of ${history.tags}`;
    lines.push([one.name, equal, packed.length === 0 ? 'equal' : packed.join('; ')].map(pad).join('').trimEnd());
  }
  return [...lines, await installAgain(fresh, env)].map((line) => `  ${line}`).join('\n');
}

function pad(cell: string): string {
  return cell.padEnd(42);
}

async function installAgain(cwd: string, env: Environment): Promise<string> {
  const release = yarnRelease(findProjectRoot());
  const { exit, stdout } = await callProgram({
    program: process.execPath,
    args: [release, 'install', '--immutable', '--check-resolutions'],
    cwd,
    env,
  });
  const changed = (await callProgram({ program: 'git', args: ['status', '--porcelain'], cwd, env })).stdout.toString('utf8').trim();
  if (exit !== 0) return `yarn install --immutable --check-resolutions in a fresh clone: exit ${exit}\n${stdout.toString('utf8')}`;
  return `yarn install --immutable --check-resolutions in a fresh clone: ${changed === '' ? 'no file changed' : changed}`;
}
