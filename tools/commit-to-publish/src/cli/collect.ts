import { resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { PublishConfig } from '@tributary/model/publish-config';
import type { Services } from '@tributary/terminal/main';
import { collect } from '../io/collect.js';
import { readForgeRequest } from '../io/open-forge.js';
import type { Micros } from '../model/event.js';
import { renderCollection } from '../render/collection.js';
import { collectionDocument } from '../render/document.js';
import { styleOf } from './text-style.js';

/** As commander parses them. */
export interface CollectCommandOptions {
  readonly repo: readonly string[];
  readonly name?: string;
  readonly package: readonly string[];
  readonly top?: number;
  readonly since?: Micros;
  readonly registry?: string;
  readonly github?: string | true;
  readonly branch?: string;
  readonly jobs?: boolean;
  readonly full?: boolean;
  readonly dryRun?: boolean;
  readonly record?: string;
}

interface CollectRequest extends Omit<CollectCommandOptions, 'record'> {
  readonly record: AbsolutePath;
  readonly config: PublishConfig;
  readonly cwd: AbsolutePath;
}

/** Throws `USAGE`, and the errors of `collect`. */
export async function runCollect(request: CollectRequest, { ui, clock, signal }: Services): Promise<void> {
  const { repo, name, since, registry = request.config.registry, record, cwd } = request;
  const forOne = name !== undefined ? '--name' : typeof request.github === 'string' ? '--github with a name' : undefined;
  if (forOne !== undefined && repo.length > 1)
    throw new ToolError({
      code: 'USAGE',
      message: `${forOne} works with one clone only.`,
      hint: 'Collect the others with separate commands. Without a name, --github uses the remote of each clone.',
    });
  refuseWithoutGitHub(request);
  if (registry !== undefined && !/^https?:\/\/[^/@]+(?:\/|$)/.test(registry))
    throw new ToolError({
      code: 'USAGE',
      message: '--registry is not a valid address.',
      hint: 'It must begin with https:// and have no credential.',
    });
  const doing = request.dryRun === true ? 'look' : 'record';
  const folders = repo.length === 0 ? [cwd] : repo.map((folder) => parseAbsolutePath(resolve(cwd, folder)));
  const collection = await collect({
    clones: folders,
    name,
    record,
    packages: request.package,
    since,
    signal,
    now: (clock() * 1000) as Micros,
    progress: ui.progress(),
    config: { ...request.config, registry },
    forge: request.github === undefined ? undefined : readForgeRequest(request.github, request.branch),
    jobs: request.jobs === true ? 'ask' : 'as known',
    what: request.full === true ? 'all' : 'new',
    doing,
  });
  ui.stopProgress();
  if (ui.flags.json) ui.document(collectionDocument(collection, doing));
  else ui.page(renderCollection(collection, styleOf(ui), { notes: ui.flags.verbose ? 'all' : 'summed', top: request.top }));
  if (doing === 'look') ui.status('Nothing was recorded.');
  else ui.status(`The record is ${record}.`);
  if (collection.repositories.every(({ nothing }) => nothing !== null))
    ui.hint('There is nothing to report on. To record packages of other kinds from CI, use "commit-to-publish ingest".');
  else if (registry === undefined)
    ui.hint('No registry was used: tags and versions in git count as publications. To use the times of a registry, add --registry.');
}

function refuseWithoutGitHub({ github, jobs, branch }: CollectRequest): void {
  if (github !== undefined) return;
  if (jobs === true)
    throw new ToolError({
      code: 'USAGE',
      message: '--jobs has no effect without --github.',
      hint: 'The jobs come from GitHub: add --github.',
    });
  if (branch !== undefined)
    throw new ToolError({
      code: 'USAGE',
      message: '--branch has no effect without --github: it is the target branch of pull requests.',
      hint: 'The clone decides which main line is read: set it with "git remote set-head origin <branch>". Without a remote, it is the checked-out branch.',
    });
}
