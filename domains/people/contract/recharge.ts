import { api, get, Instant, post, put } from '@kit/contract'
import { z } from 'zod'
import { pay_channels } from './pay-channel.ts'

/** Amounts offered by a tap, of one person kind (chapter 20 §1.5). */
export const most_quick = 6
/** 100,000 yuan: more than any school lets into a wallet. */
const most_fen = 10_000_000
const whole_fen = '金额必须大于0，最多两位小数'
const too_much = '金额不能超过10万元'

const Fen = z.int({ error: whole_fen }).min(1, { error: whole_fen }).max(most_fen, { error: too_much })
/** PERSON_KIND: 1 pupil, 2 staff, 3 parent; in an enterprise 6 employee, 7 hired from outside. */
const PersonKind = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(6), z.literal(7)])

/** What a person kind may put into a wallet; all amounts in fen. */
export const RechargeRules = z.strictObject({
  is_open: z.boolean(),
  channels: z.array(z.enum(pay_channels)).max(pay_channels.length),
  min_fen: Fen,
  max_fen: Fen,
  quick_fen: z.array(Fen).max(most_quick, { error: `快捷金额最多${most_quick}个` }),
  day_limit_fen: Fen,
  balance_cap_fen: Fen,
  refund_to_source: z.boolean(),
})
export type RechargeRules = z.output<typeof RechargeRules>

/** One version: `pending` waits for another person, `active` holds for orders made since it was approved. */
export const RechargeVersion = RechargeRules.extend({
  version: z.number().int(),
  state: z.enum(['pending', 'active']),
  created_at: Instant,
  created_by_name: z.string(),
  approved_at: Instant.nullable(),
  approved_by_name: z.string().nullable(),
  /** submitted by the reader, who therefore cannot approve it */
  is_own: z.boolean(),
})
export type RechargeVersion = z.output<typeof RechargeVersion>

/** What holds for a person kind and what waits beside it; `latest` is the highest version, 0 before there is one. */
export const RechargeCard = z.object({ person_kind: PersonKind, latest: z.number().int(), active: RechargeVersion.nullable(), pending: RechargeVersion.nullable() })
export type RechargeCard = z.output<typeof RechargeCard>

/** What is wrong between amounts that are fine by themselves, beside its field; in the order of the form. */
export function rechargeFaults(rules: RechargeRules): { field: keyof RechargeRules; msg: string }[] {
  const { is_open, channels, min_fen, max_fen, quick_fen, day_limit_fen, balance_cap_fen } = rules
  const faults: { field: keyof RechargeRules; msg: string }[] = []
  if (is_open && channels.length === 0) faults.push({ field: 'channels', msg: '开放充值时请至少选择一个渠道' })
  if (min_fen > max_fen) faults.push({ field: 'max_fen', msg: '单笔最高不能小于单笔最低' })
  else if (quick_fen.some(fen => fen < min_fen || fen > max_fen)) faults.push({ field: 'quick_fen', msg: '快捷金额必须在单笔最低和最高之间' })
  if (new Set(quick_fen).size < quick_fen.length) faults.push({ field: 'quick_fen', msg: '快捷金额不能重复' })
  if (day_limit_fen < max_fen) faults.push({ field: 'day_limit_fen', msg: '每日限额不能小于单笔最高' })
  if (balance_cap_fen < max_fen) faults.push({ field: 'balance_cap_fen', msg: '余额上限不能小于单笔最高' })
  return faults
}

const edit = { need: 'people.recharge.edit' } as const
const Cards = z.object({ list: z.array(RechargeCard) })

/** Recharge configuration (chapter 20 §4 Money lists): one person submits a version, another one approves it. */
export const rechargeApi = api('pay', 'people.recharge', {
  config: get('recharge/config', { reply: Cards, ...edit }),
  /** `latest`: the highest version that was seen */
  save: put('recharge/config', { body: RechargeRules.extend({ person_kind: PersonKind, latest: z.number().int().min(0) }), reply: Cards, ...edit }),
  approve: post('recharge/config/:version_no/approve', {
    params: z.object({ version_no: z.coerce.number().int().min(1).max(2_147_483_647) }),
    body: z.strictObject({ person_kind: PersonKind, pass: z.boolean().default(true) }),
    reply: Cards,
    need: 'people.recharge.approve',
    op: 8,
  }),
})
