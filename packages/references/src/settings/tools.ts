import { readBabel } from './babel.js';
import { readPostcss, readPostcssMembers, readRelease, readTypedoc } from './builders.js';
import { readEslint, readEslintMembers } from './eslint.js';
import { readJest } from './jest.js';
import { readCommitlint, readPrettier, readRemark, readStylelint } from './linters.js';
import { readMocha } from './mocha.js';
import { readNxProject } from './nx.js';
import type { SettingsReader } from './rules.js';
import { readSwc } from './swc.js';
import { readAva, readCoverage, readTap } from './test-tools.js';

/** Settings whose values are read by their keys. */
export interface KeyedKind {
  readonly read: SettingsReader;
  /** Reads the names of members of objects. */
  readonly readMembers?: SettingsReader;
  /** Whether they may be JSON5. */
  readonly isJson5?: true;
}

/** The tools with settings in a block of a package.json, in a file such as `.mocharc.yml`, or in code such as `jest.config.js`. */
const TOOLS: ReadonlyMap<string, KeyedKind> = new Map<string, KeyedKind>([
  ['ava', { read: readAva }],
  ['babel', { read: readBabel, isJson5: true }],
  ['c8', { read: readCoverage }],
  ['commitlint', { read: readCommitlint }],
  ['eslint', { read: readEslint, readMembers: readEslintMembers }],
  ['jest', { read: readJest }],
  ['mocha', { read: readMocha }],
  ['nx', { read: readNxProject }],
  ['nyc', { read: readCoverage }],
  ['postcss', { read: readPostcss, readMembers: readPostcssMembers }],
  ['prettier', { read: readPrettier, isJson5: true }],
  ['release', { read: readRelease }],
  ['remark', { read: readRemark }],
  ['stylelint', { read: readStylelint }],
  ['swc', { read: readSwc }],
  ['tap', { read: readTap }],
  ['typedoc', { read: readTypedoc }],
]);

/** Returns how a block of a package.json is read: `jest`, `eslintConfig`, `typedocOptions`. */
export function toolOfBlock(block: string): KeyedKind | undefined {
  return TOOLS.get(block.replace(/(?:Config|Options)$/, ''));
}

/** Returns how a file `.xrc` is read, with or without an ending for data. */
export function toolOfData(name: string): KeyedKind | undefined {
  return TOOLS.get(/^\.([a-z\d]+)rc(?:\.json[5c]?|\.ya?ml)?$/.exec(name)?.[1] ?? '');
}

/** Returns how code is read: `babel.config.cjs`, `.eslintrc.js`, `jest.unit.ts`. */
export function toolOfCode(name: string): KeyedKind | undefined {
  return TOOLS.get(/^\.?([a-z\d]+?)(?:rc)?[.-]/.exec(name)?.[1] ?? '');
}
