const readerKey =
  /^(?:req\p{L}{0,8}|allow(?:ed|s)?|access|permit(?:ted)?|read(?:ers?)?|visible(?:to|for)?|only(?:for)?|for|user)?(?:roles?|tenants?)(?:required|allowed|only)?$/u;

/** Whether a key names readers, exactly or nearly. Signs and invisible characters in the key do not count. */
export function isReaderKey(key: string): boolean {
  return readerKey.test(
    key
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  );
}
