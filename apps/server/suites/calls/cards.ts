import { cardApi, cardLogApi, cardSettingApi, cloudCardApi, socialApi, stockApi } from '@campus/cards/contract'
import { enrolStudents } from '@campus/people/server'
import { setCloudFee } from '@campus/school/server'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'

let made = 0

/** A number that no card of the school has yet. */
function nextNumber({ school_id }: World): string {
  made += 1
  return ((school_id % 200) * 0x10000 + made).toString(16).toUpperCase().padStart(8, '5')
}

async function wish(world: World) {
  return { user_id: (await enrolled(world)).user_id, card_no: nextNumber(world) }
}

/** A card that a pupil has. */
async function issued(world: World): Promise<{ card_id: string; user_id: string; op_id: string }> {
  const { app, me, school_id } = world
  const asked = await wish(world)
  const { op_id, holding_id } = dataOf(cardApi.issue, await app.call(cardApi.issue, asked, { token: me.token }))
  const card_id = await app.running.database.tenant<unknown, string>(school_id, async db =>
    (await sql<{ card_id: string }>`select card_id::text as card_id from card_holding where school_id = ${school_id} and holding_id = ${holding_id}`.execute(db)).rows[0]?.card_id ?? '')
  return { card_id, user_id: asked.user_id, op_id }
}

async function lost(world: World) {
  const card = await issued(world)
  const { results } = dataOf(cardApi.loss, await world.app.call(cardApi.loss, { card_ids: [card.card_id], lost_reason: 1 }, { token: world.me.token }))
  return { ...card, op_id: results[0]?.op_id ?? '' }
}

async function frozen(world: World): Promise<string> {
  const { card_id } = await issued(world)
  await world.app.call(cardApi.freeze, { card_ids: [card_id] }, { token: world.me.token })
  return card_id
}

/** The school settles accounts through the payment service. */
async function inCloud<T>(world: World, make: (world: World) => Promise<T>): Promise<T> {
  const { app, school_id } = world
  await app.running.database.tenant<unknown, boolean>(school_id, db => setCloudFee({ app: app.running.app, db, school_id, now: app.clock.now() }, true))
  return make(world)
}

type PeopleHandle = Parameters<typeof enrolStudents>[0]

/** A pupil with an identity number, and a social card that carries it. */
async function socialWish(world: World) {
  const { app, school_id } = world
  const { dept_id } = await enrolled(world)
  made += 1
  const id_no = `SC${school_id}N${made}`
  const pupil = { user_name: '钱小云', sex: '1', student_no: `C${school_id}-${made}`, enrol_month: '202609', dept_id, from: '2026-09-01', id_type: 'A', id_no }
  const [user_id = ''] = await app.running.database.tenant(school_id, (db: PeopleHandle) => enrolStudents(db, app.running.app.secrets, school_id, [pupil]))
  return { user_id, card_no: nextNumber(world), social_no: `SB${school_id}${made}`, id_no }
}

async function socialRead(world: World) {
  const { user_id: _, ...read } = await socialWish(world)
  return read
}

/** A social card that somebody has. */
async function bound(world: World): Promise<string> {
  const wished = await socialWish(world)
  await world.app.call(socialApi.issue, wished, { token: world.me.token })
  return socialOf(world, wished.user_id)
}

async function socialOf({ app, school_id }: World, user_id: string): Promise<string> {
  return app.running.database.tenant<unknown, string>(school_id, async db =>
    (await sql<{ card_id: string }>`select card_id::text as card_id from card_holding where school_id = ${school_id} and user_id = ${user_id} and ended_at is null`.execute(db)).rows[0]?.card_id ?? '')
}

async function conflict(world: World): Promise<string> {
  const { app, school_id } = world
  const { user_id } = await enrolled(world)
  return app.running.database.tenant<unknown, string>(school_id, async db =>
    (await sql<{ conflict_id: string }>`insert into card_conflict (school_id, uid_hex, attempted_user_id, kind, found_at) values (${school_id}, ${nextNumber(world)}, ${user_id}, 1, ${app.clock.now()}) returning conflict_id::text as conflict_id`.execute(db)).rows[0]?.conflict_id ?? '')
}

async function used(world: World) {
  const { app, school_id } = world
  const { user_id } = await enrolled(world)
  made += 1
  const key = { device_id: '1', device_seq: `seq${made}` }
  await app.running.database.tenant<unknown, unknown>(school_id, db =>
    sql`insert into card_use_after_block (school_id, device_id, device_seq, at, received_at, uid_hex, user_id, kind, allowed) values (${school_id}, 1, ${key.device_seq}, ${app.clock.now()}, ${app.clock.now()}, ${nextNumber(world)}, ${user_id}, 1, true)`.execute(db))
  return key
}

async function inStock(world: World): Promise<string> {
  return dataOf(stockApi.add, await world.app.call(stockApi.add, { card_no: nextNumber(world) }, { token: world.me.token })).row.card_id
}

const ids = async (world: World) => ({ card_ids: [(await issued(world)).card_id] })

