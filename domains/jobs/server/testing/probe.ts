import type { Database } from '@kit/server/db'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { importTemplate, missingCells } from '../index.ts'
import type { AnyTemplate, ImportTemplate, TemplateColumn } from '../index.ts'

/** The table of the test template. */
type Probe = { school_id: number; probe_no: string; probe_name: string; probe_kind: number; written: number }
export type ProbeDb = { probe: Probe }
type Parsed = { probe_no: string; probe_name: string; probe_kind: number }
type Snapshot = ReadonlyMap<string, Probe>

const Before = z.object({ probe_no: z.string(), probe_name: z.string(), probe_kind: z.number(), written: z.number() })

const kinds = ['甲', '乙']
const columns: TemplateColumn[] = [
  { label: '编号', prop: 'probe_no', required: true, options: null, text: true, sample: '001' },
  { label: '名称', prop: 'probe_name', required: true, options: null, text: false, sample: '样例' },
  { label: '类型', prop: 'probe_kind', required: false, options: kinds, text: false, sample: '甲' },
]

/** A small template over the table `probe`; it asks for the given permission. */
export function probeTemplate(need: string): AnyTemplate {
  return importTemplate<ProbeDb, readonly string[], Parsed, Snapshot>({ ...probe, need })
}

const probe: Omit<ImportTemplate<ProbeDb, readonly string[], Parsed, Snapshot>, 'need'> = {
  code: 'probe',
  title: '试件导入',
  file_name: '试件导入模板.xlsx',
  sheet: '试件',
  notes: ['红色表头为必填'],
  options: ['keep_name'],
  words: async () => kinds,
  columns: () => columns,
  check(words, cells) {
    const kind = cells.probe_kind === '' ? 1 : words.indexOf(cells.probe_kind ?? '') + 1
    const errors = missingCells(columns, cells)
    if (kind === 0) errors.push({ prop: 'probe_kind', msg: '字典值不存在' })
    const parsed = cells.probe_no ? { probe_no: cells.probe_no, probe_name: cells.probe_name ?? '', probe_kind: kind } : null
    return { parsed, errors, warnings: [] }
  },
  keys: ({ probe_no }) => [{ prop: 'probe_no', key: probe_no }],
  tally: ({ probe_kind }) => [String(probe_kind)],
  async load({ db, school_id }, rows) {
    const numbers = rows.map(row => row.parsed.probe_no)
    if (numbers.length === 0) return new Map()
    const found = await db.selectFrom('probe').selectAll().where('school_id', '=', school_id).where('probe_no', 'in', numbers).execute()
    return new Map(found.map(row => [row.probe_no, row]))
  },
  judge({ parsed }, snapshot, counted) {
    const known = snapshot.get(parsed.probe_no)
    const diff = known && known.probe_name !== parsed.probe_name ? [{ prop: 'probe_name', before: known.probe_name, after: parsed.probe_name }] : []
    const warnings = counted('2') > 3 ? [{ prop: 'probe_kind', msg: '乙类过多' }] : []
    return { verdict: !known ? 'new' : diff.length > 0 ? 'change' : 'same', target_id: known?.probe_no ?? null, diff, errors: [], warnings }
  },
  async apply({ db, school_id }, rows, snapshot) {
    for (const { parsed } of rows) {
      await db
        .insertInto('probe')
        .values({ school_id, ...parsed, written: 1 })
        .onConflict(on => on.columns(['school_id', 'probe_no']).doUpdateSet(eb => ({ probe_name: parsed.probe_name, written: eb('probe.written', '+', 1) })))
        .execute()
    }
    const now = await marksOf(db, school_id, rows.map(({ parsed }) => parsed.probe_no))
    return rows.map(({ row_no, parsed: { probe_no } }) => {
      return { row_no, target_id: probe_no, before: snapshot.get(probe_no) ?? null, touched: [{ key: probe_no, mark: now.get(probe_no) ?? '' }] }
    })
  },
  undo: {
    marks: ({ db, school_id }, keys) => marksOf(db, school_id, keys),
    reason: key => `${key}已变动`,
    async undo({ db, school_id }, rows, kept) {
      const gone = rows.flatMap(({ target_id, before }) => (before === null && !kept.has(target_id) ? [target_id] : []))
      if (gone.length > 0) await db.deleteFrom('probe').where('school_id', '=', school_id).where('probe_no', 'in', gone).execute()
      for (const { before } of rows) {
        if (before === null) continue
        const { probe_no, ...old } = Before.parse(before)
        await db.updateTable('probe').set(old).where('school_id', '=', school_id).where('probe_no', '=', probe_no).execute()
      }
    },
  },
}

async function marksOf(db: Kysely<ProbeDb>, school_id: number, numbers: readonly string[]): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map()
  const found = await db.selectFrom('probe').selectAll().where('school_id', '=', school_id).where('probe_no', 'in', [...numbers]).execute()
  return new Map(found.map(({ probe_no, probe_name, probe_kind }) => [probe_no, `${probe_name}${probe_kind}`]))
}

/** Makes the table beside the product's, with the fence of a school-owned one. */
export async function makeProbeTable(database: Database): Promise<void> {
  const own = "school_id = nullif(current_setting('app.school_id', true), '')::int"
  await database.owner_exec(`
    create table probe (
      school_id integer not null,
      probe_no varchar(20) not null,
      probe_name varchar(50) not null check (length(probe_name) < 20),
      probe_kind smallint not null,
      written integer not null,
      primary key (school_id, probe_no)
    );
    alter table probe enable row level security;
    alter table probe force row level security;
    create policy tenant on probe using (${own}) with check (${own});
    grant select, insert, update, delete on probe to ${database.app_role}`)
}
