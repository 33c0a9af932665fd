import { sealDue } from '@campus/audit/server'
import { platform_codes } from '@campus/identity/contract'
import { checkNewPassword } from '@kit/contract/checks'
import { tooSimple } from '@kit/contract/checks/password-common'
import type { Db } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../boot.ts'
import { demo_accounts, demo_schools, demoProviders, demoStrip } from './accounts.ts'
import { demoPassword } from './demo-password.ts'
import { demoLines, ensureDemo } from './index.ts'
import { testRestore } from './testing/day-of-use.ts'
import { testDevices, testPast } from './testing/devices.ts'
import { testJournals } from './testing/journals.ts'
import { testSignIns } from './testing/sign-ins.ts'
import { startDemo } from './testing/start-demo.ts'
import type { DemoServer } from './testing/start-demo.ts'

type Row = Record<string, unknown>

const two_demos_ms = 240_000
const { main, enterprise, second, suspended } = demo_schools
let demo: DemoServer
beforeAll(async () => {
  demo = await startDemo()
  await ensureDemo(demo.running)
  await sealDue(demo.running)
})
afterAll(() => demo.close())

/** Rows of a query in a school of the demo. */
function rows(school_id: number, query: ReturnType<typeof sql<Row>>, { running }: Pick<DemoServer, 'running'> = demo): Promise<Row[]> {
  return running.database.tenant<unknown, Row[]>(school_id, async db => (await query.execute(db)).rows)
}
const count = async (school_id: number, query: ReturnType<typeof sql<Row>>) => Number((await rows(school_id, query))[0]?.n)

/** The identities of an account in a school: role code, group, blocked or not, number of permissions. */
function identities(school_id: number, account: string): Promise<Row[]> {
  return rows(school_id, sql<Row>`
    select r.code, g.code as group_code, r.allow_login_web, r.allow_login_web_text,
      (select count(*)::int from role_permission p where p.school_id = r.school_id and p.role_id = r.role_id) as codes
    from account a join role_member m on m.school_id = ${school_id} and m.user_id = a.user_id
    join role r on r.school_id = m.school_id and r.role_id = m.role_id and not r.is_app
    join role_group g on g.school_id = r.school_id and g.role_group_id = r.role_group_id
    where a.username = ${account} order by r.code`)
}
const codesIn = async (school_id: number, account: string) => (await identities(school_id, account)).map(row => row.code)

