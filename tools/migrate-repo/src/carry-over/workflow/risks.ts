import { isPair, isScalar, visit } from 'yaml';
import { setsCredential } from '../../credentials.js';
import type { Message } from '../../message.js';
import { linesWith } from '../config-paths.js';
import { someOf } from '../rule.js';
import { lineOf } from './directories.js';
import { eventsOf } from './triggers.js';
import { mapAt, type Step, scalarAt, textsIn, type WorkflowDocument } from './workflow-document.js';

type Finder = (workflow: WorkflowDocument) => Pick<Message, 'topic' | 'text'> & { readonly found: readonly string[] };

/** Reports dangers of a workflow that runs with the monorepo's permissions and secrets. Lines are those of the source. */
export function workflowRisks(workflow: WorkflowDocument): readonly Message[] {
  return FINDERS.flatMap((finder) => {
    const { found, ...message } = finder(workflow);
    return found.length === 0 ? [] : [{ ...message, detail: someOf(found) }];
  });
}

const FINDERS: readonly Finder[] = [foreignStart, injection, credentials, allRights, allSecrets, unpinned];

function foreignStart({ value }: WorkflowDocument) {
  const found = [...eventsOf(value['on']).keys()].filter((name) => name === 'pull_request_target' || name === 'workflow_run');
  return {
    topic: 'workflow-risks' as const,
    text: 'A workflow ran code from strangers with rights and secrets: review what it checks out and runs before you restore that trigger.',
    found: found.map((name) => `\`${name}\``),
  };
}

/** Values that strangers control: titles, texts, names of branches and authors. Based on GitHub's own list of untrusted inputs. */
const UNTRUSTED = new RegExp(
  [
    String.raw`\$\{\{[^}]*\b(github\.(?:head_ref`,
    String.raw`event\.(?:issue|pull_request|discussion)\.(?:title|body)`,
    String.raw`event\.(?:comment|review|review_comment)\.body`,
    String.raw`event\.pages[\w*[\].]*\.page_name`,
    String.raw`event\.(?:workflow_run\.)?(?:head_commit|commits[\w*[\].]*)\.(?:message|author\.(?:name|email))`,
    String.raw`event\.pull_request\.head\.(?:ref|label|repo\.default_branch)`,
    String.raw`event\.workflow_run\.(?:head_branch|display_title)))\b[^}]*\}\}`,
  ].join('|'),
  'g',
);

function injection({ text, jobs }: WorkflowDocument) {
  const scripts = jobs.flatMap(({ steps }) => steps.flatMap(scriptOf));
  const found = scripts.flatMap(({ value, range }) =>
    [...value.matchAll(UNTRUSTED)].map((one) => `\`${one[1] ?? ''}\` in line ${lineIn(text, { value, range }, one.index)}`),
  );
  return {
    topic: 'workflow-risks' as const,
    text: 'Strangers can inject commands into a script, because it contains text that they control: pass that text as an environment variable.',
    found: [...new Set(found)],
  };
}

interface Script {
  readonly value: string;
  readonly range: readonly number[];
}

function scriptOf({ node, action }: Step): readonly Script[] {
  const inputs = mapAt(node, 'with');
  const script = action === 'actions/github-script' && inputs !== undefined ? scalarAt(inputs, 'script') : undefined;
  return [scalarAt(node, 'run'), script].flatMap((scalar) =>
    typeof scalar?.value === 'string' ? [{ value: scalar.value, range: scalar.range ?? [0] }] : [],
  );
}

/** Returns the line of a position in a script. A multi-line script begins one line below its mark. */
function lineIn(text: string, { value, range }: Script, at: number): number {
  const start = range[0] ?? 0;
  const head = /^[|>]/.test(text.slice(start)) ? 1 : 0;
  return lineOf(text, start) + head + value.slice(0, at).split('\n').length - 1;
}

function credentials({ text, root }: WorkflowDocument) {
  const lines = new Set(linesWith(text, CREDENTIAL_KEY));
  for (const scalar of textsIn(root)) {
    const start = lineOf(text, scalar.range?.[0] ?? 0);
    text
      .slice(...(scalar.range?.slice(0, 2) ?? [0, 0]))
      .split('\n')
      .forEach((line, at) => {
        if (setsCredential(line)) lines.add(start + at);
      });
  }
  return {
    topic: 'credentials' as const,
    text: 'It seems to contain a credential, which is not shown here and is also in the history: revoke it where it was issued, and use a secret.',
    found: [...lines].sort((a, b) => a - b).map((line) => `line ${line}`),
  };
}

/** `NPM_TOKEN: abcdef…`, as a literal. */
const CREDENTIAL_KEY =
  /^\s*-?\s*["']?[\w-]*(?:TOKEN|SECRET|PASSWORD|API_?KEY|PRIVATE_?KEY)["']?\s*:\s*["']?(?!\s*["']?\s*$)(?!\$\{?\{?)(?!(?:true|false|write|read|none|inherit|required)\b)[^\s"'#{[]{12,}["']?\s*$/i;

function allRights({ text }: WorkflowDocument) {
  return {
    topic: 'workflow-risks' as const,
    text: 'It can write everything (`permissions: write-all`): list only the permissions that it needs.',
    found: linesWith(text, /^\s*permissions:\s*["']?write-all\b/).map((line) => `line ${line}`),
  };
}

function allSecrets({ text }: WorkflowDocument) {
  return {
    topic: 'workflow-risks' as const,
    text: 'It passes on all secrets of the monorepo (`secrets: inherit`): list only those that are needed.',
    found: linesWith(text, /^\s*secrets:\s*["']?inherit\b/).map((line) => `line ${line}`),
  };
}

/** Reports actions that are not pinned. Those of GitHub itself are omitted, as in GitHub's own scanner. */
function unpinned({ root }: WorkflowDocument) {
  const found = new Set<string>();
  visit(root, {
    Pair: (_, pair) => {
      const uses = isPair(pair) && isScalar(pair.key) && pair.key.value === 'uses' && isScalar(pair.value) ? String(pair.value.value) : '';
      if (/^[\w.-]+\/[\w./-]+@/.test(uses) && !/^(?:actions|github)\//.test(uses) && !/@[0-9a-f]{40}$/.test(uses)) found.add(`\`${uses}\``);
    },
  });
  return {
    text: 'Third-party actions are pinned to a tag or a branch, which their owners can move: pin them to a commit.',
    found: [...found],
  };
}
