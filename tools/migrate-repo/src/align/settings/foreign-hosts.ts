import { isPlainObject } from '@tributary/model/plain-object';
import { mapIn } from '../../fields.js';
import { someOf } from '../../text.js';
import { readRootSettings } from '../root-settings.js';
import { hostOf } from './public-address.js';
import type { SettingInput, SettingNote } from './setting-input.js';

/** The maximum number of names to list. The old lockfile has all of them. */
const SHOWN = 8;

/**
 * Reports hosts that the old lockfile took packages from, if the root uses other hosts for these packages: their
 * content may differ. Workspaces come from no host.
 */
export function findForeignHosts({ project, importedPackage, draft }: SettingInput): readonly SettingNote[] {
  const asked = registriesOf(readRootSettings(draft).raw);
  const locals = new Set<string>(project.workspaces.map(({ name }) => name));
  const { oldLock } = importedPackage;
  return [...(oldLock?.hosts ?? [])].flatMap(([host, packages]): readonly SettingNote[] => {
    const foreign = packages.filter((name) => !locals.has(name) && asked(name) !== host);
    if (oldLock === undefined || foreign.length === 0) return [];
    return [
      {
        file: oldLock.file,
        setting: host,
        outcome: 'left',
        done: { text: 'Yarn uses the registry of the monorepo.' },
        decision: {
          text:
            'The lockfile took packages from this host. Unless Yarn is configured to use it, they now come from the registry of the monorepo, where anybody may have published the same names: ' +
            'check that they are the same packages, or add the registry of their scope to the .yarnrc.yml of the root.',
          detail: someOf(foreign, SHOWN),
        },
      },
    ];
  });
}

/** Returns the root's host for a package, by name; `undefined` if the settings name none. */
function registriesOf(raw: Readonly<Record<string, unknown>>): (name: string) => string | undefined {
  const scopes = mapIn(raw, 'npmScopes');
  return (name) => {
    const scope = /^@([^/]+)\//.exec(name)?.[1];
    return (scope === undefined ? undefined : serverIn(scopes[scope])) ?? serverIn(raw);
  };
}

function serverIn(settings: unknown): string | undefined {
  const address = isPlainObject(settings) ? settings['npmRegistryServer'] : undefined;
  return typeof address === 'string' ? hostOf(address) : undefined;
}
