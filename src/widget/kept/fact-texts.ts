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
    list: 'Saved memories',
    empty: 'There are no saved memories.',
    correct: 'Edit “{title}”',
    text: 'Memory',
    corrected: 'The memory was updated.',
    gone: 'This memory no longer exists.',
    all: 'Delete all',
    sureAll: 'Delete everything the assistant remembers about you?',
    said: 'Said on {time}',
    from: 'From the conversation of {time}',
    conversationGone: 'This conversation is no longer saved.',
  },
  de: {
    list: 'Gespeicherte Erinnerungen',
    empty: 'Es gibt keine gespeicherten Erinnerungen.',
    correct: '„{title}“ bearbeiten',
    text: 'Erinnerung',
    corrected: 'Die Erinnerung wurde geändert.',
    gone: 'Diese Erinnerung gibt es nicht mehr.',
    all: 'Alle löschen',
    sureAll: 'Alles löschen, was sich der Assistent über Sie gemerkt hat?',
    said: 'Gesagt am {time}',
    from: 'Aus der Unterhaltung vom {time}',
    conversationGone: 'Diese Unterhaltung ist nicht mehr gespeichert.',
  },
  fr: {
    list: 'Souvenirs enregistrés',
    empty: 'Aucun souvenir enregistré.',
    correct: 'Modifier « {title} »',
    text: 'Souvenir',
    corrected: 'Le souvenir a été modifié.',
    gone: 'Ce souvenir n’existe plus.',
    all: 'Tout supprimer',
    sureAll: 'Supprimer tout ce que l’assistant a mémorisé à votre sujet ?',
    said: 'Dit le {time}',
    from: 'De la conversation du {time}',
    conversationGone: 'Cette conversation n’est plus conservée.',
  },
  es: {
    list: 'Recuerdos guardados',
    empty: 'No hay recuerdos guardados.',
    correct: 'Editar «{title}»',
    text: 'Recuerdo',
    corrected: 'El recuerdo se ha modificado.',
    gone: 'Este recuerdo ya no existe.',
    all: 'Eliminar todo',
    sureAll: '¿Eliminar todo lo que el asistente recuerda sobre ti?',
    said: 'Dicho el {time}',
    from: 'De la conversación del {time}',
    conversationGone: 'Esta conversación ya no se conserva.',
  },
  it: {
    list: 'Ricordi salvati',
    empty: 'Non ci sono ricordi salvati.',
    correct: 'Modifica «{title}»',
    text: 'Ricordo',
    corrected: 'Il ricordo è stato modificato.',
    gone: 'Questo ricordo non esiste più.',
    all: 'Elimina tutto',
    sureAll: 'Eliminare tutto ciò che l’assistente ricorda di te?',
    said: 'Detto il {time}',
    from: 'Dalla conversazione del {time}',
    conversationGone: 'Questa conversazione non è più conservata.',
  },
  pt: {
    list: 'Memórias guardadas',
    empty: 'Não há memórias guardadas.',
    correct: 'Editar «{title}»',
    text: 'Memória',
    corrected: 'A memória foi alterada.',
    gone: 'Esta memória já não existe.',
    all: 'Eliminar tudo',
    sureAll: 'Eliminar tudo o que o assistente recorda sobre si?',
    said: 'Dito a {time}',
    from: 'Da conversa de {time}',
    conversationGone: 'Esta conversa já não está guardada.',
  },
  nl: {
    list: 'Opgeslagen herinneringen',
    empty: 'Er zijn geen opgeslagen herinneringen.',
    correct: '‘{title}’ bewerken',
    text: 'Herinnering',
    corrected: 'De herinnering is gewijzigd.',
    gone: 'Deze herinnering bestaat niet meer.',
    all: 'Alles verwijderen',
    sureAll: 'Alles verwijderen wat de assistent over u heeft onthouden?',
    said: 'Gezegd op {time}',
    from: 'Uit het gesprek van {time}',
    conversationGone: 'Dit gesprek wordt niet meer bewaard.',
  },
  pl: {
    list: 'Zapisane wspomnienia',
    empty: 'Nie ma zapisanych wspomnień.',
    correct: 'Edytuj „{title}”',
    text: 'Wspomnienie',
    corrected: 'Wspomnienie zostało zmienione.',
    gone: 'To wspomnienie już nie istnieje.',
    all: 'Usuń wszystko',
    sureAll: 'Usunąć wszystko, co asystent zapamiętał o Tobie?',
    said: 'Powiedziano: {time}',
    from: 'Z rozmowy: {time}',
    conversationGone: 'Ta rozmowa nie jest już przechowywana.',
  },
  ja: {
    list: '保存されたメモリ',
    empty: '保存されたメモリはありません。',
    correct: '「{title}」を編集',
    text: 'メモリ',
    corrected: 'メモリを更新しました。',
    gone: 'このメモリはもうありません。',
    all: 'すべて削除',
    sureAll: 'アシスタントがあなたについて記憶している内容をすべて削除しますか？',
    said: '{time} の発言',
    from: '{time} の会話から',
    conversationGone: 'この会話はもう保存されていません。',
  },
  zh: {
    list: '已保存的记忆',
    empty: '没有已保存的记忆。',
    correct: '编辑“{title}”',
    text: '记忆',
    corrected: '记忆已更新。',
    gone: '这条记忆已不存在。',
    all: '全部删除',
    sureAll: '要删除助手记住的关于您的全部内容吗？',
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
