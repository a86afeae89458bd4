import type { Requirement } from '../requirement.ts';

const session = 'test/integration/session.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';
const sse = 'test/integration/sse.test.ts';
const control = 'test/integration/control.test.ts';
const cli = 'test/integration/cli.test.ts';
const output = 'test/unit/cli/output.test.ts';

/** The statements whose ids begin with `service-4.2`. */
export const serviceSection4Point2: readonly Requirement[] = [
  {
    id: 'service-4.2-01',
    tests: [
      {
        file: loadSettings,
        title: 'fills in every default of the host sections (contract/configuration.md and contract/restarts.md)',
      },
      { file: specGapsServer, title: 'serves everything under server.basePath but what operators ask for' },
    ],
  },
  {
    id: 'service-4.2-02',
    tests: [
      { file: sse, title: 'gives each request a conversation of its own' },
      { file: sse, title: 'answers POST with a JSON body the same way' },
    ],
  },
  {
    id: 'service-4.2-03',
    tests: [{ file: control, title: 'answers 200 at once, before the action has run to its end' }],
  },
  {
    id: 'service-4.2-04',
    tests: [{ file: control, title: 'stops by connectionId' }],
  },
  {
    id: 'service-4.2-05',
    tests: [
      { file: cli, title: 'finds nothing wrong with what helper init wrote, and says what would be served' },
      { file: output, title: 'says the address of the demo page, the model and what is open, in plain lines' },
    ],
  },
  {
    id: 'service-4.2-06',
    tests: [{ file: 'test/unit/app/server-report.test.ts', title: 'are all that programs and their users open' }],
  },
  {
    id: 'service-4.2-20',
    tests: [{ file: session, title: 'saves a conversation as opaque text, and puts it back on another connection' }],
  },
  {
    id: 'service-4.2-21',
    tests: [
      { file: session, title: 'saves a conversation as opaque text, and puts it back on another connection' },
      { file: session, title: 'checks in the order 415, 404, owner, 413, 400 (contract/identity.md#whose-it-is)' },
    ],
  },
];
