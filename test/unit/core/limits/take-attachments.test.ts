import { describe, expect, it } from 'vitest';
import { CallerRoom } from '../../../../src/core/limits/caller-room.ts';
import { takeAttachments, type ImageSettings } from '../../../../src/core/limits/take-attachments.ts';
import type { Attachment } from '../../../../src/core/request/turn-request.ts';
import { fileOf, imagesOff, imagesOn } from '../../../support/images.ts';
import { recordingMetrics } from '../../../support/quiet.ts';
import { ampleRoom } from '../../../support/test-assistant.ts';

const png = { name: 'a.png', contentType: 'image/png', data: fileOf('image/png') };

function take(attachments: readonly Attachment[], settings: ImageSettings = imagesOn, metrics = recordingMetrics()) {
  return takeAttachments({ text: 'look', attachments }, undefined, { images: settings, room: ampleRoom(), metrics });
}

/** The headers of a PNG, with as many frames. */
function pngOf(width: number, height: number, frames = 1): string {
  const head = Buffer.from(
    `\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${'\0'.repeat(17)}\0\0\0\x08acTL${'\0'.repeat(12)}`,
    'latin1',
  );
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head.writeUInt32BE(frames, 41);
  return head.toString('base64');
}

describe('the images of a message (contract/images.md)', () => {
  // proves service-2.5-04
  it.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const)(
    'takes %s by its content, whatever the sender calls it',
    (type) => {
      const { message } = take([{ name: 'a', contentType: 'text/plain', data: fileOf(type) }]);
      expect(message).toEqual({ text: 'look', images: [{ name: 'a', mediaType: type, data: fileOf(type) }] });
    },
  );

  // proves wire-2-53
  it.each(['image/svg+xml', 'application/pdf', 'image/bmp', 'audio/wav'] as const)(
    'leaves out what is %s by its content, with a warning, although it is called image/png',
    (type) => {
      const { message } = take([{ name: 'a.png', contentType: 'image/png', data: fileOf(type) }, png]);
      expect(message.images).toHaveLength(1);
      expect(message.warnings).toEqual([{ code: 'image_type_dropped', name: 'a.png', reason: 'no_image' }]);
    },
  );

  it.each([
    ['nothing', ''],
    ['no base64', `${fileOf('image/png')}!!!!`],
    ['base64 that is cut off', fileOf('image/png').slice(0, -1)],
    ['base64 of another kind', `${fileOf('image/png').slice(0, -4)}-__-`],
  ])('leaves out an image of %s', (_title, data) => {
    expect(take([{ contentType: 'image/png', data }]).message).toEqual({
      text: 'look',
      warnings: [{ code: 'image_type_dropped', reason: 'no_image' }],
    });
  });

  it.each([
    ['HTML', '<html><img src=x onerror=alert(1)></html>'],
    // proves service-2.5-07
    ['HTML behind the first bytes of a PNG', '\x89PNG\r\n\x1a\n<html><script>alert(1)</script></html>'],
  ])('leaves out %s, whatever it is called', (_title, content) => {
    const data = Buffer.from(content, 'latin1').toString('base64');
    expect(take([{ name: 'cat.png', contentType: 'image/png', data }, png]).message).toMatchObject({
      images: [{ name: 'a.png' }],
      warnings: [{ code: 'image_type_dropped', name: 'cat.png' }],
    });
  });

  it.each([
    // proves service-2.5-06
    ['an image of 50,000 by 50,000 pixels', pngOf(50_000, 50_000)],
    ['an image with a side of 16,385 pixels', pngOf(16_385, 1)],
    ['an animation of 1,000 frames with 400,000 pixels each', pngOf(1_000, 400, 1_000)],
  ])('refuses %s, although the file is small', (_title, data) => {
    const { message, place } = take([png, { name: 'b.png', contentType: 'image/png', data }]);
    expect(message).toEqual({ text: 'look', attachmentFault: 'image_too_large' });
    expect(place).toBeUndefined();
  });

  // proves service-2.5-06
  it('takes an image at the bounds', () => {
    for (const data of [pngOf(16_384, 6_103), pngOf(1_000, 1_000, 100)]) {
      expect(take([{ contentType: 'image/png', data }]).message.images).toHaveLength(1);
    }
  });

  // proves service-2.5-04
  it('leaves out a type that allowedImageTypes does not list', () => {
    const { message } = take([png], { ...imagesOn, allowedImageTypes: ['image/jpeg'] });
    expect(message.warnings).toEqual([{ code: 'image_type_dropped', name: 'a.png', reason: 'type' }]);
  });

  it('leaves all out with a warning while enableImageInput is off, and holds none of them', () => {
    const { message, place } = take([png, { ...png, name: 'b.png' }], imagesOff);
    expect(message).toEqual({
      text: 'look',
      warnings: [
        { code: 'image_type_dropped', name: 'a.png', reason: 'disabled' },
        { code: 'image_type_dropped', name: 'b.png', reason: 'disabled' },
      ],
    });
    expect(place).toBeUndefined();
  });

  // proves service-2.5-02
  it.each([
    [1000, undefined],
    [1001, 'image_too_large'],
    [1002, 'image_too_large'],
  ])('counts the bytes of the image, not of its base64: %i of 1000', (bytes, fault) => {
    const { message } = take([{ ...png, data: fileOf('image/png', bytes) }], { ...imagesOn, maxImageBytes: 1000 });
    expect(message.attachmentFault).toBe(fault);
    expect(message.images?.length).toBe(fault === undefined ? 1 : undefined);
  });

  // proves service-2.5-03
  it('takes maxImagesPerMessage images and no more; what was left out does not count', () => {
    const settings = { ...imagesOn, maxImagesPerMessage: 2 };
    const other = { ...png, data: fileOf('application/pdf') };
    expect(take([png, other, png], settings).message).toMatchObject({ images: [{}, {}], warnings: [{}] });
    expect(take([png, png, png], settings).message).toEqual({ text: 'look', attachmentFault: 'too_many_images' });
  });

  it.each([
    ['cat].png\n[image: x', 'cat .png image: x'],
    ['  ', '1'],
    [undefined, '1'],
    ['<b>\u2028', 'b'],
  ])('calls %j %j, which ends neither its line nor its brackets', (name, shown) => {
    const { message } = take([{ contentType: '', data: png.data, ...(name !== undefined && { name }) }]);
    expect(message.images?.[0]?.name).toBe(shown);
  });

  it.each<[string, readonly Attachment[], ImageSettings, readonly unknown[]]>([
    [
      'image input is off',
      [png, png],
      imagesOff,
      [
        ['disabled', 1],
        ['disabled', 1],
      ],
    ],
    [
      'it is no image',
      [{ contentType: 'image/png', data: fileOf('application/pdf') }, png],
      imagesOn,
      [['no_image', 1]],
    ],
    ['its type is not allowed', [png], { ...imagesOn, allowedImageTypes: ['image/gif'] }, [['type', 1]]],
    ['there are too many', [png, png], { ...imagesOn, maxImagesPerMessage: 1 }, [['too_many_images', 2]]],
    ['it is too large', [png], { ...imagesOn, maxImageBytes: 1 }, [['image_too_large', 1]]],
    ['nothing is wrong', [png], imagesOn, []],
  ])('counts a file that does not reach the model: %s', (_why, attachments, settings, counted) => {
    const metrics = recordingMetrics();
    take(attachments, settings, metrics);
    expect(metrics.counted).toEqual(counted.map((value) => ({ what: 'filesDropped', value })));
  });

  it('counts what they hold of a caller until the place is given back, and is overloaded without room', () => {
    const room = new CallerRoom({ perUser: 100, perAddress: 60, inAll: 90 });
    const metrics = recordingMetrics();
    const ofCaller = (key: string) =>
      takeAttachments({ text: '', attachments: [png] }, { kind: 'address', key }, { images: imagesOn, room, metrics });
    const first = ofCaller('a');
    expect(first.place).toBeDefined();
    expect(ofCaller('a').message).toEqual({ text: '', attachmentFault: 'overloaded' });
    expect(ofCaller('b').place).toBeDefined();
    expect(ofCaller('c').message.attachmentFault).toBe('overloaded');
    first.place?.release();
    expect(ofCaller('c').place).toBeDefined();
    expect(metrics.counted.map(({ value }) => value)).toEqual([
      ['overloaded', 1],
      ['overloaded', 1],
    ]);
  });
});

