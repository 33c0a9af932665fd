import type { App } from '@kit/server/http'
import { z } from 'zod'
import { openText, sealText } from '../seal.ts'

type Desk = { school_id: number; app: App }

/** What was searched for, as a job may keep it: names and numbers of persons stand in no row of it readably. */
export function sealKeyword({ school_id, app }: Desk, keyword: string | undefined): string | undefined {
  return keyword === undefined ? undefined : sealText(app.secrets.data_key, purposeOf(school_id), keyword).toString('base64')
}

/** The keyword of a job. @throws Error when it was sealed for another school or with another key */
export function openKeyword({ school_id, app }: Desk, sealed: string | undefined): string | undefined {
  return sealed === undefined ? undefined : openText(app.secrets.data_key, purposeOf(school_id), Buffer.from(sealed, 'base64'))
}

const Kept = z.looseObject({ keyword_enc: z.string() })

/** Parameters of an export with their keyword sealed with today's key; null for jobs without one. */
export function carryKeyword(data_key: Buffer, school_id: number, params: unknown): z.output<typeof Kept> | null {
  const kept = Kept.safeParse(params).data
  if (!kept) return null
  const text = openText(data_key, purposeOf(school_id), Buffer.from(kept.keyword_enc, 'base64'))
  return { ...kept, keyword_enc: sealText(data_key, purposeOf(school_id), text).toString('base64') }
}

function purposeOf(school_id: number): string {
  return `people.export.keyword:${school_id}`
}
