import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { CloneStory } from '../collect/story.fixture.js';

const root = findProjectRoot();
export const TOOL = `${process.execPath} ${join(root, 'tools/commit-to-publish/out/cli.cjs')}`;
export const BRANCH = 'lead-time-record';

const TEMPLATES = { github: 'ci/github/lead-time.yml', gitlab: 'ci/gitlab/.gitlab/lead-time.yml' } as const;
export type Template = keyof typeof TEMPLATES;

export function readTemplate(template: Template): string {
  return readFileSync(join(root, TEMPLATES[template]), 'utf8');
}

/** Returns the command lines of a template's jobs, in order, as a runner gives them to a shell. */
export function commandsOf(template: Template): readonly string[] {
  const line = template === 'github' ? /^ +run: (.*)$/gm : /^ {4}- ((?:sh|export) .*)$/gm;
  return [...readTemplate(template).matchAll(line)].map(([, command = '']) => command);
}

/** A hosted repository `acme/ui` with two releases, an unreleased change, and `ci/lead-time.sh`. */
export class HostedRepo {
  readonly story = new CloneStory();
  readonly host = TempRepo.create({ bare: true });

  constructor() {
    const { story } = this;
    story.at(0).version('Start', { name: '@acme/ui', version: '1.0.0' });
    story.at(1).repo.tag('v1.0.0');
    story.at(2).commit('Add', { 'a.js': '1', 'ci/lead-time.sh': readFileSync(join(root, 'ci/lead-time/lead-time.sh'), 'utf8') });
    this.release('1.1.0', 5);
    this.push();
  }

  /** Commits a change, and `later` hours after it the version that contains it. */
  changeAndRelease(version: string, hours: number, later: number): void {
    this.story.at(hours).commit(`Change ${version}`, { 'a.js': version });
    this.release(version, hours + later);
  }

  /** Commits a version, and tags the commit. */
  release(version: string, hours: number): void {
    this.story.at(hours).version(version, { name: '@acme/ui', version });
    this.story.at(hours).repo.tag(`v${version}`);
  }

  push(): void {
    this.story.repo.git('push', '-q', '--tags', `file://${this.host.path}`, 'main');
  }

  /** Returns a checkout such as a job gets. */
  checkout(): TempRepo {
    const clone = TempRepo.cloneOf(this.host);
    clone.git('remote', 'set-head', 'origin', 'main');
    return clone;
  }

  /** Returns the paths on the branch; empty if there is no branch. */
  kept(): readonly string[] {
    return this.tip() === '' ? [] : this.host.git('ls-tree', '-r', '--name-only', BRANCH).split('\n');
  }

  /** Returns the commit of the branch; empty if there is no branch. */
  tip(): string {
    return this.host.git('for-each-ref', '--format=%(objectname)', `refs/heads/${BRANCH}`);
  }

  dispose(): void {
    this.story.repo.dispose();
    this.host.dispose();
  }
}

const SETTINGS = {
  COMMIT_TO_PUBLISH: TOOL,
  LEAD_TIME_COLLECT: '--json --name acme/ui',
  LEAD_TIME_REPORT: '--channels latest --since 2020-01-06',
};

/** Runs one command line of a job, in the shell of its engine. */
export function runStep(
  checkout: TempRepo,
  command: string,
  { shell = 'sh', env = {} }: { readonly shell?: 'sh' | 'bash'; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CliResult> {
  return runProcess(shell, ['-e', '-c', command], { cwd: checkout.path, env: { ...SETTINGS, ...env } });
}

export function collectIn(checkout: TempRepo, env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  return runStep(checkout, 'sh ci/lead-time.sh collect', { env });
}

/** Returns the number of new events in the last output of `collect --json`. */
export function freshIn({ stdout }: CliResult): number {
  return Number([...stdout.matchAll(/"fresh": (\d+)/g)].at(-1)?.[1]);
}
