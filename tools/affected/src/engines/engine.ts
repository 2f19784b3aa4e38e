import type { Plan } from '../plan/plan.js';
import type { CiChange } from './ci-change.js';
import type { EngineLog } from './engine-log.js';
import type { CiVariables } from './variables.js';

/** A CI engine. CONTRIBUTING.md says how to add one. Its files are in `CI_FILES`, by its name. */
export interface CiEngine {
  /** The name for `affected emit`: `github`. */
  readonly name: string;
  /** The usual name. */
  readonly title: string;
  /** What `affected init` writes and says. */
  readonly setup: EngineSetup;
  /** Tells whether these are the variables of one of its jobs. */
  readonly detect: (variables: CiVariables) => boolean;
  /** Called if `detect` returns true. Never throws: missing, broken or hostile values make the base `unknown`, with a reason. */
  readonly readChange: (variables: CiVariables, readEvent: ReadEvent) => CiChange;
  /** Returns how often the job has run for the same plan, from 1. Missing if no variable tells: a template can set `AFFECTED_ATTEMPT`. */
  readonly attempt?: (variables: CiVariables) => number | undefined;
  /**
   * Returns how often the whole run was started, from 1: no job in it can have a higher `attempt`. Missing if no variable tells; then the
   * gate takes no later receipt for a run that failed. The template's gate can set `AFFECTED_ATTEMPT` to such a number.
   */
  readonly runAttempt?: (variables: CiVariables) => number | undefined;
  /** The features of the job log; missing if it has none that help. */
  readonly log?: EngineLog;
  /** Set if a run begins with one file, and uses others only by path. Otherwise all files of the engine may take part. */
  readonly runsOneFile?: true;
  /** Returns the file with which the job's run began. Missing if no variable tells. */
  readonly begins?: (variables: CiVariables) => string | undefined;
  /**
   * Returns the part of a plan that the template uses, within the limits of the engine. Throws `PLAN_INVALID` for a plan that does not fit.
   */
  readonly emit: (plan: Plan) => string;
}

/** The files for a monorepo's start on an engine. */
export interface EngineSetup {
  /** Template below `ci/` -> path relative to the repository. */
  readonly files: Readonly<Record<string, string>>;
  /** The same for the form with one job; missing: the engine has no such template. */
  readonly oneJob?: Readonly<Record<string, string>>;
  /** A sentence on what to do in the engine after the first run. */
  readonly require: string;
  /** The same for the form with one job, if it differs. */
  readonly requireOneJob?: string;
  /** A sentence on what else to change in a file of the engine that exists already. */
  readonly byHand?: string;
  /** What the engine calls a pull request, if it has another word. */
  readonly pullRequest?: string;
  /** A folder that its jobs write into the checkout. git must ignore it, unless it is tracked. */
  readonly writes?: string;
}

/** Reads the file of the event that started a job. Called at most once; may throw. */
export type ReadEvent = (path: string) => string;
