import type { ColumnFact, FilterFacts, List } from '@kit/contract'
import type { SheetColumn } from '../excel/index.ts'
import { minuteText, secondText } from '../excel/index.ts'
import type { App } from '../http/context.ts'
import { labelPort, sheetWordsPort } from './words.port.ts'
import type { WordContext } from './words.port.ts'

/** Dictionary type → code → name. */
export type Words = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The columns of a list as a sheet writes them, in the words of the school. */
export function sheetColumns<Row>(facts: Readonly<Record<string, ColumnFact<Row>>>, words: Words): (SheetColumn<Row> & { name: string })[] {
  return Object.entries(facts).flatMap(([name, fact]) => {
    if (fact.only === 'screen') return []
    const label = fact.unit ? `${fact.label}（${fact.unit}）` : fact.label
    return [{ name, label, numeric: isNumeric(fact), text: row => cellText(name, fact, row, words) }]
  })
}

/** Every dictionary that columns or filters speak in. */
export function dictionariesOf({ columns, filters }: Pick<List, 'filters'> & { columns: Readonly<Record<string, { dictionary?: string }>> }): string[] {
  const named = [...Object.values(columns), ...Object.values(filters)].flatMap(({ dictionary }) => dictionary ?? [])
  return [...new Set(named)]
}

/** The active filters in words. Of people only that there was a search is said: what was typed may be a name or a number. */
export async function conditionsOf(app: App, context: WordContext, { filters, is_about_people }: { filters: FilterFacts; is_about_people?: boolean }, query: object, words: Words): Promise<string[]> {
  const given = new Map(Object.entries(query))
  const said: string[] = []
  for (const [name, fact] of Object.entries(filters)) {
    const value: unknown = given.get(name)
    const last: unknown = fact.until ? given.get(fact.until) : undefined
    if (fact.label === '' || (value === undefined && last === undefined)) continue
    if (fact.control === 'days') said.push(`${fact.label} ${plain(value)} 至 ${plain(last)}`)
    else if (fact.control === 'text' && is_about_people) said.push(`按${fact.label}查找`)
    else if (fact.of) said.push(`${fact.label} ${await labelOf(app, context, fact.of, plain(value))}`)
    else said.push(`${fact.label} ${nameOf(fact, plain(value), words)}`)
  }
  return said
}

async function labelOf(app: App, context: WordContext, of: string, id: string): Promise<string> {
  const owner = labelPort.all(app).find(one => one.of === of)
  return (await owner?.labels(context, [id]))?.get(id) ?? '所选'
}

/** Words of the school for a list. */
export async function readWords(app: App, context: WordContext, types: readonly string[]): Promise<{ school_name: string; words: Words }> {
  const port = sheetWordsPort.one(app)
  return { school_name: await port.schoolName(context), words: types.length === 0 ? new Map() : await port.dictionaries(context, types) }
}

function isNumeric({ kind }: ColumnFact<never>): boolean {
  return kind === 'number' || kind === 'money' || kind === 'minutes'
}

const cents = 100

function cellText<Row>(name: string, fact: ColumnFact<Row>, row: Row, words: Words): string {
  if (fact.text) return fact.text(row)
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(one => nameOf(fact, plain(one), words)).join('、')
  if (fact.kind === 'instant') return minuteText(new Date(plain(value)))
  if (fact.kind === 'second') return secondText(new Date(plain(value)))
  if (fact.kind === 'money') return (Number(value) / cents).toFixed(2)
  if (fact.kind === 'flag') return value === true ? '是' : '否'
  return nameOf(fact, plain(value), words)
}

function nameOf({ names, dictionary }: { names?: Readonly<Record<string, string>>; dictionary?: string }, code: string, words: Words): string {
  if (names) return names[code] ?? code
  return dictionary ? (words.get(dictionary)?.get(code) ?? code) : code
}

function plain(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
