import { api, choice, dictionaryCode, exportOf, firstDay, get, Instant, keyword, lastDay, list, post } from '@kit/contract'
import { z } from 'zod'
import { CardId, CardText } from './card.ts'
import { CARD_MEDIA, origin_names, stock_names } from './dictionary.ts'

/** Cards of one range of numbers. */
export const most_in_range = 5000
/** Cards read in one stocktake. */
export const most_counted = 5000

export const StockRow = z.object({
  card_id: CardId,
  card_no: z.string(),
  uid_hex: z.string(),
  print_no: z.string().nullable(),
  media: z.enum(CARD_MEDIA.codes),
  origin: z.number().int(),
  batch_no: z.string().nullable(),
  stock_state: z.number().int(),
  remark: z.string().nullable(),
  created_at: Instant,
  created_by_name: z.string().nullable(),
  /** who has it, or had it last */
  holder_name: z.string().nullable(),
})
export type StockRow = z.output<typeof StockRow>

/** The list of media. */
export const stockList = list({
  title: '白卡', unit: '张', row: StockRow, key: 'card_id',
  columns: {
    card_no: { label: '卡号', width: 124 },
    uid_hex: { label: 'UID', width: 128 },
    print_no: { label: '印刷卡号', width: 104 },
    media: { label: '介质', width: 92, dictionary: 'CARD_MEDIA' },
    origin: { label: '来源', width: 84, names: origin_names },
    batch_no: { label: '批次', width: 128 },
    stock_state: { label: '状态', width: 72, names: stock_names },
    holder_name: { label: '持卡人', width: 84 },
    remark: { label: '备注', width: 120 },
    created_at: { label: '入库时间', width: 132, kind: 'instant' },
    created_by_name: { label: '操作人', width: 76 },
  },
  filters: {
    keyword: keyword('卡号/印刷卡号/批次'),
    stock_state: choice('状态', stock_names),
    media: dictionaryCode('介质', 'CARD_MEDIA'),
    from: firstDay('入库日期', 'to'),
    to: lastDay(),
  },
})

const Counts = z.object({ in_stock: z.number().int(), in_use: z.number().int(), lost: z.number().int(), void: z.number().int(), low_stock: z.number().int() })
export type StockCounts = z.output<typeof Counts>
const view = { need: 'cards.blank.view' } as const
const edit = { need: 'cards.blank.edit' } as const
const Reason = z.string({ error: '请填写原因' }).trim().min(1, { error: '请填写原因' }).max(100, { error: '超过100个字' })
const media = z.enum(CARD_MEDIA.codes).default('1')

/** Media of the school, whether or not anybody has them (chapter 40 §5 /BlankCard). */
export const stockApi = api('web', 'cards.stock', {
  list: get('card/stock/list', { query: stockList.query, reply: stockList.reply, ...view }),
  export: exportOf(stockList, 'card/stock/export', view),
  counts: get('card/stock/counts', { reply: Counts, ...view }),
  add: post('card/stock/add', { body: z.strictObject({ card_no: CardText, print_no: z.string().trim().max(20).optional(), media, via: z.union([z.literal(1), z.literal(2)]).default(2) }), reply: z.object({ row: StockRow }), ...edit }),
  range: post('card/stock/range', { body: z.strictObject({ from_no: CardText, to_no: CardText, media, remark: z.string().trim().max(100).optional() }), reply: z.object({ added: z.number().int(), present: z.number().int() }), ...edit }),
  void: post('card/stock/void', { body: z.strictObject({ card_ids: z.array(CardId).min(1, { error: '请选择卡片' }).max(300), reason: Reason }), reply: z.object({ changed: z.number().int() }), op: 5, ...edit }),
  found: post('card/stock/found', { body: z.strictObject({ card_ids: z.array(CardId).min(1, { error: '请选择卡片' }).max(300) }), reply: z.object({ changed: z.number().int() }), op: 4, ...edit }),
  check: post('card/stock/check', {
    body: z.strictObject({ card_nos: z.array(CardText).min(1, { error: '请先读取抽屉里的卡片' }).max(most_counted) }),
    reply: z.object({ counted: z.number().int(), missing: z.array(StockRow), surplus: z.array(z.object({ card_no: z.string(), holder_name: z.string().nullable(), stock_state: z.number().int().nullable() })) }),
    op: 13,
    ...edit,
  }),
})
