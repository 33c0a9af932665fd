import { z } from 'zod'
import type { SealedPart } from '@kit/server/secrets'
import type { IdKeys } from '../id-number.ts'
import { openText, sealText } from '../seal.ts'

const Said = z.record(z.string(), z.string().nullable())
/** What an answer says, by field code; null empties. */
export type SaidValues = z.output<typeof Said>

const purpose = (school_id: number) => `people.collect_answer:${school_id}`

/** Seals an answer for this school. */
export function sealSaid({ data_key }: Pick<IdKeys, 'data_key'>, school_id: number, said: SaidValues): Buffer {
  return sealText(data_key, purpose(school_id), JSON.stringify(said))
}

/** Opens it again. @throws Error when it was made for another school or with another key */
export function openSaid({ data_key }: Pick<IdKeys, 'data_key'>, school_id: number, sealed: Buffer): SaidValues {
  return Said.parse(JSON.parse(openText(data_key, purpose(school_id), sealed)))
}

/** What collecting keeps sealed, for the exchange of keys. */
export const collect_sealed_parts: readonly SealedPart[] = [
  {
    name: 'people.collect_values', key: 'data_key', table: 'collect_answer', ids: [['task_id', 'bigint'], ['user_id', 'bigint']], columns: ['values_enc'],
    carry(secrets, school_id, { values_enc }) {
      return Buffer.isBuffer(values_enc) ? { values_enc: sealSaid(secrets, school_id, openSaid(secrets, school_id, values_enc)) } : null
    },
  },
]
