import type { Requirement } from '../requirement.ts';

const specGapsHttp = 'test/integration/spec-gaps-http.test.ts';
const confirmations = 'test/unit/core/turn/confirmations.test.ts';
const toolPolicy = 'test/unit/core/tools/tool-policy.test.ts';
const control = 'test/integration/control.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';

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
];
