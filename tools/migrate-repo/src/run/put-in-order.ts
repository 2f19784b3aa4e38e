import { shortRef } from '@tributary/model/ids';
import type { Services } from '@tributary/terminal/main';
import { putInOrder } from '../io/staging-area.js';
import type { LocalRepository } from '../io/target.js';

/** Clears up what killed runs have left, and says which of them were done. Throws as `putInOrder`. */
export async function clearUp(repository: LocalRepository, { ui }: Pick<Services, 'ui'>): Promise<void> {
  for (const branch of await putInOrder(repository))
    ui.status(`A killed run had already completed its migration: it is on ${shortRef(branch)}.`);
}
