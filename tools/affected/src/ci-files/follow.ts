import type { TaskKind } from '@tributary/workspaces/task-kinds';
import { ACTIONS, actionFolder, typeOf } from './file-types.js';
import { buildMentions, type NamedFile, namedFiles } from './named-files.js';
import { namedScripts } from './named-scripts.js';
import { startOfTask } from './task-words.js';
import type { Asking, CiTree } from './tree.js';
import { readWorkflow, splitLines, type WorkflowLine } from './workflow-text.js';

/** The effect of one file, or of one script of a package.json. */
interface Facts {
  /** The files and scripts that it uses. */
  readonly leadsTo: readonly string[];
  /** The word that may start a task. */
  readonly starts: string | undefined;
  /** A clause: why its effect is unknown. */
  readonly problem: string | undefined;
  /** What it uses of other repositories, except actions that read no file below .github. */
  readonly foreign: 'workflow' | 'action' | undefined;
}

/** Everything that some files lead to. */
export interface Reached {
  /** Each file and script with the one that uses it; `undefined` for the first ones. */
  readonly by: ReadonlyMap<string, string | undefined>;
  /** The first one that may start a task, with the word. */
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
  private readonly mentions: readonly NamedFile[];
  private readonly facts = new Map<string, Facts>();
  private readonly scriptTexts = new Map<string, string>();
  private readonly paths: ReadonlySet<string>;
  private readonly shared: readonly string[];

  /** `paths`: the CI files of the tree. `kind`: the kind of the task in question. */
  constructor(tree: CiTree, paths: readonly string[], kind: TaskKind) {
    this.tree = tree;
    this.kind = kind;
    this.mentions = buildMentions(tree, paths);
    this.paths = new Set(paths);
    this.shared = paths.filter((path) => actionFolder(path, (one) => tree.files.has(one)) === ACTIONS);
    for (const script of [...tree.scripts.values()].flat()) this.scriptTexts.set(script.id, script.text);
  }

  /** Returns everything that files lead to, including themselves. */
  *reach(starts: readonly string[]): Asking<Reached> {
    const by = new Map<string, string | undefined>(starts.map((path) => [path, undefined]));
    for (let round = [...starts]; round.length > 0; ) {
      yield* this.learn(round);
      const next: string[] = [];
      for (const id of round) {
        for (const to of this.factsOf(id).leadsTo) {
          if (by.has(to)) continue;
          by.set(to, id);
          next.push(to);
        }
      }
      if (by.size > MOST) return { ...this.summarise(by), problem: { id: starts[0] ?? '', why: 'it refers to too many files' } };
      round = next;
    }
    return this.summarise(by);
  }

  private summarise(by: ReadonlyMap<string, string | undefined>): Reached {
    const known = [...by.keys()].flatMap((id) => {
      const facts = this.facts.get(id);
      return facts === undefined ? [] : [{ id, ...facts }];
    });
    const start = known.find(({ starts }) => starts !== undefined);
    const broken = known.find(({ problem }) => problem !== undefined);
    return {
      by,
      starts: start && { id: start.id, word: start.starts ?? '' },
      problem: broken && { id: broken.id, why: broken.problem ?? '' },
      foreignWorkflow: known.find(({ foreign }) => foreign === 'workflow')?.id,
      foreignAction: known.find(({ foreign }) => foreign === 'action')?.id,
    };
  }

  private factsOf(id: string): Facts {
    return this.facts.get(id) ?? NOTHING;
  }

  private *learn(ids: readonly string[]): Asking<void> {
    const unknown = ids.filter((id) => !this.facts.has(id));
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
    if (type === 'code') return this.judge(path, [{ text, kind: 'value' }], !STARTS_PROGRAMS.test(text));
    if (type === 'shell') return this.judge(path, isProgram(path, text) ? commands(splitLines(text)) : []);
    const read = this.tree.files.get(path) === 'link' ? { problem: 'it is a symbolic link' } : readWorkflow(text);
    return 'problem' in read ? { ...this.judge(path, commands(splitLines(text))), problem: read.problem } : this.judge(path, read.lines);
  }

  private judge(path: string, lines: readonly WorkflowLine[], isQuiet = false): Facts {
    const files = namedFiles(this.tree, this.mentions, path, lines);
    const scripts = isQuiet ? [] : namedScripts(this.tree, path, lines).map(({ id }) => id);
    const usesShared = path.startsWith(`${ACTIONS}/`) || [...files].some((one) => one.startsWith(`${ACTIONS}/`));
    return {
      leadsTo: [...files, ...(usesShared ? this.shared : []), ...scripts],
      starts: isQuiet ? undefined : firstOf(lines, (line) => startOfTask(line, this.kind)),
      problem: undefined,
      foreign: foreignIn(lines),
    };
  }
}

/** Returns references to other repositories, including those by this repository's own name, which is unknown here. */
function foreignIn(lines: readonly WorkflowLine[]): Facts['foreign'] {
  const foreign = lines.filter(({ kind, text }) => kind === 'uses' && !/^\s*(?:\.\/|docker:)/.test(text)).map(({ text }) => text.trim());
  if (foreign.some((text) => /\.ya?ml(?:@|$)/.test(text))) return 'workflow';
  return foreign.some((text) => !READS_NO_SETTINGS.test(text)) ? 'action' : undefined;
}

const NOTHING: Facts = { leadsTo: [], starts: undefined, problem: undefined, foreign: undefined };

/** GitHub's own actions that nearly every workflow uses. */
const READS_NO_SETTINGS = /^actions\/(?:cache|checkout|download-artifact|github-script|setup-[\w-]+|upload-artifact)(?:\/\w+)?@/;

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
