// The only entry into the project from npm: installs with the committed Yarn if something changed, then runs the given Yarn command. It
// needs only Node and git: no global yarn, no corepack, no environment variable.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listWorkspaces } from './workspaces.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.installed');
const release = join(root, '.yarn/releases/yarn-4.18.1.cjs');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Tributary needs Node 20.19 or newer; this is ${process.versions.node}.`, 'Install a newer Node and run the same command again.');
}
const gitVersion = askGitVersion();
requireGit();

const wanted = process.argv.slice(2);
const environment = yarnEnvironment();
const stamp = installStamp();
if (readStamp() !== stamp) {
  const install = yarn(['install', ...(process.env.CI ? ['--immutable'] : [])]);
  if (install !== 0) {
    fail(
      `The installation failed; the packages were asked from ${registryHost()}, and what Yarn said stands above.`,
      "Yarn does not read npm's access tokens: for a registry that needs one, set YARN_NPM_AUTH_TOKEN and run the same command again.",
    );
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, installStamp());
}
process.exit(wanted[0] === 'install' ? 0 : yarn(wanted));

function yarn(args) {
  const run = spawnSync(process.execPath, [release, ...args], { cwd: root, env: environment, stdio: 'inherit' });
  return run.status ?? 1;
}

/** Returns the environment for Yarn. Yarn reads neither `.npmrc` nor npm's variables, so the registry of the user's npm is passed here. */
function yarnEnvironment() {
  const asked = process.env.YARN_NPM_REGISTRY_SERVER ?? process.env.npm_config_registry ?? registryOfNpm();
  const env = { TURBO_TELEMETRY_DISABLED: '1', ...process.env, TRIBUTARY_MACHINE: describeMachine() };
  // Variables that npm passes on; NPM_GROOVY_LINT is a tool of the ring `engines`.
  for (const name of Object.keys(env)) if (/^npm_(?!groovy_lint$)/i.test(name)) delete env[name];
  if (asked === '') return env;
  env.YARN_NPM_REGISTRY_SERVER = asked.replace(/\/$/, '');
  // Yarn rejects plain http (YN0081) unless the host is listed.
  if (asked.startsWith('http:')) env.YARN_UNSAFE_HTTP_WHITELIST ??= new URL(asked).hostname;
  return env;
}

/** Returns the registry's host without the rest of the address, which may contain a password. */
function registryHost() {
  const address = environment.YARN_NPM_REGISTRY_SERVER;
  return address === undefined ? "Yarn's own default" : new URL(address).host;
}

/** Returns the output of `git --version`; empty without git. */
function askGitVersion() {
  return spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

/** Fails if git is missing or too old. The tools (`OLDEST_GIT` of packages/git), the demo and the tests need it and would fail late. */
function requireGit() {
  const [, gitMajor, gitMinor] = (/^git version (\d+)\.(\d+)/.exec(gitVersion) ?? []).map(Number);
  if (gitMajor > 2 || (gitMajor === 2 && gitMinor >= 38)) return;
  const found = gitVersion === '' ? 'there is none in PATH' : `this is ${gitVersion}`;
  fail(`Tributary needs git 2.38 or newer; ${found}.`, 'Install git 2.38 or newer and run the same command again.');
}

/** Returns the machine's versions. turbo includes them in its hash, so that test results are not reused after an upgrade of Node or git. */
function describeMachine() {
  return [process.platform, process.arch, process.version, gitVersion].join(' ');
}

/** Returns npm's registry. npm sets `npm_config_registry` only if it differs from npm's own default, so npm is asked. */
function registryOfNpm() {
  const npm = process.env.npm_execpath;
  const [file, before] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const asked = spawnSync(file, [...before, 'config', 'get', 'registry'], {
    cwd: root,
    encoding: 'utf8',
    shell: file === 'npm' && process.platform === 'win32',
  });
  const answer = asked.status === 0 ? asked.stdout.trim() : '';
  return /^https?:/.test(answer) ? answer : '';
}

/** Returns a hash of everything that determines an installation, so that an unchanged one can be skipped. */
function installStamp() {
  const hash = createHash('sha256').update(process.version);
  const manifests = listWorkspaces(root).map((folder) => `${folder}/package.json`);
  for (const file of ['yarn.lock', '.yarnrc.yml', 'package.json', ...manifests]) {
    hash.update(`\0${file}\0`).update(readOrEmpty(join(root, file)));
  }
  return hash.digest('hex');
}

function readStamp() {
  return readOrEmpty(stampFile).toString();
}

function readOrEmpty(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return Buffer.alloc(0);
    throw error;
  }
}

function fail(message, hint) {
  console.error(`error: ${message}\nhint: ${hint}`);
  process.exit(1);
}
