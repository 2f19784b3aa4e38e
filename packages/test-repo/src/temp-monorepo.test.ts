import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import { createTempMonorepo } from './temp-monorepo.js';

const cleanUp = cleanUpIn(afterEach);

test('a short description becomes a monorepo with one commit', () => {
  const repo = cleanUp.add(
    createTempMonorepo({
      root: { resolutions: { debug: '4.0.0' } },
      packages: {
        'packages/ui': { name: '@acme/ui', dependencies: { core: 'workspace:^' } },
        'packages/core': {},
        app: { version: '2.0.0' },
      },
      files: { 'packages/ui/src/index.js': 'export {};\n' },
    }),
  );
  const manifest = (path: string): unknown => JSON.parse(repo.git('show', `HEAD:${path}`));
  expect(manifest('package.json')).toEqual({
    name: 'monorepo',
    private: true,
    packageManager: 'yarn@4.18.1',
    workspaces: ['packages/*', 'app'],
    resolutions: { debug: '4.0.0' },
  });
  expect(manifest('packages/ui/package.json')).toEqual({ name: '@acme/ui', version: '1.0.0', dependencies: { core: 'workspace:^' } });
  expect(manifest('packages/core/package.json')).toEqual({ name: 'core', version: '1.0.0' });
  expect(manifest('app/package.json')).toEqual({ name: 'app', version: '2.0.0' });
  expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD', 'packages/ui/src')).toBe('packages/ui/src/index.js');
  expect(repo.git('status', '--porcelain')).toBe('');
});
