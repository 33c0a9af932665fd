import { rm } from 'node:fs/promises'
import { peopleErrors } from '@campus/people/contract'
import { exportFile } from '@campus/jobs/server'
import type { JobKind, JobRun } from '@campus/jobs/server'
import { fail } from '@kit/contract'
import { writeRowsFile } from '@kit/server/excel'
import { z } from 'zod'
import { chunks } from '../bulk.ts'
import type { PeopleDb } from '../db.ts'
import { liveFields } from '../field/ext.ts'
import { visibleDepts } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import type { RosterDesk } from '../student.service.ts'
import { openKeyword } from './export.keyword.ts'
import { capOf } from './export.size.ts'
import { DeptListFacts, deptRoster } from './dept.roster.ts'
import { ParentFacts, parentRoster } from './parent.roster.ts'
import type { Roster } from './roster.ts'
import { rosterWords, schoolMinute } from './roster.words.ts'
import type { RosterWords } from './roster.words.ts'
import { StaffFacts, staffRoster } from '../staff/staff.roster.ts'
import { PupilFacts, studentRoster } from './student.roster.ts'

export const export_kind = 'people_export'
/** Result files of people live a day (decision 26). */
export const kept_hours = 24
const rows_per_page = 500

const Wanted = { keyword_enc: z.string().optional(), fields: z.array(z.string()).nullable(), reason: z.string().nullable() }
/** What was asked for, as the job keeps it: the keyword sealed (`export.keyword.ts`). */
export const ExportParams = z.discriminatedUnion('list', [
  z.object({ list: z.literal('student'), query: PupilFacts.omit({ keyword: true }), ...Wanted }),
  z.object({ list: z.literal('staff'), query: StaffFacts.omit({ keyword: true }), ...Wanted }),
  z.object({ list: z.literal('dept'), query: DeptListFacts, ...Wanted }),
  z.object({ list: z.literal('parent'), query: ParentFacts.omit({ keyword: true }), ...Wanted }),
])
export type ExportParams = z.output<typeof ExportParams>
type Filter = { on: string; dept_id?: string }
type Asked<Query> = { query: Query; fields: readonly string[] | null; reason: string | null }

/** Writes the list of the acting identity into a sheet, page by page; its order is settled by one query at the beginning. */
export const exportJob: JobKind = {
  kind: export_kind,
  run(job) {
    const params = ExportParams.parse(job.params)
    if (params.list === 'dept') return writeRoster(job, deptRoster(params.query.tree), params)
    const keyword = openKeyword(job, params.keyword_enc)
    if (params.list === 'student') return writeRoster(job, studentRoster, { ...params, query: { ...params.query, keyword } })
    if (params.list === 'staff') return writeRoster(job, staffRoster, { ...params, query: { ...params.query, keyword } })
    return writeRoster(job, parentRoster, { ...params, query: { ...params.query, keyword } })
  },
}

type Opened<Row> = { scope: DeptScope; ids: string[]; words: RosterWords; columns: Columns<Row> }
type Columns<Row> = Roster<never, Row>['columns']

async function writeRoster<Query extends Filter, Row>(job: JobRun, roster: Roster<Query, Row>, asked: Asked<Query>): Promise<void> {
  const { query } = asked
  const cap = capOf(job.me.codes)
  const opened = await inside<Opened<Row>>(job, async desk => {
    const scope = await visibleDepts(desk, roster.tree ?? 'student', query.on)
    return { scope, ids: await roster.order(desk, scope, query, cap + 1), words: await rosterWords(desk, query.dept_id, query.on), columns: { ...roster.columns, ...(await ownColumns(desk, roster.own)) } }
  })
  if (opened.ids.length > cap) throw fail(peopleErrors.exportTooBig)
  await job.stage('写入表格', opened.ids.length)
  const columns = (asked.fields ?? Object.keys(opened.columns)).flatMap(name => opened.columns[name] ?? [])
  const { file_key, path } = await exportFile(job)
  const rows = pagesOf(job, roster, query, opened, columns)
  await writeRowsFile(path, { sheet: roster.title, head: headOf(job, roster, asked, opened), columns: columns.map(({ label, numeric }) => ({ label, numeric })), rows })
  await job.result(file_key, `${roster.title}_${schoolMinute(job.app.clock.now()).replace(/[-: ]/g, '')}.xlsx`).catch(async (error: unknown) => {
    await rm(path, { force: true })
    throw error
  })
}

/** The school's own fields that are exported, each a column after those of the list. */
async function ownColumns<Row>(desk: RosterDesk, own: Roster<never, Row>['own']): Promise<Columns<Row>> {
  if (!own) return {}
  const fields = (await liveFields(desk, own.facet)).filter(field => field.in_export)
  return Object.fromEntries(fields.map(({ field_code, label, type }) => [`ext.${field_code}`, { label, numeric: type === 'number', text: (row: Row) => own.text(row, field_code) }]))
}

function inside<R>(job: JobRun, fn: (desk: RosterDesk) => Promise<R>): Promise<R> {
  const { school_id, me, app } = job
  return job.read<PeopleDb, R>(db => fn({ db, school_id, me, app, now: app.clock.now() }))
}

/** The lines of the sheet. An attempt after a crash writes the sheet anew; progress only counts what no attempt has counted. */
async function* pagesOf<Query, Row>(job: JobRun, roster: Roster<Query, Row>, query: Query, { scope, ids, words }: Opened<Row>, columns: Columns<Row>[string][]): AsyncGenerator<string[]> {
  let written = 0
  for (const page of chunks(ids, rows_per_page)) {
    const rows = await inside(job, desk => roster.rows(desk, scope, query, page))
    yield* rows.map(row => columns.map(column => column.text(row, words)))
    const counted = Math.max(written, job.committed.done)
    written += page.length
    await job.step<unknown>(async () => ({ done: Math.max(0, written - counted) }))
  }
}

function headOf<Query, Row>({ me, app }: JobRun, roster: Roster<Query, Row>, { query, reason }: Asked<Query>, { ids, words }: Opened<Row>): string[] {
  return [
    `${words.school_name}　${roster.title}　共${ids.length}${roster.unit ?? '人'}`,
    `导出人：${me.user_name}（${me.user_no}）${me.role_name}　导出时间：${schoolMinute(app.clock.now())}`,
    `条件：${roster.facts(query, words).join('；')}`,
    ...(reason === null ? [] : [`导出原因：${reason}`]),
  ]
}
