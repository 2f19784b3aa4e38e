import { isPlainObject } from '@tributary/model/plain-object';
import { readLooseJson, setJson } from '../../edit/edit-json.js';
import { type CarryOverRule, dropped, firstOf, kept, type RuleOutcome, type RuleSubject, without } from '../rule.js';

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
  reason: 'Renovate reads the file of the root; package rules are carried over, only for the files of the package',
  apply: mergeRules,
};

type PackageRule = Readonly<Record<string, unknown>>;

function mergeRules(subject: RuleSubject): RuleOutcome {
  const [file = '', ...others] = PLACES.filter((place) => subject.files.includes(place));
  const root = firstOf(subject, PLACES);
  const config = readLooseJson(subject.read(file) ?? '');
  const rootText = root === undefined ? undefined : subject.monorepo.read(root);
  const rootConfig = readLooseJson(rootText ?? '');
  if (root === undefined) return { edits: new Map(), notes: subject.files.map((one) => kept(one, NONE)) };
  if (rootText === undefined || !isPlainObject(config) || !isPlainObject(rootConfig))
    return {
      edits: new Map(),
      notes: subject.files.map((one) => kept(one, UNREADABLE)),
    };
  const mark = `${subject.importedPackage.name} (migrate-repo)`;
  const added = rulesIn(config).map((rule) => forPackage(rule, subject, mark));
  const text = withRules(rootText, rulesIn(rootConfig), { mark, added });
  const rest = Object.keys(config).filter((key) => key !== 'packageRules' && key !== '$schema');
  const remarks = rest.length === 0 ? [] : [{ ...FOR_ALL, detail: rest.join(', ') }];
  const done =
    added.length === 0
      ? { text: 'It was removed: it has no package rules.' }
      : { text: `Its package rules were added to \`${root}\`, for the files of the package.` };
  const edits = new Map([...without(subject, subject.files), [root, text] as const]);
  const unused = others.map((one) => dropped(one, 'It was removed: Renovate did not use it.'));
  return { edits, notes: [{ file, action: 'merge', done, remarks }, ...unused] };
}

const NONE = {
  text: 'Unused: this file has no effect below the root, and the root has none. Delete it, or move it to the root.',
};

const UNREADABLE = {
  topic: 'workflows' as const,
  text: 'Unused: this file has no effect below the root. It or the one of the root is not valid JSON, so carry its package rules over by hand.',
};

const FOR_ALL = {
  topic: 'workflows' as const,
  text: 'Only its package rules were carried over, because its other settings would apply to all packages: see its history.',
};

/** Adds rules after the existing ones. Rules that an earlier run added for the package are replaced; others are not changed. */
function withRules(
  text: string,
  there: readonly PackageRule[],
  own: { readonly mark: string; readonly added: readonly PackageRule[] },
): string {
  const places = [...there.keys()].filter((at) => describes(there[at] ?? {}, own.mark));
  return own.added.reduce(
    (before, rule, at) => setJson(before, ['packageRules', places[at] ?? there.length + at - places.length], rule),
    text,
  );
}

function rulesIn(config: Readonly<Record<string, unknown>>): readonly PackageRule[] {
  const rules = config['packageRules'];
  return Array.isArray(rules) ? rules.filter(isPlainObject) : [];
}

/** Returns a rule limited to the package. Its description identifies it when it is written again. */
function forPackage(rule: PackageRule, { importedPackage }: RuleSubject, mark: string): PackageRule {
  const { matchFileNames, matchPaths, description, ...rest } = rule;
  const files = [matchFileNames, matchPaths].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  const moved = files.map((glob) =>
    glob.startsWith('!') ? `!${importedPackage.path}/${glob.slice(1)}` : `${importedPackage.path}/${glob}`,
  );
  const descriptions = Array.isArray(description) ? description : description === undefined ? [] : [description];
  return { description: [mark, ...descriptions], matchFileNames: moved.length === 0 ? [`${importedPackage.path}/**`] : moved, ...rest };
}

function describes(rule: PackageRule, mark: string): boolean {
  const description = rule['description'];
  return Array.isArray(description) && description[0] === mark;
}
