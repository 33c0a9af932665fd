import { createFields } from '@campus/people/server'
import type { NewField, PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'

const hobbies = ['围棋', '足球', '合唱', '书法', '绘画']
const allergies = ['花生', '牛奶', '青霉素', '花粉']
const offices = ['南楼', '北楼', '综合楼']
const duty_days = ['周一', '周二', '周三', '周四', '周五']

/** Five fields the school has added to its pupils' files and three to those of its staff, filled for some of them (chapter 20 §8). */
export async function fillFields(work: Work): Promise<void> {
  await fillPupilFields(work)
  await fillStaffFields(work)
}

async function fillPupilFields({ db, app, school_id, from }: Work): Promise<void> {
  const pupils = await asTables<PeopleViews>(db).selectFrom('live_student').select('user_id').where('school_id', '=', school_id).orderBy('student_no').execute()
  const some = (count: number, value: (at: number) => string) => new Map(spread(pupils, count).map(({ user_id }, at) => [user_id, value(at)]))
  const fields: NewField[] = [
    { line: { field_code: 'hobby', label: '兴趣爱好', type: 'multi', options: hobbies, group_name: '特长', in_index: true }, values: some(620, at => hobbies.filter((_, nth) => nth === at % 5 || nth === at % 3).join('、')) },
    { line: { field_code: 'join_on', label: '入队日期', type: 'date', group_name: '特长' }, values: some(240, () => `${from.slice(0, 4)}-10-13`) },
    { line: { field_code: 'height', label: '身高（厘米）', type: 'number', group_name: '体质', in_index: true }, values: some(900, at => String(118 + (at % 60))) },
    { line: { field_code: 'allergy', label: '过敏史', type: 'text', max_len: 100, group_name: '体质', level: 2 }, values: some(37, at => allergies[at % 4] ?? '') },
    { line: { field_code: 'escort_tel', label: '接送人手机', type: 'mobile', level: 3 }, values: some(150, at => `1690009${String(at).padStart(4, '0')}`) },
  ]
  await createFields({ db, school_id, app }, 'student', fields)
}

async function fillStaffFields({ db, app, school_id }: Work): Promise<void> {
  const staff = await asTables<PeopleViews>(db).selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').execute()
  const some = (count: number, value: (at: number) => string) => new Map(spread(staff, count).map(({ user_id }, at) => [user_id, value(at)]))
  await createFields({ db, school_id, app }, 'staff', [
    { line: { field_code: 'office_room', label: '办公室', type: 'text', max_len: 30, group_name: '校内', in_index: true }, values: some(260, at => `${offices[at % 3]}${1 + (at % 5)}${String(1 + (at % 20)).padStart(2, '0')}`) },
    { line: { field_code: 'duty_days', label: '值班日', type: 'multi', options: duty_days, group_name: '校内', in_index: true }, values: some(90, at => duty_days.filter((_, nth) => nth === at % 5 || nth === (at + 2) % 5).join('、')) },
    { line: { field_code: 'urgent_tel', label: '紧急联系人手机', type: 'mobile', level: 3 }, values: some(120, at => `1690008${String(at).padStart(4, '0')}`) },
  ])
}
