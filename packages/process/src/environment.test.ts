import { expect, test } from '@jest/globals';
import { closedEnvironment, installEnvironment, networkEnvironment } from './environment.js';

const user: NodeJS.ProcessEnv = {
  PATH: '/bin',
  TMPDIR: '/var/tmp',
  HOME: '/srv/ada',
  SSH_AUTH_SOCK: '/srv/agent',
  https_proxy: 'http://proxy.example',
  NODE_EXTRA_CA_CERTS: '/srv/ca.pem',
  LC_ALL: 'de_DE.UTF-8',
  LANG: 'de_DE.UTF-8',
  GIT_DIR: '/srv/other/.git',
  GIT_INDEX_FILE: '/srv/other/index',
  GIT_WORK_TREE: '/srv/other',
  GIT_OBJECT_DIRECTORY: '/srv/other/objects',
  GIT_EXTERNAL_DIFF: 'evil',
  GIT_TRACE: '1',
  GIT_TRACE_CURL: '1',
  GIT_PAGER: 'evil',
  GIT_EXEC_PATH: '/srv/evil',
  LD_PRELOAD: '/srv/evil.so',
  NODE_OPTIONS: '--require /srv/evil.js',
  GITHUB_TOKEN: 'secret',
};

test('closed: nothing of the user but where programs and temporary files are', () => {
  expect(closedEnvironment(user)).toEqual({ PATH: '/bin', TMPDIR: '/var/tmp', LC_ALL: 'C' });
});

test('network: the home of the user, their agents, proxies and certificates too, but nothing that steers a git or a Node', () => {
  expect(networkEnvironment(user)).toEqual({
    ...closedEnvironment(user),
    HOME: '/srv/ada',
    SSH_AUTH_SOCK: '/srv/agent',
    https_proxy: 'http://proxy.example',
    NODE_EXTRA_CA_CERTS: '/srv/ca.pem',
  });
});

test('install: home, proxies and certificates, but no agent, no token, and nothing by which git could identify anybody', () => {
  const { HOME, https_proxy, SSH_AUTH_SOCK, GITHUB_TOKEN, NODE_OPTIONS, ...rest } = installEnvironment(user);
  expect([HOME, https_proxy, SSH_AUTH_SOCK, GITHUB_TOKEN, NODE_OPTIONS]).toEqual([
    '/srv/ada',
    'http://proxy.example',
    undefined,
    undefined,
    undefined,
  ]);
  expect(rest).toMatchObject({ GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '' });
});

test.each([closedEnvironment, networkEnvironment])('what is added wins, and what is not set is absent', (build) => {
  expect(build({ PATH: '/bin' }, { PATH: '/own', GIT_DIR: 'x', LC_ALL: 'C.UTF-8' })).toEqual({
    PATH: '/own',
    GIT_DIR: 'x',
    LC_ALL: 'C.UTF-8',
  });
  expect(build({})).toEqual({ LC_ALL: 'C' });
});

test('of Windows: what its ssh and its compilers do not start without', () => {
  const machine = { ProgramData: 'C:\\ProgramData', ProgramFiles: 'C:\\Program Files', 'ProgramFiles(x86)': 'C:\\Program Files (x86)' };
  expect(closedEnvironment({ ...machine, APPDATA: 'C:\\Users\\ada' })).toEqual({ ...machine, LC_ALL: 'C' });
  expect(installEnvironment({})['GIT_SSH_COMMAND']).toMatch(/IdentityFile=\/dev\/null$/);
});
