import type { FieldFacet } from '@campus/people/contract'
import type { DeptScope, Tree } from '../scope.ts'
import type { RosterDesk } from '../student.service.ts'
import type { RosterWords } from './roster.words.ts'

type Column<Row> = { label: string; numeric?: boolean; text(row: Row, words: RosterWords): string }

/** One kind of list that can be exported; `Query` is its filter as the request gave it, `Row` its row on the wire. */
export type Roster<Query, Row> = {
  title: string
  /** what its rows are; absent: 人 */
  unit?: string
  /** whose departments bound what the reader may see; absent: the pupils' */
  tree?: Tree
  /** every column of the list: header, and the text of its cell */
  columns: Readonly<Record<string, Column<Row>>>
  /** whose custom fields are columns too, after the others; `text` of a row by code */
  own?: { facet: FieldFacet; text(row: Row, field_code: string): string }
  count(desk: RosterDesk, scope: DeptScope, query: Query): Promise<number>
  /** user ids in the order of the list, at most `limit` */
  order(desk: RosterDesk, scope: DeptScope, query: Query, limit: number): Promise<string[]>
  /** the rows of these people, in the order of the ids */
  rows(desk: RosterDesk, scope: DeptScope, query: Query, ids: readonly string[]): Promise<Row[]>
  /** the filter in words, for the head of the sheet */
  facts(query: Query, words: RosterWords): string[]
}
