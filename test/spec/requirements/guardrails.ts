import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const checks = 'test/integration/message-checks.test.ts';
const replies = 'test/integration/reply-checks.test.ts';
const scope = 'test/integration/scope-checks.test.ts';
const ofAgents = 'test/unit/core/agents/checked-replies.test.ts';
const restart = 'test/integration/held-restart.test.ts';

const byFile =
  (file: string) =>
  (id: string, ...titles: readonly string[]): Requirement => ({ id, tests: titles.map((title) => ({ file, title })) });
const by = byFile(checks);
const ofReplies = byFile(replies);
const ofScope = byFile(scope);

/** The statements of `docs/contract/guardrails.md`. */
export const guardrailRequirements: readonly Requirement[] = [
  { id: 'service-2.7-10', tests: [{ file: loadSettings, title: 'fills in every default of contract/guardrails.md' }] },
  by('service-2.7-11', 'asks chatClient where classifierChatClient is left out; the demo model knows the question'),
  by(
    'service-2.7-12',
    'is one strict question at temperature 0, with the message between marks that are new each time',
  ),
  by(
    'service-2.7-13',
    'refuses what it finds unsafe: nothing of the reply is shown, and nothing is kept',
    'keeps nothing of a refused message in the conversation that goes on',
  ),
  by('service-2.7-14', 'holds the text until the verdict is there, and then shows all of it'),
  by('service-2.7-15', 'lets no action run before the verdict'),
  by('service-2.7-16', 'takes %s for no verdict: with Allow the message is answered'),
  by('service-2.7-29', 'gives %s on a message of %i characters with Block'),
  by('service-2.7-30', 'reads the text and the names of pictures, and never looks into a picture'),
  by('service-2.7-17', 'takes %s for no verdict: with Block the message is refused'),
  by('service-2.7-18', 'has no limit of time with %s, and Stop ends the wait'),
  by('service-2.7-19', 'asks chatClient where classifierChatClient is left out; the demo model knows the question'),
  by('service-2.8-10', 'takes the place of the one that comes with the server; true is safe, false refuses'),
  by('service-2.8-11', 'gives no verdict with %s'),
  by('service-2.8-12', 'is asked of the callback that inputGuardrail names, whatever its manifest says'),
  by('service-2.8-13', 'names a callback that there is: another name is a fault with what was probably meant'),
  by('service-2.8-14', 'must all find the message safe, and the first that does not decides'),
  by('extending-2-60', 'is asked of a callback whose manifest says that it can tell'),
  by('extending-2-61', 'gives no verdict when the callback %s'),
  ofReplies('service-2.8-20', 'shows nothing before the verdict, and then the whole reply in one piece'),
  ofReplies(
    'service-2.8-21',
    'holds cards with the text, while the events of actions flow',
    'lets questions to the user through while the reply is held',
  ),
  ofReplies(
    'service-2.8-22',
    'asks one strict question at temperature 0, with the reply between marks that are new each time',
  ),
  ofReplies('service-2.8-23', 'asks about a long reply in parts that overlap, and withholds all of it for one of them'),
  ofReplies(
    'service-2.8-24',
    'withholds what it finds unsafe: no word of it leaves, and the user is told that it was withheld',
  ),
  ofReplies('service-2.8-25', 'sends no card of a reply that is withheld'),
  {
    id: 'service-2.8-26',
    tests: [
      { file: replies, title: 'keeps the message of a withheld reply in the conversation, and nothing of the reply' },
      {
        file: replies,
        title:
          'tells the model with the next message that the reply after its calls was withheld, and what they have come to',
      },
      {
        file: replies,
        title: 'keeps nothing of what a specialist has said in a withheld reply: the next message tells the model so',
      },
      { file: ofAgents, title: 'are neither kept nor sent to a model again, where %s has said them' },
      { file: ofAgents, title: 'are not kept where a member of the team has failed with them' },
      { file: ofAgents, title: 'stay away in a turn that goes on %s' },
    ],
  },
  ofReplies('service-2.8-27', 'takes %s for no verdict: with Allow the reply is shown'),
  ofReplies('service-2.8-28', 'takes %s for no verdict: with Block the reply is withheld'),
  ofReplies('service-2.8-29', 'is ended by Stop while the verdict is awaited, and nothing of the reply is shown'),
  {
    id: 'service-2.8-30',
    tests: [{ file: restart, title: 'is checked as a whole, and with the verdict %s its turn is %s' }],
  },
  ofReplies('service-2.8-31', 'is known to the demo model, which withholds keys of providers'),
  ofReplies('service-2.8-15', 'take the place of the one that comes with the server; true is safe, false withholds'),
  ofReplies('extending-2-62', 'are asked of a callback whose manifest has the hook outputGuardrail'),
  ofReplies('service-2.8-16', 'are asked of the callback that outputGuardrail names, whatever its manifest says'),
  ofReplies('service-2.8-17', 'name a callback that there is: another name is a fault with what was probably meant'),
  ofScope('service-2.7-20', 'are turned away in words, without an error, and without a call of the answering model'),
  ofScope('service-2.7-21', 'are told by one strict question that names the application and what the assistant can do'),
  ofScope('service-2.7-22', 'are told by what was said before, too'),
  ofScope('service-2.7-23', 'are answered when the classifier %s'),
  ofScope('service-2.7-24', 'are refused as unsafe where they are that as well'),
  ofScope('service-2.7-25', 'stay in the conversation with the words that turned them away'),
  ofScope('service-2.7-26', 'count as blocks of the guardrail scope'),
  ofReplies('service-2.7-27', 'counts a withheld reply as a block of the guardrail output'),
  ofScope('service-2.7-28', 'are known to the demo model in each language'),
];
