import { Day, event, id } from '@kit/contract'
import { z } from 'zod'
import { ChangeId } from './change-id.ts'
import { change_kinds } from './change.ts'
import { DeptId } from './dept.ts'
import { leave_kinds } from './pupil-change.ts'
import { UserId } from './student.ts'

/** Most people of one event; more are several events (docs/decisions/0008). */
export const most_told = 500

const user_ids = z.array(UserId).min(1).max(most_told)
const dept_ids = z.array(DeptId).min(1)
const People = z.object({ user_ids })
const OnDay = People.extend({ on: Day })
/** Columns of a person that others copy. */
const copied_fields = ['user_name', 'user_no', 'photo', 'recog_pwd'] as const
export type CopiedField = (typeof copied_fields)[number]
const Command = z.object({ command_id: ChangeId, kind: z.enum(change_kinds) })

/**
 * What the people domain tells the others (chapter 20 §7): ids and the names of changed fields, never values. Each is told on the day from which it
 * is true; what is true is read from the views. Facts about many people are one event for at most 500 of them.
 */
export const peopleEvents = {
  personCreated: event('people.person_created', People),
  personRenamed: event('people.person_renamed', z.object({ people: z.array(z.object({ user_id: UserId, fields: z.array(z.enum(copied_fields)) })).min(1).max(most_told) })),
  /** from one class or department to another; null: from or to none */
  personMoved: event('people.person_moved', z.object({ people: z.array(z.object({ user_id: UserId, from: DeptId.nullable(), to: DeptId.nullable() })).min(1).max(most_told), on: Day })),
  /** `kind` GRAD: graduated; STAFF_OUT: staff */
  personDeparted: event('people.person_departed', OnDay.extend({ kind: z.enum([...leave_kinds, 'GRAD', 'STAFF_OUT']) })),
  personSuspended: event('people.person_suspended', OnDay),
  /** back in school: resumed, returned, or a leave that was taken back */
  personRestored: event('people.person_restored', OnDay),
  personMerged: event('people.person_merged', z.object({ keep_user_id: UserId, drop_user_id: UserId })),
  personUnmerged: event('people.person_unmerged', z.object({ keep_user_id: UserId, drop_user_id: UserId })),
  /** nothing of these people is left: deleted, or entered by mistake */
  personPurged: event('people.person_purged', People),
  birthDateChanged: event('people.birth_date_changed', People),
  studyMethodChanged: event('people.study_method_changed', People),
  /** children and guardians between whom a link began, ended or changed */
  guardianChanged: event('people.guardian_changed', People),
  deptChanged: event('people.dept_changed', z.object({ dept_ids })),
  deptPromoted: event('people.dept_promoted', z.object({ dept_ids, on: Day })),
  deptClosed: event('people.dept_closed', z.object({ dept_ids, on: Day })),
  /** whoever got or lost a duty */
  dutyChanged: event('people.duty_changed', People),
  tagChanged: event('people.tag_changed', z.object({ tag_id: id('people.tag'), user_ids })),
  delegationChanged: event('people.delegation_changed', z.object({ delegation_ids: z.array(id('people.delegate_dept')).min(1) })),
  changeApplied: event('people.change_applied', Command),
  changeUndone: event('people.change_undone', Command),
  signChanged: event('people.sign_changed', z.object({ sign_ids: z.array(id('people.sign_contract')).min(1) })),
  whitelistChanged: event('people.whitelist_changed', z.object({ whitelist_ids: z.array(id('people.alipay_whitelist')).min(1) })),
  rechargeChanged: event('people.recharge_changed', z.object({ person_kind: z.number().int(), version: z.number().int() })),
}
