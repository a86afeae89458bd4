import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** A PDF with one text on each page. */
export function pdfOf(...pages: readonly string[]): Buffer {
  return pdfOfStreams(pages.map((text) => deflateSync(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`)));
}

/** A PDF of a few megabytes whose only page unpacks to `mebibytes` MiB. */
export function bombPdf(mebibytes: number): Buffer {
  const line = 'BT /F1 12 Tf 72 720 Td (' + 'A'.repeat(100) + ') Tj ET\n';
  return pdfOfStreams([Buffer.concat([Buffer.from([0x78, 0x9c]), repeated(line, mebibytes)])]);
}

/** A PDF with one page that draws this. `form` is what the form `/X` draws. `letters`: what its codes are, where they are no Latin ones. */
export function drawnPdf(
  content: string,
  more: { readonly form?: string; readonly letters?: Readonly<Record<string, string>> } = {},
): Buffer {
  const streamOf = (entries: string, text: string): Buffer<ArrayBuffer> =>
    Buffer.from(`<<${entries}/Length ${String(text.length)}>>\nstream\n${text}\nendstream`);
  const { form = '', letters } = more;
  const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const codes = Object.entries(letters ?? {}).map(
    ([code, text]) => `<${Buffer.from(code).toString('hex')}> <${hex(text)}>`,
  );
  const map = `begincmap\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n${String(codes.length)} beginbfchar\n${codes.join('\n')}\nendbfchar\nendcmap\n`;
  return pdfOfObjects([
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[4 0 R]/Count 1>>'),
    Buffer.from(`<</Type/Font/Subtype/Type1/BaseFont/Helvetica${letters === undefined ? '' : '/ToUnicode 7 0 R'}>>`),
    Buffer.from(
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</X 6 0 R>>/ExtGState<</None<</ca 0>>>>>>>>',
    ),
    streamOf('', content),
    streamOf('/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>', form),
    streamOf('', map),
  ]);
}

function pdfOfStreams(streams: readonly Buffer[]): Buffer {
  const kids = streams.map((_, index) => `${String(4 + 2 * index)} 0 R`).join(' ');
  return pdfOfObjects([
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from(`<</Type/Pages/Kids[${kids}]/Count ${String(streams.length)}>>`),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
    ...streams.flatMap((stream, index) => [
      Buffer.from(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${String(5 + 2 * index)} 0 R>>`,
      ),
      Buffer.concat([
        Buffer.from(`<</Length ${String(stream.length)}/Filter/FlateDecode>>\nstream\n`),
        stream,
        Buffer.from('\nendstream'),
      ]),
    ]),
  ]);
}

function pdfOfObjects(objects: readonly Buffer<ArrayBuffer>[]): Buffer {
  const parts = [Buffer.from('%PDF-1.5\n')];
  const offsets = objects.map((object, index) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.from(`${String(index + 1)} 0 obj\n`), object, Buffer.from('\nendobj\n'));
    return offset;
  });
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = String(objects.length + 1);
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer<</Size ${count}/Root 1 0 R>>\nstartxref\n${String(start)}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

const namespace = 'http://schemas.openxmlformats.org';

/** A Word document: a heading, and paragraphs under it. */
export function docxOf(heading: string, ...paragraphs: readonly string[]): Buffer {
  const plain = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  const style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>';
  const body = `<w:p>${style}<w:r><w:t>${heading}</w:t></w:r></w:p>${plain}`;
  return docxOfBody({ packed: deflateRawSync(wordXml(body)), size: wordXml(body).length });
}

/** A small Word document that unpacks to `mebibytes` MiB. Its header says that it unpacks to `said` bytes. */
export function bombDocx(mebibytes: number, said = mebibytes * 1024 * 1024): Buffer {
  return docxOfBody({ packed: repeated('<w:p><w:r><w:t>again</w:t></w:r></w:p>', mebibytes), size: said });
}

