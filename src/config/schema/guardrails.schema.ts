import type { SectionSchema } from './setting-schema.ts';

/** Checks of messages and replies (contract/guardrails.md). */
export const guardrailsSection = {
  title: 'Guardrails',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableSafetyCheck: {
      type: 'boolean',
      default: false,
      description:
        'Has classifierChatClient look at each message for attempts to get around the instructions, with one call beside the first of the model. A check of your own takes its place.',
    },
    enableOutputSafetyCheck: {
      type: 'boolean',
      default: false,
      description:
        'Has classifierChatClient look at each whole reply for secrets, personal data and harmful content before any of it is shown. Replies are not shown while they are written then. A check of your own takes its place.',
    },
    inputGuardrail: {
      type: ['object', 'null'],
      default: null,
      additionalProperties: false,
      required: ['callback'],
      properties: {
        callback: { type: 'string', minLength: 1, description: 'Name of an entry of actions.callbacks.' },
      },
      description:
        'Asks this callback whether a message is safe, also while its manifest does not say that it can tell.',
    },
    outputGuardrail: {
      type: ['object', 'null'],
      default: null,
      additionalProperties: false,
      required: ['callback'],
      properties: {
        callback: { type: 'string', minLength: 1, description: 'Name of an entry of actions.callbacks.' },
      },
      description:
        'Asks this callback whether a reply is safe before any of it is shown, also while its manifest does not say that it can tell.',
    },
    safetyCheckTimeout: {
      needs: [
        [
          { setting: 'enableSafetyCheck' },
          { setting: 'enableOutputSafetyCheck' },
          { setting: 'inputGuardrail' },
          { setting: 'outputGuardrail' },
          { setting: 'refuseOutOfScope' },
          { setting: 'requireLookupForRecordQuestions' },
          { setting: 'requireActionForChangeRequests' },
        ],
      ],
      type: 'string',
      format: 'time-limit',
      default: '15s',
      description: 'Time that the checks of a message, or of a reply, may take; 0 or less means no limit.',
    },
    safetyCheckFailure: {
      needs: [
        [
          { setting: 'enableSafetyCheck' },
          { setting: 'enableOutputSafetyCheck' },
          { setting: 'inputGuardrail' },
          { setting: 'outputGuardrail' },
        ],
      ],
      enum: ['Allow', 'Block'],
      default: 'Allow',
      description:
        'What becomes of a message or a reply for which a check gives no verdict: Allow lets it pass, Block refuses the message or withholds the reply.',
    },
    refuseOutOfScope: {
      type: 'boolean',
      default: false,
      description:
        'Has classifierChatClient turn away messages that are plainly unrelated to the application, before the model is asked. When it is not sure, the message is answered.',
    },
    requireLookupForRecordQuestions: {
      type: 'boolean',
      default: false,
      description:
        'Has classifierChatClient tell questions about particular records. A reply to one that has read no data is replaced: the model is asked once more and must look something up.',
    },
    requireActionForChangeRequests: {
      needs: [{ setting: 'requireConfirmation' }],
      type: 'boolean',
      default: false,
      description:
        'Has classifierChatClient tell messages that ask for a change. A reply to one that claims a change which was not made is replaced by what was really done. No rule approves what such a message asks for.',
    },
  },
} as const satisfies SectionSchema;
