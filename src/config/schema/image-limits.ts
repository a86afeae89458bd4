import type { SettingSchema } from './setting-schema.ts';

/** What the limits of images may be, for the server and for the widget (contract/images.md and contract/widget.md#pictures). */
export const imageLimits = {
  enableImageInput: { type: 'boolean', default: false },
  maxImageBytes: { type: 'string', format: 'size', positive: true, default: '4MiB' },
  maxImagesPerMessage: { type: 'integer', minimum: 1, maximum: 16, default: 4, unit: 'images' },
  allowedImageTypes: {
    type: 'array',
    // The types that models read, told apart by their content.
    items: { type: 'string', enum: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
    uniqueItems: true,
    minItems: 1,
    default: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;
