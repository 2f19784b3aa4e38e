import { type Subject, sentences, someOf } from './rule.js';

/** What a person must know of the paths in a file of settings; `undefined` if they hold wherever the file lies. */
export function configDecision(subject: Subject, file: string): string | undefined {
  const text = subject.read(file) ?? '';
  const outside = [...new Set([...text.matchAll(LEAVING)].map(([, path = '']) => path))];
  const modules = linesWith(text, MODULES);
  return sentences(
    outside.length === 0 ? undefined : `It extends ${someOf(outside)}, which lies outside of the package: see that it is there.`,
    modules.length === 0
      ? undefined
      : `It has a path into node_modules (${someOf(modules.map((line) => `${file}:${line}`))}): packages lie in the node_modules of the root now.`,
  );
}

const LEAVING = /["']?extends["']?\s*:\s*(?:\[[^\]]*?)?["'](\.\.\/[^"'\n]*)["']/g;

/** `./node_modules/x`, `<rootDir>/node_modules/x`; an expression such as `/node_modules/(?!x)` looks for names and is fine. */
const MODULES = /(?:^|["'`\s=(,:])(?:\.{1,2}\/|<rootDir>\/|\$\{\w+\}\/)*node_modules\/[@.\w-]/;

/** From 1. */
export function linesWith(text: string, pattern: RegExp): readonly number[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}

/** Whether a command or a setting names a path into node_modules. */
export function namesModules(text: string): boolean {
  return MODULES.test(text);
}
