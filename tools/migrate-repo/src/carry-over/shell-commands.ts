/** A command of a script in shell language. */
export interface ShellCommand {
  /** As written, without surrounding white space. */
  readonly text: string;
  /** The offset of the text in the script. */
  readonly start: number;
  /** What joins it to the command before it: `&&`, `;`; empty for the first one. */
  readonly joint: string;
}

/** Quoted texts, escaped signs and redirections contain signs that join commands elsewhere. */
const JOINT = /"(?:[^"\\]|\\.)*"|'[^']*'|\\[\s\S]|>&|&>|(&&|\|\||[;|&\n()])/g;

/** Returns the commands of a script, in order. Commands inside quoted texts are part of the command around them. */
export function shellCommandsIn(script: string): readonly ShellCommand[] {
  const joints = [...script.matchAll(JOINT)].filter(([, joint]) => joint !== undefined);
  const starts = [{ from: 0, joint: '' }, ...joints.map(({ 0: joint, index }) => ({ from: index + joint.length, joint }))];
  return starts.flatMap(({ from, joint }, at): readonly ShellCommand[] => {
    const written = script.slice(from, joints[at]?.index);
    const text = written.trim();
    return text === '' ? [] : [{ text, start: from + written.indexOf(text), joint }];
  });
}
