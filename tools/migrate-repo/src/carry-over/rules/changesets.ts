import type { RepoPath } from '@tributary/model/paths';
import { type CarryOverRule, type RuleOutcome, type Subject, without } from '../rule.js';

export const changesets: CarryOverRule = {
  title: 'Changesets',
  matches: ['.changeset/**'],
  action: 'merge',
  reason: 'changesets are read at the root only; those that wait for a release move there',
  apply: moveChangesets,
};

function moveChangesets(subject: Subject): RuleOutcome {
  const pending = subject.files.filter((file) => /^\.changeset\/[^/]+\.md$/i.test(file) && !/\/README\.md$/i.test(file));
  if (subject.monorepo.read('.changeset/config.json' as RepoPath) === undefined)
    return {
      edits: new Map(),
      notes: [
        {
          file: '.changeset/',
          action: 'keep',
          done: 'It stays in the package, where nobody reads it.',
          decision: `The monorepo does not use changesets: ${pending.length === 0 ? 'none waits for a release, take the folder away' : `release the ${pending.length} that wait, or set changesets up at the root`}.`,
        },
      ],
    };
  const edits = new Map(without(subject, subject.files));
  for (const file of pending) edits.set(targetOf(subject, file), subject.read(file));
  const done =
    pending.length === 0
      ? 'It was taken away: none waits for a release.'
      : `${pending.length} that wait for a release stand in .changeset/ of the root.`;
  const decision = subject.files.includes('.changeset/pre.json')
    ? 'The package was in pre-release mode: enter it at the root if it shall stay so.'
    : undefined;
  return { edits, notes: [{ file: '.changeset/', action: pending.length === 0 ? 'drop' : 'merge', done, decision }] };
}

/** The same name, unless another changeset has it. */
function targetOf(subject: Subject, file: string): RepoPath {
  const taken = subject.monorepo.read(file as RepoPath);
  if (taken === undefined || taken === subject.read(file)) return file as RepoPath;
  return `.changeset/${subject.shortName}-${file.slice(file.lastIndexOf('/') + 1)}` as RepoPath;
}
