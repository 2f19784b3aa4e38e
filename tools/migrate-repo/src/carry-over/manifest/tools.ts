import { isPlainObject } from '@tributary/model/plain-object';
import subset from 'semver/ranges/subset.js';
import validRange from 'semver/ranges/valid.js';
import { setJson } from '../../edit/edit-json.js';
import { mapIn } from '../../fields.js';
import { listing } from '../../message.js';
import { code } from '../../text.js';
import type { FieldOutcome, ManifestSubject } from './field.js';

export function packageManager({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['packageManager'];
  if (own === undefined) return undefined;
  const [shown] = /^(?:npm|yarn|pnpm|bun)@[\w.-]+/.exec(typeof own === 'string' ? own : '') ?? [];
  return {
    text: setJson(text, ['packageManager'], undefined),
    done: {
      text: '"packageManager" was removed: the Yarn of the root is used.',
      detail: shown === undefined ? undefined : `it was \`${shown}\``,
    },
  };
}

export function volta({ text, manifest, root }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['volta'];
  if (!isPlainObject(own)) return undefined;
  const ofRoot = mapIn(root, 'volta');
  const different = Object.keys(own).filter((tool) => tool !== 'extends' && own[tool] !== ofRoot[tool]);
  if (different.length === 0)
    return {
      text: setJson(text, ['volta'], undefined),
      done: { text: '"volta" was removed: the root has the same versions.' },
    };
  // If the root has no setting, there is nothing to choose from.
  const differences = different.flatMap((tool) =>
    typeof ofRoot[tool] === 'string' ? [`${tool} \`${String(own[tool])}\` where the root has \`${ofRoot[tool]}\``] : [],
  );
  return { remarks: listing({ text: '"volta" has different versions than the root: remove it, or change the root.' }, differences) };
}

export function engines({ manifest, root }: ManifestSubject): FieldOutcome | undefined {
  const [own, ofRoot] = [mapIn(manifest, 'engines'), mapIn(root, 'engines')];
  const managers = ['npm', 'pnpm', 'yarn'].filter((tool) => own[tool] !== undefined);
  const remarks = [
    ...(isNarrower(own['node'], ofRoot['node'])
      ? [
          {
            text: '"engines.node" excludes versions that the monorepo allows: check whether that is still right.',
            detail: `\`${String(own['node'])}\`, and the root has \`${String(ofRoot['node'])}\``,
          },
        ]
      : []),
    ...listing(
      { text: '"engines" requires a package manager, but the Yarn of the root installs the package: check whether that is still right.' },
      managers.map((tool) => `${tool} \`${String(own[tool])}\``),
    ),
  ];
  return { remarks };
}

function isNarrower(own: unknown, root: unknown): boolean {
  if (typeof own !== 'string' || typeof root !== 'string' || validRange(own) === null || validRange(root) === null) return false;
  return !subset(root, own, { includePrerelease: true });
}

/** Reports what Yarn 1 kept out of the root's node_modules. Its own workspaces are refused or dissolved earlier. */
export function nohoist({ manifest }: ManifestSubject): FieldOutcome | undefined {
  const found = mapIn(manifest, 'workspaces')['nohoist'];
  const names = Array.isArray(found) ? found.map((one) => code(String(one))) : [];
  return { remarks: listing({ topic: 'behaviour', text: NOHOIST }, names) };
}

const NOHOIST =
  'Yarn 2 and later does not have "nohoist". `"installConfig": { "hoistingLimits": "workspaces" }` in the package.json keeps all dependencies of the package in its own node_modules.';

export function releaseSettings({ manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const found = ['release', 'release-it', 'standard-version', 'auto'].filter((field) => isPlainObject(manifest[field]));
  if (found.length === 0) return undefined;
  return {
    remarks: [
      {
        topic: 'releases' as const,
        text: 'Configure releases for one package of many: prefix its tags with its name, and count only commits in its folder.',
        detail: `"${found.join('", "')}"; ${subject.importedPackage.name}@1.2.3, ${subject.importedPackage.path}`,
      },
    ],
  };
}
