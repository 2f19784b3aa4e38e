// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of Makefiles and workflows
import { describe, expect, test } from '@jest/globals';
import { diffMakefiles, findMakeCalls, isReached, type Makefile, parseMakefile } from './makefile.js';

function parsed(text: string): Makefile {
  const makefile = parseMakefile(text);
  if (makefile === undefined) throw new Error(`not read: ${text}`);
  return makefile;
}

const PLAIN = [
  'PIN = 1 # words',
  'TOOL := node \\',
  '  tool.js',
  'LEVEL ?= 2',
  '.PHONY: all docs',
  'all: build | out',
  '\t@$(TOOL) all',
  'build docs: out; echo $@',
  '\techo ${PIN}',
  'ifdef CI',
  'ci:',
  '\techo $P',
  'else',
  'ci: all',
  'endif',
  'P = 1',
].join('\n');

describe('a Makefile is read', () => {
  test('with variables, targets, prerequisites and recipes', () => {
    const { variables, rules, specials, firsts } = parsed(PLAIN);
    expect([...variables.keys()]).toEqual(['PIN', 'TOOL', 'LEVEL', 'P']);
    expect([...rules.keys()]).toEqual(['all', 'build', 'docs', 'ci']);
    expect([...specials.keys()]).toEqual(['.PHONY']);
    expect(firsts).toEqual(['all']);
  });

  test.each([
    'include a.mk',
    '-include .env',
    'define X\nendef',
    'export',
    'export X = 1',
    'a: X = 1',
    '$(T): b',
    'a: %.o: %.c',
    '$(call rules)',
    '$(eval X = 1)',
    'X = $(A_$(B))',
    '.RECIPEPREFIX = >',
    '.DEFAULT_GOAL := a',
    '.SECONDEXPANSION:',
    'vpath %.c src',
    'Y = $(Z)\nZ = $(Y)',
    'words',
    '\techo',
  ])('but not one with %j', (text) => {
    expect(parseMakefile(`X = 1\n${text}\n`)).toBeUndefined();
  });
});

describe('of two Makefiles', () => {
  test.each<[sentence: string, from: string, to: string, diff: unknown]>([
    ['comments are the same', 'PIN = 1 # words', 'PIN = 1 # others', { variables: [], targets: [] }],
    ['a variable differs', 'PIN = 1', 'PIN = 2', { variables: ['PIN'], targets: [] }],
    ['a continued variable differs', '  tool.js', '  other.js', { variables: ['TOOL'], targets: [] }],
    ['a prerequisite differs', 'all: build', 'all: docs', { variables: [], targets: ['all'] }],
    ['a recipe of two targets differs', 'echo ${PIN}', 'cat', { variables: [], targets: ['build', 'docs'] }],
    ['a rule comes that one with a condition had', 'all: build', 'ci:\nall: build', { variables: [], targets: ['ci', 'all'] }],
    ['a condition differs', 'ifdef CI', 'ifndef CI', { variables: [], targets: ['ci'] }],
    ['a target that is no file any more', '.PHONY: all docs', '.PHONY: all', { variables: [], targets: ['docs'] }],
    ['the shell differs', 'PIN = 1', 'SHELL = bash', undefined],
    ['what make runs when it reads the file differs', 'LEVEL ?= 2', 'LEVEL := $(shell date)', undefined],
    ['another special target differs', '.PHONY: all docs', '.ONESHELL:\n.PHONY: all docs', undefined],
    ['a rule with a pattern differs', 'P = 1', '%.js: %.ts\n\ttsc', undefined],
    ['variables stand in another order', 'PIN = 1 # words', 'LEVEL ?= 2\nPIN = 1', undefined],
  ])('%s', (_, from, to, diff) => {
    expect(diffMakefiles(parsed(PLAIN), parsed(PLAIN.replace(from, to)))).toEqual(diff);
  });

  test('the first target of one is not that of the other', () => {
    expect(parsed('ifdef X\na:\nelse\nb:\nendif\nc:\nd:\n').firsts).toEqual(['a', 'b', 'c']);
    expect(diffMakefiles(parsed('a:\nb:\n'), parsed('b:\na:\n'))).toEqual({ variables: [], targets: ['a', 'b'] });
  });
});

describe('what changed is reached', () => {
  const reach = (text: string, changed: { variables?: string[]; targets?: string[] }, ...targets: string[]): boolean =>
    isReached({ variables: [], targets: [], ...changed }, [parsed(text)], [{ targets, first: false, any: false }]);

  test.each<[sentence: string, text: string, changed: { variables?: string[]; targets?: string[] }]>([
    ['by a prerequisite', 'a: b\nb: c\nc:\n', { targets: ['c'] }],
    ['by a recipe', 'a:\n\tcd x; $(MAKE) -j c\nc:\n', { targets: ['c'] }],
    ['by the first target of a recipe', 'c:\na:\n\t$(MAKE)\n', { targets: ['c'] }],
    ['by a variable that calls make', 'M = $(MAKE) -s\na:\n\t$(M) c\nc:\n', { targets: ['c'] }],
    ['by a target that is put together', 'a:\n\t$(MAKE) $(T)\nc:\n', { targets: ['c'] }],
    ['by a prerequisite that is put together', 'a: $(T)\nc:\n', { targets: ['c'] }],
    ['by a variable of a variable', 'V = 1\nW = $(V)\na:\n\techo $(W:x=y)\n', { variables: ['V'] }],
    ['by a variable of one letter', 'V = 1\na:\n\techo $Vx\n', { variables: ['V'] }],
    ['by a variable in a condition', 'V = 1\nifeq ($(V),1)\na:\n\techo\nendif\n', { variables: ['V'] }],
    ['by a rule with a pattern', '%.js: c\nc:\na:\n', { targets: ['c'] }],
  ])('%s', (_, text, changed) => {
    expect(reach(text, changed, 'a')).toBe(true);
    expect(reach(`${text}z:\n`, { targets: ['z'] }, 'nothing')).toBe(false);
  });

  test('by nothing else', () => {
    const text = 'V = 1\na: b\n\techo W\nb:\nc:\n\techo $(V)\n';
    expect(reach(text, { targets: ['c'], variables: ['V'] }, 'a')).toBe(false);
  });
});

test.each<[style: 'code' | 'commands', text: string, calls: object]>([
  ['commands', 'make -j4 docs build && make x', { targets: ['docs', 'build'] }],
  ['commands', 'make \\\n  -s \\\n  docs', { targets: ['docs'] }],
  ['commands', 'make', { first: true }],
  ['commands', '"all": "make -j 4"', { first: true }],
  ['commands', 'make X=1', { first: true }],
  ['commands', 'make $T', { any: true }],
  ['commands', 'make "$T"', { any: true }],
  ['commands', 'make ${{ matrix.target }}', { any: true }],
  ['commands', '$MAKE docs; ${MAKE} build', { targets: ['docs', 'build', 'build'] }],
  ['commands', 'make-icons docs; remake.sh docs', {}],
  ['commands', 'make ./docs', { targets: ['docs'] }],
  ['code', '// make sure that ${docs} are there', { targets: ['docs'] }],
  ['code', 'exec(`make ${target}`)', { any: true }],
  ['code', "exec('make')", { first: true, any: true }],
  ['code', "spawn('make', ['docs'])", { targets: ['docs'], first: true, any: true }],
  ['code', "exec('cd x && make docs')", { targets: ['docs'] }],
])('in %s %j asks for %j', (style, text, calls) => {
  expect(findMakeCalls(text, new Set(['docs', 'build']), style)).toMatchObject({ targets: [], first: false, any: false, ...calls });
});
