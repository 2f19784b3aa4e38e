import { push } from '@tributary/references/groups';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import type { CountedJobs } from './difference.js';
import { ACTIONS, actionFolder, isWorkflow, typeOf } from './file-types.js';
import { filesAt, namedFiles } from './named-files.js';
import { namedScripts } from './named-scripts.js';
import { bringsPackages, hiddenStart, startOfTask } from './task-words.js';
import type { Asking, CiTree } from './tree.js';
import { readAction, readWorkflow, type Workflow } from './workflow.js';
import { linesIn, splitLines, type WorkflowLine } from './workflow-lines.js';

/** The effect of one file, of a job (`ci.yml#test`), or of a script of a package.json. */
interface Facts {
  /** The files, jobs and scripts that it uses. */
  readonly leadsTo: readonly string[];
  /** The word that may start a task. */
  readonly starts: string | undefined;
  /** The word that may start one where the monorepo's packages are. */
  readonly hides: string | undefined;
  readonly bringsPackages: boolean;
  /** A clause: why its effect is unknown. */
  readonly problem: string | undefined;
  /** What it uses of other repositories, except actions that read no file below .github. */
  readonly foreign: 'workflow' | 'action' | undefined;
}

/** Everything that some files lead to. */
export interface Reached {
  /** Each file, job and script with the one that uses it; `undefined` for the first ones. */
  readonly by: ReadonlyMap<string, string | undefined>;
  /** The first file or script that may start a task, with the word. */
  readonly starts: { readonly id: string; readonly word: string } | undefined;
  /** The first one whose effect is unknown. */
  readonly problem: { readonly id: string; readonly why: string } | undefined;
  /** The first one that uses a workflow of another repository. */
  readonly foreignWorkflow: string | undefined;
  /** The first one that uses an action of another repository. */
  readonly foreignAction: string | undefined;
}

/** More files than people write for CI. Beyond this, the search must have followed a wrong file. */
const MOST = 2000;

/** Follows CI files through a tree, and caches what it has read. */
export class Follower {
  private readonly tree: CiTree;
  private readonly kind: TaskKind;
  private readonly facts = new Map<string, Facts>();
  private readonly workflows = new Map<string, Workflow>();
  private readonly runners = new Map<string, ReadonlyMap<string, Reached>>();
  private readonly scriptTexts = new Map<string, string>();
  private readonly paths: ReadonlySet<string>;
  /** The files of each local action; those that actions share are of `ACTIONS`. */
  private readonly actions = new Map<string, string[]>();

  /** `paths`: the CI files of the tree. `kind`: the kind of the task in question. */
  constructor(tree: CiTree, paths: readonly string[], kind: TaskKind) {
    this.tree = tree;
    this.kind = kind;
    this.paths = new Set(paths);
    for (const path of paths) push(this.actions, this.actionOf(path) ?? '', path);
    for (const script of [...tree.scripts.values()].flat()) this.scriptTexts.set(script.id, script.text);
  }

  /** Returns everything that files lead to, including themselves and all jobs. */
  reach(starts: readonly string[]): Asking<Reached> {
    return this.follow(starts, 'all jobs');
  }

  /** Returns everything that files lead to by way of jobs that count. */
  reachCounted(starts: readonly string[]): Asking<Reached> {
    return this.follow(starts, 'counted jobs');
  }

  /** Returns what the jobs that count call, but not what files of workspaces call in turn. */
  reachDirectly(starts: readonly string[]): Asking<Reached> {
    return this.follow(starts, 'not through workspaces');
  }

  /** Returns the jobs of a workflow that can run the task, each with what it leads to; the only one of an unreadable workflow has no name. */
  *jobsWithTask(path: string): Asking<ReadonlyMap<string, Reached>> {
    const known = this.runners.get(path);
    if (known !== undefined) return known;
    yield* this.learn([path]);
    const runners = new Map<string, Reached>();
    const jobs = this.workflows.get(path)?.jobs;
    for (const id of jobs === undefined ? [path] : [...jobs.keys()].map((job) => jobOf(path, job))) {
      const reached = yield* this.reach([id]);
      const { starts, problem, foreignWorkflow } = reached;
      if (starts !== undefined || problem !== undefined || foreignWorkflow !== undefined) runners.set(id.slice(path.length + 1), reached);
    }
    this.runners.set(path, runners);
    return runners;
  }

  /** Returns the events of a workflow; `undefined` if it cannot be read. */
  *eventsOf(path: string): Asking<readonly string[] | undefined> {
    yield* this.learn([path]);
    return this.workflows.get(path)?.events;
  }

