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

/** As commander gives them. */
export interface CollectCommandOptions {
  readonly repo: readonly string[];
  readonly name?: string;
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

/** Throws `USAGE`, and as `collect`. */
export async function runCollect(request: CollectRequest, { ui, clock, signal }: Services): Promise<void> {
  const { repo, name, since, registry = request.config.registry, record, cwd } = request;
  const forOne = name !== undefined ? '--name' : typeof request.github === 'string' ? '--github with a name' : undefined;
  if (forOne !== undefined && repo.length > 1)
    throw new ToolError({
      code: 'USAGE',
      message: `${forOne} is for one clone.`,
      hint: 'Collect the others with commands of their own; --github without a name takes what remotes say.',
    });
  refuseWithoutGitHub(request);
  if (registry !== undefined && !/^https?:\/\/[^/@]+(?:\/|$)/.test(registry))
    throw new ToolError({ code: 'USAGE', message: '--registry is no address.', hint: 'It begins with https:// and holds no credential.' });
  const doing = request.dryRun === true ? 'look' : 'record';
  const folders = repo.length === 0 ? [cwd] : repo.map((folder) => parseAbsolutePath(resolve(cwd, folder)));
  const collection = await collect({
    clones: folders,
    name,
    record,
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
  else ui.page(renderCollection(collection, styleOf(ui)));
  if (doing === 'look') ui.status('Nothing was recorded.');
  else ui.status(`The record is ${record}.`);
  if (collection.repositories.every(({ nothing }) => nothing !== null))
    ui.hint('There is nothing to report on. What CI knows of packages of another kind can be recorded with "commit-to-publish ingest".');
  else if (registry === undefined)
    ui.hint('No registry was asked: tags and versions in git stand for publications. --registry takes the times of one.');
}

function refuseWithoutGitHub({ github, jobs, branch }: CollectRequest): void {
  if (github !== undefined) return;
  if (jobs === true)
    throw new ToolError({
      code: 'USAGE',
      message: '--jobs says nothing without --github.',
      hint: 'GitHub is who knows jobs: add --github.',
    });
  if (branch !== undefined)
    throw new ToolError({
      code: 'USAGE',
      message: '--branch says nothing without --github: it is the branch that pull requests are merged into.',
      hint: 'Which main line is read the clone says: "git remote set-head origin <branch>" sets it, and where there is no remote the branch that is checked out counts.',
    });
}
