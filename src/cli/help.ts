/** What `helper help` prints. */
export function helpText(invokedAs: string): string {
  return `Usage: ${invokedAs} COMMAND [OPTIONS]

  start             serve; stop with Ctrl+C
  check             check configuration and plugins, and say what would be served
  init DIR          write a small working project: a configuration and a plugin
  adopt DOCUMENT    write a configuration for the API that an OpenAPI file or address describes
  reload            have the running server read its configuration again
  backup FILE       write what the server keeps to a file, while it runs or not
  restore FILE      put a backup in place of what a stopped server keeps
  storage copy      copy the data of a folder into the database that storage.url names
  erase             erase what the server keeps of the user --user KEY
  knowledge         list what documents there are; --query QUESTION says what is found, and why
  health            ask the running server whether it is ready
  token             sign a token of a user with auth.jwt.secret; --explain says what is wrong with one
  config-reference  print the reference of every setting
  version           print the version

Options
  --config FILE     the configuration of start, check, reload, backup, restore, storage, erase,
                    knowledge, health and token (else HELPER_CONFIG, else config/helper.yaml)
  --json            check: print JSON
  --online          check: ask each model one small question, and issuers of tokens for their keys
  --sub NAME        token: the user; --role ROLE for each role, --expires 1h
  --explain TOKEN   token: which rule TOKEN fails, without asking anybody; - reads it
  --query QUESTION  knowledge: --as ROLE for each role of who asks, --tenant NAME
  --user KEY        erase: as the security log prints it, such as id:ann or tenant:acme/id:ann
  --from FOLDER     storage copy: the storage.path of a stopped server
  --output FILE     adopt: the file to write (else helper.yaml); - prints it
  --replace         restore: where there is a database already; adopt: where there is a file
  --write           config-reference: write the generated files of the project

Exit codes: 0 done, 1 failed, 64 the command line is wrong, 78 the configuration is wrong.
`;
}
