/** Whether a range or an address has a user, a password or a token in it. The user name of an ssh address is none. */
export function holdsCredential(text: string): boolean {
  return /:\/\/(?!git@)[^\s/@"']+@/.test(text) || /[?&][\w-]*(?:token|auth|key|secret|password)[\w-]*=/i.test(text);
}

/** What a person is told of it. */
export const CREDENTIAL_DECISION =
  'It holds a credential, which is neither carried over nor shown: withdraw it, and say it at the root in another way.';
