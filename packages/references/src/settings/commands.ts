import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import { readScript } from './script-paths.js';

/**
 * Lists the words of a file with commands that look like paths: a shell script, a Makefile, a CI file. The folder in which they start is
 * unknown, so each is read from the root and from the file's folder. A word that leads to no file does not count.
 */
export function readCommands(text: string, folder: RepoFolder): readonly SettingPath[] {
  const starts: readonly RepoFolder[] = folder === '' ? [''] : ['', folder];
  const found = new Map<string, SettingPath>();
  for (const [at, line] of text.split('\n').entries()) {
    for (const start of starts) {
      for (const path of readScript(
        { key: 'commands', keys: ['commands'], line: at + 1, text: line.replace(FLOW_END, ' ').replace(FROM_ROOT, '') },
        start,
      )) {
        // Each workspace has such a file, and the script may run in any of them.
        if (/^(\.\/)*(\.?|package\.json|[jt]sconfig\.json|README\.md|CHANGELOG\.md)$/.test(path.specifier)) continue;
        const id = `${path.base}\0${path.specifier}`;
        if (!found.has(id)) found.set(id, path);
      }
    }
  }
  return [...found.values()];
}

/** What closes a list or a mapping of YAML in a line: `with: {config: ci/a.json}`. */
const FLOW_END = /(?<=[\w*])[\]}]+(?=[\s,]|$)/g;

/** The slash of a path from the root of the repository, as in `include` of GitLab; what begins at the machine's root is no file here. */
const FROM_ROOT = /(?<![\w.$})\]*/-])\/(?=[\w.])/g;
