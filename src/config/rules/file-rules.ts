import type { Rule } from './rule.ts';

/** Bytes of the largest file that is read, of a message as of a folder of documents, and of the largest image. */
const largestFile = 20 * 1024 * 1024;

/** No reader takes a larger file (contract/files.md), and no message a larger image (contract/images.md). */
export const fileBytesRule: Rule = ({ maxFileBytes, maxImageBytes, client }) => {
  const limits = [
    { path: ['maxFileBytes'], bytes: maxFileBytes },
    { path: ['maxImageBytes'], bytes: maxImageBytes },
    { path: ['client', 'maxImageBytes'], bytes: client.maxImageBytes },
  ];
  return limits.flatMap(({ path, bytes }) =>
    bytes <= largestFile ? [] : [{ path, message: 'must be at most 20MiB' }],
  );
};
