import type { Finding } from '../check/finding.js';
import type { Form } from './forms.js';
import type { NodeVersion } from './node-version.js';
import type { PresentTask } from './present-tasks.js';

/** The output of `affected init --json`. */
export interface AffectedInitResult {
  readonly schemaVersion: 1;
  /** `planned`: nothing was written. `unchanged`: there was nothing to write. */
  readonly state: 'planned' | 'written' | 'unchanged';
  readonly project: Survey;
  /** What `affected check` finds in HEAD; `null`: it cannot read an invalid turbo.json. */
  readonly findings: readonly Finding[] | null;
  /** The CI engines whose files are in the repository. */
  readonly engines: readonly FoundEngine[];
  /** The engine whose workflow is proposed. */
  readonly engine: string | null;
  /** The form of that workflow. */
  readonly form: Form | null;
  /** The tasks that it runs. */
  readonly tasks: readonly string[];
  /** What it gives tests as the present workflow does, such as `service postgres`. */
  readonly taken: readonly string[];
  readonly files: readonly ProposedFile[];
  /** Why it proposes less than possible. */
  readonly problems: readonly Shortcoming[];
  /** The next steps, in order. */
  readonly next: readonly NextStep[];
}

/** The workflow that runs the tests today. */
export interface SurveyedWorkflow {
  readonly path: string;
  /** What its testing jobs have and a proposed job lacks, such as `step docker/setup-buildx-action`. */
  readonly extras: readonly string[];
  /** The first lines of the steps that run tests, or tasks that the proposed workflow runs too. */
  readonly tests: readonly string[];
  /** The names of its other jobs. */
  readonly others: readonly string[];
  /** The tasks of workspaces that it runs, with the test if that is seen. */
  readonly tasks: readonly PresentTask[];
}

/** What `affected init` found in the monorepo. */
export interface Survey {
  /** The version of Node that tests run on; `null`: no file tells. */
  readonly node: NodeVersion | null;
  /** The workflow that runs them today; `null`: none, or several. */
  readonly workflow: SurveyedWorkflow | null;
  /** Its folder relative to the repository; empty for the top itself. */
  readonly root: string;
  readonly packageManager: 'yarn' | 'npm' | 'unknown';
  /** `null`: no file tells. */
  readonly version: string | null;
  readonly linker: string;
  /** Including the root, as in the answers of `affected`. */
  readonly workspaces: number;
  /** The number of workspaces with a script `test`, without the root. */
  readonly tested: number;
  /** The programs that these scripts start, the most frequent first. */
  readonly runners: readonly { readonly name: string; readonly workspaces: number }[];
  readonly turboJson: 'read' | 'missing' | 'invalid';
  /** `null`: turbo.json is missing or invalid. */
  readonly turboTasks: readonly string[] | null;
  /** The range in the root package.json; `null`: none. */
  readonly turbo: string | null;
  /** The main branch of the remote `origin`; `main` if that is unknown. */
  readonly branch: string;
}

export interface FoundEngine {
  readonly name: string;
  readonly title: string;
  readonly files: readonly string[];
}

export interface ProposedFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly purpose: 'settings' | 'workflow';
  /** `differs`: the file exists with other content. It is never overwritten. */
  readonly state: 'new' | 'same' | 'differs';
  /** The proposed text. */
  readonly content: string;
  readonly written: boolean;
}

export interface Shortcoming {
  readonly message: string;
  readonly hint: string;
}

export interface NextStep {
  readonly text: string;
  readonly command: string | null;
}
