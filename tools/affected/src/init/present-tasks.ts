import { isPlainObject } from '@tributary/model/plain-object';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import { splitLines } from '../ci-files/workflow-lines.js';
import type { YamlMapping } from '../ci-files/yaml-value.js';
import { stepsOf } from '../scripts/exit-codes.js';
import { parseScript } from '../scripts/shell-text.js';

/** A task of workspaces that the workflow of today runs. */
export interface PresentTask {
  readonly task: string;
  /** Why it stays in that workflow: a clause; `null`: the proposed one runs it. */
  readonly stays: string | null;
}

/** What the monorepo says of its tasks. */
export interface TaskFacts {
  readonly rootScripts: ReadonlyMap<string, string>;
  /** The names of the scripts of workspaces, without those of the root. */
  readonly scripts: ReadonlySet<string>;
  /** `tasks` of turbo.json. */
  readonly turboTasks: Readonly<Record<string, unknown>>;
}

/** What a command runs in workspaces. */
interface Call {
  /** `undefined`: something else. */
  readonly task: string | undefined;
  /** Why it is not a plain run in all workspaces: a clause. */
  readonly why?: string | undefined;
}

/** Returns the tasks of workspaces that steps run, each with the reason why a plan does not run it. */
export function findTasks(steps: readonly Pick<PresentStep, 'calls'>[], facts: TaskFacts): readonly PresentTask[] {
  const found = new Map<string, string | null>();
  for (const { calls } of steps)
    for (const { task, why } of calls) {
      if (task === undefined || !facts.scripts.has(task) || found.get(task) === null) continue;
      found.set(task, whyNotPlanned(task, facts) ?? why ?? null);
    }
  return [...found].map(([task, stays]) => ({ task, stays }));
}

/** Tells whether a plan of these tasks runs all that a step does. `isTest`: whether something else in it is seen to run tests. */
export function canGo(calls: PresentStep['calls'], tasks: readonly PresentTask[], isTest: boolean): boolean {
  const planned = new Set(tasks.flatMap(({ task, stays }) => (stays === null ? [task] : [])));
  const known = calls.flatMap(({ task, why }) => (task === undefined ? [] : [task === 'test' || (why === undefined && planned.has(task))]));
  return !known.includes(false) && ((known.length > 0 && known.length === calls.length) || isTest);
}

function whyNotPlanned(task: string, { turboTasks }: TaskFacts): string | undefined {
  const declared = Object.entries(turboTasks).filter(([key]) => key === task || (key.endsWith(`#${task}`) && !key.startsWith('//')));
  if (declared.length === 0) return `turbo.json has no task "${task}"`;
  if (declared.some(([, one]) => isPlainObject(one) && (one['persistent'] === true || one['interactive'] === true)))
    return 'it does not end';
  const kind = kindOfTask(task);
  if (kind === 'format') return 'it may change files';
  return kind === 'other' || !/^[\w:.-]+$/.test(task) ? 'its name does not tell that it only tests, builds or lints' : undefined;
}

/** A step of a workflow, and what it runs. */
export interface PresentStep {
  readonly step: YamlMapping;
  /** Why it does not run always, in the root and in a shell: a clause. */
  readonly why: string | undefined;
  readonly calls: readonly Call[];
}

/** Reads what the steps of a job run. */
export function readSteps(workflow: YamlMapping, job: YamlMapping, facts: TaskFacts): readonly PresentStep[] {
  const steps = Array.isArray(job['steps']) ? job['steps'].filter(isPlainObject) : [];
  return steps.map((step) => {
    const own = conditionOf(step) ?? placeOf([step, defaultsOf(job), defaultsOf(workflow)]);
    const why = conditionOf(job) ?? own;
    return { step, why: own, calls: callsOfStep(typeof step['run'] === 'string' ? step['run'] : '', facts, why) };
  });
}

const ALWAYS = /^(?:\$\{\{)?\s*(?:always\(\)|success\(\)|! ?cancelled\(\)|success\(\) ?\|\| ?failure\(\))\s*(?:\}\})?$/;

function conditionOf({ if: condition, 'continue-on-error': mayFail, environment }: YamlMapping): string | undefined {
  if (condition !== undefined && !(typeof condition === 'string' && ALWAYS.test(condition.trim()))) return 'it runs under a condition';
  if (mayFail !== undefined && mayFail !== 'false') return 'it may fail there';
  return environment === undefined ? undefined : 'it runs in an environment of GitHub';
}

function defaultsOf({ defaults }: YamlMapping): YamlMapping {
  const run = isPlainObject(defaults) ? defaults['run'] : undefined;
  return isPlainObject(run) ? run : {};
}

function placeOf(settings: readonly YamlMapping[]): string | undefined {
  const found = (key: string): unknown => settings.find((one) => one[key] !== undefined)?.[key];
  const [folder, shell] = [found('working-directory'), found('shell')];
  if (folder !== undefined && folder !== '.' && folder !== './') return 'it runs in another folder';
  return shell === undefined || shell === 'bash' || shell === 'sh' ? undefined : 'another shell runs it';
}

