import type { Requirement } from '../requirement.ts';

const unit = 'test/unit/core/turn/receipts.test.ts';
const integration = 'test/integration/receipts.test.ts';

const openAi = 'test/integration/openai-api.test.ts';
const replyEvents = 'test/unit/channels/openai/reply-events.test.ts';
const runningTask = 'test/unit/channels/a2a/running-task.test.ts';
const a2aConfirmation = 'test/integration/a2a-confirmation.test.ts';
const runEvents = 'test/unit/channels/ag-ui/run-events.test.ts';
const honest = 'test/unit/core/turn/honest-reply.test.ts';
const ofAgents = 'test/unit/core/agents/checked-replies.test.ts';
const served = 'test/integration/true-replies.test.ts';
const lying = 'test/integration/lying-model.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';

const by = (id: string, ...titles: readonly (readonly [string, string])[]): Requirement => ({
  id,
  tests: titles.map(([file, title]) => ({ file, title })),
});

/** The statements of `docs/contract` about receipts, which tell what was really done. */
export const receiptRequirements: readonly Requirement[] = [
  by(
    'wire-2-80',
    [unit, 'tell of a call %s'],
    [integration, 'end a turn of server-sent events, whatever the reply says'],
    [integration, 'end a turn of the hub, and stand in the conversation as it is read, opened and restored'],
    [integration, 'end the turn as they do on the hub'],
  ),
  by('wire-2-81', [unit, 'say nothing of %s']),
  by('wire-2-82', [unit, 'of what a page does tell of %s'], [unit, 'tell of a call %s']),
  by(
    'wire-2-83',
    [unit, 'tell of every such call of a turn, in the order in which they ended'],
    [unit, 'tell of a call %s'],
  ),
  by(
    'wire-2-84',
    [integration, 'end a turn of server-sent events, whatever the reply says'],
    [unit, 'are the same when a next process goes on with the turn: %s'],
    [unit, 'tell of a write that nobody was asked about and that a crash interrupted'],
    [unit, 'are told by a copy of the turn, and below a conversation whose turn had nothing left to ask'],
  ),
  by(
    'wire-2-87',
    [integration, 'tell of calls that nobody was asked about, and nothing of tools of the provider'],
    [integration, 'tell of a call that was declined'],
    [integration, 'tell that the end of a call is unknown where a crash has lost it'],
  ),
  by(
    'wire-2-85',
    [unit, 'are at most 100: of more, the newest of each action and status stay, and then the newest'],
    [unit, 'cut a title that is too long'],
  ),
  by('wire-2-86', [
    integration,
    'end a turn of the hub, and stand in the conversation as it is read, opened and restored',
  ]),
  by(
    'service-2.14-80',
    [openAi, 'end with what was really done where a change was not made, whatever the model says'],
    [openAi, 'say nothing below a reply whose changes were made'],
    [replyEvents, 'has what was really done at its end'],
    [replyEvents, 'has it in the words of the fault where the turn has failed'],
    [runningTask, 'has what was really done below the reply'],
    [runningTask, 'has it in the words of the fault where the turn has failed'],
    [a2aConfirmation, 'does not run when its user declines, or when the task is stopped'],
  ),
  by('service-2.14-81', [runEvents, 'tells what was really done before the fault of a turn that has failed']),
  by(
    'configuration-2-40',
    ['test/unit/config/load-settings.test.ts', 'fills in every default of contract/guardrails.md'],
    [served, 'asks nothing and replaces nothing unless it is set'],
  ),
  by(
    'configuration-2-41',
    [honest, 'is looked at behind its end: the first word does not wait for any question'],
    [served, 'asks chatClient where classifierChatClient is left out'],
  ),
  by('configuration-2-42', [honest, 'is asked about with what was said before, between marks that are new each time']),
  by(
    'configuration-2-43',
    [honest, 'without an action is replaced by the truth, and the conversation goes on with that'],
    [honest, 'of an action that was %s says what became of it'],
    [honest, 'is found where a long reply is asked about in parts'],
    [honest, 'of two actions, one of which failed, says what became of both'],
    [served, 'replaces a false claim on the stream, in the frame of a replacement'],
  ),
  by(
    'configuration-2-44',
    [lying, 'leaves no false claim where an action is required: $language, $hitlMode'],
    [lying, 'says nothing without the receipts that contradict it: $language, $hitlMode'],
  ),
  by(
    'configuration-2-45',
    [honest, 'of an action that succeeded stays, and nobody is asked about it'],
    [honest, 'stays with %s'],
  ),
  by(
    'service-2.6-26',
    [honest, 'do not approve: the user is asked, and cannot choose not to be asked again'],
    [honest, 'approve as ever where it %s'],
  ),
  by(
    'configuration-2-46',
    [served, 'requires nothing with requireConfirmation: false'],
    [warnings, 'an action that nothing can require (contract/guardrails.md#true-replies)'],
  ),
  by(
    'configuration-2-47',
    [honest, 'that has read nothing is taken back, and the model must look something up first'],
    [honest, 'keeps what was done before it was asked once more: no action is called twice'],
    [served, 'has the model look something up, over server-sent events'],
    [served, 'has the model look something up, over the hub, and goes on with what was shown'],
    [ofAgents, 'are neither kept nor sent again, where %s has claimed a change'],
    [ofAgents, 'do not come to the model that is asked once more, in the same turn'],
    ['test/integration/models-tool-choice.test.ts', 'is told so, and only then: %s'],
  ),
  by(
    'configuration-2-48',
    [honest, 'that has read nothing is taken back, and the model must look something up first'],
    [honest, 'that tells of a page opened or of a tool of the server has read nothing'],
    [honest, 'that goes by documents and by the page has read nothing'],
    [honest, 'stays, %s'],
  ),
  by(
    'configuration-2-49',
    [honest, 'of a model that %s says that the record could not be looked up'],
    [honest, 'of a look-up that failed says so too, and what was done'],
    [honest, 'where no tool reads says so without asking again'],
  ),
  by(
    'configuration-2-50',
    [served, 'lets the reply stand when the small model does not answer within safetyCheckTimeout'],
    [served, 'lets the reply stand when the small model answers %s'],
    [honest, 'stays when the question takes too long, and the log has a warning'],
  ),
  by('configuration-2-51', [
    warnings,
    'a demo model that cannot tell what is true (contract/guardrails.md#true-replies)',
  ]),
  by(
    'configuration-2-52',
    [honest, 'without an action is replaced by the truth, and the conversation goes on with that'],
    [honest, 'of an action that was %s says what became of it'],
    [served, 'has the model look something up, over the hub, and goes on with what was shown'],
  ),
  by(
    'configuration-2-53',
    [
      honest,
      'goes on in the next process: what has its verdict is not asked again, and what was taken back stays away',
    ],
    [honest, 'stays taken back in a copy of the turn'],
  ),
  by('configuration-2-56', [honest, 'of more than 92,500 characters is not asked about, and stays']),
  by('configuration-2-55', [served, 'is never shown: one that %s']),
  by(
    'configuration-2-54',
    [honest, 'that was replaced tells no sources'],
    [honest, 'of a reply without an end is not asked for: a Stop ends the questions'],
  ),
];
