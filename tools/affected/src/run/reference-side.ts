import { createHash } from 'node:crypto';
import { resolveNames } from '@tributary/git/objects';
import type { RepoPath } from '@tributary/model/paths';
import { type Cache, openCache } from '@tributary/process/cache';
import type { OwnReferences } from '@tributary/references/own-references';
import type { FileReferences } from '@tributary/references/reference';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { objectName } from '../io/reading.js';
import type { CodeSource } from '../io/workspace-code.js';
import { buildBearing } from '../reasons/bearing.js';
import type { ReferenceFacts } from '../reasons/reference-facts.js';
import type { Searched } from '../reasons/verdict.js';
import type { Snapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';
import type { ReferencesRead } from './reference-map.js';

/** A commit's references. */
export interface ReferenceSide {
  readonly facts: ReferenceFacts;
  /** As in `ReferencesRead`. */
  readonly missing: readonly RepoPath[];
  /** The whole map, which is read when it is needed. */
  readonly searched: () => Promise<Searched>;
}

/** What decides how references count. */
interface Policy {
  readonly rules: FileRules;
  /** All that `rules` were made from. */
  readonly madeFrom: unknown;
  /** Whether what tests alone import is known to reach nobody else. */
  readonly isApart: boolean;
}

/** Set by scripts/bundle.mjs. Missing in tests of the sources, which keep nothing. */
declare const SOURCES_VERSION: string | undefined;
const version = typeof SOURCES_VERSION === 'string' ? SOURCES_VERSION : '';

/** The trees whose facts are kept. */
const MOST_TREES = 30;
/** The answers about the code inside of workspaces that are kept. */
const MOST_ANSWERS = 300;

/** Where references are read, and for which task. */
type ReaderInputs = Pick<AffectedInputs, 'git' | 'repository' | 'taskKind' | 'progress'>;

/** Reads the references of commits. What was read of sources, and the facts of whole trees, are kept in the git directory. */
export class ReferenceReader {
  private readonly inputs: ReaderInputs;
  private readonly policy: Policy;
  private readonly sources: Cache<OwnReferences>;
  private readonly inner: Cache<readonly string[]>;
  private readonly trees: Cache<ReferenceFacts>;

  constructor(inputs: ReaderInputs, policy: Policy) {
    this.inputs = inputs;
    this.policy = policy;
    this.sources = openCache(inputs.repository.commonDir, 'references', { version });
    this.inner = openCache(inputs.repository.commonDir, 'inner', { version, keep: MOST_ANSWERS });
    this.trees = openCache(inputs.repository.commonDir, 'trees', { version, keep: MOST_TREES });
  }

  /** Throws `GIT_FAILED`. */
  async side(commit: string, graph: DependencyGraph, { rootManifest }: Pick<Snapshot, 'rootManifest'>): Promise<ReferenceSide> {
    const { taskKind: kind = 'test' } = this.inputs;
    let read: Promise<ReferencesRead> | undefined;
    const bearingOf = buildBearing({ rules: this.policy.rules, kind, rootManifest });
    const map = (): Promise<ReferencesRead> => (read ??= this.read(commit, graph));
    const searched = async (): Promise<Searched> => ({ map: (await map()).map, bearingOf });
    const key = await this.keyOf(commit, graph);
    const known = key === undefined ? undefined : this.trees.get(key);
    if (known !== undefined) return { facts: known, missing: [], searched };
    const { missing } = await map();
    const { factsOf } = await import('../reasons/reference-facts.js');
    const found = factsOf(await searched(), this.policy.rules);
    const { settleFacts, InnerCode } = await import('./settle-facts.js');
    const facts = await settleFacts(found, new InnerCode(this.sourceOf(commit, graph), this.inner), this.policy.isApart);
    // What is missing today may be there tomorrow.
    if (key !== undefined && missing.length === 0) this.trees.add(key, facts);
    return { facts, missing, searched };
  }

  private sourceOf(commit: string, graph: DependencyGraph): CodeSource {
    const { git, repository } = this.inputs;
    return { git, project: repository.project, commit, graph };
  }

  save(): void {
    this.sources.save();
    this.inner.save();
    this.trees.save();
  }

  private async read(commit: string, graph: DependencyGraph): Promise<ReferencesRead> {
    const { taskKind: kind = 'test', progress } = this.inputs;
    let isShown = false;
    const look = ({ path }: FileReferences): void => {
      if (!isShown) progress?.phase('Reading sources');
      isShown = true;
      progress?.step(path);
    };
    const whenRead = (): void => {
      if (isShown) progress?.phase('Following references');
    };
    const { readReferenceMap } = await import('./reference-map.js');
    return readReferenceMap({ ...this.inputs, commit, graph }, { cache: this.sources, kind, look, whenRead });
  }

  /** Stands for all that facts depend on; `undefined` if the tree has no name. */
  private async keyOf(commit: string, { members, edges }: DependencyGraph): Promise<string | undefined> {
    const { git, repository, taskKind } = this.inputs;
    const [tree] = await resolveNames(git, [repository.project === '' ? `${commit}^{tree}` : objectName(commit, repository.project, '')]);
    if (tree === undefined) return undefined;
    const hash = createHash('sha1').update(JSON.stringify([tree.id, taskKind, this.policy.madeFrom, this.policy.isApart]));
    for (const { name, path } of members) hash.update(`${name} ${path}\n`);
    for (const { from, to } of edges) hash.update(`${from} ${to}\n`);
    return hash.digest('base64');
  }
}
