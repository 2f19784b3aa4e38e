import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import { addRules } from '@tributary/workspaces/rules-edit';
import type { CiEngine, EngineSetup } from '../engines/engine.js';
import { ENGINES } from '../engines/engines.js';
import {
  BY_REFERENCE,
  type Form,
  filesOfForm,
  type Own,
  parseReference,
  type Reference,
  withReportOnly,
  withTasks,
} from '../init/forms.js';
import type { AffectedInitResult, FoundEngine, ProposedFile, Shortcoming } from '../init/init-result.js';
import { hiddenVariables, nodeProblems, plannedTasks, problemsOf, usableVersion, workflowProblems } from '../init/judge-survey.js';
import { nextSteps, type StepFacts } from '../init/next-steps.js';
import { withNodeVersion } from '../init/node-version.js';
import { inWords } from '../init/settings.js';
import { divideSettings, withSettings } from '../init/write-settings.js';
import { readIfThere, writeNewFiles } from '../io/new-files.js';
import { type SurveyedProject, surveyProject, UNREAD } from './survey.js';

export interface AffectedInitRequest {
  readonly cwd: AbsolutePath;
  /** `undefined`: the engine whose files are found. */
  readonly engine: string | undefined;
  /** `undefined`: in shards. */
  readonly form?: Form | undefined;
  /** `acme/tributary@<commit>`: use the templates there; `undefined`: copy them. */
  readonly uses?: string | undefined;
  /** As in the result. */
  readonly findings: AffectedInitResult['findings'];
}

/** A proposal, with the facts for its next steps. */
interface Proposal {
  readonly result: AffectedInitResult;
  readonly facts: StepFacts;
}

/** The package that CI jobs start. Without a rule, every update of it would select every workspace. */
const PACKAGE = 'ci/affected.tgz';

/**
 * Proposes the files for a monorepo's start with affected, and writes nothing. Throws the errors of `surveyProject`, `CONFIG_INVALID` for an
 * invalid tributary.json, and `USAGE` for a form that the engine does not have.
 */
export async function proposeSetup(request: AffectedInitRequest, services: Pick<Services, 'signal'>): Promise<Proposal> {
  const project = await surveyProject(request.cwd, services);
  const { survey, engines, workTree } = project;
  const chosen = chooseEngine(request.engine, engines);
  const setup = chosen?.setup;
  const blockers = problemsOf(survey);
  const form = request.form ?? 'sharded';
  const shape = chosen === undefined ? undefined : shapeOf(chosen, form, request.uses);
  const workflow = shape === undefined || blockers.length > 0 ? undefined : workflowFiles(shape, project);
  const brings = !(chosen?.name === 'github' && shape?.reference !== undefined);
  const files = [settingsFile(project, brings), ...(workflow?.files ?? [])];
  const facts: StepFacts = {
    survey,
    setup: setup === undefined || form !== 'one-job' ? setup : { ...setup, require: setup.requireOneJob ?? setup.require },
    form,
    files,
    uncommitted: await uncommitted(project),
    notIgnored: await notIgnored(project, setup),
    lacksPackage: brings && readIfThere(workTree, PACKAGE) === undefined,
    packageFolder: packageFolder(),
  };
  const result: AffectedInitResult = {
    schemaVersion: 1,
    state: files.some(({ state }) => state === 'new') ? 'planned' : 'unchanged',
    project: survey,
    findings: request.findings,
    engines,
    engine: workflow === undefined ? null : (chosen?.name ?? null),
    form: workflow === undefined ? null : form,
    tasks: workflow === undefined ? [] : plannedTasks(survey),
    taken: workflow?.taken ?? [],
    files,
    problems: [
      ...blockers,
      ...engineProblems(request.engine, engines),
      ...project.unread,
      ...unseen(project, chosen, files),
      ...(workflow?.problems ?? []),
    ],
    next: nextSteps(facts),
  };
  return { result, facts };
}

