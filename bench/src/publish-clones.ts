import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leadTimesQuery } from '@tributary/commit-to-publish/engine/lead-times';
import { withRecord } from '@tributary/commit-to-publish/io/record';
import { percentile } from '@tributary/commit-to-publish/statistics/percentile';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Environment } from '@tributary/process/environment';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runCommand } from './affected-process.js';

/** The merge that joined the histories of babylon and babel. Its second parent's first parent is the last commit of babylon alone. */
const MERGE = '52537410ef693b287dad920c7a10c657c70e122b';
const CHANNELS = 'alpha,beta,rc,latest';
const PACKAGE = '@babel/parser';
const CONFIG = { publish: { renamed: { babylon: PACKAGE, 'babel-core': '@babel/core' }, moved: { babylon: MERGE } } };
const HOUR = 3600;
/** A tag is created within this time after the commit, in seconds. */
const SAME = 120;

/** Lead times in seconds, by the first 12 digits of the commit. */
type LeadTimes = ReadonlyMap<string, number>;

/**
 * Collects from real clones, made from one of babel/babel. Prints their figures for the move of babylon beside those computed independently
 * from the same history.
 */
export async function compareClones(source: string, folder: string, env: Environment): Promise<string> {
  const git = (...args: readonly string[]): Promise<string> => runCommand({ program: 'git', args, cwd: folder }, env);
  await git('clone', '--quiet', '--no-checkout', '--shared', source, 'babel');
  await git('clone', '--quiet', '--no-checkout', '--shared', '--no-tags', source, 'babylon');
  for (const name of ['babel', 'babylon']) await git('-C', name, 'remote', 'set-url', 'origin', `https://host.example/babel/${name}.git`);
  // If the remote's main line is known, it counts instead of HEAD.
  await git('-C', 'babylon', 'remote', 'set-head', 'origin', '--delete');
  await git('-C', 'babylon', 'update-ref', '--no-deref', 'HEAD', `${MERGE}^2^1`);
  writeFileSync(join(folder, 'tributary.json'), JSON.stringify(CONFIG));
  const cli = join(findProjectRoot(), 'tools/commit-to-publish/out/cli.cjs');
  const ask = (...args: readonly string[]): Promise<string> =>
    runCommand({ program: process.execPath, args: [cli, ...args], cwd: folder }, env);
  await ask('collect', '--repo', 'babylon', '--repo', 'babel');
  const record = join(folder, '.tributary/record') as AbsolutePath;
  const before = describeEra('before', await readLeadTimes(record, 'babel/babylon', 'released'));
  const after = describeEra('after', await readLeadTimes(record, 'babel/babel', 'published'));
  const compared = await ask(
    'compare',
    '--migration',
    'babylon',
    '--monorepo',
    'babel',
    '--window',
    '64w',
    '--changes',
    'all',
    '--channels',
    CHANNELS,
  );
  return [HEADER, ...before, ...after, '', 'compare --migration, 64 weeks on each side:', '', compared].join('\n');
}

const HEADER = ['era', 'changes', 'n', 'P50, h', 'P90, h'].join('\t');

async function readLeadTimes(record: AbsolutePath, repo: string, until: 'published' | 'released'): Promise<LeadTimes> {
  const query = leadTimesQuery({ ready: 'merged', until, channels: new Set(CHANNELS.split(',')) });
  const rows = await withRecord(record, (database) =>
    database.rows(`select change, ended_at - ready_at as total from (${query}) where repo = '${repo}' and package = '${PACKAGE}'`),
  );
  return new Map(rows.map(({ change, total }) => [String(change).slice(0, 12), Number(total) / 1e6]));
}

type Fact = readonly [commit: string, committed: number, parser: number, upgraded: number | null, version: string, released: number];

function describeEra(era: 'before' | 'after', found: LeadTimes): readonly string[] {
  const file = join(findProjectRoot(), 'tools/commit-to-publish/src/facts/babylon.json');
  const facts = (JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<typeof era, readonly Fact[]>>)[era];
  const known: LeadTimes = new Map(facts.map(([commit, committed, , , , released]) => [commit, released - committed]));
  const both = [...known.keys()].filter((commit) => found.has(commit));
  const of = (times: LeadTimes, commits: readonly string[]): readonly number[] => commits.map((commit) => times.get(commit) ?? Number.NaN);
  const isOff = (commit: string): boolean => Math.abs((found.get(commit) ?? 0) - (known.get(commit) ?? 0)) > SAME;
  return [
    row(era, 'of the release data', of(known, [...known.keys()])),
    row(era, 'of them in the clones: by the release data', of(known, both)),
    row(era, 'of them in the clones: by the clones', of(found, both)),
    `${era}\t${known.size - both.length} are no changes to collect; ${both.filter(isOff).length} differ by more than ${SAME} s`,
  ];
}

function row(era: string, what: string, times: readonly number[]): string {
  const sorted = Float64Array.from(times).sort();
  const hours = (share: number): string => ((percentile(sorted, share) ?? Number.NaN) / HOUR).toFixed(1);
  return [era, what, sorted.length, hours(0.5), hours(0.9)].join('\t');
}
