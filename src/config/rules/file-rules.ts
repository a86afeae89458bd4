import type { Rule } from './rule.ts';

/** Bytes of the largest file that is read, of a message as of a folder of documents. */
const largestFile = 20 * 1024 * 1024;

/** No reader takes a larger file (contract/files.md). */
export const fileBytesRule: Rule = ({ maxFileBytes }) =>
  maxFileBytes <= largestFile ? [] : [{ path: ['maxFileBytes'], message: 'must be at most 20MiB' }];
