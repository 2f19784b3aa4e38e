import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runCommand } from './affected-process.js';
import type { PeerQuestion, WorkingTreePeer } from './oracle-peers.js';

/** Returns the folders that a peer selects for a change, or why it gave no answer. */
export type AskPeer = (base: string, head: string) => Promise<{ readonly folders: ReadonlySet<string> } | { readonly failed: string }>;

/** Makes a clone for a peer that needs a working tree. It shares the objects of the repository and never writes to it. */
export async function clonePeer(
  path: string,
  peer: WorkingTreePeer,
  { work, env }: { work: string } & Pick<PeerQuestion, 'env'>,
): Promise<AskPeer> {
  const folder = join(work, `${peer.name}-${basename(join(path, '..'))}-${basename(path)}`);
  const git = (...args: string[]): Promise<string> => runCommand({ program: 'git', args, cwd: work }, env);
  await git('clone', '-q', '--shared', '--no-checkout', path, folder);
  await git('-C', folder, 'config', 'core.sparseCheckout', 'true');
  writeFileSync(join(folder, '.git/info/sparse-checkout'), `${peer.sparse.join('\n')}\n`);
  const [file, content] = peer.settings;
  return async (base, head) => {
    await git('-C', folder, 'checkout', '-q', '-f', '--detach', head);
    if (!existsSync(join(folder, file))) {
      appendFileSync(join(folder, '.git/info/exclude'), `/${file}\n`);
      writeFileSync(join(folder, file), content);
    }
    try {
      return { folders: new Set(await peer.ask({ folder, base, head, env })) };
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  };
}
