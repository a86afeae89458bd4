import type { Requirement } from '../requirement.ts';

const browser = 'test/browser/agents.test.ts';
const state = 'test/unit/widget/conversation/agents.test.ts';
const narrator = 'test/unit/widget/panel/speech/narrator.test.ts';

/** The statements about how the widget shows which agents work, speak and ask. */
export const widgetAgents: readonly Requirement[] = [
  {
    id: 'wire-9-95',
    tests: [
      {
        file: browser,
        title: 'stand in one calm line, in place of the dots, until one of them speaks or all have ended',
      },
      { file: browser, title: 'say nothing of a failure: the line goes, and the reply tells it' },
      { file: browser, title: 'are gone after a Stop' },
      { file: browser, title: 'fit into a narrow panel, with names of any length' },
      { file: state, title: 'are %s' },
      { file: state, title: 'are nobody once the turn has ended, also where nobody told that they had ended' },
      { file: state, title: 'are told in the words of the language' },
    ],
  },
  {
    id: 'wire-9-96',
    tests: [
      { file: browser, title: 'are announced once and politely, and not with each phase' },
      { file: narrator, title: 'are announced once in a turn, together, and only if the work takes a while' },
      { file: narrator, title: 'are not announced when the agent %s before' },
    ],
  },
  {
    id: 'wire-9-97',
    tests: [
      {
        file: browser,
        title: 'stands above each part of a reply that another agent says, and above the assistant’s own part below it',
      },
      { file: browser, title: 'goes with the words that are replaced' },
      { file: state, title: 'is named before the words of each other agent, and of the coordinator below them' },
      { file: state, title: 'is forgotten for the words that are replaced, and stays for those that stand' },
    ],
  },
  {
    id: 'wire-9-98',
    tests: [
      {
        file: browser,
        title: 'stands above each part of a reply that another agent says, and above the assistant’s own part below it',
      },
      { file: browser, title: 'is said before the words, where replies are read aloud' },
      {
        file: 'test/browser/agents-of-guide.test.ts',
        title: 'work, speak and ask under their names, on the next page too',
      },
      { file: narrator, title: 'are named before their words, when the reply is announced' },
      { file: state, title: 'is not named in a restored conversation, which has the words alone' },
    ],
  },
  {
    id: 'wire-9-99',
    tests: [
      { file: browser, title: 'is named in the question of its action, with characters that hide spelled out' },
      { file: browser, title: 'is not named in a question of the assistant itself' },
      { file: narrator, title: 'names the agent that asks, unless that is the coordinator' },
    ],
  },
];
