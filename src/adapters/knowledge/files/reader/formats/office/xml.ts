import { Parser } from 'htmlparser2';
import { LeftOut } from '../../read-limits.ts';

/** An element of XML. */
export interface XmlElement {
  /** The name without its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text directly in the element. */
  readonly text: string;
}

/** What is called while XML is read. Names are without their prefixes. */
export interface XmlListener {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** An element whose end is not read yet. */
interface OpenElement extends XmlElement {
  readonly children: OpenElement[];
  text: string;
}

const deepest = 500;

/** The text of a part, in the encoding that its mark or its first line names. */
export function xmlText(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 4);
  if (mark.startsWith('fffe') || mark === '3c003f00') return new TextDecoder('utf-16le').decode(bytes);
  if (mark.startsWith('feff') || mark === '003c003f') return new TextDecoder('utf-16be').decode(bytes);
  const said = /^[^>]{0,200}encoding\s{0,5}=\s{0,5}["']([\w.-]{1,40})["']/.exec(bytes.toString('latin1', 0, 250))?.[1];
  if (said === undefined || /^(?:utf-?8|us-ascii|utf-?16)/i.test(said)) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder(said).decode(bytes);
  } catch (error) {
    throw new LeftOut('has a part in an encoding that is not known', { cause: error });
  }
}

/** Reads XML from its start to its end. Entities that a document defines itself are not expanded, and nothing else is loaded. */
export function readXml(text: string, listener: XmlListener): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > deepest) throw new LeftOut(`is nested deeper than ${String(deepest)} elements`, { why: 'costly' });
        listener.open?.(plain(name), attributes);
      },
      ontext: (data) => listener.text?.(data),
      onclosetag(name) {
        depth -= 1;
        listener.close?.(plain(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
}

/** Reads a small part of a file as a tree. Its root is an element without a name. */
export function xmlTree(text: string): XmlElement {
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  readXml(text, {
    open(name, attributes) {
      const element: OpenElement = { name, attributes, children: [], text: '' };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text(data) {
      const element = open.at(-1);
      if (element !== undefined) element.text += data;
    },
    close() {
      if (open.length > 1) open.pop();
    },
  });
  return root;
}

/** All elements with a name, in their order. */
export function* elementsIn(root: XmlElement, name: string): Generator<XmlElement> {
  for (const child of root.children) {
    if (child.name === name) yield child;
    yield* elementsIn(child, name);
  }
}

/** The value of an attribute, whatever its prefix is. */
export function valueOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const direct = attributes[name];
  if (direct !== undefined) return direct;
  for (const [key, value] of Object.entries(attributes)) if (key.endsWith(`:${name}`)) return value;
  return undefined;
}

function plain(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
