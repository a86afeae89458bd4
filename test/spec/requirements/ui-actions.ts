import type { Requirement } from '../requirement.ts';

const integration = 'test/integration/ui-actions.test.ts';
const uiActions = 'test/unit/core/ui-actions/ui-actions.test.ts';
const pageSchema = 'test/unit/core/ui-actions/page-schema.test.ts';
const hubUiActions = 'test/unit/channels/hub/hub-ui-actions.test.ts';
const readArguments = 'test/unit/channels/hub/read-arguments.test.ts';

/** What wire.md 2, 3 and 4 say of UI actions. */
export const uiActionRequirements: readonly Requirement[] = [
  {
    id: 'wire-2-70',
    source: 'wire.md 2',
    says: 'UiActionRequested carries callId, name and arguments, and is an invocation with a result.',
    tests: [
      { file: hubUiActions, title: 'is an invocation with one argument, whose result is the answer' },
      { file: integration, title: 'runs in the page, and what the page returns goes to the model as data' },
    ],
  },
  {
    id: 'wire-3-70',
    source: 'wire.md 3',
    says: 'SetPage takes at most 32 actions with schemas of at most 4 KiB.',
    tests: [
      { file: readArguments, title: 'takes 32 of them, of 4 KiB of schema each, and no more' },
      { file: integration, title: 'is refused for 33 actions, changes nothing, and the connection goes on' },
      { file: integration, title: 'is refused for 5 KiB of schema, changes nothing, and the connection goes on' },
    ],
  },
  {
    id: 'wire-3-71',
    source: 'wire.md 3',
    says: 'A schema of a page cannot hang the server: no patterns, no references, bounded in depth and cost.',
    tests: [
      {
        file: integration,
        title: 'is refused for a catastrophic pattern, changes nothing, and the connection goes on',
      },
      { file: pageSchema, title: 'refuses a reference to itself' },
      { file: pageSchema, title: 'refuses nine schemas in each other' },
      {
        file: pageSchema,
        title: 'costs little, whatever a page declares and a model is made to write: %s',
      },
    ],
  },
  {
    id: 'wire-3-72',
    source: 'wire.md 3',
    says: 'UI actions are offered to the model as page_NAME, to the turns of their connection.',
    tests: [
      {
        file: uiActions,
        title: 'are offered as page_NAME beside the tools of the server, with the words of the page as delimited data',
      },
      {
        file: uiActions,
        title: 'are offered to the turns of their connection only, as it offers them when a turn begins',
      },
      {
        file: integration,
        title: 'is no longer offered: SetPage replaces everything, and nothing of it is in the next turn',
      },
      { file: uiActions, title: 'cannot take the place of a tool of the server, nor of each other' },
    ],
  },
  {
    id: 'wire-3-73',
    source: 'wire.md 3',
    says: 'UI actions never match isReadOnlyAction, remember or auto-approval rules.',
    tests: [
      {
        file: uiActions,
        title: 'is not spared by isReadOnlyAction, auto-approval rules or what the user wants remembered',
      },
    ],
  },
  {
    id: 'wire-3-74',
    source: 'wire.md 3',
    says: 'A UI action that is not declared readOnly asks like any write.',
    tests: [
      {
        file: uiActions,
        title: 'asks like any write unless it is declared readOnly, with the words of the page and nothing to remember',
      },
      { file: integration, title: 'asks like a write unless it is declared readOnly, and runs once it is approved' },
      { file: integration, title: 'was declined: the page is never asked' },
    ],
  },
  {
    id: 'wire-3-75',
    source: 'wire.md 3',
    says: 'What the page returns, at most 64 KiB, goes to the model.',
    tests: [
      { file: uiActions, title: 'run on the page, whose answer the model gets as delimited data' },
      { file: uiActions, title: 'may answer with exactly 64 KiB, with nothing, and with levels without end' },
      { file: integration, title: 'answers with 65 KiB: its answer is left out, and the connection goes on' },
    ],
  },
  {
    id: 'wire-3-76',
    source: 'wire.md 3',
    says: 'No handler, an error or 30 s of silence is told to the model as such.',
    tests: [
      { file: integration, title: 'has no handler: the model is told so' },
      { file: integration, title: 'has a handler that throws: the model is told so' },
      { file: hubUiActions, title: 'waits 30 s for the page, and a result that comes later goes nowhere' },
      { file: uiActions, title: 'may have done what it was asked: timed-out' },
    ],
  },
  {
    id: 'wire-3-77',
    source: 'wire.md 3',
    says: 'A UI action is never replayed.',
    tests: [
      { file: integration, title: 'is told to the model, and neither Resume nor a reconnect asks the page again' },
      { file: uiActions, title: 'is asked once: a reader that comes while it is asked does not get it again' },
      { file: uiActions, title: 'is unknown, and never asked again, when the process ended while it ran: a write' },
      {
        file: uiActions,
        title: 'is unknown, and never asked again, when the process ended while it ran: one that reads',
      },
    ],
  },
  {
    id: 'wire-3-78',
    source: 'wire.md 3',
    says: 'A turn that another connection took up runs its UI actions there, if that one offers the same.',
    tests: [
      { file: uiActions, title: 'is the one of the connection that reads the turn now, if it offers the same' },
      {
        file: integration,
        title: 'leaves what comes later to the connection that took the turn up, if it offers the same',
      },
    ],
  },
  {
    id: 'wire-4-70',
    source: 'wire.md 4',
    says: 'A request over SSE has no UI actions.',
    tests: [
      {
        file: uiActions,
        title: 'are offered to the turns of their connection only, as it offers them when a turn begins',
      },
      { file: uiActions, title: 'does nothing over SSE, where there is no page, and the model is told so' },
    ],
  },
];
