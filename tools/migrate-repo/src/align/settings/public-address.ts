/**
 * The address of a registry without anything that could be a credential: user, password, query. `undefined` for one that may have a credential in its path, that
 * is filled in from the environment, or that is no address of the web.
 */
export function publicAddress(text: string): string | undefined {
  if (/[${}\s\\]/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol) || host === '') return undefined;
  // Some registries are told who asks by a folder in the path.
  if (/%|@.*:|:/.test(pathname) || pathname.split('/').some(looksLikeCredential)) return undefined;
  return `${protocol}//${host}${pathname}`;
}

/** Long, and no word: letters and digits mixed, or no vowel to speak of. */
function looksLikeCredential(name: string): boolean {
  if (
    /(?:^|[-_])(?:token|secret|key|auth|pass|pat)(?:[-_=]|$)/i.test(name) ||
    /^(?:gh[a-z]_|github_|npm_|glpat-|xox|AKIA|ey[A-Z])/.test(name)
  )
    return true;
  if (name.length < 12) return false;
  const [letters, digits] = [name.replace(/[^a-z]/gi, '').length, name.replace(/\D/g, '').length];
  const hasBothCases = /[a-z]/.test(name) && /[A-Z]/.test(name);
  return (
    digits >= 3 ||
    (digits >= 1 && hasBothCases) ||
    (hasBothCases && name.length >= 20) ||
    letters === 0 ||
    (name.length >= 20 && !/[-._]/.test(name))
  );
}

/** The host of an address, with its port, which is no secret whatever stands around it; `undefined` for what is no address of the web. */
export function hostOf(text: string): string | undefined {
  if (/[${}\s\\]/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return /^https?:$/.test(protocol) && host !== '' ? host : undefined;
}
