import { extractionNames } from '../../../core/memory/extract-facts.ts';
import { factsName } from '../../../core/memory/facts-part.ts';
import { captureInstruction, memoryInstruction } from '../../../core/prompt/instructions.ts';
import type { ModelRequest } from '../../../core/ports/chat-model.ts';
import { listOf, objectOf, parsedJson, textOf } from '../json-values.ts';
import type { DemoTexts } from './demo-texts.ts';
import { termsOf } from './lexicon.ts';
import { wordsOf } from './words.ts';

interface FoundFact {
  readonly kind: 'identity' | 'preference' | 'fact';
  readonly text: string;
}

/** The words in which users of ten languages say who they are. The whole sentence is remembered. */
const introductions =
  /(?<!\p{L})(?:my name is|call me|ich hei(?:ß|ss)e|mein name ist|je m['’]appelle|mon nom est|mi chiamo|il mio nome è|me llamo|mi nombre es|chamo-me|me chamo|meu nome é|ik heet|mijn naam is|nazywam się|mam na imię) \S|(?:私の名前は|我叫|我的名字是)./iu;

/** The words in which users say what they like. */
const preferences =
  /(?<!\p{L})(?:i (?:prefer|like)|ich (?:bevorzuge|mag)|je préfère|j['’]aime|preferisco|prefiero|prefiro|ik (?:verkies|heb liever)|wolę) \S|.(?:の方が好き|が好き)|我(?:更)?喜欢./iu;

/**
 * The words in which users ask that something is remembered. The fact stands behind these words, but before them in Japanese, from the
 * beginning of its line: anywhere else the search would begin anew at each character.
 */
const requests =
  /(?<!\p{L})(?:remember that|(?:merke? dir|merken sie sich),? dass|(?:souviens-toi|souvenez-vous|retiens|retenez) que|ricorda(?:ti)? che|recuerd[ae] que|lembre-se de que|lembra-te de que|onthou[d]? dat|zapamiętaj,? że|pamiętaj,? że) (?<behind>.+)|记住[，,：:]?(?<after>.+)|^(?<before>.+?)(?:こと)?を覚えて/imu;

/** The words in which users ask what is remembered. */
const questions =
  /what do you (?:know|remember) about me|what(?: is|['’]s) my name|who am i\b|was wei(?:ß|ss)t du (?:über|von) mi[rc]h?|was wissen sie über mich|wie hei(?:ß|ss)e ich|que sai[st]-tu (?:de|sur) moi|que savez-vous (?:de|sur) moi|comment je m['’]appelle|cosa sai di me|come mi chiamo|qué sabes (?:de|sobre) mí|cómo me llamo|o que (?:sabe|sabes) (?:de|sobre) mim|como me chamo|wat weet (?:je|u) (?:over|van) mij|hoe heet ik|co o mnie wiesz|jak mam na imię|私について何を|私の名前は(?:何|なん)|你(?:知道|记得).*我|我叫什么/iu;

/** The most facts that one reply names. */
const mostNamed = 10;

/** The facts that a message asks to remember, by rules that everybody can try out. Questions hold no facts. */
export function factsIn(message: string): readonly FoundFact[] {
  return message.split(/(?<=[.!?。！？])\s*|\n/u).flatMap((part): readonly FoundFact[] => {
    const sentence = part.replace(/[\s.!。！]+$/u, '').trim();
    if (sentence === '' || /[?？]$/.test(sentence) || questions.test(sentence)) return [];
    const { behind, after, before } = requests.exec(sentence)?.groups ?? {};
    const wanted = (behind ?? after ?? before)?.trim();
    if (wanted !== undefined && wanted !== '') return [{ kind: 'fact', text: wanted }];
    if (introductions.test(sentence)) return [{ kind: 'identity', text: sentence }];
    return preferences.test(sentence) ? [{ kind: 'preference', text: sentence }] : [];
  });
}

/** The answer to the request to extract facts. Undefined when the request is another one. */
export function extractionAnswer({ format, messages }: Pick<ModelRequest, 'format' | 'messages'>): string | undefined {
  const text = messages.at(-1)?.text ?? '';
  const message = textOf(dataOf(text, extractionNames.message));
  if (format !== 'json' || message === undefined) return undefined;
  const known = listOf(dataOf(text, extractionNames.facts)).map((fact) => objectOf(fact) ?? {});
  const named = known.find(({ kind, text: said }) => kind === 'identity' && introductions.test(textOf(said) ?? ''));
  const found = factsIn(message);
  const isRenamed = ({ kind }: FoundFact): boolean => kind === 'identity' && named !== undefined;
  return JSON.stringify({
    add: found.filter((fact) => !isRenamed(fact)),
    update: found.filter(isRenamed).map(({ text: said }) => ({ id: named?.['id'], text: said })),
    delete: [],
  });
}

/**
 * The demo model's reply about its memory: that it will keep a fact, or the facts that it was told before. Undefined when the server
 * remembers nothing, and for messages about something else.
 */
export function memoryReply(
  message: string,
  question: string,
  { instructions, texts }: { readonly instructions: string; readonly texts: DemoTexts },
): string | undefined {
  if (!instructions.includes(memoryInstruction)) return undefined;
  const facts = listOf(dataOf(message, factsName)).flatMap((fact) => textOf(objectOf(fact)?.['text']) ?? []);
  const isAsked = questions.test(question);
  const told = isAsked ? facts : aboutFacts(question, facts);
  if (told.length > 0) return [texts.remembered, ...told.slice(0, mostNamed).map((text) => `- ${text}`)].join('\n');
  if (isAsked) return texts.nothingRemembered;
  return instructions.includes(captureInstruction) && factsIn(question).length > 0 ? texts.noted : undefined;
}

/** The facts that have words in common with a question. */
function aboutFacts(question: string, facts: readonly string[]): readonly string[] {
  if (!/[?？]\s*$/.test(question)) return [];
  const asked = [...termsOf(wordsOf(question))].filter((term) => term.length > 3);
  return facts.filter((fact) => {
    const own = termsOf(wordsOf(fact));
    return asked.some((term) => own.has(term));
  });
}

/** The data of this name in a text, in the form in which the server writes it. */
function dataOf(text: string, name: string): unknown {
  const start = `<data of="${name}">\n`;
  const at = text.lastIndexOf(start);
  if (at < 0) return undefined;
  return parsedJson(text.slice(at + start.length).split('\n', 1)[0] ?? '');
}