/** Commands after which others may run elsewhere, or not at all. */
const STEERS = /^(?:cd|pushd|popd|exit|return|trap|eval|source|\.|\[{1,2}|test|grep|if|elif|fi|for|while|until|done|case|esac|!)$/;

/** Reads what the lines of a step run. `outer`: why they do not run always: a clause. */
export function callsOfStep(text: string, facts: TaskFacts, outer: string | undefined): readonly Call[] {
  const lines = splitLines(text.replace(/\$\{\{.*?\}\}/gs, '$EXPRESSION')).map(parseScript);
  const steps = lines.flatMap((line) => (line === undefined ? [] : stepsOf(line, 'sh', true)));
  const steers = steps.find(({ words: [word = '', option = ''] }) => STEERS.test(word) || (word === 'set' && option.startsWith('+')));
  const what = steers?.words[0] ?? steps.find(({ discards }) => discards !== undefined)?.discards;
  const inner = what !== undefined ? `its step has "${what}"` : lines.includes(undefined) ? 'a line of its step cannot be read' : undefined;
  const calls = steps.flatMap(({ words }) => callsOf(words, facts, []));
  const why = outer ?? inner;
  return why === undefined ? calls : calls.map((call) => ({ ...call, why }));
}

/** `within`: the scripts of the root that lead here. */
function callsOf(words: readonly string[], facts: TaskFacts, within: readonly string[]): readonly Call[] {
  const at = words.findIndex((word) => !/^(?:corepack|yarn|npm|npx|pnpm|run|exec)$/.test(word));
  const [launcher, [first = '', ...others]] = [words.slice(0, at).join(' '), words.slice(at)];
  if (first === 'turbo') return turboCalls(others[0] === 'run' ? others.slice(1) : others);
  if (first === 'workspaces' && others[0] === 'foreach' && launcher.endsWith('yarn')) return foreachCalls(others.slice(1));
  const text = /^(?:corepack )?(?:yarn|npm run|pnpm)(?: run)?$/.test(launcher) ? facts.rootScripts.get(first) : undefined;
  if (text === undefined || within.includes(first)) return [OTHER];
  const line = parseScript(text);
  const steps = line === undefined ? [] : stepsOf(line, 'yarn');
  const calls = steps.flatMap((step) =>
    callsOf(step.words, facts, [...within, first]).map((call) => (step.discards === undefined ? call : { ...call, why: DISCARDS })),
  );
  if (calls.every(({ task }) => task === undefined)) return [{ task: first, why: `the script "${first}" of the root does something else` }];
  return others.length === 0 ? calls : calls.map((call) => ({ ...call, why: ARGUMENTS }));
}

const OTHER: Call = { task: undefined };
const DISCARDS = 'a script of the root discards failures';
const ARGUMENTS = 'it has arguments';

/** Options that change neither what runs nor where. */
const TURBO_FLAG =
  /^--(?:affected|cache|color|continue|daemon|force|no-cache|no-color|no-daemon|no-update-notifier|parallel|remote-only|summarize)$/;
const TURBO_VALUE =
  /^--(?:api|cache-dir|cache-workers|concurrency|env-mode|log-order|log-prefix|output-logs|remote-cache-timeout|team|token|ui|verbosity)$/;

function turboCalls(words: readonly string[]): readonly Call[] {
  const tasks: string[] = [];
  let why: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return tasks.map((task) => ({ task, why: ARGUMENTS }));
    const [, option = word, given] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const isFilter = option === '--filter' || option === '-F';
    const value = given ?? (isFilter || TURBO_VALUE.test(option) ? words[++at] : undefined);
    if (!word.startsWith('-')) tasks.push(word);
    else if (isFilter) why ??= /^(?:\.\.\.)?\[.*\]$/.test(value ?? '') ? undefined : SOME;
    else if (!TURBO_FLAG.test(option) && !TURBO_VALUE.test(option)) why ??= `it has the option ${option}`;
  }
  return tasks.map((task) => ({ task, why }));
}

const SOME = 'it runs in some workspaces only';
const FOREACH_OPTION = /^(?:-[AWptvi]+|--(?:all|worktree|since|parallel|topological|topological-dev|verbose|interlaced|jobs)(?:=.*)?|-j)$/;

/** Such as `-Apt run lint`. */
function foreachCalls(words: readonly string[]): readonly Call[] {
  let at = 0;
  for (; (words[at] ?? '').startsWith('-'); at++) if (/^(?:-j|--(?:jobs|include|exclude|from))$/.test(words[at] ?? '')) at++;
  const options = words.slice(0, at).filter((word) => word.startsWith('-'));
  const [task, ...others] = words.slice(words[at] === 'run' ? at + 1 : at);
  if (others.length > 0) return [{ task, why: ARGUMENTS }];
  const other = options.find((word) => !FOREACH_OPTION.test(word));
  if (other !== undefined) return [{ task, why: `it has the option ${other}` }];
  return [
    { task, why: options.some((word) => /^(?:-[A-Za-z]*[AW][A-Za-z]*|--(?:all|worktree|since)(?:=.*)?)$/.test(word)) ? undefined : SOME },
  ];
}
