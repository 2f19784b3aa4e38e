import { posix } from 'node:path';
import { lineAt } from '@tributary/model/file-text';
import { isPlainObject } from '@tributary/model/plain-object';
import { visit } from 'yaml';
import { RELEASE_TOOLS } from '../../align/publishing/release-tools.js';
import { setsCredential } from '../../credentials.js';
import { readYaml } from '../../edit/edit-yaml.js';
import { fieldsIn, scriptsOf } from '../../fields.js';
import { listing, type Message } from '../../message.js';
import { shellCommandsIn } from '../../scripts.js';
import { code } from '../../text.js';
import { commandReading, misplacedLines } from '../misplaced-files.js';
import { type CarryOverRule, keepEach } from '../rule.js';

export const workflows: CarryOverRule = {
  title: 'GitHub workflows',
  matches: ['.github/workflows/*.yml', '.github/workflows/*.yaml'],
  action: 'keep',
  reason: 'GitHub runs only those at the root, so it no longer runs them; the report says what each did',
  apply: (subject) => {
    const { importedPackage, monorepo, repository } = subject;
    const manifest = fieldsIn(subject.read('package.json'));
    const reading = commandReading({ importedPackage, files: monorepo, root: repository.root, manifest });
    return keepEach(subject, (file) => {
      const text = subject.read(file) ?? '';
      const apart = linesElsewhere(text, (folder) => reading.projectIn(posix.normalize(folder).replace(/\/$/, '')) !== undefined);
      const found = misplacedLines(text, reading, 'shell')
        // What publishes is told with what the workflow did.
        .filter(({ command, topic, place }) => topic !== 'releases' && (!/^p?npm\s/.test(command) || !apart.has(place)))
        .map((one) => `${code(one.command)} in ${one.place}: ${one.instead}`);
      return remarksOf(text, scriptsOf(manifest), found);
    });
  },
};

/** Returns the lines of steps and jobs that work in one of some folders: `line 3`. */
function linesElsewhere(text: string, isElsewhere: (folder: string) => boolean): ReadonlySet<string> {
  const lines = new Set<string>();
  visit(readYaml(text) ?? null, {
    Map: (_, node) => {
      const folder = node.get('working-directory') ?? node.getIn(['defaults', 'run', 'working-directory']);
      if (typeof folder !== 'string' || !isElsewhere(folder) || !node.range) return;
      const last = lineAt(text, text.slice(0, node.range[1]).trimEnd().length);
      for (let line = lineAt(text, node.range[0]); line <= last; line++) lines.add(`line ${line}`);
    },
  });
  return lines;
}

type Values = Readonly<Record<string, unknown>>;

interface Workflow {
  /** The names of the events that start it. */
  readonly events: readonly string[];
  readonly jobs: readonly Values[];
  /** Of all steps, with those of the scripts of package.json that they run. */
  readonly commands: readonly string[];
  /** `actions/checkout` of a step, or the workflow that a job calls, without version. */
  readonly uses: readonly string[];
}

/** Work of a workflow that its keys show. */
interface Duty {
  /** As in `It …`. */
  readonly did: string;
  readonly needs: string;
  readonly isIn: (workflow: Workflow) => boolean;
}

const RELEASE_ACTION = /semantic-release|release-please|changesets\/action|npm-publish|goreleaser|action-gh-release/i;
const SCAN_ACTION = /^(?:github\/codeql-action|ossf\/scorecard-action|actions\/dependency-review-action|snyk\/)/i;
const TENDING_ACTION = /^actions\/(?:stale|labeler|first-interaction|add-to-project)|lock-threads/i;
const TENDING_EVENT = /^(?:issues|issue_comment|discussion|label|pull_request_target|pull_request_review)/;
const RUNNER = String.raw`^(?:[A-Z_]\w*=\S*\s+)*(?:(?:npx|npm|yarn|pnpm|node|bun|make)\s+)?(?:(?:run|exec|dlx|run-script)\s+)?(?:-\S+\s+)*`;
const TESTS = new RegExp(
  `${RUNNER}(?:test|tests|t|cover|coverage|ci|jest|vitest|mocha|ava|tap|nyc|c8|karma|playwright|cypress)(?![\\w/-])`,
);
const CHECKS = new RegExp(`${RUNNER}(?:lint|format|typecheck|types|tsc|eslint|prettier|biome|standard|xo)(?![\\w/-])`);

const DUTIES: readonly Duty[] = [
  { did: 'published', needs: 'a job that releases from the folder of the package', isIn: isRelease },
  {
    did: 'ran tests',
    needs: 'its tests, as `affected init` sets them up',
    isIn: ranTests,
  },
  { did: 'checked the code', needs: 'its checks', isIn: ({ commands }) => commands.some((one) => CHECKS.test(one)) },
  {
    did: 'deployed',
    needs: 'a job that deploys from the folder of the package',
    isIn: ({ jobs, uses }) =>
      jobs.some((job) => job['environment'] !== undefined) || uses.some((one) => /deploy|(?:gh|github)-pages/i.test(one)),
  },
  { did: 'scanned the code', needs: 'a scan of the monorepo', isIn: ({ uses }) => uses.some((one) => SCAN_ACTION.test(one)) },
  {
    did: 'tended issues or pull requests',
    needs: 'the same for all packages',
    // Such an event may also start tests of forks.
    isIn: (workflow) =>
      (workflow.events.some((one) => TENDING_EVENT.test(one)) && !ranTests(workflow)) ||
      workflow.uses.some((one) => TENDING_ACTION.test(one)),
  },
  { did: 'ran on a schedule', needs: 'a schedule', isIn: ({ events }) => events.includes('schedule') },
  { did: 'was called by other workflows', needs: 'its inputs', isIn: ({ events }) => events.includes('workflow_call') },
];

