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
  return template
    .replace(/(\boptions: |PLAN_OPTIONS: |\{PLAN_OPTIONS:-"|planOptions = ')(?=--max-shards)/, '$1--report-only ')
    .replace(/^( {4})uses: \.\/\.github\/workflows\/affected-run\.yml\n/m, '$&$1with: { report-only: true }\n');
}

/** Returns a template that runs these tasks in one plan. */
export function withTasks(template: string, tasks: readonly string[]): string {
  if (tasks.length < 2) return template;
  const list = tasks.join(',');
  return template
    .replace(/(\boptions: |PLAN_OPTIONS: |\{PLAN_OPTIONS:-"?|planOptions = ')(?=--(?:report-only|max-shards|shards))/g, `$1--task ${list} `)
    .replace(USES, (line, start: string, dash = '', inputs: string | undefined) => {
      const [first = ''] = line.split('\n');
      const own = inputs === undefined ? '' : `, ${inputs}`;
      return `${first}\n${start}${dash.replace('-', ' ')}with: { task: '${list}'${own} }\n`;
    });
}

/** How a workflow on GitHub begins its run, with the inputs that it has. */
const USES =
  /^( *)(- )?uses: (?:\.\/\.github\/(?:workflows\/affected-run\.yml|actions\/affected)|\S+\/ci\/github@\w+)\n(?: *with: \{ (.+) \}\n)?/m;

/** How the file of an engine that begins a run in one job uses the templates of a repository. */
export const BY_REFERENCE: Readonly<Record<string, { readonly template: string; readonly write: typeof usesOnGitHub }>> = {
  github: { template: 'github/one-job.yml', write: usesOnGitHub },
  gitlab: { template: 'gitlab/one-job.yml', write: includesOnGitLab },
};

/** What the file of a repository says itself. */
export interface Own {
  readonly node: string | undefined;
  readonly tasks: readonly string[];
}

function usesOnGitHub(template: string, { repository, commit }: Reference, { node }: Own): string {
  const inputs = node === undefined ? '' : `        with: { node-version: '${node}' }\n`;
  return template.replace(/uses: \.\/\.github\/actions\/affected\n/, `uses: ${repository}/ci/github@${commit}\n${inputs}`);
}

function includesOnGitLab(_: string, { repository, commit }: Reference, { node, tasks }: Own): string {
  const own = [
    ...(node === undefined ? [] : [`  image: node:${node}\n`]),
    ...(tasks.length < 2 ? [] : ['  variables:\n    PLAN_OPTIONS: --shards 1\n']),
  ];
  return `# Tests what a change can affect, in one job. In the settings for merge requests switch "Pipelines must succeed" on.
include:
  - project: ${repository}
    ref: ${commit}
    file: /ci/gitlab/one-job.yml
${own.length === 0 ? '' : `affected:\n${own.join('')}`}`;
}
