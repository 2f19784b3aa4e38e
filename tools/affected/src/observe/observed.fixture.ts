import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { describeReason } from '../describe.js';
import { currentPlatform } from '../io/platform.js';
import { observations } from '../observation-documents.fixture.js';
import type { AffectedResult } from '../result.js';
import type { AffectedRequest } from '../run/request.js';
import { selectAffected } from '../run/select.js';
import { VERSION } from '../version.js';
import { formatObservations } from './kept-observation.js';
import { hashListing } from './listing.js';
import type { Observation } from './observation.js';

const ui = new Ui(recordStreams(), {}, { quiet: true, verbose: false, color: 'never', input: 'never', json: false });

/** A monorepo with traced tests. `app` depends on `lib`; `other` and `bare` depend on nothing, and `bare` has no trace. */
export class ObservedRepo {
  readonly repo: TempRepo;
  readonly start: string;
  private readonly file: string;

  constructor(cleanUp: CleanUp, files: Files = {}) {
    const manifests = { app: { dependencies: { lib: 'workspace:^' } }, lib: {}, other: {}, bare: {} };
    const packages = Object.fromEntries(
      Object.entries(manifests).map(([name, more]) => [`packages/${name}`, { scripts: { test: 'x' }, ...more }]),
    );
    const own = Object.keys(manifests).map((name) => [`packages/${name}/own.js`, '0;\n']);
    this.repo = cleanUp.add(createTempMonorepo({ packages, files: { ...Object.fromEntries(own), ...files } }));
    this.start = this.repo.git('rev-parse', 'HEAD').trim();
    this.file = join(cleanUp.add(new TempFolder()).path, 'observations.json');
  }

  /** Returns a complete observation of the first commit, which read only the workspace's own files. */
  observed(workspace: string, more: ObservedMore = {}): Observation {
    return observedAt(this.start, workspace, more);
  }

  /** Returns the answer for one commit on top of the first, which it then removes. A file of `undefined` is deleted. */
  async select(
    files: Readonly<Record<string, string | undefined>>,
    kept: readonly Observation[] | string,
    request: Partial<AffectedRequest> = {},
  ): Promise<AffectedResult> {
    writeFileSync(this.file, typeof kept === 'string' ? kept : formatObservations(kept));
    this.change(files);
    const { path: cwd } = this.repo;
    const asked = { cwd, base: this.start, head: undefined, filesFrom: undefined, pullRequest: undefined } as const;
    try {
      return await selectAffected(
        { ...asked, uncommitted: 'without', fetch: 'never', observations: this.file, task: 'test', ...request },
        { ui, clock: systemClock, signal: new AbortController().signal },
      );
    } finally {
      this.repo.git('reset', '-q', '--hard', this.start);
    }
  }

  /** Commits changes and returns the commit's id. */
  change(files: Readonly<Record<string, string | undefined>>): string {
    for (const [path, text] of Object.entries(files))
      if (text === undefined) rmSync(join(this.repo.path, path));
      else this.repo.write({ [path]: text });
    this.repo.commit('Change');
    return this.repo.git('rev-parse', 'HEAD').trim();
  }
}

/** Returns reasons as `app: packages/lib/own.js changed`. */
export function reasonsIn({ workspaces }: AffectedResult): readonly string[] {
  return workspaces.flatMap(({ name, reasons }) => reasons.map((reason) => `${name}: ${describeReason(reason)}`));
}

/** `list` has the folders that the run listed. */
export type ObservedMore = Partial<Observation> & { readonly list?: readonly string[] };

/** Returns a complete observation of a workspace's tests, which read only a file of their own. */
export function observedAt(commit: string, workspace: string, { list = [], ...more }: ObservedMore = {}): Observation {
  const [one] = observations();
  if (one === undefined) throw new Error('no observation');
  const none = { found: [], absent: [], packages: [], programs: [], nested: [], connections: [] };
  return {
    ...one,
    ...none,
    version: VERSION,
    platform: currentPlatform(),
    commit,
    workspace,
    task: 'test',
    files: [`packages/${workspace}/own.js`],
    listed: list.map((path) => ({ path, hash: hashListing(new Map()) })),
    apart: { written: [], ignored: [], caches: [], tools: [], toolLists: [], outside: [] },
    ...more,
  };
}

/** Returns a lockfile of Yarn 4 for `ObservedRepo`, whose root depends on `left@^1.0.0`. */
export function lockOf(version: string): string {
  const entry = (name: string, place: string, more = ''): string =>
    `"${name}@workspace:${place}":\n  version: 0.0.0-use.local\n  resolution: "${name}@workspace:${place}"\n${more}  languageName: unknown\n  linkType: soft\n`;
  const members = ['app', 'lib', 'other', 'bare'].map((name) =>
    entry(name, `packages/${name}`, name === 'app' ? '  dependencies:\n    lib: "workspace:^"\n' : ''),
  );
  const left = `"left@npm:^1.0.0":\n  version: ${version}\n  resolution: "left@npm:${version}"\n  checksum: ${version}\n  languageName: node\n  linkType: hard\n`;
  const root = entry('monorepo', '.', '  dependencies:\n    left: "npm:^1.0.0"\n');
  return `# This file is generated\n\n__metadata:\n  version: 8\n  cacheKey: 10c0\n\n${[...members, root, left].join('\n')}`;
}
