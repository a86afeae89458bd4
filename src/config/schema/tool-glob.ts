import type { SettingSchema } from './setting-schema.ts';

/** A tool-name glob of a policy (contract/configuration.md). */
export const toolGlob = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Which tools, by name; * stands for any characters, ? for one.',
} as const satisfies SettingSchema;

/** A regular expression written by the operator. */
export const regularExpression = {
  type: 'string',
  minLength: 1,
  maxLength: 1000,
  format: 'regex',
} as const satisfies SettingSchema;
