import type { Requirement } from '../requirement.ts';

const classifier = 'test/unit/core/classifier/classifier.test.ts';
const models = 'test/integration/models-exact.test.ts';

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
