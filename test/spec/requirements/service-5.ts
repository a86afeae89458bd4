import type { Requirement } from '../requirement.ts';

const specGapsHttp = 'test/integration/spec-gaps-http.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const toolPolicy = 'test/unit/core/tools/tool-policy.test.ts';
const control = 'test/integration/control.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';
const identity = 'test/integration/identity.test.ts';
const principal = 'test/unit/core/identity/principal-of-claims.test.ts';
const authenticator = 'test/unit/core/identity/authenticator.test.ts';
const otherOrigin = 'test/browser/other-origin.test.ts';
const signInGuide = 'test/integration/sign-in-guide.test.ts';

/** service.md 5. */
export const serviceSection5: readonly Requirement[] = [
  {
    id: 'service-5-01',
    source: 'service.md 5',
    says: 'CORS runs before everything else, so a preflight without credentials is answered.',
    tests: [
      {
        file: specGapsHttp,
        title: 'a website that is listed may read turn, request id and retry time, and send what clients send',
      },
      {
        file: identity,
        title: 'CORS comes first: a preflight needs no token, and a page may read that its token was refused',
      },
    ],
  },
  {
    id: 'service-5-02',
    source: 'service.md 5',
    says: 'Every action with RequiredRoles is refused for an anonymous caller.',
    tests: [
      {
        file: confirmations,
        title: 'refuses a role-gated action for an anonymous caller without asking, and says so (service.md 5.8)',
      },
      { file: toolPolicy, title: 'an anonymous caller has no role' },
    ],
  },
  {
    id: 'service-5-03',
    source: 'service.md 5',
    says: 'A confirmation raised over SSE has no owner: whoever holds its actionId can answer.',
    tests: [{ file: control, title: 'answers 200 at once, before the action has run to its end' }],
  },
  {
    id: 'service-5-04',
    source: 'service.md 5',
    says: 'A warning says that the chat runs a paid turn for anyone who can reach it.',
    tests: [{ file: warnings, title: 'a paid turn for anyone (service.md 5.14)' }],
  },
  {
    id: 'service-5-05',
    source: 'service.md 5',
    says: 'The hub and the chat are protected by requiring authorization.',
    tests: [
      { file: identity, title: 'requireAuthorization: nobody anonymous' },
      { file: identity, title: 'roles: no user without' },
    ],
  },
  {
    id: 'service-5-06',
    source: 'service.md 5',
    says: 'Every endpoint but the hub needs the Authorization header or the cookie.',
    tests: [
      { file: identity, title: 'Authorization' },
      { file: identity, title: 'the cookie' },
      { file: identity, title: 'the query is not read here' },
    ],
  },
  {
    id: 'service-5-07',
    source: 'service.md 5',
    says: 'The user id is NameIdentifier, else sub, oid or the name; the name never matches the id of another user.',
    tests: [
      { file: principal, title: 'NameIdentifier comes first' },
      { file: principal, title: 'oid is next' },
      { file: principal, title: 'the name is the last' },
      { file: principal, title: "cannot be spelled like another claim's (configuration.md 4)" },
    ],
  },
  {
    id: 'service-5-08',
    source: 'service.md 5',
    says: 'With the default mapping sub and role become NameIdentifier and the role; with mapping off the role claim must be set.',
    tests: [
      { file: principal, title: 'sub is NameIdentifier where claims are mapped' },
      { file: principal, title: 'roleClaim alone where they are not' },
      { file: principal, title: 'a roleClaim of its own' },
    ],
  },
  {
    id: 'service-5-09',
    source: 'service.md 5',
    says: 'Extra claims or roles come from a claims transformation.',
    tests: [
      { file: authenticator, title: 'adds the roles and claims of transformClaims, each on top of the one before' },
      { file: principal, title: 'addRoles' },
    ],
  },
  {
    id: 'service-5-10',
    source: 'service.md 5',
    says: 'RequiredRoles lets in a caller with the role.',
    tests: [
      {
        file: signInGuide,
        title:
          'lets a supervisor refund with the token of helper token, and a user without the role not (service.md 5)',
      },
      {
        file: identity,
        title: 'are checked again when a confirmed action runs: a role taken back meanwhile refuses it',
      },
    ],
  },
  {
    id: 'service-5-11',
    source: 'service.md 5',
    says: 'Anonymous callers are each a new user, or with Shared all on one key.',
    tests: [
      { file: authenticator, title: 'gives each anonymous caller a key of its own, or all the same (service.md 5.12)' },
    ],
  },
  {
    id: 'service-5-20',
    source: 'service.md 5',
    says: 'Browser clients on other origins use bearer tokens: accessTokenFactory for the hub, Authorization elsewhere.',
    tests: [
      {
        file: otherOrigin,
        title: 'asks, is asked and sees it done with the official client over %s in %s',
      },
      { file: otherOrigin, title: 'reads one answer as server-sent events with fetch and a token' },
    ],
  },
  {
    id: 'service-5-21',
    source: 'service.md 5',
    says: 'Hub clients on other origins need a policy that lists the origins and allows credentials, headers and methods.',
    tests: [
      {
        file: otherOrigin,
        title: 'asks, is asked and sees it done with the official client over %s in %s',
      },
    ],
  },
];
