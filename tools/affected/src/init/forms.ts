import { ToolError } from '@tributary/model/errors';
import type { EngineSetup } from '../engines/engine.js';

/** How tests run: all in one job; in a job for each machine, with a gate; or so, with everything, and a report of what would be left out. */
export const FORMS = ['one-job', 'sharded', 'report-only'] as const;
export type Form = (typeof FORMS)[number];

/** A commit of a repository that has the templates, which a workflow uses instead of copies. */
export interface Reference {
  /** `acme/tributary` */
  readonly repository: string;
  readonly commit: string;
}

/** Parses `acme/tributary@<commit>`. Throws `USAGE`: a branch or tag may move. */
export function parseReference(text: string): Reference {
  const [, repository = '', commit = ''] = /^([\w.-]+(?:\/[\w.-]+)+)@([0-9a-f]{40}|[0-9a-f]{64})$/.exec(text) ?? [];
  if (commit !== '') return { repository, commit };
  throw new ToolError({
    code: 'USAGE',
    message: `--uses must be a repository with a full commit id, not "${text.slice(0, 80)}".`,
    hint: 'Such as: --uses acme/tributary@$(git -C <tributary> rev-parse HEAD)',
  });
}

/** Returns the template files of a form; `undefined` if the engine does not have it. */
export function filesOfForm({ files, oneJob }: EngineSetup, form: Form): EngineSetup['files'] | undefined {
  return form === 'one-job' ? oneJob : files;
}

/** Returns a template that only reports. Each engine has one place for the options of a plan; on GitHub it is an input. */
export function withReportOnly(template: string): string {
  const changed = template.replace(/(\boptions: |PLAN_OPTIONS: |\{PLAN_OPTIONS:-"|planOptions = ')(?=--max-shards)/, '$1--report-only ');
  return withInput(changed, 'report-only: true', 'first');
}

/** Returns a template that runs these tasks in one plan. */
export function withTasks(template: string, tasks: readonly string[]): string {
  if (tasks.length < 2) return template;
  const list = tasks.join(',');
  const options = /(\boptions: |PLAN_OPTIONS: |\{PLAN_OPTIONS:-"?|planOptions = ')(?=--(?:report-only|max-shards|shards))/g;
  return withInput(template.replace(options, `$1--task ${list} `), `task: '${list}'`, 'first');
}

/** How a job on GitHub uses the action, copied or by reference, with the inputs that it has. */
const USE = String.raw`^( *)(- )?(uses: (?:\./\.github/actions/affected|\S+/ci/github@\w+)\n)(?: *with: \{ (.+) \}\n)?`;

/** Adds an input to the first use of the action on GitHub, which makes the plan, to every one, or to the one that runs tests. */
export function withInput(workflow: string, input: string, to: 'first' | 'every' | 'tests'): string {
  let count = 0;
  return workflow.replace(new RegExp(USE, 'gm'), (whole, start: string, dash = '', use: string, inputs = '') => {
    count++;
    if ((to === 'first' && count > 1) || (to === 'tests' && /\bpart: (?:plan|gate)\b/.test(inputs))) return whole;
    const all = inputs === '' ? input : `${inputs}, ${input}`;
    return `${start}${dash}${use}${start}${dash.replace('-', ' ')}with: { ${all} }\n`;
  });
}

/** How the file of an engine that begins a run uses the other templates in a repository. */
export const BY_REFERENCE: Readonly<Record<string, typeof usesOnGitHub>> = { github: usesOnGitHub, gitlab: includesOnGitLab };

/** What the file of a repository says itself. */
export interface Own {
  readonly node: string | undefined;
  readonly tasks: readonly string[];
}

function usesOnGitHub(template: string, { repository, commit }: Reference, { node }: Own): string {
  const using = template.replaceAll('uses: ./.github/actions/affected\n', `uses: ${repository}/ci/github@${commit}\n`);
  return node === undefined ? using : withInput(using, `node-version: '${node}'`, 'every');
}

function includesOnGitLab(template: string, reference: Reference, own: Own): string {
  return template.includes('- local: ') ? includesShards(template, reference, own) : includesOneJob(reference, own);
}

function includesOneJob({ repository, commit }: Reference, { node, tasks }: Own): string {
  const own = [
    ...(node === undefined ? [] : [`  image: node:${node}\n`]),
    ...(tasks.length < 2 ? [] : ['  variables:\n    PLAN_OPTIONS: --shards 1\n']),
  ];
  return `# Tests what a change can affect. In the settings for merge requests switch "Pipelines must succeed" on.
include:
  - project: ${repository}
    ref: ${commit}
    file: /ci/gitlab/one-job.yml
${own.length === 0 ? '' : `affected:\n${own.join('')}`}`;
}

/** Includes the same files from the project. The child pipeline includes one of them too, and would look for it in the team's repository. */
function includesShards(template: string, { repository, commit }: Reference, { node }: Own): string {
  const image = node === undefined ? '' : `      image: node:${node}\n`;
  const included = template.replaceAll(/- local: (\S+)/g, `- project: ${repository}\n    ref: ${commit}\n    file: /ci/gitlab/$1`);
  return `${included}${image}tests:
  trigger:
    include:
      - project: ${repository}
        ref: ${commit}
        file: /ci/gitlab/.gitlab/affected.yml
      - artifact: .tributary/child.yml
        job: plan
`;
}