describe('the main school', () => {
  test('has 193 departments, 90 classes, 320 people on the staff', async () => {
    expect(await count(main, sql`select count(*) as n from dept_now where school_id = ${main}`)).toBe(193)
    expect(await count(main, sql`select count(*) as n from dept_now where school_id = ${main} and dept_type = 4`)).toBe(90)
    expect(await count(main, sql`select count(*) as n from live_staff where school_id = ${main} and primary_dept_id is not null`)).toBe(320)
  })

  test('has plans of the campus and of 22 floors, on which every class board lies in its room', async () => {
    expect(await count(main, sql`select count(*) as n from floor_plan where school_id = ${main}`)).toBe(23)
    expect(await count(main, sql`select count(distinct f.device_id) as n from floor_pin f join device d on d.school_id = f.school_id and d.device_id = f.device_id where f.school_id = ${main} and d.device_type = '03'`)).toBe(100)
    expect(await count(main, sql`select count(*) as n from floor_pin f join device_live_v d on d.school_id = f.school_id and d.device_id = f.device_id join place_path_v p on p.school_id = d.school_id and p.place_id = d.place_id
      where f.school_id = ${main} and p.node_path not like '%/' || f.place_id || '/%'`)).toBe(0)
  })

  testDevices(() => demo)

  test('20-A11 two changes of class wait for the terminal of a dormitory that has lost its line (20 §8)', async () => {
    expect(await rows(main, sql<Row>`
      select c.kind, c.state, e.effect_code, e.detail, count(*)::int as n from change_effect e join change_command c on c.school_id = e.school_id and c.id = e.command_id
      where e.school_id = ${main} and e.state = 'waiting' group by 1, 2, 3, 4`)).toEqual([{ kind: 'CLASS', state: 'applied', effect_code: 'device_rights', detail: '等待 1 台设备上线：男生宿舍人脸终端2', n: 2 }])
  })

  test('lets every pupil and every member of staff through a gate, all but one pupil in 25 by card (40 §8)', async () => {
    const people = await count(main, sql`select count(*) as n from live_person where school_id = ${main} and person_kind in (1, 2)`)
    expect(people).toBe(4226)
    expect(await count(main, sql`select count(*) as n from subject_credential where school_id = ${main} and cred_kind = 'card'`)).toBe(people - 156)
    expect(await count(main, sql`select count(distinct user_id) as n from subject_grant where school_id = ${main}`)).toBe(people)
  })

  test('has the 26 roles in five groups, beside three of its own', async () => {
    expect(await count(main, sql`select count(*) as n from role where school_id = ${main} and is_system and not is_app`)).toBe(26)
    expect(await count(main, sql`select count(*) as n from role where school_id = ${main} and not is_system and not is_app`)).toBe(3)
    expect(await count(main, sql`select count(*) as n from role_group where school_id = ${main} and code like 'SYS%'`)).toBe(5)
  })

  test('has eight app roles for each client, all with modules and people of their own', async () => {
    const found = await rows(main, sql<Row>`
      select r.client_kind, count(*)::int as roles, count(distinct (select array_agg(d.module_code order by d."order") from role_module d where d.school_id = r.school_id and d.role_id = r.role_id))::int as looks
      from role r where r.school_id = ${main} and r.is_app
        and (exists (select from role_bind b where b.school_id = r.school_id and b.role_id = r.role_id) or exists (select from role_member m where m.school_id = r.school_id and m.role_id = r.role_id))
      group by r.client_kind order by r.client_kind`)
    expect(found).toMatchObject([{ client_kind: 'parent', roles: 8 }, { client_kind: 'student', roles: 8 }, { client_kind: 'teacher', roles: 8 }])
    expect(found.map(row => Number(row.looks) >= 7)).toEqual([true, true, true])
    expect(await count(enterprise, sql`select count(*) as n from role where school_id = ${enterprise} and is_app`)).toBe(1)
  })

  test('has contracts of 76 % of the pupils, fourteen on their way out, and 210 whitelist lines in all states (20 §8)', async () => {
    expect(await rows(main, sql<Row>`
      select count(*)::int as n, (count(*) filter (where c.state = 'terminating'))::int as ending, round(100.0 * count(distinct c.user_id) / (select count(*) from live_student s where s.school_id = ${main}))::int as part
      from sign_contract c where c.school_id = ${main} and c.person_kind = 1`)).toEqual([{ n: 2970, ending: 14, part: 76 }])
    expect(await rows(main, sql<Row>`select count(*)::int as n, count(distinct w.state)::int as states from alipay_whitelist w where w.school_id = ${main}`)).toEqual([{ n: 210, states: 7 }])
    expect(await rows(main, sql<Row>`select r.person_kind, r.version from recharge_active r where r.school_id = ${main} order by r.person_kind`)).toEqual([{ person_kind: 1, version: 1 }, { person_kind: 2, version: 1 }])
  })

  test('has five delegations between heads of grades, one of them over (20 §8)', async () => {
    const now = new Date('2026-11-20T12:00:00+08:00')
    expect(await rows(main, sql<Row>`
      select count(*)::int as all, (count(*) filter (where g.valid_from <= ${now} and g.valid_to > ${now}))::int as live, (count(*) filter (where g.valid_to <= ${now}))::int as over,
        (count(*) filter (where exists (select from scope_fact f where f.school_id = g.school_id and f.user_id = g.to_user_id and f.id = g.dept_id and f.kind = 'delegated')))::int as declared
      from delegate_dept g where g.school_id = ${main}`)).toEqual([{ all: 5, live: 3, over: 1, declared: 5 }])
  })

  test('has five fields of its own in the files of pupils and three in those of staff, filled for some of them (20 §8)', async () => {
    const made = await rows(main, sql`select field_scene, field_code from field_def where school_id = ${main} order by field_scene, order_no`)
    expect(made.map(row => [row.field_scene, row.field_code])).toEqual([[1, 'hobby'], [1, 'join_on'], [1, 'height'], [1, 'allergy'], [1, 'escort_tel'], [2, 'office_room'], [2, 'duty_days'], [2, 'urgent_tel']])
    const filled = await rows(main, sql`select k.code, count(*)::int as n from staff s cross join lateral jsonb_object_keys(s.ext) as k(code) where s.school_id = ${main} group by 1 order by 1`)
    expect(filled).toEqual([{ code: 'duty_days', n: 90 }, { code: 'office_room', n: 260 }, { code: 'urgent_tel', n: 120 }])
  })

  test('every class has one head, whose class it is in the sense of role scopes', async () => {
    expect(await count(main, sql`
      select count(*) as n from dept_now d join dept_duty y on y.school_id = d.school_id and y.dept_id = d.id and y.duty = 'head' and y.valid_to is null
      join scope_fact f on f.school_id = y.school_id and f.user_id = y.user_id and f.id = d.id and f.kind = 'class_teacher' and f.valid_to is null
      where d.school_id = ${main} and d.dept_type = 4`)).toBe(90)
  })

  test('has the configuration of the demo', async () => {
    const [config] = await rows(main, sql<Row>`select is_password_strong, face_protocol, course_period, open_ai_help from school_config where school_id = ${main}`)
    expect(config).toEqual({ is_password_strong: 1, face_protocol: true, course_period: 1, open_ai_help: 1 })
  })
})