const acts = {
  state: async (world: World) => ({ input: { user_ids: [(await issued(world)).user_id] } }),
  issue: async (world: World) => ({ input: await wish(world) }),
  loss: async (world: World) => ({ input: { ...(await ids(world)), lost_reason: 1 } }),
  cancelLoss: async (world: World) => ({ input: { card_id: (await lost(world)).card_id } }),
  reissue: async (world: World) => ({ input: { old_card_id: (await lost(world)).card_id, card_no: nextNumber(world) } }),
  reissueFast: async (world: World) => ({ input: { old_card_id: (await issued(world)).card_id, card_no: nextNumber(world) } }),
  revoke: async (world: World) => ({ input: { ...(await ids(world)), returned: true } }),
}

export const cardsCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(cardApi, {
    ...acts,
    list: async world => ({ input: { dept_id: (await enrolled(world)).dept_id } }),
    export: async world => ({ input: { dept_id: (await enrolled(world)).dept_id } }),
    progress: () => ({ input: {} }),
    exchange: acts.reissueFast,
    renew: async world => ({ input: { ...(await ids(world)), valid_to: '2030-07-15' } }),
    freeze: async world => ({ input: await ids(world) }),
    unfreeze: async world => ({ input: { card_ids: [await frozen(world)] } }),
    undo: async world => ({ input: { op_id: (await issued(world)).op_id } }),
    selfCards: () => ({ input: {} }),
    selfLoss: async world => {
      const card_id = await ownCard(world)
      return { input: { card_id } }
    },
  }),
  ...buildersOf(cloudCardApi, {
    state: world => inCloud(world, acts.state),
    issue: world => inCloud(world, acts.issue),
    loss: world => inCloud(world, acts.loss),
    cancelLoss: world => inCloud(world, acts.cancelLoss),
    reissue: world => inCloud(world, acts.reissue),
    reissueFast: world => inCloud(world, acts.reissueFast),
    revoke: world => inCloud(world, acts.revoke),
  }),
  ...buildersOf(stockApi, {
    list: () => ({ input: {} }),
    export: () => ({ input: {} }),
    counts: () => ({ input: {} }),
    add: world => ({ input: { card_no: nextNumber(world) } }),
    range: world => {
      const from_no = nextNumber(world)
      return { input: { from_no, to_no: from_no } }
    },
    void: async world => ({ input: { card_ids: [await inStock(world)], reason: '芯片损坏' } }),
    found: async world => {
      const { card_id } = await issued(world)
      await world.app.call(cardApi.revoke, { card_ids: [card_id], returned: false }, { token: world.me.token })
      return { input: { card_ids: [card_id] } }
    },
    check: world => ({ input: { card_nos: [nextNumber(world)] } }),
  }),
  ...buildersOf(cardLogApi, {
    page: async world => ({ input: { user_id: (await issued(world)).user_id } }),
    export: async world => ({ input: { user_id: (await issued(world)).user_id } }),
    blocks: async world => ({ input: { op_id: (await lost(world)).op_id } }),
    blockStat: () => ({ input: {} }),
    used: () => ({ input: {} }),
    handleUsed: async world => ({ input: { ...(await used(world)), note: '已联系家长' } }),
    conflicts: () => ({ input: {} }),
    decide: async world => ({ input: { conflict_id: await conflict(world), decision: 3, reason: '登记有误' } }),
    deposits: () => ({ input: {} }),
  }),
  ...buildersOf(cardSettingApi, {
    read: () => ({ input: {} }),
    write: async world => ({ input: { ...dataOf(cardSettingApi.read, await world.app.call(cardSettingApi.read, {}, { token: world.me.token })), slave_max: 3 } }),
  }),
  ...buildersOf(socialApi, {
    list: async world => ({ input: { dept_id: (await enrolled(world)).dept_id } }),
    checkAuto: async world => ({ input: await socialRead(world) }),
    issue: async world => ({ input: await socialWish(world) }),
    autoIssue: async world => ({ input: await socialRead(world) }),
    loss: async world => ({ input: { card_id: await bound(world) } }),
    cancelLoss: async world => {
      const card_id = await bound(world)
      await world.app.call(socialApi.loss, { card_id }, { token: world.me.token })
      return { input: { card_id } }
    },
    revoke: async world => ({ input: { card_id: await bound(world) } }),
    exchange: async world => {
      const { user_id, ...read } = await socialWish(world)
      await world.app.call(socialApi.issue, { user_id, ...read }, { token: world.me.token })
      const card_id = await socialOf(world, user_id)
      return { input: { ...read, card_id, card_no: nextNumber(world), social_no: `${read.social_no}2` } }
    },
  }),
])

/** A card of the person who calls. */
async function ownCard(world: World): Promise<string> {
  const { app, school_id, me } = world
  const { card_id } = await issued(world)
  await app.running.database.tenant<unknown, unknown>(school_id, async db => {
    await sql`update card_holding set ended_at = ${app.clock.now()}, state = 4 where school_id = ${school_id} and user_id = ${me.user_id} and ended_at is null`.execute(db)
    return sql`update card_holding set user_id = ${me.user_id} where school_id = ${school_id} and card_id = ${card_id} and ended_at is null`.execute(db)
  })
  return card_id
}
