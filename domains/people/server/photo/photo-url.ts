import { addressOf } from '@campus/files/server'
import type { App } from '@kit/server/http'

type Viewer = { app: App; now: Date; school_id: number; me: { user_id: string } }

/** Where a page of the school finds somebody's picture, small enough for a list, for ten to twenty minutes; null without one. */
export function photoUrl({ app, now, school_id, me }: Viewer, file_key: string | null): string | null {
  return file_key === null ? null : `${addressOf(app, now, { school_id, file_key, visibility: 'school' }, me)}&x-oss-process=image/resize,m_lfit,w_200`
}
