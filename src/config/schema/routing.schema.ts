import type { SectionSchema } from './setting-schema.ts';
import { regularExpression } from './tool-glob.ts';

/** Which messages a stronger model answers (contract/models.md#routing). */
export const routingSection = {
  title: 'Routing',
  type: 'object',
  additionalProperties: false,
  properties: {
    strongChatClient: {
      type: 'string',
      minLength: 1,
      description:
        'Name of the entry of models that answers messages which need more than chatClient. Left out, chatClient answers all.',
    },
    routingStrategy: {
      type: 'string',
      enum: ['Custom', 'Semantic', 'Classifier', 'Cascade'],
      default: 'Custom',
      description:
        'How such messages are told. Custom: by useStrongModel and hooks of plugins. Semantic: by embeddingGenerator, from routingComplexExemplars. Classifier: by one question to routingClassifierClient for each message. Cascade: where a reply is read whole, by one question about the reply of chatClient, which the strong model makes anew if it is not good enough; in a chat as Classifier.',
    },
    useStrongModel: {
      needs: [{ setting: 'routingStrategy', is: 'Custom' }],
      type: ['object', 'null'],
      default: null,
      additionalProperties: false,
      required: ['pattern'],
      properties: {
        pattern: { ...regularExpression, description: 'Messages in which this regular expression finds something.' },
      },
      description: 'With routingStrategy: Custom, the messages that strongChatClient answers.',
    },
    routingComplexExemplars: {
      needs: [{ setting: 'routingStrategy', is: 'Semantic' }],
      type: ['array', 'null'],
      items: { type: 'string', minLength: 1, maxLength: 2_000 },
      minItems: 1,
      maxItems: 200,
      default: null,
      description:
        'With routingStrategy: Semantic, messages that need strongChatClient, for others to be compared with. null takes a set in all ten languages.',
    },
    routingThreshold: {
      needs: [{ setting: 'routingStrategy', is: 'Semantic' }],
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.35,
      description:
        'With routingStrategy: Semantic, how near a message must be to one of them (cosine similarity); higher is stricter.',
    },
    routingClassifierClient: {
      needs: [
        [
          { setting: 'routingStrategy', is: 'Classifier' },
          { setting: 'routingStrategy', is: 'Cascade' },
        ],
      ],
      type: 'string',
      minLength: 1,
      description:
        'Name of the entry of models that is asked with routingStrategy: Classifier; left out, that of chatClient.',
    },
  },
} as const satisfies SectionSchema;
