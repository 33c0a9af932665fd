export { actBodies, ActReply, applyApi, leave_acts, LeaveDraft, LeaveFile, LeaveId, leaveList, LeaveOptions, LeavePreview, LeaveRow, LeaveToday, most_members, most_spans, Ribbon, spanText, stateName } from './apply.ts'
export type { LeaveAct, LeaveStateReply, LeaveTab } from './apply.ts'
export {
  apply_as_names, basis_names, counted_states, effect_state_names, exit_modes, LEAVE_STAFF, leave_states, LEAVE_STATE, LEAVE_STUDENT, leaveClass, leaveTypeName, person_kind_names, resolver_names,
  step_modes, task_state_names, task_states, unit_names, version_kinds, version_state_names, via_names,
} from './dictionary.ts'
export { leaveErrors } from './errors.ts'
export { leaveEvents } from './events.ts'
export { AskedSpan, day_minutes, EffectPreview, FlowStep, FormDesign, formApi, FormId, LeaveForm, most_approvers, most_steps, Simulated, StepCondition, StepShown } from './form.ts'
export type { FormLine, FormVersion } from './form.ts'
export { mineApi, MyLeave } from './mine.ts'
export type { Subject } from './mine.ts'
export { LeaveReason, reasonApi, ReasonCode } from './reason.ts'
export type { ReasonDraft } from './reason.ts'
export { leaveReport, recordApi, recover_state_names, recoverApi, RecoverRow, sick_often } from './record.ts'
export { leaveRoutes } from './routes.ts'
export { LeaveSetting, leaveSettingApi } from './setting.ts'
export { LeaveTask, most_tasks, TaskId, taskApi } from './task.ts'
export { leaveTemplates } from './templates.ts'
