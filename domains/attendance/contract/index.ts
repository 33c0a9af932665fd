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
