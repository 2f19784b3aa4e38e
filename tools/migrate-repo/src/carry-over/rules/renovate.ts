import type { RepoPath } from '@tributary/model/paths';
import { isRecord } from '@tributary/model/record';
import { readLooseJson, setJson } from '../../edit/edit-json.js';
import { type CarryOverRule, firstAtRoot, inPackage, type Note, type RuleOutcome, type Subject, sentences } from '../rule.js';

const PLACES = [
  'renovate.json',
  'renovate.json5',
  '.github/renovate.json',
  '.github/renovate.json5',
  '.gitlab/renovate.json',
  '.renovaterc',
  '.renovaterc.json',
];

export const renovate: CarryOverRule = {
  title: 'Renovate',
  matches: PLACES,
  action: 'merge',
  reason: 'Renovate reads the file of the root; package rules are carried over for the files of the package only',
  apply: mergeRules,
};

type PackageRule = Readonly<Record<string, unknown>>;

function mergeRules(subject: Subject): RuleOutcome {
  const [file = '', ...others] = PLACES.filter((place) => subject.files.includes(place));
  const root = firstAtRoot(subject, PLACES);
  const config = readLooseJson(subject.read(file) ?? '');
  const rootText = root === undefined ? undefined : subject.monorepo.read(root);
  const rootConfig = readLooseJson(rootText ?? '');
  if (root === undefined)
    return { edits: new Map(), notes: subject.files.map((one) => kept(one, 'The root has none: take this one away, or move it there.')) };
  if (rootText === undefined || !isRecord(config) || !isRecord(rootConfig))
    return {
      edits: new Map(),
      notes: subject.files.map((one) => kept(one, `It or ${root} cannot be read as JSON: carry its package rules over by hand.`)),
    };
  const mark = `${subject.newcomer.name} (migrate-repo)`;
  const added = rulesIn(config).map((rule) => forPackage(rule, subject, mark));
  const rules = [...rulesIn(rootConfig).filter((rule) => !describes(rule, mark)), ...added];
  const text = added.length === 0 ? rootText : setJson(rootText, ['packageRules'], rules);
  const rest = Object.keys(config).filter((key) => key !== 'packageRules' && key !== '$schema');
  const decision = sentences(
    rest.length === 0 ? undefined : `Not carried over, because it would count for all: ${rest.join(', ')}. See its history.`,
  );
  const done =
    added.length === 0
      ? 'It has no package rules; it was taken away.'
      : `Its package rules stand in ${root}, for the files of the package.`;
  const edits = new Map<RepoPath, string | undefined>([
    [root, text],
    ...subject.files.map((one) => [inPackage(subject, one), undefined] as const),
  ]);
  const unused = others.map(
    (one): Note => ({ file: one, action: 'drop', done: 'It was taken away: Renovate did not use it.', decision: undefined }),
  );
  return { edits, notes: [{ file, action: 'merge', done, decision }, ...unused] };
}

function kept(file: string, decision: string): Note {
  return { file, action: 'keep', done: 'It stays in the package, where nobody reads it.', decision };
}

function rulesIn(config: Readonly<Record<string, unknown>>): readonly PackageRule[] {
  const rules = config['packageRules'];
  return Array.isArray(rules) ? rules.filter(isRecord) : [];
}

/** The description is what tells the rule from others when it is written again. */
function forPackage(rule: PackageRule, { newcomer }: Subject, mark: string): PackageRule {
  const { matchFileNames, matchPaths, description, ...rest } = rule;
  const files = [matchFileNames, matchPaths].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  const moved = files.map((glob) => (glob.startsWith('!') ? `!${newcomer.path}/${glob.slice(1)}` : `${newcomer.path}/${glob}`));
  const said = Array.isArray(description) ? description : description === undefined ? [] : [description];
  return { description: [mark, ...said], matchFileNames: moved.length === 0 ? [`${newcomer.path}/**`] : moved, ...rest };
}

function describes(rule: PackageRule, mark: string): boolean {
  const description = rule['description'];
  return Array.isArray(description) && description[0] === mark;
}
