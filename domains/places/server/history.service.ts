import type { PlaceEra, placeApi } from '@campus/places/contract'
import type { Input, Reply } from '@kit/contract'
import type { PlacesCtx } from './db.ts'
import { placeHistoryPort } from './history-port.ts'
import { readUses } from './home.queries.ts'
import { readManagerSpans } from './manager.queries.ts'
import { readPastNames } from './past-name.write.ts'
import { placeScope } from './place.scope.ts'
import { requirePlace } from './place.service.ts'

const day_ms = 86_400_000
const startOf = (day: string) => new Date(`${day}T00:00:00+08:00`)

/** Who and what used a place, the newest first; with a day only what was there on it. @throws Refusal 404 */
export async function readHistory(ctx: PlacesCtx, { id, at }: Input<typeof placeApi.history>): Promise<Reply<typeof placeApi.history>> {
  const { app, db, school_id, me } = ctx
  const { node_path } = await requirePlace(ctx, id)
  const asked = { school_id, ids: node_path.split('/').filter(Boolean), codes: me.codes, scope: await placeScope(ctx) }
  const classes = (await readUses(db, school_id, id)).map(use => byDay('class', use.dept_name, null, use))
  const managers = (await readManagerSpans(db, school_id, id)).map(span => byDay('manager', span.user_name ?? '已离校人员', span.user_no, span))
  const others = (await Promise.all(placeHistoryPort.all(app).map(ask => ask(db, asked)))).flat()
  const names = (await readPastNames(db, school_id, id)).map(({ node_path_name, from, until }): PlaceEra => ({ kind: 'name', title: node_path_name, note: null, from: from.toISOString(), to: until.toISOString() }))
  const all = [...classes, ...managers, ...names, ...others].filter(era => at === undefined || wasOn(era, startOf(at)))
  return { list: all.toSorted((a, b) => Number(b.to === null) - Number(a.to === null) || Date.parse(b.from) - Date.parse(a.from)) }
}

function byDay(kind: PlaceEra['kind'], title: string, note: string | null, { valid_from, valid_to }: { valid_from: string; valid_to: string | null }): PlaceEra {
  return { kind, title, note, from: startOf(valid_from).toISOString(), to: valid_to === null ? null : startOf(valid_to).toISOString() }
}

function wasOn({ from, to }: PlaceEra, day: Date): boolean {
  return Date.parse(from) < day.getTime() + day_ms && (to === null || Date.parse(to) > day.getTime())
}
