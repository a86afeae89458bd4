import { crc32 } from 'node:zlib';

/** One event of Bedrock's ConverseStream as it stands on the wire: a frame of AWS' binary event stream. */
export function bedrockFrame(event: string, payload: object): Buffer {
  const headers = Buffer.concat(
    Object.entries({ ':event-type': event, ':content-type': 'application/json', ':message-type': 'event' }).map(
      ([name, value]) => {
        const length = Buffer.alloc(3);
        length.writeUInt8(7);
        length.writeUInt16BE(value.length, 1);
        return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)]);
      },
    ),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(12 + headers.length + body.length + 4);
  prelude.writeUInt32BE(headers.length, 4);
  const head = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([head, checksum(head)]);
}

function checksum(bytes: Buffer): Buffer {
  const written = Buffer.alloc(4);
  written.writeUInt32BE(crc32(bytes));
  return written;
}
