import type { Requirement } from '../requirement.ts';

const identity = 'test/browser/widget-identity.test.ts';
const pageToken = 'test/unit/widget/transport/page-token.test.ts';
const images = 'test/browser/images.test.ts';
const widgetImages = 'test/unit/app/widget-images.test.ts';
const badge = 'test/browser/remote-agents-badge.test.ts';
const servers = 'test/browser/mcp-badge.test.ts';
const agents = 'test/unit/widget/conversation/remote-agents.test.ts';
const control = 'test/unit/widget/transport/control-requests.test.ts';

/** The statements whose ids begin with `service-2.20`. */
export const serviceSection2Point20: readonly Requirement[] = [
  {
    id: 'service-2.20-01',
    tests: [
      { file: pageToken, title: 'is asked for anew each time, and only then' },
      {
        file: identity,
        title:
          'chats, asks and acts as that user, and the token is in no address but the hub’s (contract/identity.md#tokens)',
      },
    ],
  },
  {
    id: 'service-2.20-02',
    tests: [{ file: control, title: 'carry the token in their header, and nowhere else' }],
  },
  {
    id: 'service-2.20-03',
    tests: [
      {
        file: 'test/browser/widget-identity.test.ts',
        title: 'a page that gives %s is anonymous to the server: it may ask, and no role is its own',
      },
    ],
  },
  {
    id: 'service-2.20-04',
    tests: [
      { file: 'test/unit/app/client-options.test.ts', title: 'of the tour: %s' },
      {
        file: 'test/browser/tour.test.ts',
        title: 'can be written by hand: tourUrl takes a file of the page, and what is no step is left out',
      },
    ],
  },
  {
    id: 'service-2.20-05',
    tests: [
      { file: images, title: 'are not offered %s' },
      {
        file: images,
        title: 'are picked, shown, removed by the keyboard, sent and seen in the transcript, and axe finds nothing',
      },
    ],
  },
  {
    id: 'service-2.20-06',
    tests: [
      { file: widgetImages, title: 'has the defaults of contract/widget.md#pictures' },
      {
        file: images,
        title: 'are refused with a reason beside the text: wrong types, too many, and what cannot be made small enough',
      },
    ],
  },
  {
    id: 'service-2.20-07',
    tests: [
      {
        file: 'test/browser/options.test.ts',
        title: 'has the widget chat, ask and answer at the server it names, not where its script came from',
      },
      { file: 'test/unit/config/rules.test.ts', title: 'may not say %s' },
    ],
  },
  {
    id: 'service-2.20-08',
    tests: [
      { file: 'test/unit/app/widget-options.test.ts', title: '%s is that of client where it has one' },
      { file: 'test/unit/app/widget-options.test.ts', title: 'welcomeMessage too' },
    ],
  },
  {
    id: 'service-2.20-09',
    tests: [
      { file: badge, title: 'says in %s how many are connected, and opens to their names, addresses and states' },
      { file: badge, title: 'follows a change while it is open, and a conversation that begins anew' },
      { file: badge, title: 'fits where the panel is narrow and names are long' },
      { file: badge, title: 'shows %s' },
      { file: 'test/unit/app/client-options.test.ts', title: 'of remote agents: %s' },
      {
        file: agents,
        title: 'are those of the connection, also in a new conversation, until another connection tells of others',
      },
      { file: agents, title: 'are not shown unless the widget shows them' },
      { file: agents, title: 'of one user are not shown to the next' },
    ],
  },
  {
    id: 'service-2.20-10',
    tests: [
      { file: badge, title: 'names before the first message %s' },
      { file: 'test/unit/app/client-options.test.ts', title: 'of remote agents: %s' },
      { file: agents, title: 'are those that the page expects until there is a connection' },
    ],
  },
  {
    id: 'service-2.20-11',
    tests: [
      { file: servers, title: 'says in %s how many are connected, and opens to their names and states' },
      { file: servers, title: 'shows %s' },
      { file: 'test/unit/app/client-options.test.ts', title: 'of MCP servers: %s' },
      { file: agents, title: 'beside MCP servers are told apart, and each is shown where the widget shows it' },
    ],
  },
  {
    id: 'service-2.20-12',
    tests: [
      { file: servers, title: 'is there before the first message with client.hasMcpServers' },
      { file: 'test/unit/app/client-options.test.ts', title: 'of MCP servers: %s' },
    ],
  },
];
