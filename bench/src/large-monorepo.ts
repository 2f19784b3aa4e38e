import { TempRepo } from '@tributary/test-repo/temp-repo';
import { writeFiles } from './affected-files.js';
import { writeLockfile } from './affected-lockfile.js';
import { type MonorepoPlan, medianPackage, planMonorepo, reachedBy, type Shape, usersOf } from './affected-plan.js';

/** A branch with one commit on `main`, and the number of workspaces that the commit can affect. */
export interface ChangeBranch {
  readonly branch: 'one-file' | 'twentieth' | 'lock-entry' | 'manifest';
  readonly affected: number;
}

/**
 * A generated monorepo with `one-file` checked out. `changes`, in this order: one file, one file in every 20th package, one lock entry, one
 * manifest.
 */
export interface LargeMonorepo {
  readonly repo: TempRepo;
  readonly plan: MonorepoPlan;
  readonly lockfileBytes: number;
  readonly changes: readonly [oneFile: ChangeBranch, twentieth: ChangeBranch, lockEntry: ChangeBranch, manifest: ChangeBranch];
}

type NamedFiles = Iterable<readonly [path: string, content: string]>;

/** Creates the repository with one `git fast-import`; 1,000 workspaces take about three seconds. The same shape gives the same commits. */
export function makeLargeMonorepo(shape: Shape): LargeMonorepo {
  const plan = planMonorepo(shape);
  const median = medianPackage(plan);
  const twentieth = [...plan.packages.keys()].filter((at) => at % 20 === 7);
  const external = middleExternal(plan);
  const repo = TempRepo.create();
  const streams = [
    commitOf('main', 'Start', writeFiles(plan)),
    commitOf('one-file', 'Change one file', [changedFile(plan, median)]),
    commitOf(
      'twentieth',
      'Change a file in every twentieth package',
      twentieth.map((at) => changedFile(plan, at)),
    ),
    commitOf('lock-entry', 'Bump one package from outside', [['yarn.lock', writeLockfile(withBump(plan, external))]]),
    commitOf('manifest', 'Describe one package', [changedManifest(plan, median)]),
  ];
  repo.fastImport(streams.flatMap((stream) => [...stream]).join(''));
  repo.checkout('one-file');
  return {
    repo,
    plan,
    lockfileBytes: Buffer.byteLength(writeLockfile(plan)),
    changes: [
      { branch: 'one-file', affected: reachedBy(plan, [median]).size },
      { branch: 'twentieth', affected: reachedBy(plan, twentieth).size },
      { branch: 'lock-entry', affected: reachedBy(plan, usersOf(plan, external)).size },
      { branch: 'manifest', affected: reachedBy(plan, [median]).size },
    ],
  };
}

function changedFile(plan: MonorepoPlan, at: number): readonly [string, string] {
  return [`${plan.packages[at]?.folder}/src/model.ts`, 'export const model = "changed";\n'];
}

function changedManifest(plan: MonorepoPlan, at: number): readonly [string, string] {
  const file = `${plan.packages[at]?.folder}/package.json`;
  const before = [...writeFiles(plan)].find(([path]) => path === file)?.[1] ?? '{}';
  const manifest = JSON.parse(before) as object;
  return [file, `${JSON.stringify({ ...manifest, description: 'Changed' }, undefined, 2)}\n`];
}

/** Returns an external that the root does not use, with the median number of direct users. */
function middleExternal(plan: MonorepoPlan): number {
  const direct = (at: number): number => plan.packages.filter(({ external }) => external.some(({ to }) => to === at)).length;
  const candidates = [...plan.externals.keys()]
    .slice(3)
    .map((at) => ({ at, size: direct(at) }))
    .filter(({ size }) => size > 0);
  candidates.sort((a, b) => a.size - b.size || a.at - b.at);
  return candidates[Math.floor(candidates.length / 2)]?.at ?? 0;
}

function withBump(plan: MonorepoPlan, bumped: number): MonorepoPlan {
  const next = (version: string): string => version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  const externals = plan.externals.map((external, at) => (at === bumped ? { ...external, version: next(external.version) } : external));
  return { ...plan, externals };
}

function* commitOf(branch: string, message: string, files: NamedFiles): Generator<string> {
  const who = 'Ada Author <ada@example.com> 1600000000 +0000';
  yield `commit refs/heads/${branch}\nauthor ${who}\ncommitter ${who}\ndata ${message.length}\n${message}\n`;
  if (branch !== 'main') yield 'from refs/heads/main\n';
  for (const [path, content] of files) yield `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  yield '\n';
}
