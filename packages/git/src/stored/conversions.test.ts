import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { setVariable } from '../git.fixture.js';
import { mayConvert } from './conversions.js';

const cleanUp = cleanUpIn(afterEach);
const PATH = 'a/b/yarn.lock';

function ask(files: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>> = {}): boolean {
  const folder = cleanUp.add(new TempFolder());
  for (const [file, content] of Object.entries(files)) folder.write(file, content);
  for (const name of ['HOME', 'XDG_CONFIG_HOME']) {
    const value = variables[name];
    setVariable(name, value === undefined ? undefined : `${folder.path}/${value}`, cleanUp);
  }
  const commonDir = `${folder.path}/.git`;
  return mayConvert({ workTree: folder.path, commonDir, gitDir: `${commonDir}/worktrees/linked` }, PATH);
}

test.each([
  '* text=auto eol=lf\nyarn.lock linguist-generated=false -diff merge=union\n/.yarn/releases/** binary\n',
  '*.bat text eol=crlf\n',
])('the ends of lines are no matter: %j', (attributes) => {
  expect(ask({ '.gitattributes': attributes, 'other/.gitattributes': '* filter=x' }, { HOME: 'home' })).toBe(false);
});

test.each(['.gitattributes', 'a/.gitattributes', 'a/b/.gitattributes', '.git/info/attributes'])('attributes may convert: %s', (file) => {
  for (const attribute of ['filter=x', 'ident', 'working-tree-encoding=IBM037'])
    expect(ask({ [file]: `*.lock ${attribute}\n` })).toBe(true);
});

test('so may those of the user', () => {
  expect(ask({ 'home/.config/git/attributes': '* ident' }, { HOME: 'home' })).toBe(true);
  expect(ask({ 'own/git/attributes': '* ident' }, { HOME: 'home', XDG_CONFIG_HOME: 'own' })).toBe(true);
});

test.each(['.git/config', '.git/worktrees/linked/config.worktree', 'home/.gitconfig', 'home/.config/git/config'])(
  'attributes may be anywhere else: %s',
  (file) => {
    expect(ask({ [file]: '[core]\n\tAttributesFile = /x\n' }, { HOME: 'home' })).toBe(true);
  },
);
