import type { SettingSchema } from './setting-schema.ts';

/** What the schemas of secrets share that may be a text or a list: a list lets a new secret and an old one hold side by side. */
export const rotating = { secret: true, minItems: 1, maxItems: 10, uniqueItems: true } as const satisfies SettingSchema;
