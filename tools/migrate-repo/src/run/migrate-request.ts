import type { InternalConfig } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';
import type { Strategy } from '../strategy.js';
import type { TestLevel } from '../tests/test-run.js';
import type { Variables } from '../tests/variables.js';
import type { ProposalOptions } from './prepare-proposal.js';

/** What the command line asks for. */
export interface MigrateRequest {
  /** `all`: those of tributary.json. */
  readonly packages: readonly WorkspaceName[] | 'all';
  /** Names that read like a command, with that command. The registry is not asked for them. */
  readonly mistyped: ReadonlyMap<string, string>;
  readonly cwd: AbsolutePath;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
  readonly from: string | undefined;
  readonly to: RepoPath | undefined;
  readonly branch: string | undefined;
  readonly sourceBranch: string | undefined;
  readonly subdirectory: RepoPath | undefined;
  readonly strategy: Strategy;
  /** `exact`: no byte of a message or a header changes. */
  readonly messages: 'exact' | 'qualified';
  /** A pattern; `configured`: that of tributary.json; `none`: the tags stay behind. */
  readonly tags: { readonly pattern: string } | 'configured' | 'none';
  readonly lfsPointers: 'refuse' | 'accept';
  /** Whether dependencies are aligned with those of the monorepo. */
  readonly align: 'yes' | 'no';
  /** Which requests between workspaces get the workspace; `undefined`: as tributary.json says. */
  readonly internal: InternalConfig['convert'] | undefined;
  /** Whether what comes is installed, in a folder apart, so that its locked versions are in the lockfile of the branch. */
  readonly install: 'yes' | 'no';
  /** Whether that installation may run code that comes with packages: install scripts, and what packs or makes a package. */
  readonly scripts: 'run' | 'refuse';
  /** The kinds of malformed objects that may come all the same, as git calls them, in small letters. */
  readonly allowedFaults: ReadonlySet<string>;
  /** How far tests are compared before and after. Given, it is the agreement to run code of the sources; `ask`: it was not given. */
  readonly tests: {
    readonly level: TestLevel | 'off' | 'ask';
    readonly timeoutMs: number;
    /** What tests get beside the closed environment. */
    readonly variables: Variables;
  };
  /** Where a report in Markdown goes; `undefined`: nowhere. */
  readonly report: AbsolutePath | undefined;
  /** The pull request for the branch; `undefined`: none is opened. */
  readonly proposal: ProposalOptions | undefined;
  readonly confirmation: 'ask' | 'given';
  readonly extent: 'all' | 'plan only';
}
