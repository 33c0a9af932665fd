import type { DeleteDetailRow, userDeleteApi } from '@campus/people/contract'
import type { Input } from '@kit/contract'
import { exportList, listExport, minuteText, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import type { PeopleDb } from '../db.ts'
import { detailOrder, detailRows, requireBatch } from './detail.read.ts'
import type { DetailDesk, DetailFilter } from './detail.read.ts'

const kinds: Readonly<Record<number, string>> = { 1: '学生', 2: '教职工', 3: '家长', 6: '员工', 7: '外聘人员' }
const states = { checking: '待确认', blocked: '有未结事项', holding: '保留期', deleting: '删除中', waiting_proof: '等待确认', deleted: '已删除', error: '异常', cancelled: '已取消' } as const

const columns: readonly SheetColumn<DeleteDetailRow>[] = [
  { label: '批次号', text: row => row.batch_no },
  { label: '类别', text: row => kinds[row.person_kind] ?? '' },
  { label: '编号', text: row => row.user_no },
  { label: '姓名', text: row => row.user_name },
  { label: '部门', text: row => row.dept_name ?? '' },
  { label: '状态', text: row => states[row.state] },
  { label: '未结事项', text: row => row.blocks.map(item => `${item.title}：${item.action}`).join('；') },
  { label: '等待确认的存储', text: row => row.stores.filter(store => store.state === 'waiting').map(store => `${store.title}${store.is_late ? '（超时）' : ''}`).join('；') },
  { label: '异常', text: row => row.error ?? '' },
  { label: '删除时间', text: row => (row.purged_at === null ? '' : minuteText(new Date(row.purged_at))) },
]

type Opened = { ids: string[]; school_name: string }

/** The people of a batch, all of them or those who need somebody. */
export const detailExport = listExport<DetailFilter>({
  name: 'people.user_delete',
  is_about_people: true,
  async open({ read, school_id, now }, filter) {
    const inside = <R>(fn: (desk: DetailDesk) => Promise<R>) => read<PeopleDb, R>(db => fn({ db, school_id, now }))
    const { ids, school_name } = await inside<Opened>(async desk => {
      await requireBatch(desk, filter.batch_no)
      const school = await desk.db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
      return { ids: await detailOrder(desk, filter), school_name: school.school_name }
    })
    return {
      title: filter.has_error ? '人员删除异常' : '人员删除明细', unit: '人', school_name, total: ids.length, conditions: [`批次 ${filter.batch_no}`], columns,
      noted: { target_kind: 'people.user_delete', target_id: filter.batch_no, target_name: `${filter.batch_no} ${ids.length}人` },
      async* pages() {
        for (let at = 0; at < ids.length; at += rows_per_page) {
          const rows = await inside(desk => detailRows(desk, filter.batch_no, ids.slice(at, at + rows_per_page)))
          yield rows.map(row => columns.map(column => column.text(row)))
        }
      },
    }
  },
})

/** Exports the people of a batch. @throws Refusal 404, 422 as every export of people */
export function exportDetails(pre: Pre, { reason, batch_no }: Input<typeof userDeleteApi.exportAll>, has_error: boolean) {
  return exportList(pre, detailExport, { batch_no, has_error }, reason)
}
