import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { type Environment, installEnvironment } from '@tributary/process/environment';
import { readTextFile } from '@tributary/process/unusable-file';

/**
 * Returns the environment of the monorepo's Yarn: proxies, certificates, and variables for registries and their
 * credentials (`YARN_*`, and those that `.yarnrc.yml` names). npm's credentials are omitted, because Yarn reads none.
 * There is no GitHub token and no agent: if scripts may run, they run in this environment. Yarn fails if its settings
 * name a variable that is not set, so GitHub's variables are empty.
 */
export function yarnEnvironment(root: AbsolutePath, added: Environment = {}): Environment {
  return installEnvironment(process.env, {
    ...Object.fromEntries(Object.entries(registrySettings()).filter(([key]) => !NPM_CREDENTIAL.test(key))),
    ...namedVariables(root),
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_COLORS: '0',
    YARN_ENABLE_HYPERLINKS: '0',
    YARN_ENABLE_PROGRESS_BARS: '0',
    YARN_ENABLE_MESSAGE_NAMES: '1',
    YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
    COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
    ...added,
  });
}

const NPM_CREDENTIAL = /^npm_config_.*(?:auth|token|password|username|email|otp|cert|key)/i;

/** Returns Yarn's, npm's and corepack's own variables, which name registries and tokens. */
export function registrySettings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      value !== undefined && /^(YARN_|npm_config_|COREPACK_)/i.test(key) ? [[key, value]] : [],
    ),
  );
}

/** Returns the variables that settings name: `npmAuthToken: ${NPM_TOKEN}`. */
function namedVariables(root: AbsolutePath): Record<string, string> {
  const homes = [process.env['HOME'], process.env['USERPROFILE']].flatMap((home) => (home === undefined ? [] : [home]));
  return Object.fromEntries(
    variablesIn([root, ...homes].map((folder) => join(folder, '.yarnrc.yml'))).flatMap((name) => {
      if (/^(?:GITHUB|GH)_(?:\w+_)?TOKEN$/.test(name)) return [[name, '']];
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the variables that settings files use, as in `${NPM_TOKEN}`. Files need not exist. */
export function variablesIn(files: readonly string[]): readonly string[] {
  const texts = files.flatMap((file) => (existsSync(file) ? [readTextFile(file)] : []));
  return texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
}
