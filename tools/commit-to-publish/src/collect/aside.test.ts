import { expect, test } from '@jest/globals';
import { CI_FILES } from '@tributary/workspaces/file-rules';
import { isAside } from './aside.js';

// The setups of affected are compared with the same list.
test.each(CI_FILES)('%s is a CI setting', (glob) => {
  const path = glob.replace('**/*', 'a').replace('**', 'a').replace('*', '-pr').replace('{yml,yaml}', 'yml');
  expect(path).not.toMatch(/[*{]/);
  expect(isAside(path)).toBe(true);
});

test.each(['src/index.js', '.npmignore', 'src/.github/a.js'])('%s may be published', (path) => expect(isAside(path)).toBe(false));
