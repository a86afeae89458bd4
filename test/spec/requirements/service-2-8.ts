import type { Requirement } from '../requirement.ts';

const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const resultRules = 'test/unit/core/tools/result-rules.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';

/** The statements whose ids begin with `service-2.8`. */
export const serviceSection2Point8: readonly Requirement[] = [
  {
    id: 'service-2.8-01',
    tests: [
      {
        file: specGapsActions,
        title: 'onToolResult is given tool name and result, and the model reads what it made of it',
      },
      { file: resultRules, title: 'replaces patterns in every text, however deep' },
    ],
  },
  {
    id: 'service-2.8-02',
    tests: [
      {
        file: 'test/integration/turn-ends.test.ts',
        title: 'is withheld from the model and the user, and the model is told that the action ran',
      },
    ],
  },
  {
    id: 'service-2.8-03',
    tests: [{ file: runTurn, title: 'with the hook both get its message' }],
  },
  {
    id: 'service-2.8-04',
    tests: [{ file: runTurn, title: 'a hook that says nothing shows the fixed text, and the model the exception' }],
  },
  {
    id: 'service-2.8-05',
    tests: [{ file: runTurn, title: 'a hook that throws says nothing' }],
  },
  {
    id: 'service-2.8-06',
    tests: [
      {
        file: specGapsServer,
        title: 'says in the configured language that an action failed, when onException has no words for it',
      },
    ],
  },
  {
    id: 'service-2.8-07',
    tests: [{ file: runTurn, title: 'without the hook chat and model get the exception message' }],
  },
  {
    id: 'service-2.8-08',
    tests: [{ file: specGapsActions, title: 'onException is asked about exceptions of the tool itself only' }],
  },
];
