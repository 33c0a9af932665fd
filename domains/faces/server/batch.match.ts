import type { Lane } from '@campus/faces/contract'

type Found = { word: string; user_id: string; user_name: string; by_number: boolean }
type Taken = { has_face: ReadonlySet<string>; replace_existing: boolean; /** people of this batch */ seen: Set<string> }
type Judged = { user_id: string | null; user_name: string | null; step: number; lane: Lane | null; msg: string | null }
const [waits, over] = [0, 3] as const

/** 2024001_张三.jpg or 三年级1班/张三.jpg: the parts that can name somebody (chapter 40 §6). */
function wordsOf(file_name: string): string[] {
  const base = (file_name.split('/').at(-1) ?? '').replace(/\.[^.]*$/u, '').trim()
  return [...new Set([base, ...base.split(/[_\-－—\s]+/u)].filter(word => word !== ''))]
}

/** Whose picture it is: by number first, by a name that only one has otherwise; and whether it is wanted. */
function judge(file_name: string, found: readonly Found[], { has_face, replace_existing, seen }: Taken): Judged {
  const words = wordsOf(file_name)
  const own = found.filter(one => words.includes(one.word))
  const by_number = new Map(own.filter(one => one.by_number).map(one => [one.user_id, one]))
  const by_name = new Map(own.filter(one => !one.by_number).map(one => [one.user_id, one]))
  const named = by_number.size > 0 ? by_number : by_name
  const [person, ...others] = named.values()
  const nobody = (msg: string): Judged => ({ user_id: null, user_name: null, step: over, lane: 'no_person', msg })
  if (!person) return nobody('没有这个编号或姓名的人员')
  if (others.length > 0) return nobody(by_number.size > 0 ? '文件名中有多个编号' : `同名人员${named.size}个，请用编号命名`)
  if (by_number.size > 0 && by_name.size > 0 && !by_name.has(person.user_id)) return nobody('姓名与编号不一致')
  const { user_id, user_name } = person
  const known = { user_id, user_name }
  if (seen.has(user_id)) return { ...known, step: over, lane: 'skipped', msg: '同一人有多张照片' }
  seen.add(user_id)
  if (has_face.has(user_id) && !replace_existing) return { ...known, step: over, lane: 'skipped', msg: '已有人脸' }
  return { ...known, step: waits, lane: null, msg: null }
}

export const matchFiles = { wordsOf, judge }
