import { CardFormatDraft } from '@campus/devices/contract'
import type { CardSighting, ReaderDeskDraft } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'
import type { DevicesDb } from '../db.ts'

/** Desks and formats of a plan; a desk names its format. */
export type PlannedReaders = {
  formats: readonly z.input<typeof CardFormatDraft>[]
  desks: readonly (Omit<ReaderDeskDraft, 'card_format_id'> & { format: string | null })[]
  sightings: readonly (Pick<CardSighting, 'device_id' | 'code_masked' | 'heard_input' | 'heard_order' | 'times'> & { credential_ref: string | null; first_at: Date; last_at: Date })[]
}

/** Writes desks, formats and seen cards in bulk, without a word in the journal. `credential_ref`: what its declarer calls a known card. */
export async function createReaders(db: QueryExecutorProvider, school_id: number, { formats, desks, sightings }: PlannedReaders): Promise<void> {
  const own = asTables<DevicesDb>(db)
  const made = await own.insertInto('card_format').values(formats.map(format => ({ school_id, ...CardFormatDraft.parse(format) }))).returning(['format_id', 'format_name']).execute()
  const ids = new Map(made.map(row => [row.format_name, row.format_id]))
  await own.insertInto('reader_desk').values(desks.map(({ format, ...desk }) => ({ school_id, ...desk, card_format_id: format === null ? null : (ids.get(format) ?? null) }))).execute()
  for (const { credential_ref, ...row } of sightings) {
    const known = credential_ref === null ? undefined : await own.selectFrom('subject_credential').select('credential_id').where('school_id', '=', school_id).where('source_ref', '=', credential_ref).executeTakeFirst()
    const code_ref = `${row.code_masked} ${credential_ref ?? ''}`.trim()
    await own.insertInto('card_sighting').values({ school_id, ...row, code_ref, credential_id: known?.credential_id ?? null }).onConflict(conflict => conflict.doNothing()).execute()
  }
}
