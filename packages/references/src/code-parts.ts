/** A part of a file that mixes code with other text. */
export interface CodePart {
  readonly kind: 'code' | 'markup';
  readonly text: string;
  /** Its first line, from 1. */
  readonly line: number;
}

const FRONTMATTER = /^\uFEFF?\s*---[^\S\n]*\n/;
/** A value may contain `>`, as in `generic="T extends Record<string, A>"`. */
const SCRIPT = /<script\b(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const SCRIPT_END = /<\/script\b/gi;

/** Splits a Vue, Svelte or Astro file: its scripts and frontmatter are code. */
export function splitComponent(text: string): readonly CodePart[] {
  const parts = new Parts(text);
  const [opening] = FRONTMATTER.exec(text) ?? [];
  if (opening !== undefined) {
    const close = text.indexOf('\n---', opening.length - 1);
    parts.add('code', opening.length, close === -1 ? text.length : close);
  }
  SCRIPT.lastIndex = parts.end;
  while (SCRIPT.test(text)) {
    SCRIPT_END.lastIndex = SCRIPT.lastIndex;
    const end = SCRIPT_END.exec(text)?.index ?? text.length;
    parts.add('code', SCRIPT.lastIndex, end);
    SCRIPT.lastIndex = end;
  }
  return parts.finish();
}

/**
 * Splits an MDX file: code are the paragraphs at the start of a line that begin with `import` or `export`. Fenced examples, which do not
 * run, are in no part.
 */
export function splitMdx(text: string): readonly CodePart[] {
  const parts = new Parts(text);
  let fence = '';
  let paragraph: number | undefined;
  for (let at = 0; at < text.length; ) {
    const next = nextLine(text, at);
    const line = text.slice(at, next);
    if (paragraph !== undefined && line.trim() === '') {
      parts.add('code', paragraph, at);
      paragraph = undefined;
    } else if (paragraph === undefined) {
      const wasFenced = fence !== '';
      fence = fenceAfter(fence, line);
      if (wasFenced || fence !== '') parts.omit(at, next);
      else if (/^\uFEFF?(?:import|export)\b/.test(line)) paragraph = at;
    }
    at = next;
  }
  if (paragraph !== undefined) parts.add('code', paragraph, text.length);
  return parts.finish();
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

/** Returns the marks that opened the fence in which the next line is; empty outside. */
function fenceAfter(fence: string, line: string): string {
  const [, marks = '', others = ''] = /^[\s>]*(`{3,}|~{3,})(.*)/.exec(line) ?? [];
  if (fence === '') return marks.startsWith('`') && others.includes('`') ? '' : marks;
  return marks.startsWith(fence) && others.trim() === '' ? '' : fence;
}

/** Collects parts in order; what is between them is markup. */
class Parts {
  private readonly parts: CodePart[] = [];
  private readonly text: string;
  private line = 1;
  end = 0;

  constructor(text: string) {
    this.text = text;
  }

  add(kind: CodePart['kind'], start: number, end: number): void {
    if (start > this.end) this.push('markup', start);
    this.push(kind, end);
  }

  omit(start: number, end: number): void {
    if (start > this.end) this.push('markup', start);
    this.pass(end);
  }

  finish(): readonly CodePart[] {
    if (this.end < this.text.length) this.push('markup', this.text.length);
    return this.parts;
  }

  private push(kind: CodePart['kind'], end: number): void {
    const text = this.text.slice(this.end, end);
    this.parts.push({ kind, text, line: this.line });
    this.pass(end);
  }

  private pass(end: number): void {
    for (let at = this.text.indexOf('\n', this.end); at !== -1 && at < end; at = this.text.indexOf('\n', at + 1)) this.line++;
    this.end = end;
  }
}
