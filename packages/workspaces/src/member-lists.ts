import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { readJsonWithComments } from './json.js';
import type { Manifest } from './manifest.js';
import { parseYarnSettings } from './yarn-settings.js';

/**
 * The files in which tools other than Yarn and npm list member folders, at the root of a repository. The first one with patterns counts.
 */
export const MEMBER_LISTS = ['pnpm-workspace.yaml', 'lerna.json'] as const;
export type MemberList = (typeof MEMBER_LISTS)[number];

/**
 * Returns the folder patterns of such a file, in the form of `workspaces` of a manifest; `undefined` if it leaves them to another tool.
 * Throws `MANIFEST_INVALID`, with file and line. Sources: `Project` of @lerna/project 2 to 6; `readWorkspaceManifest` and
 * `findWorkspacePackages` of pnpm 8 to 10.
 */
export function parseMemberList(file: MemberList, text: string): readonly string[] | undefined {
  return file === 'lerna.json' ? lernaPatterns(text) : pnpmPatterns(text);
}

/**
 * Returns the patterns of lerna 1, which had no file for them; `undefined` if a root manifest does not depend on lerna 1. Source: its
 * `Repository`.
 */
export function lernaOnePatterns({ dependencies, devDependencies }: Manifest): readonly string[] | undefined {
  const range = devDependencies.get('lerna') ?? dependencies.get('lerna');
  return range !== undefined && /^[\s^~=v]*1(?:\.|$)/.test(range) ? ['packages/*'] : undefined;
}

/** Reads lerna.json. Before version 7, lerna defaulted to packages/. Comments are allowed, as in current lerna. */
function lernaPatterns(text: string): readonly string[] | undefined {
  const reading = readJsonWithComments(text);
  if ('problem' in reading) throw invalid('lerna.json', reading.line, reading.problem);
  const config = reading.value;
  if (!isPlainObject(config)) throw invalid('lerna.json', 1, 'it must be a JSON object');
  if (config['useWorkspaces'] === true) return undefined;
  return textsOf('lerna.json', config['packages'] ?? ['packages/*']);
}

/** Reads pnpm-workspace.yaml. An empty file means every folder; one with only other settings, as for pnpm 10, means none. */
function pnpmPatterns(text: string): readonly string[] | undefined {
  const settings = parseYarnSettings(text);
  if ('problem' in settings) throw invalid('pnpm-workspace.yaml', settings.line, settings.problem.replace(' as Yarn reads it', ''));
  if (Object.keys(settings.raw).length === 0) return ['.', '**'];
  const { packages } = settings.raw;
  return packages === undefined || packages === null ? undefined : textsOf('pnpm-workspace.yaml', packages);
}

/** Returns the patterns. Throws if the value is not a list of strings, because it must not look like an empty list. */
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