  private *follow(starts: readonly string[], way: 'all jobs' | 'counted jobs' | 'not through workspaces'): Asking<Reached> {
    const by = new Map<string, string | undefined>(starts.map((path) => [path, undefined]));
    for (let round = [...starts]; round.length > 0; ) {
      yield* this.learn(round.map(withoutMark));
      const found: string[] = [];
      for (const id of round) {
        if (way === 'not through workspaces' && this.tree.isWorkspaceFile(id)) continue;
        for (const to of way === 'all jobs' ? this.factsOf(id).leadsTo : yield* this.leadsToCounted(id)) {
          if (by.has(to)) continue;
          by.set(to, id);
          found.push(to);
        }
      }
      if (by.size > MOST) return { ...this.summarise(by), problem: { id: starts[0] ?? '', why: 'it refers to too many files' } };
      round = found;
    }
    return this.summarise(by);
  }

  private *leadsToCounted(id: string): Asking<readonly string[]> {
    const plain = withoutMark(id);
    const workflow = this.workflows.get(plain);
    if (workflow === undefined) {
      const files = this.factsOf(plain).leadsTo;
      return id === plain ? files : files.flatMap((file) => (isWorkflow(file) ? [file, needed(file)] : [file]));
    }
    const jobs = id === plain ? yield* this.countedJobs(plain, workflow) : everyJob(workflow);
    return [...jobs].map(([job, isNeeded]) => (isNeeded ? needed(jobOf(plain, job)) : jobOf(plain, job)));
  }

  /** Returns the jobs that can run the task, and those that they need. Where it is not known which one does, all count. */
  private *countedJobs(path: string, workflow: Workflow): Asking<CountedJobs> {
    const runners = yield* this.jobsWithTask(path);
    if (runners.size === 0) return everyJob(workflow);
    const counted = new Map([...runners.keys()].map((job) => [job, false]));
    // A Map also visits what is added meanwhile.
    for (const job of counted.keys()) for (const need of workflow.jobs.get(job)?.needs ?? []) counted.set(need, true);
    return counted;
  }

  private summarise(by: ReadonlyMap<string, string | undefined>): Reached {
    const known = [...by.keys()].flatMap((id) => {
      const facts = this.facts.get(withoutMark(id));
      return facts === undefined ? [] : [{ ...facts, id: fileOf(id) }];
    });
    const start = known.find(({ starts }) => starts !== undefined);
    const hidden = known.some((one) => one.bringsPackages) ? known.find(({ hides }) => hides !== undefined) : undefined;
    const first = start ?? hidden;
    const broken = known.find(({ problem }) => problem !== undefined);
    return {
      by,
      starts: first && { id: first.id, word: first.starts ?? first.hides ?? '' },
      problem: broken && { id: broken.id, why: broken.problem ?? '' },
      foreignWorkflow: known.find(({ foreign }) => foreign === 'workflow')?.id,
      foreignAction: known.find(({ foreign }) => foreign === 'action')?.id,
    };
  }

  private factsOf(id: string): Facts {
    return this.facts.get(id) ?? NOTHING;
  }

  private *learn(ids: readonly string[]): Asking<void> {
    const unknown = ids.filter((id) => !this.facts.has(id) && (this.scriptTexts.has(id) || this.tree.files.has(id)));
    const files = unknown.filter((id) => !this.scriptTexts.has(id));
    const texts = new Map((yield files).map((text, at) => [files[at], text]));
    for (const id of unknown) {
      const script = this.scriptTexts.get(id);
      if (script !== undefined) this.facts.set(id, this.judge(id.slice(0, id.indexOf('#')), commands([script])));
      else this.facts.set(id, this.judgeFile(id, texts.get(id)));
    }
  }

  private judgeFile(path: string, text: string | undefined): Facts {
    const type = typeOf(path);
    // For example pictures and data next to an action.
    if (type === undefined) return this.judge(path, []);
    // What a program made elsewhere in the repository leads to no file of CI.
    if (text === undefined) return this.paths.has(path) ? { ...NOTHING, problem: 'it is too large, or not text' } : NOTHING;
    // The name of a program and its arguments may stand in several lines.
    if (type === 'code') return this.judge(path, [{ text: text.replace(COMMENT_LINE, ''), kind: 'value' }], !STARTS_PROGRAMS.test(text));
    if (type === 'shell') return this.judge(path, isProgram(path, text) ? commands(splitLines(text)) : []);
    if (this.tree.files.get(path) === 'link') return this.judgeUnreadable(path, text, 'it is a symbolic link');
    const read = isWorkflow(path) ? readWorkflow(text) : readAction(text);
    if ('problem' in read) return this.judgeUnreadable(path, text, read.problem);
    return isWorkflow(path) ? this.judgeJobs(path, read.value) : this.judge(path, withoutPassed(linesIn(read.value.shared)));
  }

  private judgeUnreadable(path: string, text: string, problem: string): Facts {
    return { ...this.judge(path, commands(splitLines(text))), problem };
  }

  private judgeJobs(path: string, workflow: Workflow): Facts {
    const shared = linesIn(workflow.shared);
    const isOnlyCalled = workflow.events.every((event) => event === 'workflow_call');
    for (const [id, { withoutUploads }] of workflow.jobs) {
      const lines = [...shared, ...linesIn(withoutUploads)];
      this.facts.set(jobOf(path, id), this.judge(path, isOnlyCalled ? withoutPassed(lines) : lines));
    }
    this.workflows.set(path, workflow);
    return { ...NOTHING, leadsTo: [...workflow.jobs.keys()].map((id) => jobOf(path, id)) };
  }

