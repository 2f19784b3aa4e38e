import type { WorkspaceName } from '@tributary/model/ids';
import { someOf } from '../text.js';
import type { CarryOverFinding } from './rule.js';

/** Reports the private workspaces of a published library, which are folders of it now. */
export function exampleFinding([name, folders]: readonly [WorkspaceName, readonly string[]]): CarryOverFinding {
  return {
    importedPackage: name,
    rule: 'Workspaces inside',
    reason: 'they are private parts of a published package',
    file: 'package.json',
    action: 'keep',
    done: {
      text: 'Its own workspaces are folders now: "workspaces" was removed.',
      detail: someOf(folders.map((folder) => `\`${folder}\``)),
    },
    remarks: [
      {
        topic: 'behaviour',
        text: 'Yarn no longer installs what its private workspaces require, such as examples. List them in "workspaces" of the root package.json if it should.',
        detail: someOf(folders.map((folder) => `\`${folder}\``)),
      },
    ],
  };
}
