/** The steps of the alignment, in their order; each is a commit of its own. */
const STEPS = ['internal', 'phantoms', 'versions', 'settings', 'carry-over', 'lockfile'] as const;

export type StepId = (typeof STEPS)[number];

const WORDS: { readonly [Step in StepId]: { readonly subject: (names: string) => string; readonly why: string } } = {
  internal: {
    subject: (names) => `Take ${names} from the workspace, and from there what they need`,
    why: 'Where the range that stood there admits the version that is in the workspace, the registry is no longer asked.',
  },
  phantoms: {
    subject: (names) => `Declare what ${names} used without saying so`,
    why: 'Other packages brought it along; in a workspace nobody can count on that. The versions are those of the lockfile that came.',
  },
  versions: {
    subject: (names) => `Align the dependencies of ${names} with those of the workspace`,
    why: 'One version of each, where the ranges allow it.',
  },
  settings: {
    subject: (names) => `Carry over what ${names} said about versions and registries`,
    why: 'Yarn reads such settings at the root alone.',
  },
  'carry-over': {
    subject: (names) => `Carry over the files of ${names} that work at the root alone`,
    why: 'What is merged into a file of the root stands between marks, so that a second run changes nothing.',
  },
  lockfile: {
    subject: (names) => `Lock the dependencies of ${names}`,
    why: 'What a lockfile that came along held is kept, where the workspace had no version for it.',
  },
};

/** The message of the commit of a step. */
export function stepMessage(step: StepId, names: readonly string[]): string {
  const { subject, why } = WORDS[step];
  return `${subject(inWords(names))}\n\n${why}\n`;
}

const SHOWN = 3;

function inWords(names: readonly string[]): string {
  const [last = '', ...first] = names.toReversed();
  if (names.length > SHOWN) return `${names.slice(0, SHOWN - 1).join(', ')} and ${names.length - SHOWN + 1} more`;
  return first.length === 0 ? last : `${first.toReversed().join(', ')} and ${last}`;
}
