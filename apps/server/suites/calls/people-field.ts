import { fieldApi } from '@campus/people/contract'
import type { CustomField } from '@campus/people/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

const pupils = 1
const line = (field_code: string, label: string) => ({ field_code, label, type: 'text' as const })

/** The pupils' fields as they stand, with one more at least. */
async function standing({ app, me }: World) {
  const { list } = dataOf(fieldApi.list, await app.call(fieldApi.list, { field_scene: pupils }, { token: me.token }))
  if (list.length > 0) return list
  return dataOf(fieldApi.save, await app.call(fieldApi.save, { field_scene: pupils, list: [line('hobby', '兴趣爱好')] }, { token: me.token })).list
}

function asLine(field: CustomField) {
  const { order_no: _, used: __, may_edit: ___, ...known } = field
  return known
}

export const fieldCalls: ReadonlyMap<string, Builder> = new Map(
  buildersOf(fieldApi, {
    list: () => ({ input: { field_scene: pupils } }),
    save: async world => ({ input: { field_scene: pupils, list: (await standing(world)).map(asLine) } }),
  }),
)
