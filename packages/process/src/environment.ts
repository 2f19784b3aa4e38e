/** The variables a program is started with; nothing is inherited beside them. */
export type Environment = Readonly<Record<string, string>>;

// What a program needs to run at all, on any platform.
const BASE = ['PATH', 'Path', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ComSpec', 'PATHEXT'] as const;

// What reaching a private server can need: the user's own settings, agents, proxies and certificates.
const NETWORK = [
  ...['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR', 'APPDATA', 'LOCALAPPDATA', 'USER', 'LOGNAME'],
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT', 'GIT_ASKPASS', 'SSH_ASKPASS', 'GIT_CONFIG_GLOBAL'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'],
] as const;

/** Nothing of the user: for programs whose answer must not depend on who calls them. */
export function closedEnvironment(from: NodeJS.ProcessEnv, added: Environment = {}): Environment {
  return { ...pick(from, BASE), LC_ALL: 'C', ...added };
}

/** With the user's home, agents, proxies and certificates: for programs that reach a server on their behalf. */
export function networkEnvironment(from: NodeJS.ProcessEnv, added: Environment = {}): Environment {
  return { ...pick(from, [...BASE, ...NETWORK]), LC_ALL: 'C', ...added };
}

function pick(from: NodeJS.ProcessEnv, names: readonly string[]): Environment {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
