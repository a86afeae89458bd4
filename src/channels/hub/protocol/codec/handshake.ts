import { errorTexts, HubProtocolError } from '../hub-errors.ts';
import type { HubCodec } from './hub-codec.ts';
import { jsonCodec, readJsonObject } from './json-codec.ts';
import { messagePackCodec } from './message-pack-codec.ts';

/** The encodings this server offers; a client picks one by name in its handshake. */
const codecs: readonly HubCodec[] = [jsonCodec, messagePackCodec];

/** The answer to a handshake that was accepted. It is JSON whatever the codec is. */
export const handshakeAccepted = '{}\u001e';

/** The answer to a handshake that was not accepted; the connection ends after it. */
export function handshakeRefused(error: string): string {
  return `${JSON.stringify({ error })}\u001e`;
}

/** What a client wants to speak. */
export interface Handshake {
  readonly codec: HubCodec;
  /** Clients with stateful reconnect ask for 2. */
  readonly version: number;
}

/**
 * Reads the first record of a connection, which is JSON whatever the codec is.
 * @throws HubProtocolError with the text the client is to get
 */
export function readHandshake(record: Buffer, transport: { readonly carriesBinary: boolean }): Handshake {
  const { protocol, version: asked } = readRequest(record);
  // Python's signalrcore sends 0, the version that it negotiated, but speaks version 1.
  const version = asked === 0 ? 1 : asked;
  const codec = codecs.find((candidate) => candidate.name === protocol.toLowerCase());
  if (codec === undefined) throw new HubProtocolError(errorTexts.unknownProtocol(protocol));
  if (!Number.isInteger(version) || version < 1 || version > codec.newestVersion)
    throw new HubProtocolError(errorTexts.unknownVersion(version, protocol));
  if (codec.isBinary && !transport.carriesBinary) throw new HubProtocolError(errorTexts.textOnly(protocol));
  return { codec, version };
}

function readRequest(record: Buffer): { readonly protocol: string; readonly version: number } {
  try {
    const { protocol, version } = readJsonObject(record);
    if (typeof protocol === 'string' && typeof version === 'number') return { protocol, version };
  } catch {
    // Told to the client below, like a handshake with a property missing.
  }
  throw new HubProtocolError(errorTexts.handshakeFailed);
}
