export { starChannel } from './channels.ts'
export { committeeApi } from './committee.ts'
export type { ClassTeachers, Committee, Holder } from './committee.ts'
export { dayReached, half_life_table, most_halvings, worthAfter } from './decay.ts'
export type { Given } from './decay.ts'
export {
  appeal_names,
  appeal_state,
  auto_names,
  course_post,
  decay_names,
  elected_names,
  evidence_names,
  giver,
  giver_names,
  level_names,
  mostHolders,
  name_modes,
  post_names,
  record_names,
  record_state,
  source,
  source_names,
  star_colours,
  star_icons,
  step_names,
  subject,
  subject_names,
} from './dictionary.ts'
export { evaluationErrors } from './errors.ts'
export { evaluationEvents } from './events.ts'
export {
  appeal_days,
  appealApi,
  AppealRow,
  dup_minutes,
  most_files,
  most_subjects,
  myStarApi,
  pointsText,
  Profile,
  recordApi,
  recordList,
  RecordRow,
  revoke_hours,
} from './record.ts'
export type { GiveOptions, GivePupil, GiveType, MyStar } from './record.ts'
export { evaluationRoutes } from './routes.ts'
export { period_kinds, starShowApi } from './show.ts'
export type { Display, RankPlace, StarPeriod, Wall } from './show.ts'
export { evaluationTemplates } from './templates.ts'
export { StarType, StarTypeDraft, starTypeApi } from './type.ts'
