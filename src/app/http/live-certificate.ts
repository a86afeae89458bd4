import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsSettings } from '../../config/settings.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Resource } from '../open-resources.ts';
import { LookAgain, WatchedFile } from '../reload/watched-file.ts';

/** A certificate chain and its key, as PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** @throws Error when one of the files cannot be read. */
export function readCertificate({ certFile, keyFile }: TlsSettings): Certificate {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
}

/**
 * Reads the certificate again when one of its files changes (contract/operations.md#certificates), and passes each usable pair to `use`.
 * Files are renewed one after the other, so a pair that does not belong together causes only a warning.
 */
export function watchCertificate(
  tls: TlsSettings,
  { first, use, log }: { readonly first: Certificate; readonly use: (next: Certificate) => void; readonly log: Logger },
): readonly Resource[] {
  let seen = first;
  const read = (): void => {
    try {
      const next = readCertificate(tls);
      if (next.cert.equals(seen.cert) && next.key.equals(seen.key)) return;
      seen = next;
      // Throws when the certificate and the key do not belong together. The server itself would take them and fail
      // every client.
      createSecureContext(next);
      use(next);
      log.info({ certFile: tls.certFile }, 'the certificate was read again: new connections get it');
    } catch (error) {
      log.warn({ error, ...tls }, 'the changed certificate cannot be used: the earlier one stays');
    }
  };
  return [
    new WatchedFile('certificate', tls.certFile, read),
    new WatchedFile('key', tls.keyFile, read),
    new LookAgain('certificate and key', read),
  ];
}
