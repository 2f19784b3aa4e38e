/**
 * An entry of a lockfile as Yarn writes it, to be matched at `lastIndex`; everything it matches, `readSyml` reads. One native match
 * instead of some twenty steps per line: in a process that has just started, the interpreter takes 30 ms for what this does in 10.
 */
export const STANDARD = buildStandard();

function buildStandard(): RegExp {
  const quoted = String.raw`"[^"\\\n]*"`;
  const plain = String.raw`[\w^~.=</$][\w.~^+/<>=|*-]*(?: [\w.~^+/<>=|*-]+)*`;
  const name = String.raw`(?:[\w$][\w./$-]*|${quoted})`;
  const pair = String.raw`${name}: (?:${quoted}|${plain})\n`;
  const pairs = `(?: {4}${pair})*`;
  return new RegExp(
    [
      String.raw`"([^"\\\n]+)":\n`,
      String.raw`((?: {2}version: [A-Za-z0-9][\w.+-]*\n)? {2}resolution: "([^"\\\n]+)"\n)`,
      String.raw`(?: {2}dependencies:\n(${pairs}))?`,
      String.raw`(?: {2}peerDependencies:\n${pairs})?`,
      String.raw`(?: {2}(?:dependenciesMeta|peerDependenciesMeta|bin):\n(?: {4}(?:${pair}|${name}:\n(?: {6}${pair})*))*)*`,
      String.raw`(?: {2}checksum: [\w/+=-]+\n)?`,
      String.raw`(?: {2}conditions: [A-Za-z(][A-Za-z0-9=&|()! _-]*[A-Za-z0-9)]\n)?`,
      String.raw`(?: {2}languageName: [A-Za-z]+\n)?`,
      String.raw` {2}linkType: (?:hard|soft)\n(?! )`,
    ].join(''),
    'y',
  );
}
