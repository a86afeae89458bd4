import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const checks = 'test/integration/message-checks.test.ts';

const by = (id: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file: checks, title })),
});

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
  by('service-2.7-17', 'takes %s for no verdict: with Block the message is refused'),
  by('service-2.7-18', 'has no limit of time with 0, and Stop ends the wait'),
  by('service-2.7-19', 'asks chatClient where classifierChatClient is left out; the demo model knows the question'),
  by('service-2.8-10', 'takes the place of the one that comes with the server; true is safe, false refuses'),
  by('service-2.8-11', 'gives no verdict with %s'),
  by('service-2.8-12', 'is asked of the callback that inputGuardrail names, whatever its manifest says'),
  by('service-2.8-13', 'names a callback that there is: another name is a fault with what was probably meant'),
  by('service-2.8-14', 'must all find the message safe, and the first that does not decides'),
  by('extending-2-60', 'is asked of a callback whose manifest says that it can tell'),
  by('extending-2-61', 'gives no verdict when the callback %s'),
];
