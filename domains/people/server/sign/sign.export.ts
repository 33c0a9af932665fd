import { channel_names } from '@campus/people/contract'
import type { signApi, SignRow } from '@campus/people/contract'
import type { Input } from '@kit/contract'
import { commonErrors, fail } from '@kit/contract'
import { exportList, listExport, minuteText, rows_per_page } from '@kit/server/excel'
import type { ListDesk, SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { pathOn } from '../dept.queries.ts'
import { labelsOn } from '../dept.service.ts'
import { visibleDepts } from '../scope.ts'
import { pageSigns } from './sign.queries.ts'
import type { SignFilter, Who } from './sign.queries.ts'
import { product_names, signRow, state_names } from './sign.words.ts'

type Asked = Omit<Input<typeof signApi.exportStudents>, 'reason'>
type Query = Asked & { who: Who }

const columns: readonly SheetColumn<SignRow>[] = [
  { label: '姓名', text: row => row.user_name },
  { label: '编号', text: row => row.user_no },
  { label: '班级/部门', text: row => row.dept_name },
  { label: '签约人', text: row => row.signer_name ?? '' },
  { label: '渠道', text: row => (row.channel === null ? '' : channel_names[row.channel]) },
  { label: '产品', text: row => (row.product === null ? '' : product_names[row.product]) },
  { label: '协议号', text: row => row.contract_no ?? '' },
  { label: '签约时间', text: row => (row.signed_at === null ? '' : minuteText(new Date(row.signed_at))) },
  { label: '状态', text: row => state_names[row.state] },
  { label: '渠道结果', text: row => row.fail_msg ?? '' },
]

/** The filtered contracts of pupils or staff, numbers masked as in the list. */
export const signExport = listExport<Query>({
  name: 'people.sign',
  is_about_people: true,
  async open({ read, school_id, me, now }, query) {
    const inside = <R>(fn: (db: Db) => Promise<R>) => read<PeopleDb, R>(fn)
    const { filter, school_name, total } = await inside<Opened>(db => openIn(db, { school_id, me, now }, query))
    const title = query.who === 'student' ? '学生家长签约' : '教职工签约'
    const page = async (db: Db, offset: number): Promise<string[][]> => {
      const { rows } = await pageSigns(db, filter, { limit: rows_per_page, offset })
      const labels = await labelsOn({ db, school_id, me }, rows.flatMap(row => row.home ?? []), filter.on)
      return rows.map(row => columns.map(column => column.text(signRow(row, labels))))
    }
    return {
      title, unit: '条', school_name, total, conditions: conditionsOf(query), columns, noted: { target_kind: 'people.sign_contract', target_name: `${title} ${total}条` },
      async* pages() {
        for (let offset = 0; offset < total; offset += rows_per_page) yield await inside<string[][]>(db => page(db, offset))
      },
    }
  },
})

type Opened = { filter: SignFilter; school_name: string; total: number }

async function openIn(db: Db, { school_id, me, now }: Pick<ListDesk, 'school_id' | 'me' | 'now'>, { who, dept_id, ...asked }: Query): Promise<Opened> {
  const on = schoolDay(now)
  const path = dept_id === undefined ? undefined : await pathOn(db, school_id, dept_id, on)
  if (dept_id !== undefined && path === undefined) throw fail(commonErrors.notFound)
  const filter = { ...asked, who, school_id, on, path, scope: await visibleDepts({ db, school_id, me, now }, who, on) }
  const { school_name } = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  return { filter, school_name, total: (await pageSigns(db, filter, { limit: 1, offset: 0 })).total }
}

function conditionsOf({ keyword, channel, product, state, dept_id }: Query): string[] {
  return [
    ...(keyword === undefined ? [] : ['按关键字查找']), ...(dept_id === undefined ? [] : ['所选部门及下级']), ...(channel === undefined ? [] : [`渠道 ${channel_names[channel]}`]),
    ...(product === undefined ? [] : [`产品 ${product_names[product]}`]), ...(state === undefined ? [] : [`状态 ${state_names[state]}`]),
  ]
}

/** Exports contracts. @throws Refusal 404, 422 as every export of people */
export function exportSigns(pre: Pre, who: Who, { reason, ...asked }: Input<typeof signApi.exportStudents>) {
  return exportList(pre, signExport, { ...asked, who }, reason)
}
