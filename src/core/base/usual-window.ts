/** `contextWindow` of an entry of `models` that sets none. An entry that sets this number counts as one that sets none. */
export const usualWindow = 128_000;
