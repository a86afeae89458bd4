import { LeftOut } from '../../read-limits.ts';
import { type ReadableText, SectionBuilder } from '../../section.ts';
import { TableGrid } from '../../table-text.ts';
import { linearFormula } from './formula.ts';
import { mainPart, partText, relationsOf, titleOf } from './parts.ts';
import { elementsIn, valueOf, type XmlElement, xmlTree } from './xml.ts';
import { ZipFile } from './zip.ts';

/**
 * Reads a PowerPoint presentation, slide by slide, with the speaker's notes. Hidden slides and shapes, comments and pictures are left out.
 * Macros are never looked at.
 */
export function readPptx(bytes: Buffer): ReadableText {
  const zip = new ZipFile(bytes, 'PowerPoint presentation');
  const main = mainPart(zip, 'ppt/presentation.xml');
  const text = partText(zip, main);
  if (text === undefined) throw new LeftOut('is not a valid PowerPoint presentation');
  const targets = new Map(relationsOf(zip, main).map(({ id, target }) => [id, target]));
  const builder = new SectionBuilder();
  for (const { attributes } of elementsIn(xmlTree(text), 'sldId')) {
    // An id without a prefix is the number of the slide; the one with a prefix is its link.
    const link = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
    const part = targets.get(link);
    if (part !== undefined) readSlide(zip, part, builder);
  }
  const sections = builder.sections();
  if (sections.length === 0) throw new LeftOut('holds no text');
  return { title: titleOf(zip) ?? sections[0]?.path[0], sections };
}

function readSlide(zip: ZipFile, part: string, builder: SectionBuilder): void {
  const text = partText(zip, part);
  if (text === undefined) return;
  const [slide] = xmlTree(text).children;
  if (slide === undefined || valueOf(slide.attributes, 'show') === '0') return;
  const [tree] = elementsIn(slide, 'spTree');
  const shapes = tree === undefined ? [] : [...shapesIn(tree)];
  const title = shapes.find((shape) => /^(?:title|ctrTitle)$/.test(placeholderOf(shape)));
  builder.heading(1, title === undefined ? '' : paragraphsOf(title).join(' '));
  for (const shape of shapes) {
    if (shape === title || /^(?:sldNum|dt|ftr|hdr)$/.test(placeholderOf(shape))) continue;
    const tables = [...elementsIn(shape, 'tbl')];
    for (const table of tables) builder.table(rowsOf(table));
    if (tables.length === 0) builder.add(`${paragraphsOf(shape).join('\n')}\n\n`);
  }
  const notes = relationsOf(zip, part).find(({ type }) => type === 'notesSlide')?.target;
  if (notes !== undefined) readNotes(partText(zip, notes) ?? '', builder);
}

function readNotes(text: string, builder: SectionBuilder): void {
  for (const shape of shapesIn(xmlTree(text))) {
    if (placeholderOf(shape) !== 'body') continue;
    const words = paragraphsOf(shape).join('\n').trim();
    if (words !== '') builder.add(`\n\n${words}\n\n`);
  }
}

/** The shapes of a slide, with those in groups. Hidden ones are left out. Of two forms of the same shape the first one counts. */
function* shapesIn(tree: XmlElement): Generator<XmlElement> {
  for (const child of tree.children) {
    if (isHidden(child)) continue;
    if (child.name === 'AlternateContent') yield* shapesIn(child.children[0] ?? child);
    else if (/^(?:sp|graphicFrame|cxnSp)$/.test(child.name)) yield child;
    else yield* shapesIn(child);
  }
}

function isHidden({ children }: XmlElement): boolean {
  const properties = children.find(({ name }) => /^nv\w+Pr$/.test(name));
  const own = properties?.children.find(({ name }) => name === 'cNvPr');
  return /^(?:1|true)$/.test(valueOf(own?.attributes ?? {}, 'hidden') ?? '');
}

/** What a shape is on its slide: `title`, `body`, … Empty: nothing in particular. */
function placeholderOf(shape: XmlElement): string {
  const [placeholder] = elementsIn(shape, 'ph');
  return placeholder === undefined ? '' : (valueOf(placeholder.attributes, 'type') ?? 'body');
}

/** The paragraphs in an element, each with its mark as the item of a list where it is on a deeper level. */
function paragraphsOf(element: XmlElement): readonly string[] {
  const found: string[] = [];
  for (const paragraph of elementsIn(element, 'p')) {
    const properties = paragraph.children.find(({ name }) => name === 'pPr');
    const level = Number(valueOf(properties?.attributes ?? {}, 'lvl') ?? 0);
    const words = wordsIn(paragraph).trim();
    if (words === '') continue;
    found.push(level > 0 ? `${'  '.repeat(Math.min(level, 9) - 1)}- ${words}` : words);
  }
  return found;
}

function wordsIn(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (child.name === 't') return child.text;
      if (child.name === 'br') return '\n';
      if (child.name === 'oMath') return linearFormula(child);
      return child.name.endsWith('Pr') ? '' : wordsIn(child);
    })
    .join('');
}

function rowsOf(table: XmlElement): readonly (readonly string[])[] {
  const grid = new TableGrid();
  for (const row of table.children.filter(({ name }) => name === 'tr')) {
    grid.row();
    for (const cell of row.children.filter(({ name }) => name === 'tc')) {
      if (['hMerge', 'vMerge'].some((merge) => /^(?:1|true)$/.test(valueOf(cell.attributes, merge) ?? ''))) continue;
      const span = (name: string): number => Number(valueOf(cell.attributes, name) ?? 1) || 1;
      grid.cell(paragraphsOf(cell).join(' '), { columns: span('gridSpan'), rows: span('rowSpan') });
    }
  }
  return grid.rows();
}
