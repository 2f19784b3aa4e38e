import type { TaskKind } from '@tributary/workspaces/task-kinds';
import { type CiFileRead, CiReading, type RunningCi, whyChangeCounts } from './ci-reading.js';
import { isCiFile } from './file-types.js';
import { type Asking, buildCiTree, type CiTree } from './tree.js';

/** Files by path from the top of the repository; `null` deletes one. */
export type TreeTexts = Readonly<Record<string, string | null>>;

export const CI = '.github/workflows/ci.yml';
export const STALE = '.github/workflows/stale.yml';

/** Returns a workflow with these steps, each a line of YAML. */
export function workflow(...steps: readonly string[]): string {
  return ['on: [push]', 'jobs:', '  one:', '    runs-on: ubuntu-latest', '    steps:', ...steps.map((step) => `      - ${step}`), ''].join(
    '\n',
  );
}

export const HARMLESS = workflow('uses: actions/stale@v9');
export const TESTS = workflow('run: yarn test');

export function action(...steps: readonly string[]): string {
  return ['runs:', '  using: composite', '  steps:', ...steps.map((step) => `    - ${step}`), ''].join('\n');
}

export function actionAt(name: string): string {
  return `.github/actions/${name}/action.yml`;
}

/** Returns the manifest of a folder with these scripts. */
export function manifest(folder: string, scripts: Readonly<Record<string, string>>): TreeTexts {
  return { [folder === '' ? 'package.json' : `${folder}/package.json`]: JSON.stringify({ scripts }) };
}

/** Returns a tree of these files and a function that answers its questions. The workspaces are the folders in `packages`. */
export function readTree(texts: TreeTexts): { readonly tree: CiTree; readonly answer: <T>(question: Asking<T>) => T } {
  const files = new Map(Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== null));
  const manifests = [...files].filter(([path]) => path.endsWith('package.json'));
  const tree = buildCiTree({
    files: new Map([...files.keys()].map((path) => [path, 'file'])),
    manifests: manifests.map(([path, text]) => ({ path, text, isOfRoot: path === 'package.json' })),
    isWorkspaceFile: (path) => path.startsWith('packages/'),
  });
  const read = (path: string): string | undefined => (files.get(path)?.includes('\0') === true ? undefined : files.get(path));
  return {
    tree,
    answer: (question) => {
      let step = question.next([]);
      while (step.done !== true) step = question.next(step.value.map(read));
      return step.value;
    },
  };
}

/** Returns the reason of the first changed file that counts, as in `run/compare-ci-files.ts`. */
export function whyCounted(before: TreeTexts, changed: TreeTexts, running: RunningCi, kind: TaskKind = 'test'): string | undefined {
  const [base, head] = [before, { ...before, ...changed }].map((texts) => {
    const { tree, answer } = readTree(texts);
    const ci = answer(CiReading.create(tree, running, kind));
    return (path: string): CiFileRead => answer(ci.read(path));
  });
  const files = Object.keys(changed).filter(isCiFile);
  if (files.length === 0) throw new Error('No CI file is changed.');
  return files.map((path) => base && head && whyChangeCounts(base(path), head(path))).find((why) => why !== undefined);
}
