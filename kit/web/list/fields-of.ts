import type { ColumnFact, FilterFact, FilterFacts, List } from '@kit/contract'
import type { z } from 'zod'
import { exactText } from '../parts/school-time.ts'
import type { Field, Fields } from './fields.ts'
import { dayFilter, daysFilter, dictionaryFilter, selectFilter, textFilter } from './filter-controls.tsx'
import type { FilterControl } from './filter-control.ts'

type Shape = z.core.$ZodType<object>
/** What only the screen knows of a column or filter. */
export type FieldExtra<Row> = Pick<Field<Row>, 'cell' | 'filter' | 'default_action'>

/**
 * The fields of a list from its contract: labels, widths, kinds, names and filter controls stand there once.
 * @param extras cells drawn otherwise than as text, and the pickers of references
 */
export function fieldsOf<R extends Shape, F extends FilterFacts, Name extends string>(
  of: List<R, F, Name>,
  extras: Partial<Record<Name | (keyof F & string), FieldExtra<z.output<R>>>> = {},
): Fields<z.output<R>, Name | (keyof F & string)> {
  const extra = new Map<string, FieldExtra<z.output<R>> | undefined>(Object.entries(extras))
  const filters = Object.entries<FilterFact>(of.filters).map(([name, fact]) => [name, { label: fact.label, filter: controlOf(name, fact), ...extra.get(name) }])
  const columns = Object.entries<ColumnFact<z.output<R>>>(of.columns).map(([name, fact]) => {
    const filtered = of.filters[name]
    const { label, unit, width, dictionary } = fact
    return [name, { label, unit, width, dictionary, ...shownAs(name, fact), filter: filtered && controlOf(name, filtered), ...extra.get(name) }]
  })
  const described: Record<Name | (keyof F & string), Field<z.output<R>>> = Object.fromEntries([...filters, ...columns])
  return { key: of.key, of: described }
}

/** The control that a filter asks for; a reference is picked with what the page brings. */
function controlOf(name: string, { control, placeholder, names = {}, dictionary, until }: FilterFact): FilterControl | undefined {
  if (control === 'text') return textFilter(name, placeholder)
  if (control === 'day') return dayFilter(name)
  if (control === 'days' && until) return daysFilter(name, until)
  if (control === 'choice' && dictionary) return dictionaryFilter(name, dictionary)
  if (control === 'choice' || control === 'flag') return selectFilter(name, Object.entries(names).map(([value, label]) => ({ value, label })))
  return undefined
}

const cents = 100

/** Kind and text of a cell by the kind of its column; what only a sheet knows (numbers as numbers) is left to it. */
function shownAs<Row extends object>(name: string, { kind, names, text }: ColumnFact<Row>): Pick<Field<Row>, 'kind' | 'text'> {
  const said = (form: (value: unknown) => string) => (row: Row) => {
    const value: unknown = Reflect.get(row, name)
    return value === null || value === undefined ? '' : form(value)
  }
  if (text) return { kind: kind === 'number' ? kind : undefined, text }
  if (names) return { text: said(value => (Array.isArray(value) ? value : [value]).map(one => names[String(one)] ?? String(one)).join('、')) }
  if (kind === 'money') return { kind: 'number', text: said(value => (Number(value) / cents).toFixed(2)) }
  if (kind === 'minutes') return { kind: 'number' }
  if (kind === 'second') return { kind: 'instant', text: said(value => exactText(String(value))) }
  if (kind === 'flag') return { text: said(value => (value === true ? '是' : '否')) }
  return { kind }
}
