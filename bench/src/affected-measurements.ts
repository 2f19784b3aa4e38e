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
 * Measures our own command, started in several ways, and the peers, on the checked-out commit of a repository. The slow peers are a group of
 * their own, in a third of the rounds, with its own runs of `node -e 0` and of our command.
 */
export async function measurePeers(bench: Bench, place: PeerRepository): Promise<Measurements> {
  const [quick, slow] = [rowsOf('quick', bench, place), rowsOf('slow', bench, place)];
  const own = [bench.ours.linked(place), ...bench.ours.others(place), ...bench.template.rows(place), ...bench.ours.talk(place.cwd)];
  const pair = { floor: nodeRow(place.cwd), ours: bench.ours.row(OURS, place) };
  const parts = [await measureGroup({ ...pair, others: [...own, ...quick.rows], rounds: bench.rounds }, bench.env)];
  if (slow.rows.length > 0) {
    const { results, leftOut } = await measureGroup({ ...pair, others: slow.rows, rounds: Math.ceil(bench.rounds / 3) }, bench.env);
    parts.push({ results: results.slice(2), leftOut });
  }
  const leftOut = [...quick.leftOut, ...slow.leftOut, ...parts.flatMap((part) => part.leftOut)];
  return { results: parts.flatMap(({ results }) => results), leftOut };
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

function rowsOf(pace: Peer['pace'], { peers, installed }: Bench, place: PeerRepository): { rows: Row[]; leftOut: LeftOut[] } {
  const rows: Row[] = [];
  const leftOut: LeftOut[] = [];
  for (const peer of peers.filter((one) => one.pace === pace)) {
    const home = peer.install === undefined ? { modules: '' } : installed.get(peer.install);
    if (home !== undefined && 'modules' in home) rows.push(peer.row(place, home.modules));
    else leftOut.push({ name: peer.install ?? '', why: home?.why ?? 'it was not installed' });
  }
  return { rows, leftOut };
}
