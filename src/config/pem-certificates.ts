const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/** The certificates in the text of a PEM file, which may hold other things beside them. */
export function pemCertificates(text: string): readonly string[] {
  const parts = text.split(begin).slice(1);
  return parts.flatMap((part) => (part.includes(end) ? [begin + part.slice(0, part.indexOf(end)) + end] : []));
}
