import type { Requirement } from '../requirement.ts';

const links = 'test/browser/links.test.ts';
const planLink = 'test/unit/widget/nodes/plan-link.test.ts';
const linkSettings = 'test/unit/app/link-settings.test.ts';
const whatWasDone = 'test/browser/what-was-done.test.ts';
const receipts = 'test/unit/widget/conversation/receipts.test.ts';
const replacedText = 'test/unit/widget/conversation/replaced-text.test.ts';

/** The statements about how the widget shows links, receipts, refusals, budgets and the origins of questions. */
export const widgetTrust: readonly Requirement[] = [
  {
    id: 'wire-9-80',
    tests: [
      { file: links, title: 'over https lead to any host, which stands beside words that do not begin with it' },
      { file: planLink, title: 'over https show the host beside %s, unless the words begin with it' },
      { file: planLink, title: 'keep the direction of the host apart from that of the words' },
    ],
  },
  {
    id: 'wire-9-81',
    tests: [
      {
        file: links,
        title:
          'lead to the hosts of links.hosts alone, where there are some; those of the page and of cited documents lead on',
      },
      { file: planLink, title: 'lead to listed hosts alone, and to cited documents whatever their host' },
      { file: linkSettings, title: 'is left out where links may lead to any host' },
      { file: linkSettings, title: 'means the same there as on the server: %j' },
    ],
  },
  {
    id: 'wire-9-82',
    tests: [
      {
        file: links,
        title: 'of another scheme are text; those of the page itself, mail and relative ones lead on',
      },
      { file: planLink, title: 'always lead to %s, and show no host' },
      { file: planLink, title: 'are text where the address is %j' },
    ],
  },
  {
    id: 'wire-9-83',
    tests: [{ file: links, title: 'and images load nothing by themselves, whatever they are made of' }],
  },
  {
    id: 'wire-9-84',
    tests: [
      {
        file: whatWasDone,
        title: 'stand below the reply with their status in words and their time, and are read out once',
      },
      { file: receipts, title: 'of calls without a line are listed below the reply, in their order' },
    ],
  },
  {
    id: 'wire-9-85',
    tests: [
      {
        file: whatWasDone,
        title: 'say nothing twice: the lines of actions and questions say it already, and say what the receipt says',
      },
      { file: receipts, title: 'that the line of the call says already are not listed' },
      { file: receipts, title: 'correct the line of a call that says otherwise, or nothing' },
      {
        file: receipts,
        title: 'say in the box of an approved question what became of it, also without events of actions',
      },
    ],
  },
  {
    id: 'wire-9-86',
    tests: [
      {
        file: whatWasDone,
        title: '%s is told calmly, in the words of the server, and offers to try again only where that helps',
      },
      {
        file: whatWasDone,
        title: 'offers to try again where the server says so, and a failure stays a failure',
      },
    ],
  },
  {
    id: 'wire-9-87',
    tests: [
      { file: whatWasDone, title: 'changes in place, and is read out once, as it is in the end' },
      {
        file: replacedText,
        title: 'by other words is taken back from before the actions too, and said behind them',
      },
    ],
  },
  {
    id: 'wire-9-88',
    tests: [
      { file: whatWasDone, title: 'can be looked up in the header by whoever has one, and by nobody else' },
      { file: whatWasDone, title: 'is no button without a budget, and over once it is renewed' },
      { file: whatWasDone, title: 'is the server’s, and a message over it is told when it begins anew' },
    ],
  },
  {
    id: 'wire-9-89',
    tests: [{ file: whatWasDone, title: 'says when a spent budget is renewed, in the user’s time' }],
  },
  {
    id: 'wire-9-94',
    tests: [
      { file: 'test/browser/hosted-tools.test.ts', title: 'are named in %s with showHostedToolsStatus' },
      { file: 'test/browser/hosted-tools.test.ts', title: 'are not shown by default' },
      { file: 'test/browser/hosted-tools.test.ts', title: 'are %s' },
      {
        file: 'test/unit/widget/conversation/hosted-tools.test.ts',
        title: 'shows the tools of the provider that the connection names',
      },
    ],
  },
  {
    id: 'wire-9-90',
    tests: [
      {
        file: whatWasDone,
        title: 'stands in it in plain words, with titles in which nothing hides, and is read out with it',
      },
      { file: whatWasDone, title: 'says in plain words what the reason %s means' },
      { file: whatWasDone, title: 'tells what the server found to be behind it, and which value nobody has given' },
      {
        file: whatWasDone,
        title: 'is not spoken of where all text is trusted, and quietly where it is that of the page alone',
      },
    ],
  },
  {
    id: 'wire-9-91',
    tests: [{ file: whatWasDone, title: 'marks the values that are not from the user, until the user changes them' }],
  },
  {
    id: 'wire-9-92',
    tests: [
      {
        file: whatWasDone,
        title: 'is loaded with the first that needs it, and can be asked for again when it cannot be fetched',
      },
    ],
  },
  {
    id: 'wire-9-93',
    tests: [
      { file: whatWasDone, title: 'come from the server’s own record, and are there again on the next page' },
      {
        file: whatWasDone,
        title: 'are still there on the next page, from the turn’s events and from the kept conversation',
      },
    ],
  },
];
