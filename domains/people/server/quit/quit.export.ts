import { closeName, quit_group_names } from '@campus/people/contract'
import type { quitApi, QuitRow } from '@campus/people/contract'
import type { Input } from '@kit/contract'
import { exportList, listExport, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import { schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { visibleDepts } from '../scope.ts'
import { pageGone } from './quit.queries.ts'
import type { QuitFilter } from './quit.queries.ts'
import { quitFilter, quitRows } from './quit.service.ts'
import type { QuitDesk } from './quit.service.ts'

type Query = Omit<Input<typeof quitApi.export>, 'reason'>

const kinds: Readonly<Record<number, string>> = { 1: '学生', 2: '教职工' }
const columns: readonly SheetColumn<QuitRow>[] = [
  { label: '姓名', text: row => row.user_name },
  { label: '类别', text: row => kinds[row.person_kind] ?? '' },
  { label: '编号', text: row => row.user_no },
  { label: '原班级/部门', text: row => row.dept_name ?? '' },
  { label: '离校类型', text: row => closeName(row.close_kind) },
  { label: '去向', text: row => row.to_where ?? '' },
  { label: '离校日期', text: row => row.left_on },
  { label: '未结事项', text: row => row.items.map(item => item.title).join('、') },
  { label: '数据保留至', text: row => row.kept_until ?? '长期' },
]

/** Who left, as the filtered list shows them. */
export const quitExport = listExport<Query>({
  name: 'people.quit',
  is_about_people: true,
  async open({ read, app, school_id, me, now }, query) {
    const inside = <R>(fn: (desk: QuitDesk) => Promise<R>) => read<PeopleDb, R>(db => fn({ app, db, school_id, me, now }))
    const today = schoolDay(now)
    const page = (filter: QuitFilter, page_index: number) => inside(async desk => {
      const { rows, total } = await pageGone(desk.db, filter, { page_index, page_size: rows_per_page })
      return { total, lines: (await quitRows(desk, rows)).map(row => columns.map(column => column.text(row))) }
    })
    const { filter, school_name } = await inside(async desk => ({
      filter: quitFilter(app, { school_id, today, student: await visibleDepts(desk, 'student', today), staff: await visibleDepts(desk, 'staff', today) }, query),
      school_name: (await desk.db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()).school_name,
    }))
    const { total } = await page(filter, 1)
    return {
      title: '离校人员档案', unit: '人', school_name, total, columns, conditions: conditionsOf(query),
      noted: { target_kind: 'people.quit', target_name: `离校人员 ${total}人` },
      async* pages() {
        for (let at = 1; (at - 1) * rows_per_page < total; at += 1) yield (await page(filter, at)).lines
      },
    }
  },
})

function conditionsOf({ kind, year, group, from, to, keyword }: Query): string[] {
  return [
    ...(kind === undefined ? [] : [kind === 'student' ? '学生' : '教职工']), ...(group === undefined ? [] : [quit_group_names[group]]), ...(year === undefined ? [] : [`${year}年`]),
    ...(from === undefined && to === undefined ? [] : [`离校日期 ${from ?? ''} 至 ${to ?? ''}`]), ...(keyword ? ['按关键字查找'] : []),
  ]
}

/** Exports who left. @throws Refusal 422 as every export of people */
export function exportQuit(pre: Pre, { reason, ...query }: Input<typeof quitApi.export>) {
  return exportList(pre, quitExport, query, reason)
}
