import { imageLimits } from './image-limits.ts';
import type { SectionSchema } from './setting-schema.ts';

/** Images that users send (contract/images.md). */
export const imagesSection = {
  title: 'Images',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableImageInput: {
      ...imageLimits.enableImageInput,
      description: 'Takes images that users send with a message; the model must be one that sees them.',
    },
    maxImageBytes: {
      needs: [{ setting: 'enableImageInput' }],
      ...imageLimits.maxImageBytes,
      description: 'Largest image, at most 20MiB; a larger one refuses its message.',
    },
    maxImagesPerMessage: {
      needs: [{ setting: 'enableImageInput' }],
      ...imageLimits.maxImagesPerMessage,
      description: 'Most images of one message; more refuse it.',
    },
    allowedImageTypes: {
      needs: [{ setting: 'enableImageInput' }],
      ...imageLimits.allowedImageTypes,
      description: 'Types of images that are taken, by their content; others are left out with a warning.',
    },
  },
} as const satisfies SectionSchema;
