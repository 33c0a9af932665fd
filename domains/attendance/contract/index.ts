export { ArrangeDraft, ArrangePatch, ArrangeRow, arrangeApi, ExemptDraft, ExemptRow, exemptApi, Expectation, point_uses, PointRow, pointApi, scope_kinds, SlotDraft, WeekCell } from './arrange.ts'
export {
  alert_kinds, alertApi, alertList, AlertRow, claim_names, clockApi, outage_bases, outageApi, OutageRow, recomputeApi, RollCall, rollcallApi, RollPupil, Run, run_states, Seat, SlotTab, Tile,
} from './clock.ts'
export { attendanceEvents, attendChannel } from './events.ts'
export { attendanceRoutes } from './routes.ts'
export { most_trial_days, person_kind_names, rule_kinds, ruleApi, RuleDraft, ruleList, RulePatch, RuleRow, RuleVersion, Trial } from './rule.ts'
export { bodyText, chain_modes, place_matches, rollcall_modes, RuleBody, way_codes } from './rule-body.ts'
export { ruleErrors } from './rule-errors.ts'
export { ATTEND_STATE, ATTEND_WAY, attend_flags, attend_states, expect_kinds, flag_names, person_kinds } from './state.ts'
export {
  appealApi, AppealDraft, correctable_states, correction_fields, correction_origin_names, correction_state_names, correctionApi, CorrectionDraft, CorrectionId, correctionList, CorrectionRow, evidence_kinds, evidence_names,
  filed_evidence, most_corrected, reason_codes, reason_names,
} from './correction.ts'
export type { EvidenceKind } from './correction.ts'
export { attendFilterApi, change_cause_names, event_claim_names, detailList, DetailRow, event_source_names, flagTexts, ResultKey, RowEvidence, studentDetailApi, teacherDetailApi } from './detail.ts'
export type { AttendOption, DetailQuery } from './detail.ts'
export { attendEventApi, eventList, EventRow, match_names, matchText, studentOriginalApi, teacherOriginalApi } from './event.ts'
export type { EventQuery } from './event.ts'
export { attend_reports, gather_keys, gather_titles, lesson_kinds, state_of_measure, studentGatherApi, teacherGatherApi } from './gather.ts'
export type { AttendMeasure, AttendQuery, AttendReply, AttendReport, GatherKind, LessonKind } from './gather.ts'
export { resultErrors } from './result-errors.ts'
export { attended_states, counted_states, most_detail_days, most_term_days, OccurrenceId, section_names, who_names, whos } from './result-filters.ts'
export type { Who } from './result-filters.ts'
export { PendingRow, seal_state_names, sealApi, SealId, SealRow } from './seal.ts'
