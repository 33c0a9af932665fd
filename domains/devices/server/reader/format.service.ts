import { CardFormatRow, devicesErrors } from '@campus/devices/contract'
import type { cardFormatApi, CardReading } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { interpretCard, writeCard } from '@kit/terminal-protocol/card'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DevicesCtx } from '../db.ts'
import { digestOf } from '../sync/declare.ts'

type Named = Pick<CardReading['format'], 'input' | 'byte_order' | 'truncation'>

/** The school's ways of writing numbers of cards. */
export async function listFormats(ctx: DevicesCtx): Promise<Reply<typeof cardFormatApi.list>> {
  return { list: await readFormats(ctx) }
}

/** @throws Refusal 409 cardFormatTaken */
export async function addFormat(ctx: DevicesCtx, draft: Input<typeof cardFormatApi.add>): Promise<Reply<typeof cardFormatApi.add>> {
  const { format_id } = await ctx.db.insertInto('card_format').values({ school_id: ctx.school_id, ...draft }).returning('format_id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'devices.card_format', target_id: format_id, target_name: draft.format_name, after: draft })
  return { format: await toldFormat(ctx, format_id) }
}

/** @throws Refusal 404, 409 staleRow, cardFormatTaken */
export async function updateFormat(ctx: DevicesCtx, { format_id, row_version, ...draft }: Input<typeof cardFormatApi.update>): Promise<Reply<typeof cardFormatApi.update>> {
  const { db, school_id, now } = ctx
  const before = await toldFormat(ctx, format_id)
  const changed = await db.updateTable('card_format').set({ ...draft, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('format_id', '=', format_id).where('row_version', '=', row_version).returning('format_id').executeTakeFirst()
  if (!changed) throw fail(devicesErrors.staleRow)
  ctx.note({ target_kind: 'devices.card_format', target_id: format_id, target_name: draft.format_name, before, after: draft })
  return { format: await toldFormat(ctx, format_id) }
}

/** What a card is in every way of writing it, whose it is by each of them, and which of the school's formats writes it so. */
export async function testCard(ctx: DevicesCtx, { uid_hex }: Input<typeof cardFormatApi.test>): Promise<Reply<typeof cardFormatApi.test>> {
  const formats = await readFormats(ctx)
  const ways = interpretCard(uid_hex)
  const owners = await ownersOf(ctx, ways.map(way => way.text))
  const readings = ways.map(({ format, text }): CardReading => ({ format, text, match: owners.get(text) ?? null, format_id: formats.find(one => isSame(one, format))?.format_id ?? null }))
  ctx.note({ target_kind: 'devices.card_format', target_name: `****${uid_hex.slice(-4)}` })
  return { uid_hex, readings }
}

function isSame(one: Named, other: Named): boolean {
  return one.input === other.input && one.byte_order === other.byte_order && one.truncation === other.truncation
}

async function readFormats({ db, school_id }: DevicesCtx): Promise<CardFormatRow[]> {
  const rows = await db
    .selectFrom('card_format as f')
    .select(['f.format_id', 'f.format_name', 'f.input', 'f.byte_order', 'f.truncation', 'f.pad', 'f.upper', 'f.sample', 'f.row_version'])
    .select(sql<number>`(select count(*)::int from reader_desk d where d.school_id = ${school_id} and d.card_format_id = f.format_id)`.as('desks'))
    .where('f.school_id', '=', school_id)
    .orderBy('f.format_name')
    .execute()
  return z.array(Stored).parse(rows).map(row => ({ ...row, shown: writeCard(row.sample, row) }))
}

const Stored = CardFormatRow.omit({ shown: true })

async function toldFormat(ctx: DevicesCtx, format_id: string): Promise<CardFormatRow> {
  const format = (await readFormats(ctx)).find(one => one.format_id === format_id)
  if (!format) throw fail(commonErrors.notFound)
  return format
}

/** Whose cards are known by these numbers. Numbers lie sealed: they are found by what stands for them. */
async function ownersOf({ app, db, school_id }: DevicesCtx, texts: readonly string[]): Promise<Map<string, NonNullable<CardReading['match']>>> {
  const by_digest = new Map(texts.map(text => [digestOf(app, school_id, 'card', text), text]))
  const rows = await db
    .selectFrom('subject_credential as c')
    .innerJoin('subject as s', join => join.onRef('s.school_id', '=', 'c.school_id').onRef('s.user_id', '=', 'c.user_id'))
    .select(['c.code_digest', 'c.usable', 's.user_name', 's.user_no', 's.dept_name'])
    .where('c.school_id', '=', school_id)
    .where('c.cred_kind', '=', 'card')
    .where(sql<boolean>`c.code_digest = any(${[...by_digest.keys()]}::text[])`)
    .where('s.live', '=', true)
    .orderBy('c.usable')
    .execute()
  return new Map(rows.map(({ code_digest, ...owner }) => [by_digest.get(code_digest ?? '') ?? '', owner]))
}
