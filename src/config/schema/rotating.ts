import type { SettingSchema } from './setting-schema.ts';

/**
 * The shared part of the schemas of secrets that may be a text or a list. With a list, a new and an old secret are valid at the same time.
 */
export const rotating = { secret: true, minItems: 1, maxItems: 10, uniqueItems: true } as const satisfies SettingSchema;
