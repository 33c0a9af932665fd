import { classroom_kinds } from '@campus/places/contract'
import type { AddableClass } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import type { PlacesCtx } from './db.ts'
import { homesFrom, readClasses } from './home.queries.ts'
import { readPlaces } from './place.queries.ts'
import { placeScope } from './place.scope.ts'
import { suggestHomes } from './suggest.ts'

/** Classes without a room, free classrooms, and which would suit which (chapter 30 rule 22). */
export async function readAddable(ctx: PlacesCtx): Promise<AddableClass> {
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
    classes: without.map(({ id, dept_name }) => ({ dept_id: id, dept_name })),
    rooms: free.map(({ place_id, place_name, node_path_name, capacity }) => ({ place_id, place_name, node_path_name, capacity })),
    pairs: suggestHomes(without.map(({ id, parent_id }) => ({ dept_id: id, parent_id })), free, known),
  }
}
