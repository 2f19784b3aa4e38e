import { isPrinting, MANAGER, withoutConditions } from './task-words.js';
import type { CiTree, ManifestScript } from './tree.js';
import type { WorkflowLine } from './workflow-lines.js';

/**
 * Returns the scripts of manifests that lines may run.
 * A name counts anywhere in a line that calls a package manager or task runner. A script of the root takes precedence only if nothing leads
 * away from the root: a script too many is better than one too few. `path`: the file with the lines.
 */
export function namedScripts(
  { scripts, isWorkspaceFile }: CiTree,
  path: string,
  lines: readonly WorkflowLine[],
): readonly ManifestScript[] {
  const found = new Set<ManifestScript>();
  const leavesRoot = isWorkspaceFile(path) || lines.some(({ text }) => LEAVES_ROOT.test(text));
  // If a variable has the name, it may be any of the values.
  const isAnyLine = lines.some(({ text }) => RUNS_VARIABLE.test(withoutConditions(text)));
  const add = (name: string): void => {
    const own = scripts.get(name) ?? [];
    const root = own.filter(({ isOfRoot }) => isOfRoot);
    for (const script of leavesRoot || root.length === 0 ? own : root) {
      found.add(script);
      const manifest = script.id.slice(0, -name.length);
      for (const around of [`pre${name}`, `post${name}`])
        for (const one of scripts.get(around) ?? []) if (one.id === `${manifest}${around}`) found.add(one);
    }
  };
  const addAll = (names: readonly string[]): void => {
    for (const name of names) for (const script of scripts.get(name) ?? []) found.add(script);
  };
  for (const { text, kind } of lines) {
    if (kind === 'uses' && PUBLISHES.test(text)) addAll(WITH_PUBLISH);
    if (kind === 'uses' || (!isAnyLine && (isPrinting(text) || !MANAGER.test(text)))) continue;
    for (const name of namesIn(withoutConditions(text), scripts)) add(name);
    if (!MANAGER.test(text)) continue;
    addAll(PUBLISHES.test(text) ? [...WITH_INSTALL, ...WITH_PUBLISH] : WITH_INSTALL);
  }
  return [...found];
}

/** Returns the script names in a line. `lint:*` and `build:$TARGET` match all with that prefix. `yarn:gen` of concurrently means `gen`. */
function namesIn(text: string, scripts: CiTree['scripts']): readonly string[] {
  return (text.match(/[\w@.:/-]+[*$]?/g) ?? []).flatMap((word) => {
    const name = word.replace(/^(?:yarn|npm|pnpm):/, '');
    if (!/[*$]$/.test(name)) return scripts.has(name) ? [name] : [];
    const start = name.slice(0, -1);
    return start === '' ? [] : [...scripts.keys()].filter((one) => one.startsWith(start));
  });
}

const LEAVES_ROOT =
  /(?<![\w.-])(?:workspaces?|foreach|cd|pushd|working-directory|lerna|turbo|nx|wsrun|ultra)(?![\w.])|(?:^|\s)(?:-C|-w|--cwd|--prefix|--filter|--recursive|-r)(?=[\s=]|$)/;
const RUNS_VARIABLE = /(?<![\w.-])(?:yarn|npm|pnpm|run|workspace\s+\S+)\s+(?:--cwd\s+\S+\s+|-\S+\s+)*["']?\$/;

const WITH_INSTALL = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
const PUBLISHES = /\b(?:publish|pack|release)\b|\b(?:yarn|npm|pnpm|lerna)\s+version\b/i;
const WITH_PUBLISH = ['publish', 'pack', 'version'].flatMap((name) => [`pre${name}`, name, `post${name}`]).concat('prepublishOnly');
