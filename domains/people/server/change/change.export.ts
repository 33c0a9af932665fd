import { CHANGE_KIND, change_state_names } from '@campus/people/contract'
import type { changeApi, ChangeRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { exportList, listExport, minuteText, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import type { Db, PeopleDb } from '../db.ts'
import { countCommands, pageCommands, wasSubject } from './change.queries.ts'
import { changeRows, commandFilter, readerOf } from './receipt.ts'

type Query = Omit<Input<typeof changeApi.export>, 'reason'>

const columns: readonly SheetColumn<ChangeRow>[] = [
  { label: '类型', text: row => CHANGE_KIND.names[row.kind] },
  { label: '状态', text: row => change_state_names[row.state] },
  { label: '生效日期', text: row => row.effective_on },
  { label: '人数', numeric: true, text: row => String(row.subject_count) },
  { label: '人员', text: row => `${row.subject_names.join('、')}${row.subject_count > row.subject_names.length ? '等' : ''}` },
  { label: '原因', text: row => row.reason },
  { label: '完成', numeric: true, text: row => String(row.counts.done) },
  { label: '等待', numeric: true, text: row => String(row.counts.waiting) },
  { label: '失败', numeric: true, text: row => String(row.counts.failed) },
  { label: '办理人', text: row => row.created_by ?? '' },
  { label: '办理时间', text: row => minuteText(new Date(row.created_at)) },
]

/** The change record as the filtered list shows it. */
export const changeExport = listExport<Query>({
  name: 'people.change',
  is_about_people: true,
  async open({ read, app, school_id, me, now }, query) {
    const inside = <R>(fn: (db: Db) => Promise<R>) => read<PeopleDb, R>(fn)
    const { filter, school_name, total } = await inside(async db => {
      if (query.user_id !== undefined && !(await wasSubject(db, school_id, query.user_id))) throw fail(commonErrors.notFound)
      const seen = commandFilter(app, await readerOf({ db, school_id, me, now }), query)
      const { school_name: name } = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
      return { filter: seen, school_name: name, total: await countCommands(db, seen) }
    })
    return {
      title: '变更记录', unit: '条', school_name, total, columns, conditions: conditionsOf(query),
      noted: { target_kind: 'people.change', target_name: `变更记录 ${total}条` },
      async* pages() {
        for (let at = 1; (at - 1) * rows_per_page < total; at += 1) {
          yield await inside(async db => (await changeRows({ db, school_id }, filter, await pageCommands(db, filter, { page_index: at, page_size: rows_per_page }))).map(row => columns.map(column => column.text(row))))
        }
      },
    }
  },
})

function conditionsOf({ kind, state, from, to, user_id, keyword }: Query): string[] {
  return [
    ...(kind === undefined ? [] : [`类型 ${CHANGE_KIND.names[kind]}`]), ...(state === undefined ? [] : [`状态 ${change_state_names[state]}`]),
    ...(from === undefined && to === undefined ? [] : [`生效日期 ${from ?? ''} 至 ${to ?? ''}`]), ...(user_id === undefined ? [] : ['所选人员']), ...(keyword ? ['按关键字查找'] : []),
  ]
}

/** Exports the change record. @throws Refusal 404 for a person whom the school does not and never did know, 422 as every export of people */
export function exportChanges(pre: Pre, { reason, ...query }: Input<typeof changeApi.export>) {
  return exportList(pre, changeExport, query, reason)
}
