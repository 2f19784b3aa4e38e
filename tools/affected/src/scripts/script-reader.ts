import { type CalledScript, calledScripts } from '@tributary/references/script-commands';
import type { TaskOwner } from '../plan/has-task.js';
import type { ReportingRunner } from '../plan/runner-call.js';
import { inOneLine } from '../plan/shape.js';
import { type Shell, type Step, stepsOf } from './exit-codes.js';
import { ignoresFailures, isHarmless, leavesOutTests, startedRunner } from './programs.js';
import type { ScriptFlaw } from './script-flaw.js';
import { parseScript } from './shell-text.js';

/** What a script does, with all that it calls. */
export interface ScriptFacts {
  readonly flaws: readonly Omit<ScriptFlaw, 'workspace'>[];
  /** Of the watched ones, those that run tests. */
  readonly runners: readonly ReportingRunner[];
}

interface Text {
  readonly owner: TaskOwner;
  /** The name of the script. */
  readonly script: string;
  readonly text: string;
  readonly shell: Shell;
  /** The options that its caller passes to its last command. */
  readonly passed?: readonly string[];
}

/** Reads scripts, and follows them to those that they call. */
export class ScriptReader {
  private readonly owners: readonly TaskOwner[];
  private readonly byName: ReadonlyMap<string, TaskOwner>;
  private readonly root: TaskOwner | undefined;
  /** By shell and text: many workspaces have the same scripts. */
  private readonly parsed = new Map<string, readonly Step[] | undefined>();

  constructor(owners: readonly TaskOwner[]) {
    this.owners = owners;
    this.byName = new Map(owners.map((owner) => [owner.name, owner]));
    this.root = owners.find(({ path }) => path === '');
  }

  /** Returns what the script of a task does. A script that is missing does nothing. */
  read(name: string, task: string): ScriptFacts {
    const owner = this.byName.get(name);
    const flaws = new Map<string, Omit<ScriptFlaw, 'workspace'>>();
    const runners = new Set<ReportingRunner>();
    const seen = new Set<string>();
    const queue = owner === undefined ? [] : this.textOf(owner, task, 'yarn');
    // The loop also visits what it adds.
    for (const one of queue) {
      const key = [one.owner.name, one.script, one.text, ...(one.passed ?? [])].join('\n');
      if (seen.has(key)) continue;
      if (seen.size > MOST) {
        flaws.set('unread', { kind: 'unread', what: `more than ${MOST} scripts` });
        break;
      }
      seen.add(key);
      const isOther = one.owner !== owner || one.script !== task;
      const place = isOther ? ` in the script "${one.script}"${one.owner === owner ? '' : ` of ${one.owner.name}`}` : '';
      const add = (kind: ScriptFlaw['kind'], what: string): void => {
        const text = inOneLine(`${what}${place}`);
        flaws.set(`${kind} ${text}`, { kind, what: text });
      };
      const steps = this.stepsIn(one);
      if (steps === undefined) add('unread', shortened(one.text));
      for (const step of steps ?? []) {
        const why = flawOf(step);
        if (why !== undefined) add('discards', why);
        const option = leavesOutTests(step.words);
        if (option !== undefined) add('some', `${shortened(step.words.join(' '))} (${option})`);
        if (hasCode(step.words)) add('unread', shortened(step.words.join(' ')));
        const started = startedRunner(step.words);
        if (started !== undefined && started.name !== 'other' && !started.isIdle) runners.add(started.name);
        for (const called of this.calledBy(step, one)) queue.push(called);
      }
    }
    return { flaws: [...flaws.values()], runners: [...runners] };
  }

  private stepsIn({ text, shell, passed = [] }: Text): readonly Step[] | undefined {
    const key = `${shell} ${text}`;
    if (!this.parsed.has(key)) {
      const line = parseScript(text);
      this.parsed.set(key, line && stepsOf(line, shell));
    }
    const steps = this.parsed.get(key);
    const last = steps?.at(-1);
    return steps === undefined || last === undefined ? steps : [...steps.slice(0, -1), { ...last, words: [...last.words, ...passed] }];
  }

  private textOf(owner: TaskOwner, script: string, shell: Shell): Text[] {
    const text = owner.scripts.get(script) ?? '';
    if (text.trim() === 'wireit') return [{ owner, script, text: owner.wireit?.get(script) ?? '', shell: 'sh' }];
    return text.trim() === '' ? [] : [{ owner, script, text, shell }];
  }

