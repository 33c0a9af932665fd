import { randomUUID } from 'node:crypto'
import { faceApi, faceBatchApi, faceConsentApi, faceLinkApi, facePolicyApi } from '@campus/faces/contract'
import { createFacePolicy } from '@campus/faces/server'
import { drawJpeg } from '@kit/server/image'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { dataOf, upload } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'

type Handle = QueryExecutorProvider
const inSchool = <R>({ app, school_id }: World, work: (db: Handle) => Promise<R>) => app.running.database.tenant<unknown, R>(school_id, work)
const send = (world: World) => ({ token: world.me.token })

/** Faces are on, and no detector is asked: a drawing is no face. */
async function switchOn(world: World): Promise<void> {
  const { app, school_id } = world
  await inSchool(world, async db => {
    await createFacePolicy({ app: app.running.app, db, school_id, now: app.clock.now() }, { protocol_title: '人脸授权书', protocol_text: '用于校园通行。', assessed_on: '2026-09-01' })
    await sql`update school_config set forbid_face_test = 1 where school_id = ${school_id}`.execute(db)
  })
}

async function sitter(world: World): Promise<{ user_id: string; user_no: string; dept_id: string }> {
  await switchOn(world)
  const { user_id, dept_id } = await enrolled(world)
  const user_no = await inSchool(world, async db => (await sql<{ no: string }>`select student_no as no from live_student where school_id = ${world.school_id} and user_id = ${user_id}`.execute(db)).rows[0]?.no ?? '')
  return { user_id, user_no, dept_id }
}

/** Another picture each time. */
async function picture(world: World, purpose: 'face' | 'person_file' = 'face'): Promise<string> {
  const { bytes } = await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="240" height="320"><ellipse cx="50%" cy="50%" rx="40%" ry="45%" fill="#${randomUUID().slice(0, 6)}"/></svg>`)
  return upload(world.app, world.me, { purpose, name: `${randomUUID()}.jpg`, body: bytes })
}

/** A pupil with a photograph that waits for a person. */
async function waiting(world: World): Promise<{ user_id: string; face_id: string; dept_id: string }> {
  const { user_id, dept_id } = await sitter(world)
  const { face_id } = dataOf(faceApi.set, await world.app.call(faceApi.set, { user_id, face_pics: await picture(world) }, send(world)))
  return { user_id, face_id, dept_id }
}

/** A case between two pupils whose pictures wait. */
async function alike(world: World): Promise<string> {
  const [one, other] = [await waiting(world), await waiting(world)]
  return inSchool(world, async db =>
    (await sql<{ case_id: string }>`insert into face_case (school_id, kind, face_id, other_face_id, user_id, other_user_id, similarity, found_at)
      values (${world.school_id}, 1, ${one.face_id}, ${other.face_id}, ${one.user_id}, ${other.user_id}, 90, ${world.app.clock.now()}) returning case_id::text as case_id`.execute(db)).rows[0]?.case_id ?? '')
}

/** A consent that somebody else has put on paper. */
async function onPaper(world: World): Promise<string> {
  const { user_id } = await sitter(world)
  const file_key = await picture(world, 'person_file')
  await world.app.call(faceConsentApi.paper, { user_id, file_key }, send(world))
  await inSchool(world, db => sql`update face_consent set paper_by = ${Number(world.me.user_id) + 1} where school_id = ${world.school_id} and user_id = ${user_id}`.execute(db))
  return user_id
}

/** A child of the person who calls, about whom he was asked. */
async function ownChild(world: World): Promise<string> {
  const { app, me, school_id } = world
  const { user_id } = await sitter(world)
  await inSchool(world, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${me.user_id}, '家长', 'jiazhang', 'jz', '1') on conflict do nothing`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${me.user_id}) on conflict do nothing`.execute(db)
    await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from) values (${school_id}, ${user_id}, ${me.user_id}, '1', '2026-09-01')`.execute(db)
  })
  await app.call(faceConsentApi.remind, { user_ids: [user_id] }, send(world))
  return user_id
}

/** The link by which the caller answers for his child; he proves who he is by his mobile number. */
async function link(world: World): Promise<string> {
  const user_id = await ownChild(world)
  return inSchool(world, async db => {
    await sql`update person set mobile = '13800001234' where school_id = ${world.school_id} and user_id = ${world.me.user_id}`.execute(db)
    const { rows } = await sql<{ link: string }>`
      select m.link from message m join message_person p on p.school_id = m.school_id and p.message_id = m.message_id
      where m.school_id = ${world.school_id} and p.subject_user_id = ${user_id} and m.link like '/m/face/%'`.execute(db)
    return rows[0]?.link.replace('/m/face/', '') ?? ''
  })
}

