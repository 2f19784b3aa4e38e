/** The variables a program is started with; nothing is inherited beside them. */
export type Environment = Readonly<Record<string, string>>;

// What a program needs to run at all, on any platform.
const BASE = [
  'PATH',
  'Path',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
  // Without it the ssh of Windows ends at once and says nothing; compilers and Python are found by the others.
  'ProgramData',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'PROCESSOR_ARCHITECTURE',
] as const;

/** git and the ssh that comes with it understand it on Windows too; a shell would take the backslashes of Windows' own name away. */
const NO_FILE = '/dev/null';

// May be needed to reach a server: the user's settings, proxies and certificates.
const SERVER = [
  'HOME',
  'USERPROFILE',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'APPDATA',
  'LOCALAPPDATA',
  'USER',
  'LOGNAME',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
] as const;

// How a private server authenticates the user.
const AGENTS = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_SSH_VARIANT',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'GIT_CONFIG_GLOBAL',
] as const;

/** Returns an environment without the user's settings, for programs whose output must not depend on who calls them. */
export function closedEnvironment(from: NodeJS.ProcessEnv, added: Environment = {}): Environment {
  return { ...pick(from, BASE), LC_ALL: 'C', ...added };
}

/** Returns an environment with the user's home, agents, proxies and certificates, for programs that contact a server for the user. */
export function networkEnvironment(from: NodeJS.ProcessEnv, added: Environment = {}): Environment {
  return { ...pick(from, [...BASE, ...SERVER, ...AGENTS]), LC_ALL: 'C', ...added };
}

/**
 * Returns an environment with the user's home, proxies and certificates, but without their SSH agent and git credentials. It is for
 * programs that download third-party code and run it.
 */
export function installEnvironment(from: NodeJS.ProcessEnv, added: Environment = {}): Environment {
  const git = {
    GIT_CONFIG_GLOBAL: NO_FILE,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: `ssh -F none -o BatchMode=yes -o IdentityAgent=none -o IdentitiesOnly=yes -o IdentityFile=${NO_FILE}`,
  };
  return { ...pick(from, [...BASE, ...SERVER]), ...git, LC_ALL: 'C', ...added };
}

function pick(from: NodeJS.ProcessEnv, names: readonly string[]): Environment {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
