import { describe, expect, test } from '@jest/globals';
import type { Collected } from './own-references.js';
import { mapOf, type ProjectTexts } from './reference-map.fixture.js';
import { followScripts } from './script-calls.js';

function scriptsOf({ workspaces }: Collected): Parameters<typeof followScripts>[1] {
  return [...workspaces.keys()].map((member) => workspaces.get(member)?.manifest?.scripts ?? []);
}

type Scripts = Readonly<Record<string, string>>;

/**
 * `a`, and the workspaces that it may call: `b`, which no other form of a call names, `@s/c` in `libs/c-folder`, and `below` inside of `a`.
 */
const NAMES = { 'packages/a': 'a', 'packages/b': 'b', 'libs/c-folder': '@s/c', 'packages/a/below': 'below' } as const;
const SCRIPTS: Readonly<Record<string, Scripts>> = {
  b: { gen: 'node gen.js', 'b:gen': 'node gen.js', 'two:gen': '', clean: 'rm -rf dist' },
  '@s/c': { gen: 'node gen.js', 'c:gen': 'node gen.js', 'two:gen': '' },
  below: { gen: 'node gen.js' },
};

/** Returns `a -> b` for scripts by workspace; `root` stands for the root's scripts. */
function calls(scripts: Readonly<Record<string, Scripts>>): readonly string[] {
  const manifests = Object.entries(NAMES).map(([folder, name]) => [
    `${folder}/package.json`,
    { name, scripts: { ...SCRIPTS[name], ...scripts[name] } },
  ]);
  const files: ProjectTexts = { ...Object.fromEntries(manifests), 'package.json': { scripts: scripts['root'] ?? {} } };
  const { tree, collected } = mapOf(files);
  const names = tree.graph.members.map(({ name }) => name as string);
  return [
    ...new Set(followScripts(tree, scriptsOf(collected)).calls.map(({ from, target }) => `${names[from]} -> ${names[target]}`)),
  ].toSorted();
}

const B = ['a -> b'];
const C = ['a -> @s/c'];
const ALL = ['a -> @s/c', 'a -> b', 'a -> below'];

describe('a script of a workspace runs one of another workspace', () => {
  test.each<[text: string, expected: readonly string[]]>([
    ['yarn workspace b run gen', B],
    ['yarn workspace b gen', B],
    ['yarn workspace @s/c exec tsc && jest', C],
    ['jest && (yarn workspace b gen)', B],
    ['jest;yarn workspace b gen', B],
    ['FOO=1 $npm_execpath workspace b gen', B],
    ['concurrently "yarn workspace b gen" "yarn workspace @s/c gen"', ['a -> @s/c', 'a -> b']],
    [`bash -c "concurrently 'yarn b:gen' 'yarn workspace @s/c gen'"`, ['a -> @s/c', 'a -> b']],
    ['node --import @s/c/register --test', C],
    ['NODE_OPTIONS="--require=b" mocha', B],
    ['tool --config=@s/c', C],
    ['jest --reporters default --reporters=b', B],
    ['node --test --test-reporter b/spec', B],
    ['jest --testRunner b', B],
    ['jest --b b --reporter-options b', []],
    ['yarn b:gen', B],
    ['yarn run b:gen --fast', B],
    ['run c:gen', C],
    ['concurrently yarn:b:gen npm:test', B],
    ['yarn workspaces foreach -A run gen', ALL],
    ['yarn workspaces foreach -Apt run b:gen', B],
    ['yarn workspaces foreach --all exec tsc', ALL],
    ['yarn workspaces foreach --include b run gen', B],
    ["yarn workspaces foreach -A --include '@s/*' run gen", C],
    ["yarn workspaces foreach -A --include='libs/*' run gen", C],
    ["yarn workspaces foreach -A --include '{b,@s/c}' run gen", ['a -> @s/c', 'a -> b']],
    ['yarn workspaces foreach -R --from b run gen', B],
    ['yarn workspaces foreach run gen', ['a -> below']],
    ['yarn workspaces run gen', ALL],
    ['npm run gen -w b', B],
    ['npm run gen --workspace=packages/b', B],
    ['npm -w ./packages/b run gen', B],
    ['npm run gen --workspaces', ALL],
    ['turbo run gen --filter=b', B],
    ['npx turbo@2 gen --filter "b..."', B],
    ['yarn turbo run gen -F ./packages/b', B],
    ['turbo run gen --filter={./libs/*}', C],
    ['turbo run gen --filter=...b', ALL],
    ['turbo run gen --filter="!b"', ALL],
    ['turbo run gen --filter=[HEAD^1]', ALL],
    ['turbo run b#gen', B],
    ['cd ../.. && turbo run b:gen', B],
    ['lerna run gen --scope b', B],
    ['../../node_modules/.bin/lerna run gen --scope=@s/*', C],
    ['lerna run b:gen', B],
    ['lerna exec -- tsc', ALL],
    ['lerna run gen --scope b --include-dependents', ALL],
    ['nx run b:gen', B],
    ['nx run @s/c:gen:production', C],
    ['nx gen c-folder', C],
    ['nx run-many -t gen -p b,c', ['a -> @s/c', 'a -> b']],
    ['nx run-many -t gen', ALL],
    ['nx affected:gen', ALL],
  ])('%s', (text, expected) => {
    expect(calls({ a: { test: text } })).toEqual(expected);
  });

  test.each<[why: string, text: string]>([
    ['it names none', 'jest --scope b && mkdir -p b && tsc -w b'],
    ['that is the own one', 'yarn workspace a run gen && turbo run gen --filter=a && yarn below'],
    ['the own script comes first', 'yarn own:gen'],
    ['two have the script, so Yarn refuses it', 'yarn two:gen'],
    ['only the root is looked for it', 'yarn run -T b:gen'],
    ['without a colon Yarn stays in the workspace', 'yarn gen'],
    ['turborepo stays in the workspace', 'turbo run gen'],
    ['these are the declared dependencies', 'yarn workspaces foreach -R run gen'],
    ['nobody has the script', 'yarn workspaces foreach -A run nothing'],
    ['nothing is named', 'yarn workspace && turbo run gen --filter= && npm run gen -w ./ && npm run gen -w'],
    ['run-s looks for own scripts', "yarn run -T run-s 'b:*'"],
  ])('not so: %s', (_, text) => {
    expect(calls({ a: { test: text, 'own:gen': '' }, '@s/c': { 'own:gen': '' } })).toEqual([]);
  });
});