function wordXml(body: string): Buffer {
  return Buffer.from(
    `<?xml version="1.0"?><w:document xmlns:w="${namespace}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  );
}

interface Part {
  readonly packed: Buffer;
  readonly size: number;
}

function docxOfBody(body: Part): Buffer {
  const part = (text: string): Part => ({ packed: deflateRawSync(text), size: Buffer.byteLength(text) });
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const relations = 'application/vnd.openxmlformats-package.relationships+xml';
  return zipOf({
    '[Content_Types].xml': part(
      `<?xml version="1.0"?><Types xmlns="${namespace}/package/2006/content-types"><Default Extension="rels" ContentType="${relations}"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    ),
    '_rels/.rels': part(
      `<?xml version="1.0"?><Relationships xmlns="${namespace}/package/2006/relationships"><Relationship Id="rId1" Type="${namespace}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': body,
  });
}

/** A ZIP file of texts by their names, as the files of Office programs are. */
export function zipOfTexts(texts: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts = Object.entries(texts).map(([name, text]): [string, Part] => {
    return [name, { packed: deflateRawSync(text), size: Buffer.byteLength(text) }];
  });
  return zipOf(Object.fromEntries(parts));
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006';

/** The file of links of one part. `links` are their ids, each with the type and the part that it leads to. */
function linksOf(links: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const all = Object.entries(links).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${office}/relationships/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${namespace}/package/2006/relationships">${all.join('')}</Relationships>`;
}

/** A Word document of the XML in its body, with further parts. */
export function docxOfXml(body: string, more: Readonly<Record<string, string | Buffer>> = {}): Buffer {
  const word = `${namespace}/wordprocessingml/2006/main`;
  const math = `${office}/math`;
  return zipOfTexts({
    '_rels/.rels': linksOf({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document xmlns:w="${word}" xmlns:m="${math}"><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** An Excel workbook of one sheet, by the XML of its columns and rows. */
export function xlsxOf(sheetXml: string, more: Readonly<Record<string, string>> = {}): Buffer {
  return zipOfTexts({
    '_rels/.rels': linksOf({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Prices" sheetId="1" r:id="r1"/><sheet name="Kept back" sheetId="2" state="hidden" r:id="r4"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': linksOf({
      r1: ['worksheet', 'worksheets/sheet1.xml'],
      r2: ['sharedStrings', 'sharedStrings.xml'],
      r3: ['styles', 'styles.xml'],
      r4: ['worksheet', 'worksheets/sheet2.xml'],
    }),
    'xl/sharedStrings.xml':
      '<sst><si><t>Plan</t></si><si><r><t>Pri</t></r><r><t>ce</t></r></si><si><t>Koala</t></si></sst>',
    'xl/styles.xml':
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet>${sheetXml}</worksheet>`,
    'xl/worksheets/sheet2.xml':
      '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>unseen</t></is></c></row></sheetData></worksheet>',
    ...more,
  });
}

/** A PowerPoint presentation, by the XML of the shapes of its slides. */
export function pptxOf(...slides: readonly string[]): Buffer {
  const ids = slides.map((_, at) => `<p:sldId id="${String(256 + at)}" r:id="r${String(at)}"/>`).join('');
  const parts = slides.map((shapes, at): [string, string] => {
    return [`ppt/slides/slide${String(at)}.xml`, `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`];
  });
  return zipOfTexts({
    '_rels/.rels': linksOf({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': linksOf(
      Object.fromEntries(
        slides.map((_, at) => [`r${String(at)}`, ['slide', `slides/slide${String(at)}.xml`]] as const),
      ),
    ),
    ...Object.fromEntries(parts),
  });
}

/** The checksums are 0, because readers of Word documents do not check them. */
function zipOf(parts: Readonly<Record<string, Part>>): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, { packed, size }] of Object.entries(parts)) {
    const sizes = Buffer.alloc(22);
    sizes.writeUInt16LE(20, 0);
    sizes.writeUInt16LE(8, 4);
    sizes.writeUInt32LE(packed.length, 14);
    sizes.writeUInt32LE(size, 18);
    const nameLength = Buffer.from([name.length, 0, 0, 0]);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), sizes, nameLength, Buffer.from(name), packed]);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(20, 4);
    sizes.copy(central, 6);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    entries.push(Buffer.concat([central, Buffer.from(name)]));
    bodies.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, list, end]);
}

/** Packed data that unpacks to the same line many times. A completely flushed block may be repeated, so the packed data are small. */
function repeated(line: string, mebibytes: number): Buffer {
  const block = line.repeat(Math.floor((1024 * 1024) / line.length));
  const packed = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array<Buffer>(mebibytes).fill(packed), deflateRawSync('')]);
}
