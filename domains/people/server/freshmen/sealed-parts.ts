import type { SealedPart } from '@kit/server/secrets'
import { indexIdNo, openIdNo, sealIdNo } from '../id-number.ts'

/** Identity numbers of applications: sealed and made findable as those of persons. */
export const freshmen_sealed_parts: readonly SealedPart[] = [
  {
    name: 'people.freshmen_id_no', key: 'data_key', table: 'freshmen_apply', ids: [['id', 'uuid']], columns: ['id_no_enc'],
    carry(secrets, school_id, { id_no_enc }) {
      return Buffer.isBuffer(id_no_enc) ? { id_no_enc: sealIdNo(secrets, school_id, openIdNo(secrets, school_id, id_no_enc)).id_no_enc } : null
    },
  },
  {
    name: 'people.freshmen_id_index', key: 'id_index_key', table: 'freshmen_apply', ids: [['id', 'uuid']], columns: ['id_no_enc', 'id_no_idx'],
    carry(secrets, school_id, { id_no_enc }) {
      return Buffer.isBuffer(id_no_enc) ? { id_no_idx: indexIdNo(secrets, openIdNo(secrets, school_id, id_no_enc)) } : null
    },
  },
]
