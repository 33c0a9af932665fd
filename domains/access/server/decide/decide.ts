import { schoolMoment } from '@kit/terminal-protocol'
import { assignedAt, lists } from './assigned.ts'
import type { Assigned } from './assigned.ts'
import { covers, kinds } from './facts.ts'
import type { Ban, Door, Facts, Subject, Temporary, Way } from './facts.ts'
import { isOpenAt, versionAt } from './minutes.ts'

/** PASS_STATE of what the school decides. */
const pass_states = { passed: 1, no_right: 2, not_now: 3, no_leave: 4, pickup: 10, used_up: 11, banned: 13 } as const

type Rung = { rung: number; name: string; verdict: 'allow' | 'deny' | 'silent'; text: string }
/** Whether somebody may pass, why, and what each rung said; `result`: PASS_STATE. */
export type Decision = { allowed: boolean; result: number; rung: number; reason: string; ladder: Rung[] }
type Verdict = { allowed: boolean; result: number; text: string }

/** R12: an evacuation is above every rung, for whoever goes out. */
const evacuated_text = '疏散全开：所有出口放行'
const evacuation: Rung = { rung: 0, name: '疏散', verdict: 'allow', text: evacuated_text }
const evacuated: Decision = { allowed: true, result: pass_states.passed, rung: 0, reason: evacuated_text, ladder: [evacuation] }

/** The rungs in their order: the first one that speaks decides (chapter 35 R6). */
const names = ['在校状态', '禁行', '个人临时禁止', '个人临时放行', '部门临时规则', '个人通行规则', '部门通行规则', '没有规则'] as const

/**
 * Whether a subject may pass a door in a direction (1 in, 2 out, 3 either) at an instant (epoch ms). Pure: compiled rows, the online check, the explainer,
 * plans and the judging of passes all ask here (chapter 35, idea 1).
 */
export function decide(facts: Facts, subject: Subject, door: Door, direction: 1 | 2 | 3, at: number): Decision {
  if (direction !== 1 && facts.evacuations.some(span => covers(span, at))) return evacuated
  if (direction !== 3) return climb(facts, subject, door, direction, at)
  // R8: a door for both ways opens when either way is allowed.
  const entering = climb(facts, subject, door, 1, at)
  return entering.allowed ? entering : climb(facts, subject, door, 2, at)
}

function climb(facts: Facts, subject: Subject, door: Door, direction: Way, at: number): Decision {
  const own = (facts.temporaries.get(subject.user_id) ?? []).filter(one => concerns(one, door, direction, at))
  const assigned = assignedAt(facts, subject, at)
  const used_up = own.find(one => one.effect === 'allow' && isUsedUp(one))
  const verdicts: readonly (() => Verdict | undefined)[] = [
    () => (subject.live.some(span => covers(span, at)) ? undefined : deny(pass_states.no_right, '当前不在校（已离校、休学或尚未入校）')),
    () => banOf(facts.bans.get(subject.user_id) ?? [], door, direction, at),
    () => temporaryOf(own, 'deny'),
    () => temporaryOf(own, 'allow'),
    () => ofDepts(facts, subject, door, direction, at),
    () => standing(facts, subject, assigned.filter(one => one.rung === 6), { door, direction, at }),
    () => standing(facts, subject, assigned.filter(one => one.rung === 7), { door, direction, at }),
    () => deny(pass_states.no_right, '没有适用的通行规则，默认不放行'),
  ]
  const ladder: Rung[] = []
  for (const [step, ask] of verdicts.entries()) {
    const said = ask()
    const verdict = said && !said.allowed && used_up && step > 3 ? deny(pass_states.used_up, `临时放行次数已用完（${used_up.max_times ?? 0}次）`) : said
    const rung = step + 1
    ladder.push({ rung, name: names[step] ?? '', verdict: verdict === undefined ? 'silent' : verdict.allowed ? 'allow' : 'deny', text: verdict?.text ?? '不适用' })
    if (verdict) return { allowed: verdict.allowed, result: verdict.result, rung, reason: verdict.text, ladder }
  }
  throw new Error('the last rung always speaks')
}

