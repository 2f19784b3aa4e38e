import { shortRef } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { putInOrder } from '../io/staging-area.js';
import { type LocalRepository, openRepository } from '../io/target.js';

/** Opens the monorepo, clears up after killed runs, and prints which of them had completed. Throws as `openRepository` and `putInOrder`. */
export async function openInOrder(folder: AbsolutePath, { ui, signal }: Pick<Services, 'ui' | 'signal'>): Promise<LocalRepository> {
  const repository = await openRepository(folder, signal);
  for (const branch of await putInOrder(repository))
    ui.status(`A killed run had already completed its migration: it is on ${shortRef(branch)}.`);
  return repository;
}
