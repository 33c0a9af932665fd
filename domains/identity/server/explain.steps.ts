import { scope_names } from '@campus/identity/contract'
import type { AccountState, explain_steps, ExplainStep } from '@campus/identity/contract'
import { menuGroups } from '@campus/school/contract'
import { isClosed } from '@campus/school/server'
import type { NavState } from '@campus/school/server'
import type { RouteFact } from '@kit/contract'
import type { z } from 'zod'
import type { ListedRole } from './role-list.service.ts'
import type { ScopeKind } from './role.queries.ts'
import { lastDay, schoolDay } from './school-day.ts'
import type { Identity } from './session.queries.ts'
import { schoolStands } from './standing.ts'

type Step = z.output<typeof ExplainStep>
type Name = (typeof explain_steps)[number]
type Span = { valid_from: Date; valid_to: Date | null }

/** What is asked for: a page of the console, or a permission. */
export type Target = { kind: 'page'; fact: RouteFact; name: string } | { kind: 'code'; code: string; name: string }

/** What the guard found about one identity; `identity` undefined = it is not in force. */
export type Case = {
  person: { user_name: string; left_at: Date | null; account_state: AccountState; state: number; school_type: number }
  member: (Span & { role_id: string; role_name: string; enabled: boolean }) | undefined
  identity: Identity | undefined
  listed: (ListedRole & { is_usable: boolean }) | undefined
  target: Target
  codes: ReadonlySet<string>
  opens: (fact: RouteFact) => boolean
  /** what the school says of its menu today */
  nav: NavState
  has_row: boolean
  row: { user_name: string; covered: boolean; kind: ScopeKind } | null
  now: Date
}
type Verdict = { ok: boolean; text: string; fix?: { text: string; path: string | null } }
/** One step, asked only when those before it have passed. */
export type Question = { step: Name; title: string; ask: () => Verdict }

const members_page = '/RoleMemberSet'
const groups_page = '/RoleGroupSet'
const nav_page = '/SchoolRecord?tab=nav'

/** The guard's questions in its order. */
export function steps(made: Case): Question[] {
  const all: Question[] = [
    { step: 'account', title: '账号', ask: () => askAccount(made) },
    { step: 'school', title: '学校', ask: () => askSchool(made) },
    { step: 'identity', title: '身份', ask: () => askIdentity(made) },
    { step: 'role', title: '角色', ask: () => askRole(made) },
    { step: 'web', title: '网页登录', ask: () => askWeb(made) },
    { step: 'module', title: '功能开通', ask: () => askModule(made) },
    ...(made.target.kind === 'page' ? [{ step: 'shown' as const, title: '菜单显示', ask: () => askShown(made) }] : []),
    { step: 'code', title: '权限', ask: () => askCode(made) },
  ]
  return made.has_row ? [...all, { step: 'row', title: '数据范围', ask: () => askRow(made) }] : all
}

/** Asks one after the other; what follows the first ✘ is not reached. */
export function chain(questions: readonly Question[]): Step[] {
  let is_open = true
  return questions.map(({ step, title, ask }): Step => {
    if (!is_open) return { step, title, ok: null, text: '前一步未通过，未检查', fix: null }
    const { ok, text, fix } = ask()
    is_open = ok
    return { step, title, ok, text, fix: ok ? null : (fix ?? null) }
  })
}

function askAccount({ person }: Case): Verdict {
  const { user_name, account_state } = person
  if (account_state === 'normal') return { ok: true, text: `${user_name}的账号正常` }
  if (account_state === 'none') return { ok: false, text: `${user_name}还未发放账号`, fix: { text: '发放账号', path: members_page } }
  if (account_state === 'locked') return { ok: false, text: `${user_name}的账号已锁定`, fix: { text: '解除锁定', path: members_page } }
  if (person.left_at) return { ok: false, text: `${person.user_name}已于${schoolDay(person.left_at)}离校`, fix: { text: '在人员档案中办理返校', path: null } }
  return { ok: false, text: `${person.user_name}的账号已停用`, fix: { text: '启用账号', path: members_page } }
}

function askSchool({ person }: Case): Verdict {
  return schoolStands(person) ? { ok: true, text: '学校正常使用中' } : { ok: false, text: '学校未启用或已暂停', fix: { text: '联系平台管理员恢复学校', path: null } }
}

