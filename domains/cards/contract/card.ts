import { DeptId, UserId } from '@campus/people/contract'
import { api, carried, choice, Day, day, dictionaryCode, exportOf, flag, get, id, Instant, keyword, list, post, QueryFlag, reference } from '@kit/contract'
import { z } from 'zod'
import { CARD_MEDIA, CARD_STATE, CARD_TYPE } from './dictionary.ts'

/** People in one call of loss, revocation or renewal (chapter 40 §4). */
export const most_at_once = 300
/** Yuan in a deposit or a fee, as fen. */
export const most_deposit = 99_900
/** Minutes in which an act can be taken back (chapter 40 §2.1). */
export const undo_minutes = 5

export const CardId = id('cards.card')
export const HoldingId = id('cards.holding')
export const OpId = id('cards.op')
/** A number as it is typed, read or printed; what it means depends on its shape and on the school's format (chapter 40 rule 2). */
export const CardText = z.string({ error: '请刷卡或填写卡号' }).trim().min(1, { error: '请刷卡或填写卡号' }).max(40, { error: '卡号格式不正确' })
const Fen = z.number({ error: '请填写金额' }).int({ error: '金额最多两位小数' }).min(0, { error: '金额不能小于0' }).max(most_deposit, { error: '金额不能超过999元' })
const Reason = z.string().trim().max(100, { error: '超过100个字' })
const State = z.enum(CARD_STATE.codes)
/** How a number came in: 1 reader, 2 by hand. */
const Via = z.union([z.literal(1), z.literal(2)]).default(2)

/** How far a loss has come: `done` of `total` readers say that the card is gone; `open` names are those that have not. */
export const BlockState = z.object({ op_id: OpId, total: z.number().int(), done: z.number().int(), offline: z.number().int(), slowest_ms: z.number().int().nullable() })
export type BlockState = z.output<typeof BlockState>

export const card_acts = ['issue', 'loss', 'cancel_loss', 'reissue', 'reissue_fast', 'exchange', 'revoke', 'renew', 'freeze', 'unfreeze', 'void'] as const
export type CardAct = (typeof card_acts)[number]

/** A card that somebody has now. */
export const HeldCard = z.object({
  card_id: CardId,
  holding_id: HoldingId,
  slot: z.number().int(),
  state: State,
  card_no: z.string(),
  print_no: z.string().nullable(),
  card_type: z.enum(CARD_TYPE.codes),
  media: z.enum(CARD_MEDIA.codes),
  valid_to: Day.nullable(),
  issued_at: Instant,
  lost_at: Instant.nullable(),
  row_version: z.number().int(),
  block: BlockState.nullable(),
  allowed_ops: z.array(z.enum(card_acts)),
})
export type HeldCard = z.output<typeof HeldCard>

/** One person of the list with the cards he has. */
export const CardPerson = z.object({
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  dept_id: DeptId.nullable(),
  dept_name: z.string().nullable(),
  /** of a parent: 张三（一年级1班）、… */
  child_names: z.string().nullable(),
  cards: z.array(HeldCard),
  deposit: z.number().int(),
})
export type CardPerson = z.output<typeof CardPerson>

export const PersonKind = z.coerce.number().int().min(1).max(3)
const states = Object.fromEntries(Object.entries(CARD_STATE.names))
const cardText = (row: CardPerson, of: (card: HeldCard) => string) => row.cards.map(of).join('、')

