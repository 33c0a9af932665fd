import { randomUUID } from 'node:crypto'
import { createPlaces } from '@campus/places/server'
import { checkinApi, educationApi, folderApi, homeworkApi, informApi, resourceApi, surveyApi } from '@campus/publishing/contract'
import { dataOf, upload } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { drawn } from './files.ts'

const days = { from: '2026-11-16', to: '2026-11-22' }
let made = 0
const as = ({ me }: World) => ({ token: me.token })
const folderDraft = () => ({ resource_type: 1, name: `相册${(made += 1)}` })

async function folder(world: World): Promise<string> {
  return dataOf(folderApi.add, await world.app.call(folderApi.add, folderDraft(), as(world))).id
}

async function brought({ app, me }: World) {
  return {
    resource_type: 1,
    files: [
      { file_key: await upload(app, me, { purpose: 'resource', name: `${randomUUID()}.png`, body: await drawn() }), name: '校园.png' },
    ],
  }
}

/** A picture for boards. */
async function picture(world: World): Promise<string> {
  const { list } = dataOf(resourceApi.add, await world.app.call(resourceApi.add, await brought(world), as(world)))
  const id = list[0]?.id ?? ''
  await world.app.call(educationApi.isPicture, { resource_ids: [id], is_picture: 1 }, as(world))
  return id
}

async function room({ app, school_id }: World): Promise<string> {
  const place_name = `展示室${(made += 1)}`
  const planned = { key: 'room', superior: null, place_name, place_kind: 5, place_type: null, capacity: null }
  const ids = await app.running.database.tenant(school_id, db => createPlaces(db, school_id, [planned], '2026-09-01'))
  return ids.get('room') ?? ''
}

const publication = async (world: World) => ({ resource_id: [await picture(world)], place_id: [await room(world)] })

async function published(world: World) {
  const asked = await publication(world)
  dataOf(resourceApi.publish, await world.app.call(resourceApi.publish, asked, as(world)))
  return asked
}

async function inBin(world: World): Promise<string> {
  const id = await picture(world)
  await world.app.call(resourceApi.remove, { resource_type: 1, resource_ids: id }, as(world))
  return id
}

async function label(world: World): Promise<string> {
  return dataOf(resourceApi.saveLabel, await world.app.call(resourceApi.saveLabel, { name: `标签${(made += 1)}` }, as(world))).id
}

const removal: Builder<{ resource_type: number; resource_ids: string }> = async world => ({
  input: { resource_type: 1, resource_ids: await picture(world) },
})

export const resourceCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(resourceApi, {
    list: async world => ({ input: { folder_id: await folder(world), label_id: await label(world) } }),
    detail: async world => ({ input: { id: await picture(world) } }),
    add: async world => ({ input: { ...(await brought(world)), folder_id: await folder(world), label_ids: [await label(world)] } }),
    publish: async world => ({ input: { ...(await publication(world)), publish_teacher: [] } }),
    unpublish: async world => ({ input: await published(world) }),
    remove: removal,
    impact: async world => ({ input: { resource_ids: await picture(world) } }),
    restore: async world => ({ input: { resource_ids: [await inBin(world)] } }),
    move: async world => ({ input: { resource_ids: [await picture(world)], folder_id: await folder(world) } }),
    replace: async world => {
      const [file] = (await brought(world)).files
      return { input: { id: await picture(world), file_key: file?.file_key ?? '', name: '新图.png' } }
    },
    labels: () => ({ input: {} }),
    saveLabel: () => ({ input: { name: `标签${(made += 1)}` } }),
    removeLabel: async world => ({ input: { id: await label(world) } }),
    setLabels: async world => ({ input: { resource_ids: [await picture(world)], label_ids: [await label(world)] } }),
    places: () => ({ input: {} }),
  }),
  ...buildersOf(folderApi, {
    list: () => ({ input: { resource_type: 1 } }),
    add: world => ({ input: { ...folderDraft(), owner_dept_id: world.ids.dept ?? null } }),
    update: async world => ({ input: { name: `相册${(made += 1)}`, id: await folder(world), row_version: 1 } }),
    remove: async world => ({ input: { id: await folder(world) } }),
    order: async world => ({ input: { folder_ids: [await folder(world)] } }),
  }),
  ...buildersOf(educationApi, {
    list: () => ({ input: {} }),
    isPicture: async world => ({ input: { resource_ids: [await picture(world)], is_picture: 0 as const } }),
    rename: async world => ({ input: { id: await picture(world), resource_name: '新校门' } }),
    remove: removal,
    published: async world => ({ input: { resource_id: (await published(world)).resource_id[0] ?? '' } }),
    publish: async world => ({ input: await publication(world) }),
    unpublish: async world => ({ input: await published(world) }),
    zip: async world => ({ input: { resource_ids: [await picture(world)] } }),
    download: async world => {
      await picture(world)
      const { list } = dataOf(educationApi.list, await world.app.call(educationApi.list, {}, as(world)))
      return { input: { url: list[0]?.cdn_name ?? '', filename: '校园' } }
    },
  }),
  ...buildersOf(informApi, {
    notice: () => ({ input: { ...days, by: 'author' as const } }),
    export: () => ({ input: days }),
  }),
  ...buildersOf(checkinApi, { list: () => ({ input: {} }), report: () => ({ input: days }), export: () => ({ input: days }) }),
  ...buildersOf(surveyApi, { list: () => ({ input: {} }), report: () => ({ input: days }), export: () => ({ input: days }) }),
  ...buildersOf(homeworkApi, {
    list: () => ({ input: {} }),
    report: () => ({ input: days }),
    load: world => ({ input: { begin_date: days.from, end_date: days.to, dept_id: world.ids.dept ?? '' } }),
    export: () => ({ input: days }),
  }),
])