describe('the files of a message (contract/files.md)', () => {
  const files = { maxFileBytes: 8, maxFilesPerMessage: 2, allowedFileTypes: ['text/plain', 'text/csv'] } as const;
  const text = { name: 'a.txt', contentType: 'text/plain', data: Buffer.from('hello').toString('base64') };

  function takeBoth(attachments: readonly Attachment[]) {
    const intake = { images: imagesOn, files, room: ampleRoom(), metrics: recordingMetrics() };
    return takeAttachments({ text: '', attachments }, undefined, intake);
  }

  // proves service-13-01
  it('are taken beside its images, and hold room with them', () => {
    const { message, place } = takeBoth([text, png]);
    expect(message.files).toEqual([{ name: 'a.txt', mediaType: 'text/plain', data: text.data }]);
    expect(message.images).toHaveLength(1);
    expect(place).toBeDefined();
  });

  // proves service-13-03, service-13-04
  it.each([
    ['too_many_files', [text, text, text]],
    ['file_too_large', [{ ...text, data: Buffer.from('123456789').toString('base64') }]],
  ])('refuse it as %s, and then it has none', (attachmentFault, attachments) => {
    expect(takeBoth(attachments).message).toEqual({ text: '', attachmentFault });
  });

  // proves service-13-05
  it('are left out with a warning of their own where they are of no allowed type', () => {
    const { message } = takeBoth([{ ...text, name: 'a.markdown' }, text]);
    expect(message.warnings).toEqual([{ code: 'file_type_dropped', name: 'a.markdown', reason: 'type' }]);
    expect(message.files).toHaveLength(1);
  });
});
