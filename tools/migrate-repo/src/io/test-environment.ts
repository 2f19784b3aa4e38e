import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { type Environment, installEnvironment } from '@tributary/process/environment';
import { holdsCredential, setsCredential } from '../credentials.js';

/** Where the tests of a side may write. */
export interface TestPlace {
  readonly home: AbsolutePath;
  readonly temporary: AbsolutePath;
  /** The root of what is installed: what its settings name must be set. */
  readonly root: AbsolutePath;
}

/**
 * Makes HOME and TMPDIR of their own, and returns what code of strangers is started with: proxies, certificates, the addresses of registries.
 * There is no token, no password of a proxy, no agent and no setting of the user. Yarn stops at a variable that its settings name and that is not set; such ones are empty.
 */
export function testEnvironment({ home, temporary, root }: TestPlace): Environment {
  for (const folder of [home, temporary]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, '.npmrc'), registryLines());
  const inherited = installEnvironment(process.env, { ...emptyVariables(root), ...registryVariables() });
  const kept = Object.entries(inherited).filter(
    ([key, value]) => !OF_THE_USER.test(key) && !(value !== undefined && holdsCredential(value)),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: outerPath(),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    CI: 'true',
    NO_COLOR: '1',
    COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_COLORS: '0',
    YARN_ENABLE_PROGRESS_BARS: '0',
    YARN_GLOBAL_FOLDER: join(home, '.yarn/berry'),
    YARN_CACHE_FOLDER: join(home, '.cache/yarn'),
    npm_config_cache: join(home, '.npm'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

/** An agent may have its socket in XDG_RUNTIME_DIR. */
const OF_THE_USER = /^(?:XDG_RUNTIME_DIR|APPDATA|LOCALAPPDATA|USER|LOGNAME)$/;

const REGISTRY =
  /^(?:npm_config_(?:registry|@[^:]+:registry|strict_ssl|ca|cafile|(?:https_?)?proxy|noproxy)|YARN_(?:REGISTRY|NPM_REGISTRY_SERVER|UNSAFE_HTTP_WHITELIST|HTTPS?_PROXY|HTTPS_CA_FILE_PATH|ENABLE_STRICT_SSL|NPM_MINIMAL_AGE_GATE)|COREPACK_NPM_REGISTRY)$/i;

function registryVariables(): Environment {
  const entries = Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return Object.fromEntries(entries.filter(([key, value]) => REGISTRY.test(key) && !holdsCredential(value)));
}

/** The lines of the user's .npmrc that say where registries are. */
function registryLines(): string {
  const file = process.env['npm_config_userconfig'] ?? join(process.env['HOME'] ?? homedir(), '.npmrc');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const kept = lines.filter((line) => /^\s*(?:@[^:=\s]+:)?(?:registry|cafile|ca|strict-ssl|https?-proxy|proxy)\s*=/.test(line));
  return kept
    .filter((line) => !setsCredential(line))
    .map((line) => `${line}\n`)
    .join('');
}

/** `npmAuthToken: ${NPM_TOKEN}`, also in the .npmrc of a repository. */
function emptyVariables(root: string): Environment {
  const texts = ['.yarnrc.yml', '.npmrc']
    .map((name) => join(root, name))
    .flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8')] : []));
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** PATH without the programs of the packages that this very process was started from: a test must not find them. */
export function outerPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !/[\\/](?:node_modules|node-gyp-bin)(?:[\\/]|$)/.test(folder)).join(delimiter);
}
