import type { Requirement } from '../requirement.ts';

const classifier = 'test/unit/core/classifier/classifier.test.ts';
const models = 'test/integration/models-exact.test.ts';
const routing = 'test/integration/routing.test.ts';
const choice = 'test/unit/core/routing/route-turn.test.ts';
const copies = 'test/unit/core/sessions/snapshot/copies.test.ts';

const by = (id: string, file: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file, title })),
});

/** The statements of `docs/contract/models.md#small-questions`. */
export const serviceSection2Point14: readonly Requirement[] = [
  {
    id: 'service-2.14-01',
    tests: [
      { file: 'test/unit/config/rules.test.ts', title: 'must exist: classifierChatClient' },
      { file: models, title: 'goes to the entry of classifierChatClient, else to that of chatClient' },
    ],
  },
  {
    id: 'service-2.14-02',
    tests: [
      { file: classifier, title: 'is one message without tools, asked at temperature 0' },
      { file: models, title: 'is sent with temperature 0 and response_format, whatever the model is configured with' },
      { file: models, title: 'has temperature 0 from a LangChain package too' },
    ],
  },
  {
    id: 'service-2.14-03',
    tests: [
      { file: models, title: 'is asked again without a field that the server does not take, and never again with it' },
    ],
  },
  { id: 'service-2.14-04', tests: [{ file: classifier, title: 'has its verdict in one JSON object: %s' }] },
  {
    id: 'service-2.14-05',
    tests: [
      { file: classifier, title: 'ends with model_timeout after its time, whatever the model does' },
      { file: classifier, title: 'ends with the reason of its signal, and does not begin after that' },
    ],
  },
];

/** The statements of `docs/contract/models.md#routing`. */
export const routingRequirements: readonly Requirement[] = [
  {
    id: 'service-2.14-10',
    tests: [
      { file: 'test/unit/config/load-settings.test.ts', title: 'fills in every default of contract/models.md#routing' },
      { file: routing, title: 'is a fault: a name of no model' },
      { file: routing, title: 'is a fault: a pattern that can take for ever' },
    ],
  },
  by(
    'service-2.14-11',
    routing,
    'answers the messages in which the pattern finds something, and TurnStarted names it',
    'answers where a hook says so, and TurnStarted names no model before that',
  ),
  by('service-2.14-12', routing, 'goes by useStrongModelAsync alone where there is one, which sees the conversation'),
  by(
    'service-2.14-13',
    routing,
    'answers what is near one of the exemplars, whose vectors are made once',
    'is stricter with a higher threshold',
    'has a set of its own in all ten languages',
  ),
  by(
    'service-2.14-14',
    routing,
    'answers where the model that is asked says so: %s',
    'is asked of chatClient where routingClassifierClient is left out',
    'leaves the message to chatClient with %s',
  ),
  by('service-2.14-15', routing, 'answers where the model that is asked says so: %s'),
  by(
    'service-2.14-16',
    routing,
    'is warned of with %s',
    'is warned of what has no effect',
    'leaves every message to chatClient where a part is missing',
  ),
  {
    id: 'service-2.14-17',
    tests: [
      { file: routing, title: 'leaves the message to chatClient with %s' },
      { file: routing, title: 'leaves the message to chatClient when a hook %s' },
      { file: routing, title: 'leaves the message to chatClient while there are no vectors, and asks for them again' },
      { file: choice, title: 'is the usual one with a warning when the router fails' },
      { file: choice, title: 'is the usual one after 5 s, whatever the router does' },
    ],
  },
  {
    id: 'service-2.14-18',
    tests: [
      { file: routing, title: 'answers all rounds of its turn' },
      { file: choice, title: 'is recorded: it is made once in a turn, and no model is named before it' },
      { file: choice, title: 'ends with a Stop' },
    ],
  },
  {
    id: 'service-2.14-19',
    tests: [
      { file: routing, title: 'answers the messages in which the pattern finds something, and TurnStarted names it' },
      { file: routing, title: 'answers where a hook says so, and TurnStarted names no model before that' },
      { file: choice, title: 'is there from the start where nobody is asked' },
      { file: copies, title: 'names at once the model that its message was put to' },
    ],
  },
  by('service-2.14-20', routing, 'is paid out of budgets like all models', 'has them around it as chatClient has'),
  by(
    'service-2.14-21',
    routing,
    'leaves the reply of chatClient where it is good enough',
    'has the strong model answer where it is not, for tasks of other agents as well',
    'gives the strong model what was looked up, which is looked up once',
    'is the choice beforehand where the reply is streamed',
  ),
  by(
    'service-2.14-22',
    routing,
    'never does anything twice: a reply after a change stands, and is not judged',
    'leaves the reply of chatClient with %s',
  ),
  by('wire-2-72', routing, 'answers where a hook says so, and TurnStarted names no model before that'),
];
