/** Typical replies of assistants, each under the name of its special content. */
export const replies: Readonly<Record<string, string>> = {
  'a short answer': 'Yes, order **4711** was shipped on _Monday_ and should arrive by **Thursday**.',
  'steps with code': `To reset the password:

1. Open **Settings → Account**.
2. Press \`Reset password\`.
3. Run this on the server:

   \`\`\`bash
   helper reset --user "anna@example.com" \\
     --reason 'forgot it'
   \`\`\`

4. Tell the user to look into their *inbox*.

> **Note:** The link is valid for 24 hours.
> After that, start again.`,
  'a list with explanations': `There are three ways:

- **By card.** You pay at once.
  A receipt comes by mail.
- **By invoice.** You have 14 days.
  - Only for companies
  - Only in the EU
- **In cash.** At the desk.

Which one do you want?`,
  'a loose list': `1. First, check the cable.

   It must be in the left socket.

2. Then press the button for five seconds.

3. If the light is still red:

   - unplug it,
   - wait,
   - plug it in.
`,
  'a table': `Here are the open invoices:

| Invoice | Customer | Amount | Due |
|:--------|:--------:|-------:|-----|
| 2024-001 | Müller & Söhne | 1.200,00 € | **overdue** |
| 2024-002 | \`ACME\\|West\` | 80,50 € | 3 Dec |
| 2024-003 | [Smith](https://shop.example/c/3) | 0,99 € | |

The total is **1.281,49 €**.`,
  'headings and rules': `# Report

Summary
-------

Sales rose by 12 %.

---

### Details ###

#### North

More than in the south.

***`,
  'code of several languages': `Use this:

\`\`\`ts
const double = (numbers: number[]): number[] => numbers.map((n) => n * 2);

// **not** _emphasis_
\`\`\`

or, in Python:

~~~python
def double(numbers):
    return [n * 2 for n in numbers]
~~~

    indented code
      stays as it is

Inline: \`a * b * c\`, \`\`with \` a tick\`\`, \`snake_case_name\`.`,
  tasks: `- [x] Order placed
- [ ] Payment received
- [ ] Shipped
  - [ ] Label printed`,
  'links of all kinds': `See [the manual](https://docs.example/guide_(v2)#top "The manual"), <https://status.example/>,
https://example.com/search?q=a+b&lang=en, www.example.org/path. Or write to help@example.com, or
<support@example.com>. Also [by reference][manual], [manual] and [Manual][].

[manual]: https://docs.example/manual
`,
  'names with underscores and stars': `Set \`MAX_SIZE\` in snake_case_file_name.yaml; 2*3*4 = 24, a * b, **bold**text, **bold** text, *a*b.
Call __init__ or \\_\\_init\\_\\_; ***both***, **bold with *emphasis* in it**, ~~gone~~ and ~5 minutes to ~10 minutes.`,
  'quotes with lists': `> The customer wrote:
>
> - It is *late*
> - It is broken
>
> > And before that: "Thanks!"
>
> What now?

I would send a new one.`,
  'a lazy quote': `> This sentence is long and the writer
did not begin the next line with the sign.

Done.`,
  'hard breaks': 'Example Ltd  \n1 Street\\\nTown',
  'typed punctuation': `It's "fine" - really... 5 < 6 & 7 > 3; #1, 50%, $5, C:\\dir\\file, a/b, (see above) [sic], 1) x, +1, =2.`,
  German: `Die Lieferung kommt **morgen** („gegen 10 Uhr“). Bitte halten Sie bereit:\n\n* den Ausweis,\n* die *Auftragsnummer* – z. B. \`A-17\`.\n`,
  'Polish and French': `Zamówienie **nr 5** zostało wysłane.\n\nVoilà : *c’est fait* !\n\n1. Étape « un »\n2. Étape « deux »`,
  symbols: '✅ Done! **👍 Great** – see 🎉\n\n- ⚠️ *Careful*\n- → next',
  'nested lists with code': `* Install
    * Download
        * \`npm ci\`
    * Run
* Use

    Then continue.`,
  'a paragraph and a list without a line between': `These are open:
- one
- two
The end.`,
  'numbers that are no list': `It was in
1986. A good year.

1986\\. Too.`,
  'ordered from another number': `7. seven
8. eight

Text

1) one
2) two`,
};
