import { describe, expect, it } from 'vitest';
import { widgetFiles, widgetImages } from '../../../src/app/widget-images.ts';
import { scriptOptions } from '../../../src/app/widget-options.ts';
import { loadText, minimal } from '../config/load-from-text.ts';

function shown(text: string): unknown {
  const { settings } = loadText(`${minimal}${text}`);
  if (settings === undefined) throw new Error('the test configuration has faults');
  return widgetImages(scriptOptions(settings, { own: null, client: null }));
}

describe('widgetImages (contract/widget.md#pictures, EnableImageInput)', () => {
  it('offers what the widget and the server both allow', () => {
    const client =
      'client: { enableImageInput: true, maxImagesPerMessage: 8, allowedImageTypes: [image/gif, image/png] }';
    const server = 'enableImageInput: true\nmaxImageBytes: 1000\nallowedImageTypes: [image/png, image/jpeg]\n';
    expect(shown(`${server}${client}\n`)).toEqual({ images: { maxBytes: 1000, maxCount: 4, types: ['image/png'] } });
  });

  // proves service-2.20-06
  it('has the defaults of contract/widget.md#pictures', () => {
    expect(shown('enableImageInput: true\nclient: { enableImageInput: true }\n')).toEqual({
      images: {
        maxBytes: 4_194_304,
        maxCount: 4,
        types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
      },
    });
  });

  it.each([
    ['the widget is not to take them', 'enableImageInput: true\n'],
    ['the server does not take them', 'client: { enableImageInput: true }\n'],
    [
      'no type is left',
      'enableImageInput: true\nallowedImageTypes: [image/png]\nclient: { enableImageInput: true, allowedImageTypes: [image/gif] }\n',
    ],
  ])('offers nothing where %s', (_title, text) => {
    expect(shown(text)).toEqual({});
  });
});

describe('widgetFiles (contract/widget.md#files)', () => {
  const filesShown = (text: string): unknown => {
    const { settings } = loadText(`${minimal}${text}`);
    if (settings === undefined) throw new Error('the test configuration has faults');
    return widgetFiles(scriptOptions(settings, { own: null, client: null }));
  };

  // proves wire-23-10
  it('offers what the server takes, where both want it', () => {
    const limits = 'maxFileBytes: 1KiB\nmaxFilesPerMessage: 2\nallowedFileTypes: [text/csv]\n';
    expect(filesShown(`enableFileInput: true\n${limits}client: { enableFileInput: true }\n`)).toEqual({
      files: { maxBytes: 1024, maxCount: 2, types: ['text/csv'] },
    });
    expect(filesShown('enableFileInput: true\n')).toEqual({});
    expect(filesShown('client: { enableFileInput: true }\n')).toEqual({});
  });
});
