import { remarkApi } from '@campus/people/contract'
import type { RemarkField } from '@campus/people/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

const line = { label: '校区', options: ['东校区', '西校区'], applies_to: [2, 3, 4] }

/** The remark fields as they stand, at least one. */
async function standing({ app, me }: World) {
  const { list } = dataOf(remarkApi.config, await app.call(remarkApi.config, {}, { token: me.token }))
  return list.length > 0 ? list : dataOf(remarkApi.save, await app.call(remarkApi.save, { list: [line] }, { token: me.token })).list
}

function asLine(field: RemarkField) {
  const { used: _, ...known } = field
  return known
}

export const remarkCalls: ReadonlyMap<string, Builder> = new Map(
  buildersOf(remarkApi, {
    config: () => ({ input: {} }),
    save: async world => ({ input: { list: (await standing(world)).map(asLine) } }),
    statis: async world => ({ input: { field_id: (await standing(world))[0]?.id ?? '' } }),
  }),
)
