import { createBooks } from '@campus/people/server'
import { dept_type } from './departments.ts'
import type { PlannedDept } from './departments.ts'
import type { Ids, Work } from './school-work.ts'

const numbers = [
  ['校门值班室', '0571-00000110'], ['医务室', '0571-00000120'], ['总务报修', '0571-00000119'], ['招生办公室', '0571-00000800'], ['心理热线', '0571-00000525'],
].map(([title = '', tel = '']) => ({ title, tel }))

/** Address books: the offices for staff, some of them for parents, and numbers that answer nowhere. */
export async function fillBooks({ db, school_id }: Work, depts: readonly PlannedDept[], ids: Ids): Promise<void> {
  const offices = depts.filter(dept => dept.dept_type === dept_type.office).flatMap(({ key }) => ids.get(key) ?? []).map(dept_id => ({ dept_id }))
  await createBooks(db, school_id, [
    { type: '1', show_mobile: 'full', lines: offices },
    { type: '2', show_mobile: 'mask', lines: offices.slice(0, 3) },
    { type: '3', show_mobile: 'full', lines: numbers },
  ])
}