/** Writes the agreed new files: all or, after a failure, none. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function writeSetup({ result, facts }: Proposal, top: AbsolutePath, isAgreed: (file: ProposedFile) => boolean): AffectedInitResult {
  const wanted = result.files.filter((file) => file.state === 'new' && isAgreed(file));
  writeNewFiles(top, wanted);
  const files = result.files.map((file) => (wanted.includes(file) ? { ...file, written: true } : file));
  if (wanted.length === 0) return result;
  // A declined file needs no steps.
  const kept = files.filter((file) => file.state !== 'new' || file.written);
  return { ...result, state: 'written', files, next: nextSteps({ ...facts, files: kept }) };
}

/** Throws `USAGE` if a script agreed to everything, but there are several engines. */
export function refuseSeveralEngines({ engines }: AffectedInitResult, { engine }: Pick<AffectedInitRequest, 'engine'>): void {
  if (engine !== undefined || engines.length < 2) return;
  throw new ToolError({
    code: 'USAGE',
    message: `The repository has files of several CI engines: ${engines.map(({ title }) => title).join(', ')}.`,
    hint: `Name the one that runs the tests, such as --engine ${engines[0]?.name}, or --engine none.`,
  });
}

function chooseEngine(wanted: string | undefined, found: readonly FoundEngine[]): CiEngine | undefined {
  const name = wanted ?? (found.length === 1 ? found[0]?.name : undefined);
  return ENGINES.find((one) => one.name === name);
}

function engineProblems(wanted: string | undefined, found: readonly FoundEngine[]): readonly Shortcoming[] {
  if (wanted !== undefined || found.length === 1) return [];
  const names = ENGINES.map(({ name }) => name).join(', ');
  return found.length === 0
    ? [{ message: 'The repository has no committed files of a CI engine.', hint: `Name yours with --engine: ${names}.` }]
    : [
        {
          message: `The repository has files of several CI engines: ${found.map(({ title }) => title).join(', ')}.`,
          hint: `Name the one that runs the tests, such as --engine ${found[0]?.name}.`,
        },
      ];
}

/** Tells that tests of another engine than GitHub are not seen in its files, unless these were written before. */
function unseen(
  { present, unread, engines }: SurveyedProject,
  chosen: CiEngine | undefined,
  files: readonly ProposedFile[],
): readonly Shortcoming[] {
  if (present !== undefined || unread.length > 0 || chosen?.name === 'github') return [];
  const there = engines.find(({ name }) => name === chosen?.name)?.files ?? [];
  const [path] = there.filter((one) => !files.some((file) => file.path === one && file.state === 'same'));
  return path === undefined ? [] : [{ message: `affected sees no tests in ${path}.`, hint: UNREAD }];
}

/** The files of a workflow, by template, and how each is adapted. */
interface Shape {
  readonly files: EngineSetup['files'];
  readonly form: Form;
  readonly reference: ((template: string, own: Own) => string) | undefined;
}

function shapeOf({ name, title, setup }: CiEngine, form: Form, uses: string | undefined): Shape {
  const files = filesOfForm(setup, form);
  if (files === undefined) throw refused(`--form ${form} has no template for ${title}.`, 'Use --form sharded.');
  if (uses === undefined) return { files, form, reference: undefined };
  const reference: Reference = parseReference(uses);
  const write = BY_REFERENCE[name];
  const [first] = Object.entries(files);
  if (write === undefined || first === undefined) throw refused('--uses is for GitHub and GitLab.', 'Leave it out to copy the templates.');
  return { files: Object.fromEntries([first]), form, reference: (template, own) => write(template, reference, own) };
}

function refused(message: string, hint: string): ToolError {
  return new ToolError({ code: 'USAGE', message, hint });
}

/** What a new file begins with: who starts has no scripts to keep. */
const STRICT = '{\n  "affected": {\n    "strictScripts": true\n  }\n}\n';

/** Proposes tributary.json with a rule for the package; one that already has such a rule stays unchanged. Throws `CONFIG_INVALID`. */
function settingsFile({ survey, folder }: SurveyedProject, bringsPackage: boolean): ProposedFile {
  const present = readIfThere(folder, 'tributary.json');
  const rules = present === undefined ? [] : parseConfigFile(present, 'tributary.json').affected.rules;
  const path = survey.root === '' ? 'tributary.json' : `${survey.root}/tributary.json`;
  if (present !== undefined && (!bringsPackage || rules.some(({ files }) => files.includes(PACKAGE))))
    return { path, purpose: 'settings', state: 'same', content: present, written: false };
  const content = bringsPackage ? addRules(present ?? STRICT, [{ files: [PACKAGE], affects: 'none' }]) : STRICT;
  return { path, purpose: 'settings', state: present === undefined ? 'new' : 'differs', content, written: false };
}

