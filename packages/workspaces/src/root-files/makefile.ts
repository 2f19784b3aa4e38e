/** A parsed plain Makefile. */
export interface Makefile {
  /** By name: everything that defines the variable, with the surrounding conditions. */
  readonly variables: ReadonlyMap<string, string>;
  readonly rules: ReadonlyMap<string, MakeRule>;
  /** Special targets such as `.PHONY`. */
  readonly specials: ReadonlyMap<string, string>;
  /** The target of `make` without arguments; several if conditions decide. */
  readonly firsts: readonly string[];
}

/** The combined rules of one target. */
interface MakeRule {
  readonly prerequisites: string;
  readonly recipe: string;
}

/** The targets that a text passes to make. */
export interface MakeCalls {
  readonly targets: readonly string[];
  /** It calls `make` without a target. */
  readonly first: boolean;
  /** It computes the name of a target. */
  readonly any: boolean;
}

/** The differences between two Makefiles. */
export interface MakefileDiff {
  readonly variables: readonly string[];
  readonly targets: readonly string[];
}

/**
 * Parses a Makefile. `undefined` for one with constructs that have effects elsewhere: `include`, `define`, `eval`, exported variables,
 * computed names, variables of a target. Never throws.
 */
export function parseMakefile(text: string): Makefile | undefined {
  if (UNREADABLE.test(text)) return undefined;
  const variables = new Map<string, string>();
  const rules = new Map<string, MakeRule>();
  const specials = new Map<string, string>();
  const late = new Map<string, string>();
  const conditions: string[] = [];
  let targets: readonly string[] = [];
  const firsts: string[] = [];
  let isFirstKnown = false;
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const context = conditions.join(' ');
    if (line.startsWith('\t') && targets.length > 0) {
      for (const target of targets) extendRule(rules, target, { prerequisites: '', recipe: `${context}${line}\n` });
      continue;
    }
    const bare = line.replace(/(^|[^\\])#.*$/, '$1').trim();
    if (bare === '') continue;
    if (isCondition(bare)) {
      followCondition(conditions, bare);
      continue;
    }
    const [, name, value] = /^(?:override\s+)?([\w.-]+)\s*((?:::?:?|[?+!])?=.*)$/.exec(bare) ?? [];
    if (name !== undefined && value !== undefined) {
      targets = [];
      extend(variables, name, `${context} ${value}\n`);
      // A variable that is not expanded at once stops make if it refers to itself.
      if (!/^::?:?=/.test(value)) extend(late, name, value);
      continue;
    }
    const rule = readRule(bare);
    if (rule === undefined || line.startsWith('\t')) return undefined;
    targets = rule.targets;
    const goal = targets.find((target) => !/^\.|%/.test(target));
    if (goal !== undefined && !isFirstKnown) {
      firsts.push(goal);
      isFirstKnown = conditions.length === 0;
    }
    for (const target of targets) {
      if (/^\.[A-Z]/.test(target)) extend(specials, target, ` ${rule.prerequisites} ${rule.recipe}`);
      else extendRule(rules, target, { prerequisites: `${context} ${rule.prerequisites}\n`, recipe: rule.recipe });
    }
  }
  const namesItself = [...late].some(([name, value]) => wordsIn(expand(value, late)).includes(name));
  return namesItself ? undefined : { variables, rules, specials, firsts };
}

