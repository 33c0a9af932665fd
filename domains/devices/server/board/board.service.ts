import type { Board, boardApi, CommandName } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { control } from '../control/control.ts'
import type { CommandArgs } from '../control/command.queries.ts'
import { readCommand } from '../control/command.queries.ts'
import type { DevicesCtx } from '../db.ts'
import { requirePath } from '../device.service.ts'
import { readBoards, readContentRows } from './board.queries.ts'
import { makeTicket } from './ticket.ts'

const only = { limit: 1, offset: 0 }

/** A page of the boards in the reader's places. @throws Refusal 404 for a place that is not his */
export async function listBoards(ctx: DevicesCtx, { page_index, page_size, place_id, ...filter }: Input<typeof boardApi.list>): Promise<Reply<typeof boardApi.list>> {
  const scope = await placeScope(ctx)
  const below = place_id === undefined ? {} : { below: (await requirePath(ctx, place_id, scope)).node_path }
  return readBoards(ctx, { school_id: ctx.school_id, scope, ...below, ...filter }, { limit: page_size, offset: (page_index - 1) * page_size })
}

/** One board. @throws Refusal 404 */
export async function tellBoard(ctx: DevicesCtx, { id }: Input<typeof boardApi.detail>): Promise<Reply<typeof boardApi.detail>> {
  return { board: await requireBoard(ctx, id) }
}

/** What a board is to hold and what it said of each row. @throws Refusal 404 */
export async function listContent(ctx: DevicesCtx, { id, page_index, page_size, reported }: Input<typeof boardApi.content_rows>): Promise<Reply<typeof boardApi.content_rows>> {
  await requireBoard(ctx, id)
  return readContentRows(ctx.db, { school_id: ctx.school_id, device_id: id, reported }, { limit: page_size, offset: (page_index - 1) * page_size })
}

/** Asks a board for a picture of what it shows; it brings it by a ticket of its own. @throws Refusal 404, 409 deviceOffline, 422 driverUnsupported */
export async function askScreenshot(ctx: DevicesCtx, { device_id }: Input<typeof boardApi.screenshot>): Promise<Reply<typeof boardApi.screenshot>> {
  await requireBoard(ctx, device_id)
  const { db, school_id, now, me } = ctx
  const { path, expires_at } = await makeTicket(db, { school_id, device_id }, { kind: 'screenshot', row_key: 'screenshot', asked_by: me.user_id, now })
  return tellTo(ctx, device_id, 'screenshot', { upload: path, exp: expires_at.toISOString() })
}

/** Sets one value of a board's screen or sound. @throws Refusal 404, 409 deviceOffline, 422 driverUnsupported */
export async function setValue(ctx: DevicesCtx, device_id: string, values: { brightness: number } | { volume: number }): Promise<{ command: Reply<typeof boardApi.volume>['command'] }> {
  await requireBoard(ctx, device_id)
  return tellTo(ctx, device_id, 'config', { group: 'display', values })
}

/** Turns a board off and on. @throws Refusal 404, 409 deviceOffline, 422 driverUnsupported */
export async function restartBoard(ctx: DevicesCtx, { device_id }: Input<typeof boardApi.restart>): Promise<Reply<typeof boardApi.restart>> {
  await requireBoard(ctx, device_id)
  return tellTo(ctx, device_id, 'restart', {})
}

async function requireBoard(ctx: DevicesCtx, device_id: string): Promise<Board> {
  const { list: [board] } = await readBoards(ctx, { school_id: ctx.school_id, scope: await placeScope(ctx), device_id }, only)
  if (!board) throw fail(commonErrors.notFound)
  return board
}

async function tellTo(ctx: DevicesCtx, device_id: string, command: CommandName, args: CommandArgs): Promise<Reply<typeof boardApi.restart>> {
  const { db, school_id, now, me } = ctx
  const command_id = await control({ db, school_id, now, asked_by: me.user_id }, device_id, command, { args })
  const { upload: _ticket, ...told } = args
  ctx.note({ target_kind: 'devices.board', target_id: device_id, after: { command, ...told } })
  const made = await readCommand(db, school_id, command_id, now)
  if (!made) throw fail(commonErrors.notFound)
  return { command: made }
}

