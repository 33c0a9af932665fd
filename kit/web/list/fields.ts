import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { FilterControl } from './filter-control.ts'

/** Everything a screen knows about one field; said once per field. */
export type Field<Row> = {
  label: string
  /** said in brackets behind the label of the table */
  unit?: string
  /** px of the table column; default 120 */
  width?: number
  /** numbers stand right and tabular; days and instants in their fixed form */
  kind?: 'number' | 'day' | 'instant'
  /** dictionary type whose name stands for the code, in the cell and in the filter */
  dictionary?: string
  /** the cell as plain text, where it is not the property itself */
  text?: (row: Row) => string
  cell?: (row: Row) => ReactNode
  filter?: FilterControl
  /** fixed: cannot be hidden */
  default_action?: boolean
}

/** The fields of one kind of row. `key` names the field that identifies a row. */
export type Fields<Row, Name extends string = string> = { key: keyof Row & string; of: Record<Name, Field<Row>> }

/**
 * Describes the fields of a row once, for table, filter and detail.
 * @param _row row schema of the contract; only its type is used
 * @param key field that identifies a row
 */
export function fields<S extends z.core.$ZodType<object>, Name extends string>(
  _row: S,
  key: keyof z.output<S> & string,
  of: Record<Name, Field<z.output<S>>>,
): Fields<z.output<S>, Name> {
  return { key, of }
}

/** A column that no field describes, written in place; `prop` names it in the column settings. */
export type Column<Row> = Field<Row> & { prop: string }
