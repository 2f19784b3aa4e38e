import type { Services } from '@tributary/terminal/main';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import { addEntries } from '@tributary/workspaces/rules-edit';
import { openWorkingConfig } from '../io/config-file.js';
import { locate } from '../io/locate.js';
import type { TuneProposal } from '../result.js';
import { refuseFix } from './fix-edges.js';
import type { ReplayRequest } from './replay.js';

/** Throws `USAGE` if the working tree is not at the head, `TARGET_NOT_FOUND` for a bare repository, `CONFIG_INVALID`. */
export async function refuseWriting({ cwd, head }: ReplayRequest, services: Pick<Services, 'signal'>): Promise<void> {
  await refuseFix(locate(cwd), { head }, services, '--write');
}

/** Appends proposals to the working tree's tributary.json. Throws the errors of `refuseWriting`, and `FILE_UNUSABLE`, `DISK_FULL`. */
export async function writeProposals(
  request: ReplayRequest,
  proposals: readonly TuneProposal[],
  services: Pick<Services, 'signal'>,
): Promise<void> {
  await refuseWriting(request, services);
  const file = openWorkingConfig(locate(request.cwd), '--write');
  const text = addEntries(file.text, proposals);
  const { affected } = parseConfigFile(text, 'tributary.json');
  // All proposals must be in the edited text; otherwise nothing is written.
  const globs = new Set(affected.rules.flatMap(({ files }) => files));
  const names = new Set(affected.rootOnlyDependencies);
  const lost = proposals.find((one) => (one.kind === 'rule' ? !one.rule.files.every((glob) => globs.has(glob)) : !names.has(one.name)));
  if (lost !== undefined) throw new Error('a proposal could not be written');
  file.write(text);
}