describe('the accounts', () => {
  test('only they have a password', async () => {
    const found = await rows(0, sql<Row>`select username from account where password_hash is not null order by username`)
    expect(found.map(row => row.username)).toEqual(demo_accounts.map(({ account }) => account).toSorted())
  })

  test('super is a super account of every demo school', async () => {
    expect(await rows(0, sql<Row>`select super_slot from account where username = 'super'`)).toEqual([{ super_slot: 1 }])
    const schools = await rows(0, sql<Row>`select s.school_id from account a join account_school s using (user_id) where a.username = 'super' and s.school_id > 0 order by 1`)
    expect(schools.map(row => row.school_id)).toEqual([main, enterprise, second, suspended])
  })

  test('admin01 has one identity with every permission of a school', async () => {
    const [admin, ...more] = await identities(main, 'admin01')
    expect(more).toEqual([])
    expect(admin).toMatchObject({ code: 'SYS001_SchoolAdmin', codes: [...demo.running.app.codes].filter(code => !platform_codes.has(code)).length })
  })

  test('duo01 has two identities here and one in the second school', async () => {
    expect(await codesIn(main, 'duo01')).toEqual(['SYS002_GradeHead', 'SYS003_ClassTeacher'])
    expect(await codesIn(second, 'duo01')).toEqual(['SYS003_Teacher'])
    expect(await rows(main, sql<Row>`
      select f.id from scope_fact f join account a using (user_id) join dept_now d on d.school_id = f.school_id and d.id = f.id
      where f.school_id = ${main} and a.username = 'duo01' and d.tree = 'student'`)).toHaveLength(1)
  })

  test('yuangong01 belongs to the enterprise alone', async () => {
    expect(await codesIn(enterprise, 'yuangong01')).toEqual(['SYS001_SchoolAdmin'])
    expect(await count(0, sql`select count(*) as n from account join account_school using (user_id) where username = 'yuangong01'`)).toBe(1)
  })

  test.each([['jiazhang01', 'SYS005'], ['xuesheng01', 'SYS004']])('%s has only an identity of group %s, which the console turns away', async (account, group) => {
    expect((await identities(main, account)).map(row => row.group_code)).toEqual([group])
  })

  test('kuaidi01 is a courier and nothing else', async () => {
    expect(await codesIn(main, 'kuaidi01')).toEqual(['SYS001_Expressman'])
  })

  test('shouji01 may not use the console', async () => {
    expect(await identities(main, 'shouji01')).toMatchObject([{ allow_login_web: 1, allow_login_web_text: '请使用手机端登录' }])
  })

  test('kongcai01 may nothing', async () => {
    expect(await identities(main, 'kongcai01')).toMatchObject([{ codes: 0 }])
  })

  test('shenji01 may read logs alone', async () => {
    const held = await rows(main, sql<Row>`
      select p.code from account a join role_member m on m.school_id = ${main} and m.user_id = a.user_id
      join role_permission p on p.school_id = m.school_id and p.role_id = m.role_id where a.username = 'shenji01'`)
    for (const { code } of held) expect(code).toMatch(/^audit\./)
  })

  test('moren01 has a default password, guoqi01 an old one, loudong01 a flaw, the others none of it', async () => {
    const found = await rows(0, sql<Row>`
      select username, pwd_state, vuln_reason is not null as flawed, pwd_set_at < now() - interval '365 days' as old
      from account where password_hash is not null`)
    const odd = found.filter(row => row.pwd_state !== 1 || row.flawed || row.old).map(({ username, pwd_state, flawed, old }) => [username, pwd_state, flawed, old])
    expect(odd.toSorted()).toEqual([['guoqi01', 1, false, true], ['loudong01', 1, true, false], ['moren01', 2, false, false]])
    expect(await rows(main, sql<Row>`select valid_days from password_set where school_id = ${main}`)).toEqual([{ valid_days: 365 }])
  })

  test('the password meets the rule of the strong school for each of them', () => {
    const password = demoPassword(demo.running.app.config)
    expect(checkNewPassword(password, 8)).toBeNull()
    for (const { account } of demo_accounts) expect(tooSimple(password, { account })).toBeNull()
  })
})