  private actionOf(path: string): string | undefined {
    return actionFolder(path, (one) => this.tree.files.has(one));
  }

  private judge(path: string, lines: readonly WorkflowLine[], isQuiet = false): Facts {
    const files = namedFiles(this.tree, path, lines);
    const folders = new Set([path, ...files].flatMap((file) => this.actionOf(file) ?? []));
    // What an action needs may lie anywhere beside it.
    const beside = [...folders, ...(folders.size > 0 ? [ACTIONS] : [])].flatMap((folder) => this.actions.get(folder) ?? []);
    const scripts = isQuiet ? [] : namedScripts(this.tree, path, lines).map(({ id }) => id);
    const isRead = (word: string): boolean => /\.(?:ba)?sh$/.test(word) && filesAt(this.tree, path, word).length > 0;
    return {
      leadsTo: [...files, ...beside, ...scripts],
      starts: isQuiet ? undefined : firstOf(lines, (line) => startOfTask(line, this.kind, isRead)),
      hides: isQuiet ? undefined : firstOf(lines, (line) => hiddenStart(line, this.kind)),
      bringsPackages: !isQuiet && lines.some(bringsPackages),
      problem: undefined,
      foreign: foreignIn(lines),
    };
  }
}

/** Whoever calls the file passes these commands, and is judged by them. */
function withoutPassed(lines: readonly WorkflowLine[]): readonly WorkflowLine[] {
  return lines.filter(({ isPassed }) => isPassed !== true);
}

// In front of the name of a job stands `#`, and `!` behind what a job needs, with all its uploads.

function jobOf(path: string, job: string): string {
  return `${path}#${job}`;
}

function needed(id: string): string {
  return `${id}!`;
}

function withoutMark(id: string): string {
  return id.endsWith('!') ? id.slice(0, -1) : id;
}

/** Returns the file of a job; a script of a package.json stays what it is. */
function fileOf(id: string): string {
  return withoutMark(id.replace(/(\.ya?ml)#.*$/s, '$1'));
}

/** Returns all jobs, with their uploads. */
export function everyJob({ jobs }: Workflow): CountedJobs {
  return new Map([...jobs.keys()].map((job) => [job, true]));
}

/** Returns the jobs of a workflow among what was reached. */
export function jobsIn({ by }: Reached, path: string): CountedJobs {
  const jobs = [...by.keys()].filter((id) => id.startsWith(`${path}#`)).map((id) => id.slice(path.length + 1));
  return new Map(jobs.map((job) => [withoutMark(job), jobs.includes(needed(withoutMark(job)))]));
}

/** Returns who uses a file, each used by the next one. */
export function usersOf({ by }: Reached, path: string): readonly string[] {
  const chain: string[] = [];
  for (let at = by.get(path); at !== undefined; at = by.get(at)) if (chain.at(-1) !== fileOf(at)) chain.push(fileOf(at));
  return chain;
}

/** Returns references to other repositories, including those by this repository's own name, which is unknown here. */
function foreignIn(lines: readonly WorkflowLine[]): Facts['foreign'] {
  const foreign = lines.filter(({ kind, text }) => kind === 'uses' && !/^\s*(?:\.\/|docker:)/.test(text)).map(({ text }) => text.trim());
  if (foreign.some((text) => /\.ya?ml(?:@|$)/.test(text))) return 'workflow';
  return foreign.some((text) => !READS_NO_SETTINGS.test(text)) ? 'action' : undefined;
}

const NOTHING: Facts = {
  leadsTo: [],
  starts: undefined,
  hides: undefined,
  bringsPackages: false,
  problem: undefined,
  foreign: undefined,
};

/** GitHub's own actions that nearly every workflow uses. */
const READS_NO_SETTINGS = /^actions\/(?:cache|checkout|download-artifact|github-script|setup-[\w-]+|upload-artifact)(?:\/\w+)?@/;

/** A line of code that is a comment, or a part of one. */
const COMMENT_LINE = /^[ \t]*(?:\/\/|\*[ \t/]|\/\*(?!.*\*\/[ \t]*\S)).*/gm;

/** Words that code needs to start another program, or tests in its own process. */
const STARTS_PROGRAMS =
  /child_process|exec|spawn|shell|fork|\$`|\bzx\b|gulp|Bun\b|Deno\b|node:test|runCLI|(?:from|import|require)\s*\(?\s*['"]@?(?:jest|vitest|mocha|playwright|cypress)/;

/** Tells whether a file without an ending is a program, by its first line or its name. */
function isProgram(path: string, text: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).includes('.') || text.startsWith('#!') || /(?:file|w)$/i.test(path) || !text.includes('\n');
}

function commands(texts: readonly string[]): readonly WorkflowLine[] {
  return texts.map((text) => ({ text, kind: 'command' }));
}

function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
