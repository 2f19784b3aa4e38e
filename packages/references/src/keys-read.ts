/**
 * Returns the keys that code reads of a JSON file which it names once: `version` and `engines` for `const pkg = require('./package.json')`
 * with `pkg.version` and `pkg.engines.node`. `undefined`: it may read any. Whatever has the name is a use of it, in comments and texts, too.
 */
export function keysRead(text: string, specifier: string): ReadonlySet<string> | undefined {
  const [before, after, ...more] = text.split(specifier);
  if (before === undefined || after === undefined || more.length > 0 || /\beval\b|\bFunction\s*\(/.test(text)) return undefined;
  if (namesOf(specifier, text) !== 1) return undefined;
  const [, direct] = (/\brequire\s*\(\s*['"`]$/.test(before) && /^['"`]\s*\)\s*\??\.\s*([\w$]+)/.exec(after)) || [];
  if (direct !== undefined) return knownKeys([direct]);
  const required = REQUIRED.exec(before);
  const bound = required ?? IMPORTED.exec(before);
  if (bound === null || !(required === null ? IMPORT_END : REQUIRE_END).test(after)) return undefined;
  const start = before.slice(0, bound.index);
  if (/\bexport\s*$/.test(start)) return undefined;
  const [, name = '', list] = bound;
  if (list !== undefined) return knownKeys(list.split(',').filter((part) => part.trim() !== ''));
  const uses = `${start}\n${after}`.split(name).slice(1);
  return knownKeys(uses.map((use) => /^\s*\??\.\s*([\w$]+)/.exec(use)?.[1] ?? ''));
}

/** Counts the texts that end like the file: `./package.json`, `package.json` and `package`. */
function namesOf(specifier: string, text: string): number {
  const [, stem = '', extension = ''] = /([^/]*?)(\.json)?$/.exec(specifier) ?? [];
  return [`${stem}${extension}`, stem].flatMap((name) =>
    text
      .split(name)
      .slice(1)
      .filter((rest) => /^['"`]/.test(rest)),
  ).length;
}

/** `const pkg = require('` or `const { version: v } = require('` at the end of a text. */
const REQUIRED = /\b(?:const|let|var)\s+(?:([\w$]+)|\{([^{}]*)\})\s*=\s*require\s*\(\s*['"`]$/;
const REQUIRE_END = /^['"`]\s*\)[ \t]*(?:[;,]|$|\n(?!\s*[^\w\s$}'"]))/;
const IMPORTED = /\bimport\s+(?:([\w$]+)|\{([^{}]*)\})\s*from\s*['"`]$/;
const IMPORT_END = /^['"`]\s*(?:[;\n]|with\b|$)/;

/** Returns the names as keys; `undefined` if a part is no name, or is `default` or a name that every object has. */
function knownKeys(parts: readonly string[]): ReadonlySet<string> | undefined {
  const keys = parts.map((part) => /^\s*([\w$]+)\s*(?:(?::|\bas\b)\s*[\w$]+\s*)?$/.exec(part)?.[1] ?? '');
  return keys.some((key) => key === '' || key === 'default' || key in Object.prototype) ? undefined : new Set(keys);
}
