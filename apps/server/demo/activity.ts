import { sql } from 'kysely'
import { activeStaff, oneOf } from './active-staff.ts'
import type { Active } from './active-staff.ts'
import { randomOf, uuidOf } from './audit-plan.ts'
import { fillJobs } from './jobs.ts'
import { fillMessages } from './messages.ts'
import { addDays, startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'
import { demo_seed } from './seed.ts'

const live_sessions = 24
const minute_ms = 60_000
const day_ms = 86_400_000
const devices = ['Chrome 142 / Windows', 'Edge 142 / Windows', 'Chrome 142 / macOS', 'Safari 19 / macOS', '360 浏览器 / Windows', 'Firefox 145 / Windows']
/** Roles of which one holder's membership ends this week, and in how many days. */
const ending: readonly (readonly [role_code: string, days: number])[] = [['SYS001_Security', 2], ['SYS001_Canteen', 4], ['SYS003_Librarian', 6]]
/** Roles that somebody of the plain teachers will hold, and from which day on. */
const coming: readonly (readonly [role_code: string, days: number])[] = [['SYS001_Logistics', 9], ['SYS003_Librarian', 30]]

/** What goes on in the main school on the demo day: who is signed in, what ends and begins, messages, jobs and imports. The same for the same seed and day. */
export async function fillActivity(work: Work): Promise<void> {
  const staff = await activeStaff(work)
  await fillSessions(work, staff)
  await endSoon(work)
  await beginLater(work, staff)
  await fillMessages(work, staff)
  await fillJobs(work, staff)
}

/** People at work since the early morning; a session of the demo stays live for the week, so that it is there whenever the demo is opened. */
async function fillSessions({ db, school_id, today }: Work, staff: readonly Active[]): Promise<void> {
  const random = randomOf(`${demo_seed}:sessions`)
  const morning = startOfDay(today).getTime() + 6.5 * 60 * minute_ms
  const rows = Array.from({ length: live_sessions }, (_, at) => {
    const person = oneOf(staff, Math.floor(random() * staff.length))
    const started = new Date(morning + Math.floor(random() * 75) * minute_ms)
    const until = new Date(started.getTime() + 7 * day_ms).toISOString()
    return {
      session_id: uuidOf(random), user_id: person.user_id, role_no: person.role_no, device_label: oneOf(devices, at), ip: `10.20.${at % 8}.${20 + at * 3}`,
      started_at: started.toISOString(), seen_at: new Date(started.getTime() + Math.floor(random() * 40) * minute_ms).toISOString(), until,
    }
  })
  await sql`
    insert into session (school_id, session_id, user_id, role_no, device_label, ip, started_at, seen_at, idle_until, absolute_until)
    select ${school_id}, x.session_id, x.user_id, x.role_no, x.device_label, x.ip, x.started_at, x.seen_at, x.until, x.until
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(session_id uuid, user_id bigint, role_no bigint, device_label text, ip text, started_at timestamptz, seen_at timestamptz, until timestamptz) returning 1`.execute(db)
}

async function endSoon({ db, school_id, today }: Work): Promise<void> {
  for (const [code, days] of ending) {
    const end = startOfDay(addDays(today, days + 1))
    await sql`
      update role_member set valid_to = ${end}, reason = '顶岗到期' where school_id = ${school_id} and role_no = (
        select max(m.role_no) from role_member m join role r on r.school_id = m.school_id and r.role_id = m.role_id
        where m.school_id = ${school_id} and r.code = ${code} and m.valid_to is null)`.execute(db)
  }
}

async function beginLater({ db, school_id, today }: Work, staff: readonly Active[]): Promise<void> {
  const plain = staff.filter(person => !person.is_account)
  for (const [at, [code, days]] of coming.entries()) {
    const { user_id } = oneOf(plain, plain.length - 1 - at)
    await sql`
      insert into role_member (school_id, role_id, user_id, valid_from, source, reason)
      select ${school_id}, role_id, ${user_id}, ${startOfDay(addDays(today, days))}, 'manual', '下月轮岗' from role where school_id = ${school_id} and code = ${code} returning 1`.execute(db)
  }
}
