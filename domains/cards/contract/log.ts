import { UserId } from '@campus/people/contract'
import { api, carried, choice, Day, Done, exportOf, filter, firstDay, get, id, Instant, keyword, lastDay, list, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'
import { OpId } from './card.ts'
import { CARD_OP, CARD_STATE, via_names } from './dictionary.ts'

/** A line of the journal of cards, with the names of then. */
export const CardOpRow = z.object({
  op_id: OpId,
  at: Instant,
  op: z.enum(CARD_OP.codes),
  user_id: UserId.nullable(),
  user_name: z.string().nullable(),
  user_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  card_no: z.string(),
  from_state: z.number().int().nullable(),
  to_state: z.number().int().nullable(),
  reason: z.string().nullable(),
  by_name: z.string().nullable(),
  via: z.number().int(),
  batch_no: z.string().nullable(),
})
export type CardOpRow = z.output<typeof CardOpRow>

/** The journal of cards. */
export const cardOpList = list({
  title: '卡操作记录', row: CardOpRow, key: 'op_id', is_about_people: true,
  columns: {
    at: { label: '时间', width: 152, kind: 'second' },
    op: { label: '操作', width: 84, names: CARD_OP.names },
    user_name: { label: '姓名', width: 84 },
    user_no: { label: '编号', width: 104 },
    dept_name: { label: '班级/部门', width: 112 },
    card_no: { label: '卡号', width: 124 },
    change: { label: '状态变化', width: 132, text: row => changeText(row) },
    reason: { label: '说明', width: 140 },
    by_name: { label: '操作人', width: 84, text: row => row.by_name ?? '系统' },
    via: { label: '方式', width: 84, names: via_names },
  },
  filters: { keyword: keyword('姓名/编号/卡号'), op: choice('操作', CARD_OP.names), from: firstDay('日期', 'to'), to: lastDay(), user_id: carried('', UserId) },
})

function changeText({ from_state, to_state }: CardOpRow): string {
  const names: Readonly<Record<string, string>> = CARD_STATE.names
  const name = (state: number | null) => (state === null ? '' : (names[String(state)] ?? ''))
  return [name(from_state), name(to_state)].filter(Boolean).join(' → ')
}

/** How one reader stands with a card that was reported lost. */
export const BlockRow = z.object({
  device_id: z.string(),
  device_name: z.string(),
  place_name: z.string().nullable(),
  state: z.enum(['waiting', 'blocked', 'failed', 'offline']),
  required_at: Instant,
  acked_at: Instant.nullable(),
  ms: z.number().int().nullable(),
  is_slow: z.boolean(),
})
export type BlockRow = z.output<typeof BlockRow>

export const UsedRow = z.object({ device_id: z.string(), device_seq: z.string(), at: Instant, received_at: Instant, user_id: UserId, user_name: z.string().nullable(), card_no: z.string(), device_name: z.string().nullable(), allowed: z.boolean(), handled_at: Instant.nullable(), handle_note: z.string().nullable() })
export type UsedRow = z.output<typeof UsedRow>
export const ConflictRow = z.object({ conflict_id: id('cards.conflict'), card_no: z.string(), kind: z.number().int(), state: z.number().int(), found_at: Instant, holder_name: z.string().nullable(), attempted_name: z.string().nullable(), reason: z.string().nullable() })
export type ConflictRow = z.output<typeof ConflictRow>
export const DepositRow = z.object({ entry_id: id('cards.deposit'), at: Instant, user_id: UserId, user_name: z.string().nullable(), card_no: z.string(), kind: z.number().int(), amount: z.number().int(), pay_way: z.number().int() })
export type DepositRow = z.output<typeof DepositRow>

const BlockStat = z.object({ losses: z.number().int(), p50_ms: z.number().int().nullable(), p95_ms: z.number().int().nullable(), max_ms: z.number().int().nullable(), open: z.number().int(), by_device: z.array(z.object({ device_id: z.string(), device_name: z.string(), n: z.number().int(), slowest_ms: z.number().int().nullable(), open: z.number().int() })), by_day: z.array(z.object({ day: Day, p50_ms: z.number().int().nullable(), p95_ms: z.number().int().nullable(), losses: z.number().int() })) })
export type BlockStat = z.output<typeof BlockStat>

const view = { need: 'cards.log.view' } as const
const edit = { need: 'cards.log.edit' } as const
const span = { from: filter(Day), to: filter(Day) }
const Note = z.string({ error: '请填写处理说明' }).trim().min(1, { error: '请填写处理说明' }).max(200, { error: '超过200个字' })

/** What was done with cards, and how quickly losses reached the readers (chapter 40 §4). */
export const cardLogApi = api('web', 'cards.log', {
  page: post('card_operate_log', { body: cardOpList.query, reply: cardOpList.reply, reads: true, unlogged: '列表查询', ...view, within: 'dept' }),
  export: exportOf(cardOpList, 'card/log/export', { need: 'cards.log.export', within: 'dept' }),
  blocks: get('card/block/list', { query: z.object({ op_id: OpId }), reply: z.object({ list: z.array(BlockRow) }), need: 'cards.card.view', within: 'dept' }),
  blockStat: get('card/block/stat', { query: z.object(span), reply: BlockStat, ...view }),
  used: get('card/used_after_block', { query: PageQuery.extend(span), reply: page(UsedRow), ...view }),
  handleUsed: post('card/used_after_block/handle', { body: z.strictObject({ device_id: z.string(), device_seq: z.string(), note: Note }), reply: Done, op: 4, ...edit }),
  conflicts: get('card/conflict/list', { query: PageQuery.extend({ state: filter(z.coerce.number().int().min(0).max(3)) }), reply: page(ConflictRow), need: 'cards.card.edit' }),
  decide: post('card/conflict/decide', { body: z.strictObject({ conflict_id: id('cards.conflict'), decision: z.number().int().min(1).max(3), reason: Note }), reply: Done, op: 8, need: 'cards.card.edit' }),
  deposits: get('card/deposit/list', { query: PageQuery.extend({ keyword: filter(z.string().trim().max(50)), ...span }), reply: z.object({ list: z.array(DepositRow), total: z.number().int(), sum: z.number().int() }), need: 'cards.deposit.view' }),
})
