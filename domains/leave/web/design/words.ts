import { conditionText, day_minutes, lengthText, resolver_names, step_modes } from '@campus/leave/contract'
import type { FlowStep, FormDesign, LeaveForm } from '@campus/leave/contract'
import type { FlowCard } from '@campus/approval/web'

const resolvers: Readonly<Record<string, string>> = resolver_names
const modes: Readonly<Record<string, string>> = step_modes
const [named, by_role] = [8, 9] as const

/** A step as the lane shows it. */
export function cardOf(step: FlowStep, at: number, person_kind: number, names: LeaveForm['names']): FlowCard {
  const chosen = step.resolver_ids.map(id => names.find(one => one.id === id)?.name ?? '已选人员').join('、')
  const asks = step.resolver === named || step.resolver === by_role
  return {
    key: String(at), title: resolvers[String(step.resolver)] ?? '', condition: conditionText(step.when, person_kind), people: asks ? chosen : '按组织关系确定', mode: modes[String(step.mode)] ?? '',
    late: `${lengthText(step.escalate_min)}未处理升级`, ...(asks && chosen === '' ? { fault: '请选择审批人' } : {}),
  }
}

const rule_names: Readonly<Record<string, string>> = {
  leave_types: '假别', unit: '请假单位', min_minutes: '最短时长', max_minutes: '最长时长', advance_min: '提前申请', backdate_days: '补假期限', exit_mode: '离校方式', meal: '停餐', bus: '停乘校车', auto_return: '到期自动销假',
  late_grace_min: '超时宽限', attach_from_days: '须证明天数', quota_code: '额度假别', no_approval: '无需审批', fallback_user_ids: '兜底审批人',
}

/** What is different between two designs, one line each. */
export function changesBetween(before: FormDesign | undefined, after: FormDesign, person_kind: number, names: LeaveForm['names']): string[] {
  if (before === undefined) return ['首次发布']
  const rules = Object.entries(rule_names).filter(([name]) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name))).map(([, label]) => `${label}已修改`)
  const lineOf = (step: FlowStep, at: number) => {
    const card = cardOf(step, at, person_kind, names)
    return `第${at + 1}步 ${card.title}（${card.condition}，${card.mode}${card.people === '按组织关系确定' ? '' : `，${card.people}`}）`
  }
  const [old_lines, new_lines] = [before.steps.map(lineOf), after.steps.map(lineOf)]
  return [...rules, ...new_lines.filter(line => !old_lines.includes(line)).map(line => `新增 ${line}`), ...old_lines.filter(line => !new_lines.includes(line)).map(line => `删除 ${line}`)]
}

/** What a new form begins with. */
export function freshDesign(person_kind: 1 | 2 | 6): FormDesign {
  const first = { mode: 1, resolver: person_kind === 1 ? 2 : 6, resolver_ids: [], when: {}, remind_min: 30, escalate_min: 120 }
  return {
    leave_types: person_kind === 1 ? ['1', '2'] : ['01', '02'], unit: 3, min_minutes: 30, max_minutes: 30 * day_minutes, advance_min: 0, backdate_days: 3, exit_mode: person_kind === 1 ? 1 : 0, meal: true, bus: true,
    auto_return: true, late_grace_min: 60, attach_from_days: null, quota_code: null, no_approval: false, fallback_user_ids: [], steps: [first],
  }
}