/** The list of holders; its columns are those of the screen and of the sheet. */
export const cardList = list({
  title: '校园卡', unit: '人', row: CardPerson, key: 'user_id', is_about_people: true,
  columns: {
    user_name: { label: '姓名', width: 84 },
    user_no: { label: '编号', width: 104 },
    dept_name: { label: '班级/部门', width: 112 },
    child_names: { label: '孩子', width: 160 },
    card_no: { label: '卡号', width: 132, text: row => cardText(row, card => card.card_no) },
    print_no: { label: '印刷卡号', width: 104, text: row => cardText(row, card => card.print_no ?? '') },
    state: { label: '状态', width: 132, text: row => (row.cards.length === 0 ? CARD_STATE.names['0'] : cardText(row, card => CARD_STATE.names[card.state])) },
    slaves: { label: '副卡', width: 56, kind: 'number', text: row => String(row.cards.filter(card => card.slot >= 1 && card.slot <= 4).length) },
    social: { label: '社保卡', width: 72, text: row => (row.cards.some(card => card.slot === 8) ? '已绑定' : '') },
    valid_to: { label: '有效期至', width: 100, text: row => cardText(row, card => card.valid_to ?? '长期') },
    deposit: { label: '押金(元)', width: 80, kind: 'money' },
    issued_at: { label: '发卡时间', width: 132, text: row => cardText(row, card => card.issued_at.slice(0, 10)) },
  },
  filters: {
    keyword: keyword('姓名/编号/卡号，可刷卡'),
    state: choice('状态', states),
    has_card: flag('发卡', { 1: '已发卡', 0: '未发卡' }),
    card_type: dictionaryCode('卡类型', 'CARD_TYPE'),
    valid_before: day('有效期早于'),
    kind: carried('', PersonKind),
    dept_id: reference('班级/部门', 'people.dept', DeptId),
    include_sub: carried('', QueryFlag),
  },
})

const Issue = z.strictObject({
  user_id: UserId,
  card_no: CardText,
  slot: z.number().int().min(0).max(4).default(0),
  card_type: z.enum(CARD_TYPE.codes).optional(),
  media: z.enum(CARD_MEDIA.codes).default('1'),
  print_no: z.string().trim().max(20, { error: '印刷卡号超过20位' }).optional(),
  valid_to: Day.nullable().optional(),
  deposit: Fen.optional(),
  pay_way: z.number().int().min(1).max(3).default(1),
  via: Via,
})
const Targets = z.array(CardId).min(1, { error: '请选择卡片' }).max(most_at_once, { error: `一次最多处理${most_at_once}张` })
/** What became of one of several. */
const Result = z.object({ card_id: CardId, ok: z.boolean(), op_id: OpId.nullable(), error_id: z.string().nullable(), msg: z.string().nullable() })
export type CardResult = z.output<typeof Result>
const Results = z.object({ results: z.array(Result) })
const Reissue = z.strictObject({ old_card_id: CardId, card_no: CardText, fee: Fen.optional(), pay_way: z.number().int().min(1).max(3).default(1), via: Via, reason: Reason.optional() })
const Reissued = z.object({ op_ids: z.array(OpId), new_holding_id: HoldingId, block: BlockState.nullable() })
const Issued = z.object({ op_id: OpId, holding_id: HoldingId, card_no: z.string() })
const Loss = z.strictObject({ card_ids: Targets, lost_reason: z.number().int().min(1, { error: '请选择原因' }).max(3), with_slaves: z.boolean().default(false), freeze_wallet: z.boolean().default(false), remark: Reason.optional() })
const CancelLoss = z.strictObject({ card_id: CardId, reason: Reason.optional() })
const Revoke = z.strictObject({ card_ids: Targets, returned: z.boolean(), with_slaves: z.boolean().default(false), refund: Fen.optional(), reason: Reason.optional() })
const StateQuery = z.strictObject({ user_ids: z.array(UserId).max(most_at_once).optional(), card_no: CardText.optional() })
const StateOf = z.object({
  card_no: z.string(),
  uid_hex: z.string(),
  card_id: CardId.nullable(),
  /** null: a card that this school has never seen */
  stock_state: z.number().int().nullable(),
  state: State.nullable(),
  slot: z.number().int().nullable(),
  holder: z.object({ user_id: UserId, user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable() }).nullable(),
  allowed_ops: z.array(z.enum([...card_acts, 'add_stock'])),
  block: BlockState.nullable(),
})
export type CardStateOf = z.output<typeof StateOf>
const States = z.object({ list: z.array(StateOf) })

