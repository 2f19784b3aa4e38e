import type { AffectedConfig } from '@tributary/model/config';
import { DEFAULT_AFFECTED } from '@tributary/model/default-affected';
import { ToolError } from '@tributary/model/errors';
import { isInside, type RepoFolder } from '@tributary/model/paths';
import type { FileRules, readGlobalDependencies } from '@tributary/workspaces/file-rules';
import type { RootTexts } from '../io/reading.js';
import type { AffectedInputs } from './inputs.js';

export async function readConfig(texts: RootTexts): Promise<AffectedConfig> {
  const text = texts['tributary.json'];
  if (text === undefined) return DEFAULT_AFFECTED;
  const { parseConfigFile } = await import('@tributary/workspaces/config-file');
  return parseConfigFile(text, 'tributary.json').affected;
}

/** Returns the rules of tributary.json, turbo.json and the built-in ones; `linked` as in `BerryMembers`. Throws `CONFIG_INVALID`. */
export async function loadRules(
  { config, texts, taskKind = 'test' }: Pick<AffectedInputs, 'config' | 'texts' | 'taskKind'>,
  linked: readonly RepoFolder[],
  before?: RootTexts,
): Promise<FileRules> {
  const { buildFileRules, readGlobalDependencies } = await import('@tributary/workspaces/file-rules');
  // Includes those of the base: a change must not remove its own files from the list.
  const globs = [before, texts].flatMap((side) =>
    TURBO_FILES.flatMap((file) => globalDependencies(file, side?.[file], readGlobalDependencies)),
  );
  const rules = buildFileRules(config.rules, globs, taskKind);
  // The target of a `link:` or `portal:` is a package although it is not a workspace, so none of its files is only a document.
  const isLinked = (file: string): boolean => linked.some((folder) => folder !== '' && isInside(file, folder));
  return (file, place) => {
    const match = rules(file, place);
    return match?.source === 'built-in' && match.affects === 'none' && isLinked(file) ? undefined : match;
  };
}

const TURBO_FILES = ['turbo.json', 'turbo.jsonc'] as const;

function globalDependencies(file: string, text: string | undefined, read: typeof readGlobalDependencies): readonly string[] {
  const globs = text === undefined ? [] : read(text);
  if (!('problem' in globs)) return globs;
  throw new ToolError({
    code: 'CONFIG_INVALID',
    message: `${file} cannot be read: ${globs.problem}.`,
    hint: 'Correct the file. Its "globalDependencies" name the files that select every workspace.',
  });
}
