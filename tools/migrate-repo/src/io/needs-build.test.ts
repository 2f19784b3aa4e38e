import { expect, test } from '@jest/globals';
import { needsBuild } from './needs-build.js';

const PLATFORMS = { '@x/linux-x64': '1', '@x/darwin-arm64': '1', '@x/win32-x64': '1' };

test.each<[needed: boolean, title: string, manifest: object, gyp?: 'there']>([
  [true, 'an install script', { scripts: { install: 'node-gyp-build' } }],
  [true, 'a binding.gyp', {}, 'there'],
  [true, 'a binding.gyp beside a script that ignores its failure', { scripts: { postinstall: 'x || true' } }, 'there'],
  [true, 'one of two scripts that ignores its failure', { scripts: { install: 'x || exit 0', postinstall: 'node y.js' } }],
  [true, 'a step that ignores its failure', { scripts: { install: 'x || true && node-gyp rebuild' } }],
  [true, 'a package for one platform', { scripts: { postinstall: 'x' }, optionalDependencies: { fsevents: '2', 'x-darwin': '1' } }],
  [false, 'no script of an installation', { scripts: { prepare: 'tsc' } }],
  [false, 'a package for each platform', { scripts: { postinstall: 'node install.js' }, optionalDependencies: PLATFORMS }],
  [true, 'another way to build', { scripts: { install: 'node download.js || node build.js' } }],
  [false, 'a build that may fail', { scripts: { install: 'node-gyp rebuild || exit 0' } }, 'there'],
  [false, 'an advertisement', { scripts: { postinstall: `node -e "try{require('./postinstall')}catch(e){}"` } }],
  [false, 'an older one', { scripts: { postinstall: 'node scripts/postinstall || echo "ignore"' } }],
])('%s for %s', (needed, _title, manifest, gyp = 'missing' as never) => {
  expect(needsBuild({ ...manifest }, gyp)).toBe(needed);
});
