/**
 * Who calls (service.md 5). Always an object, never null. `userKey` is the tagged key that memory and limits count by
 * (`sub:…`, `anon:…`); `roles` is empty for anonymous callers, so every role check refuses them.
 */
export type Principal =
  | {
      readonly kind: 'signed-in';
      readonly userKey: string;
      readonly id: string;
      readonly name: string;
      readonly roles: ReadonlySet<string>;
      readonly claims: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'anonymous'; readonly userKey: string; readonly roles: ReadonlySet<string> };

const noRoles: ReadonlySet<string> = new Set();

/** An anonymous caller with a key of its own (service.md 5.12, `PerSession`). */
export function anonymousPrincipal(sessionId: string): Principal {
  return { kind: 'anonymous', userKey: `anon:${sessionId}`, roles: noRoles };
}
