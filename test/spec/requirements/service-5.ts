import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const specGapsHttp = 'test/integration/spec-gaps-http.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const toolPolicy = 'test/unit/core/tools/tool-policy.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';
const identity = 'test/integration/identity.test.ts';
const principal = 'test/unit/core/identity/principal-of-claims.test.ts';
const authenticator = 'test/unit/core/identity/authenticator.test.ts';
const otherOrigin = 'test/browser/other-origin.test.ts';
const signInGuide = 'test/integration/sign-in-guide.test.ts';

/** The statements whose ids begin with `service-5`. */
export const serviceSection5: readonly Requirement[] = [
  {
    id: 'service-5-01',
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
    tests: [
      {
        file: confirmations,
        title:
          'refuses a role-gated action for an anonymous caller without asking, and says so (contract/identity.md#roles)',
      },
      { file: toolPolicy, title: 'an anonymous caller has no role' },
    ],
  },
  {
    id: 'service-5-03',
    tests: [
      {
        file: 'test/integration/approved-calls.test.ts',
        title: 'may be answered by another user who holds its actionId, and its action runs as the user who asked',
      },
      {
        file: 'test/integration/approved-calls.test.ts',
        title:
          'may be answered by somebody without a token who holds its actionId, and its action runs as the user who asked',
      },
    ],
  },
  {
    id: 'service-5-04',
    tests: [{ file: warnings, title: 'a paid turn for anyone (contract/operations.md#logs)' }],
  },
  {
    id: 'service-5-05',
    tests: [
      { file: identity, title: 'requireAuthorization: nobody anonymous' },
      { file: identity, title: 'roles: no user without' },
    ],
  },
  {
    id: 'service-5-06',
    tests: [
      { file: identity, title: 'Authorization' },
      { file: identity, title: 'the cookie' },
      { file: identity, title: 'the query is not read here' },
    ],
  },
  {
    id: 'service-5-07',
    tests: [
      { file: principal, title: 'NameIdentifier comes first' },
      { file: principal, title: 'oid is next' },
      { file: principal, title: 'the name is the last' },
      { file: principal, title: "cannot be spelled like another claim's (contract/identity.md#tokens)" },
    ],
  },
  {
    id: 'service-5-08',
    tests: [
      { file: principal, title: 'sub is NameIdentifier where claims are mapped' },
      { file: principal, title: 'roleClaim alone where they are not' },
      { file: principal, title: 'a roleClaim of its own' },
    ],
  },
  {
    id: 'service-5-09',
    tests: [
      { file: authenticator, title: 'adds the roles and claims of transformClaims, each on top of the one before' },
      { file: principal, title: 'addRoles' },
    ],
  },
  {
    id: 'service-5-10',
    tests: [
      {
        file: signInGuide,
        title:
          'lets a supervisor refund with the token of helper token, and a user without the role not (contract/identity.md)',
      },
      {
        file: identity,
        title: 'are checked again when a confirmed action runs: a role taken back meanwhile refuses it',
      },
    ],
  },
  {
    id: 'service-5-11',
    tests: [
      {
        file: authenticator,
        title: 'gives each anonymous caller a key of its own, or all the same (contract/identity.md#users)',
      },
      {
        file: loadSettings,
        title: 'fills in every default of contract/memory.md, and of whose a memory is without sign-in',
      },
    ],
  },
  {
    id: 'service-5-20',
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
    tests: [
      {
        file: 'test/integration/cross-origin.test.ts',
        title: 'that is listed is allowed the methods and headers it needs, and %s',
      },
      {
        file: 'test/integration/cross-origin.test.ts',
        title: 'that is not listed may read nothing, and negotiates nothing',
      },
      {
        file: 'test/browser/other-origin.test.ts',
        title: 'asks, is asked and sees it done with the official client over %s in %s',
      },
    ],
  },
];
