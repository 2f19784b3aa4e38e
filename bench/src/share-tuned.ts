import { locate } from '@tributary/affected/io/locate';
import { openGit } from '@tributary/affected/io/open-git';
import { readConfig } from '@tributary/affected/run/config';
import { readHeadProject } from '@tributary/affected/run/head-project';
import { type Replayed, replayCommits } from '@tributary/affected/run/replay';
import { tune, withProposals } from '@tributary/affected/run/tune';
import { withObjectReader } from '@tributary/git/objects';
import type { AffectedConfig } from '@tributary/model/config';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';

/** A commit with the answer under the tuned configuration. */
export type TunedCommit = Replayed & { readonly config: AffectedConfig };

interface Asked {
  readonly cwd: AbsolutePath;
  readonly last: number;
}

/**
 * Replays the last commits of the main line under the configuration of the head with everything that `tune` proposes for them, and calls `use`
 * with each.
 */
export async function replayTuned<T>(asked: Asked, services: Services, use: (commit: TunedCommit) => Promise<T>): Promise<readonly T[]> {
  const request = { ...asked, head: 'HEAD' };
  const { proposals } = await tune(request, services);
  const { side } = await readHeadProject(request, services);
  return replayWith(withProposals(await readConfig(side.texts), proposals), { ...asked, use }, services);
}

/** Does the same under a given configuration. */
export async function replayWith<T>(
  config: AffectedConfig,
  { cwd, last, use }: Asked & { readonly use: (commit: TunedCommit) => Promise<T> },
  services: Services,
): Promise<readonly T[]> {
  const place = locate(cwd);
  return withObjectReader(openGit(place, { signal: services.signal }), async (git) => {
    const results: T[] = [];
    const commits = replayCommits({ git, place }, { cwd, head: 'HEAD', last }, services, config);
    for await (const replayed of commits) results.push(await use({ ...replayed, config }));
    return results;
  });
}