function workflowFiles(
  { files, form, reference }: Shape,
  { survey, present, older, workTree, folder }: SurveyedProject,
): { readonly files: readonly ProposedFile[]; readonly taken: readonly string[]; readonly problems: readonly Shortcoming[] } {
  const names = Object.keys(files);
  const takeover = present && divideSettings(present, { names, isReference: reference !== undefined, read: readTemplate });
  const variables = (takeover?.taken ?? []).flatMap(({ kind, name }) => (kind === 'variable' ? [name] : []));
  const turbo = readIfThere(folder, 'turbo.json') ?? readIfThere(folder, 'turbo.jsonc') ?? '';
  const problems: Shortcoming[] = [
    ...nodeProblems(survey),
    ...hiddenVariables(variables, turbo),
    ...workflowProblems(survey, takeover?.left ?? []),
    ...older.flatMap((workflow) => workflowProblems({ workflow }, [])),
  ];
  const tasks = plannedTasks(survey);
  const proposed = Object.entries(files).map(([template, path]): ProposedFile => {
    const text = readTemplate(template);
    const named = withMainBranch(text, survey.branch);
    if (named === undefined) problems.push({ message: `The main branch is ${JSON.stringify(survey.branch)}, not main.`, hint: BY_HAND });
    const version = usableVersion(survey.node);
    const adapted = version === undefined ? (named ?? text) : withNodeVersion(named ?? text, version);
    if (adapted === undefined) problems.push({ message: `${path} takes an image of Node 24, and tests run on ${version}.`, hint: IMAGE });
    const whole = adapted ?? named ?? text;
    const shaped = form === 'report-only' ? withReportOnly(whole) : whole;
    const formed = withTasks(reference === undefined ? shaped : reference(shaped, { node: version, tasks }), tasks);
    const content = withSettings(template, formed, takeover?.taken ?? []);
    const there = readIfThere(workTree, path);
    // A checkout on Windows may have converted the line breaks.
    const state = there === undefined ? 'new' : there.replaceAll('\r\n', '\n') === content ? 'same' : 'differs';
    return { path, purpose: 'workflow', state, content, written: false };
  });
  return {
    files: proposed,
    taken: (takeover?.taken ?? []).map(inWords),
    problems: [...new Map(problems.map((one) => [one.message, one])).values()],
  };
}

const BY_HAND = 'Replace "main" in the workflow by hand.';
const IMAGE = 'Name the image by hand.';

/** What the jobs need of the root, besides the proposed files. */
const NEEDED = ['package.json', 'yarn.lock', '.yarnrc.yml', 'turbo.json', 'turbo.jsonc'];

/** Returns those of the needed files that differ from HEAD, relative to the repository. */
async function uncommitted({ git, workTree, folder }: SurveyedProject): Promise<readonly string[]> {
  const args = [
    `--work-tree=${workTree}`,
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--',
    ...NEEDED.map((name) => join(folder, name)),
  ];
  const entries = (await git.text(args)).split('\0');
  return entries.filter((entry) => entry !== '').map((entry) => entry.slice(3));
}

/** Returns the folders of output that git does not ignore. A tracked folder, such as Yarn's cache, is meant to be there. */
async function notIgnored({ git, workTree, folder }: SurveyedProject, setup: EngineSetup | undefined): Promise<readonly string[]> {
  const isTracked = async (name: string): Promise<boolean> =>
    (await git.attempt([`--work-tree=${workTree}`, 'ls-files', '--', join(folder, name)])).stdout.length > 0;
  const written = setup?.writes === undefined || (await isTracked(setup.writes)) ? [] : [setup.writes];
  const names = ['.turbo', '.tributary', ...written];
  const ignored = await Promise.all(
    names.map(async (name) => {
      const args = [`--work-tree=${workTree}`, 'check-ignore', '--quiet', '--no-index', join(folder, name, 'file')];
      return (await git.attempt(args)).exit === 0;
    }),
  );
  return names.filter((_, at) => ignored[at] !== true);
}

/**
 * Returns a template for a repository whose main branch has another name; `undefined` if the name has characters that would need quotes in
 * one of the templates.
 */
export function withMainBranch(template: string, branch: string): string | undefined {
  if (branch === 'main') return template;
  if (!/^[A-Za-z][\w/-]*$/.test(branch)) return undefined;
  return template.replace(/(\[|MAIN: |BRANCH: |refs\/heads\/|== ['"])main(?=[\]'" ]|$)/gm, (_, before: string) => before + branch);
}

/** Returns the package folder of this program; the bundle is in its folder `out`. */
function packageFolder(): string {
  return dirname(__dirname);
}

/** Returns a CI template, by its path below `ci/` in the repository of Tributary. */
function readTemplate(name: string): string {
  return readFileSync(join(__dirname, 'templates', name), 'utf8');
}
