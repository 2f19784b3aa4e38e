import type { AbsolutePath } from '@tributary/model/paths';
import { runHermeticGit } from '@tributary/test-repo/hermetic-git';
import { GPGSIG_HEADER } from '@tributary/test-repo/raw-commit';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { LOCKFILE_NAME } from '../organisation/lockfile.js';
import { signatureOf } from '../organisation/people.js';
import { type Act, replay } from '../organisation/replay.js';
import { type CommitEvent, type Story, TRUNK } from '../organisation/story.js';
import type { LockfileOf } from './lockfiles.js';

interface Scene {
  readonly repo: TempRepo;
  readonly story: Story;
  readonly lockfileOf: LockfileOf;
}

/** Builds the git repository of a story in `folder`. The same story and lockfiles give the same commit ids. Synchronous. */
export function buildRepository(folder: AbsolutePath, story: Story, lockfileOf: LockfileOf): TempRepo {
  const repo = TempRepo.create({ folder });
  for (const act of replay(story).acts) perform({ repo, story, lockfileOf }, act);
  return repo;
}

function perform(scene: Scene, act: Act): void {
  const { event, seconds } = act;
  const { repo } = scene;
  switch (event.kind) {
    case 'commit':
      return event.signature === 'none' ? writeCommit(scene, event, act) : writeSignedCommit(scene, event, act);
    case 'branch':
      repo.branch(event.name);
      return repo.checkout(event.name);
    case 'switch':
      return repo.checkout(event.name);
    case 'merge':
      return gitAs(repo, signatureOf(event.by, seconds), 'merge', '-q', '--no-ff', '-m', event.message, ...event.branches);
    case 'tag':
      return gitAs(
        repo,
        signatureOf(event.by, seconds),
        'tag',
        ...(event.message === undefined ? [] : ['-a', '-m', event.message]),
        event.name,
      );
  }
}

function writeCommit(scene: Scene, event: CommitEvent, act: Act): void {
  scene.repo.commit(`${event.message}\n`, { files: filesOf(scene, event, act), environment: signatureOf(event.by, act.seconds) });
}

/** Writes a commit with a fake signature; git itself would need a key. */
function writeSignedCommit(scene: Scene, event: CommitEvent, act: Act): void {
  const { repo } = scene;
  repo.write(filesOf(scene, event, act));
  repo.git('add', '-A');
  const person = `${event.by.name} <${event.by.email}> ${act.seconds} ${event.by.zone}`;
  const id = repo.writeRawCommit({
    tree: repo.git('write-tree'),
    parents: [repo.id('HEAD')],
    author: person,
    committer: person,
    headers: [GPGSIG_HEADER],
    message: `${event.message}\n`,
  });
  repo.git('update-ref', `refs/heads/${TRUNK}`, id);
}

function filesOf({ story, lockfileOf }: Scene, event: CommitEvent, { project }: Act): Files {
  if (project === undefined) return event.files ?? {};
  return {
    ...event.files,
    'package.json': formatManifest(project.manifest),
    [LOCKFILE_NAME[story.manager]]: lockfileOf({ manager: story.manager, project }),
  };
}

/** Runs git as a person. `TempRepo` itself merges and tags as the author of all fixtures. */
function gitAs(repo: TempRepo, environment: Readonly<Record<string, string>>, ...args: readonly string[]): void {
  runHermeticGit(args, { folder: repo.path, clock: repo.clock, environment });
}
