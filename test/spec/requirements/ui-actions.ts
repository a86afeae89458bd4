import type { Requirement } from '../requirement.ts';

const integration = 'test/integration/ui-actions.test.ts';
const uiActions = 'test/unit/core/ui-actions/ui-actions.test.ts';
const pageSchema = 'test/unit/core/ui-actions/page-schema.test.ts';
const hubUiActions = 'test/unit/channels/hub/hub-ui-actions.test.ts';
const readArguments = 'test/unit/channels/hub/read-arguments.test.ts';

/** UI actions. */
export const uiActionRequirements: readonly Requirement[] = [
  {
    id: 'wire-2-70',
    tests: [
      { file: hubUiActions, title: 'is an invocation with one argument, whose result is the answer' },
      { file: integration, title: 'runs in the page, and what the page returns goes to the model as data' },
    ],
  },
  {
    id: 'wire-3-70',
    tests: [
      { file: readArguments, title: 'takes 32 of them, of 4 KiB of schema each, and no more' },
      { file: integration, title: 'is refused for 33 actions, changes nothing, and the connection goes on' },
      { file: integration, title: 'is refused for 5 KiB of schema, changes nothing, and the connection goes on' },
    ],
  },
  {
    id: 'wire-3-71',
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
    tests: [
      {
        file: uiActions,
        title: 'is not spared by isReadOnlyAction, auto-approval rules or what the user wants remembered',
      },
    ],
  },
  {
    id: 'wire-3-79',
    tests: [
      {
        file: integration,
        title: 'runs with a value that the user has written, and the model is not told of the mark',
      },
      {
        file: integration,
        title: 'asks with any other value although it is readOnly, marks the value, and runs once it is approved',
      },
    ],
  },
  {
    id: 'wire-3-74',
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
    tests: [
      { file: uiActions, title: 'run on the page, whose answer the model gets as delimited data' },
      { file: uiActions, title: 'may answer with exactly 64 KiB, with nothing, and with levels without end' },
      { file: integration, title: 'answers with 65 KiB: its answer is left out, and the connection goes on' },
    ],
  },
  {
    id: 'wire-3-76',
    tests: [
      { file: integration, title: 'has no handler: the model is told so' },
      { file: integration, title: 'has a handler that throws: the model is told so' },
      { file: hubUiActions, title: 'waits 30 s for the page, and a result that comes later goes nowhere' },
      { file: uiActions, title: 'may have done what it was asked: timed-out' },
    ],
  },
  {
    id: 'wire-3-77',
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
    tests: [
      {
        file: uiActions,
        title: 'are offered to the turns of their connection only, as it offers them when a turn begins',
      },
      { file: uiActions, title: 'does nothing over SSE, where there is no page, and the model is told so' },
    ],
  },
];
