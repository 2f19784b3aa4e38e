/**
 * Returns a registry's address without possible credentials: user, password, query. `undefined` if its path may contain
 * a credential, if it uses the environment, or if it is not a web address.
 */
export function publicAddress(text: string): string | undefined {
  const address = webAddress(text);
  if (address === undefined) return undefined;
  const { protocol, host, pathname } = address;
  // Some registries identify the user by a folder in the path.
  if (/%|@.*:|:/.test(pathname) || pathname.split('/').some(looksLikeCredential)) return undefined;
  return `${protocol}//${host}${pathname}`;
}

/** Whether a name is long and not a word: it mixes letters and digits, or has hardly any vowels. */
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

/** Returns the host of an address, with its port, which is never a secret; `undefined` if it is not a web address. */
export function hostOf(text: string): string | undefined {
  return webAddress(text)?.host;
}

function webAddress(text: string): URL | undefined {
  if (/[${}\s\\]/.test(text) || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  return /^https?:$/.test(address.protocol) && address.host !== '' ? address : undefined;
}
