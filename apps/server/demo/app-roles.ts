import type { AppKind } from '@campus/identity/contract'
import { defineAppGroups, defineAppRole } from '@campus/identity/server'
import type { NewAppGroup, NewAppRole } from '@campus/identity/server'
import type { PlannedDept } from './departments.ts'
import { codesOf } from './roles.ts'
import { idOf } from './school-work.ts'
import type { Ids, Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'

type Modules = NewAppRole['modules']
/** An app role of the plan: departments by name, permissions as patterns over what the product can do at the time the school is made. */
type PlannedAppRole = Omit<NewAppRole, 'codes' | 'dept_ids' | 'client_kind'> & { grants: readonly string[]; depts?: readonly string[] }
type Plan = { groups: readonly Omit<NewAppGroup, 'client_kind'>[]; roles: readonly PlannedAppRole[] }

const own_affairs = ['approval.*.self', 'privacy.*.self', 'finance.*.self', 'canteen.*.self', 'repair.*.self']
const pupil_work = ['people.student.view', 'people.dept.view', 'attendance.*', 'evaluation.*', 'leave.*', 'publishing.notice.*']
const staff_common: Modules = ['hall', 'pushMessage', 'leave', 'approve', 'cloudAttend', 'cloudFee', 'cloudDish', 'repair', 'door', 'park', 'privacy']
const class_work: Modules = ['cloudStudentAttend', 'evaluate', 'leave', 'pushMessage']
const family_common: Modules = ['hall', 'pushMessage', 'leave', 'cloudFee', 'fee', 'cloudDish', 'door', 'privacy']
const pupil_common: Modules = ['hall', 'pushMessage', 'cloudFee', 'cloudDish', 'privacy']

/** Eight roles for each client; the first of each is the one every school begins with. */
const app_role_plan: Readonly<Record<AppKind, Plan>> = {
  teacher: {
    groups: [
      { code: 'GRP_1', name: '教学岗位', order: 111, modules: class_work },
      { code: 'GRP_2', name: '管理岗位', order: 112, modules: ['analyse', 'attendManage', 'approve'] },
      { code: 'GRP_3', name: '服务岗位', order: 113, modules: ['repair', 'door'] },
    ],
    roles: [
      { code: 'APP001_All', name: '全体教职工', group_code: 'APP001', modules: staff_common, is_for_all: true, grants: [...own_affairs, 'parking.*.self'] },
      { code: 'CUS_101', name: '班主任', group_code: 'GRP_1', modules: [...class_work, 'attendManage', 'voice', 'schoolBus', 'dorm'], holders_of: ['SYS003_ClassTeacher'], grants: [...pupil_work, 'people.parent.view'] },
      { code: 'CUS_102', name: '任课教师', group_code: 'GRP_1', modules: ['cloudStudentAttend', 'evaluate'], depts: ['教研组'], grants: ['people.student.view', 'attendance.rollcall.take'] },
      { code: 'CUS_103', name: '年级主任', group_code: 'GRP_1', modules: ['cloudStudentAttend', 'attendManage', 'analyse', 'evaluate', 'leave'], holders_of: ['SYS002_GradeHead'], grants: [...pupil_work, 'people.parent.view', 'insight.*.view'] },
      { code: 'CUS_104', name: '中层管理', group_code: 'GRP_2', modules: ['analyse', 'approve', 'attendManage', 'evaluate'], role_group_codes: ['SYS002'], grants: ['people.dept.view', 'people.staff.view', 'insight.*.view', 'approval.*', 'attendance.*'] },
      { code: 'CUS_105', name: '宿管值班', group_code: 'GRP_3', modules: ['dorm', 'dorm_new', 'door', 'cloudWater', 'repair'], depts: ['宿管科'], grants: ['people.student.view', 'people.dept.view', 'dorm.*'] },
      { code: 'CUS_106', name: '后勤与食堂', group_code: 'GRP_3', modules: ['repair', 'cloudScale', 'cloudDish', 'cloudWater', 'park'], depts: ['总务处'], grants: ['people.dept.view', 'repair.*', 'canteen.*', 'parking.*'] },
      { code: 'CUS_107', name: '校医与安保', group_code: 'GRP_3', modules: ['door', 'leave', 'park', 'hall'], depts: ['医务室', '安全保卫处'], grants: ['people.student.view', 'people.staff.view', 'access.*', 'health.*'] },
    ],
  },
  parent: {
    groups: [
      { code: 'GRP_4', name: '学段家长', order: 121, modules: ['cloudStudentAttend', 'evaluate'] },
      { code: 'GRP_5', name: '专项家长', order: 122, modules: ['approve'] },
    ],
    roles: [
      { code: 'APP002_All', name: '全体家长', group_code: 'APP002', modules: family_common, is_for_all: true, grants: own_affairs },
      { code: 'CUS_111', name: '小学家长', group_code: 'GRP_4', modules: ['schoolBus', 'cloudStudentAttend', 'evaluate'], depts: ['小学部'], grants: ['transport.*.self', 'attendance.*.self', 'evaluation.*.self'] },
      { code: 'CUS_112', name: '初中家长', group_code: 'GRP_4', modules: ['cloudStudentAttend', 'schoolBus', 'repair'], depts: ['初中部'], grants: ['transport.*.self', 'attendance.*.self'] },
      { code: 'CUS_113', name: '高中家长', group_code: 'GRP_4', modules: ['dorm', 'cloudWater', 'voice', 'cloudStudentAttend'], depts: ['高中部'], grants: ['dorm.*.self', 'voice.*.self', 'attendance.*.self'] },
      { code: 'CUS_114', name: '一年级新生家长', group_code: 'GRP_4', modules: ['pushMessage', 'privacy', 'schoolBus'], depts: ['一年级'], grants: ['privacy.*.self', 'transport.*.self'] },
      { code: 'CUS_115', name: '毕业年级家长', group_code: 'GRP_4', modules: ['fee', 'evaluate', 'pushMessage'], depts: ['六年级', '九年级', '高三'], grants: ['finance.fee.self', 'evaluation.*.self'] },
      { code: 'CUS_116', name: '家委会', group_code: 'GRP_5', modules: ['approve', 'evaluate', 'cloudDish'], holders_of: ['SYS005_Committee'], grants: ['approval.*.self', 'evaluation.*.self', 'canteen.*.self'] },
      { code: 'CUS_117', name: '家长报修', group_code: 'GRP_5', modules: ['repair'], role_group_codes: ['SYS005'], grants: ['repair.*.self'] },
    ],
  },
  student: {
    groups: [
      { code: 'GRP_6', name: '学段学生', order: 131, modules: ['cloudStudentAttend', 'evaluate'] },
      { code: 'GRP_7', name: '学生岗位', order: 132, modules: ['evaluate'] },
    ],
    roles: [
      { code: 'APP003_All', name: '全体学生', group_code: 'APP003', modules: pupil_common, is_for_all: true, grants: own_affairs },
      { code: 'CUS_121', name: '小学生', group_code: 'GRP_6', modules: ['evaluate', 'cloudStudentAttend'], depts: ['小学部'], grants: ['evaluation.*.self'] },
      { code: 'CUS_122', name: '初中生', group_code: 'GRP_6', modules: ['cloudStudentAttend', 'evaluate', 'leave'], depts: ['初中部'], grants: ['evaluation.*.self', 'leave.*.self'] },
      { code: 'CUS_123', name: '高中生', group_code: 'GRP_6', modules: ['leave', 'cloudStudentAttend', 'dorm', 'door', 'cloudWater', 'voice'], depts: ['高中部'], grants: ['leave.*.self', 'dorm.*.self', 'voice.*.self'] },
      { code: 'CUS_124', name: '七年级新生', group_code: 'GRP_6', modules: ['privacy', 'pushMessage', 'repair'], depts: ['七年级'], grants: ['privacy.*.self', 'repair.*.self'] },
      { code: 'CUS_125', name: '毕业年级学生', group_code: 'GRP_6', modules: ['evaluate', 'pushMessage'], depts: ['六年级', '九年级', '高三'], grants: ['evaluation.*.self', 'exams.*.self'] },
      { code: 'CUS_126', name: '班长', group_code: 'GRP_7', modules: ['evaluate', 'cloudStudentAttend', 'repair'], holders_of: ['SYS004_Monitor'], grants: ['evaluation.*.self', 'attendance.*.self', 'repair.*.self'] },
      { code: 'CUS_127', name: '学生报修', group_code: 'GRP_7', modules: ['repair'], role_group_codes: ['SYS004'], grants: ['repair.*.self'] },
    ],
  },
}

/** Gives the main school its app roles; whoever is named one by one is so from the first day of the school year on. */
export async function fillAppRoles({ app, db, school_id, from }: Work, depts: readonly PlannedDept[], dept_ids: Ids): Promise<void> {
  const idOfDept = (name: string) => idOf(dept_ids, depts.find(dept => dept.dept_name === name)?.key ?? '')
  for (const client_kind of ['teacher', 'parent', 'student'] as const) {
    const { groups, roles } = app_role_plan[client_kind]
    await defineAppGroups(db, school_id, groups.map(group => ({ ...group, client_kind })))
    for (const { grants, depts: names = [], ...role } of roles) {
      await defineAppRole(db, app, school_id, { ...role, client_kind, codes: codesOf(grants, app.codes), dept_ids: names.map(idOfDept) }, startOfDay(from))
    }
  }
}
