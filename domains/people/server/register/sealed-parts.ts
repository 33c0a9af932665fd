import type { SealedPart } from '@kit/server/secrets'
import { openValues, sealValues, subjectIdx } from './values.ts'

/** What registration keeps sealed, or counts by a keyed hash. */
export const register_sealed_parts: readonly SealedPart[] = [
  {
    name: 'people.register_values', key: 'data_key', table: 'register_entry', ids: [['id', 'uuid']], columns: ['values_enc'],
    carry(secrets, school_id, { values_enc }) {
      return Buffer.isBuffer(values_enc) ? { values_enc: sealValues(secrets, school_id, openValues(secrets, school_id, values_enc)) } : null
    },
  },
  {
    name: 'people.register_mobile', key: 'id_index_key', table: 'register_entry', ids: [['id', 'uuid']], columns: ['values_enc', 'mobile_idx'],
    carry(secrets, school_id, { values_enc }) {
      return Buffer.isBuffer(values_enc) ? { mobile_idx: subjectIdx(secrets, school_id, `mobile:${openValues(secrets, school_id, values_enc).mobile}`) } : null
    },
  },
]
