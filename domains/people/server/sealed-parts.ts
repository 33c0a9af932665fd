import type { SealedPart } from '@kit/server/secrets'
import { carryKeyword } from './export/export.keyword.ts'
import { indexIdNo, openIdNo, sealIdNo } from './id-number.ts'
import { carryBefore } from './import/before.ts'

/** Everything of people that is sealed or made findable with a key of the installation, for the exchange of keys. */
export const sealed_parts: readonly SealedPart[] = [
  {
    name: 'people.id_no', key: 'data_key', table: 'person', ids: [['user_id', 'bigint']], columns: ['id_no_enc'],
    carry(secrets, school_id, { id_no_enc }) {
      if (!Buffer.isBuffer(id_no_enc)) return null
      return { id_no_enc: sealIdNo(secrets, school_id, openIdNo(secrets, school_id, id_no_enc)).id_no_enc }
    },
  },
  {
    name: 'people.id_index', key: 'id_index_key', table: 'person', ids: [['user_id', 'bigint']], columns: ['id_no_enc', 'id_no_idx'],
    carry(secrets, school_id, { id_no_enc }) {
      return Buffer.isBuffer(id_no_enc) ? { id_no_idx: indexIdNo(secrets, openIdNo(secrets, school_id, id_no_enc)) } : null
    },
  },
  {
    name: 'people.merge_id_no', key: 'data_key', table: 'merge_log', ids: [['id', 'bigint']], columns: ['kept_id_no_enc'],
    carry(secrets, school_id, { kept_id_no_enc }) {
      if (!Buffer.isBuffer(kept_id_no_enc)) return null
      return { kept_id_no_enc: sealIdNo(secrets, school_id, openIdNo(secrets, school_id, kept_id_no_enc)).id_no_enc }
    },
  },
  {
    name: 'people.import_before', key: 'data_key', table: 'import_row', ids: [['batch_no', 'text'], ['row_no', 'integer']], columns: ['before'],
    carry(secrets, school_id, { before }) {
      const carried = carryBefore(secrets.data_key, school_id, before)
      return carried ? { before: JSON.stringify(carried) } : null
    },
  },
  {
    name: 'people.export_keyword', key: 'data_key', table: 'job', ids: [['job_no', 'text']], columns: ['params'],
    carry(secrets, school_id, { params }) {
      const carried = carryKeyword(secrets.data_key, school_id, params)
      return carried ? { params: JSON.stringify(carried) } : null
    },
  },
]
