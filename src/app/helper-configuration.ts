/** The keys and values of a configuration file, put together by a program. They are checked like those of a file. */
export type HelperConfiguration = Readonly<Record<string, unknown>>;
