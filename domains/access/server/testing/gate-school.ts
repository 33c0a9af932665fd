import { test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { devicesEvents } from '@campus/devices/contract'
import { createDevices } from '@campus/devices/server'
import { createDepts, enrolStudents } from '@campus/people/server'
import { createPlaces } from '@campus/places/server'
import { insertMany } from '@kit/server/db'
import { publishEach } from '@kit/server/event'

const { a: school_id } = test_schools
const gate_kind = 9
const class_kind = 4

export type GateSchool = { school_id: number; pupils: string[]; class_1: string; class_2: string; gate: string; inner: string; gate_in: string; gate_out: string; inner_door: string }

/** A school with two classes of three pupils, a gate with a lane in and a lane out, and one inner door that lets through both ways. */
export async function makeGateSchool(app: TestApp): Promise<GateSchool> {
  const { secrets } = app.running.app
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  return app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'class 1', parent: 'grade', dept_name: '三年级1班', dept_type: class_kind, class_no: 1, ...cohort },
      { key: 'class 2', parent: 'grade', dept_name: '三年级2班', dept_type: class_kind, class_no: 2, ...cohort },
    ], '2026-09-01')
    const drafts = Array.from({ length: 6 }, (_, at) => ({ user_name: `学生${at}`, student_no: `P00${at}`, sex: '1', enrol_month: '202409', dept_id: depts.get(at < 3 ? 'class 1' : 'class 2') ?? '', from: '2026-09-01' }))
    const pupils = await enrolStudents(db, secrets, school_id, drafts)
    const plain = { private_zone: false } as const
    const places = await createPlaces(db, school_id, [
      { key: 'gate', superior: null, place_name: '南门', place_kind: gate_kind, ...plain }, { key: 'inner', superior: null, place_name: '实验楼', place_kind: 2, ...plain },
    ], '2026-09-01')
    const device = { device_type: '01', model_code: 'JD-F10', parent: null } as const
    const [gate, inner] = [places.get('gate') ?? '', places.get('inner') ?? '']
    const doors = await createDevices(db, school_id, [
      { key: 'in', device_sn: 'PASS-IN', device_name: '南门进', place_id: gate, direction: 1, ...device }, { key: 'out', device_sn: 'PASS-OUT', device_name: '南门出', place_id: gate, direction: 2, ...device },
      { key: 'inner', device_sn: 'PASS-INNER', device_name: '实验楼门', place_id: inner, direction: 3, ...device },
    ], new Date('2026-09-01T00:00:00Z'))
    return { school_id, pupils, class_1: depts.get('class 1') ?? '', class_2: depts.get('class 2') ?? '', gate, inner, gate_in: doors.get('in') ?? '', gate_out: doors.get('out') ?? '', inner_door: doors.get('inner') ?? '' }
  })
}

export type Told = { seq: string; device_id: string; place_id: string; direction: 1 | 2 | null; user_id: string | null; at: string; received_at?: string; result?: number; person_kind?: number }

/** Writes what doors have recorded into the journal and tells whoever listens, as the devices do. */
export async function record(app: TestApp, rows: readonly Told[]): Promise<void> {
  const values = rows.map(({ seq, at, received_at = at, user_id, result = 1, person_kind = 1, ...row }) => ({
    school_id, ...row, event_date: new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 10), device_seq: seq, device_time: new Date(at), received_at: new Date(received_at), event_time: new Date(at), time_state: 0, body_hash: '0'.repeat(16),
    user_id, person_kind: user_id === null ? null : person_kind, verify_mode: 2, pass_state: result, code_masked: user_id === null ? '****1234' : null,
  }))
  await app.running.database.tenant<unknown, void>(school_id, async db => {
    await insertMany(db, 'pass_event', values, { columns: ['school_id', 'event_date', 'device_id', 'device_seq'] })
    const keys = values.map(({ event_date, device_id, device_seq }) => ({ event_date, device_id, device_seq }))
    await publishEach({ app: app.running.app, db, school_id, now: app.clock.now() }, devicesEvents.passRecorded, keys)
  })
}
