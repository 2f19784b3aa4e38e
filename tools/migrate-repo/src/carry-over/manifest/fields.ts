import { address } from './address.js';
import { credentials } from './credentials.js';
import { eslintConfig } from './eslint-config.js';
import type { Field } from './field.js';
import { hookPackage, hookScripts, hooks, lintStaged } from './hooks.js';
import { lifecycleScripts } from './lifecycle.js';
import { lockfileNames, scriptPaths, settingPaths } from './paths.js';
import { engines, packageManager, releaseSettings, volta, workspaces } from './tools.js';

/** What is looked at in the manifest of an imported package, in this order; the first one while the manifest still says which manager it had. */
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
