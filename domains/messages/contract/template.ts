/** An outside channel: 2 微信 3 短信 4 邮件 5 App. */
export type OutsideChannel = 2 | 3 | 4 | 5

/**
 * The words of one kind of message. `code` begins with the domain whose fact it tells. `title` and `body` name their fields as `{field}`;
 * `fields` holds the most signs of each, `field_names` what an administrator reads in their place. `channels`: outside ones in the order in which they are tried, the inbox always comes first.
 */
export type MessageTemplate<F extends string = string> = {
  code: string
  name: string
  title: string
  body: string
  fields: Readonly<Record<F, number>>
  field_names?: Readonly<Record<F, string>>
  channels: readonly OutsideChannel[]
  all_channels?: boolean
}

export const most_title = 60
export const most_body = 300

/**
 * Declares a template in the contract of a domain.
 * @throws Error when the words name a field that is not declared, or do not fit when every field is full
 */
export function messageTemplate<const F extends string>(template: MessageTemplate<F>): MessageTemplate<F> {
  const wrong = wordsProblem(template, template)
  if (wrong !== null) throw new Error(`template ${template.code}: ${wrong}`)
  return template
}

/** What an administrator reads for each field of a template; its own name where the domain says nothing. */
export function fieldNames({ fields, field_names }: Pick<MessageTemplate, 'fields' | 'field_names'>): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map(name => [name, field_names?.[name] ?? name]))
}

/** Why words do not go with the fields of a template, as a sentence; null when they do. */
export function wordsProblem({ title, body }: { title: string; body: string }, { fields }: Pick<MessageTemplate, 'fields'>): string | null {
  const unknown = [...fieldsOf(title), ...fieldsOf(body)].find(name => fields[name] === undefined)
  if (unknown !== undefined) return `没有名为{${unknown}}的字段`
  if (fullLength(title, fields) > most_title) return `标题填满字段后超过${most_title}个字`
  if (fullLength(body, fields) > most_body) return `正文填满字段后超过${most_body}个字`
  return null
}

function fieldsOf(words: string): string[] {
  return [...words.matchAll(/\{([^{}\s]+)\}/g)].map(([, name = '']) => name)
}

function fullLength(words: string, fields: Readonly<Record<string, number>>): number {
  return [...words.replace(/\{(\w+)\}/g, (_whole, name: string) => 'x'.repeat(fields[name] ?? 0))].length
}
