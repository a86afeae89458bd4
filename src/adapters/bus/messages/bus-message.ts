/** A large body that is stored under a key. It is sealed for this key, which is used once, and so belongs to its message. */
export interface StoredBody {
  readonly key: string;
}

/** What a message holds: its body, or where its body is. */
export type Carried = { readonly body: unknown } | { readonly stored: StoredBody };

/** What a replica says to another one, by its type. */
export type BusContent =
  /** A call, or the opening of a stream. `until` is of the clock that all replicas share. */
  | ({
      readonly type: 'ask' | 'open';
      readonly kind: string;
      readonly until: number;
      readonly attempt: number;
    } & Carried)
  | ({ readonly type: 'answer' } & Carried)
  | { readonly type: 'failure'; readonly code: string }
  | ({ readonly type: 'item'; readonly number: number } & Carried)
  /** The source lives, and `number` messages have been sent. */
  | { readonly type: 'beat'; readonly number: number }
  | { readonly type: 'end'; readonly number: number; readonly code: string | null }
  /** The reader lives, and the source may send up to this number. */
  | { readonly type: 'grant'; readonly number: number }
  | { readonly type: 'leave' }
  | ({ readonly type: 'news'; readonly kind: string } & Carried);

/** What each message says besides its content. */
export interface Envelope {
  readonly from: string;
  /** The id of the addressed replica. Null: all. */
  readonly to: string | null;
  /** The id of the call, the stream or the news. */
  readonly id: string;
  /** When it was sent, in epoch milliseconds of the sender's clock. */
  readonly at: number;
}

/** A whole message. */
export type BusMessage<Type extends BusContent['type'] = BusContent['type']> = Envelope &
  Extract<BusContent, { readonly type: Type }>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value);
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isCode = (value: unknown): boolean => typeof value === 'string' && /^[a-z_]{1,40}$/u.test(value);
const isStored = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'key' in value && isText(value.key);

/** The members of each type. `carried` stands for a body. */
const members: Readonly<Record<BusContent['type'], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  ask: { kind: isText, until: Number.isFinite, attempt: isNumber, carried: Boolean },
  open: { kind: isText, until: Number.isFinite, attempt: isNumber, carried: Boolean },
  answer: { carried: Boolean },
  failure: { code: isCode },
  item: { number: isNumber, carried: Boolean },
  beat: { number: isNumber },
  end: { number: isNumber, code: (value) => value === null || isCode(value) },
  grant: { number: isNumber },
  leave: {},
  news: { kind: isText, carried: Boolean },
};

/** The message in this JSON text; undefined when the text is none of this version. */
export function readMessage(json: string): BusMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return isMessage(value) ? value : undefined;
}

function isMessage(value: unknown): value is BusMessage {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  fields.set('carried', fields.has('body') || isStored(fields.get('stored')));
  const type = fields.get('type');
  if (typeof type !== 'string' || !isType(type)) return false;
  const expected = Object.entries({ from: isText, to: isTextOrNull, id: isText, at: isNumber, ...members[type] });
  return expected.every(([name, fits]) => fits(fields.get(name)));
}

function isType(type: string): type is BusContent['type'] {
  return Object.hasOwn(members, type);
}
