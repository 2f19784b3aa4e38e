import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { readLooseJson } from '../../edit/edit-json.js';
import type { Message } from '../../message.js';
import { type CarryOverRule, inPackage, kept, type Note, type RuleOutcome, type Subject, someOf } from '../rule.js';
import { lineOf } from '../workflow/directories.js';
import { workflowNeeds } from '../workflow/needs.js';
import { calledWorkflows, releaseSteps } from '../workflow/releases.js';
import { LEFT, type RewrittenWorkflow, rewriteWorkflow, workflowPath } from '../workflow/rewrite-workflow.js';
import { workflowRisks } from '../workflow/risks.js';
import { isStartedByEvents } from '../workflow/triggers.js';
import { offsetOfKey, readWorkflow, type WorkflowDocument } from '../workflow/workflow-document.js';

export const workflows: CarryOverRule = {
  title: 'GitHub workflows',
  matches: ['.github/workflows/*.yml', '.github/workflows/*.yaml'],
  action: 'merge',
  reason: 'GitHub runs only those at the root; check what they install, cache and publish before they run there',
  apply: moveWorkflows,
};

function moveWorkflows(subject: Subject): RuleOutcome {
  const edits = new Map<RepoPath, string | undefined>();
  const notes = subject.files.map((file): Note => {
    const target = workflowPath(subject.importedPackage.name, file.slice(file.lastIndexOf('/') + 1)) as RepoPath;
    const text = subject.read(file) ?? '';
    const workflow = readWorkflow(text);
    const rewritten = workflow === undefined ? undefined : rewriteWorkflow(workflow, { subject, file });
    if (workflow === undefined || rewritten === undefined)
      return kept(file, {
        topic: 'root-files',
        text: 'It does not run below the root, and migrate-repo cannot interpret it: carry it over by hand.',
      });
    const there = subject.monorepo.read(target);
    if (there !== undefined && there !== rewritten.text)
      return kept(file, {
        topic: 'root-files',
        text: 'It does not run below the root, and the root has a different workflow of the same name: merge the two.',
        detail: `\`${target}\``,
      });
    edits.set(target, rewritten.text);
    edits.set(inPackage(subject, file), undefined);
    const isStopped = isStartedByEvents(workflow.value['on']);
    const done = {
      text: isStopped ? 'It was moved to the root, and no longer starts automatically.' : 'It was moved to the root.',
      detail: `\`${target}\``,
    };
    return { file, stands: target, action: 'merge', done, remarks: remarksOf(workflow, rewritten, subject) };
  });
  return { edits, notes };
}

function remarksOf(workflow: WorkflowDocument, { text, left }: RewrittenWorkflow, subject: Subject): readonly Message[] {
  const needs = workflowNeeds(text, workflow.value);
  const uses = needs.length === 0 ? undefined : `it uses ${needs.join('; ')}`;
  return [
    { topic: 'workflows', text: isStartedByEvents(workflow.value['on']) ? LOOK : LOOK_AT_CALLED, detail: uses },
    ...(left.length === 0 ? [] : [{ ...LEFT, detail: someOf(left.map(({ line, what }) => `line ${line}: ${what}`)) }]),
    ...concurrency(workflow),
    ...releaseSteps(workflow, readManifest(subject)['scripts']),
    ...calledWorkflows(workflow),
    ...workflowRisks(workflow),
  ];
}

function readManifest({ read }: Subject): Readonly<Record<string, unknown>> {
  const manifest = readLooseJson(read('package.json') ?? '');
  return isPlainObject(manifest) ? manifest : {};
}

/** Returns a message about `concurrency`. Runs of the same group cancel each other. */
function concurrency({ text, root, jobs }: WorkflowDocument): readonly Message[] {
  const owners = [root, ...jobs.map(({ node }) => node)].filter((node) => node.has('concurrency'));
  if (owners.length === 0) return [];
  const lines = owners.map((node) => `line ${lineOf(text, offsetOfKey(node, 'concurrency'))}`);
  return [
    {
      topic: 'workflows',
      text: 'Its `concurrency` group applies to the whole repository: check that it does not cancel the runs of other workflows.',
      detail: lines.join(', '),
    },
  ];
}

const LOOK = 'Its former triggers are proposed in a comment at its top, adapted to this package.';

const LOOK_AT_CALLED = 'It starts by hand or when called, as before. Repositories that call it have to use the new path.';
