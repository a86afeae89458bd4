import { parseDuration } from '../duration.ts';
import { settingFormats } from '../setting-formats.ts';
import { parseSize } from '../size.ts';

/** The texts that each `format` of a schema of settings accepts. `positive` is that of durations and sizes that must be more than 0. */
export const acceptedFormats: Readonly<Record<string, (text: string) => boolean>> = {
  ...Object.fromEntries(Object.entries(settingFormats).map(([name, { accepts }]) => [name, accepts])),
  positive: (text) => (parseDuration(text) ?? parseSize(text) ?? 1) > 0,
};
