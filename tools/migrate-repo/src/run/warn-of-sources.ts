import { textAsName } from '@tributary/git/tree';
import type { Plan } from '../plan/plan.js';
import { sourceWarnings } from '../plan/source-warnings.js';
import { type BuildOrder, sourceOf } from './build-order.js';

/** Returns warnings about problems that servers and other machines may have with the imported files. */
export function warnOfSources({ packages }: Plan, gathered: Pick<BuildOrder, 'fetched'>): readonly string[] {
  return packages.flatMap((planned) => {
    const { faults, facts } = sourceOf(gathered, planned);
    const paths = facts.files.map((file) => `${textAsName(planned.path)}/${file.path}`);
    return sourceWarnings({ name: facts.request.name, faults, paths });
  });
}
