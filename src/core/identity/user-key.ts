/** A tagged user key, inside its tenant where there is one (contract/identity.md#users). */
const userKeyPattern = /^(?:tenant:[^/\s]{1,1000}\/)?(?:id|sub|oid|name):[^]{1,2000}$/;

/** Whether a text is written like the key of a signed-in user: `id:ann`, `tenant:acme/id:ann`. */
export function isUserKey(text: unknown): text is string {
  return typeof text === 'string' && userKeyPattern.test(text);
}
