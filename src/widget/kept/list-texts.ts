/** The texts of a list in one language. `{title}` stands for the title of a conversation. */
export interface ListTexts {
  readonly list: string;
  readonly back: string;
  readonly untitled: string;
  readonly loading: string;
  readonly empty: string;
  readonly more: string;
  readonly failed: string;
  readonly rename: string;
  readonly title: string;
  readonly save: string;
  readonly cancel: string;
  readonly remove: string;
  readonly sure: string;
  readonly yes: string;
  readonly no: string;
  readonly removed: string;
  readonly opened: string;
}

/** The texts by the primary part of the panel's language. */
const byLanguage: Readonly<Record<string, ListTexts>> = {
  en: {
    list: 'Earlier conversations',
    back: 'Back to the chat',
    untitled: 'Untitled',
    loading: 'Loading …',
    empty: 'There are no earlier conversations.',
    more: 'Show more',
    failed: 'That did not work. Please try again.',
    rename: 'Rename “{title}”',
    title: 'Title',
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Delete “{title}”',
    sure: 'Delete “{title}” for good?',
    yes: 'Delete',
    no: 'Keep',
    removed: 'The conversation was deleted.',
    opened: 'The conversation is open.',
  },
  de: {
    list: 'Frühere Unterhaltungen',
    back: 'Zurück zum Chat',
    untitled: 'Ohne Titel',
    loading: 'Wird geladen …',
    empty: 'Es gibt keine früheren Unterhaltungen.',
    more: 'Mehr anzeigen',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
    rename: '„{title}“ umbenennen',
    title: 'Titel',
    save: 'Speichern',
    cancel: 'Abbrechen',
    remove: '„{title}“ löschen',
    sure: '„{title}“ endgültig löschen?',
    yes: 'Löschen',
    no: 'Behalten',
    removed: 'Die Unterhaltung wurde gelöscht.',
    opened: 'Die Unterhaltung ist geöffnet.',
  },
  fr: {
    list: 'Conversations précédentes',
    back: 'Retour à la discussion',
    untitled: 'Sans titre',
    loading: 'Chargement…',
    empty: 'Il n’y a pas de conversation précédente.',
    more: 'Afficher plus',
    failed: 'Cela n’a pas fonctionné. Veuillez réessayer.',
    rename: 'Renommer « {title} »',
    title: 'Titre',
    save: 'Enregistrer',
    cancel: 'Annuler',
    remove: 'Supprimer « {title} »',
    sure: 'Supprimer définitivement « {title} » ?',
    yes: 'Supprimer',
    no: 'Conserver',
    removed: 'La conversation a été supprimée.',
    opened: 'La conversation est ouverte.',
  },
  es: {
    list: 'Conversaciones anteriores',
    back: 'Volver al chat',
    untitled: 'Sin título',
    loading: 'Cargando…',
    empty: 'No hay conversaciones anteriores.',
    more: 'Mostrar más',
    failed: 'No ha funcionado. Inténtalo de nuevo.',
    rename: 'Cambiar el nombre de «{title}»',
    title: 'Título',
    save: 'Guardar',
    cancel: 'Cancelar',
    remove: 'Eliminar «{title}»',
    sure: '¿Eliminar «{title}» definitivamente?',
    yes: 'Eliminar',
    no: 'Conservar',
    removed: 'La conversación se ha eliminado.',
    opened: 'La conversación está abierta.',
  },
  it: {
    list: 'Conversazioni precedenti',
    back: 'Torna alla chat',
    untitled: 'Senza titolo',
    loading: 'Caricamento…',
    empty: 'Non ci sono conversazioni precedenti.',
    more: 'Mostra altre',
    failed: 'Non ha funzionato. Riprova.',
    rename: 'Rinomina «{title}»',
    title: 'Titolo',
    save: 'Salva',
    cancel: 'Annulla',
    remove: 'Elimina «{title}»',
    sure: 'Eliminare definitivamente «{title}»?',
    yes: 'Elimina',
    no: 'Conserva',
    removed: 'La conversazione è stata eliminata.',
    opened: 'La conversazione è aperta.',
  },
  pt: {
    list: 'Conversas anteriores',
    back: 'Voltar ao chat',
    untitled: 'Sem título',
    loading: 'A carregar…',
    empty: 'Não há conversas anteriores.',
    more: 'Mostrar mais',
    failed: 'Não funcionou. Tente novamente.',
    rename: 'Mudar o nome de «{title}»',
    title: 'Título',
    save: 'Guardar',
    cancel: 'Cancelar',
    remove: 'Eliminar «{title}»',
    sure: 'Eliminar «{title}» definitivamente?',
    yes: 'Eliminar',
    no: 'Manter',
    removed: 'A conversa foi eliminada.',
    opened: 'A conversa está aberta.',
  },
  nl: {
    list: 'Eerdere gesprekken',
    back: 'Terug naar de chat',
    untitled: 'Zonder titel',
    loading: 'Laden …',
    empty: 'Er zijn geen eerdere gesprekken.',
    more: 'Meer tonen',
    failed: 'Dat is niet gelukt. Probeer het opnieuw.',
    rename: '‘{title}’ hernoemen',
    title: 'Titel',
    save: 'Opslaan',
    cancel: 'Annuleren',
    remove: '‘{title}’ verwijderen',
    sure: '‘{title}’ definitief verwijderen?',
    yes: 'Verwijderen',
    no: 'Behouden',
    removed: 'Het gesprek is verwijderd.',
    opened: 'Het gesprek is geopend.',
  },
  pl: {
    list: 'Wcześniejsze rozmowy',
    back: 'Wróć do czatu',
    untitled: 'Bez tytułu',
    loading: 'Wczytywanie…',
    empty: 'Nie ma wcześniejszych rozmów.',
    more: 'Pokaż więcej',
    failed: 'Nie udało się. Spróbuj ponownie.',
    rename: 'Zmień nazwę „{title}”',
    title: 'Tytuł',
    save: 'Zapisz',
    cancel: 'Anuluj',
    remove: 'Usuń „{title}”',
    sure: 'Usunąć na zawsze „{title}”?',
    yes: 'Usuń',
    no: 'Zachowaj',
    removed: 'Rozmowa została usunięta.',
    opened: 'Rozmowa jest otwarta.',
  },
  ja: {
    list: '以前の会話',
    back: 'チャットに戻る',
    untitled: '無題',
    loading: '読み込み中…',
    empty: '以前の会話はありません。',
    more: 'さらに表示',
    failed: 'うまくいきませんでした。もう一度お試しください。',
    rename: '「{title}」の名前を変更',
    title: 'タイトル',
    save: '保存',
    cancel: 'キャンセル',
    remove: '「{title}」を削除',
    sure: '「{title}」を完全に削除しますか?',
    yes: '削除',
    no: '残す',
    removed: '会話を削除しました。',
    opened: '会話を開きました。',
  },
  zh: {
    list: '以前的对话',
    back: '返回聊天',
    untitled: '无标题',
    loading: '正在加载…',
    empty: '没有以前的对话。',
    more: '显示更多',
    failed: '操作未成功,请重试。',
    rename: '重命名“{title}”',
    title: '标题',
    save: '保存',
    cancel: '取消',
    remove: '删除“{title}”',
    sure: '要永久删除“{title}”吗?',
    yes: '删除',
    no: '保留',
    removed: '对话已删除。',
    opened: '对话已打开。',
  },
};

/** The texts for a BCP 47 tag. */
export function listTexts(locale: string): ListTexts {
  const texts = byLanguage[locale.split('-')[0] ?? ''] ?? byLanguage['en'];
  if (texts === undefined) throw new Error('there are no texts');
  return texts;
}

/** The text with the title in its place. */
export function withTitle(text: string, title: string): string {
  return text.replace('{title}', () => title);
}
