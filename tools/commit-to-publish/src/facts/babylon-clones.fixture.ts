import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import { formatImportRecord } from '@tributary/model/import-record';
import type { RepoPath } from '@tributary/model/paths';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { babylonFacts } from './facts.fixture.js';

/** The time of the merge of babylon's history into babel, in seconds since 1970. */
const MOVED = Date.UTC(2017, 10, 1, 15, 17, 41) / 1000;

/** A commit of a main line and its time in seconds since 1970. */
interface Step {
  readonly at: number;
  readonly subject: string;
  readonly files: Readonly<Record<string, string>>;
  readonly tag?: string;
}

/** The two repositories according to the release data: times, versions and commits are real, the files are not. */
export class BabylonClones {
  readonly babylon = TempRepo.create();
  readonly babel = TempRepo.create();

  /** Creates both repositories as they were just before the move. */
  constructor() {
    this.babylon.git('remote', 'add', 'origin', 'https://host.example/babel/babylon.git');
    this.babel.git('remote', 'add', 'origin', 'https://host.example/babel/babel.git');
    append(this.babylon, parserSteps());
    append(this.babel, consumerSteps());
  }

  /** Moves the parser in with its history, and adds its later commits. */
  move(): void {
    append(this.babel, inFolder(parserSteps(), PARSER), 'moved');
    const [sourceCommit, importedTip] = [this.babylon.id('main') as CommitId, this.babel.id('moved') as CommitId];
    const record = formatImportRecord({
      package: 'babylon' as WorkspaceName,
      path: PARSER as RepoPath,
      source: 'https://host.example/babel/babylon',
      sourceRef: 'main',
      sourceCommit,
      subdirectory: undefined,
      strategy: 'rewrite',
      messages: 'exact',
      signatures: 'keep',
      tags: undefined,
      importedTip,
    });
    const files = { [`${PARSER}/package.json`]: this.babel.git('show', `moved:${PARSER}/package.json`) };
    append(this.babel, [{ at: MOVED, subject: `Bring babylon in\n\n${record}\n`, files }], 'main', 'moved');
    this.babel.git('branch', '-q', '-D', 'moved');
    append(this.babel, monorepoSteps());
  }

  dispose(): void {
    this.babylon.dispose();
    this.babel.dispose();
  }
}

const PARSER = 'packages/babylon';
const { before, after } = babylonFacts();

/** The versions from `7.0.0-beta.7` on, by release time. None is missing. */
const PARSER_VERSIONS = new Map([...new Set(before.map(([, , released]) => released))].map((at, nth) => [at, `7.0.0-beta.${7 + nth}`]));

function parserSteps(): readonly Step[] {
  const version = (text: string): Step['files'] => ({ 'package.json': manifest('babylon', text) });
  const first = Math.min(...before.map(([, committed]) => committed)) - 86_400;
  const start: Step = { at: first, subject: 'Start', files: version('7.0.0-beta.6'), tag: 'v7.0.0-beta.6' };
  const changes = before.map(([commit, committed]) => ({ at: committed, subject: `Change ${commit}`, files: { 'index.js': commit } }));
  const releases = [...PARSER_VERSIONS].map(([at, text]) => ({ at, subject: text, files: version(text), tag: `v${text}` }));
  return inOrder([start, ...changes, ...releases]);
}

/** The consumer pins the parser. An upgrade commit takes the last of the versions that came with it. */
function consumerSteps(): readonly Step[] {
  const core = (text: string, parser: string): Step['files'] => ({
    'packages/babel-core/package.json': manifest('babel-core', text, { babylon: parser }),
  });
  const upgrades = new Map(before.map(([, , released, upgraded]) => [upgraded ?? 0, PARSER_VERSIONS.get(released) ?? '']));
  const releases = new Map(before.map(([, , , , text, released]) => [released, text.slice(1)]));
  const moments = [...upgrades.keys(), ...releases.keys()].sort((a, b) => a - b);
  let [parser, own] = ['7.0.0-beta.6', '7.0.0-alpha.2'];
  const root = { 'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }) };
  const start: Step = { at: (moments[0] ?? 0) - 86_400, subject: 'Start', files: { ...root, ...core(own, parser) }, tag: `v${own}` };
  const steps = moments.map((at): Step => {
    parser = upgrades.get(at) ?? parser;
    own = releases.get(at) ?? own;
    const tag = releases.get(at) === undefined ? {} : { tag: `v${own}` };
    return { at, subject: 'tag' in tag ? `v${own}` : `Upgrade babylon to ${parser}`, files: core(own, parser), ...tag };
  });
  return [start, ...steps];
}

function monorepoSteps(): readonly Step[] {
  const changes = after.map(([commit, committed]) => ({
    at: committed,
    subject: `Change ${commit}`,
    files: { [`${PARSER}/index.js`]: commit },
  }));
  const releases = [...new Map(after.map(([, , , , text, released]) => [released, text]))].map(([at, tag]) => ({
    at,
    subject: tag,
    files: {
      [`${PARSER}/package.json`]: manifest('babylon', tag.slice(1)),
      'packages/babel-core/package.json': manifest('babel-core', tag.slice(1), { babylon: tag.slice(1) }),
    },
    tag,
  }));
  return inOrder([...changes, ...releases]);
}

/** Sorts by time. Steps of the same second keep their order: a release has the changes of its second. */
function inOrder(steps: readonly Step[]): readonly Step[] {
  return [...steps].sort((a, b) => a.at - b.at);
}

function inFolder(steps: readonly Step[], folder: string): readonly Step[] {
  return steps.map(({ at, subject, files }) => ({
    at,
    subject,
    files: Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content])),
  }));
}

function manifest(name: string, version: string, dependencies: Readonly<Record<string, string>> = {}): string {
  return `${JSON.stringify({ name, version, dependencies })}\n`;
}

/** Puts commits on a branch, with tags. `merged` is another branch, which the first commit merges. */
function append(repo: TempRepo, steps: readonly Step[], branch = 'main', merged?: string): void {
  const text = (content: string): string => `data ${Buffer.byteLength(content)}\n${content}\n`;
  const start = repo.git('branch', '--list', branch) === '' ? '' : `from refs/heads/${branch}^0\n`;
  const commits = steps.map(({ at, subject, files, tag }, nth) => {
    const parents = nth > 0 ? '' : `${start}${merged === undefined ? '' : `merge refs/heads/${merged}^0\n`}`;
    const changes = Object.entries(files).map(([path, content]) => `M 100644 inline ${path}\n${text(content)}`);
    const commit = `commit refs/heads/${branch}\ncommitter Ann <ann@host.example> ${at} +0000\n${text(subject)}${parents}${changes.join('')}\n`;
    return tag === undefined ? commit : `${commit}reset refs/tags/${tag}\nfrom refs/heads/${branch}\n\n`;
  });
  repo.fastImport(commits.join(''));
}
