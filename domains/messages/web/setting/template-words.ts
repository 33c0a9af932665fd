import { wordsProblem } from '@campus/messages/contract'
import type { TemplateRow } from '@campus/messages/contract'

/** Words with a mark where each field will be filled in, as they will stand before a receiver. */
export function preview(words: string, fields: Readonly<Record<string, number>>): string {
  return words.replace(/\{(\w+)\}/g, (whole, name: string) => (fields[name] === undefined ? whole : `〔${name}〕`))
}

/** What is wrong with the words a school has typed; null when they may be saved. */
export function problemOf({ title, body }: { title: string; body: string }, { fields }: Pick<TemplateRow, 'fields'>): string | null {
  if (title.trim() === '') return '请输入标题'
  if (body.trim() === '') return '请输入正文'
  return wordsProblem({ title, body }, { fields })
}
