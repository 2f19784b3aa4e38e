import { withoutBom } from '@tributary/model/file-text';
import type { RepoFolder } from '@tributary/model/paths';
import type { SettingPath } from '../reference.js';
import { cut, EXPRESSION } from './place.js';

/**
 * Reads what a Dockerfile copies, adds and mounts. Its context is unknown: each path is read from the file's folder if something is there,
 * otherwise from the root. What comes from another stage or image is no file of the project.
 */
export function readDockerfile(text: string, folder: RepoFolder): readonly SettingPath[] {
  const otherwise = folder === '' ? {} : ({ otherwise: '' } as const);
  return instructionsOf(withoutBom(text)).flatMap(({ name, words, line }) =>
    sourcesOf(name, words).map((source) => {
      const path = cut(source.replace(/^\/+/, '') || '.', EXPRESSION);
      return { ...path, line, key: name, base: folder, form: 'path' as const, ...otherwise };
    }),
  );
}

interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
  /** From 1. */
  readonly line: number;
}

/** A backslash at the end of a line, or a backtick after `# escape=`, continues the instruction. Comments may stand between its lines. */
function instructionsOf(text: string): readonly Instruction[] {
  const continued = /^#\s*escape=`/im.test(text.slice(0, 500)) ? '`' : '\\';
  const found: Instruction[] = [];
  let parts: string[] = [];
  let start = 1;
  for (const [at, full] of text.split('\n').entries()) {
    const part = full.trim();
    if (part === '' || part.startsWith('#')) continue;
    if (parts.length === 0) start = at + 1;
    const isContinued = part.endsWith(continued);
    parts.push(isContinued ? part.slice(0, -1) : part);
    if (isContinued) continue;
    found.push(...parseInstruction(parts.join(' '), start));
    parts = [];
  }
  return [...found, ...parseInstruction(parts.join(' '), start)];
}

function parseInstruction(text: string, line: number): readonly Instruction[] {
  const [name = '', ...words] = text
    .replace(/^(\s*ONBUILD\s)+/i, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const known = name.toUpperCase();
  if (known === 'RUN') return [{ name: known, words, line }];
  // `COPY ["a b", "/c"]`
  return known === 'COPY' || known === 'ADD' ? [{ name: known, words: words.flatMap(unlist), line }] : [];
}

function unlist(word: string): readonly string[] {
  return word.split(/[[\]",]+/).filter((part) => part !== '');
}

function sourcesOf(name: string, words: readonly string[]): readonly string[] {
  if (name === 'RUN') return words.filter((word) => word.startsWith('--mount=')).flatMap(mountedBy);
  if (words.some((word) => word.startsWith('--from='))) return [];
  const paths = words.filter((word) => !word.startsWith('--'));
  // `<<EOF` is text in the file itself.
  return paths.slice(0, -1).filter((path) => !/^<<|^[a-z]+:\/\/|^git@/.test(path));
}

/** `--mount=type=bind,source=x,target=/y` */
function mountedBy(word: string): readonly string[] {
  const options = word.slice('--mount='.length).split(',');
  const source = options.find((option) => /^(source|src)=/.test(option))?.replace(/^\w+=/, '');
  const isOwn = options.includes('type=bind') && !options.some((option) => option.startsWith('from='));
  return isOwn && source !== undefined ? [source] : [];
}
