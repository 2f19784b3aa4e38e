import type { RepoPath } from '@tributary/model/paths';
import { type CarryOverRule, inPackage, type Note, type RuleOutcome, type Subject } from '../rule.js';
import { disableWorkflow, workflowNeeds } from '../workflow.js';

export const workflows: CarryOverRule = {
  title: 'GitHub workflows',
  matches: ['.github/workflows/*.yml', '.github/workflows/*.yaml'],
  action: 'merge',
  reason: 'GitHub runs those at the root only; what they install, cache and publish is to be looked at before they run there',
  apply: moveWorkflows,
};

function moveWorkflows(subject: Subject): RuleOutcome {
  const edits = new Map<RepoPath, string | undefined>();
  const notes = subject.files.map((file): Note => {
    const target = targetOf(subject, file);
    const text = subject.read(file);
    const disabled = text === undefined ? undefined : disableWorkflow(text, { subject, file });
    if (text === undefined || disabled === undefined)
      return {
        file,
        action: 'keep',
        done: 'It stays in the package, where it never runs.',
        decision: 'It cannot be read as a workflow: carry it over by hand.',
      };
    const there = subject.monorepo.read(target);
    if (there !== undefined && there !== disabled)
      return {
        file,
        action: 'keep',
        done: 'It stays in the package, where it never runs.',
        decision: `${target} is there and says something else: put the two together.`,
      };
    edits.set(target, disabled);
    edits.set(inPackage(subject, file), undefined);
    return { file, action: 'merge', done: `It is ${target} now, and only runs by hand.`, decision: decisionOf(text, target) };
  });
  return { edits, notes };
}

/** `ci.yml` of d3-array -> `.github/workflows/d3-array-ci.yml`. */
export function targetOf({ shortName }: Pick<Subject, 'shortName'>, file: string): RepoPath {
  return `.github/workflows/${shortName}-${file.slice(file.lastIndexOf('/') + 1)}` as RepoPath;
}

function decisionOf(text: string, target: RepoPath): string {
  const needs = workflowNeeds(text);
  const said = needs.length === 0 ? '' : ` It uses ${needs.join('; ')}.`;
  return `Look through ${target}: take it away if the workflows of the monorepo do its work; else put its former triggers back with the paths proposed at its top.${said}`;
}
