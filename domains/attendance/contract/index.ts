export { attendanceEvents, attendChannel } from './events.ts'
export { attendanceRoutes } from './routes.ts'
export { bodyText, chain_modes, place_matches, rollcall_modes, RuleBody, way_codes } from './rule-body.ts'
export { ATTEND_STATE, ATTEND_WAY, attend_flags, attend_states, expect_kinds, flag_names, person_kinds } from './state.ts'
