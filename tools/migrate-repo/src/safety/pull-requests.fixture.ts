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
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

/** What becomes of a call to the API; `undefined`: it is answered. */
export type CallAnswer = (call: string, body: string) => HttpAnswer | 'hang up' | 'hang' | undefined;

/**
 * A forge with the source `acme/left-pad` and the monorepo `acme/app`, both on real git servers. `fixture` holds a clone of the
 * monorepo that has imported and pushed.
 */
export interface RequestFixture {
  readonly fixture: MigrationFixture;
  readonly source: TempRepo;
  /** The bare monorepo on the forge. */
  readonly remote: TempRepo;
  readonly forge: PullRequestGitHub;
  /** Pull requests of the source (`pulls`) and of the monorepo (`opened`). */
  readonly pulls: HostedPull[];
  readonly opened: HostedPull[];
  readonly address: string;
  /** Sets what happens to calls from now on. */
  readonly decide: (answerTo: CallAnswer) => void;
}

export const TOKEN = { GITHUB_TOKEN: 'ghs_s3cret' };

/** Creates a fixture with an import. `options` are those of the import; `prepare` changes the source before it. */
export async function createRequestFixture(
  cleanUp: CleanUp,
  options: readonly string[] = [],
  prepare: (source: TempRepo) => void = () => {},
): Promise<RequestFixture> {
  const request = await createForgeFixture(cleanUp, prepare);
  const { fixture, remote, address } = request;
  await fixture.accepted(['left-pad', '--from', `${address}/acme/left-pad`, '--no-align', ...options]);
  fixture.monorepo.merge('migrate/left-pad', 'Merge left-pad');
  fixture.monorepo.git('branch', '--quiet', '-D', 'migrate/left-pad');
  fixture.monorepo.git('push', '--quiet', remote.path, 'main');
  return request;
}

/** Creates the same fixture without the import. `settings` are those of `acme/app`. */
export async function createForgeFixture(
  cleanUp: CleanUp,
  prepare: (source: TempRepo) => void = () => {},
  settings: Partial<HostedState> = {},
): Promise<RequestFixture> {
  const folder = cleanUp.add(new TempFolder());
  const at = (name: string) => parseAbsolutePath(join(folder.path, name));
  const source = createSource(cleanUp, 'left-pad', {}, { folder: at('acme/left-pad') });
  prepare(source);
  const remote = TempRepo.create({ bare: true, folder: at('acme/app.git') });
  remote.git('config', 'http.receivepack', 'true');
  const pulls: HostedPull[] = [];
  const opened: HostedPull[] = [];
  let answerTo: CallAnswer = () => undefined;
  const states = {
    'acme/left-pad': { pulls },
    'acme/app': Object.assign(settings, { pulls: opened }),
  };
  const tipOf = (repository: string, branch: string): string | undefined =>
    (repository === 'acme/app' ? remote : source).git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`) || undefined;
  const forge = cleanUp.add(await startPullRequestGitHub(states, { fate: (call, body) => answerTo(call, body), tipOf }));
  const address = await serveRepositories(cleanUp, folder.path, () => forge.apiUrl);
  const fixture = createFixture(cleanUp);
  fixture.monorepo.git('remote', 'add', 'origin', `${address}/acme/app.git`);
  fixture.monorepo.git('push', '--quiet', remote.path, 'main');
  const decide = (next: CallAnswer): void => {
    answerTo = next;
  };
  return { fixture, source, remote, forge, pulls, opened, address, decide };
}

/** Opens a pull request in the source with the commit of HEAD. `given` replaces any of its fields. */
export function openInSource(
  { source, pulls }: Pick<RequestFixture, 'source' | 'pulls'>,
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
  { fixture }: Pick<RequestFixture, 'fixture'>,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<PullRequestsResult & { readonly code: number | null; readonly byNumber: ReadonlyMap<number, PullRequestResult> }> {
  const before = fixture.state();
  const { code, stdout, stderr } = await fixture.run(['pull-requests', 'left-pad', '--json', ...args], { env: { ...TOKEN, ...env } });
  if (JSON.stringify(fixture.state()) !== JSON.stringify(before)) throw new Error(`the clone has changed: ${stderr}`);
  if (!stdout.includes('"pullRequests"')) throw new Error(`no answer: ${stderr}`);
  const result = JSON.parse(stdout) as PullRequestsResult;
  return { ...result, code, byNumber: new Map(result.pullRequests.map((one) => [one.number, one])) };
}
