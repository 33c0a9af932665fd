import type { PageSearch } from '../page/page-context.ts'
import type { Field, Fields } from './fields.ts'
import type { FilterControl } from './filter-control.ts'
import { dictionaryFilter } from './filter-controls.tsx'

/** What filters a list now, in words: `性别：女`. */
export type FilterText = { names: string[]; text: string }

/** The control of a field in the search bar: its own, else a choice from its dictionary. */
export function controlOf<Row>(name: string, field: Field<Row>): FilterControl | undefined {
  return field.filter ?? (field.dictionary ? dictionaryFilter(name, field.dictionary) : undefined)
}

/** Every active filter of a list in words. */
export function filterTexts<Row>(fields: Fields<Row>, values: PageSearch): FilterText[] {
  return Object.entries(fields.of).flatMap(([name, field]) => {
    const control = controlOf(name, field)
    const text = control?.text(values)
    return control && text ? [{ names: control.names, text: `${field.label}：${text}` }] : []
  })
}
