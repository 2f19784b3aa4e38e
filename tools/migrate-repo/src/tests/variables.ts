import { looksSecret } from '@tributary/model/secrets';
import { isCredential } from '../credentials.js';

/** Variables that tests get in addition to the closed environment; `undefined` removes a variable. */
export type TestVariables = Readonly<Record<string, string | undefined>>;

/** Returns an environment with changes applied. */
export function withVariables(env: Readonly<Record<string, string>>, changes: TestVariables): Readonly<Record<string, string>> {
  const all = Object.entries({ ...env, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Variables with which the tool closes the environment. Passing them on would open it. */
const OF_THE_TOOL =
  /^(?:PATH|Path|HOME|USERPROFILE|TMPDIR|TEMP|TMP|XDG_\w+|APPDATA|LOCALAPPDATA|COREPACK_\w+|YARN_\w+|npm_config_\w+|GIT_(?!AUTHOR_|COMMITTER_)\w+|SSH_\w+|TRIBUTARY_\w+)$/i;

/** Returns why tests never get a variable; `undefined` if they get it once the user agrees. */
export function whyRefused(name: string, value: string | undefined): 'closed' | 'secret' | undefined {
  if (OF_THE_TOOL.test(name)) return 'closed';
  return looksSecret(name, value) || (value !== undefined && isCredential(name, value)) ? 'secret' : undefined;
}
