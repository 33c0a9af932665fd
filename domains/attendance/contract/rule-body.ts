import { z } from 'zod'

/** Whether a person has to clock for every lesson, and what carries a clock over to the next one (chapter 55 §3.2). */
export const chain_modes = { '1': '每节打卡', '2': '连续同教室打一次', '3': '半天打一次', '4': '换教室才打' } as const
/** Which points count for a lesson in a room. */
export const place_matches = { '1': '本教室', '2': '同楼层', '3': '同一栋楼', '4': '任意考勤点' } as const
/** What a teacher's roll-call is worth beside devices. */
export const rollcall_modes = { wins: '以点名为准', fills: '补充打卡', off: '不使用点名' } as const
/** ATTEND_WAY codes that a rule may accept. */
export const way_codes = [1, 2, 3, 4, 5, 6, 7] as const

const minutes = (
  least: number, most: number, usual: number
) => z.number({ error: '请填写分钟数' }).int({ error: '请填写整数' }).min(least, { error: `不能小于${least}` }).max(most, { error: `不能大于${most}` }).default(usual)
const code = (
  names: Readonly<Record<string, string>>, usual: number
) => z.number().int().refine(value => String(value) in names, { error: '请选择' }).default(usual)

/** What a rule says, in minutes unless said otherwise (chapter 55 §3.2). */
export const RuleBody = z.strictObject({
  before_min: minutes(0, 120, 15),
  late_grace_min: minutes(0, 30, 0),
  late_until_min: minutes(0, 45, 15),
  need_out: z.boolean().default(false),
  out_before_min: minutes(0, 60, 0),
  out_after_min: minutes(0, 60, 10),
  early_grace_min: minutes(0, 30, 0),
  chain_mode: code(chain_modes, 2),
  chain_gap_min: minutes(5, 60, 30),
  place_match: code(place_matches, 1),
  identify_types: z.array(z.number().int().min(1).max(7)).min(1, { error: '请至少选择一种识别方式' }).max(7).default([1, 2, 3, 5, 6]),
  /** seconds */
  repeat_sec: minutes(0, 600, 60),
  /** of a hundred parts of the lesson */
  leave_cover_pct: minutes(1, 100, 50),
  rollcall: z.enum(['wins', 'fills', 'off']).default('wins'),
  notify: z.strictObject({
    absent: z.boolean().default(true), late: z.boolean().default(false), delay_min: minutes(0, 120, 10),
  }).default({ absent: true, late: false, delay_min: 10 }),
  alert_missing_min: minutes(5, 30, 15),
})
export type RuleBody = z.output<typeof RuleBody>

/** The body in one sentence, as lists show it. */
export function bodyText({ before_min, late_until_min, chain_mode, place_match, need_out, rollcall }: RuleBody): string {
  const chain: Readonly<Record<string, string>> = chain_modes
  const place: Readonly<Record<string, string>> = place_matches
  const parts = [
    `课前${before_min}分钟起`, `迟到${late_until_min}分钟内`, chain[chain_mode], place[place_match], ...(need_out ? ['需签退'] : []),
    rollcall_modes[rollcall]
  ]
  return parts.join('，')
}