/** Whether a temporary rule counts at a door for a direction at an instant. */
function concerns({ from, to, directions, place_ids }: Temporary, { path }: Door, direction: Way, at: number): boolean {
  return covers({ from, to }, at) && directions.includes(direction) && (place_ids.length === 0 || path.some(place_id => place_ids.includes(place_id)))
}

/** Whether all passes of a one-off right have been made (R14). */
export function isUsedUp({ max_times, used }: Pick<Temporary, 'max_times' | 'used'>): boolean {
  return max_times !== null && used >= max_times
}

function banOf(bans: readonly Ban[], { path }: Door, direction: Way, at: number): Verdict | undefined {
  const ban = bans.find(one => covers(one, at) && one.directions.includes(direction) && (one.place_id === null || path.includes(one.place_id)))
  return ban && deny(pass_states.banned, `禁行：${ban.reason}`)
}

function temporaryOf(own: readonly Temporary[], effect: 'allow' | 'deny'): Verdict | undefined {
  const found = own.find(one => one.effect === effect && (effect === 'deny' || !isUsedUp(one)))
  if (!found) return undefined
  return effect === 'deny' ? deny(pass_states.no_right, `临时禁止：${found.reason}`) : { allowed: true, result: pass_states.passed, text: `临时放行：${found.reason}` }
}

/** The nearest department that has a temporary rule decides; there a denial beats a right. */
function ofDepts(facts: Facts, subject: Subject, door: Door, direction: Way, at: number): Verdict | undefined {
  for (const levels of subject.levels) {
    const found = levels.flatMap(level => facts.temporaries.get(level) ?? []).filter(one => concerns(one, door, direction, at))
    const verdict = temporaryOf(found, 'deny') ?? temporaryOf(found, 'allow')
    if (verdict) return verdict
  }
  return undefined
}

type Asked = { door: Door; direction: Way; at: number }

/** Rungs 6 and 7: the door must be named for the direction, and a period must hold. */
function standing(facts: Facts, subject: Subject, assigned: readonly Assigned[], { door, direction, at }: Asked): Verdict | undefined {
  if (assigned.length === 0) return undefined
  const listed = assigned.filter(({ assignment }) => lists(assignment, door, direction))
  const title = `「${[...new Set(assigned.map(({ assignment }) => facts.rules.get(assignment.rule_id)?.rule_name ?? ''))].join('、')}」`
  if (listed.length === 0) return deny(pass_states.no_right, `规则${title}不含此门的${direction === 1 ? '进' : '出'}方向`)
  const open = listed.find(({ assignment, grade }) => {
    const version = versionAt(facts.rules.get(assignment.rule_id), at)
    return version !== undefined && isOpenAt(version, facts.calendar, { grade, direction }, at)
  })
  const is_pupil = subject.person_kind === kinds.student
  if (!open) {
    const is_leaving = is_pupil && direction === 2 && door.is_perimeter && facts.calendar(subject.grade, schoolMoment(new Date(at)).date).is_teaching
    return is_leaving ? deny(pass_states.no_leave, `不在规则${title}的出校时段，且没有请假`) : deny(pass_states.not_now, `不在规则${title}的时段内`)
  }
  if (isPickedUp(facts, subject, door, direction)) return deny(pass_states.pickup, '需家长核验后放行')
  return { allowed: true, result: pass_states.passed, text: `规则「${facts.rules.get(open.assignment.rule_id)?.rule_name ?? ''}」的时段内` }
}

/** Whether a child leaves by this door only after a guardian's pass (R55). */
export function isPickedUp({ pickup_grades }: Facts, { person_kind, grade }: Subject, { is_perimeter }: Door, direction: Way): boolean {
  return person_kind === kinds.student && direction === 2 && is_perimeter && grade !== null && pickup_grades.has(grade)
}

function deny(result: number, text: string): Verdict {
  return { allowed: false, result, text }
}
