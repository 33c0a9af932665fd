import { cardFormatApi, readerApi, readerDeskApi } from '@campus/devices/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let made = 0

function formatDraft() {
  made += 1
  return { format_name: `格式${made}`, input: 'dec10' as const, byte_order: 'reversed' as const, truncation: 'none' as const, pad: true, upper: true, sample: '2A83155E' }
}

async function deskDraft({ app, me }: World) {
  made += 1
  const { format_id } = dataOf(cardFormatApi.add, await app.call(cardFormatApi.add, formatDraft(), { token: me.token })).format
  return { desk_name: `读卡点${made}`, reader_ip: '127.0.0.1', port: 32_156, mode: 'uid' as const, card_format_id: format_id }
}

async function aDesk(world: World) {
  return dataOf(readerDeskApi.add, await world.app.call(readerDeskApi.add, await deskDraft(world), { token: world.me.token })).desk
}

const desks = buildersOf(readerDeskApi, {
  list: () => ({ input: {} }),
  add: async world => ({ input: await deskDraft(world) }),
  update: async world => {
    const { desk_id, row_version } = await aDesk(world)
    return { input: { ...(await deskDraft(world)), desk_id, row_version } }
  },
  delete: async world => {
    const { desk_id, row_version } = await aDesk(world)
    return { input: { desk_id, row_version } }
  },
})

const formats = buildersOf(cardFormatApi, {
  list: () => ({ input: {} }),
  add: () => ({ input: formatDraft() }),
  update: async ({ app, me }) => {
    const { format_id, row_version } = dataOf(cardFormatApi.add, await app.call(cardFormatApi.add, formatDraft(), { token: me.token })).format
    return { input: { ...formatDraft(), format_id, row_version } }
  },
  test: () => ({ input: { uid_hex: '2A83155E' } }),
})

const social_key = { sector: 1, key: 'A0A1A2A3A4A5' }
const readers = buildersOf(readerApi, {
  social_cfg: async ({ app, me }) => {
    await app.call(readerApi.social_key, social_key, { token: me.token })
    return { input: {} }
  },
  social_key: () => ({ input: social_key }),
  sightings: () => ({ input: { kind: 'unknown' as const } }),
})

export const deviceReadersCalls: ReadonlyMap<string, Builder> = new Map([...desks, ...formats, ...readers])
