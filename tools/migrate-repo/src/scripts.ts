/** A command of a script in shell language. */
export interface ShellCommand {
  /** As written, without surrounding white space. */
  readonly text: string;
  /** The offset of the text in the script. */
  readonly start: number;
  /** What joins it to the command before it: `&&`, `;`; empty for the first one. */
  readonly joint: string;
}

/** Quoted texts, comments, escaped signs and redirections contain signs that join commands elsewhere. */
const JOINT = /(?<![^\s;&|()])#[^\n]*|"(?:[^"\\]|\\.)*"|'[^']*'|\\[\s\S]|>&|&>|(&&|\|\||[;|&\n()])/g;

/** Returns the commands of a script, in order, without lines that are comments. Commands inside quoted texts are part of the command around them. */
export function shellCommandsIn(script: string): readonly ShellCommand[] {
  const joints = [...script.matchAll(JOINT)].filter(([, joint]) => joint !== undefined);
  const starts = [{ from: 0, joint: '' }, ...joints.map(({ 0: joint, index }) => ({ from: index + joint.length, joint }))];
  return starts.flatMap(({ from, joint }, at): readonly ShellCommand[] => {
    const written = script.slice(from, joints[at]?.index);
    const text = written.trim();
    return text === '' || text.startsWith('#') ? [] : [{ text, start: from + written.indexOf(text), joint }];
  });
}

/** Returns what a script does one after the other: commands joined by `||` or `|` are one step. */
function stepsIn(script: string): readonly ShellCommand[] {
  const steps: ShellCommand[] = [];
  for (const command of shellCommandsIn(script)) {
    const before = /^\|\|?$/.test(command.joint) ? steps.pop() : undefined;
    const { start, joint } = before ?? command;
    steps.push({ text: script.slice(start, command.start + command.text.length), start, joint });
  }
  return steps;
}

/**
 * Returns a script without some of its steps; empty if it has no others. Where steps do more than follow each other, as
 * in a subshell, it is unchanged.
 */
export function withoutSteps(script: string, isGone: (step: string) => boolean): string {
  const steps = stepsIn(script);
  const kept = steps.filter(({ text }) => !isGone(text));
  if (kept.length === steps.length || steps.some(({ joint }) => !/^(?:&&|;|)$/.test(joint))) return script;
  return kept.map(({ text, joint }, at) => (at === 0 ? text : `${joint === ';' ? '; ' : ' && '}${text}`)).join('');
}

/** What runs other commands inside of one, or writes a file. */
export const HIDES_MORE = /`|\$\(|<\(|>(?!&\d|\s*\/dev\/null)/;

/** Whether a script runs no program: its commands only print, or end it. */
export function runsNothing(script: string): boolean {
  return shellCommandsIn(script).every(({ text }) => /^(?:echo|printf|true|false|:|exit)(?:\s|$)/.test(text) && !HIDES_MORE.test(text));
}

/** Words of a shell that the shell of Yarn does not have. Source: its parser and builtins, @yarnpkg/shell 4.1 */
const NOT_IN_YARN =
  /^(?:[.!]|\[\[|if|for|while|until|case|function|set|export|source|eval|exec|trap|read|command|type|wait|umask|ulimit|alias|local|shift|pushd|shopt)(?:\s|$)/;

/** Signs and variables of a shell that the shell of Yarn does not have. It sets only some of the variables of npm. */
const SIGNS_NOT_IN_YARN =
  /`|\$\?|\$\{\w+[%#/]|\$\{?npm_(?!(?:package_(?:name|version|json)|lifecycle_event|execpath|node_execpath|config_user_agent)\b)\w+(?!\w|:?-)/;

/** Whether a script uses something of a shell that the shell of Yarn understands differently, or not at all. */
export function isOfAnotherShell(script: string): boolean {
  const outside = script.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|\\./gs, (text) => (text.startsWith('"') ? text.replace(/\\./gs, '') : ''));
  return SIGNS_NOT_IN_YARN.test(outside) || shellCommandsIn(script).some(({ text }) => NOT_IN_YARN.test(text));
}
