import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Certificate, watchCertificate } from '../../../src/app/http/live-certificate.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { certificate, key, nextCertificate, nextKey } from '../config/certificates.ts';

// proves configuration-7-26
it('a certificate that was renewed before the watch began is taken (contract/operations.md#certificates)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helper-certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tls = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
  // The files that the server has read at its start. The files on the disk have changed since.
  const first = { cert: Buffer.from(certificate), key: Buffer.from(key) };
  writeFileSync(tls.certFile, nextCertificate);
  writeFileSync(tls.keyFile, nextKey);
  const used: Certificate[] = [];
  const watched = watchCertificate(tls, { first, use: (next) => used.push(next), log: recordingLogger() });
  onTestFinished(async () => {
    for (const file of watched) await file.close();
  });
  await expect.poll(() => used.map(({ cert }) => cert.toString())).toEqual([nextCertificate]);
});