describe('a script of a workspace runs one of the root, which', () => {
  const root = {
    'gen-b': 'yarn workspace b gen',
    'gen:b': 'yarn workspace b gen',
    more: 'yarn gen-b',
    several: 'run-s "gen:*"',
    build: 'turbo run gen',
    watch: 'lerna run gen --scope=b',
    harmless: 'jest',
    w: 'yarn workspace',
    'in-b': 'cd packages/b && yarn gen',
    'file-b': 'tsc --project=packages/b/tsconfig.json',
    only: 'yarn workspace b only',
    on: 'yarn on and',
    'pregen-x': 'yarn b:gen',
    'gen-x': '',
  };
  test.each<[text: string, expected: readonly string[]]>([
    ['yarn -T run gen-b', B],
    ['yarn run -T gen-b', B],
    ['yarn run --top-level more', B],
    ['yarn gen:b', B],
    ['turbo run //#gen-b', B],
    ['yarn workspace root gen-b', B],
    ['cd ../.. && yarn more', B],
    ['yarn --cwd ../.. more', B],
    ['npm --prefix ../../ run gen-x', B],
    ['cd $PROJECT_CWD && yarn several', B],
    ['yarn run -T watch', B],
    ['yarn run -T build', ALL],
    ['yarn run -T w b gen && yarn run -T w @s/c gen', ['a -> @s/c', 'a -> b']],
    ['yarn run -T in-b', B],
    ['node ../../.yarn/releases/yarn-4.18.1.cjs run -T file-b', B],
    ['yarn workspaces foreach -A run only', B],
    ['yarn workspaces foreach --include root run only', B],
    ['yarn workspaces foreach --include @s/c run only', C],
    ['yarn run -T on', []],
    ['yarn run -T harmless', []],
    ['yarn build', []],
    ['vite build && yarn x', []],
    ['cd ../b && yarn build', []],
    ['cd dist && npm run build', []],
  ])('%s', (text, expected) => {
    expect(calls({ a: { test: text }, root })).toEqual(expected);
  });

  test('goes on in a circle', () => {
    expect(calls({ a: { test: 'yarn run -T one' }, root: { one: 'yarn two', two: 'yarn one && yarn workspace b gen' } })).toEqual(B);
  });

  test('nobody runs: it is the root that is there to run workspaces', () => {
    expect(calls({ root: { build: 'turbo run gen', b: 'yarn workspace b gen' } })).toEqual([]);
  });
});

describe('scripts for releases and for cleaning', () => {
  const clean = { clean: 'yarn workspace b clean', 'publish:all': 'yarn workspace b run gen' };

  test('do not count', () => expect(calls({ a: clean })).toEqual([]));

  test.each(['lint', 'start', 'docs', 'prepublishOnly', 'postinstall', 'publish:test', 'dev', 'whatever'])('but %s does', (name) =>
    expect(calls({ a: { [name]: 'yarn workspace b gen' } })).toEqual(B),
  );

  test('count where another script of the workspace runs them', () => {
    expect(calls({ a: { ...clean, build: 'run-s clean compile' } })).toEqual(B);
  });

  test('count where another workspace runs them, also by the root', () => {
    expect(calls({ a: clean, '@s/c': { test: 'yarn workspace a clean' } })).toEqual(['@s/c -> a', 'a -> b']);
    const root = { tidy: 'yarn workspaces foreach -A --include a run clean' };
    expect(calls({ a: clean, '@s/c': { test: 'yarn run -T tidy' }, root })).toEqual(['@s/c -> a', 'a -> b']);
  });
});

test('says through which scripts it goes', () => {
  const { tree, collected } = mapOf({
    'packages/a/package.json': { name: 'a', scripts: { test: 'yarn run -T gen' } },
    'packages/b/package.json': { name: 'b' },
    'package.json': { scripts: { gen: 'yarn workspace b x' } },
  });
  const [a, b] = ['a', 'b'].map((name) => tree.byName.get(name));
  expect(followScripts(tree, scriptsOf(collected)).calls).toEqual([
    {
      from: a,
      target: b,
      chain: [
        { member: a, script: 'test' },
        { member: 0, script: 'gen' },
      ],
    },
  ]);
});
