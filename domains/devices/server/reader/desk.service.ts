import { devicesErrors, isNearAddress, ReaderDesk } from '@campus/devices/contract'
import type { ReaderDeskDraft, readerDeskApi } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'

/** The desks of the school at which cards are read. */
export async function listDesks(ctx: DevicesCtx): Promise<Reply<typeof readerDeskApi.list>> {
  return { list: await readDesks(ctx) }
}

/** @throws Refusal 400 readerIp, 404 for a format that is not the school's, 409 readerDeskTaken */
export async function addDesk(ctx: DevicesCtx, draft: Input<typeof readerDeskApi.add>): Promise<Reply<typeof readerDeskApi.add>> {
  const { db, school_id } = ctx
  await requireDraft(ctx, draft)
  const { desk_id } = await db.insertInto('reader_desk').values({ school_id, ...draft }).returning('desk_id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'devices.reader_desk', target_id: desk_id, target_name: draft.desk_name, after: draft })
  return { desk: await toldDesk(ctx, desk_id) }
}

/** @throws Refusal 400 readerIp, 404, 409 staleRow, readerDeskTaken */
export async function updateDesk(ctx: DevicesCtx, { desk_id, row_version, ...draft }: Input<typeof readerDeskApi.update>): Promise<Reply<typeof readerDeskApi.update>> {
  const { db, school_id, now } = ctx
  await requireDraft(ctx, draft)
  const before = await toldDesk(ctx, desk_id)
  const changed = await db.updateTable('reader_desk').set({ ...draft, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('desk_id', '=', desk_id).where('row_version', '=', row_version).returning('desk_id').executeTakeFirst()
  if (!changed) throw fail(devicesErrors.staleRow)
  ctx.note({ target_kind: 'devices.reader_desk', target_id: desk_id, target_name: draft.desk_name, before, after: draft })
  return { desk: await toldDesk(ctx, desk_id) }
}

/** @throws Refusal 404, 409 staleRow */
export async function deleteDesk(ctx: DevicesCtx, { desk_id, row_version }: Input<typeof readerDeskApi.delete>): Promise<Reply<typeof readerDeskApi.delete>> {
  const { db, school_id } = ctx
  const before = await toldDesk(ctx, desk_id)
  const gone = await db.deleteFrom('reader_desk').where('school_id', '=', school_id).where('desk_id', '=', desk_id).where('row_version', '=', row_version).returning('desk_id').executeTakeFirst()
  if (!gone) throw fail(devicesErrors.staleRow)
  ctx.note({ target_kind: 'devices.reader_desk', target_id: desk_id, target_name: before.desk_name, before })
  return {}
}

async function requireDraft({ db, school_id }: DevicesCtx, { reader_ip, card_format_id }: ReaderDeskDraft): Promise<void> {
  if (!isNearAddress(reader_ip)) throw fail(devicesErrors.readerIp)
  if (card_format_id === null) return
  const format = await db.selectFrom('card_format').select('format_id').where('school_id', '=', school_id).where('format_id', '=', card_format_id).executeTakeFirst()
  if (!format) throw fail(commonErrors.notFound)
}

async function toldDesk(ctx: DevicesCtx, desk_id: string): Promise<ReaderDesk> {
  const desk = (await readDesks(ctx)).find(one => one.desk_id === desk_id)
  if (!desk) throw fail(commonErrors.notFound)
  return desk
}

async function readDesks({ db, school_id }: DevicesCtx): Promise<ReaderDesk[]> {
  const rows = await db
    .selectFrom('reader_desk as d')
    .leftJoin('card_format as f', join => join.onRef('f.school_id', '=', 'd.school_id').onRef('f.format_id', '=', 'd.card_format_id'))
    .select(['d.desk_id', 'd.desk_name', 'd.reader_ip', 'd.port', 'd.mode', 'd.card_format_id', 'f.format_name', 'd.row_version'])
    .where('d.school_id', '=', school_id)
    .orderBy('d.desk_name')
    .execute()
  return rows.map(row => ReaderDesk.parse(row))
}
