import type { memberApi, MemberRow } from '@campus/identity/contract'
import type { Input } from '@kit/contract'
import { exportList, job_rows, listExport, minuteText, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import type { z } from 'zod'
import type { IdentityDb } from './db.ts'
import { directory } from './directory.ts'
import { completed, findPeople } from './member.read.ts'
import type { Found, ReadCtx } from './member.read.ts'
import { schoolNameOf } from './school-name.ts'

type Row = z.output<typeof MemberRow>
type Asked = Input<typeof memberApi.export>
type Query = Omit<Asked, 'reason'>

const sources = { manual: '手工', import: '导入', rule: '规则', sync: '同步' } as const
const account_words = { normal: '正常', none: '未发账号', disabled: '已停用', locked: '已锁定', left: '已离校' } as const
const state_words = { current: '当前', future: '未来', ended: '已结束' } as const

const columns: readonly SheetColumn<Row>[] = [
  { label: '姓名', text: row => row.user_name },
  { label: '编号', text: row => row.user_no },
  { label: '部门', text: row => row.dept_name ?? '' },
  { label: '任职部门', text: ({ member }) => member?.user_dep_name ?? '本人所在部门' },
  { label: '开始日期', text: ({ member }) => member?.valid_from ?? '' },
  { label: '结束日期', text: ({ member }) => member?.valid_to ?? '长期' },
  { label: '来源', text: ({ member }) => (member ? sources[member.source] : '') },
  { label: '账号状态', text: row => account_words[row.account_state] },
  { label: '最近登录', text: ({ member }) => (member?.last_login_at ? minuteText(new Date(member.last_login_at)) : '') },
  { label: '说明', text: ({ member }) => member?.reason ?? '' },
]

type Opened = { role_name: string; found: Found[]; dept_name: string | undefined; school_name: string }

/** The members of a role as they are filtered, in the order of their list. */
export const memberExport = listExport<Query>({
  name: 'identity.member',
  is_about_people: true,
  async open(desk, query) {
    const { app, school_id, read } = desk
    const inside = <R>(fn: (ctx: ReadCtx) => Promise<R>) => read<IdentityDb, R>(db => fn({ ...desk, db, scoped: () => undefined }))
    const { role_name, found, dept_name, school_name } = await inside<Opened>(async ctx => {
      const asked = await findPeople(ctx, { ...query, page_index: 1, page_size: job_rows + 1 })
      const depts = query.dept_id === undefined ? null : await directory.one(app).labels(ctx.db, school_id, [query.dept_id])
      return { role_name: asked.role?.name ?? '', found: asked.found, dept_name: depts?.get(query.dept_id ?? ''), school_name: await schoolNameOf(ctx.db, school_id) }
    })
    return {
      title: '角色成员', unit: '人', school_name, total: found.length, conditions: conditionsOf(query, role_name, dept_name), columns,
      noted: { target_kind: 'identity.role', target_id: query.role_id, target_name: `${role_name} ${found.length}人` },
      async* pages() {
        for (let at = 0; at < found.length; at += rows_per_page) {
          const rows = await inside(ctx => completed(ctx, found.slice(at, at + rows_per_page), role_name))
          yield rows.map(row => columns.map(column => column.text(row)))
        }
      },
    }
  },
})

/**
 * Begins the export of the members of a role (chapter 10 J3).
 * @throws Refusal 404 for a role or department the school does not have, 422 for too many rows, or above 1,000 without a reason
 */
export function exportMembers(pre: Pre, { reason, ...query }: Asked) {
  return exportList(pre, memberExport, query, reason)
}

function conditionsOf(query: Query, role_name: string, dept_name: string | undefined): string[] {
  return [
    `角色 ${role_name}`,
    `状态 ${state_words[query.state ?? 'current']}`,
    ...(dept_name === undefined ? [] : [`部门 ${dept_name}`]),
    ...(query.online === undefined ? [] : [query.online ? '在线' : '不在线']),
    ...(query.keyword ? [`查找 ${query.keyword}`] : []),
  ]
}
