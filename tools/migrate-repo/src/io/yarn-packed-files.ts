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
 * Which files Yarn would publish of each package, by its folder: from the folder of the package, sorted. As in `listPackedFiles`, packages are laid out in `scratch`; their
 * manifests have no scripts there, for Yarn would run those that prepare an archive. One call a package. `yarn`: the monorepo's own; `undefined`: it is not known. Throws
 * `PROGRAM_MISSING`, `PROGRAM_FAILED`, `INTERRUPTED`, `DISK_FULL`.
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
  // The project is where its lockfile is.
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

/** Yarn publishes neither its settings nor the release that these name. Of the settings nothing else counts. */
function nameRelease({ files }: PackedQuestion, folder: RepoPath, place: string): void {
  const file = join(place, folder, '.yarnrc.yml');
  if (!existsSync(file)) return;
  const [line = ''] = /^yarnPath:.*$/m.exec(files.read(joinRepoPath(folder, '.yarnrc.yml')) ?? '') ?? [];
  writeFileSync(file, line);
}

/** What the list of files depends on. */
const FIELDS = ['name', 'main', 'module', 'browser', 'bin', 'files', 'publishConfig', 'workspaces'];

function asPackable(text: string, { packageManager }: Yarn): string {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (!isPlainObject(manifest)) return text;
    return JSON.stringify({ ...Object.fromEntries(FIELDS.map((field) => [field, manifest[field]])), packageManager });
  } catch {
    // One of a test, deep inside of a package. Manifests of packages have been read before.
    return text;
  }
}

/** A line for the folder, one for each file, and one for the archive. */
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
