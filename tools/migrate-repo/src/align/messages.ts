import type { StepId } from '../result/result.js';
import { namesOf } from '../text.js';

const WORDS: { readonly [Step in StepId]: { readonly subject: (names: string) => string; readonly why: string } } = {
  internal: {
    subject: (names) => `Use the workspaces for ${names} and their dependencies`,
    why: 'A dependency whose range matches the version of a workspace no longer comes from the registry.',
  },
  phantoms: {
    subject: (names) => `Declare what ${names} used without declaring it`,
    why: 'Other packages installed it, which is not certain in a workspace. The versions are those of the imported lockfile.',
  },
  versions: {
    subject: (names) => `Align the dependencies of ${names} with those of the workspace`,
    why: 'One version of each, where the ranges allow it.',
  },
  settings: {
    subject: (names) => `Carry over the versions and registries that ${names} configured`,
    why: 'Yarn reads such settings only at the root.',
  },
  'carry-over': {
    subject: (names) => `Carry over the files of ${names} that work only at the root`,
    why: 'Lines that are merged into a file of the root are between markers, so that a second run changes nothing.',
  },
  lockfile: {
    subject: (names) => `Lock the dependencies of ${names}`,
    why: 'Versions of the imported lockfile are kept where the monorepo had none.',
  },
};

/** Returns the message of a step's commit. */
export function stepMessage(step: StepId, names: readonly string[]): string {
  const { subject, why } = WORDS[step];
  return `${subject(inWords(names))}\n\n${why}\n`;
}

/** Returns the message of the commit that makes workspaces of libraries folders of them. */
export function examplesMessage(names: readonly string[]): string {
  return `Take the workspaces inside of ${inWords(names)} for folders\n\nThey are private, and Yarn would add them to the monorepo.\n`;
}

const SHOWN = 3;

function inWords(names: readonly string[]): string {
  const [last = '', ...first] = names.toReversed();
  if (names.length > SHOWN) return namesOf(names, SHOWN);
  return first.length === 0 ? last : `${first.toReversed().join(', ')} and ${last}`;
}
