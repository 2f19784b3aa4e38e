import { expect, test } from '@jest/globals';
import { ranBuildScripts } from './build-scripts.js';
import { projectOf } from './project.fixture.js';

test.each([
  [{}, 'as usual'],
  [{ '.npmrc': 'registry=https://x\nignore-scripts = true\n' }, 'switched off'],
  [{ '.npmrc': '# ignore-scripts=true\nignore-scripts=false\n' }, 'as usual'],
  [{ '.yarnrc': '--install.ignore-scripts true\n' }, 'switched off'],
  [{ '.yarnrc': 'ignore-scripts true\n' }, 'switched off'],
  [{ '.yarnrc.yml': 'enableScripts: false\n' }, 'switched off'],
  [{ '.yarnrc.yml': 'enableScripts: true\n' }, 'as usual'],
  [{ '.yarnrc.yml': '<<<<<<< HEAD\n' }, 'as usual'],
])('build scripts with %j ran %s', (files, expected) => {
  const project = projectOf({
    manifests: { 'packages/x': { name: 'x' } },
    newcomers: { 'packages/x': {} },
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`packages/x/${name}`, text])),
  });
  const [newcomer] = project.newcomers;
  expect(newcomer && ranBuildScripts(newcomer, project.files)).toBe(expected);
});
