/**
 * Returns the keys that code reads of a JSON file which it names once: `version` and `engines` for `const pkg = require('./package.json')`
 * with `pkg.version` and `pkg.engines.node`. `undefined`: it may read any. Whatever has the name is a use of it, in comments and texts, too.
 */
export function keysRead(text: string, specifier: string): ReadonlySet<string> | undefined {
  const [before, after, ...more] = text.split(specifier);
  if (before === undefined || after === undefined || more.length > 0 || /\beval\b|\bFunction\s*\(/.test(text)) return undefined;
  const [, direct] = (/\brequire\s*\(\s*['"`]$/.test(before) && /^['"`]\s*\)\s*\??\.\s*([\w$]+)/.exec(after)) || [];
  if (direct !== undefined) return knownKeys([direct]);
  const required = REQUIRED.exec(before);
  const bound = required ?? IMPORTED.exec(before);
  if (bound === null || !(required === null ? /^['"`]\s*(?:[;\n]|with\b|$)/ : /^['"`]\s*\)(?!\s*\??[.[(])/).test(after)) return undefined;
  const start = before.slice(0, bound.index);
  if (/\bexport\s*$/.test(start)) return undefined;
  const [, name = '', list] = bound;
  if (list !== undefined) return knownKeys(list.split(',').filter((part) => part.trim() !== ''));
  const uses = `${start}\n${after}`.split(name).slice(1);
  return knownKeys(uses.map((use) => /^\s*\??\.\s*([\w$]+)/.exec(use)?.[1] ?? ''));
}

/** `const pkg = require('` or `const { version: v } = require('` at the end of a text. */
const REQUIRED = /\b(?:const|let|var)\s+(?:([\w$]+)|\{([^{}]*)\})\s*=\s*require\s*\(\s*['"`]$/;
const IMPORTED = /\bimport\s+(?:([\w$]+)|\{([^{}]*)\})\s*from\s*['"`]$/;

/** Returns the names; `undefined` if one of them is none, or stands for all that there is. */
function knownKeys(parts: readonly string[]): ReadonlySet<string> | undefined {
  const keys = parts.map((part) => /^\s*([\w$]+)\s*(?:(?::|\bas\b)\s*[\w$]+\s*)?$/.exec(part)?.[1] ?? '');
  return keys.some((key) => key === '' || key === 'default') ? undefined : new Set(keys);
}