describe('the other schools', () => {
  test('the enterprise has eleven departments, 260 people of whom some are hired from outside, and a picture of its own', async () => {
    expect(await count(enterprise, sql`select count(*) as n from dept_now where school_id = ${enterprise}`)).toBe(12)
    const kinds = await rows(enterprise, sql<Row>`select person_kind, count(*)::int as n from live_person where school_id = ${enterprise} group by 1 order by 1`)
    expect(kinds).toEqual([{ person_kind: 6, n: 250 }, { person_kind: 7, n: 10 }])
    const [school] = await rows(enterprise, sql<Row>`select school_type, login_bg is not null as has_picture from school where school_id = ${enterprise}`)
    expect(school).toEqual({ school_type: 2, has_picture: true })
  })

  test('the new school has every class, a staff, and no pupil', async () => {
    expect(await count(second, sql`select count(*) as n from dept_now where school_id = ${second} and dept_type = 4`)).toBe(90)
    expect(await count(second, sql`select count(*) as n from live_staff where school_id = ${second}`)).toBe(320)
    expect(await count(second, sql`select count(*) as n from student where school_id = ${second}`)).toBe(0)
    expect(await codesIn(second, 'xinxiao01')).toEqual(['SYS001_SchoolAdmin'])
  })

  test('the new school is active, the last one suspended', async () => {
    expect(await rows(second, sql<Row>`select state from school where school_id = ${second}`)).toEqual([{ state: 2 }])
    expect(await rows(suspended, sql<Row>`select state from school where school_id = ${suspended}`)).toEqual([{ state: 3 }])
  })
})

describe('making it', () => {
  test('a second start changes nothing', async () => {
    const before = await fingerprint(demo.running)
    await ensureDemo(demo.running)
    expect(await fingerprint(demo.running)).toBe(before)
  })

  test('a school that was made and not filled is filled at the next start, and two installations hold the same rows', async () => {
    const other = await startDemo()
    expect(await interrupted(other)).toEqual({ schools: 1, filled: 0 })
    await ensureDemo(other.running)
    const people = sql<Row>`select school_id, user_no, user_name from school_user order by user_no`
    expect(await rows(suspended, people, other)).toEqual(await rows(suspended, people))
    // An undone transaction leaves a gap in the numbers of people: those of the school that was broken off have others.
    expect(await fingerprint(other.running, suspended)).toBe(await fingerprint(demo.running, suspended))
    await other.close()
  }, two_demos_ms)

  test('says how to sign in, and shows the password in development alone', async () => {
    const lines = await demoLines(demo.running.app.config)
    expect(lines[0]).toContain('Demo@Pass26')
    expect(lines).toHaveLength(1 + demo_accounts.length)
    expect(demoStrip(demo.running.app.config).every(entry => entry.password === undefined)).toBe(true)
  })
})

