import { classHonourApi, crowdApi, deptHonourApi, informationApi, noticeApi, readerApi } from '@campus/publishing/contract'
import { resourceCalls } from './resource.ts'
import type { HonourApi, PostApi } from '@campus/publishing/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'
import { publishingBoardCalls } from './publishing-boards.ts'

type Made = { id: string; dept_id: string; user_id: string }
let made = 0

const as = ({ me }: World) => ({ token: me.token })
const draftOf = (kind: '1' | '6', dept_id: string, more: object = {}) => ({ scene: 1, kind, title: '秋季运动会', content_html: '<p>请准时参加</p>', audience: [{ target_type: 1 as const, target_id: dept_id }], ...more })

async function drafted(world: World, api: PostApi, kind: '1' | '6', more: object = {}): Promise<Made> {
  const pupil = await enrolled(world)
  const { id } = dataOf(api.add, await world.app.call(api.add, draftOf(kind, pupil.dept_id, more), as(world)))
  return { id, ...pupil }
}

/** What an immediate publication needs: the hash of the set as it is. */
async function toPublish(world: World, api: PostApi, kind: '1' | '6', more: object = {}) {
  const post = await drafted(world, api, kind, more)
  const { audience_hash } = dataOf(api.preview, await world.app.call(api.preview, { scene: 1, kind, audience: draftOf(kind, post.dept_id).audience }, as(world)))
  return { ...post, audience_hash }
}

async function sent(world: World, api: PostApi, kind: '1' | '6', more: object = {}): Promise<Made> {
  const { id, audience_hash, ...pupil } = await toPublish(world, api, kind, more)
  dataOf(api.publish, await world.app.call(api.publish, { id, audience_hash }, as(world)))
  return { id, ...pupil }
}

/** Rows in the name of the calling person, who is no pupil. */
async function sentToMe(world: World, more: object = {}): Promise<Made> {
  const post = await sent(world, noticeApi, '1', more)
  const { app, me, school_id } = world
  await app.running.database.tenant(school_id, db => sql`update publishing_recipient set user_id = ${me.user_id} where school_id = ${school_id} and post_id = ${post.id} and role = 1`.execute(db))
  return post
}

/** A submission of somebody, made beside the calls. */
async function submitted(world: World, api: PostApi, kind: '1' | '6'): Promise<string> {
  const post = await sent(world, api, kind)
  const { app, school_id } = world
  return app.running.database.tenant<unknown, string>(school_id, async db =>
    (await sql<{ id: string }>`insert into publishing_submission (school_id, post_id, user_id, subject_user_id, rev, answers, content, late, state, at) values (${school_id}, ${post.id}, ${post.user_id}, ${post.user_id}, 1, '{}', '收到', false, 1, ${app.clock.now()}) returning submission_id::text as id`.execute(db)).rows[0]?.id ?? '')
}

/** A post that waits for somebody else. */
async function waiting(world: World, api: PostApi, kind: '1' | '6'): Promise<string> {
  const { id } = await drafted(world, api, kind)
  const { app, school_id } = world
  await app.running.database.tenant(school_id, db => sql`update publishing_post set state = 1, created_by = created_by + 1000000 where school_id = ${school_id} and post_id = ${id}`.execute(db))
  return id
}

const later = ({ app }: World) => new Date(app.clock.now().getTime() + 3_600_000).toISOString()

function postBuilders(api: PostApi, kind: '1' | '6'): Map<string, Builder> {
  const people: Builder<{ notice_id: string }> = async world => ({ input: { notice_id: (await sent(world, api, kind)).id } })
  return buildersOf(api, {
    list: () => ({ input: {} }),
    exportList: () => ({ input: {} }),
    detail: async world => ({ input: { id: (await drafted(world, api, kind)).id } }),
    add: async world => ({ input: draftOf(kind, (await enrolled(world)).dept_id) }),
    update: async world => {
      const { id, dept_id } = await drafted(world, api, kind)
      return { input: { ...draftOf(kind, dept_id), id, row_version: 1 } }
    },
    remove: async world => ({ input: { id: (await drafted(world, api, kind)).id } }),
    copy: async world => ({ input: { id: (await drafted(world, api, kind)).id } }),
    preview: async world => ({ input: { scene: 1, kind, audience: draftOf(kind, (await enrolled(world)).dept_id).audience } }),
    publish: async world => {
      const { id, audience_hash } = await toPublish(world, api, kind)
      return { input: { id, audience_hash } }
    },
    approve: async world => ({ input: { id: await waiting(world, api, kind), pass: false, reason: '请补充时间' } }),
    cancel: async world => {
      const { id } = await drafted(world, api, kind)
      await world.app.call(api.publish, { id, publish_at: later(world) }, as(world))
      return { input: { id } }
    },
    recall: async world => ({ input: { id: (await sent(world, api, kind)).id, reason: '时间有误' } }),
    republish: async world => {
      const { id, audience_hash } = await toPublish(world, api, kind)
      await world.app.call(api.publish, { id, audience_hash }, as(world))
      await world.app.call(api.recall, { id, reason: '时间有误' }, as(world))
      return { input: { id, audience_hash } }
    },
    read: people,
    unread: people,
    committed: people,
    uncommitted: people,
    unreachable: people,
    report: people,
    alert: async world => ({ input: { notice_id: (await sent(world, api, kind)).id, scope: 1 as const } }),
    phoned: async world => {
      const { id, user_id } = await sent(world, api, kind)
      return { input: { notice_id: id, subject_ids: [user_id], phoned: true } }
    },
    streaks: people,
    alertLog: people,
    submissions: people,
    exportReceipts: people,
    giveBack: async world => ({ input: { id: await submitted(world, api, kind), reason: '请补全' } }),
    review: async world => ({ input: { ids: [await submitted(world, api, kind)], grade: '优' } }),
  })
}

