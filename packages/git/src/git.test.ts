import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf, moveInto, setVariable } from './git.fixture.js';
import { asUser, network, plumbing } from './git.js';

const cleanUp = cleanUpIn(afterEach);
const shared = cleanUpIn(afterAll);
const home = shared.add(new TempFolder());

beforeAll(() => moveInto(home, shared));

function create(): TempRepo {
  return cleanUp.add(TempRepo.create());
}

describe('the answer of git', () => {
  test('is bytes, or text without its last line break', async () => {
    const repo = create();
    const git = plumbing(gitDirOf(repo));
    const id = repo.writeObject('blob', Buffer.from([0xff, 0x0a, 0x0a]));
    expect(await git.bytes(['cat-file', 'blob', id])).toEqual(Buffer.from([0xff, 0x0a, 0x0a]));
    expect(await git.text(['cat-file', 'blob', repo.writeObject('blob', ' ü\n\n')])).toBe(' ü\n');
    expect(await git.text(['cat-file', 'blob', repo.writeObject('blob', '')])).toBe('');
    expect(await git.text(['hash-object', '--stdin'], { input: '' })).toBe(repo.gitWithInput('', 'hash-object', '--stdin'));
  });

  test('is a failure in its own words, or an answer where that was asked for', async () => {
    const git = plumbing(gitDirOf(create()));
    const words = { code: 'GIT_FAILED', message: 'git ended with exit code 128: fatal: Needed a single revision', data: { exit: 128 } };
    await expect(git.text(['rev-parse', '--verify', 'gone'])).rejects.toMatchObject(words);
    await expect(git.bytes(['rev-parse', '--verify', 'gone'])).rejects.toMatchObject(words);
    expect(await git.attempt(['rev-parse', '--verify', 'gone'])).toMatchObject({ exit: 128, stderr: 'fatal: Needed a single revision\n' });
    const running = git.start(['rev-parse', '--verify', 'gone']);
    running.stdout.resume();
    await expect(running.done()).rejects.toMatchObject(words);
  });

  test('is in English, whatever the user speaks', async () => {
    setVariable('LANG', 'de_DE.UTF-8', cleanUp);
    setVariable('LC_ALL', 'de_DE.UTF-8', cleanUp);
    setVariable('LANGUAGE', 'de', cleanUp);
    await expect(asUser(home.path).text(['rev-parse'])).rejects.toMatchObject({ message: expect.stringContaining('not a git repository') });
  });

  test('shows no credentials of an address', async () => {
    const asked = network(undefined).text(['ls-remote', '--', 'http://user:S3CRET@127.0.0.1:1/x?token=S3CRET']);
    const error = await asked.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'GIT_FAILED', message: expect.stringContaining("'http://127.0.0.1:1/x'") });
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain('S3CRET');
  });

  test('is missing where git is', async () => {
    setVariable('PATH', home.join('nothing'), cleanUp);
    const git = plumbing(home.path);
    const missing = { code: 'GIT_MISSING', hint: 'Install git 2.38 or newer.' };
    await expect(git.text(['version'])).rejects.toMatchObject(missing);
    await expect(git.attempt(['version'])).rejects.toMatchObject(missing);
    await expect(git.start(['version']).done()).rejects.toMatchObject(missing);
  });

  test('is about the folder where that is gone, not about git', async () => {
    const gone = home.join('gone');
    await expect(asUser(gone).text(['version'])).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringContaining(`no such folder: ${gone}`),
    });
  });

  test('is not waited for when somebody interrupts', async () => {
    const controller = new AbortController();
    const git = plumbing(gitDirOf(create()), { signal: controller.signal });
    const waiting = git.start(['cat-file', '--batch']);
    controller.abort();
    await expect(waiting.done()).rejects.toMatchObject({ code: 'INTERRUPTED' });
    await expect(git.text(['version'])).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });

  test('never waits for a person at the terminal', async () => {
    const repo = create();
    const git = network(gitDirOf(repo));
    expect(await git.attempt(['credential', 'fill'], { input: 'protocol=https\nhost=host.invalid\n\n' })).toMatchObject({ exit: 128 });
  });
});
