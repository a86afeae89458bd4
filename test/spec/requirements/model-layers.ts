import type { Requirement } from '../requirement.ts';

const layer = 'test/unit/adapters/models/pipeline/with-pipeline.test.ts';
const server = 'test/integration/chat-pipeline.test.ts';
const reload = 'test/integration/reload.test.ts';
const warmUp = 'test/integration/warm-up.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';

/** The statements of `docs/contract/models.md` on layers of plugins and on the warm-up. */
export const modelLayerRequirements: readonly Requirement[] = [
  {
    id: 'service-11-18',
    tests: [
      { file: server, title: 'see one call with all of its retries and fallbacks' },
      { file: server, title: 'are around the fallback that a budget has answer, too' },
    ],
  },
  {
    id: 'service-11-19',
    tests: [
      { file: server, title: 'stand around each other in plugin order, the last one outermost' },
      { file: layer, title: 'of a later plugin is around that of an earlier one' },
    ],
  },
  {
    id: 'service-11-20',
    tests: [
      { file: layer, title: 'changes what the model is sent' },
      { file: layer, title: 'that hands on a request %s fails the call, and the model is not asked' },
      { file: server, title: 'of the guide hides card numbers from the model, and from nobody else' },
    ],
  },
  {
    id: 'service-11-21',
    tests: [
      {
        file: layer,
        title: 'sees each piece with a sink of its own, and decides what the user sees and the history keeps',
      },
      { file: layer, title: 'answers by itself: its text is shown where it has written none' },
      { file: layer, title: 'cannot make the history say what the user has not seen' },
      { file: server, title: 'of the guide words what the user sees, and the history keeps the same' },
    ],
  },
  {
    id: 'service-11-22',
    tests: [{ file: server, title: 'make calls up that go through the door as any: what asks is asked about' }],
  },
  {
    id: 'service-11-23',
    tests: [
      { file: layer, title: 'that throws fails the call as a model does, and its words stay out of the log' },
      { file: layer, title: 'that returns %s fails the call' },
      { file: layer, title: 'lets a fault of the model beneath pass as it is, or catches it' },
      { file: server, title: 'that throw fail the turn as a model does, and the next message works' },
    ],
  },
  {
    id: 'service-11-24',
    tests: [
      { file: layer, title: 'ends with the turn that is stopped, whatever the plugin does' },
      {
        file: layer,
        title: 'that does nothing for too long fails the call; while the model is asked, its own limits hold',
      },
      { file: layer, title: 'that writes without end fails the call, and is told so' },
    ],
  },
  {
    id: 'service-11-25',
    tests: [
      {
        file: layer,
        title: 'shows nothing and asks nothing after its reply, and what it has left running beneath is ended',
      },
    ],
  },
  {
    id: 'service-11-26',
    tests: [
      { file: server, title: 'that %s keeps the server from starting, with the name of the plugin' },
      { file: server, title: 'that is no function keeps the server from starting' },
    ],
  },
  {
    id: 'service-11-27',
    tests: [{ file: reload, title: 'makes the layers of plugins anew around a changed model' }],
  },
  {
    id: 'service-11-28',
    tests: [{ file: server, title: 'are not asked the small questions of the server' }],
  },
  {
    id: 'service-11-29',
    tests: [{ file: layer, title: 'keeps what the tools of the provider have done where it %s' }],
  },
  {
    id: 'service-2.7-40',
    tests: [
      {
        file: warmUp,
        title:
          'opens the connection that the first message goes over, without a question to the model and without the key',
      },
    ],
  },
  {
    id: 'service-2.7-41',
    tests: [
      { file: loadSettings, title: 'fills in every default of contract/tool-filter.md, and warms nothing up' },
      { file: warmUp, title: 'is off by default: nobody is asked before the first message' },
    ],
  },
  {
    id: 'service-2.7-42',
    tests: [
      { file: warmUp, title: 'warns when the host does not answer, and the server serves' },
      { file: warmUp, title: 'does not let invalid configuration start' },
    ],
  },
];