const view = { need: 'cards.card.view', within: 'dept' } as const
const issue = { need: 'cards.card.issue', within: 'dept' } as const
const loss = { need: 'cards.card.loss', within: 'dept' } as const
const cancel_loss = { need: 'cards.card.cancel_loss', within: 'dept' } as const
const reissue = { need: 'cards.card.reissue', within: 'dept' } as const
const revoke = { need: 'cards.card.revoke', within: 'dept' } as const
const edit = { need: 'cards.card.edit', within: 'dept' } as const
const [changes, ends] = [{ op: 4 }, { op: 5 }] as const

/** Cards of people: who has which, and every act on them (chapter 40 §4). */
export const cardApi = api('web', 'cards.card', {
  list: get('getCardList', { query: cardList.query, reply: cardList.reply, ...view }),
  export: exportOf(cardList, 'card/export', view),
  progress: get('card/progress', { query: z.object({ kind: PersonKind.default(1) }), reply: z.object({ list: z.array(z.object({ dept_id: DeptId, total: z.number().int(), issued: z.number().int() })) }), ...view }),
  state: post('cardState', { body: StateQuery, reply: States, reads: true, unlogged: '读卡查询，每次放卡一次', ...view }),
  issue: post('issueSlaveCard', { body: Issue, reply: Issued, ...issue }),
  loss: post('lossCard', { body: Loss, reply: Results, ...changes, ...loss }),
  cancelLoss: post('cancel_loss_card', { body: CancelLoss, reply: z.object({ op_id: OpId }), ...changes, ...cancel_loss }),
  reissue: post('reissueSlaveCard', { body: Reissue, reply: Reissued, ...changes, ...reissue }),
  reissueFast: post('reissueSlaveCardFast', { body: Reissue, reply: Reissued, ...changes, ...reissue }),
  revoke: post('revokeSlaveCard', { body: Revoke, reply: Results, ...ends, ...revoke }),
  exchange: post('card/exchange', { body: Reissue, reply: Reissued, ...changes, ...reissue }),
  renew: post('card/renew', { body: z.strictObject({ card_ids: Targets, valid_to: Day }), reply: Results, ...changes, ...edit }),
  freeze: post('card/freeze', { body: z.strictObject({ card_ids: Targets, reason: Reason.optional() }), reply: Results, ...changes, ...edit }),
  unfreeze: post('card/unfreeze', { body: z.strictObject({ card_ids: Targets }), reply: Results, ...changes, ...edit }),
  undo: post('card/undo', { body: z.strictObject({ op_id: OpId }), reply: z.object({ op_id: OpId }), ...changes, ...edit }),
  selfCards: get('card/self', { reply: z.object({ enabled: z.boolean(), list: z.array(z.object({ user_id: UserId, user_name: z.string(), is_child: z.boolean(), cards: z.array(HeldCard) })) }), session: true, within: 'self' }),
  selfLoss: post('card/self_loss', { body: z.strictObject({ card_id: CardId, lost_reason: z.number().int().min(1).max(3).default(1) }), reply: z.object({ block: BlockState.nullable() }), session: true, within: 'self', ...changes }),
})

/** The same acts where the school settles accounts through the payment service; without it they change nothing (chapter 40 rule 17). */
export const cloudCardApi = api('admin', 'cards.cloud', {
  state: post('system/card/merge/cloud/cardState', { body: StateQuery, reply: States, reads: true, unlogged: '读卡查询，每次放卡一次', ...view }),
  loss: post('system/card/merge/cloud/lossCard', { body: Loss, reply: Results, ...changes, ...loss }),
  cancelLoss: post('system/card/merge/cloud/cancel_loss_card', { body: CancelLoss, reply: z.object({ op_id: OpId }), ...changes, ...cancel_loss }),
  issue: post('system/card/merge/cloud/issueSlaveCard', { body: Issue, reply: Issued, ...issue }),
  revoke: post('system/card/merge/cloud/revokeSlaveCard', { body: Revoke, reply: Results, ...ends, ...revoke }),
  reissue: post('system/card/merge/cloud/reissueSlaveCard', { body: Reissue, reply: Reissued, ...changes, ...reissue }),
  reissueFast: post('system/card/merge/cloud/reissueSlaveCardFast', { body: Reissue, reply: Reissued, ...changes, ...reissue }),
})
