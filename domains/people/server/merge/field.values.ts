import type { MergeField } from '@campus/people/contract'
import type { Secrets } from '@kit/server/secrets'
import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import { storedExt } from '../field/ext.ts'
import type { FieldDesk } from '../field/ext.ts'
import { openValue } from '../field/sealed-value.ts'
import { divisions } from '../import/divisions.ts'
import { shownValue } from '../import/field.ts'
import { field_facts, field_tables } from './field.facts.ts'
import type { FieldFact, FieldTable } from './field.facts.ts'

const Row = z.record(z.string(), z.unknown())
/** The rows of one person by table, as JSON; a facet that a person does not have is absent. */
export type FileRows = ReadonlyMap<FieldTable, z.output<typeof Row>>

/** All rows of the files of these people, as they stand. */
export async function readFiles(db: Db, school_id: number, user_ids: readonly string[]): Promise<Map<string, FileRows>> {
  const files = new Map<string, Map<FieldTable, z.output<typeof Row>>>()
  for (const table of field_tables) {
    const { rows } = await sql<{ user_id: string; image: unknown }>`
      select t.user_id::text, to_jsonb(t) as image from ${sql.table(table)} t where t.school_id = ${school_id} and ${oneOf('t.user_id', user_ids)}`.execute(db)
    for (const { user_id, image } of rows) files.set(user_id, (files.get(user_id) ?? new Map()).set(table, Row.parse(image)))
  }
  return files
}

/** Fields that both people have, with both values as they may be shown and whose is proposed: a value before none, else the kept one's. */
export async function compareFiles({ db, school_id, app: { secrets } }: FieldDesk, keep: FileRows, drop: FileRows): Promise<MergeField[]> {
  const names = await dictionaryNames(db, school_id)
  return field_facts.flatMap((fact): MergeField[] => {
    const [mine, theirs] = [keep.get(fact.table), drop.get(fact.table)]
    if (!mine || !theirs || (isEmpty(fact, mine) && isEmpty(fact, theirs))) return []
    const { field, label } = fact
    const shown = { keep: textOf(fact, mine, names), drop: textOf(fact, theirs, names) }
    const verdict = isEmpty(fact, mine) ? 'drop' : isEmpty(fact, theirs) ? 'keep' : sameValue({ school_id, secrets }, fact, mine, theirs) ? 'same' : 'both'
    return [{ field, label, ...shown, verdict, proposed: verdict === 'drop' ? 'drop' : 'keep' }]
  })
}

const unknown_sex = '0'

/** Has nothing been said? An unknown sex and no custom fields are nothing. */
function isEmpty({ field, columns, kind }: FieldFact, row: z.output<typeof Row>): boolean {
  const value = row[keyColumn(field, columns)]
  if (kind === 'json') return Object.keys(Row.parse(value ?? {})).length === 0
  return value === null || value === undefined || value === '' || (field === 'sex' && value === unknown_sex)
}

/** Who opens sealed values. */
type Opener = { school_id: number; secrets: Pick<Secrets, 'data_key'> }

/** Custom values are compared as they were said: every sealing of the same value looks different. */
export function sameValue(opener: Opener, { field, columns, kind }: FieldFact, one: z.output<typeof Row>, other: z.output<typeof Row>): boolean {
  const column = keyColumn(field, columns)
  const said = (value: unknown) => JSON.stringify(kind === 'json' ? opened(opener, value) : (value ?? null))
  return said(one[column]) === said(other[column])
}

function opened({ school_id, secrets }: Opener, ext: unknown): [string, string][] {
  return Object.entries(storedExt(ext)).map(([code, stored]): [string, string] => [code, openValue(secrets, school_id, stored)]).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** The column that tells whether two values are the same one: of an identity number its index. */
function keyColumn(field: string, columns: readonly string[]): string {
  return field === 'id_no' ? 'id_no_idx' : (columns[0] ?? field)
}

type Names = ReadonlyMap<string, ReadonlyMap<string, string>>

function textOf({ field, columns, dict, kind }: FieldFact, row: z.output<typeof Row>, names: Names): string {
  if (field === 'id_no') return String(row.id_no_mask ?? '')
  const value = row[columns[0] ?? field]
  if (value === null || value === undefined) return ''
  if (field === 'photo') return '已上传'
  if (kind === 'json') return `${Object.keys(Row.parse(value)).length}项`
  const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
  return shownValue(field, text, kind === 'division' ? divisions().names.get(text) : names.get(dict ?? '')?.get(text))
}

async function dictionaryNames(db: Db, school_id: number): Promise<Names> {
  const types = [...new Set(field_facts.flatMap(fact => fact.dict ?? []))]
  const items = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', 'in', types).execute()
  return new Map([...Map.groupBy(items, item => item.sc_code_type)].map(([type, list]) => [type, new Map(list.map(item => [item.sc_code_item, item.name]))]))
}
