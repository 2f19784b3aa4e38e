import { textAsName } from '@tributary/git/tree';
import { countSignatures } from '../io/signatures.js';
import type { Plan } from '../plan/plan.js';
import { sourceWarnings } from '../plan/source-warnings.js';
import { type Applying, sourceOf } from './applying.js';

/** What servers, other machines and readers of signatures will make of what comes, in sentences. Throws `GIT_FAILED`. */
export async function warnOfSources({ packages, strategy }: Plan, gathered: Pick<Applying, 'fetched'>): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const planned of packages) {
    const { git, faults, facts } = sourceOf(gathered, planned);
    const signatures = strategy === 'merge' ? undefined : await countSignatures(git, 'refs/source/');
    const paths = facts.topFiles.map((file) => `${textAsName(planned.path)}/${file.path}`);
    warnings.push(...sourceWarnings({ name: facts.request.name, faults, signatures, paths }));
  }
  return warnings;
}
