import { expect, test } from '@jest/globals';
import { commandsIn } from './commands.js';

test.each<[script: string, commands: string]>([
  ['tsc', 'tsc'],
  ['eslint . && tsc -b; jest | tee log || exit 1', 'eslint tsc jest tee exit'],
  ['NODE_ENV=test CI="1" mocha "src && test"', 'mocha'],
  ['cross-env NODE_ENV=test jest', 'cross-env jest'],
  ['npx --no-install rollup -c', 'rollup'],
  ['yarn run tsc && yarn exec eslint . && yarn build && yarn install && yarn -s mkdirp a', 'tsc eslint mkdirp'],
  ['pnpm exec vitest; pnpm build', 'vitest'],
  ['node_modules/.bin/tsc; ./node_modules/.bin/jest', 'tsc jest'],
  ['nyc --reporter=lcov mocha -r esm -r ts-node/register', 'nyc mocha[esm ts-node/register]'],
  ['nyc -r html -r lcov --require ts-node/register --all mocha', 'nyc[ts-node/register] mocha'],
  ['c8 -r html --check-coverage --lines 90 node --test', 'c8 node'],
  ['c8 report -r html && nyc merge a b', 'c8 nyc'],
  ['lab -r console && esbuild a.js --loader=jsx && mocha -R html', 'lab esbuild mocha'],
  ['npx -p typescript tsc && pnpm --filter web exec vite', 'tsc vite'],
  ['node --import tsx --loader=a/b test.js', 'node[tsx a/b]'],
  ['concurrently "tsc -w" \'npm:watch\' "vite build"', 'concurrently tsc vite'],
  ['(cd a && rimraf b)', 'cd rimraf'],
  ["# don't\ntsc # it's\necho 'done'", 'tsc echo'],
  ['', ''],
  ['FOO=1', ''],
])('%j starts %s', (script, commands) => {
  const found = commandsIn(script, new Set(['build', 'test']));
  expect(found.map(({ binary, loads }) => (loads.length === 0 ? binary : `${binary}[${loads.join(' ')}]`)).join(' ')).toBe(commands);
});
