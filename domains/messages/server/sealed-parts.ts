import { openText, sealedColumn, sealText } from '@kit/server/secrets'
import type { SealedPart } from '@kit/server/secrets'
import { purposeOf } from './seal.ts'

/** Everything of messages that is sealed with a key of the installation, for the exchange of keys. */
export const sealed_parts: readonly SealedPart[] = [
  sealedColumn({
    name: 'messages.channel_secret', table: 'message_channel', ids: [['channel', 'smallint']], column: 'secret_enc',
    open: (key, school_id, sealed, row) => openText(key, purposeOf.secret(school_id, Number(row.channel)), sealed),
    seal: (key, school_id, text, row) => sealText(key, purposeOf.secret(school_id, Number(row.channel)), text),
  }),
  sealedColumn({
    name: 'messages.receipt_secret', table: 'message_channel', ids: [['channel', 'smallint']], column: 'receipt_secret_enc',
    open: (key, school_id, sealed, row) => openText(key, purposeOf.receipt(school_id, Number(row.channel)), sealed),
    seal: (key, school_id, text, row) => sealText(key, purposeOf.receipt(school_id, Number(row.channel)), text),
  }),
  sealedColumn({
    name: 'messages.address', table: 'message_address', ids: [['message_id', 'bigint'], ['to_key', 'text']], column: 'address_enc',
    open: (key, school_id, sealed) => openText(key, purposeOf.address(school_id), sealed),
    seal: (key, school_id, text) => sealText(key, purposeOf.address(school_id), text),
  }),
]
