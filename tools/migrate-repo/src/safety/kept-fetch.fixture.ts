import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { expectToSucceed } from './breaking.fixture.js';
import { createFixture, createSource, gitFolderOf, type MigrationFixture, type State } from './migration.fixture.js';

/** The address of the source. The user's settings direct git to a folder instead, which stands for the network. */
export const URL = 'https://example.test/pad';

/** Returns the packs in a repository that is kept. */
export const packsIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, 'objects/pack')).filter((file) => file.endsWith('.pack'));

/** A monorepo and a source that is fetched over the network. */
export class KeptFetch {
  readonly fixture: MigrationFixture;
  readonly source: TempRepo;

  constructor(cleanUp: CleanUp) {
    this.fixture = createFixture(cleanUp);
    this.source = createSource(cleanUp);
    this.fixture.home.write('.gitconfig', `[user]\n\tname = A\n\temail = a@b\n[url "${this.source.path}"]\n\tinsteadOf = ${URL}\n`);
  }

  /** Returns what lies in the tool's own folder. */
  kept(): readonly string[] {
    return existsSync(this.home()) ? readdirSync(this.home()) : [];
  }

  /** Runs a migration that fetches and then fails because a tag already exists. Expects no change outside the tool's own folder. */
  async failAfterFetching(args: readonly string[] = []): Promise<string> {
    const before = this.besideOurs();
    this.fixture.monorepo.tag('left-pad@1.0.0');
    const { code, stderr } = await this.fixture.run(['left-pad', '--from', URL, ...args]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('[TAG_COLLISION]')]);
    this.fixture.monorepo.git('tag', '-d', 'left-pad@1.0.0');
    expect(this.besideOurs()).toEqual(before);
    return stderr;
  }

  /** Expects the command to succeed and to remove everything that was kept. */
  async succeeds(args: readonly string[]): Promise<void> {
    await expectToSucceed(this.fixture, args);
    expect([this.kept(), this.fixture.state().broken]).toEqual([[], '']);
  }

  /** Returns the only folder that is kept. */
  keptFolder(): string {
    const [name = '', ...others] = this.kept();
    expect([name, others]).toEqual([expect.stringMatching(/^fetched-[0-9a-f]{16}\.git$/), []]);
    return join(this.home(), name);
  }

  private home(): string {
    return join(gitFolderOf(this.fixture.monorepo), 'tributary');
  }

  private besideOurs(): State {
    const state = this.fixture.state();
    const gitFolder = Object.fromEntries(Object.entries(state.snapshot.gitFolder).filter(([name]) => !name.startsWith('tributary')));
    return { ...state, snapshot: { ...state.snapshot, gitFolder } };
  }
}