const crowdDraft = (dept_id: string) => ({ name: `人群${(made += 1)}`, scene: 1, shared: 0, rule: { dept_ids: [dept_id] } })

async function crowd(world: World): Promise<Made> {
  const pupil = await enrolled(world)
  const { id } = dataOf(crowdApi.add, await world.app.call(crowdApi.add, crowdDraft(pupil.dept_id), as(world)))
  return { id, ...pupil }
}

/** Classes are of the pupils' tree, the root of both is a department too. */
function honourBuilders(api: HonourApi, deptOf: (world: World) => Promise<string>): Map<string, Builder> {
  const draft = async (world: World) => ({ dept_ids: [await deptOf(world)], honour_code: '1', title: '文明班级', awarded_on: '2026-11-02' })
  const awarded = async (world: World) => {
    await world.app.call(api.add, await draft(world), as(world))
    return dataOf(api.list, await world.app.call(api.list, {}, as(world))).list[0]?.id ?? ''
  }
  return buildersOf(api, {
    list: async world => ({ input: { dept_id: await deptOf(world) } }),
    board: () => ({ input: { to: '2026-11-20' } }),
    add: async world => ({ input: await draft(world) }),
    update: async world => {
      const { dept_ids: _dept_ids, ...rest } = await draft(world)
      return { input: { ...rest, id: await awarded(world), row_version: 1 } }
    },
    revoke: async world => ({ input: { id: await awarded(world), reason: '登记有误' } }),
  })
}

export const publishingCalls: ReadonlyMap<string, Builder> = new Map([
  ...resourceCalls,
  ...publishingBoardCalls,
  ...postBuilders(noticeApi, '1'),
  ...postBuilders(informationApi, '6'),
  ...honourBuilders(classHonourApi, async world => (await enrolled(world)).dept_id),
  ...honourBuilders(deptHonourApi, world => Promise.resolve(world.ids.dept ?? '')),
  ...buildersOf(readerApi, {
    inbox: () => ({ input: {} }),
    unread: () => ({ input: {} }),
    mustRead: () => ({ input: {} }),
    open: async world => ({ input: { id: (await sentToMe(world)).id } }),
    confirm: async world => ({ input: { id: (await sentToMe(world, { reply_kind: 1 })).id } }),
    submit: async world => {
      const { id, user_id } = await sentToMe(world, { reply_kind: 4 })
      return { input: { id, subject_user_id: user_id, text: '收到' } }
    },
    submission: async world => {
      const { id, user_id } = await sentToMe(world, { reply_kind: 4 })
      return { input: { id, subject_user_id: user_id } }
    },
  }),
  ...buildersOf(crowdApi, {
    list: () => ({ input: {} }),
    add: async world => ({ input: crowdDraft((await enrolled(world)).dept_id) }),
    update: async world => {
      const { id, dept_id } = await crowd(world)
      return { input: { ...crowdDraft(dept_id), id, row_version: 1 } }
    },
    remove: async world => ({ input: { id: (await crowd(world)).id } }),
    count: async world => ({ input: { scene: 1, rule: { dept_ids: [(await enrolled(world)).dept_id] } } }),
    members: async world => ({ input: { id: (await crowd(world)).id } }),
    addUsers: async world => {
      const { id, user_id } = await crowd(world)
      return { input: { id, user_ids: [user_id], mode: 1 as const } }
    },
    removeUsers: async world => {
      const { id, user_id } = await crowd(world)
      await world.app.call(crowdApi.addUsers, { id, user_ids: [user_id], mode: 1 }, as(world))
      return { input: { id, user_ids: [user_id] } }
    },
  }),
])
