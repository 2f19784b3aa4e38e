import { isPlainObject } from '@tributary/model/plain-object';
import type { BearingOf } from '@tributary/references/users';
import type { FileRules } from '@tributary/workspaces/file-rules';
import type { Manifest } from '@tributary/workspaces/manifest';
import { countsForNobody } from '@tributary/workspaces/root-manifest-diff';
import { withScriptCallers } from '@tributary/workspaces/root-scripts';
import { isApart } from '@tributary/workspaces/script-kinds';
import type { TaskKind } from '@tributary/workspaces/task-kinds';

interface Facts {
  readonly rules: FileRules;
  readonly kind: TaskKind;
  readonly rootManifest: Manifest;
}

/** Returns what a root file that refers to something means for tasks of the kind. `key`: that of a settings file. */
export function buildBearing({ rules, kind, rootManifest }: Facts): BearingOf {
  return (file, key = '') => {
    if (file === 'package.json') return isForNobody(key, kind, rootManifest) ? 'nobody' : 'everybody';
    const affects = rules(file, 'outside')?.affects;
    if (affects === 'none') return 'nobody';
    return affects === 'all' || isFoundByTools(file) ? 'everybody' : 'readers';
  };
}

/** Tells whether no task of the kind reads a key of the root's manifest: it is prose, or a script that only scripts apart from tasks run. */
function isForNobody(key: string, kind: TaskKind, rootManifest: Manifest): boolean {
  const [block = '', ...rest] = key.split('.');
  if (block !== 'scripts') return countsForNobody(block, kind);
  const name = rest.join('.');
  const { scripts } = rootManifest.raw;
  return isPlainObject(scripts) && withScriptCallers([name], [rootManifest]).every((caller) => isApart(caller, kind));
}

/** Tools for which a name such as `lint-staged.config.js` has a hyphen. */
const HYPHENATED = /^(?:babel-plugin-macros|electron-builder|lint-staged|react-native|web-test-runner|webpack-dev)\./;

/**
 * Tells whether a tool may find a root file by itself, without any entry: a hidden file, or one at the top whose name says what it is, such
 * as `ava.config.js`. Nobody looks for `ava-special.config.js`.
 */
function isFoundByTools(file: string): boolean {
  if (file.startsWith('.')) return true;
  if (/^[jt]sconfig(?!\.json$)/.test(file)) return false;
  if (file.includes('/') || !/(config|conf|rc|file|setup|preset)(\.|$)/i.test(file)) return false;
  return !file.includes('-') || HYPHENATED.test(file);
}
