import { FRESHMAN_STATE } from '@campus/people/contract'
import type { FreshmanRow, freshmenArrivalApi } from '@campus/people/contract'
import type { Input } from '@kit/contract'
import { exportList, listExport, minuteText, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import { commonErrors, fail } from '@kit/contract'
import type { PeopleDb } from '../db.ts'
import { shownRows } from './apply.read.ts'
import type { RowDesk } from './apply.read.ts'
import { applyFilter, pageApplications } from './apply.queries.ts'
import type { ApplyFilter } from './apply.queries.ts'
import { shownKeyword } from '../export/roster.words.ts'
import { nameOf } from './review.service.ts'
import { findSeason } from './season.queries.ts'

const sexes: Readonly<Record<string, string>> = { 1: '男', 2: '女' }
const columns: readonly SheetColumn<FreshmanRow>[] = [
  { label: '报名编号', text: row => row.apply_no },
  { label: '姓名', text: row => row.user_name },
  { label: '性别', text: row => sexes[row.sex] ?? '' },
  { label: '出生日期', text: row => row.birthday ?? '' },
  { label: '证件号', text: row => row.id_no },
  { label: '监护人', text: row => row.guardian },
  { label: '监护人手机号', text: row => row.guardian_mobile },
  { label: '状态', text: row => FRESHMAN_STATE.names[row.state] },
  { label: '成绩', numeric: true, text: row => (row.score === null ? '' : String(row.score)) },
  { label: '班级', text: row => row.dept_name ?? '' },
  { label: '学号', text: row => row.student_no ?? '' },
  { label: '原因', text: row => row.reason ?? '' },
  { label: '报名时间', text: row => minuteText(new Date(row.applied_at)) },
]

/** The applications of a season as the list shows them; numbers stay masked. */
export const freshmenExport = listExport<ApplyFilter>({
  name: 'people.freshmen',
  is_about_people: true,
  async open({ read, app, school_id, me, now }, asked) {
    const filter = applyFilter(app.secrets, asked)
    const inside = <R>(fn: (desk: RowDesk) => Promise<R>) => read<PeopleDb, R>(db => fn({ db, school_id, me, now }))
    const page = (offset: number) => inside(async desk => {
      const { list, total } = await pageApplications(desk.db, school_id, filter, { limit: rows_per_page, offset })
      return { total, lines: (await shownRows(desk, list)).map(row => columns.map(column => column.text(row))) }
    })
    const facts = await inside(async ({ db }) => ({
      season: await findSeason(db, school_id, filter.season_id),
      school: await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow(),
    }))
    if (!facts.season) throw fail(commonErrors.notFound)
    const first = await page(0)
    return {
      title: '新生名单', unit: '人', school_name: facts.school.school_name, total: first.total, columns,
      conditions: [`${facts.season.school_year}学年`, ...(filter.state === undefined ? [] : [`状态 ${nameOf(filter.state)}`]), ...(filter.keyword ? [`关键字 ${shownKeyword(filter.keyword)}`] : [])],
      noted: { target_kind: 'people.freshmen', target_id: filter.season_id, target_name: `新生名单 ${first.total}人` },
      async* pages() {
        for (let at = 0; at < first.total; at += rows_per_page) yield (await page(at)).lines
      },
    }
  },
})

/** Exports the applications of a season. @throws Refusal 404, 422 as every export of people */
export function exportFreshmen(pre: Pre, { reason, ...filter }: Input<typeof freshmenArrivalApi.export>) {
  return exportList(pre, freshmenExport, filter, reason)
}
