import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { joinRepoPath, parseAbsolutePath, type RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { runProgram } from '@tributary/process/spawn';
import type { Yarn } from './find-yarn.js';
import { layOut, type PackedQuestion } from './packed-files.js';
import { yarnEnvironment } from './yarn-environment.js';

/**
 * Returns the files that Yarn would publish of each package, by folder, sorted and relative to that folder. As in
 * `listPackedFiles`, the packages are written to `scratch`. Their manifests have no scripts there, because Yarn would
 * run those that prepare an archive. Runs Yarn once for each package. `yarn`: the monorepo's own; `undefined` if
 * unknown. Throws `PROGRAM_MISSING`, `PROGRAM_FAILED`, `INTERRUPTED`, `DISK_FULL`.
 */
export async function listYarnPackedFiles(
  question: PackedQuestion,
  yarn: Yarn | undefined,
): Promise<ReadonlyMap<RepoPath, readonly string[]>> {
  const { folders, as, scratch, signal } = question;
  if (folders.length === 0) return new Map();
  if (yarn === undefined) throw notAsked('the Yarn of the monorepo installed nothing');
  const place = parseAbsolutePath(join(scratch, 'tree'));
  layOut(question, place, (text) => asPackable(text, yarn));
  // Yarn's project is the folder with a lockfile.
  for (const root of as === 'workspace' ? [''] : folders) writeFileSync(join(place, root, 'yarn.lock'), '');
  if (as === 'alone') for (const folder of folders) nameRelease(question, folder, place);
  const packed = new Map<RepoPath, readonly string[]>();
  for (const folder of folders) {
    const args = [...yarn.args, 'pack', '--dry-run', '--json'];
    const env = yarnEnvironment(place, { YARN_IGNORE_PATH: '1' });
    const output = await runProgram({ program: yarn.program, args, cwd: join(place, folder), env, ...(signal && { signal }) });
    packed.set(folder, parsePacked(output.toString('utf8')));
  }
  return packed;
}

/**
 * Keeps only `yarnPath` in a package's settings: Yarn publishes neither its settings nor the release that they name. No
 * other setting matters.
 */
function nameRelease({ files }: PackedQuestion, folder: RepoPath, place: string): void {
  const file = join(place, folder, '.yarnrc.yml');
  if (!existsSync(file)) return;
  const [line = ''] = /^yarnPath:.*$/m.exec(files.read(joinRepoPath(folder, '.yarnrc.yml')) ?? '') ?? [];
  writeFileSync(file, line);
}

/** The fields that determine the list of files. */
const FIELDS = ['name', 'main', 'module', 'browser', 'bin', 'files', 'publishConfig', 'workspaces'];

function asPackable(text: string, { packageManager }: Yarn): string {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (!isPlainObject(manifest)) return text;
    return JSON.stringify({ ...Object.fromEntries(FIELDS.map((field) => [field, manifest[field]])), packageManager });
  } catch {
    // A fixture of a test inside a package. Manifests of packages were parsed before.
    return text;
  }
}

/** Returns the files of an answer. It has a line for the folder, one for each file, and one for the archive. */
function parsePacked(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  const found = lines.map((line): unknown => JSON.parse(line)).filter(isPlainObject);
  const files = found.flatMap(({ location }) => (typeof location === 'string' ? [location] : []));
  if (files.includes('package.json')) return files.sort();
  throw notAsked('its output has no list of files');
}

function notAsked(why: string): ToolError {
  return new ToolError({
    code: 'PROGRAM_FAILED',
    message: `yarn pack did not list the files that it would publish: ${why}.`,
    data: { program: 'yarn' },
  });
}
