import type { RepoPath } from '@tributary/model/paths';
import { INSTALLED, settingsKind } from './settings/kinds.js';

/** Tells whether to scan a file for imports. Files that Yarn installed are not the project's code. */
export function isCodeFile(path: RepoPath): boolean {
  return /\.([cm]?[jt]sx?|mdx|vue|svelte|astro)$/.test(path) && !INSTALLED.test(path);
}

/** Tells whether a file is data with names to read: manifests, and settings of test runners, compilers, linters and containers. */
export function isSettingsFile(path: RepoPath): boolean {
  return settingsKind(path) !== undefined;
}

const TOOL = /^(babel|jest|jest-preset|karma|metro|playwright|rollup|vite|vitest|webpack|wdio|gulpfile|gruntfile)\./i;

/** Tells whether a code file configures a tool, so that its strings may be names: `*.config.ts`, `.eslintrc.cjs`, `webpack.prod.js`. */
export function isCodeSettings(path: RepoPath): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!/\.[cm]?[jt]s$/.test(name) || !isCodeFile(path)) return false;
  return /\.(config|conf|workspace)\./i.test(name) || /^\.[\w-]+rc\./.test(name) || TOOL.test(name) || /(^|\/)\.storybook\//.test(path);
}

const TEST_MATERIAL = /(^|\/)(__fixtures__|__testfixtures__|fixtures?|__snapshots__|test-?data)\//i;

/** Tells whether imports of a file need not be imports of its workspace: fixtures, and templates of other packages. */
export function isFixture(below: string): boolean {
  return TEST_MATERIAL.test(below) || /(^|\/)templates?\//i.test(below);
}
