import { isPlainObject } from '@tributary/model/plain-object';
import { mapIn, textsOf } from '../../fields.js';
import { readRootSettings } from '../root-settings.js';
import { hostOf, publicAddress } from './public-address.js';
import { EQUAL, isScopeForOthers, NOT_CARRIED, type SettingInput, type SettingNote } from './setting-input.js';

/** The registry of a scope, or of all packages (`undefined`). */
interface Registry {
  readonly file: string;
  readonly scope: string | undefined;
  readonly address: string;
}

/**
 * Proposes registries of `.yarnrc.yml`, `.npmrc` and `.yarnrc` for the root. Nothing is written, because where packages
 * come from is a matter of trust. Only scopes and addresses without credentials are reported.
 */
export function carryRegistries(input: SettingInput): readonly SettingNote[] {
  const { yarn, npmrc, yarnrc } = input.settings;
  const registries = [...fromYarn(yarn?.raw), ...fromLines('.npmrc', npmrc), ...fromLines('.yarnrc', yarnrc)];
  const broken = input.settings.broken.map(
    ({ file, line }): SettingNote => ({
      file,
      setting: `line ${line}`,
      outcome: 'left',
      done: { text: 'It was not read.' },
      decision: { text: 'It is not valid YAML for its package manager: check by hand what you still want of it.' },
    }),
  );
  const concerning = registries.filter(({ scope }) => scope === undefined || !isScopeForOthers(scope, input));
  return [...concerning.map((registry) => propose(registry, input)), ...behaviour(npmrc), ...broken];
}

function propose({ file, scope, address }: Registry, { draft }: SettingInput): SettingNote {
  const setting = scope === undefined ? 'registry' : `registry of @${scope}`;
  const shown = publicAddress(address);
  const root = readRootSettings(draft).raw;
  const scopes = mapIn(root, 'npmScopes');
  const entry = scope === undefined ? root : scopes[scope];
  const there = isPlainObject(entry) ? entry['npmRegistryServer'] : undefined;
  if (shown !== undefined && typeof there === 'string' && publicAddress(there) === shown)
    return { file, setting, outcome: 'equal', done: EQUAL, decision: undefined };
  if (scope === undefined && there === undefined && shown !== undefined && PUBLIC.test(shown))
    return { file, setting, outcome: 'equal', done: { text: 'Yarn already uses it.' }, decision: undefined };
  const host = hostOf(address);
  const where = scope === undefined ? 'npmRegistryServer' : `npmScopes.${scope}.npmRegistryServer`;
  const already = there === undefined ? [] : ['the root has a different one'];
  return {
    file,
    setting,
    outcome: 'proposed',
    done: NOT_CARRIED,
    decision: {
      text: 'Add the address to the .yarnrc.yml of the root if packages should come from there. Only its host is shown here.',
      detail: [`\`${where}\``, host === undefined ? 'no host can be shown' : `at \`${host}\``, ...already].join(', '),
    },
  };
}

/** npm's own registry, with Yarn's name for it. */
const PUBLIC = /^https?:\/\/registry\.(?:npmjs\.org|yarnpkg\.com)\/?$/;

function fromYarn(raw: Readonly<Record<string, unknown>> | undefined): readonly Registry[] {
  const file = '.yarnrc.yml';
  const all = raw?.['npmRegistryServer'];
  const scopes = isPlainObject(raw?.['npmScopes']) ? Object.entries(raw['npmScopes']) : [];
  return [
    ...(typeof all === 'string' ? [{ file, scope: undefined, address: all }] : []),
    ...scopes.flatMap(([scope, settings]) => {
      const address = new Map(textsOf(settings)).get('npmRegistryServer');
      return address === undefined || !isScope(scope) ? [] : [{ file, scope, address }];
    }),
  ];
}

const LINES = {
  '.npmrc': /^\s*(?:@([^:\s=]+):)?registry\s*=\s*["']?([^"'\s]+)["']?\s*$/,
  '.yarnrc': /^\s*"?(?:@([^:\s"]+):)?registry"?\s+"?([^"\s]+)"?\s*$/,
};

function fromLines(file: keyof typeof LINES, text = ''): readonly Registry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, scope, address] = LINES[file].exec(line) ?? [];
    return address === undefined || (scope !== undefined && !isScope(scope)) ? [] : [{ file, scope, address }];
  });
}

function isScope(text: string): boolean {
  return /^[a-z0-9][\w.-]{0,60}$/i.test(text) && publicAddress(`https://host.example/${text}`) !== undefined;
}

/**
 * Settings of npm and pnpm that install something else than Yarn. Others are for a particular machine, refuse an
 * installation, write ranges, or do what Yarn does: it hoists, and only warns about peers. Build scripts are reported
 * with the installation.
 */
const BEHAVIOUR =
  /^\s*(auto-install-peers(?!\s*=\s*false)|install-strategy|omit|include|resolution-mode)\s*=\s*(true|false|[a-z-]{1,20})?\s*$/;

function behaviour(text: string | undefined): readonly SettingNote[] {
  return (text ?? '').split(/\r?\n/).flatMap((line): readonly SettingNote[] => {
    const [, name, value] = BEHAVIOUR.exec(line) ?? [];
    if (name === undefined) return [];
    return [
      {
        file: '.npmrc',
        setting: name,
        outcome: 'left',
        done: { text: 'Yarn does not read it.' },
        decision: {
          text: 'The package was installed with this setting, which Yarn does not read: check whether the package needs it.',
          detail: value === undefined ? undefined : `\`${value}\``,
        },
      },
    ];
  });
}
