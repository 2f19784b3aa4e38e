import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import type { ShardRepo } from '../testing/shard-repo.fixture.js';

/** Packs the built tool as the guide says, into `ci/affected.tgz`, where the templates expect it. Does not commit. */
export async function bringAffected({ repo, work }: Pick<ShardRepo, 'repo' | 'work'>): Promise<void> {
  const args = ['pack', '--silent', '--pack-destination', work];
  const { stdout } = await runProcess('npm', args, { cwd: join(findProjectRoot(), 'tools/affected') });
  mkdirSync(join(repo.path, 'ci'), { recursive: true });
  copyFileSync(join(work, stdout.trim()), join(repo.path, 'ci/affected.tgz'));
}
