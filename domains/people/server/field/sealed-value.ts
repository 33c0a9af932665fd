import { sensitive_level } from '@campus/people/contract'
import type { SealedPart, Secrets } from '@kit/server/secrets'
import { z } from 'zod'
import { openText, sealText } from '../seal.ts'

const mark = 'sealed:'
const Ext = z.record(z.string(), z.unknown())

/** Whether values of a field lie sealed in `ext`: sensitive ones, and identity numbers whatever their class. */
export function isKeptSealed({ level, type }: { level: number; type: string }): boolean {
  return level === sensitive_level || type === 'id_card'
}

/** A value as `ext` keeps it where it is sealed; not findable, not comparable in the database. */
export function sealValue({ data_key }: Pick<Secrets, 'data_key'>, school_id: number, value: string): string {
  return `${mark}${sealText(data_key, purposeOf(school_id), value).toString('base64')}`
}

/** A value of `ext` as it was said; what was written before its field became sensitive stands there openly. */
export function openValue({ data_key }: Pick<Secrets, 'data_key'>, school_id: number, stored: string): string {
  return stored.startsWith(mark) ? openText(data_key, purposeOf(school_id), Buffer.from(stored.slice(mark.length), 'base64')) : stored
}

/** Files of pupils and of staff, for the exchange of keys. */
export const ext_sealed_parts: readonly SealedPart[] = (['student', 'staff'] as const).map(table => ({
  name: `people.${table}_ext`, key: 'data_key', table, ids: [['user_id', 'bigint']], columns: ['ext'],
  carry(secrets, school_id, { ext }) {
    const values = Ext.parse(ext)
    const sealed = Object.entries(values).flatMap(([code, value]) => (typeof value === 'string' && value.startsWith(mark) ? [[code, sealValue(secrets, school_id, openValue(secrets, school_id, value))]] : []))
    return sealed.length === 0 ? null : { ext: JSON.stringify({ ...values, ...Object.fromEntries(sealed) }) }
  },
}))

function purposeOf(school_id: number): string {
  return `people.ext:${school_id}`
}
