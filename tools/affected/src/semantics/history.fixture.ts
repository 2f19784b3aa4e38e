import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MonorepoScene } from './scene.fixture.js';

/** Creates a repository whose branch `topic` changed `alone`. `main` has `steps` later commits, which change `tool`. */
export function branched(scene: MonorepoScene, steps = 1): TempRepo {
  const repo = scene.copy();
  repo.git('checkout', '-q', '-b', 'topic');
  repo.commit('Topic', { files: { 'packages/alone/a.js': '' } });
  repo.checkout('main');
  for (let step = 0; step < steps; step++) repo.commit(`Main ${step}`, { files: { 'packages/tool/a.js': `${step}\n` } });
  repo.checkout('topic');
  return repo;
}
