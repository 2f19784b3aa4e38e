import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { clearUp } from '../io/staging-area.js';
import { type LocalRepository, openRepository } from '../io/target.js';

/** Opens the monorepo, and clears up after killed runs. Throws as `openRepository` and `clearUp`. */
export async function openInOrder(folder: AbsolutePath, { signal }: Pick<Services, 'signal'>): Promise<LocalRepository> {
  const repository = await openRepository(folder, signal);
  await clearUp(repository);
  return repository;
}
