import { describe, expect, it } from 'vitest';
import { fileType } from '../../../../src/core/limits/file-type.ts';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function typeOf(name: string, content: string, contentType = ''): string | undefined {
  return fileType({ name, contentType, data: Buffer.from(content, 'latin1').toString('base64') });
}

describe('the type of a file (contract/files.md#what-is-taken)', () => {
  // proves service-13-05
  it.each([
    ['a PDF, whatever it is called', 'a.png', '%PDF-1.7', 'image/png', 'application/pdf'],
    ['a PDF behind what a mailer put there', 'a', `${' '.repeat(900)}%PDF-1.4`, '', 'application/pdf'],
    ['a Word document', 'a.docx', 'PK\x03\x04', '', word],
    ['a Word document without an ending', 'a', 'PK\x03\x04', word, word],
    ['an archive', 'a.zip', 'PK\x03\x04', 'application/zip', undefined],
    ['a workbook', 'a.xlsx', 'PK\x03\x04', '', undefined],
    ['Markdown', 'A.MD', '# x', 'application/octet-stream', 'text/markdown'],
    ['a table', 'a.csv', 'a;b', 'application/vnd.ms-excel', 'text/csv'],
    ['a text', 'a.txt', 'x', '', 'text/plain'],
    ['a text without an ending', 'README', 'x', 'text/plain; charset=utf-8', 'text/plain'],
    ['a page, which its sender calls a text', 'a.html', '<p>', 'text/html', undefined],
    ['a program', 'a.exe', 'MZ', 'application/octet-stream', undefined],
  ])('tells %s', (_what, name, content, contentType, type) => {
    expect(typeOf(name, content, contentType)).toBe(type);
  });

  it('is none without base64', () => {
    expect(fileType({ name: 'a.txt', contentType: 'text/plain', data: 'no base64!' })).toBeUndefined();
  });
});
