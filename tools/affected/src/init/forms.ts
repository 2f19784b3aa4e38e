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

/** How the file of an engine that begins a run in one job uses the templates of a repository. */
export const BY_REFERENCE: Readonly<Record<string, { readonly template: string; readonly write: typeof usesOnGitHub }>> = {
  github: { template: 'github/one-job.yml', write: usesOnGitHub },
  gitlab: { template: 'gitlab/one-job.yml', write: includesOnGitLab },
};

function usesOnGitHub(template: string, { repository, commit }: Reference, node: string | undefined): string {
  const inputs = node === undefined ? '' : `        with: { node-version: '${node}' }\n`;
  return template.replace(/uses: \.\/\.github\/actions\/affected\n/, `uses: ${repository}/ci/github@${commit}\n${inputs}`);
}

function includesOnGitLab(_: string, { repository, commit }: Reference, node: string | undefined): string {
  return `# Tests what a change can affect, in one job. In the settings for merge requests switch "Pipelines must succeed" on.
include:
  - project: ${repository}
    ref: ${commit}
    file: /ci/gitlab/one-job.yml
${node === undefined ? '' : `affected:\n  image: node:${node}\n`}`;
}
