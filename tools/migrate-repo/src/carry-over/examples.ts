import type { WorkspaceName } from '@tributary/model/ids';
import { code, someOf } from '../text.js';
import type { CarryOverFinding } from './rule.js';

interface FormerWorkspaces {
  /** The file that listed them. */
  readonly by: string;
  readonly members: readonly string[];
}

/** Reports the private workspaces of a published library, which are folders of it now. */
export function exampleFinding([name, { by, members }]: readonly [WorkspaceName, FormerWorkspaces]): CarryOverFinding {
  const detail = someOf(members.map(code));
  const cause = by === 'package.json' ? '"workspaces" was removed' : `Yarn does not read ${code(by)}`;
  return {
    importedPackage: name,
    rule: 'Workspaces inside',
    reason: 'they are private parts of a published package',
    file: 'package.json',
    action: 'keep',
    done: {
      text: `Its own workspaces are ordinary folders now: ${cause}.`,
      detail,
    },
    remarks: [
      {
        topic: 'behaviour',
        text: 'Yarn no longer installs what its private workspaces require, such as examples. List them in "workspaces" of the root package.json if it should.',
        detail,
      },
    ],
  };
}
