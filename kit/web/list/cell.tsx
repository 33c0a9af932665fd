import type { ReactNode } from 'react'
import { instantText } from '../parts/school-time.ts'
import { dictionaryName } from '../session/dictionary.ts'
import type { Field } from './fields.ts'

/** What stands in the cell of a field: its own renderer, else its value in the fixed form of its kind; — when there is none. */
export function cellOf<Row extends object>(prop: string, field: Field<Row>, row: Row): ReactNode {
  if (field.cell) return field.cell(row)
  const value: unknown = field.text ? field.text(row) : Reflect.get(row, prop)
  if (value === null || value === undefined || value === '') return <span className="kit-none">—</span>
  if (field.dictionary) return dictionaryName(field.dictionary, String(value))
  if (field.kind === 'instant') return instantText(String(value))
  return String(value)
}
