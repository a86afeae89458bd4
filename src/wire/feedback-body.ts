/** Body of `POST /helper/feedback` (contract/sessions.md#ratings): JSON Schema and type. */

/** The most characters of the word that a user adds to a rating. */
const maxComment = 1000;

export const feedbackBodySchema = {
  type: 'object',
  required: ['rating'],
  additionalProperties: false,
  properties: {
    turnId: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'Of the turn, as its events tell it.' },
    replyId: {
      type: 'string',
      pattern: '^(chatcmpl-|resp_|msg_)[A-Za-z0-9._-]{1,64}$',
      description: 'In place of `turnId`: the id of a reply of `/v1`.',
    },
    rating: { enum: ['good', 'bad', null], description: 'null takes an earlier rating back.' },
    comment: {
      type: 'string',
      maxLength: maxComment,
      description: 'What the user says about the reply.',
    },
    conversationId: {
      type: 'string',
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      description: 'The kept conversation of a turn that ended long ago.',
    },
  },
  oneOf: [{ required: ['turnId'] }, { required: ['replyId'] }],
  examples: [{ turnId: 'V2hpY2ggdHVybj8', rating: 'bad', comment: 'The address is an old one.' }],
} as const;

/** Body of `POST /helper/feedback`. */
export type FeedbackBody = ({ readonly turnId: string } | { readonly replyId: string }) & {
  readonly rating: 'good' | 'bad' | null;
  readonly comment?: string;
  readonly conversationId?: string;
};

/** A rating as its user reads it again. */
export const feedbackSchema = {
  type: 'object',
  required: ['rating'],
  properties: { rating: { enum: ['good', 'bad'] }, comment: { type: 'string' } },
  description: 'What the user thinks of the reply to this message.',
} as const;

/** A rating as its user reads it again. */
export interface ShownFeedback {
  readonly rating: 'good' | 'bad';
  readonly comment?: string;
}
