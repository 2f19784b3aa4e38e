import type { RepoFolder } from '@tributary/model/paths';
import { blankComments } from '../code-literals.js';
import type { SettingPath } from '../reference.js';
import { wideNames } from './short-names.js';

const LITERAL = /\n|(["'`])(?!\1)((?:plugin:|module:)?[@\w./-]{1,100})\1/g;

/**
 * Lists the short strings in code that configures a tool, each once, that may be the name of a package, or a path. It is a wide reading,
 * without knowing the tool: `foo` may be a plugin of Babel, a config of ESLint, or an environment of Jest. The key of each is `literal`.
 * Other code has only paths.
 */
export function readLiterals(text: string, folder: RepoFolder, isSettings = true): readonly SettingPath[] {
  const lines = new Map<string, number>();
  let line = 1;
  for (const [match, , literal = ''] of blankComments(text).matchAll(LITERAL)) {
    if (match === '\n') line++;
    else if (!lines.has(literal)) lines.set(literal, line);
  }
  const found = new Map<string, SettingPath>();
  for (const [literal, first] of lines) {
    for (const { specifier, form } of meaningsOf(literal, isSettings)) {
      const id = `${form} ${specifier}`;
      const isLengthened = !literal.includes(specifier);
      if (found.has(id) && (isLengthened || found.get(id)?.isLengthened === undefined)) continue;
      const name: SettingPath = { specifier, form, line: first, key: 'literal', isGuess: true, base: folder, isPattern: false };
      found.set(id, isLengthened ? { ...name, isLengthened } : name);
    }
  }
  return [...found.values()];
}

function meaningsOf(literal: string, isSettings: boolean): readonly Pick<SettingPath, 'specifier' | 'form'>[] {
  const isRelative = /^\.{1,2}\//.test(literal);
  const isFile = isRelative || (!literal.startsWith('@') && /\/.*\.[A-Za-z]\w*$/.test(literal));
  const names = !isSettings || isRelative || !/[A-Za-z]/.test(literal) ? [] : wideNames(literal);
  return [
    ...names.map((specifier) => ({ specifier, form: 'module' as const })),
    ...(isFile ? [{ specifier: literal, form: 'text' as const }] : []),
  ];
}
