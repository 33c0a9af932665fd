import { randomUUID } from 'node:crypto'
import { fileApi, tokenApi, uploadApi } from '@campus/files/contract'
import { addressOf } from '@campus/files/server'
import { sql } from 'kysely'
import sharp from 'sharp'
import { upload, uploadToken } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

/** A small picture. */
export const drawn = (): Promise<Buffer> => sharp({ create: { width: 8, height: 8, channels: 3, background: '#0958d9' } }).png().toBuffer()

async function inStore({ app, school_id }: World, oss_type: number): Promise<void> {
  await app.running.database.tenant(school_id, db => sql`update school_config set oss_type = ${oss_type} where school_id = ${school_id}`.execute(db))
}

/** A private file that is in use; its parts as the address names them. */
async function privateFile(world: World): Promise<string> {
  const { app, me, school_id } = world
  const file_key = await upload(app, me, { purpose: 'id_photo', name: `${randomUUID()}.png`, body: await drawn() })
  await app.running.database.tenant(school_id, db => sql`update file_object set state = 3 where school_id = ${school_id} and file_key = ${file_key}`.execute(db))
  return file_key
}

export const filesCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(tokenApi, {
    aliyun: async world => ({ input: await inStore(world, 1).then(() => ({})) }),
    qiniu: async world => ({ input: await inStore(world, 2).then(() => ({})) }),
    minio: async world => ({ input: await inStore(world, 3).then(() => ({})) }),
  }),
  ...buildersOf(fileApi, {
    read: async world => {
      const { files } = world.app.running.app
      const path = await files.reserve(world.school_id, 'logo', '.png')
      await sharp(await drawn()).toFile(path.path)
      return { input: { school_id: world.school_id, folder: 'logo', name: path.file_key.split('/').at(-1) ?? '' } }
    },
    view: async world => {
      const { app, clock } = { app: world.app.running.app, clock: world.app.clock }
      const file_key = await privateFile(world)
      const address = new URL(addressOf(app, clock.now(), { school_id: world.school_id, file_key, visibility: 'private' }, world.me), 'http://school')
      const [school_id = '', folder = '', day = '', name = ''] = file_key.split('/')
      const [u = '', e = '', s = ''] = ['u', 'e', 's'].map(part => address.searchParams.get(part) ?? '')
      return { input: { school_id, folder, day, name, u, e, s } }
    },
  }),
  ...buildersOf(uploadApi, {
    save: async world => {
      const token = await uploadToken(world.app, world.me, { purpose: 'resource' })
      const name = `${randomUUID()}.png`
      return { input: { ...token.fields, ticket: token.host.split('/').at(-1) ?? '', key: token.dir + name }, file: { name, body: await drawn() } }
    },
  }),
])
