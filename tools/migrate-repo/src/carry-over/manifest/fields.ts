import { address } from './address.js';
import { credentials } from './credentials.js';
import { eslintConfig } from './eslint-config.js';
import type { Field } from './field.js';
import { hookPackage, hookScripts, hooks, lintStaged } from './hooks.js';
import { lifecycleScripts } from './lifecycle.js';
import { lockfileNames, scriptPaths, settingPaths } from './paths.js';
import { engines, packageManager, releaseSettings, volta, workspaces } from './tools.js';

/** The checks of an imported package's manifest, in order. The first one runs while the manifest still names its former package manager. */
export const MANIFEST_FIELDS: readonly Field[] = [
  lifecycleScripts,
  packageManager,
  hooks,
  lintStaged,
  hookScripts,
  hookPackage,
  volta,
  address,
  engines,
  workspaces,
  scriptPaths,
  settingPaths,
  lockfileNames,
  eslintConfig,
  releaseSettings,
  credentials,
];
