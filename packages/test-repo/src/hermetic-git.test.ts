import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import { GitClock, hermeticGitEnvironment, runHermeticGit } from './hermetic-git.js';
import { TempFolder } from './temp-folder.js';

const cleanUp = cleanUpIn(afterEach);

test('the environment holds nothing of the machine but PATH and the temporary folder', () => {
  const environment = hermeticGitEnvironment(new GitClock());
  const taken = Object.entries(environment).filter(([name, value]) => process.env[name] === value && /HOME|USER|XDG|SSH|PROXY/.test(name));
  expect(taken).toEqual([]);
  expect(environment.PATH).toBe(process.env.PATH);
});

test('git sees no configuration of a user or system, and our settings', () => {
  const folder = cleanUp.add(new TempFolder());
  const clock = new GitClock();
  runHermeticGit(['init', '-q'], { folder: folder.path, clock });
  const scopes = runHermeticGit(['config', '--list', '--show-scope'], { folder: folder.path, clock }).toString().split('\n');
  expect(new Set(scopes.map((line) => line.split('\t')[0]))).toEqual(new Set(['local', 'command', '']));
  expect(scopes).toContain('command\tgc.auto=0');
  expect(runHermeticGit(['symbolic-ref', 'HEAD'], { folder: folder.path, clock }).toString()).toBe('refs/heads/main\n');
});

test('a failure carries what git said', () => {
  const folder = cleanUp.add(new TempFolder());
  expect(() => runHermeticGit(['rev-parse', 'HEAD'], { folder: folder.path, clock: new GitClock() })).toThrow(
    /git rev-parse HEAD ended with 128:\nfatal: not a git repository/,
  );
});