const UNREADABLE =
  /^[ ]*(?:-?include|sinclude|define|undefine|export|unexport|private|vpath|load|VPATH|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS)\b|\$[({]\s*(?:eval|guile|file)\b|\$[({][\w.-]*\$|^\.(?:RECIPEPREFIX|DEFAULT_GOAL|DEFAULT|SECONDEXPANSION|EXPORT_ALL_VARIABLES)\b|\.VARIABLES/m;

function isCondition(line: string): boolean {
  return /^(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b/.test(line);
}

function followCondition(conditions: string[], line: string): void {
  if (line.startsWith('endif')) conditions.pop();
  else if (line.startsWith('else')) conditions.push(`${conditions.pop() ?? ''} ${line}`);
  else conditions.push(line);
}

/** Parses a rule; `undefined` for a static pattern, a variable of a target, a computed name, and lines that are not rules. */
function readRule(
  line: string,
): { readonly targets: readonly string[]; readonly prerequisites: string; readonly recipe: string } | undefined {
  const [, names = '', rest] = /^([^:=$]+?)\s*::?(?!=)\s*(.*)$/.exec(line) ?? [];
  if (rest === undefined) return undefined;
  const end = rest.indexOf(';');
  const [prerequisites, recipe] = end === -1 ? [rest, ''] : [rest.slice(0, end), rest.slice(end + 1)];
  return /[:=]/.test(prerequisites) ? undefined : { targets: names.split(/\s+/), prerequisites, recipe };
}

function extend(map: Map<string, string>, name: string, text: string): void {
  map.set(name, `${map.get(name) ?? ''}${text}`);
}

function extendRule(rules: Map<string, MakeRule>, target: string, more: MakeRule): void {
  const known = rules.get(target);
  rules.set(target, {
    prerequisites: `${known?.prerequisites ?? ''}${more.prerequisites}`,
    recipe: `${known?.recipe ?? ''}${more.recipe}`,
  });
}

/** Compares two Makefiles; `undefined` if a change can concern every target. */
export function diffMakefiles(base: Makefile, head: Makefile): MakefileDiff | undefined {
  const variables = changedNames(base.variables, head.variables, (one) => one);
  const targets = changedNames(base.rules, head.rules, ({ prerequisites, recipe }) => `${prerequisites}\n${recipe}`);
  const specials = changedNames(base.specials, head.specials, (one) => one);
  const phony = [base, head].map((side) => wordsIn(side.specials.get('.PHONY') ?? ''));
  const concernsAll =
    specials.some((name) => name !== '.PHONY') ||
    targets.some((target) => target.includes('%')) ||
    variables.some((name) => ALWAYS_READ.test(name) || [base, head].some((side) => isFeltByAll(side, name))) ||
    !isSameOrder(base.variables, head.variables);
  if (concernsAll) return undefined;
  const renamed = base.firsts.join(' ') === head.firsts.join(' ') ? [] : [...base.firsts, ...head.firsts];
  const marked = phony.flatMap((names, at) => names.filter((name) => phony[1 - at]?.includes(name) !== true));
  return { variables, targets: [...new Set([...targets, ...marked, ...renamed])] };
}

/** Variables that make or the shell reads, or passes to every program. */
const ALWAYS_READ =
  /^(?:SHELL|PATH|HOME|TMPDIR|CI|LANG|TZ|LC_.*|(?:\.|MAKE|NODE|NPM|npm_|YARN|COREPACK|TURBO|NX_|TS_|JEST|BABEL|GIT|CC$|CXX$|CFLAGS|LDFLAGS).*)$/;
const RUNS_WHEN_READ = /\$[({]\s*(?:shell|error|warning|info|wildcard)\b|^\s*!=/m;

/** Returns whether make runs something for the variable when it reads the file. */
function isFeltByAll({ variables }: Makefile, name: string): boolean {
  return RUNS_WHEN_READ.test(expand(variables.get(name) ?? '', variables));
}

function changedNames<T>(base: ReadonlyMap<string, T>, head: ReadonlyMap<string, T>, textOf: (value: T) => string): readonly string[] {
  const text = (side: ReadonlyMap<string, T>, name: string): string | undefined => {
    const value = side.get(name);
    return value === undefined ? undefined : textOf(value);
  };
  return [...new Set([...base.keys(), ...head.keys()])].filter((name) => text(base, name) !== text(head, name));
}

function isSameOrder(base: ReadonlyMap<string, unknown>, head: ReadonlyMap<string, unknown>): boolean {
  const [before, after] = [[...base.keys()].filter((name) => head.has(name)), [...head.keys()].filter((name) => base.has(name))];
  return before.every((name, at) => name === after[at]);
}

/**
 * Returns whether a difference concerns the called targets. A changed target does if it is called or reached by prerequisites or recipes; a
 * changed variable, if one of these names it. Pattern rules always count, as does any word that is the name of a target.
 */
export function isReached({ variables, targets }: MakefileDiff, sides: readonly Makefile[], calls: readonly MakeCalls[]): boolean {
  const names = targetNames(sides);
  const firsts = sides.flatMap((side) => side.firsts);
  const asked = calls.flatMap((call) => (call.any ? [...names] : [...call.targets, ...(call.first ? firsts : [])]));
  const reached = new Set([...asked, ...[...names].filter((name) => name.includes('%'))]);
  const words = new Set<string>();
  for (const target of reached) {
    for (const side of sides) {
      const rule = side.rules.get(target);
      if (rule === undefined) continue;
      const text = expand(`${rule.prerequisites}\n${rule.recipe}`, side.variables);
      // A computed prerequisite may be any target.
      const further = /\$/.test(rule.prerequisites) ? [...names] : [...wordsIn(rule.prerequisites), ...calledIn(text, names, firsts)];
      for (const name of further) reached.add(name);
      for (const word of wordsIn(text)) words.add(word);
    }
  }
  return targets.some((target) => reached.has(target)) || variables.some((name) => words.has(name));
}

/** Returns the names of all targets, including those that only `.PHONY` names. */
export function targetNames(sides: readonly Makefile[]): ReadonlySet<string> {
  return new Set(sides.flatMap(({ rules, specials }) => [...rules.keys(), ...[...specials.values()].flatMap(wordsIn)]));
}

function calledIn(text: string, names: ReadonlySet<string>, firsts: readonly string[]): readonly string[] {
  if (!/(?<![\w.-])(?:make|MAKE)(?![\w.-])/.test(text)) return [];
  const lines = text.split('\n').filter((line) => /make/i.test(line));
  if (lines.some((line) => /make\b\)?\}?[^;&|]*\s[^\s=;&|]*\$/i.test(line))) return [...names];
  return [...firsts, ...wordsIn(text).filter((word) => names.has(word))];
}

/** Returns the text, followed by the variables that it names and those that they name. */
function expand(text: string, variables: Makefile['variables']): string {
  const known = new Set<string>();
  let whole = text;
  for (let next = [text]; next.length > 0; ) {
    const found = next.flatMap(wordsIn).filter((word) => variables.has(word) && !known.has(word));
    for (const name of found) known.add(name);
    next = [...new Set(found)].map((name) => variables.get(name) ?? '');
    whole += next.join('\n');
  }
  return whole;
}

function wordsIn(text: string): readonly string[] {
  const words = text.match(/[\w./@%+-]+/g) ?? [];
  // `$V` needs no parentheses, and ./build is build.
  return [...words.map((word) => word.replace(/^(?:\.\/)+/, '')), ...(text.match(/(?<=\$)\w/g) ?? [])];
}

/** The kind of file: in a list of commands every `make` is a call, in code only one at the start of a string. */
export type CallStyle = 'commands' | 'code';

/** Finds the make targets that a text calls. Prose may look like a call: one target too many is better than one too few. */
export function findMakeCalls(text: string, names: ReadonlySet<string>, style: CallStyle): MakeCalls {
  const calls = { targets: [] as string[], first: false, any: false };
  for (const { index, 0: call } of text.matchAll(/(?<![\w.-])(?:[gn]?make|\$[{(]?MAKE[)}]?)(?![\w-]|\.\w)/g)) {
    const rest = /^(?:\\\r?\n|[^\n])*/.exec(text.slice(index + call.length, index + call.length + 500))?.[0] ?? '';
    const isQuoted = /['"`]$/.test(text.slice(0, index));
    calls.targets.push(...wordsIn(rest).filter((word) => names.has(word)));
    // `echo docs | xargs make`; a YAML command that continues below.
    if (/xargs[^\n]*$/.test(text.slice(Math.max(0, index - 200), index))) calls.any = true;
    if (style === 'commands' && /^[ \t]*\n[ \t]+[\w$]/.test(text.slice(index + call.length))) calls.any = true;
    const isCall = style === 'commands' || isQuoted;
    // The arguments are elsewhere: `spawn('make', targets)`.
    if (isQuoted && /^['"`]/.test(rest)) calls.any = true;
    if (!isCall) continue;
    const command = rest.split(style === 'commands' ? /[;&|\n]/ : /[;&|"'`\n)]/)[0] ?? '';
    if (/[$*{<%]/.test(command)) calls.any = true;
    const words = command.split(/[\s"'`)]+/);
    if (words.every((word) => /^(?:-.*|.*=.*|\d*)$/.test(word))) calls.first = true;
  }
  return calls;
}
