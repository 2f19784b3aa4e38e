/** As `affected init --json` prints it. */
export interface InitResult {
  readonly schemaVersion: 1;
  /** `planned`: nothing was written. `unchanged`: there is nothing to write. */
  readonly state: 'planned' | 'written' | 'unchanged';
  readonly project: Survey;
  /** The CI engines whose files are in the repository. */
  readonly engines: readonly FoundEngine[];
  /** The engine whose workflow is proposed. */
  readonly engine: string | null;
  readonly files: readonly ProposedFile[];
  /** Why less is proposed than possible. */
  readonly problems: readonly Problem[];
  /** What to do next, in this order. */
  readonly next: readonly NextStep[];
}

/** What `affected init` found in the monorepo. */
export interface Survey {
  /** Its folder from the top of the repository; empty: the top itself. */
  readonly root: string;
  readonly packageManager: 'yarn' | 'npm' | 'unknown';
  /** `null`: no file says it. */
  readonly version: string | null;
  readonly linker: string;
  /** Without the root. */
  readonly workspaces: number;
  /** How many of them have a script `test`. */
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
  /** From the top of the repository. */
  readonly path: string;
  readonly purpose: 'settings' | 'workflow';
  /** `differs`: a file with other content is there. It is never overwritten. */
  readonly state: 'new' | 'same' | 'differs';
  /** The proposed text. */
  readonly content: string;
  readonly written: boolean;
}

export interface Problem {
  readonly message: string;
  readonly hint: string;
}

export interface NextStep {
  readonly text: string;
  readonly command: string | null;
}
