import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';

const FLAGS = `data:text/javascript,${encodeURIComponent(
  transformSync(readFileSync(new URL('flags.ts', import.meta.url), 'utf8'), { loader: 'ts', format: 'esm' }).code,
)}`;

/** Sets a flag under options of Node's and says whether it took effect, what was loaded for it, and whether deprecations are told afterwards. */
function trial(options: readonly string[], before = ''): { readonly stdout: string; readonly stderr: string } {
  const program = `${before}
    const { setFlags } = await import(process.argv[1]);
    const known = process.moduleLoadList.length;
    setFlags('--allow-natives-syntax');
    const streams = process.moduleLoadList.slice(known).some((name) => name.includes('stream'));
    
    console.log(String(new Function('return %IsSmi(1)')()), streams ? 'streams' : 'no streams', String(process.noDeprecation));`;
  const args = [...options, '--input-type=module', '--eval', program, FLAGS];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { stdout, stderr };
}

test.each([[[]], [['--pending-deprecation']], [['--throw-deprecation']], [['--trace-deprecation']]])(
  'it sets a flag without a word and without loading the streams: %j',
  (options) => {
    expect(trial(options)).toEqual({ stdout: 'true no streams false\n', stderr: '' });
  },
);

test('who does not want to hear of deprecations does not hear of them afterwards either', () => {
  expect(trial(['--no-deprecation']).stdout).toBe('true no streams true\n');
});

test.each(['process.binding = () => { throw new Error("gone"); };', 'process.binding = () => ({});', 'delete process.binding;'])(
  'where Node does not give it away, `node:v8` sets it: %s',
  (before) => {
    expect(trial([], before)).toEqual({ stdout: 'true streams false\n', stderr: '' });
  },
);
