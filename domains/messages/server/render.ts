import type { MessageTemplate } from '@campus/messages/contract'

/** Numbers of identity cards and mobiles; neither stands in a message (chapter 10 M4). */
const private_number = /(?<!\d)(?:\d{17}[\dXx]|\d{15}|1\d{10})(?!\d)/g

/**
 * Fills the fields of a template as plain text. A value longer than its field is cut, control signs become spaces, numbers of identity cards
 * and mobiles become stars.
 */
export function render({ title, body }: { title: string; body: string }, { fields }: Pick<MessageTemplate, 'fields'>, values: Readonly<Record<string, string>>): { title: string; body: string } {
  const fill = (words: string) => words.replace(/\{(\w+)\}/g, (_whole, name: string) => valueText(values[name] ?? '', fields[name] ?? 0))
  return { title: fill(title), body: fill(body) }
}

function valueText(value: string, most: number): string {
  const plain = value.replace(/\p{Cc}+/gu, ' ').replace(private_number, '***').trim()
  const signs = [...plain]
  return signs.length <= most ? plain : `${signs.slice(0, most - 1).join('')}…`
}
