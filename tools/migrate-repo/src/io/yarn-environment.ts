import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { type Environment, installEnvironment } from '@tributary/process/environment';

/**
 * What the monorepo's Yarn is started with: proxies, certificates, and what names registries and their credentials (`YARN_*`, and the variables
 * that `.yarnrc.yml` names). Of npm's variables come those that are no credential: Yarn reads none. There is no token of GitHub and no agent, for
 * where scripts may run, they run in it. Yarn stops at a variable that its settings name and that is not set; GitHub's are therefore empty.
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

/** Yarn's and npm's own variables name registries and tokens. */
export function registrySettings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      value !== undefined && /^(YARN_|npm_config_|COREPACK_)/i.test(key) ? [[key, value]] : [],
    ),
  );
}

/** `npmAuthToken: ${NPM_TOKEN}` */
function namedVariables(root: AbsolutePath): Record<string, string> {
  const homes = [process.env['HOME'], process.env['USERPROFILE']].flatMap((home) => (home === undefined ? [] : [home]));
  const texts = [root, ...homes]
    .map((folder) => join(folder, '.yarnrc.yml'))
    .flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8')] : []));
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  return Object.fromEntries(
    names.flatMap((name) => {
      if (/^(?:GITHUB|GH)_(?:\w+_)?TOKEN$/.test(name)) return [[name, '']];
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
