const BLOCK = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;

/** Code that a parser can read, with its lines at their original positions. */
export interface Script {
  readonly text: string;
  readonly language: 'js' | 'ts' | 'tsx' | 'dts';
  /** Whether it has a template, which uses its imports. */
  readonly hasTemplate: boolean;
}

/** Returns the code of a file. For a `.vue` or `.svelte` file, its script blocks one after the other. */
export function scriptOf(path: string, text: string): Script {
  if (/\.(?:vue|svelte)$/.test(path)) return readBlocks(text);
  if (/\.d\.(?:[\w-]+\.)?[cm]?ts$/.test(path)) return { text, language: 'dts', hasTemplate: false };
  if (path.endsWith('.tsx')) return { text, language: 'tsx', hasTemplate: false };
  return { text, language: /\.[cm]?ts$/.test(path) ? 'ts' : 'js', hasTemplate: false };
}

function readBlocks(text: string): Script {
  let code = '';
  let language: Script['language'] = 'js';
  let end = 0;
  for (const block of text.matchAll(BLOCK)) {
    const [whole, attributes = '', body = ''] = block;
    const start = block.index + whole.indexOf('>', '<script'.length + attributes.length) + 1;
    code += `${blank(text.slice(end, start))};${body}`;
    end = start + body.length;
    if (/\blang\s*=\s*["']?tsx?\b/.test(attributes)) language = 'ts';
  }
  return { text: code, language, hasTemplate: true };
}

function blank(text: string): string {
  return text.replace(/[^\n]+/g, '');
}
