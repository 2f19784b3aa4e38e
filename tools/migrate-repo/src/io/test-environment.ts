import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { type Environment, installEnvironment } from '@tributary/process/environment';
import { holdsCredential, setsCredential } from '../credentials.js';
import { variablesIn } from './yarn-environment.js';

/** Where the tests of one side may write. */
export interface EnvironmentFolders {
  readonly home: AbsolutePath;
  readonly temporary: AbsolutePath;
  /** The root of the installation. Every variable that its settings name must be set. */
  readonly root: AbsolutePath;
}

/**
 * Creates separate HOME and TMPDIR folders, and returns the environment for third-party code: proxies, certificates and
 * addresses of registries. It has no token, no proxy password, no agent and no user setting. Yarn fails if its settings
 * name a variable that is not set, so those variables are empty.
 */
export function testEnvironment({ home, temporary, root }: EnvironmentFolders): Environment {
  const applications = applicationFolders(home, process.platform);
  // Without the folder of npm, npx stops.
  const ofNpm = Object.values(applications).map((folder) => join(folder, 'npm'));
  for (const folder of [home, temporary, ...ofNpm]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, '.npmrc'), registryLines());
  return {
    ...emptyVariables(root),
    ...inheritedVariables(),
    CI: 'true',
    NO_COLOR: '1',
    PATH: outerPath(),
    HOME: home,
    USERPROFILE: home,
    ...applications,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
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

/** On Windows programs keep their settings there: the npm that comes with Node has its own folder in APPDATA, and makes one called `${APPDATA}` without it. */
export function applicationFolders(home: string, platform: NodeJS.Platform): Environment {
  if (platform !== 'win32') return {};
  return { APPDATA: join(home, 'AppData/Roaming'), LOCALAPPDATA: join(home, 'AppData/Local') };
}

function inheritedVariables(): Environment {
  const inherited = installEnvironment(process.env, registryVariables());
  const kept = Object.entries(inherited).filter(([key, value]) => !OF_THE_USER.test(key) && !holdsLogin(key, value));
  return Object.fromEntries(kept);
}

/** Whether a server setting contains a login. A proxy's may lack the `https://`, and its password may have any character. */
function holdsLogin(key: string, value: string): boolean {
  return holdsCredential(value) || (value.includes('@') && (/proxy$/i.test(key) || /^[\w+]+:\/\/[^/]*@/.test(value)));
}

/** XDG_RUNTIME_DIR may have the socket of an agent. */
const OF_THE_USER = /^(?:XDG_RUNTIME_DIR|APPDATA|LOCALAPPDATA|USER|LOGNAME)$/;

const REGISTRY =
  /^(?:npm_config_(?:registry|@[^:]+:registry|strict_ssl|ca|cafile|(?:https_?)?proxy|noproxy)|YARN_(?:REGISTRY|NPM_REGISTRY_SERVER|UNSAFE_HTTP_WHITELIST|HTTPS?_PROXY|HTTPS_CA_FILE_PATH|ENABLE_STRICT_SSL|NPM_MINIMAL_AGE_GATE)|COREPACK_NPM_REGISTRY)$/i;

function registryVariables(): Environment {
  const entries = Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return Object.fromEntries(entries.filter(([key, value]) => REGISTRY.test(key) && !holdsLogin(key, value)));
}

/** Returns the lines about registries in the user's .npmrc. */
function registryLines(): string {
  const file = process.env['npm_config_userconfig'] ?? join(process.env['HOME'] ?? homedir(), '.npmrc');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const kept = lines.filter((line) => /^\s*(?:@[^:=\s]+:)?(?:registry|cafile|ca|strict-ssl|https?-proxy|proxy)\s*=/.test(line));
  return kept
    .filter((line) => !setsCredential(line) && !/(?:proxy\s*=.*|=\s*["']?[\w+]+:\/\/[^/]*)@/.test(line))
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns empty values for `npmAuthToken: ${NPM_TOKEN}`, also in a repository's .npmrc. */
function emptyVariables(root: string): Environment {
  const files = ['.yarnrc.yml', '.npmrc'].map((name) => join(root, name));
  return Object.fromEntries(variablesIn(files).map((name) => [name, '']));
}

/** Returns PATH without the folders of packages from which this process was started: tests must not find their programs. */
export function outerPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !/[\\/](?:node_modules|node-gyp-bin)(?:[\\/]|$)/.test(folder)).join(delimiter);
}

/** Where corepack keeps what it has fetched for the user. Source: `getCorepackHomeFolder` of corepack. */
export function corepackHome(
  { COREPACK_HOME, XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv,
  { home, platform }: { readonly home: string; readonly platform: NodeJS.Platform },
): string {
  const cache = XDG_CACHE_HOME ?? LOCALAPPDATA ?? join(home, platform === 'win32' ? 'AppData/Local' : '.cache');
  return COREPACK_HOME ?? join(cache, 'node/corepack');
}
