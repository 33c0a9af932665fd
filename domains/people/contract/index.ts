export { peopleErrors } from './errors.ts'
export { deptApi, DeptId, DeptNode, DeptTreeNode, tree_kinds } from './dept.ts'
export { GuardianBrief, parentApi, ParentRow, student_missing, student_sorts, studentApi, StudentQuery, StudentRow, UserId } from './student.ts'
export { peopleRoutes } from './routes.ts'
