import type { Plan } from '../plan/plan.js';
import type { CiChange } from './ci-change.js';
import type { Variables } from './variables.js';

/** All that affected knows of a CI engine. A new engine is a file with one such object, its line in `ENGINES`, a template and a guide. */
export interface CiEngine {
  /** As `affected emit` takes it: `github`. */
  readonly name: string;
  /** Whether these are the variables of one of its jobs. */
  readonly detect: (variables: Variables) => boolean;
  /** Called if `detect` said yes. Never throws: what is missing, broken or hostile makes the base `unknown`, with its reason. */
  readonly readChange: (variables: Variables, readEvent: ReadEvent) => CiChange;
  /** How often the job has run for the same plan, from 1; `undefined` where the engine does not say it. */
  readonly attempt: (variables: Variables) => number | undefined;
  /** What the log of a job obeys; missing where that is nothing that helps. */
  readonly log?: EngineLog;
  /** The files that say what its jobs do. */
  readonly pipeline: PipelineFiles;
  /** What the template takes of a plan, within the limits of the engine. Throws `PLAN_INVALID` for a plan that does not fit. */
  readonly emit: (plan: Plan) => string;
}

/** The files of an engine's pipelines, by their paths from the top of the repository. */
export interface PipelineFiles {
  /** Whether a file belongs to them. */
  readonly owns: (path: string) => boolean;
  /** `one`: a run begins with one of them, and uses others only by their paths. `all`: whatever the engine owns may take part. */
  readonly runs: 'one' | 'all';
  /** The file that the job's run began with; `undefined` where the variables do not say it. */
  readonly begins: (variables: Variables) => string | undefined;
}

/** Reads the file of the event that started a job. Called at most once; may throw. */
export type ReadEvent = (path: string) => string;

/** The log of a job, which shows annotations and obeys commands in what is printed. */
export interface EngineLog {
  /** How many annotations of one step are shown. */
  readonly mostAnnotations: number;
  /** A line that shows an error beside the changed files. It is printed as it is. */
  readonly annotate: (annotation: Annotation) => string;
  /** Lines after which the log obeys nothing, and obeys again. `token`: letters and digits that nobody can guess. */
  readonly mute: (token: string) => { readonly before: string; readonly after: string };
}

/** An error that belongs to a line of a file, if that is known. Its texts may be anything. */
export interface Annotation {
  /** From the root of the repository. */
  readonly file: string | null;
  readonly line: number | null;
  readonly title: string;
  readonly message: string;
}
