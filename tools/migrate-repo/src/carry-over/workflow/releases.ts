import { isPlainObject } from '@tributary/model/plain-object';
import type { Message } from '../../message.js';
import { someOf } from '../rule.js';
import { lineOf } from './directories.js';
import { type Step, scalarAt, textAt, type WorkflowDocument } from './workflow-document.js';

/** A way to release in a workflow step, and its effect in a monorepo. */
interface ReleaseKind {
  readonly text: string;
  readonly commands?: RegExp;
  readonly actions?: RegExp;
}

/** What may precede the program in a command: variables, and runners of package programs with their options. */
const START = [
  String.raw`^(?:[A-Za-z_]\w*=\S*\s+)*`,
  String.raw`(?:(?:npx|bunx|pnpx|npm\s+(?:exec|x)|(?:yarn|pnpm)(?:\s+(?:run|dlx|exec))?)(?:\s+-\S*(?:\s+[\w@./][\w@./-]*)?)*?\s+)?`,
  String.raw`(?:\S*node_modules/\.bin/)?`,
].join('');

/** Matches the program of a command. A similar word, such as in a path or after `echo`, does not match. */
function program(names: string): RegExp {
  return new RegExp(`${START}(${names})(?=@|\\s|$)`);
}

const KINDS: readonly ReleaseKind[] = [
  {
    text: 'A workflow releases with a tool that treats the tags and commits of the whole repository as those of the package.',
    commands: program('semantic-release|release-it|np|standard-version|commit-and-tag-version|auto shipit|release-please'),
  },
  {
    text: 'A workflow releases with a tool that works at the root, where it would release the whole monorepo.',
    commands: program('lerna (?:publish|version)|changeset (?:publish|version)|beachball publish|multi-semantic-release'),
  },
  {
    text: 'A workflow publishes the files of a folder: check that it builds them first, and that the manifest there is right.',
    commands: /^(?:[A-Za-z_]\w*=\S*\s+)*((?:npm|pnpm|yarn|yarn npm) publish)(?=\s|$)/,
  },
  {
    text: 'A workflow releases with an action, which runs at the root instead of in the folder of the package.',
    actions:
      /^(?:changesets\/action|cycjimmy\/semantic-release-action|codfish\/semantic-release-action|(?:google-github-actions|googleapis)\/release-please-action|js-devtools\/npm-publish)$/i,
  },
];

/**
 * Reports steps that would release the package with the monorepo's tags, commits or folder. `scripts`: those of the
 * package.json, which steps may run.
 */
export function releaseSteps(workflow: WorkflowDocument, scripts: unknown): readonly Message[] {
  const steps = workflow.jobs.flatMap((job) => job.steps);
  return KINDS.flatMap((kind) => {
    const found = steps.flatMap((step) => foundIn(workflow.text, step, { kind, scripts }));
    return found.length === 0 ? [] : [{ topic: 'releases' as const, text: kind.text, detail: someOf(found) }];
  });
}

function foundIn(
  text: string,
  step: Step,
  { kind, scripts }: { readonly kind: ReleaseKind; readonly scripts: unknown },
): readonly string[] {
  const { commands, actions } = kind;
  const uses = scalarAt(step.node, 'uses');
  if (step.action !== undefined && actions?.test(step.action) === true)
    return [`\`${step.action}\` in line ${lineOf(text, uses?.range?.[0] ?? 0)}`];
  const run = scalarAt(step.node, 'run');
  if (commands === undefined || run === undefined) return [];
  const own = commandsIn(textAt(step.node, 'run') ?? '');
  const name = firstMatch([...own, ...own.flatMap((command) => startedBy(command, scripts))], commands);
  return name === undefined ? [] : [`\`${name}\` in line ${lineOf(text, run.range?.[0] ?? 0)}`];
}

/** Returns the pattern's group in the first command that it matches. */
function firstMatch(commands: readonly string[], pattern: RegExp): string | undefined {
  return commands.flatMap((command) => pattern.exec(command)?.[1] ?? [])[0];
}

function commandsIn(script: string): readonly string[] {
  return script.split(/[;&|\n]+/).map((command) => command.trim());
}

/** Returns the commands of the package's script that a command runs by name. */
function startedBy(command: string, scripts: unknown): readonly string[] {
  const [, name = ''] = /^(?:npm|yarn|pnpm)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/.exec(command) ?? [];
  const script = isPlainObject(scripts) ? scripts[name] : undefined;
  return typeof script === 'string' ? commandsIn(script) : [];
}

/**
 * Reports jobs that call a workflow of another repository. It checks out by itself, and the defaults of this workflow
 * do not apply to it.
 */
export function calledWorkflows({ text, jobs }: WorkflowDocument): readonly Message[] {
  const called = jobs.flatMap(({ node }) => {
    const uses = textAt(node, 'uses');
    const line = lineOf(text, scalarAt(node, 'uses')?.range?.[0] ?? 0);
    return uses === undefined || uses.startsWith('./') ? [] : [`\`${uses.replaceAll('`', "'")}\` in line ${line}`];
  });
  if (called.length === 0) return [];
  return [
    {
      topic: 'called-workflows',
      text: 'A workflow calls a workflow of another repository, which runs at the root.',
      detail: someOf(called),
    },
  ];
}
