import { join } from 'node:path'
import type { DomainServer } from '@kit/server/http'
import { importTemplate, importTemplatePort, jobKindPort, missingCells } from '../index.ts'
import type { JobKind, TemplateColumn } from '../index.ts'

/** A small domain of the tests: one table, one template. */
type Probe = { school_id: number; probe_no: string; probe_name: string; probe_kind: number; written: number }
export type ProbeDb = { probe: Probe }
type Parsed = { probe_no: string; probe_name: string; probe_kind: number }
type Snapshot = ReadonlyMap<string, Probe>

export const probe_need = 'probe.probe.import'
export const kinds = ['甲', '乙']
const columns: TemplateColumn[] = [
  { label: '编号', prop: 'probe_no', required: true, options: null, text: true, sample: '001' },
  { label: '名称', prop: 'probe_name', required: true, options: null, text: false, sample: '样例' },
  { label: '类型', prop: 'probe_kind', required: false, options: kinds, text: false, sample: '甲' },
]

export const probeTemplate = importTemplate<ProbeDb, readonly string[], Parsed, Snapshot>({
  code: 'probe',
  title: '试件导入',
  file_name: '试件导入模板.xlsx',
  sheet: '试件',
  notes: ['红色表头为必填'],
  need: probe_need,
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
    return rows.map(({ row_no, parsed }) => ({ row_no, target_id: parsed.probe_no, before: snapshot.get(parsed.probe_no) ?? null }))
  },
})

/** The test domain, with job kinds of the test beside the template. */
export function probeServer(job_kinds: readonly JobKind[] = []): DomainServer {
  return {
    name: 'probe',
    migrations: join(import.meta.dirname, 'migrations'),
    routes: [],
    codes: [probe_need],
    compose({ app }) {
      importTemplatePort.fill(app, probeTemplate)
      for (const kind of job_kinds) jobKindPort.fill(app, kind)
    },
  }
}
