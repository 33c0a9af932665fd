import { bookApi } from '@campus/people/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

/** A book with one number, and its version. */
async function book(world: World) {
  const ask = async () => dataOf(bookApi.list, await world.app.call(bookApi.list, { type: '3' }, { token: world.me.token }))
  const { row_version } = (await ask()).book
  await world.app.call(bookApi.saveList, { type: '3', row_version, entries: [{ title: '门卫室', tel: '0571-88001234' }] }, { token: world.me.token })
  return ask()
}

export const bookCalls: ReadonlyMap<string, Builder> = new Map(buildersOf(bookApi, {
  list: () => ({ input: { type: '1' as const } }),
  save: async world => ({ input: { type: '3' as const, is_open: true, show_mobile: 'mask' as const, dept_ids: [world.ids.dept ?? ''], row_version: (await book(world)).book.row_version } }),
  saveList: async world => {
    const { row_version } = dataOf(bookApi.list, await world.app.call(bookApi.list, { type: '1' }, { token: world.me.token })).book
    return { input: { type: '1' as const, row_version, entries: [{ dept_id: world.ids.dept }] } }
  },
  deleteList: async world => ({ input: { type: '3' as const, ids: (await book(world)).entries.map(entry => entry.id).join(',') } }),
  teacherList: world => ({ input: { type: '1' as const, dept_id: world.ids.dept } }),
}))
