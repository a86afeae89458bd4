import type { SettingSchema } from './setting-schema.ts';

/** A key of Standard Webhooks. */
export const webhookKey = {
  type: 'string',
  pattern: '^whsec_([A-Za-z0-9+/]{4}){8,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  allowed: 'whsec_ and at least 24 random bytes in base64',
} as const satisfies SettingSchema;