/** Breaks off the filling of the last school in the way a dying process does: its transaction never commits. */
async function interrupted({ running }: DemoServer): Promise<{ schools: number; filled: number }> {
  const counted = sql<Row>`select (select count(*)::int from school where school_id = ${suspended}) as schools, (select count(*)::int from school_user where school_id = ${suspended}) as filled`
  const dying: Running['database'] = {
    ...running.database,
    tenant: <T, R>(school_id: number, fn: (db: Db<T>) => Promise<R>, options?: { read_only?: boolean }) =>
      running.database.tenant<T, R>(school_id, async db => {
        const done = await fn(db)
        const [found] = (await counted.execute(db)).rows
        if (school_id === suspended && Number(found?.filled) > 0) throw new Error('the process died here')
        return done
      }, options),
  }
  await expect(ensureDemo({ ...running, database: dying })).rejects.toThrow('the process died here')
  const [found] = await rows(suspended, counted, { running })
  return { schools: Number(found?.schools), filled: Number(found?.filled) }
}

const moment = ['created_at', 'updated_at', 'pwd_set_at', 'password_hash', 'id_no_enc', 'id_no_idx', 'ext']

/**
 * Every row of every table the demo writes, without what depends on the moment or on chance: times of writing, hashes, ciphers.
 * @param without a school that is left out, with its people
 */
async function fingerprint(running: Running, without = -1): Promise<string> {
  const tables = ['school', 'school_config', 'account', 'account_school', 'school_user', 'role_group', 'role', 'role_permission', 'role_scope', 'scope_fact', 'role_member',
    'password_set', 'dept', 'dept_version', 'dept_member', 'dept_duty', 'person', 'staff', 'staff_span', 'student', 'student_span', 'parent', 'guardian_link']
  const parts: string[] = []
  for (const school_id of [0, ...Object.values(demo_schools)].filter(id => id !== without)) {
    for (const table of tables) {
      const [row] = await rows(school_id, sql<Row>`
        select count(*)::int as n, sum(hashtextextended((to_jsonb(t) - ${moment}::text[])::text, 0)) as hash from ${sql.table(table)} t
        where coalesce(to_jsonb(t) ->> 'user_id', '') not in (select user_id::text from account_school where school_id = ${without})`, { running })
      parts.push(`${school_id}:${table}:${String(row?.n)}:${String(row?.hash)}`)
    }
  }
  return parts.join('\n')
}

