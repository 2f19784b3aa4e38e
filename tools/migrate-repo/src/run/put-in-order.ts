import { shortRef } from '@tributary/model/ids';
import type { Services } from '@tributary/terminal/main';
import { putInOrder } from '../io/staging-area.js';
import type { LocalRepository } from '../io/target.js';

/** Clears up after killed runs, and prints which of them had completed. Throws as `putInOrder`. */
export async function clearUp(repository: LocalRepository, { ui }: Pick<Services, 'ui'>): Promise<void> {
  for (const branch of await putInOrder(repository))
    ui.status(`A killed run had already completed its migration: it is on ${shortRef(branch)}.`);
}
