import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { readJsonWithComments } from './json.js';
import type { Manifest } from './manifest.js';
import { parseYarnSettings } from './yarn-settings.js';

/** The files in which tools other than Yarn and npm say which folders are members, at the root of a repository; the first that says something counts. */
export const MEMBER_LISTS = ['pnpm-workspace.yaml', 'lerna.json'] as const;
export type MemberList = (typeof MEMBER_LISTS)[number];

/**
 * The patterns for folders that such a file has, as `workspaces` of a manifest would have them; `undefined` where it leaves that to somebody else. Throws `MANIFEST_INVALID`, with file and line.
 * Sources: `Project` of @lerna/project 2 to 6; `readWorkspaceManifest` and `findWorkspacePackages` of pnpm 8 to 10.
 */
export function parseMemberList(file: MemberList, text: string): readonly string[] | undefined {
  return file === 'lerna.json' ? lernaPatterns(text) : pnpmPatterns(text);
}

/** The same of lerna 1, which had no file for it; `undefined` where a root manifest does not ask for that. Source: its `Repository`. */
export function lernaOnePatterns({ dependencies, devDependencies }: Manifest): readonly string[] | undefined {
  const range = devDependencies.get('lerna') ?? dependencies.get('lerna');
  return range !== undefined && /^[\s^~=v]*1(?:\.|$)/.test(range) ? ['packages/*'] : undefined;
}

/** Before version 7 lerna looked in packages/ where nothing else was said. Comments are allowed, as lerna reads them by now. */
function lernaPatterns(text: string): readonly string[] | undefined {
  const reading = readJsonWithComments(text);
  if ('problem' in reading) throw invalid('lerna.json', reading.line, reading.problem);
  const config = reading.value;
  if (!isPlainObject(config)) throw invalid('lerna.json', 1, 'it must be a JSON object');
  if (config['useWorkspaces'] === true) return undefined;
  return textsOf('lerna.json', config['packages'] ?? ['packages/*']);
}

/** One that says nothing at all means every folder; one with nothing but other settings, as pnpm 10 has them, none. */
function pnpmPatterns(text: string): readonly string[] | undefined {
  const settings = parseYarnSettings(text);
  if ('problem' in settings) throw invalid('pnpm-workspace.yaml', settings.line, settings.problem.replace(' as Yarn reads it', ''));
  if (Object.keys(settings.raw).length === 0) return ['.', '**'];
  const { packages } = settings.raw;
  return packages === undefined || packages === null ? undefined : textsOf('pnpm-workspace.yaml', packages);
}

/** What is no list names no folder, and must not look as if there were none. */
function textsOf(file: MemberList, value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw invalid(file, 1, '"packages" must be a list of strings');
  return value;
}

function invalid(file: MemberList, line: number, problem: string): ToolError {
  return new ToolError({
    code: 'MANIFEST_INVALID',
    message: `${file}:${line}: ${problem}.`,
    hint: 'Correct the file, then run the command again.',
    data: { file, line },
  });
}