/** An identity is in force, begins later, or is over. */
export function stateOf({ valid_from, valid_to }: Span, now: Date): 'current' | 'future' | 'ended' {
  if (valid_from > now) return 'future'
  return valid_to !== null && valid_to <= now ? 'ended' : 'current'
}

function askIdentity({ person, member, identity, now }: Case): Verdict {
  const give = (text: string) => ({ text, path: members_page })
  if (!member) return { ok: false, text: `${person.user_name}没有任何角色`, fix: give('把该人员加入角色') }
  const name = `身份「${member.role_name}」`
  if (identity) return { ok: true, text: `${name}自${schoolDay(member.valid_from)}起有效${member.valid_to ? `，至${lastDay(member.valid_to)}` : ''}` }
  if (stateOf(member, now) === 'future') return { ok: false, text: `${name}自${schoolDay(member.valid_from)}起才生效`, fix: give('提前开始日期') }
  return { ok: false, text: `${name}已于${lastDay(member.valid_to)}结束`, fix: give('重新加入该角色') }
}

function askRole({ identity }: Case): Verdict {
  if (identity?.enabled) return { ok: true, text: `角色「${identity.name}」已启用` }
  return { ok: false, text: `角色「${identity?.name ?? ''}」已停用`, fix: { text: '启用角色', path: groups_page } }
}

function askWeb({ listed, identity }: Case): Verdict {
  const name = `角色「${identity?.name ?? ''}」`
  if (!listed?.is_usable) return { ok: false, text: `${name}只用于手机端，不能登录后台`, fix: { text: '把该人员加入可登录后台的角色', path: members_page } }
  if (listed.allow_login_web) return { ok: false, text: `${name}不允许网页登录`, fix: { text: '打开角色的网页登录', path: groups_page } }
  return { ok: true, text: `${name}允许网页登录` }
}

function askModule({ target, person, nav }: Case): Verdict {
  if (target.kind === 'code') return { ok: true, text: '功能已开通' }
  const fits = target.fact.school_types.some(type => type === person.school_type)
  if (!fits) return { ok: false, text: `${person.school_type === 2 ? '企业' : '学校'}没有页面「${target.name}」` }
  if (isClosed(target.fact, nav)) return { ok: false, text: `页面「${target.name}」所在的功能模块未开通或已到期`, fix: { text: '开通功能模块', path: nav_page } }
  return { ok: true, text: `页面「${target.name}」已开通` }
}

/** Hidden pages are not drawn in the menu, though other pages may lead there. */
function askShown({ target, nav }: Case): Verdict {
  if (target.kind === 'code') return { ok: true, text: '不涉及菜单' }
  const group = menuGroups.find(({ code }) => code === target.fact.group)
  const hides = [target.fact.id, group?.id].some(id => id !== undefined && nav.nodes.get(id)?.hidden === true)
  if (hides) return { ok: false, text: `学校在菜单中隐藏了页面「${target.name}」`, fix: { text: '恢复显示', path: nav_page } }
  return { ok: true, text: target.fact.hidden === true ? `「${target.name}」由其他页面打开，不在菜单中` : `「${target.name}」在菜单中显示` }
}

function askCode({ target, codes, opens, member }: Case): Verdict {
  const grant = { text: '在角色权限配置中授予', path: `/RoleOpeate?role_id=${member?.role_id ?? ''}` }
  if (target.kind === 'code') {
    return codes.has(target.code) ? { ok: true, text: `已授予「${target.name}」` } : { ok: false, text: `没有授予「${target.name}」`, fix: grant }
  }
  if (opens(target.fact)) return { ok: true, text: `可以打开「${target.name}」` }
  return { ok: false, text: target.fact.need === undefined ? '该角色没有任何可用页面' : `没有授予页面「${target.name}」的查看权限`, fix: grant }
}

function askRow({ row, member }: Case): Verdict {
  const names: Partial<Record<ScopeKind, string>> = scope_names.dept
  const scope = names[row?.kind ?? 'none'] ?? ''
  if (row?.covered) return { ok: true, text: `${row.user_name}在数据范围内（${scope}）` }
  return { ok: false, text: `${row?.user_name ?? ''}不在数据范围内（${scope}）`, fix: { text: '调整角色的数据范围', path: `/RoleOpeate?role_id=${member?.role_id ?? ''}` } }
}
