import { join } from 'node:path';
import type { HttpAnswer } from '@tributary/github/testing/local-github';
import {
  type HostedPull,
  type HostedState,
  hostedPull,
  type PullRequestGitHub,
  startPullRequestGitHub,
} from '@tributary/github/testing/pull-request-github';
import { parseAbsolutePath } from '@tributary/model/paths';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { PullRequestResult, PullRequestsResult } from '../result/pull-requests-result.js';
import { serveRepositories } from './git-server.fixture.js';
import { createScene, createSource, type MigrationScene } from './scene.fixture.js';

/** What becomes of a call to the API; `undefined`: it is answered. */
export type CallFate = (call: string, body: string) => HttpAnswer | 'hang up' | 'hang' | undefined;

/**
 * A forge with the source `acme/left-pad` and the monorepo `acme/app`, both on real git servers. `scene` holds a clone of the
 * monorepo that has imported and pushed.
 */
export interface RequestScene {
  readonly scene: MigrationScene;
  readonly source: TempRepo;
  /** The bare monorepo on the forge. */
  readonly remote: TempRepo;
  readonly forge: PullRequestGitHub;
  /** Pull requests of the source (`pulls`) and of the monorepo (`opened`). */
  readonly pulls: HostedPull[];
  readonly opened: HostedPull[];
  readonly address: string;
  /** Sets what happens to calls from now on. */
  readonly decide: (fate: CallFate) => void;
}

export const TOKEN = { GITHUB_TOKEN: 'ghs_s3cret' };

/** Creates a scene with an import. `options` are those of the import; `prepare` changes the source before it. */
export async function createRequestScene(
  cleanUp: CleanUp,
  options: readonly string[] = [],
  prepare: (source: TempRepo) => void = () => {},
): Promise<RequestScene> {
  const request = await createForgeScene(cleanUp, prepare);
  const { scene, remote, address } = request;
  await scene.accepted(['left-pad', '--from', `${address}/acme/left-pad`, '--no-align', ...options]);
  scene.monorepo.merge('migrate/left-pad', 'Merge left-pad');
  scene.monorepo.git('branch', '--quiet', '-D', 'migrate/left-pad');
  scene.monorepo.git('push', '--quiet', remote.path, 'main');
  return request;
}

/** Creates the same scene without the import. `settings` are those of `acme/app`. */
export async function createForgeScene(
  cleanUp: CleanUp,
  prepare: (source: TempRepo) => void = () => {},
  settings: Partial<HostedState> = {},
): Promise<RequestScene> {
  const folder = cleanUp.add(new TempFolder());
  const at = (name: string) => parseAbsolutePath(join(folder.path, name));
  const source = createSource(cleanUp, 'left-pad', {}, { folder: at('acme/left-pad') });
  prepare(source);
  const remote = TempRepo.create({ bare: true, folder: at('acme/app.git') });
  remote.git('config', 'http.receivepack', 'true');
  const pulls: HostedPull[] = [];
  const opened: HostedPull[] = [];
  let fate: CallFate = () => undefined;
  const states = {
    'acme/left-pad': { labels: [], pulls },
    'acme/app': Object.assign(settings, { labels: ['Bug', 'docs'], pulls: opened }),
  };
  const tipOf = (repository: string, branch: string): string | undefined =>
    (repository === 'acme/app' ? remote : source).git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`) || undefined;
  const forge = cleanUp.add(await startPullRequestGitHub(states, { fate: (call, body) => fate(call, body), tipOf }));
  const address = await serveRepositories(cleanUp, folder.path, () => forge.apiUrl);
  const scene = createScene(cleanUp);
  scene.monorepo.git('remote', 'add', 'origin', `${address}/acme/app.git`);
  scene.monorepo.git('push', '--quiet', remote.path, 'main');
  const decide = (next: CallFate): void => {
    fate = next;
  };
  return { scene, source, remote, forge, pulls, opened, address, decide };
}

/** Opens a pull request in the source with the commit of HEAD. `given` replaces any of its fields. */
export function openInSource(
  { source, pulls }: Pick<RequestScene, 'source' | 'pulls'>,
  number: number,
  given: Partial<Parameters<typeof hostedPull>[2]> = {},
): HostedPull {
  const sha = source.id('HEAD');
  source.git('update-ref', `refs/pull/${number}/head`, sha);
  const head = source.git('branch', '--show-current') || `branch-${number}`;
  const pull = hostedPull(number, 'acme/left-pad', { head, sha, ...given });
  pulls.push(pull);
  return pull;
}

/** Returns the answer of a run and its exit code. Throws if the clone has changed. */
export async function bring(
  { scene }: Pick<RequestScene, 'scene'>,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<PullRequestsResult & { readonly code: number | null; readonly byNumber: ReadonlyMap<number, PullRequestResult> }> {
  const before = scene.state();
  const { code, stdout, stderr } = await scene.run(['pull-requests', 'left-pad', '--json', ...args], { env: { ...TOKEN, ...env } });
  if (JSON.stringify(scene.state()) !== JSON.stringify(before)) throw new Error(`the clone has changed: ${stderr}`);
  if (!stdout.includes('"pullRequests"')) throw new Error(`no answer: ${stderr}`);
  const result = JSON.parse(stdout) as PullRequestsResult;
  return { ...result, code, byNumber: new Map(result.pullRequests.map((one) => [one.number, one])) };
}