describe('what goes on in the main school', () => {
  const morning = new Date('2026-11-20T08:00:00+08:00')

  test('who has left is gone from the school: the roles for everybody reach 320 of the staff, and the pupils on the roll', async () => {
    const here = (kinds: number[]) => count(main, sql`select count(*) as n from school_user where school_id = ${main} and left_at is null and user_kind = any(${kinds})`)
    const merged = 2
    expect([await here([2, 6, 7]), await here([1])]).toEqual([320, 3906 + 11])
    expect(await count(main, sql`select count(*) as n from school_user where school_id = ${main} and left_at is not null`)).toBe(12 + 37 + 430 + merged)
  })

  test('286 applications of freshmen in all eight states, 252 of them placed evenly into six classes (20 §8)', async () => {
    const states = await rows(main, sql<Row>`select state, count(*)::int as n from freshmen_apply where school_id = ${main} group by state order by state`)
    expect(states.map(row => row.n)).toEqual([4, 12, 6, 3, 12, 5, 240, 4])
    expect(await rows(main, sql<Row>`select metrics->'spread' as spread, metrics->'broken' as broken, jsonb_array_length(metrics->'classes') as classes from freshmen_place_run where school_id = ${main} and state = 'adopted'`)).toMatchObject([
      { spread: { size: 0, boys: 0 }, broken: [], classes: 6 },
    ])
    expect(await count(main, sql`select count(*) as n from freshmen_apply where school_id = ${main} and target_dept_id is not null`)).toBe(252)
  })

  test('whoever waits in the season of freshmen has uploaded a household register, which lies encrypted', async () => {
    expect(await count(main, sql`select count(*) as n from freshmen_file f join freshmen_apply a on a.school_id = f.school_id and a.id = f.apply_id where f.school_id = ${main} and a.state in ('1', '3')`)).toBe(15)
    expect(await count(main, sql`select count(*) as n from file_object where school_id = ${main} and purpose = 'material' and state = 3`)).toBe(15)
  })

  test('120 pictures in its library, and layouts of the dashboard for three roles', async () => {
    expect(await count(main, sql`select count(*) as n from file_object o join file_ref r on r.school_id = o.school_id and r.file_key = o.file_key and r.ref_kind = 'demo.library' where o.school_id = ${main} and o.purpose = 'resource' and o.state = 3 and o.driver = 'embedded'`)).toBe(120)
    expect((await rows(main, sql<Row>`
      select r.code from dashboard_layout l join role r on r.school_id = l.school_id and r.role_id = l.target_id where l.school_id = ${main} and l.target = 2 order by r.code`)).map(row => row.code)).toEqual(['SYS002_Hr', 'SYS002_Principal', 'SYS003_ClassTeacher'])
  })

  test('logins to try of all four shapes, each with its link on the strip of the login page', async () => {
    expect((await rows(main, sql<Row>`select shape from login_provider where school_id = ${main} and adapter = 'test' and enabled order by shape`)).map(row => row.shape)).toEqual(['A', 'B', 'C', 'D'])
    expect(demoProviders(demo.running.app.config).map(({ start_url }) => new URL(start_url, 'http://localhost').searchParams.get('shape'))).toEqual(['A', 'B', 'C', 'D'])
  })

  test('24 live sessions, three memberships that end this week and two to come', async () => {
    expect(await count(main, sql`select count(*) as n from session where school_id = ${main} and revoked_at is null`)).toBe(24)
    expect(await count(main, sql`select count(*) as n from role_member where school_id = ${main} and valid_to > ${morning} and valid_to < ${morning}::timestamptz + interval '8 days'`)).toBe(3)
    expect(await count(main, sql`select count(*) as n from role_member where school_id = ${main} and valid_from > ${morning}`)).toBe(2)
  })

  test('thirty days of messages over all channels, two of a hundred failed, twelve waiting for the morning', async () => {
    expect(await rows(main, sql<Row>`
      select state, count(*)::int as n, count(distinct channel)::int as channels from message_delivery where school_id = ${main} and channel > 1 group by state order by state`)).toEqual([
      { state: 'deferred', n: 12, channels: 4 }, { state: 'failed', n: 6, channels: 2 }, { state: 'logged', n: 294, channels: 4 },
    ])
    expect(await count(main, sql`select count(distinct (at at time zone 'Asia/Shanghai')::date) as n from message where school_id = ${main} and source_ref like 'demo/%'`)).toBe(30)
  })

  test('14 jobs and import batches, some in every state', async () => {
    expect(await count(main, sql`select count(*) as n from job where school_id = ${main}`)).toBe(14)
    expect(await count(main, sql`select count(distinct state) as n from job where school_id = ${main}`)).toBe(6)
    expect(await count(main, sql`select count(distinct state) as n from import_batch where school_id = ${main}`)).toBe(10)
    expect(await count(main, sql`select count(*) as n from import_batch where school_id = ${main} and template in ('student', 'parent')`)).toBeGreaterThanOrEqual(6)
  })
})

describe('the journals of the main school', () => {
  testJournals(() => demo)
})

// Last: whoever signs in leaves a session behind.
describe('signing in', () => {
  testSignIns(() => demo)
})

// It takes a while, in which the server goes on with what it does by itself.
describe('what doors and devices have seen', () => {
  testPast(() => demo)
})

// Of everything before it.
describe('a day of use', () => {
  testRestore(() => demo)
})