/** A batch of one picture for a pupil. */
async function batch(world: World): Promise<{ batch_id: string; user_id: string }> {
  const { user_id, user_no } = await sitter(world)
  const files = [{ item_seq: 1, file_name: `${user_no}.jpg`, size: 1000 }]
  return { batch_id: dataOf(faceBatchApi.open, await world.app.call(faceBatchApi.open, { files }, send(world))).batch_id, user_id }
}

async function uploaded(world: World) {
  const { batch_id, user_id } = await batch(world)
  const face_pics = await picture(world)
  await world.app.call(faceBatchApi.uploaded, { batch_id, item_seq: 1, face_pics }, send(world))
  return { batch_id, user_id, face_pics }
}

export const facesCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(faceApi, {
    list: async world => ({ input: { dept_id: (await waiting(world)).dept_id } }),
    export: async world => ({ input: { dept_id: (await waiting(world)).dept_id } }),
    progress: () => ({ input: {} }),
    detail: async world => ({ input: { user_id: (await waiting(world)).user_id } }),
    set: async world => ({ input: { user_id: (await sitter(world)).user_id, face_pics: await picture(world) } }),
    remove: async world => ({ input: { user_ids: [(await waiting(world)).user_id], reason: '重新采集' } }),
    verify: async world => ({ input: { face_id: (await waiting(world)).face_id, passed: true } }),
    decide: async world => ({ input: { case_id: await alike(world), decision: 3, reason: '双胞胎' } }),
    photo: async world => ({ input: { face_id: (await waiting(world)).face_id, reason: '核对照片' } }),
    erasures: () => ({ input: {} }),
  }),
  ...buildersOf(faceConsentApi, {
    setStatus: async world => {
      const user_id = await ownChild(world)
      return { input: { protocol_code: 'face', user_id, school_id: world.school_id } }
    },
    remind: async world => ({ input: { user_ids: [await ownChild(world)] } }),
    map: () => ({ input: {} }),
    paper: async world => ({ input: { user_id: (await sitter(world)).user_id, file_key: await picture(world, 'person_file') } }),
    review: async world => ({ input: { user_id: await onPaper(world), passed: true } }),
    mine: () => ({ input: {} }),
    answer: async world => ({ input: { user_id: await ownChild(world), answer: 1, protocol_version: 1 } }),
  }),
  ...buildersOf(faceLinkApi, {
    look: async world => ({ input: { token: await link(world) } }),
    act: async world => ({ input: { token: await link(world), act: 'answer' as const, tail: '1234', answer: 1, protocol_version: 1 } }),
  }),
  ...buildersOf(faceBatchApi, {
    open: async world => ({ input: { batch_id: (await batch(world)).batch_id, files: [{ item_seq: 2, file_name: `${(await sitter(world)).user_no}.jpg`, size: 1000 }] } }),
    uploaded: async world => ({ input: { batch_id: (await batch(world)).batch_id, item_seq: 1, face_pics: await picture(world) } }),
    detect: async world => ({ input: { batch_id: (await uploaded(world)).batch_id, item_seq: 1 } }),
    importFaces: async world => {
      const { batch_id, user_id, face_pics } = await uploaded(world)
      return { input: { batch_id, faces: [{ id: 1, user_id, face_pics }] } }
    },
    progress: async world => ({ input: { batch_id: (await batch(world)).batch_id } }),
    mine: () => ({ input: {} }),
    close: async world => ({ input: { batch_id: (await batch(world)).batch_id } }),
    items: async world => ({ input: { batch_id: (await batch(world)).batch_id } }),
    exportErrors: async world => ({ input: { batch_id: (await batch(world)).batch_id } }),
  }),
  ...buildersOf(facePolicyApi, {
    read: () => ({ input: {} }),
    write: async world => {
      const { protocol_code: _code, protocol_version: _version, detector: _detector, counts: _counts, ...policy } = dataOf(facePolicyApi.read, await world.app.call(facePolicyApi.read, {}, send(world)))
      return { input: { ...policy, strictness: 3 } }
    },
  }),
])