/** `npm ci` installs. */
function ranTests({ commands }: Workflow): boolean {
  return commands.some((one) => TESTS.test(one) && !/\bnpm (?:-\S+ )*ci\b/.test(one));
}

function isRelease({ commands, uses }: Workflow): boolean {
  return RELEASE_TOOLS.some(({ command }) => commands.some((one) => command.test(one))) || uses.some((one) => RELEASE_ACTION.test(one));
}

function remarksOf(text: string, scripts: Readonly<Record<string, string>>, replaced: readonly string[]): readonly Message[] {
  const workflow = readWorkflow(text, scripts);
  const topic = workflow !== undefined && isRelease(workflow) ? 'releases' : 'workflows';
  const lines = text.split('\n').flatMap((line, at) => (setsCredential(line) ? [`line ${at + 1}`] : []));
  return [
    workflow === undefined ? UNREADABLE : { topic, text: 'It no longer runs.', detail: describe(workflow, text) },
    ...listing(CREDENTIAL, lines, 5),
    ...listing({ topic, text: REPLACED }, replaced, 5),
  ];
}

const REPLACED = 'In a workflow of the root, its commands need others in their place.';
const UNREADABLE: Message = { topic: 'workflows', text: 'It no longer runs, and migrate-repo cannot read it.' };
const CREDENTIAL: Message = {
  topic: 'credentials',
  text: 'It seems to contain a credential, which is not shown here and is also in the history: revoke it where it was issued, and use a secret.',
};

/** Returns what a workflow did, and what the monorepo needs in its place. */
function describe(workflow: Workflow, text: string): string {
  const duties = DUTIES.filter(({ isIn }) => isIn(workflow));
  const called = workflow.uses.filter((one) => one.includes('/.github/workflows/')).map((one) => `called \`${one.replaceAll('`', "'")}\``);
  const did = [...duties.map((duty) => duty.did), ...called];
  const needs = [...duties.map((duty) => duty.needs), ...settingsIn(workflow, text)];
  const done = did.length === 0 ? 'its keys do not show what it did' : `it ${did.join(', ')}`;
  return needs.length === 0 ? done : `${done}; needed in its place: ${needs.join(', ')}`;
}

/** Returns what a repository must have for it: secrets, variables, environments and own runners. */
function settingsIn({ jobs }: Workflow, text: string): readonly string[] {
  const secrets = namesIn(text, /\bsecrets\.([\w-]+)/g).filter((name) => name !== 'GITHUB_TOKEN');
  const variables = namesIn(text, /\bvars\.([\w-]+)/g);
  const environments = jobs.flatMap(({ environment }) => {
    const name = isPlainObject(environment) ? environment['name'] : environment;
    return typeof name === 'string' ? [name] : [];
  });
  const isOwnRunner = jobs.some((job) => JSON.stringify(job['runs-on'] ?? '').includes('self-hosted'));
  return [
    ...(secrets.length === 0 ? [] : [`the secrets ${secrets.join(', ')}`]),
    ...(variables.length === 0 ? [] : [`the variables ${variables.join(', ')}`]),
    ...(environments.length === 0 ? [] : [`the environments ${[...new Set(environments)].join(', ')}`]),
    ...(isOwnRunner ? ['self-hosted runners'] : []),
  ];
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
}

/** Returns a workflow; `undefined` if it is not valid. */
function readWorkflow(text: string, scripts: Readonly<Record<string, string>>): Workflow | undefined {
  const value: unknown = readYaml(text)?.toJS();
  if (!isPlainObject(value) || !isPlainObject(value['jobs'])) return undefined;
  const jobs = Object.values(value['jobs']).filter(isPlainObject);
  const steps = jobs.flatMap((job) => (Array.isArray(job['steps']) ? job['steps'].filter(isPlainObject) : []));
  const own = steps.flatMap(({ run }) => (typeof run === 'string' ? commandsIn(run) : []));
  return {
    events: eventsOf(value['on']),
    jobs,
    commands: [...own, ...own.flatMap((command) => startedBy(command, scripts))],
    uses: [...jobs, ...steps].flatMap(({ uses }) => (typeof uses === 'string' ? [uses.replace(/@.*$/, '')] : [])),
  };
}

function eventsOf(on: unknown): readonly string[] {
  if (typeof on === 'string') return [on];
  return Array.isArray(on) ? on.map(String) : Object.keys(isPlainObject(on) ? on : {});
}

function commandsIn(script: string): readonly string[] {
  return shellCommandsIn(script).map(({ text }) => text);
}

/** Returns the commands of the script in package.json that a command runs by name. */
function startedBy(command: string, scripts: Readonly<Record<string, string>>): readonly string[] {
  const [, name = ''] = /^(?:npm|yarn|pnpm)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/.exec(command) ?? [];
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  return script === undefined ? [] : commandsIn(script);
}
