import type { InternalConfig } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';
import type { TestLevel } from '../result/tests-result.js';
import type { Strategy } from '../strategy.js';
import type { TestVariables } from '../tests/variables.js';
import type { ProposalOptions } from './prepare-proposal.js';

/** The request of the command line. */
export interface MigrateRequest {
  /** `all`: the packages of tributary.json. */
  readonly packages: readonly WorkspaceName[] | 'all';
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
  /** A pattern; `configured`: the one in tributary.json; `none`: no tags are imported. */
  readonly tags: { readonly pattern: string } | 'configured' | 'none';
  readonly lfsPointers: 'refuse' | 'accept';
  /** Whether dependencies are aligned with those of the monorepo. */
  readonly align: 'yes' | 'no';
  /** Which requests between workspaces use the workspace; `undefined`: as in tributary.json. */
  readonly internal: InternalConfig['convert'] | undefined;
  /** Whether the packages are installed, in a separate folder, so that the branch's lockfile has their locked versions. */
  readonly install: 'yes' | 'no';
  /** Whether the installation may run code of packages: install scripts, and scripts that pack or build a package. */
  readonly scripts: 'run' | 'refuse';
  /** The kinds of malformed objects to accept, by their names in git, in lower case. */
  readonly allowedFaults: ReadonlySet<string>;
  /** The level to which tests are compared. A given level permits running code of the sources; `ask`: none was given. */
  readonly tests: {
    readonly level: TestLevel | 'off' | 'ask';
    /** The script that runs the tests. */
    readonly script: string;
    readonly timeoutMs: number;
    /** Variables that tests get in addition to the closed environment. */
    readonly variables: TestVariables;
  };
  /** The file for the report in Markdown; `undefined`: no report. */
  readonly report: AbsolutePath | undefined;
  /** The pull request for the branch; `undefined`: none is opened. */
  readonly proposal: ProposalOptions | undefined;
  readonly confirmation: 'ask' | 'given';
  readonly extent: 'all' | 'plan only';
}
