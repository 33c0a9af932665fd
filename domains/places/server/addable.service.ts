import { classroom_kinds } from '@campus/places/contract'
import type { AddableClass, placeApi } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { addablePort } from './addable-port.ts'
import type { PlacesCtx } from './db.ts'
import { homesFrom, readClasses } from './home.queries.ts'
import { readPlaces } from './place.queries.ts'
import { placeScope } from './place.scope.ts'
import { suggestHomes } from './suggest.ts'

/** What could be put into places, and which places would suit (chapter 30 rule 22). @throws Refusal 403, 404 where nobody knows of devices */
export async function readAddable(ctx: PlacesCtx, { purpose, device_type }: Input<typeof placeApi.addable>): Promise<Reply<typeof placeApi.addable>> {
  if (purpose === 'class') return readAddableClasses(ctx)
  const { app, db, school_id, now, me } = ctx
  const scope = await placeScope(ctx)
  const [ask] = addablePort.all(app)
  if (!ask) throw fail(commonErrors.notFound)
  const places = (await readPlaces(db, { school_id, scope, on: schoolDay(now), status: 'open' })).filter(place => place.is_leaf)
  return ask(db, { school_id, now, purpose, device_type, places, is_whole: scope === 'all', codes: me.codes })
}

/** Classes without a room, free classrooms, and which would suit which (chapter 30 rule 22). */
async function readAddableClasses(ctx: PlacesCtx): Promise<AddableClass> {
  const { db, school_id } = ctx
  const on = schoolDay(ctx.now)
  const places = await readPlaces(db, { school_id, scope: await placeScope(ctx), on, status: 'open' })
  const rooms = places.filter(place => classroom_kinds.includes(place.place_kind))
  const classes = await readClasses(db, school_id)
  const homes = classes.length === 0 ? [] : await homesFrom(db, school_id, { column: 'dept_id', ids: classes.map(one => one.id) }, on)
  const housed = new Set(homes.map(home => home.dept_id))
  const taken = new Set(homes.map(home => home.place_id))
  const without = classes.filter(one => !housed.has(one.id))
  const free = rooms.filter(room => !taken.has(room.place_id))
  const known = homes.flatMap(home => {
    const room = rooms.find(one => one.place_id === home.place_id)
    return room ? [{ parent_id: classes.find(one => one.id === home.dept_id)?.parent_id ?? null, node_path: room.node_path }] : []
  })
  return {
    purpose: 'class',
    classes: without.map(({ id, dept_name }) => ({ dept_id: id, dept_name })),
    rooms: free.map(({ place_id, place_name, node_path_name, capacity }) => ({ place_id, place_name, node_path_name, capacity })),
    pairs: suggestHomes(without.map(({ id, parent_id }) => ({ dept_id: id, parent_id })), free, known),
  }
}
