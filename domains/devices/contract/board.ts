import { PlaceId } from '@campus/places/contract'
import { api, channel, Done, download, filter, get, Instant, page, PageQuery, post, QueryFlag } from '@kit/contract'
import { z } from 'zod'
import { DeviceCommand } from './command.ts'
import { DeviceId } from './device-id.ts'
import { DEVICE_STATE } from './dictionary.ts'

/** Kinds of devices that show something to everybody who passes. */
export const board_types: readonly string[] = ['03', '21']
/** A board's own words of a row, and ours for them (chapter 30 §2.8). */
export const content_words = { accepted: '已接收', downloading: '下载中', staged: '已就绪', playing: '播放中', stopped: '已停止', erased: '已删除', fault: '故障' } as const
/** Boards of a school that fetch files at the same time (chapter 30 rule 27). */
export const most_downloads = 20

const Word = z.enum(['accepted', 'downloading', 'staged', 'playing', 'stopped', 'erased', 'fault'])
const Percent = (what: string) => z.number({ error: `请选择${what}` }).int().min(0, { error: `${what}为0到100` }).max(100, { error: `${what}为0到100` })

/** A board with what it last said of itself; null as long as it has said nothing. `brightness` 0: its screen is dark. */
export const Board = z.object({
  device_id: DeviceId,
  device_name: z.string(),
  device_type: z.enum(['03', '21']),
  place_id: PlaceId.nullable(),
  node_path_name: z.string().nullable(),
  device_state: z.enum(DEVICE_STATE.codes).nullable(),
  is_planned_off: z.boolean(),
  last_seen_at: Instant.nullable(),
  orientation: z.enum(['portrait', 'landscape']).nullable(),
  resolution: z.string().nullable(),
  storage_free_mb: z.number().int().nullable(),
  storage_total_mb: z.number().int().nullable(),
  player_version: z.string().nullable(),
  secure_context: z.boolean().nullable(),
  screenshot_url: z.string().nullable(),
  screenshot_at: Instant.nullable(),
  brightness: z.number().int().nullable(),
  volume: z.number().int().nullable(),
  power_state: z.enum(['on', 'dark']),
  /** rows of content that it is to hold: all, ready or playing, on their way, wrong */
  content: z.object({ total: z.number().int(), ready: z.number().int(), moving: z.number().int(), fault: z.number().int() }),
})
export type Board = z.output<typeof Board>

/** A row that a board is to hold. `state` = how far it has come to the board, `reported` = the board's own word. */
export const BoardContentRow = z.object({
  row_key: z.string(),
  source: z.enum(['publishing', 'voice']),
  is_declared: z.boolean(),
  state: z.string().nullable(),
  bytes_total: z.number().int(),
  bytes_done: z.number().int(),
  reported: Word.nullable(),
  fault_code: z.string().nullable(),
  detail: z.string().nullable(),
  reported_at: Instant.nullable(),
})
export type BoardContentRow = z.output<typeof BoardContentRow>

const view = { need: 'devices.board.view', within: 'place' } as const
const act = { need: 'devices.board.control', within: 'place', op: 4 } as const
const One = z.strictObject({ device_id: DeviceId })
const Told = z.object({ command: DeviceCommand })

/** Hardware of boards (chapter 30 §4); what they show is declared by others. */
export const boardApi = api('iot', 'devices.board', {
  list: get('board/list', { query: PageQuery.extend({ place_id: filter(PlaceId), device_state: filter(z.enum(DEVICE_STATE.codes)), fault: filter(QueryFlag), keyword: filter(z.string().trim().max(64)) }), reply: page(Board), ...view }),
  detail: get('board/:id', { params: z.object({ id: DeviceId }), reply: z.object({ board: Board }), ...view }),
  content_rows: get('board/:id/content_rows', { params: z.object({ id: DeviceId }), query: PageQuery.extend({ reported: filter(Word) }), reply: page(BoardContentRow), ...view }),
  screenshot: post('board/screenshot', { body: One, reply: Told, ...act }),
  brightness: post('board/brightness', { body: One.extend({ brightness: Percent('亮度') }), reply: Told, ...act }),
  volume: post('board/volume', { body: One.extend({ volume: Percent('音量') }), reply: Told, ...act }),
  restart: post('board/restart', { body: One, reply: Told, ...act }),
})

const most_picture_mb = 8
const ticket = z.object({ ticket: z.string().regex(/^\d{1,10}\.[A-Za-z0-9_-]{43}$/) })

/** Files to and pictures from devices, each by a ticket that works once (chapter 31 §3). */
export const deviceFileApi = api('iot', 'devices.file', {
  blob: get('device/blob/:ticket', { params: ticket, reply: download, auth: 'device' }),
  screenshot: post('device/screenshot/:ticket', { params: ticket, reply: Done, upload: { max_mb: most_picture_mb, extensions: ['.png', '.jpg'] }, auth: 'device', op: 3 }),
})

/** Something at a board has turned: it is to be asked for again. */
export const boardChannel = channel('board:{id}', z.object({ device_id: DeviceId, what: z.enum(['state', 'content', 'screenshot']) }), { need: 'devices.board.view', within: 'place' })
