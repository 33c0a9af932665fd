import type { SetupStep } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { PeopleDb } from './db.ts'
import { import_codes } from './import/templates.ts'

const [student_import] = import_codes
const class_type = 4
const company_dept = 11

const count = sql<number>`count(*)::int`.as('n')
const text = (n: number) => n.toLocaleString('zh-CN')

/** What a new school needs before its pupils can come: their classes, and whom the classes belong to. */
export const setupSteps: readonly SetupStep[] = [
  {
    code: 'classes',
    order: 20,
    title: '组织架构',
    why: '先部门，后人员：导入时要按班级名称找到班级',
    school_types: [1],
    path: '/Organization',
    need: 'people.dept.edit',
    async state(db, school_id) {
      const classes = await nodes(db, school_id, class_type)
      return { done: classes > 0, text: classes > 0 ? `已建${text(classes)}个班级` : '还没有班级' }
    },
  },
  {
    code: 'departments',
    order: 20,
    title: '组织架构',
    why: '先部门，后人员：导入时要按部门名称找到部门',
    school_types: [2],
    path: '/OrganizationTeacher',
    need: 'people.dept.edit',
    async state(db, school_id) {
      // The enterprise itself is the first node of the tree.
      const depts = (await nodes(db, school_id, company_dept)) - 1
      return { done: depts > 0, text: depts > 0 ? `已建${text(depts)}个部门` : '还没有部门' }
    },
  },
  {
    code: 'staff',
    order: 30,
    title: '教职工',
    why: '班主任和部门负责人从教职工中选择，角色也授予他们',
    school_types: [1, 2],
    path: '/TeachersRecord',
    need: 'people.staff.edit',
    async state(db, school_id) {
      const { n } = await asTables<PeopleDb>(db).selectFrom('live_staff').select(count).where('school_id', '=', school_id).executeTakeFirstOrThrow()
      return { done: n > 0, text: n > 0 ? `在职教职工${text(n)}人` : '还没有教职工' }
    },
  },
  {
    code: 'students',
    order: 40,
    title: '学生与家长',
    why: '一张表同时导入学生和家长，每名学生按表中的班级名称入班',
    school_types: [1],
    path: '/ParentsRecord',
    need: student_import,
    async state(db, school_id) {
      const { n } = await asTables<PeopleDb>(db).selectFrom('live_student').select(count).where('school_id', '=', school_id).executeTakeFirstOrThrow()
      return { done: n > 0, text: n > 0 ? `在读学生${text(n)}人` : '还没有学生' }
    },
  },
]

async function nodes(db: QueryExecutorProvider, school_id: number, dept_type: number): Promise<number> {
  const found = await asTables<PeopleDb>(db).selectFrom('dept_now').select(count).where('school_id', '=', school_id).where('dept_type', '=', dept_type).executeTakeFirstOrThrow()
  return found.n
}
