import { createTags } from '@campus/people/server'
import type { NewTag, PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'

/** Fourteen tags, four of them rules, with everybody who has one (chapter 20 §8). */
export async function fillTags({ db, school_id, from }: Work): Promise<void> {
  const views = asTables<PeopleViews>(db)
  const pupils = await views.selectFrom('live_student').select(['user_id', 'grade']).where('school_id', '=', school_id).orderBy('student_no').execute()
  const staff = await views.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').execute()
  const parents = await views.selectFrom('live_parent').select('user_id').where('school_id', '=', school_id).orderBy('user_id').execute()
  const some = (list: readonly { user_id: string }[], count: number) => spread(list, count).map(person => person.user_id)
  const primary = pupils.filter(({ grade }) => grade?.startsWith('1'))
  const tags: NewTag[] = [
    { draft: { tag_name: '特长生', color: 'gold', is_sensitive: false, person_kinds: [1] }, user_ids: some(pupils, 126) },
    { draft: { tag_name: '校队', color: 'green', is_sensitive: false, person_kinds: [1] }, user_ids: some(pupils, 84) },
    { draft: { tag_name: '学生会', color: 'blue', is_sensitive: false, person_kinds: [1] }, user_ids: some(pupils.filter(({ grade }) => grade?.startsWith('3')), 36) },
    { draft: { tag_name: '大队干部', color: 'red', is_sensitive: false, person_kinds: [1] }, user_ids: some(primary, 42) },
    { draft: { tag_name: '临时走读证', color: 'orange', is_sensitive: false, person_kinds: [1] }, user_ids: some(pupils, 17) },
    { draft: { tag_name: '资助对象', color: 'purple', is_sensitive: true, person_kinds: [1] }, user_ids: some(pupils, 61) },
    { draft: { tag_name: '心理关注', color: 'magenta', is_sensitive: true, person_kinds: [1] }, user_ids: some(pupils, 23) },
    { draft: { tag_name: '骨干教师', color: 'gold', is_sensitive: false, person_kinds: [2] }, user_ids: some(staff, 40) },
    { draft: { tag_name: '急救证', color: 'cyan', is_sensitive: false, person_kinds: [2] }, user_ids: some(staff, 28) },
    { draft: { tag_name: '护学岗', color: 'green', is_sensitive: false, person_kinds: [2, 3] }, user_ids: some(parents, 90) },
    { draft: { tag_name: '住校生', color: 'cyan', is_sensitive: false, person_kinds: [1], rule: { study_method: '2' } }, user_ids: [] },
    { draft: { tag_name: '休学', color: 'orange', is_sensitive: false, person_kinds: [1], rule: { state: '02' } }, user_ids: [] },
    { draft: { tag_name: '缺照片', color: 'red', is_sensitive: false, person_kinds: [1], rule: { missing: 'photo' } }, user_ids: [] },
    { draft: { tag_name: '高三女生', color: 'magenta', is_sensitive: false, person_kinds: [1], rule: { grade: '33', sex: '2' } }, user_ids: [] },
  ]
  await createTags(db, school_id, tags, from)
}
