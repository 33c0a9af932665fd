import { dishApi, menuApi } from '@campus/canteen/contract'
import { createPlaces } from '@campus/places/server'
import { drawJpeg } from '@kit/server/image'
import { dataOf, upload } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let made = 0
const monday = '2027-03-01'
const as = ({ me }: World) => ({ token: me.token })
const draft = () => ({ name: `菜品${(made += 1)}`, dish_kind: '1' as const, allergens: [6], kcal: 300 })

async function dish(world: World): Promise<string> {
  return dataOf(dishApi.add, await world.app.call(dishApi.add, draft(), as(world))).id
}

async function drawnPicture({ app, me }: World): Promise<string> {
  made += 1
  const { bytes } = await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="${made % 64}" height="48"/></svg>`)
  return upload(app, me, { purpose: 'resource', name: `dish-${made}.jpg`, body: bytes })
}

/** A canteen of its own. */
async function canteen({ app, school_id }: World): Promise<string> {
  made += 1
  const ids = await app.running.database.tenant(school_id, db => createPlaces(db, school_id, [{ key: 'canteen', superior: null, place_name: `食堂${made}`, place_kind: 12, place_type: null, capacity: null }], '2026-09-01'))
  return ids.get('canteen') ?? ''
}

async function menu(world: World, publish: 0 | 1 = 0) {
  const [place_id, dish_id] = [await canteen(world), await dish(world)]
  const items = Array.from({ length: 5 }, (_, at) => ({ day: new Date(Date.parse(monday) + at * 86_400_000).toISOString().slice(0, 10), meal_kind: '3' as const, dish_id }))
  const { id } = dataOf(menuApi.save, await world.app.call(menuApi.save, { place_id, crowd_type: 1, week_start: monday, items, publish }, as(world)))
  return { id, dish_id }
}

export const canteenCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(dishApi, {
    list: () => ({ input: {} }),
    export: () => ({ input: {} }),
    add: () => ({ input: draft() }),
    update: async world => ({ input: { ...draft(), id: await dish(world), row_version: 1 } }),
    addPictures: async world => ({ input: { files: [{ file_key: await drawnPicture(world), name: '红烧肉.jpg' }] } }),
    remove: async world => ({ input: { id: await dish(world) } }),
  }),
  ...buildersOf(menuApi, {
    list: async world => ({ input: { place_id: await canteen(world) } }),
    places: () => ({ input: {} }),
    detail: async world => ({ input: { id: (await menu(world)).id } }),
    save: async world => ({ input: { place_id: await canteen(world), crowd_type: 1, week_start: monday, items: [] } }),
    withdraw: async world => ({ input: { id: (await menu(world, 1)).id } }),
    copy: async world => ({ input: { from_id: (await menu(world)).id, week_start: '2027-03-08' } }),
    substitute: async world => {
      const { id, dish_id } = await menu(world, 1)
      return { input: { id, day: monday, meal_kind: '3' as const, old_dish_id: dish_id, new_dish_id: await dish(world), reason: '原料未到货' } }
    },
    fill: async world => ({ input: { id: (await menu(world)).id } }),
    export: async world => ({ input: { ids: (await menu(world)).id } }),
    day: () => ({ input: { day: monday } }),
  }),
])
