/**
 * The line, from 1, on which a test file first says that only some of its tests run: `it.only`, `describe.concurrent.only`, `fit`, `t.only` of
 * a `const t = test.extend(…)`, or the option `only: true` of a test. `undefined`: nowhere. Comments and strings do not count.
 */
export function lineOfOnly(text: string): number | undefined {
  const own = [...text.matchAll(/\b(?:const|let|var)\s+(\w+)\s*=\s*\w+\s*\.\s*extend\b/g)].map(([, name]) => name);
  const names = ['it', 'test', 'describe', 'suite', 'context', 'specify', ...own].join('|');
  const call = String.raw`(?:${names})(?:\s*\.\s*\w+)*`;
  const marks = [
    String.raw`${call}\s*\.\s*only\b`,
    String.raw`(?:fit|fdescribe)(?:\.\w+)*\s*[(${'`'}]`,
    String.raw`${call}\s*\(\s*(?:(?:${STRING})\s*,\s*)?\{[^{}]*?\bonly\s*:\s*true\b`,
  ];
  const tokens = new RegExp(String.raw`${COMMENT}|${STRING}|(?<![\w$.])(?:${marks.join('|')})`, 'g');
  for (const { 0: found, index } of text.matchAll(tokens)) if (/^\w/.test(found)) return text.slice(0, index).split('\n').length;
  return undefined;
}

const COMMENT = String.raw`\/\*[\s\S]*?\*\/|\/\/[^\n]*`;
const STRING = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|${'`'}(?:\\[\s\S]|[^${'`'}\\])*${'`'}`;
