/** Languages of replies and texts (contract/assistant.md#language). */
export type Language =
  'English' | 'Italian' | 'French' | 'German' | 'Spanish' | 'Portuguese' | 'Dutch' | 'Polish' | 'Japanese' | 'Chinese';
