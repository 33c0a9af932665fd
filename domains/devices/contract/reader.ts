import { api, Done, get, id, Instant, page, PageQuery, post } from '@kit/contract'
import { checkIpv4 } from '@kit/contract/checks'
import { PlaceId } from '@campus/places/contract'
import { card_inputs, card_orders, card_truncations, uidOf } from '@kit/terminal-protocol/card'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'

/** Where the service of a local reader listens (chapter 31 §8). */
export const reader_port = 32_156

/** How a way of writing a card's number is called on the screens. */
export const card_input_names = { hex: '十六进制', dec10: '10位十进制', dec8: '8位十进制（3+5）', wg26: '韦根26（24位整数）', wg34: '韦根34（5+5）' } as const
export const card_order_names = { as_is: '正码', reversed: '反码' } as const
export const card_truncation_names = { none: '不截取', '6': '后6位', '8': '后8位' } as const
export const reader_mode_names = { uid: '卡号', sector: '扇区', social: '社保卡' } as const

const loopback = /^127\./u
const near = /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\./u

/** Whether an address is this machine's own, or one of a network that nobody reaches from outside (RFC 1918): a page may ask a reader there and nowhere else. */
export function isNearAddress(text: string): boolean {
  return checkIpv4(text) === null && near.test(text)
}

/** Whether an address is this machine's own: a page that came safely may ask it all the same. */
export function isOwnAddress(text: string): boolean {
  return isNearAddress(text) && loopback.test(text)
}

const Version = z.number().int()
const DeskId = id('devices.reader_desk')
const FormatId = id('devices.card_format')
const Name = (what: string) => z.string({ error: `请填写${what}` }).trim().min(1, { error: `请填写${what}` }).max(30, { error: '超过30个字' })
/** The bytes of a card as a reader tells them. */
export const CardUid = z.string({ error: '请刷卡或填写卡号' }).max(60).transform((text, context) => {
  const uid = uidOf(text)
  if (uid === null) context.addIssue({ code: 'custom', message: '卡号应为6到20位十六进制' })
  return uid ?? z.NEVER
})

const Format = z.object({ format_name: Name('格式名称'), input: z.enum(card_inputs), byte_order: z.enum(card_orders), truncation: z.enum(card_truncations), pad: z.boolean(), upper: z.boolean() })
export const CardFormatDraft = z.strictObject({ ...Format.shape, sample: CardUid })
/** How numbers of cards are written; `shown` = its sample in its own writing, `desks`: reading desks that go by it. */
export const CardFormatRow = z.object({ format_id: FormatId, ...Format.shape, sample: z.string(), shown: z.string(), desks: z.number().int(), row_version: Version })
export type CardFormatRow = z.output<typeof CardFormatRow>

const Desk = z.object({
  desk_name: Name('读卡点名称'),
  reader_ip: z.string({ error: '请填写IP地址' }).trim(),
  port: z.number({ error: '请填写端口' }).int().min(1024, { error: '端口为1024到65535' }).max(65_535, { error: '端口为1024到65535' }),
  mode: z.enum(['uid', 'sector', 'social']),
  card_format_id: FormatId.nullable(),
})
export const ReaderDeskDraft = z.strictObject(Desk.shape)
export type ReaderDeskDraft = z.output<typeof ReaderDeskDraft>
/** A place where somebody reads cards. */
export const ReaderDesk = z.object({ desk_id: DeskId, ...Desk.shape, format_name: z.string().nullable(), row_version: Version })
export type ReaderDesk = z.output<typeof ReaderDesk>

/** One way of writing a card; `match` = whose card is known by just this number. */
const Reading = z.object({
  format: Format.omit({ format_name: true }),
  text: z.string(),
  match: z.object({ user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable(), usable: z.boolean() }).nullable(),
  format_id: FormatId.nullable(),
})
export type CardReading = z.output<typeof Reading>

/** A card that a device has read. `heard_*`: it is known, but the device writes it otherwise than it is known. */
export const CardSighting = z.object({
  sighting_id: z.string(),
  device_id: DeviceId,
  device_name: z.string(),
  place_id: PlaceId.nullable(),
  node_path_name: z.string().nullable(),
  code_masked: z.string(),
  heard_input: z.enum(card_inputs).nullable(),
  heard_order: z.enum(card_orders).nullable(),
  user_name: z.string().nullable(),
  dept_name: z.string().nullable(),
  times: z.number().int(),
  first_at: Instant,
  last_at: Instant,
})
export type CardSighting = z.output<typeof CardSighting>

const use = { need: 'devices.reader.use' } as const
const edit = { need: 'devices.reader.edit' } as const
/** Kind of the line in the log when somebody looks at what is kept from others. */
const look_op = 13
const SocialKey = z.string({ error: '请填写密钥' }).trim().regex(/^[0-9A-Fa-f]{12}$/u, { error: '密钥为12位十六进制' })

/** Desks where cards are read (chapter 30 §4). */
export const readerDeskApi = api('iot', 'devices.reader_desk', {
  list: get('reader_desk/list', { reply: z.object({ list: z.array(ReaderDesk) }), ...use }),
  add: post('reader_desk/add', { body: ReaderDeskDraft, reply: z.object({ desk: ReaderDesk }), ...edit }),
  update: post('reader_desk/update', { body: ReaderDeskDraft.extend({ desk_id: DeskId, row_version: Version }), reply: z.object({ desk: ReaderDesk }), op: 4, ...edit }),
  delete: post('reader_desk/delete', { body: z.strictObject({ desk_id: DeskId, row_version: Version }), reply: Done, op: 5, ...edit }),
})

/** Formats of card numbers; `test` says what a card would be in each of them and whose it is. */
export const cardFormatApi = api('iot', 'devices.card_format', {
  list: get('card_format/list', { reply: z.object({ list: z.array(CardFormatRow) }), ...use }),
  add: post('card_format/add', { body: CardFormatDraft, reply: z.object({ format: CardFormatRow }), ...edit }),
  update: post('card_format/update', { body: CardFormatDraft.extend({ format_id: FormatId, row_version: Version }), reply: z.object({ format: CardFormatRow }), op: 4, ...edit }),
  test: post('card_format/test', { reads: true, body: z.strictObject({ uid_hex: CardUid }), reply: z.object({ uid_hex: z.string(), readings: z.array(Reading) }), op: look_op, ...use }),
})

/** What a local reader is given, and what readers have seen that nobody knows. */
export const readerApi = api('iot', 'devices.reader', {
  social_cfg: get('reader/social_cfg', { reply: z.object({ sector: z.number().int(), key: z.string(), expires_at: Instant }), op: look_op, tells_secret: true, ...use }),
  /** `pairing`: what the readers of the school open the sealed key with; told to who sets the key, to be entered at the readers */
  social_key: post('reader/social_key', { body: z.strictObject({ sector: z.number().int().min(0, { error: '扇区为0到39' }).max(39, { error: '扇区为0到39' }), key: SocialKey, renew_pairing: z.boolean().default(false) }), reply: z.object({ pairing: z.string() }), op: 4, tells_secret: true, ...edit }),
  sightings: get('reader/sightings', { query: PageQuery.extend({ kind: z.enum(['unknown', 'other_format']) }), reply: page(CardSighting), ...use, within: 'place' }),
})
