/** Modules that search all folders upwards for a file or for the root of a project. */
export const CLIMBING_MODULES: ReadonlySet<string> = new Set([
  '@manypkg/find-root',
  '@manypkg/get-packages',
  'app-root-dir',
  'app-root-path',
  'cosmiconfig',
  'escalade',
  'escalade/sync',
  'find-package-json',
  'find-root',
  'find-up',
  'find-up-simple',
  'find-workspaces-root',
  'find-yarn-workspace-root',
  'find-yarn-workspace-root2',
  'lilconfig',
  'package-directory',
  'package-up',
  'pkg-dir',
  'pkg-up',
  'read-package-up',
  'read-pkg-up',
  'workspace-tools',
]);

/** Rare text, because looking for it must cost next to nothing in a file without it. */
const MARKS = ['--show-toplevel', '_CWD', 'Up(', 'UpSync('];
const CLIMBING_CODE = /--show-toplevel\b|\b(?:INIT|PROJECT)_CWD\b|\b(?:find|search)Up(?:Sync)?\(/;

/**
 * Returns the first index of a function, variable or command that finds the root of a project; `undefined` if there is none. Those in
 * comments count, too.
 */
export function findClimbingCode(text: string): number | undefined {
  return MARKS.some((mark) => text.includes(mark)) ? CLIMBING_CODE.exec(text)?.index : undefined;
}
