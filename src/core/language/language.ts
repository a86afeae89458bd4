/** Languages of replies and texts (service.md 2.3). */
export type Language =
  'English' | 'Italian' | 'French' | 'German' | 'Spanish' | 'Portuguese' | 'Dutch' | 'Polish' | 'Japanese' | 'Chinese';
