import type { Requirement } from '../requirement.ts';

const identity = 'test/browser/widget-identity.test.ts';
const embedPage = 'test/browser/embed-page.test.ts';
const embedDictation = 'test/browser/embed-dictation.test.ts';
const embedHaptics = 'test/browser/embed-haptics.test.ts';
const embedWebView = 'test/browser/embed-webview.test.ts';
const conversation = 'test/unit/widget/conversation/conversation.test.ts';
const inProcess = 'test/integration/in-process.test.ts';

/** The statements whose ids begin with `wire-9`. */
export const wireSection9: readonly Requirement[] = [
  {
    id: 'wire-9-01',
    tests: [
      {
        file: identity,
        title:
          'another user begins anew: nothing of the former one is left on the screen or in the conversation (contract/widget.md#who-is-signed-in)',
      },
      { file: identity, title: 'who signs out takes everything along, an open question too' },
      { file: conversation, title: 'another user begins with an empty conversation, in the middle of a turn too' },
    ],
  },
  {
    id: 'wire-9-61',
    tests: [
      { file: embedPage, title: 'sends, looks and speaks as the host says' },
      { file: embedPage, title: 'closes where the host can, and otherwise stays' },
      {
        file: embedPage,
        title: 'a host that pushes tokens is not asked; null signs out, and nothing of the user stays',
      },
      {
        file: embedPage,
        title: 'tells the assistant where the host says its user is, and nothing of the frame’s own address',
      },
    ],
  },
  {
    id: 'wire-9-62',
    tests: [
      { file: embedPage, title: 'plays a whole turn with a question, and tells the host its state' },
      { file: embedPage, title: 'tells a host that can go there about pages and links, and never leaves by itself' },
      { file: embedPage, title: 'lends the assistant what the host can do, and the host answers' },
      { file: embedPage, title: 'counts for the host what comes while it is closed' },
      { file: embedPage, title: 'says what is wrong about a faulty %s, and does nothing of it' },
      {
        file: embedDictation,
        title: 'writes what the host hears into the message, in a browser that recognises no speech',
      },
      {
        file: embedHaptics,
        title: 'tells of a question, of the end of the approved action, and of the end of the answer',
      },
    ],
  },
  {
    id: 'wire-9-63',
    tests: [
      {
        file: embedPage,
        title: 'asks the host for the token, once for all who wait, and the token is in no address of the page',
      },
      { file: embedPage, title: 'takes a setToken as the answer, and asks again before the token ends' },
    ],
  },
  {
    id: 'wire-9-64',
    tests: [
      {
        file: embedPage,
        title:
          'messages of other windows and of other origins are not looked at, and neither are other versions and types',
      },
      { file: embedPage, title: '%s gets no page' },
    ],
  },
  {
    id: 'wire-9-65',
    tests: [
      { file: embedWebView, title: 'speaks with an application of %s' },
      { file: embedWebView, title: 'hears what the channel of %s brings' },
      {
        file: embedWebView,
        title: 'is not spoken to by windows, and without the mark in its address not by an application either',
      },
    ],
  },
  {
    id: 'wire-9-02',
    tests: [
      { file: identity, title: 'a page on another origin signs in as its guide shows (docs/guides/widget.md)' },
      {
        file: 'test/browser/connection.test.ts',
        title:
          'Stop ends the reply, keeps what was said and closes the model’s socket (contract/confirmations.md#stop)',
      },
    ],
  },
  {
    id: 'wire-9-03',
    tests: [
      { file: inProcess, title: 'throws every fault of an object at once, by key (contract/configuration.md)' },
      { file: inProcess, title: 'throws the faults of a file with their lines, and of a file that is missing' },
      { file: inProcess, title: 'throws the faults of plugins' },
    ],
  },
  {
    id: 'wire-9-04',
    tests: [
      { file: inProcess, title: 'tells the events of the hub, with their names, fields and numbers' },
      { file: inProcess, title: 'asks first; approved, the action runs once, as the user of the session' },
      { file: inProcess, title: 'asks first; declined, nothing runs and the model is told so' },
      {
        file: inProcess,
        title: 'takes changed arguments with the approval of an editable action (contract/confirmations.md#answering)',
      },
      { file: inProcess, title: 'comes by a signal as well, also to a message that still waits' },
      { file: inProcess, title: 'goes on in another helper with the same key, for the same user alone' },
      { file: inProcess, title: 'asks again what was open, and tells what comes of the answer' },
      { file: inProcess, title: 'is what closing a session means for the turn that runs' },
      {
        file: inProcess,
        title: 'keeps sessions apart: conversations, users, confirmations and Stop (contract/identity.md#whose-it-is)',
      },
    ],
  },
  {
    id: 'wire-9-05',
    tests: [
      { file: inProcess, title: 'opens no port and takes no signal' },
      { file: inProcess, title: 'refuses actions with a role until the host supplies a user who has it' },
    ],
  },
];
