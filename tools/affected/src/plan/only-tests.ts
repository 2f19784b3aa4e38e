/**
 * The line, from 1, on which a test file first says that only some of its tests run: `it.only`, `describe.concurrent.only`, `fit`, or the option
 * `only: true`. `undefined`: nowhere. Comments and strings do not count.
 */
export function lineOfOnly(text: string): number | undefined {
  for (const { 0: found, index } of text.matchAll(TOKENS)) if (/^[\w{,]/.test(found)) return text.slice(0, index).split('\n').length;
  return undefined;
}

const TOKENS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<![\w$.])(?:(?:it|test|describe|suite|context|specify)(?:\.\w+)*\.only\b|(?:fit|fdescribe)\()|[{,]\s*only\s*:\s*true\b/g;
