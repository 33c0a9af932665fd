import { readCard } from '@kit/terminal-protocol/card'
import type { CardFormat } from '@kit/terminal-protocol/card'
import type { CardItem, PassItem } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { digestOf } from '../sync/declare.ts'

type Way = Pick<CardFormat, 'input' | 'byte_order'>
type Sighting = { code_ref: string; code_masked: string; credential_id: string | null; heard_input: string | null; heard_order: string | null }

/** Other ways in which a whole number may have been written; what tells three bytes of it alone finds nobody. */
const ways: readonly Way[] = [{ input: 'hex', byte_order: 'reversed' }, { input: 'dec10', byte_order: 'as_is' }, { input: 'dec10', byte_order: 'reversed' }, { input: 'wg34', byte_order: 'as_is' }, { input: 'wg34', byte_order: 'reversed' }]
const [by_card, shown_signs, kept_days] = [2, 4, 90] as const

/** Notes cards that a device has read and nobody knows, and cards that it writes otherwise than they are known: somebody has to set the reader right. */
export async function noteCards(line: Line, cards: readonly CardItem[]): Promise<void> {
  const codes = [...new Set(cards.flatMap(({ code }) => (code === undefined ? [] : [code])))]
  if (codes.length === 0) return
  const heard = codes.map(code => ({ code, own: digest(line, code), others: ways.flatMap(way => {
    const uid = readCard(code, way)
    return uid === null ? [] : [{ way, digest: digest(line, uid) }]
  }) }))
  const known = await credentialsBy(line, heard.flatMap(({ own, others }) => [own, ...others.map(other => other.digest)]))
  const sightings = heard.flatMap(({ code, own, others }): Sighting[] => {
    if (known.has(own)) return []
    const other = others.find(one => known.has(one.digest))
    return [{ code_ref: own, code_masked: `****${code.slice(-shown_signs)}`, credential_id: (other && known.get(other.digest)) ?? null, heard_input: other?.way.input ?? null, heard_order: other?.way.byte_order ?? null }]
  })
  await write(line, sightings)
}

/** Notes cards that a door has turned away because it does not know them; it tells their last signs alone. */
export async function noteRefusedCards(line: Line, passes: readonly PassItem[]): Promise<void> {
  const strange = passes.flatMap(({ verify, user_id, code_masked }) => (verify === by_card && user_id === undefined && code_masked !== undefined ? [code_masked] : []))
  await write(line, [...new Set(strange)].map(code_masked => ({ code_ref: code_masked, code_masked, credential_id: null, heard_input: null, heard_order: null })))
}

function digest({ app, school_id }: Line, code: string): string {
  return digestOf(app, school_id, 'card', code)
}

async function credentialsBy({ db, school_id }: Line, digests: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('subject_credential').select(['code_digest', 'credential_id']).where('school_id', '=', school_id).where('cred_kind', '=', 'card').where('usable', '=', true).where(sql<boolean>`code_digest = any(${[...digests]}::text[])`).execute()
  return new Map(rows.map(row => [row.code_digest ?? '', row.credential_id]))
}

async function write({ db, school_id, device_id, now }: Line, sightings: readonly Sighting[]): Promise<void> {
  if (sightings.length === 0) return
  await sql`
    insert into card_sighting (school_id, device_id, code_ref, code_masked, credential_id, heard_input, heard_order, times, first_at, last_at)
    select ${school_id}::int, ${device_id}::bigint, s.code_ref, s.code_masked, s.credential_id, s.heard_input, s.heard_order, 1, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(sightings)}::jsonb) s(code_ref text, code_masked text, credential_id bigint, heard_input text, heard_order text)
    on conflict (school_id, device_id, code_ref) do update set credential_id = excluded.credential_id, heard_input = excluded.heard_input, heard_order = excluded.heard_order, times = card_sighting.times + 1, last_at = excluded.last_at`.execute(db)
  await sql`delete from card_sighting where school_id = ${school_id} and last_at < ${now}::timestamptz - ${kept_days} * interval '1 day'`.execute(db)
}
