import { platform_codes, scope_names } from '@campus/identity/contract'
import { headedSheet } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { FileReply, Pre } from '@kit/server/http'
import { callerOf } from './account.target.ts'
import type { IdentityCtx, IdentityDb } from './db.ts'
import { namedCodes } from './permission-matrix.ts'
import { listRoles } from './role.read.ts'
import { schoolNameOf } from './school-name.ts'

type Role = Awaited<ReturnType<typeof listRoles>>['list'][number]
/** One line: a fact of every role, or a code and who has it. */
type Line = { module: string; noun: string; verb: string; code: string; cell: (role: Role) => string }
type Read = { roles: Role[]; codes: ReadonlyMap<string, ReadonlySet<string>>; school_name: string }

/** Roles × codes as a sheet, for whoever assesses the school: what each role is, over which rows it works and what it may do. */
export async function exportMatrix(pre: Pre): Promise<FileReply> {
  const me = callerOf(pre)
  const { school_id } = me
  const { roles, codes, school_name } = await pre.own<IdentityDb, Read>(school_id, async db => {
    const ctx: IdentityCtx = { ...pre, db, me, school_id, scoped: () => undefined }
    const { list } = await listRoles(ctx, {})
    const rows = await db.selectFrom('role_permission').select(['role_id', 'code']).where('school_id', '=', school_id).execute()
    const by_role = Map.groupBy(rows, row => row.role_id)
    return { roles: list, codes: new Map([...by_role].map(([role_id, all]) => [role_id, new Set(all.map(row => row.code))])), school_name: await schoolNameOf(db, school_id) }
  })
  const offered = namedCodes([...pre.app.codes].filter(code => !platform_codes.has(code)))
  const lines = [...factLines(), ...offered.map(({ module_name, noun_name, verb_name, code }): Line => {
    return { module: module_name, noun: noun_name, verb: verb_name, code, cell: role => (codes.get(role.role_id)?.has(code) ? '✔' : '') }
  })]
  pre.note({ target_kind: 'identity.role', target_name: `角色权限矩阵 ${roles.length}个角色` })
  return headedSheet({ title: '角色权限矩阵', school_name, me, now: pre.now, conditions: [`${roles.length}个角色`, `${offered.length}项权限`, '不含移动端角色'], unit: '行', columns: columnsOf(roles), rows: lines })
}

function columnsOf(roles: readonly Role[]): SheetColumn<Line>[] {
  return [
    { label: '模块', text: line => line.module },
    { label: '功能', text: line => line.noun },
    { label: '操作', text: line => line.verb },
    { label: '权限标识', text: line => line.code },
    ...roles.map((role): SheetColumn<Line> => ({ label: role.name, text: line => line.cell(role) })),
  ]
}

function factLines(): Line[] {
  const fact = (noun: string, cell: (role: Role) => string): Line => ({ module: '角色', noun, verb: '', code: '', cell })
  return [
    fact('角色代码', role => role.code),
    fact('角色组', role => role.group_name),
    fact('状态', role => (role.enabled ? '启用' : '停用')),
    fact('网页登录', role => (role.allow_login_web === 1 ? '不允许' : '允许')),
    fact('成员数', role => String(role.member_count)),
    fact('数据范围：部门', role => scopeText('dept', role)),
    fact('数据范围：场所', role => scopeText('place', role)),
  ]
}

function scopeText(dimension: 'dept' | 'place', { scopes }: Role): string {
  const { kind, names } = scopes[dimension]
  const word = Object.entries(scope_names[dimension]).find(([known]) => known === kind)?.[1] ?? kind
  return names.length > 0 ? `${word}：${names.join('、')}` : word
}
