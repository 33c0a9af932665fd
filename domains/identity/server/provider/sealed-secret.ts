import { openText, sealedColumn, sealText } from '@kit/server/secrets'
import type { SealedPart, SealedRow } from '@kit/server/secrets'
import { secretPurpose } from './line.queries.ts'

const purposeOf = (school_id: number, { shape, adapter }: SealedRow) => secretPurpose(school_id, { shape: String(shape), adapter: String(adapter) })

/** The secrets of login providers, for the exchange of keys. */
export const sealedProviderSecret: SealedPart = sealedColumn({
  name: 'identity.provider_secret', table: 'login_provider', ids: [['shape', 'text'], ['adapter', 'text']], column: 'secret_enc',
  open: (key, school_id, sealed, row) => openText(key, purposeOf(school_id, row), sealed),
  seal: (key, school_id, text, row) => sealText(key, purposeOf(school_id, row), text),
})