  /** Returns the scripts that a command calls, and those in its arguments. */
  private calledBy({ words }: Step, { owner, script }: Text): readonly Text[] {
    const inside = innerTexts(words).map((one): Text => ({ owner, script, shell: 'sh', ...one }));
    const at = words.indexOf('workspace');
    const other = at < 0 ? undefined : this.byName.get(words[at + 1] ?? '');
    // npm starts scripts through the shell of the system, with those before and after them.
    const isOfNpm = words.some((word) => /^(?:npm|pnpm|npm:.*)$/.test(word));
    const shell: Shell = isOfNpm ? 'sh' : 'yarn';
    const called =
      other === undefined
        ? callsIn(words).flatMap(({ name, of }) => this.found(of === 'root' ? this.root : owner, name))
        : words.slice(at + 2).map((name) => [other, name] as const);
    const passed = optionsBehind(isOfNpm ? '--' : called[0]?.[1], words);
    const texts = called.flatMap(([holder, name]) => [
      ...this.textOf(holder, name, shell).map((one) => ({ ...one, passed })),
      ...(isOfNpm ? [`pre${name}`, `post${name}`].flatMap((one) => this.textOf(holder, one, shell)) : []),
    ]);
    return [...inside, ...texts];
  }

  /** Returns the scripts of a name: of a workspace itself or, with a colon, of the only one that has it. `*` matches anything. */
  private found(owner: TaskOwner | undefined, name: string): readonly (readonly [TaskOwner, string])[] {
    if (owner === undefined) return [];
    if (owner.scripts.has(name)) return [[owner, name]];
    if (name.includes('*')) {
      return [...owner.scripts.keys()].filter((script) => isMatch(name.split(/\*+/), script)).map((script) => [owner, script]);
    }
    const holders = name.includes(':') ? this.owners.filter(({ scripts }) => scripts.has(name)) : [];
    return holders.length === 1 ? holders.map((holder) => [holder, name]) : [];
  }
}

/** Tells whether a text has the parts of a pattern between its stars. A search for each part is linear; an expression is not. */
function isMatch(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** The most scripts that one is followed to. */
const MOST = 100;
const LONGEST = 120;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Returns the command whose exit code is discarded, with what discards it. */
function flawOf({ words, discards, isInside }: Step): string | undefined {
  const ignoring = ignoresFailures(words);
  const by = ignoring ?? discards;
  if (by === undefined || (ignoring === undefined && isHarmless(words))) return undefined;
  // Most words that a command makes are paths and numbers.
  if (isInside === true && startedRunner(words) === undefined) return undefined;
  return `${shortened(words.join(' '))} (${by})`;
}

/** Tells whether a command hands code to Node that loads other code, such as `child_process`. */
function hasCode(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^(?:-[a-z]*[ep]|--eval|--print)$/.test(word));
  return /(?:^|\/)node(?:\.exe)?$/.test(words[0] ?? '') && at > 0 && /\b(?:require|import)\b/.test(words[at + 1] ?? '');
}

/** Returns the scripts that a command gets as arguments, for a shell. */
function innerTexts(words: readonly string[]): readonly Pick<Text, 'text'>[] {
  const [first = ''] = words;
  if (first === 'eval') return [{ text: words.slice(1).join(' ') }];
  const at = words.findIndex((word) => /^(?:.*\/)?(?:sh|bash|dash|zsh|ksh|ash)$/.test(word));
  const command = at < 0 ? -1 : words.findIndex((word, index) => index > at && /^-[a-z]*c[a-z]*$/.test(word));
  const options = words.slice(at + 1, command + 1).join(' ');
  // They mean the same as options of `set`: `bash -eo pipefail -c`.
  if (command > 0) return [{ text: `${options === '-c' ? '' : `set ${options}; `}${words[command + 1] ?? ''}` }];
  if (words.includes('cross-env-shell')) return [{ text: words.slice(words.indexOf('cross-env-shell') + 1).join(' ') }];
  return words.some((word) => /^conc(?:urrently)?$/.test(word)) ? words.filter((word) => /\s/.test(word)).map((text) => ({ text })) : [];
}

/** Returns the options that a command passes to a script that it calls: those behind its name or, with npm, behind `--`. */
function optionsBehind(word: string | undefined, words: readonly string[]): readonly string[] {
  const rest = words.slice(words.indexOf(word ?? '') + 1);
  return rest[0]?.startsWith('-') === true && words.some((one) => /^(?:yarn|npm)$/.test(one)) ? rest : [];
}

/** Returns the scripts that a command calls by name. */
function callsIn(words: readonly string[]): readonly CalledScript[] {
  const at = words.findIndex((word) => /^(?:start-server-and-test|server-test|start-test|--run)$/.test(word));
  if (at >= 0 && (words[at] !== '--run' || words[0] === 'node')) return words.slice(at + 1).map((name) => ({ name, of: 'own' }));
  // `vitest run unit`: a pattern of files.
  const isRunner = startedRunner(words) !== undefined && !words.some((word) => /^(?:yarn|npm|pnpm)$/.test(word));
  return isRunner ? [] : calledScripts(words);
}
