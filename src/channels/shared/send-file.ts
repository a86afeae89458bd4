import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedFile } from './served-file.ts';

/** Sends a file in the smallest form the client takes. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile): FastifyReply {
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  void reply.header('vary', 'accept-encoding').type(file.contentType);
  if (encoding === null) return reply.send(file.plain);
  return reply.header('content-encoding', encoding).send(file[encoding]);
}

/** `br` before `gzip`, whichever is accepted (RFC 9110, 12.5.3); null for neither. `q=0` refuses one. */
export function acceptedEncoding(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0{0,3})?$/.test(quality))
    .map(([name]) => name);
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : null;
}
