import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import type { PublishedPackage } from '@tributary/test-repo/local-registry';
import { yarnClassic, yarnRelease } from '@tributary/test-repo/project-root';

/**
 * Returns this project's Yarn releases as packages of a registry: sources are installed by their own package manager, which npx downloads.
 */
export function packageManagers(root: AbsolutePath): readonly PublishedPackage[] {
  const classic = dirname(yarnClassic(root));
  const read = (name: string): string => readFileSync(join(classic, name), 'utf8');
  return [
    {
      manifest: { name: 'yarn', version: '1.22.22', bin: { yarn: './bin/yarn.js' } },
      files: { 'bin/yarn.js': read('yarn.js'), 'lib/cli.js': read('../lib/cli.js') },
    },
    {
      manifest: { name: '@yarnpkg/cli-dist', version: '4.18.1', bin: { yarn: './bin/yarn.js' } },
      files: { 'bin/yarn.js': readFileSync(yarnRelease(root), 'utf8') },
    },
  ];
}
