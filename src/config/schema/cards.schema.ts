import type { SectionSchema } from './setting-schema.ts';

/** Cards that tools answer with (contract/cards.md), and links in them and in replies. */
export const cardsSection = {
  title: 'Cards',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableGenerativeCards: {
      type: 'boolean',
      default: true,
      description: 'Shows a card that a tool returns; false gives the model its data as text.',
    },
    cards: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        imageHosts: {
          type: 'array',
          items: {
            type: 'string',
            pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$',
            allowed: 'a host in lower case, such as images.example.com',
          },
          uniqueItems: true,
          default: [],
          description: "Hosts whose images cards may show over https, beside the page's own.",
        },
      },
      description: 'What cards may load.',
    },
    links: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        hosts: {
          type: 'array',
          items: {
            type: 'string',
            pattern: '^[a-z0-9*?]([a-z0-9.*?-]*[a-z0-9*?])?(:[0-9*]{1,5})?$',
            allowed: 'a host in lower case, such as docs.example.com or *.example.com',
          },
          uniqueItems: true,
          default: [],
          description:
            'Hosts to which replies and cards may link over https, by glob: * stands for any characters, ? for one. Links to others are text. Empty: any host.',
        },
      },
      description: 'Where links may lead that a model or a tool wrote.',
    },
  },
} as const satisfies SectionSchema;
