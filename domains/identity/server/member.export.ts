import type { memberApi, MemberRow } from '@campus/identity/contract'
import type { Input } from '@kit/contract'
import { direct_rows, headedSheet, minuteText, requireExportable } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { FileReply, Pre } from '@kit/server/http'
import type { z } from 'zod'
import { callerOf } from './account.target.ts'
import type { IdentityDb } from './db.ts'
import { directory } from './directory.ts'
import { listPeople } from './member.read.ts'
import { requireRole } from './role.access.ts'
import { schoolNameOf } from './school-name.ts'

type Row = z.output<typeof MemberRow>
type Asked = Input<typeof memberApi.export>

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

/**
 * The members of a role as they are filtered, in the order of their list, as a sheet (chapter 10 J3).
 * @throws Refusal 404 for a role or department the school does not have, 422 for too many rows, or above 1,000 without a reason
 */
export async function exportMembers(pre: Pre, { reason, ...query }: Asked): Promise<FileReply> {
  const me = callerOf(pre)
  const { school_id } = me
  const read = await pre.own<IdentityDb, { list: Row[]; total: number; role_name: string; dept_name: string | undefined; school_name: string }>(school_id, async db => {
    const { name } = await requireRole(db, school_id, query.role_id)
    const ctx = { ...pre, db, me, school_id, scoped: () => undefined }
    const found = await listPeople(ctx, { ...query, page_index: 1, page_size: direct_rows })
    const depts = query.dept_id === undefined ? null : await directory.one(pre.app).labels(db, school_id, [query.dept_id])
    return { ...found, role_name: name, dept_name: depts?.get(query.dept_id ?? ''), school_name: await schoolNameOf(db, school_id) }
  })
  pre.note({ target_kind: 'identity.role', target_id: query.role_id, target_name: `${read.role_name} ${read.total}人`, ...(reason ? { reason } : {}) })
  requireExportable(read.total, reason, true)
  const conditions = [
    `角色 ${read.role_name}`,
    `状态 ${state_words[query.state ?? 'current']}`,
    ...(read.dept_name === undefined ? [] : [`部门 ${read.dept_name}`]),
    ...(query.online === undefined ? [] : [query.online ? '在线' : '不在线']),
    ...(query.keyword ? [`查找 ${query.keyword}`] : []),
  ]
  return headedSheet({ title: '角色成员', school_name: read.school_name, me, now: pre.now, conditions, reason, unit: '人', columns, rows: read.list })
}
