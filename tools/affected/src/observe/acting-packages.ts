import type { ChangedPackages } from '@tributary/workspaces/lock/changed-packages';

/** Packages that start the tests, or change others when they are installed. Tests do not read them. */
const ACTING =
  /^(turbo(-.+)?|@turbo\/.+|@tributary\/affected|yarn|@yarnpkg\/.+|npm|pnpm|corepack|node|node-bin-.+|patch-package|postinstall-postinstall|ts-patch|@lavamoat\/.+)$/;

/** Returns why a change of packages may affect a piece that uses none of them. */
export function findActing({ names }: Pick<ChangedPackages, 'names'>): string | undefined {
  const acting = [...names].find((name) => ACTING.test(name));
  return acting === undefined ? undefined : `the package ${acting} changed, which acts without being read`;
}
