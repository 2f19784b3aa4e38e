import { parseManifest } from '@tributary/workspaces/manifest';
import { MANIFEST_FIELDS } from '../manifest/fields.js';
import { type CarryOverRule, type FileNote, inPackage, inProject, kept, type RuleOutcome, type RuleSubject } from '../rule.js';

export const manifest: CarryOverRule = {
  title: 'package.json',
  matches: ['package.json'],
  action: 'keep',
  reason: 'it is the manifest of the workspace; fields that are allowed only at the root are removed',
  apply: alignFields,
};

/** Returns one note for each field that changes or needs a decision; one for the file if there are none. */
function alignFields(subject: RuleSubject): RuleOutcome {
  const file = 'package.json';
  const before = subject.read(file) ?? '';
  const notes: FileNote[] = [];
  const root = parseManifest(subject.monorepo.read(inProject(subject, file)) ?? '', file);
  let text = before;
  for (const field of MANIFEST_FIELDS) {
    const parsed = parseManifest(text, inPackage(subject, file)).raw;
    const { text: after = text, done, remarks = [] } = field({ text, manifest: parsed, root: root.raw, subject }) ?? {};
    text = after;
    if (done !== undefined || remarks.length > 0) notes.push({ file, action: 'keep', done, remarks });
  }
  return { edits: new Map([[inPackage(subject, file), text]]), notes: notes.length === 0 ? [kept(file)] : notes };
}
