import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { codeOf } from '../substitute.ts';
import { pemCertificates } from '../pem-certificates.ts';
import type { Rule, RuleFault } from './rule.ts';

/** Files with roots exist, and hold certificates that can be used (contract/operations.md#outgoing-requests). */
export const rootFilesRule: Rule = ({ network: { ca } }) =>
  ca.flatMap((file, index): readonly RuleFault[] => {
    const path = ['network', 'ca', index];
    const read = readPem(file);
    if ('fault' in read) return [{ path, message: read.fault }];
    return areCertificates(read.content.toString()) ? [] : [{ path, message: 'holds no PEM certificates' }];
  });

function areCertificates(text: string): boolean {
  const certificates = pemCertificates(text);
  try {
    return certificates.map((each) => new X509Certificate(each)).length > 0;
  } catch {
    return false;
  }
}

/** Certificate files exist, can be used and belong together (contract/configuration.md#faults). */
export const certificateFilesRule: Rule = ({ server: { tls } }) => {
  if (tls === null) return [];
  const files = { certFile: readPem(tls.certFile), keyFile: readPem(tls.keyFile) };
  const faults = [
    ...fileFault('certFile', files.certFile, { text: 'holds no PEM certificate', use: (cert) => ({ cert }) }),
    ...fileFault('keyFile', files.keyFile, {
      text: 'holds no PEM private key without a passphrase',
      use: (key) => ({ key }),
    }),
  ];
  const { certFile, keyFile } = files;
  if (faults.length > 0 || 'fault' in certFile || 'fault' in keyFile) return faults;
  if (canBeUsed({ cert: certFile.content, key: keyFile.content })) return [];
  return [{ path: ['server', 'tls', 'keyFile'], message: 'is not the key of server.tls.certFile' }];
};

type PemFile = { readonly content: Buffer } | { readonly fault: string };

function readPem(file: string): PemFile {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return { fault: `there is no file ${file}` };
  try {
    return { content: readFileSync(file) };
  } catch (error) {
    return { fault: `the file ${file} cannot be read (${codeOf(error)})` };
  }
}

function fileFault(
  key: 'certFile' | 'keyFile',
  file: PemFile,
  { text, use }: { readonly text: string; readonly use: (content: Buffer) => SecureContextOptions },
): readonly RuleFault[] {
  const path = ['server', 'tls', key];
  if ('fault' in file) return [{ path, message: file.fault }];
  return canBeUsed(use(file.content)) ? [] : [{ path, message: text }];
}

/** Whether OpenSSL accepts the certificate or the key. Its own error message would not help users. */
function canBeUsed(options: SecureContextOptions): boolean {
  try {
    createSecureContext(options);
    return true;
  } catch {
    return false;
  }
}
