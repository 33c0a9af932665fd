import { Port } from '../http/port.ts'
import type { SecretName, Secrets } from './secret-name.ts'

/** A row with something sealed in it: the values of `columns`, and of `ids` as text. */
export type SealedRow = Readonly<Record<string, unknown>>

/**
 * One kind of value that a domain seals, or makes findable, with a key of the installation. Everything sealed with `data_key` or `id_index_key` in a
 * table must be told here: what is not told is unreadable once its key was exchanged and the earlier one given up.
 */
export type SealedPart = {
  /** `people.id_no` */
  name: string
  key: Extract<SecretName, 'data_key' | 'id_index_key'>
  table: string
  /** columns of the primary key behind school_id, in its order, with their types */
  ids: readonly (readonly [column: string, type: 'bigint' | 'integer' | 'smallint' | 'uuid' | 'text' | 'date'])[]
  columns: readonly string[]
  /** the values of `columns` that change, sealed with today's keys (openers know the earlier ones); null = nothing sealed in this row */
  carry(secrets: Secrets, school_id: number, row: SealedRow): Readonly<Record<string, Buffer | string>> | null
}

/** Filled by every domain that seals something. */
export const sealedPort = new Port<SealedPart>('secrets.sealed')

/** A bytea column that holds one sealed text. */
export function sealedColumn(
  part: Omit<SealedPart, 'columns' | 'carry' | 'key'> & { column: string; open(data_key: Buffer, school_id: number, sealed: Buffer, row: SealedRow): string; seal(data_key: Buffer, school_id: number, text: string, row: SealedRow): Buffer },
): SealedPart {
  const { column, open, seal, ...rest } = part
  return {
    ...rest,
    key: 'data_key',
    columns: [column],
    carry({ data_key }, school_id, row) {
      const sealed = row[column]
      if (!Buffer.isBuffer(sealed)) return null
      return { [column]: seal(data_key, school_id, open(data_key, school_id, sealed, row), row) }
    },
  }
}
