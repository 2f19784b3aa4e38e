import type { Plan } from '../plan/plan.js';
import type { CiChange } from './ci-change.js';
import type { Variables } from './variables.js';

/** A CI engine. To add an engine, write a file with one such object, its line in `ENGINES`, a template and a guide. */
export interface CiEngine {
  /** The name for `affected emit`: `github`. */
  readonly name: string;
  /** Tells whether these are the variables of one of its jobs. */
  readonly detect: (variables: Variables) => boolean;
  /** Called if `detect` returns true. Never throws: missing, broken or hostile values make the base `unknown`, with a reason. */
  readonly readChange: (variables: Variables, readEvent: ReadEvent) => CiChange;
  /** Returns how often the job has run for the same plan, from 1; `undefined` if the engine does not tell. */
  readonly attempt: (variables: Variables) => number | undefined;
  /** The features of the job log; missing if it has none that help. */
  readonly log?: EngineLog;
  /** The files that define its jobs. */
  readonly pipeline: PipelineFiles;
  /**
   * Returns the part of a plan that the template uses, within the limits of the engine. Throws `PLAN_INVALID` for a plan that does not fit.
   */
  readonly emit: (plan: Plan) => string;
}

/** The files of an engine's pipelines, by paths relative to the repository. */
export interface PipelineFiles {
  /** Tells whether a file belongs to them. */
  readonly owns: (path: string) => boolean;
  /** `one`: a run begins with one file, and uses others only by path. `all`: all files of the engine may take part. */
  readonly runs: 'one' | 'all';
  /** Returns the file with which the job's run began; `undefined` if the variables do not tell. */
  readonly begins: (variables: Variables) => string | undefined;
}

/** Reads the file of the event that started a job. Called at most once; may throw. */
export type ReadEvent = (path: string) => string;

/** The log of a job, which shows annotations and obeys commands in what is printed. */
export interface EngineLog {
  /** The most annotations shown per step. */
  readonly mostAnnotations: number;
  /** Returns a line that shows an error next to the changed files. It is printed unchanged. */
  readonly annotate: (annotation: Annotation) => string;
  /** Returns lines that stop and resume the log's commands. `token`: letters and digits that nobody can guess. */
  readonly mute: (token: string) => { readonly before: string; readonly after: string };
}

/** An error, at a line of a file if that is known. Its texts may contain anything. */
export interface Annotation {
  /** Relative to the repository. */
  readonly file: string | null;
  readonly line: number | null;
  readonly title: string;
  readonly message: string;
}
