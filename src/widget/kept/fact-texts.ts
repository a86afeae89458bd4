/**
 * The texts of the list of facts in one language, in addition to the texts of every list. `{title}` stands for the text of a fact. `{time}`
 * stands for the time at which the user said it.
 */
export interface FactTexts {
  readonly list: string;
  readonly empty: string;
  readonly correct: string;
  readonly text: string;
  readonly corrected: string;
  readonly gone: string;
  readonly all: string;
  readonly sureAll: string;
  readonly said: string;
  readonly from: string;
  readonly conversationGone: string;
}

/** The texts by the primary part of the panel's language. */
const byLanguage: Readonly<Record<string, FactTexts>> = {
  en: {
    list: 'What is remembered',
    empty: 'Nothing is remembered.',
    correct: 'Correct “{title}”',
    text: 'What is remembered',
    corrected: 'The correction is saved.',
    gone: 'This is no longer remembered.',
    all: 'Delete everything',
    sureAll: 'Delete everything that is remembered about you?',
    said: 'Said on {time}',
    from: 'From the conversation of {time}',
    conversationGone: 'This conversation is no longer kept.',
  },
  de: {
    list: 'Was gemerkt ist',
    empty: 'Es ist nichts gemerkt.',
    correct: '„{title}“ berichtigen',
    text: 'Was gemerkt ist',
    corrected: 'Die Berichtigung ist gespeichert.',
    gone: 'Das ist nicht mehr gemerkt.',
    all: 'Alles löschen',
    sureAll: 'Alles löschen, was über Sie gemerkt ist?',
    said: 'Gesagt am {time}',
    from: 'Aus der Unterhaltung vom {time}',
    conversationGone: 'Diese Unterhaltung ist nicht mehr gespeichert.',
  },
  fr: {
    list: 'Ce qui est mémorisé',
    empty: 'Rien n’est mémorisé.',
    correct: 'Corriger « {title} »',
    text: 'Ce qui est mémorisé',
    corrected: 'La correction est enregistrée.',
    gone: 'Ceci n’est plus mémorisé.',
    all: 'Tout supprimer',
    sureAll: 'Supprimer tout ce qui est mémorisé à votre sujet ?',
    said: 'Dit le {time}',
    from: 'De la conversation du {time}',
    conversationGone: 'Cette conversation n’est plus conservée.',
  },
  es: {
    list: 'Lo que se recuerda',
    empty: 'No se recuerda nada.',
    correct: 'Corregir «{title}»',
    text: 'Lo que se recuerda',
    corrected: 'La corrección se ha guardado.',
    gone: 'Esto ya no se recuerda.',
    all: 'Eliminar todo',
    sureAll: '¿Eliminar todo lo que se recuerda sobre ti?',
    said: 'Dicho el {time}',
    from: 'De la conversación del {time}',
    conversationGone: 'Esta conversación ya no se conserva.',
  },
  it: {
    list: 'Che cosa viene ricordato',
    empty: 'Non viene ricordato nulla.',
    correct: 'Correggi «{title}»',
    text: 'Che cosa viene ricordato',
    corrected: 'La correzione è salvata.',
    gone: 'Questo non viene più ricordato.',
    all: 'Elimina tutto',
    sureAll: 'Eliminare tutto ciò che viene ricordato di te?',
    said: 'Detto il {time}',
    from: 'Dalla conversazione del {time}',
    conversationGone: 'Questa conversazione non è più conservata.',
  },
  pt: {
    list: 'O que é recordado',
    empty: 'Nada é recordado.',
    correct: 'Corrigir «{title}»',
    text: 'O que é recordado',
    corrected: 'A correção foi guardada.',
    gone: 'Isto já não é recordado.',
    all: 'Eliminar tudo',
    sureAll: 'Eliminar tudo o que é recordado sobre si?',
    said: 'Dito a {time}',
    from: 'Da conversa de {time}',
    conversationGone: 'Esta conversa já não está guardada.',
  },
  nl: {
    list: 'Wat onthouden is',
    empty: 'Er is niets onthouden.',
    correct: '‘{title}’ verbeteren',
    text: 'Wat onthouden is',
    corrected: 'De verbetering is opgeslagen.',
    gone: 'Dit wordt niet meer onthouden.',
    all: 'Alles verwijderen',
    sureAll: 'Alles verwijderen wat over u onthouden is?',
    said: 'Gezegd op {time}',
    from: 'Uit het gesprek van {time}',
    conversationGone: 'Dit gesprek wordt niet meer bewaard.',
  },
  pl: {
    list: 'Co jest zapamiętane',
    empty: 'Nic nie jest zapamiętane.',
    correct: 'Popraw „{title}”',
    text: 'Co jest zapamiętane',
    corrected: 'Poprawka została zapisana.',
    gone: 'To nie jest już zapamiętane.',
    all: 'Usuń wszystko',
    sureAll: 'Usunąć wszystko, co zapamiętano o Tobie?',
    said: 'Powiedziano: {time}',
    from: 'Z rozmowy: {time}',
    conversationGone: 'Ta rozmowa nie jest już przechowywana.',
  },
  ja: {
    list: '覚えていること',
    empty: '覚えていることはありません。',
    correct: '「{title}」を訂正',
    text: '覚えていること',
    corrected: '訂正を保存しました。',
    gone: 'これはもう覚えていません。',
    all: 'すべて削除',
    sureAll: 'あなたについて覚えていることをすべて削除しますか?',
    said: '{time} の発言',
    from: '{time} の会話から',
    conversationGone: 'この会話はもう保存されていません。',
  },
  zh: {
    list: '记住的内容',
    empty: '没有记住任何内容。',
    correct: '更正“{title}”',
    text: '记住的内容',
    corrected: '更正已保存。',
    gone: '这条内容已不再记住。',
    all: '全部删除',
    sureAll: '要删除记住的关于您的全部内容吗?',
    said: '说于 {time}',
    from: '来自 {time} 的对话',
    conversationGone: '该对话已不再保存。',
  },
};

/** The texts for a BCP 47 tag. */
export function factTexts(locale: string): FactTexts {
  const texts = byLanguage[locale.split('-')[0] ?? ''] ?? byLanguage['en'];
  if (texts === undefined) throw new Error('there are no texts');
  return texts;
}
