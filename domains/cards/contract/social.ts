import { DeptId, UserId } from '@campus/people/contract'
import { api, Day, Done, filter, get, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'
import { CardId, CardText, HoldingId, OpId, PersonKind } from './card.ts'
import { CARD_STATE } from './dictionary.ts'

export const SocialRow = z.object({
  card_id: CardId,
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  dept_name: z.string().nullable(),
  /** only the last four signs are open */
  social_no: z.string(),
  card_no: z.string(),
  state: z.enum(CARD_STATE.codes),
  issued_at: Instant,
  bank_valid_to: Day.nullable(),
})
export type SocialRow = z.output<typeof SocialRow>

const IdNo = z.string({ error: '请填写身份证号' }).trim().min(1, { error: '请填写身份证号' }).max(18, { error: '身份证号格式不正确' })
const SocialNo = z.string({ error: '请填写社会保障号码' }).trim().min(6, { error: '社会保障号码格式不正确' }).max(30, { error: '社会保障号码格式不正确' })
const Read = { id_no: IdNo, social_no: SocialNo, card_no: CardText, bank_valid_to: Day.nullable().optional() }
const Matched = z.object({ user_id: UserId, user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable() })
/** In which lane a card that was laid down ends (chapter 40 §5). */
export const social_lanes = ['done', 'already', 'unmatched', 'mismatch'] as const

const view = { need: 'cards.social.view', within: 'dept' } as const
const edit = { need: 'cards.social.edit', within: 'dept' } as const
const one = { body: z.strictObject({ card_id: CardId }), reply: z.object({ op_id: OpId }) }

/** Social security cards, matched by identity number (chapter 40 rule 18). */
export const socialApi = api('web', 'cards.social', {
  list: post('social_card/list', {
    body: PageQuery.extend({ keyword: filter(z.string().trim().max(50)), state: filter(z.enum(CARD_STATE.codes)), dept_id: filter(DeptId), kind: filter(PersonKind) }),
    reply: page(SocialRow),
    reads: true,
    unlogged: '列表查询',
    ...view,
  }),
  checkAuto: post('social_card/checkAuto', { body: z.strictObject(Read), reply: z.object({ lane: z.enum(social_lanes), user: Matched.nullable(), reason: z.string().nullable() }), reads: true, unlogged: '放卡查询', ...edit }),
  issue: post('social_card/issue', { body: z.strictObject({ user_id: UserId, ...Read }), reply: z.object({ op_id: OpId, holding_id: HoldingId }), ...edit }),
  autoIssue: post('social_card/autoIssue', { body: z.strictObject(Read), reply: z.object({ lane: z.enum(social_lanes), user: Matched.nullable(), reason: z.string().nullable(), op_id: OpId.nullable() }), ...edit }),
  loss: post('social_card/loss', { ...one, op: 4, ...edit }),
  cancelLoss: post('social_card/cancelLoss', { ...one, op: 4, ...edit }),
  revoke: post('social_card/revoke', { ...one, op: 5, ...edit }),
  exchange: post('social_card/exchange', { body: z.strictObject({ card_id: CardId, ...Read }), reply: z.object({ op_id: OpId, holding_id: HoldingId }), op: 4, ...edit }),
})

export const CardSetting = z.object({
  card_format_id: z.string().nullable(),
  slave_max: z.number({ error: '请填写数量' }).int().min(0, { error: '副卡数量为0到4' }).max(4, { error: '副卡数量为0到4' }),
  low_stock: z.number({ error: '请填写数量' }).int().min(0, { error: '不能小于0' }).max(100_000, { error: '不能大于100000' }),
  self_loss: z.boolean(),
  block_limit_s: z.number({ error: '请填写秒数' }).int().min(1, { error: '为1到600秒' }).max(600, { error: '为1到600秒' }),
  deposit: z.number({ error: '请填写金额' }).int().min(0).max(99_900, { error: '不能超过999元' }),
  reissue_fee: z.number({ error: '请填写金额' }).int().min(0).max(99_900, { error: '不能超过999元' }),
  row_version: z.number().int(),
})
export type CardSetting = z.output<typeof CardSetting>

/** What the school sets of its cards. */
export const cardSettingApi = api('web', 'cards.setting', {
  read: get('card/setting', { reply: CardSetting, need: 'cards.card.view' }),
  write: post('card/setting', { body: z.strictObject(CardSetting.shape), reply: Done, op: 4, need: 'cards.setting.edit' }),
})
