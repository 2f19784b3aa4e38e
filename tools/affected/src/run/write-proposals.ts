import type { Services } from '@tributary/terminal/main';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import { addEntries } from '@tributary/workspaces/rules-edit';
import { openWorkingConfig } from '../io/config-file.js';
import { locate } from '../io/locate.js';
import type { TuneProposal } from '../result.js';
import { refuseFix } from './fix-edges.js';
import type { ReplayRequest } from './replay.js';

/** Throws `USAGE` if the head is not what the working tree is at, `TARGET_NOT_FOUND` for a bare repository, `CONFIG_INVALID`. */
export async function refuseWriting({ cwd, head }: ReplayRequest, services: Pick<Services, 'signal'>): Promise<void> {
  await refuseFix(locate(cwd), { head }, services, '--write');
}

/** Puts proposals behind the entries of the working tree's tributary.json. Throws as `refuseWriting`, and `FILE_UNUSABLE`, `DISK_FULL`. */
export async function writeProposals(
  request: ReplayRequest,
  proposals: readonly TuneProposal[],
  services: Pick<Services, 'signal'>,
): Promise<void> {
  await refuseWriting(request, services);
  const file = openWorkingConfig(locate(request.cwd), '--write');
  const text = addEntries(file.text, proposals);
  const { affected } = parseConfigFile(text, 'tributary.json');
  // What was to be written is there, or nothing is written at all.
  const globs = new Set(affected.rules.flatMap(({ files }) => files));
  const names = new Set(affected.rootOnlyDependencies);
  const lost = proposals.find((one) => (one.kind === 'rule' ? !one.rule.files.every((glob) => globs.has(glob)) : !names.has(one.name)));
  if (lost !== undefined) throw new Error('a proposal could not be written');
  file.write(text);
}
