import { wordsProblem } from '@campus/messages/contract'
import type { TemplateRow } from '@campus/messages/contract'

type Names = TemplateRow['field_names']

/** Words as an administrator reads and writes them: `{锁定至}` for the field `{until}`. */
export function shownWords(words: string, names: Names): string {
  return words.replace(/\{(\w+)\}/g, (whole, name: string) => (names[name] === undefined ? whole : `{${names[name]}}`))
}

/** Words as they are kept, from what an administrator has written; what names no field stays as it is and is refused. */
export function keptWords(words: string, names: Names): string {
  return words.replace(/\{([^{}]+)\}/g, (whole, shown: string) => {
    const field = Object.keys(names).find(name => names[name] === shown.trim())
    return field === undefined ? whole : `{${field}}`
  })
}

/** Words with a mark where each field will be filled in, as they will stand before a receiver. */
export function preview(words: string, names: Names): string {
  return shownWords(keptWords(words, names), names).replace(/\{([^{}]+)\}/g, '〔$1〕')
}

/** What is wrong with the words a school has typed; null when they may be saved. */
export function problemOf({ title, body }: { title: string; body: string }, { fields, field_names }: Pick<TemplateRow, 'fields' | 'field_names'>): string | null {
  if (title.trim() === '') return '请输入标题'
  if (body.trim() === '') return '请输入正文'
  return wordsProblem({ title: keptWords(title, field_names), body: keptWords(body, field_names) }, { fields })
}
