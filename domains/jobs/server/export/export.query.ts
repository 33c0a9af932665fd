import type { App } from '@kit/server/http'
import { openText, sealText } from '@kit/server/secrets'
import type { SealedPart } from '@kit/server/secrets'
import { z } from 'zod'

type Desk = { school_id: number; app: App }

const purposeOf = (school_id: number) => `jobs.export.query:${school_id}`
const Kept = z.looseObject({ query_enc: z.string() })

/** What was asked for, as a job may keep it: names and numbers of persons stand in no row of it readably. */
export function sealQuery({ school_id, app }: Desk, query: object): string {
  return sealText(app.secrets.data_key, purposeOf(school_id), JSON.stringify(query)).toString('base64')
}

/** The query of a job. @throws Error when it was sealed for another school or with another key */
export function openQuery({ school_id, app }: Desk, sealed: string): object {
  return z.looseObject({}).parse(JSON.parse(openText(app.secrets.data_key, purposeOf(school_id), Buffer.from(sealed, 'base64'))))
}

/** The queries of exports, for the exchange of keys. */
export const sealedQuery: SealedPart = {
  name: 'jobs.export_query', key: 'data_key', table: 'job', ids: [['job_no', 'text']], columns: ['params'],
  carry({ data_key }, school_id, { params }) {
    const kept = Kept.safeParse(params).data
    if (!kept) return null
    const text = openText(data_key, purposeOf(school_id), Buffer.from(kept.query_enc, 'base64'))
    return { params: JSON.stringify({ ...kept, query_enc: sealText(data_key, purposeOf(school_id), text).toString('base64') }) }
  },
}
