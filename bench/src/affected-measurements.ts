import type { Environment } from '@tributary/process/environment';
import { type Group, type LeftOut, measureGroup, type Result } from './affected-group.js';
import { LOCK, MANIFEST, nodeRow, OURS, type Ours, type Row, WIDE } from './affected-rows.js';
import type { TemplateStart } from './affected-template.js';
import type { ChangeBranch, LargeMonorepo } from './large-monorepo.js';
import type { Installed, Peer, PeerRepository } from './peers.js';

/** The contestants of a run of the bench, and the number of rounds. */
export interface Bench {
  readonly ours: Ours;
  readonly template: TemplateStart;
  readonly peers: readonly Peer[];
  readonly installed: Installed;
  readonly env: Environment;
  /** For the quick ones. */
  readonly rounds: number;
}

interface Measurements {
  readonly results: readonly Result[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Measures our own command, started in several ways, and the peers, on the checked-out commit of a repository. Each of three groups has its
 * own runs of `node -e 0` and of our command. The groups are quick ones, slow ones in a third of the rounds, and one whose daemon must not
 * run beside the others.
 */
export async function measurePeers(bench: Bench, place: PeerRepository): Promise<Measurements> {
  const parts: Measurements[] = [];
  for (const pace of ['quick', 'slow', 'daemon'] as const) {
    const peers = bench.peers.filter((peer) => peer.pace === pace);
    if (pace !== 'quick' && peers.length === 0) continue;
    const { rows, leftOut } = rowsOf(peers, { bench, place });
    const own =
      pace === 'quick'
        ? [bench.ours.linked(place), ...bench.ours.others(place), ...bench.template.rows(place), ...bench.ours.talk(place.cwd)]
        : [];
    const rounds = pace === 'quick' ? bench.rounds : Math.ceil(bench.rounds / 3);
    try {
      const measured = await measureGroup({ ...pair(bench, place), others: [...own, ...rows], rounds }, bench.env);
      parts.push({ results: pace === 'quick' ? measured.results : measured.results.slice(2), leftOut: [...leftOut, ...measured.leftOut] });
    } finally {
      await stopAll(peers, { bench, place });
    }
  }
  return { results: parts.flatMap(({ results }) => results), leftOut: parts.flatMap(({ leftOut }) => leftOut) };
}

/** Measures only our command, on the four changes, whose branches are checked out in turn. Omits the line of `node -e 0`. */
export async function measureChanges(bench: Bench, made: LargeMonorepo): Promise<Measurements> {
  const place = { cwd: made.repo.path, base: 'main' };
  const [oneFile, wide, lock, manifest] = made.changes;
  const on = (name: string, { branch }: ChangeBranch): Row => ({
    ...bench.ours.row(name, place),
    prepare: () => made.repo.checkout(branch),
  });
  const group: Group = {
    floor: nodeRow(place.cwd),
    ours: on(`${OURS}, again`, oneFile),
    others: [on(WIDE, wide), on(LOCK, lock), on(MANIFEST, manifest)],
    rounds: bench.rounds,
  };
  const { results, leftOut } = await measureGroup(group, bench.env);
  return { results: results.slice(1), leftOut };
}

function pair({ ours }: Bench, place: PeerRepository): Pick<Group, 'floor' | 'ours'> {
  return { floor: nodeRow(place.cwd), ours: ours.row(OURS, place) };
}

function rowsOf(
  peers: readonly Peer[],
  at: { readonly bench: Bench; readonly place: PeerRepository },
): { rows: Row[]; leftOut: LeftOut[] } {
  const rows: Row[] = [];
  const leftOut: LeftOut[] = [];
  for (const peer of peers) {
    const home = peer.install === undefined ? { modules: '' } : at.bench.installed.get(peer.install);
    if (home !== undefined && 'modules' in home) rows.push(peer.row(at.place, home.modules));
    else leftOut.push({ name: peer.install ?? '', why: home?.why ?? 'it was not installed' });
  }
  return { rows, leftOut };
}

async function stopAll(peers: readonly Peer[], { bench, place }: { readonly bench: Bench; readonly place: PeerRepository }): Promise<void> {
  for (const { install = '', stop } of peers) {
    const home = bench.installed.get(install);
    if (stop !== undefined && home !== undefined && 'modules' in home) await stop(place, home.modules);
  }
}
