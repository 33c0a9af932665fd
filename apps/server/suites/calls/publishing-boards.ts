import { deviceApi } from '@campus/devices/contract'
import { classBoardApi, contentApi, countdownApi, playerApi, playRuleApi, templateApi, usual_zones } from '@campus/publishing/contract'
import { sql } from 'kysely'
import { dataOf, upload } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { campus, draft } from './devices.ts'
import { drawn } from './files.ts'

let made = 0
const as = ({ me }: World) => ({ token: me.token })
const next = () => (made += 1)

async function board(world: World): Promise<{ device_id: string; credential: string }> {
  const asked = { ...(await draft(world)), device_type: '03' as const, model_code: 'JD-B32' }
  const { device, setup } = dataOf(deviceApi.create, await world.app.call(deviceApi.create, asked, as(world)))
  // Where devices stand is asked of the database's own clock.
  await world.app.running.database.tenant(world.school_id, db =>
    sql`update device_place set valid_from = valid_from - interval '1 day' where school_id = ${world.school_id} and device_id = ${device.device_id}`.execute(
      db,
    ),
  )
  return { device_id: device.device_id, credential: `${asked.device_sn}.${setup?.secret ?? ''}` }
}
const boardId = async (world: World) => (await board(world)).device_id

const textDraft = async (world: World) => ({
  title: `欢迎${next()}`,
  source_kind: 7,
  text: '欢迎',
  zone: 'media',
  targets: [{ target: 2, target_id: await campus(world) }],
})
async function content(world: World): Promise<string> {
  return dataOf(contentApi.add, await world.app.call(contentApi.add, await textDraft(world), as(world))).id
}
async function living(world: World): Promise<string> {
  await board(world)
  const id = await content(world)
  dataOf(contentApi.publish, await world.app.call(contentApi.publish, { ids: [id] }, as(world)))
  return id
}

const templateDraft = () => ({ name: `模板${next()}`, orientation: 1, zones: [...usual_zones[1]] })
const template = async (world: World) => dataOf(templateApi.add, await world.app.call(templateApi.add, templateDraft(), as(world))).id
const ruleDraft = () => ({ name: `规则${next()}`, day_kind: 1, dayparts: [{ section: 'break' as const }] })
const rule = async (world: World) => dataOf(playRuleApi.add, await world.app.call(playRuleApi.add, ruleDraft(), as(world))).id
const countdownDraft = async (world: World) => ({
  title: '高考',
  target_on: '2027-06-07',
  zone: 'countdown',
  targets: [{ target: 1, target_id: await campus(world) }],
})
const countdown = async (world: World) =>
  dataOf(countdownApi.add, await world.app.call(countdownApi.add, await countdownDraft(world), as(world))).id

/** A board with a plan that holds one picture. */
async function planned(world: World): Promise<{ credential: string; sha256: string }> {
  const { device_id, credential } = await board(world)
  const file_key = await upload(world.app, world.me, { purpose: 'resource', name: `board${next()}.png`, body: await drawn() })
  const { id } = dataOf(
    contentApi.add,
    await world.app.call(
      contentApi.add,
      { ...(await textDraft(world)), source_kind: 1, text: '', files: [{ file_key, name: '照片' }] },
      as(world),
    ),
  )
  await world.app.call(contentApi.publish, { ids: [id] }, as(world))
  await world.app.call(classBoardApi.refresh, { device_ids: [device_id] }, as(world))
  const { files } = dataOf(playerApi.plan, await world.app.call(playerApi.plan, {}, { token: credential }))
  return { credential, sha256: files.at(-1)?.sha256 ?? '' }
}

export const publishingBoardCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(classBoardApi, {
    list: async world => ({ input: { place_id: await campus(world), template_id: await template(world) } }),
    deliveries: async world => ({ input: { id: await boardId(world) } }),
    plans: async world => ({ input: { id: await boardId(world) } }),
    preview: async world => {
      const id = await boardId(world)
      await world.app.call(classBoardApi.refresh, { device_ids: [id] }, as(world))
      return { input: { id, at: world.app.clock.now().toISOString() } }
    },
    playstat: () => ({ input: { from: '2026-11-16', to: '2026-11-22' } }),
    playstat_export: () => ({ input: { from: '2026-11-16', to: '2026-11-22' } }),
    update: async world => ({ input: { id: await boardId(world), name_mode: 2 } }),
    refresh: async world => ({ input: { device_ids: [await boardId(world)] } }),
    urgent: async world => ({ input: { device_ids: [await boardId(world)], text: '请留在教室', minutes: 5, reason: '演练' } }),
    urgent_stop: async world => ({ input: { device_ids: [await boardId(world)], reason: '解除' } }),
    pair: async world => ({ input: { device_id: await boardId(world) } }),
  }),
  ...buildersOf(contentApi, {
    list: () => ({ input: {} }),
    add: async world => ({ input: { ...(await textDraft(world)), rule_id: await rule(world) } }),
    update: async world => ({
      input: { ...(await textDraft(world)), id: await content(world), rule_id: await rule(world), row_version: 1 },
    }),
    remove: async world => ({ input: { id: await content(world) } }),
    publish: async world => {
      await board(world)
      return { input: { ids: [await content(world)] } }
    },
    takedown: async world => ({ input: { ids: [await living(world)], reason: '内容有误' } }),
    delivery: async world => ({ input: { id: await content(world) } }),
    zones: async world => ({ input: { scope: 5, scope_id: await boardId(world) } }),
    saveZone: async world => ({ input: { scope: 5, scope_id: await boardId(world), zone: 'honour', module: 'notice' as const } }),
    week: () => ({ input: { from: '2026-11-23' } }),
  }),
  ...buildersOf(templateApi, {
    list: () => ({ input: {} }),
    add: () => ({ input: templateDraft() }),
    update: async world => ({ input: { ...templateDraft(), id: await template(world), row_version: 1 } }),
    remove: async world => ({ input: { id: await template(world) } }),
    in_use: async world => ({ input: { template_id: await template(world) } }),
    change: async world => ({
      input: { device_ids: [await boardId(world)], place_ids: [await campus(world)], template_id: await template(world) },
    }),
  }),
  ...buildersOf(playRuleApi, {
    list: () => ({ input: {} }),
    add: () => ({ input: ruleDraft() }),
    update: async world => ({ input: { ...ruleDraft(), id: await rule(world), row_version: 1 } }),
    remove: async world => ({ input: { id: await rule(world) } }),
    enable: async world => ({ input: { id: await rule(world), enabled: false } }),
  }),
  ...buildersOf(countdownApi, {
    list: () => ({ input: {} }),
    add: async world => ({ input: { ...(await countdownDraft(world)), rule_id: await rule(world) } }),
    update: async world => ({ input: { ...(await countdownDraft(world)), id: await countdown(world), row_version: 1 } }),
    remove: async world => ({ input: { id: await countdown(world) } }),
  }),
  ...buildersOf(playerApi, {
    pair: async world => {
      const { code } = dataOf(classBoardApi.pair, await world.app.call(classBoardApi.pair, { device_id: await boardId(world) }, as(world)))
      return { input: { enrol_code: code } }
    },
    plan: async world => ({ input: {}, token: (await planned(world)).credential }),
    file: async world => {
      const { credential, sha256 } = await planned(world)
      return { input: { sha256 }, token: credential }
    },
    receipts: async world => ({
      input: {
        epoch: 'e1',
        words: [{ seq: 1, at: world.app.clock.now().toISOString(), row_key: 'plan', hash: 'x', state: 'accepted' as const }],
        status: {},
      },
      token: (await planned(world)).credential,
    }),
  }),
])
