import { importTemplate } from '@kit/server/excel'
import type { ImportColumn } from '@kit/server/excel'
import type { IdentityDb } from '../db.ts'
import { applyMembers } from './member.apply.ts'
import { judgeMember } from './member.judge.ts'
import { checkMember, memberColumns, memberKeys } from './member.parsed.ts'
import type { ParsedMember } from './member.parsed.ts'
import { loadMembers, roleNames } from './member.snapshot.ts'
import type { MemberSnapshot } from './member.snapshot.ts'
import { memberUndo } from './member.undo.ts'

/** 角色成员导入: one line a person under a role and department. */
export const memberTemplate = importTemplate<IdentityDb, ImportColumn[], ParsedMember, MemberSnapshot>({
  code: 'role_member',
  page: '/RoleMemberSet',
  title: '角色成员导入',
  file_name: '角色成员导入模板.xlsx',
  sheet: '角色成员导入',
  notes: [
    '填写说明：红色列为必填；一行为一人的一个角色，按角色、人员和任职部门匹配已有成员。同一人可在不同部门任同一角色。',
    '日期填写 20260901 或 2026-09-01；已有成员的空单元格表示不修改，结束日期和备注填写[清空]表示改为长期和清空。已开始的不能修改开始日期。',
    '不能授予自己没有的权限。每次最多20000行，不支持公式。',
  ],
  need: 'identity.member.import',
  words: async step => memberColumns(await roleNames(step)),
  columns: words => words,
  check: (words, cells) => checkMember(words, cells),
  keys: parsed => memberKeys(parsed),
  load: (step, rows) => loadMembers(step, rows),
  judge: (row, snapshot) => judgeMember(row, snapshot),
  apply: (step, rows, snapshot) => applyMembers(step, rows, snapshot),
  undo: memberUndo,
})
