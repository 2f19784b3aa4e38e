import fc from 'fast-check';

const MEMBERS = { 'p/a': 'a', 'p/lib': 'lib', 'p/scoped': '@acme/core', 'p/a/in/deep': 'deep', 'q/leaf': '@acme/leaf' } as const;

/** A request for one of them or for a published package, of a kind that Yarn may accept. */
const requests: fc.Arbitrary<readonly [name: string, range: string]> = fc.oneof(
  fc
    .constantFrom(...Object.values(MEMBERS))
    .chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.constantFrom('workspace:^', 'workspace:*', 'workspace:~', 'workspace:^1.0.0', '^1.0.0', '1.x', '*', 'npm:^1.2.0'),
      ),
    ),
  fc.tuple(
    fc.constantFrom('other', 'lib'),
    fc.constantFrom(...Object.keys(MEMBERS)).map((folder) => `workspace:${folder}`),
  ),
  fc.tuple(
    fc.constantFrom('alias', '@acme/alias'),
    fc.constantFrom('npm:lib@^1.0.0', 'npm:lib@^9.0.0', 'npm:@acme/core@^1.0.0', 'npm:left@1'),
  ),
  fc.tuple(
    fc.constantFrom('path', 'lib', '@acme/path'),
    fc.constantFrom(
      'portal:{}q/leaf',
      'link:{}p/a',
      'link:{}p/a/in',
      'link:{}p/a/in/deep/src',
      'file:{}q/leaf',
      '{}q/leaf',
      'link:{}tools',
      'link:{}..',
    ),
  ),
  fc.constantFrom(['lib', '^9.0.0'], ['left', '^1.0.0'], ['@acme/left', '1.0.0'], ['host', '1']) as fc.Arbitrary<readonly [string, string]>,
);

const peers = fc.oneof(
  fc.tuple(fc.constantFrom(...Object.values(MEMBERS)), fc.constantFrom('*', '^1.0.0', '>=7', 'workspace:^')),
  fc.constant(['left', '*'] as [string, string]),
);

/** Manifests by folder: the members above with random requests, and a root with random resolutions. */
export const monorepos: fc.Arbitrary<Readonly<Record<string, object>>> = fc
  .record({
    members: fc.tuple(...Object.keys(MEMBERS).map(() => manifestParts())),
    root: manifestParts(),
    resolutions: fc.array(
      fc.constantFrom(
        ['left', 'workspace:p/lib'],
        ['@acme/left', 'workspace:p/scoped'],
        ['alias', 'workspace:p/lib'],
        ['lib', 'workspace:p/lib'],
        ['left', 'portal:./q/leaf'],
      ),
      { maxLength: 1 },
    ),
  })
  .map(({ members, root, resolutions }) => ({
    '.': {
      name: 'root',
      version: '1.0.0',
      workspaces: ['p/*', 'q/*'],
      ...inFolder('', root),
      resolutions: Object.fromEntries(resolutions),
    },
    ...Object.fromEntries(
      Object.entries(MEMBERS).map(([folder, name], at) => [
        folder,
        // Yarn follows cycles of `file:` and `portal:` without end, so the target of such requests has no dependencies.
        {
          name,
          version: '1.2.3',
          ...(name === 'a' ? { workspaces: ['in/*'] } : {}),
          ...inFolder(folder, name === '@acme/leaf' ? [] : (members[at] ?? [])),
        },
      ]),
    ),
  }));

type Parts = readonly (readonly [field: string, request: readonly [name: string, range: string]])[];

/** A name is requested in only one field: of two fields Yarn uses one, and the manifests show both. */
function manifestParts(): fc.Arbitrary<Parts> {
  const field = fc.constantFrom('dependencies', 'devDependencies', 'optionalDependencies');
  const some = fc.uniqueArray(fc.tuple(field, requests), { maxLength: 3, selector: ([, [name]]) => name });
  const peer = fc.array(fc.tuple(fc.constant('peerDependencies'), peers), { maxLength: 1 });
  return fc.tuple(some, peer).map((parts) => parts.flat());
}

/** Paths are written from the root; `{}` stands for the path to it. */
function inFolder(folder: string, parts: Parts): object {
  const up = folder === '' ? './' : '../'.repeat(folder.split('/').length);
  const manifest: Record<string, Record<string, string>> = {};
  for (const [field, [name, range]] of parts) manifest[field] = { ...manifest[field], [name]: range.replace('{}', up) };
  return manifest;
}
