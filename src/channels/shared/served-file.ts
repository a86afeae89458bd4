import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file in the forms a browser may ask for. */
export interface ServedFile {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * A file whose content is made when the server starts. It is compressed once, when a browser first asks for it: a start does not wait for
 * pages that nobody may open.
 */
export function compressed(contentType: string, text: string): ServedFile {
  const plain = Buffer.from(text, 'utf8');
  let br: Buffer | undefined;
  let gzip: Buffer | undefined;
  return {
    contentType,
    plain,
    get br() {
      return (br ??= brotliCompressSync(plain));
    },
    get gzip() {
      return (gzip ??= gzipSync(plain, { level: 9 }));
    },
  };
}

/** A script or stylesheet that the build has compressed and named by a hash of its content. */
export function readAsset(directory: string, name: string): ServedFile {
  const file = join(directory, name);
  return {
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    plain: readFileSync(file),
    br: readFileSync(`${file}.br`),
    gzip: readFileSync(`${file}.gz`),
  };
}
