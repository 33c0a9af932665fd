import type { peopleTreeApi, PickedPerson, TreePerson } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import type { PeopleCtx } from './db.ts'
import { readLevel } from './dept.service.ts'
import { pickStaff, pickStudents } from './picker.service.ts'

/**
 * One level of the tree: the departments below `parent_id` (the roots without it) and the people of that very department; with a keyword
 * every department and person it finds. Only what the row scope shows.
 * @throws Refusal 404 for an unknown department
 */
export async function readPeopleLevel(ctx: PeopleCtx, { tree, parent_id, keyword }: Input<typeof peopleTreeApi.level>): Promise<Reply<typeof peopleTreeApi.level>> {
  const { list } = await readLevel(ctx, { tree, parent_id, keyword, with_count: true })
  const depts = list.map(node => ({ ...node, has_child: node.has_child || (tree === 'student' ? node.student_count : node.staff_count) > 0 }))
  const word = keyword?.trim()
  if (!word && parent_id === undefined) return { list: depts }
  const pick = tree === 'student' ? pickStudents : pickStaff
  const { list: people } = await pick(ctx, word ? { keyword: word } : { dept_id: parent_id }, { below: false })
  return { list: [...depts, ...people.map(person => nodeOf(person, word ? null : (parent_id ?? null)))] }
}

/** The label is the department as it is printed; a person found by a keyword stands under no node of the answer. */
function nodeOf({ user_id, user_name, user_no, label }: PickedPerson, parent_id: string | null): TreePerson {
  return { id: user_id, parent_id, dept_name: user_name, user_no, pname: label, pt_node_path_name: label, is_grade: 0, dept_type: 0, user_or_dept: 2, has_child: false, student_count: 0, staff_count: 0 }
}
