import type { SectionSchema } from './setting-schema.ts';

/** The types that models read, told apart by their content (service.md 2.5). */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** Images that users send (service.md 2.5). */
export const imagesSection = {
  title: 'Images',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableImageInput: {
      type: 'boolean',
      default: false,
      description: 'Takes images that users send with a message; the model must be one that sees them.',
    },
    maxImageBytes: {
      type: 'integer',
      minimum: 1,
      maximum: 20_971_520,
      default: 4_194_304,
      unit: 'bytes',
      description: 'Largest image; a larger one refuses its message.',
    },
    maxImagesPerMessage: {
      type: 'integer',
      minimum: 1,
      maximum: 16,
      default: 4,
      unit: 'images',
      description: 'Most images of one message; more refuse it.',
    },
    allowedImageTypes: {
      type: 'array',
      items: { type: 'string', enum: imageTypes },
      uniqueItems: true,
      minItems: 1,
      default: [...imageTypes],
      description: 'Types of images that are taken, by their content; others are left out with a warning.',
    },
  },
} as const satisfies SectionSchema;
