import { call, can } from '@kit/web'
import type { Entry } from './entry.ts'

const most_people = 8
/** The code rather than the endpoint: the contract of pupils is fetched with the first search. */
const pupil_code = 'people.student.view'

/** May the identity look for pupils? */
export function mayFindPeople(): boolean {
  return can(pupil_code)
}

/** Pupils by name, number, pinyin or initials, within the row scope of the identity; the last line leads to all of them when there are more. */
export async function findPeople(keyword: string, signal: AbortSignal): Promise<Entry[]> {
  const { studentApi } = await import('@campus/people/contract')
  const { list, total } = await call(studentApi.list, { keyword, include_sub: '1', page_index: 1, page_size: 20 }, { quiet: true, signal })
  const found = list.slice(0, most_people).map(pupil => ({
    key: `person-${pupil.user_id}`,
    title: pupil.user_name,
    about: [pupil.dept_name, pupil.student_no].filter(Boolean).join(' · '),
    target: { address: `/PersonDetail?user_id=${pupil.user_id}` },
  }))
  if (total <= found.length) return found
  return [...found, { key: 'person-all', title: `查看全部${total}名学生`, about: keyword, target: { address: addressOf(keyword) } }]
}

function addressOf(keyword: string): string {
  return `/ParentsRecord?${new URLSearchParams({ keyword }).toString()}`
}
