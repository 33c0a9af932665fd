import { join } from 'node:path'
import { registerProvider } from '@campus/approval/server'
import { erasePort, rekeyPort } from '@campus/people/server'
import { registerUse } from '@campus/calendar/server'
import { jobKindPort } from '@campus/jobs/server'
import { registerEffect } from '@campus/leave/server'
import { messageTemplatePort } from '@campus/messages/server'
import { placeUsePort } from '@campus/places/server'
import { changeErrors, comboName, electiveErrors, lessonChannel, teachingErrors, teachingEvents, teachingRoutes as facts, teachingTemplates,
  timetableChannel } from '@campus/teaching/contract'
import { importTemplatePort } from '@kit/server/excel'
import { labelPort } from '@kit/server/export'
import type { DomainServer } from '@kit/server/http'
import { serveChannel } from '@kit/server/realtime'
import { changeProvider } from './cover/approval.provider.ts'
import { coverEffect } from './cover/needs.ts'
import { calendarConsumers, teachingUse } from './calendar.follow.ts'
import { courseTemplate } from './import/course.template.ts'
import { teachingTemplate } from './import/teaching.template.ts'
import { tableImportJob } from './import/table-import.job.ts'
import { rosterTemplate } from './import/roster.template.ts'
import { wishTemplate } from './import/wish.template.ts'
import { taskLabels } from './elective/task.queries.ts'
import { placesInUse } from './place.follow.ts'
import { teachingErase, teachingRekey } from './person.follow.ts'
import { sectionJob } from './section/section.job.ts'
import { solveJob } from './solve/solve.job.ts'
import { teachingServerRoutes } from './teaching.routes.ts'

export { createTeaching } from './create.ts'
export type { PlannedTeaching, TeachingPlan } from './create.ts'
export { createElectives } from './elective/create.ts'
export type { PlannedTask } from './elective/create.ts'
export { free_at, lessons_on, ownScope, where_should_be } from './lesson/functions.ts'
export type { Whereabouts } from './lesson/functions.ts'
export { evaluate as evaluateXhstt } from './xhstt/evaluate.ts'
export type { Archive as XhsttArchive, Cost as XhsttCost } from './xhstt/instance.ts'
export { readArchive as readXhstt } from './xhstt/reader.ts'
export { heatOf as heatOfXhstt, solve as solveXhstt } from './xhstt/solve.ts'
export type { TeachingViews } from './tables.gen.ts'

export const teachingServer: DomainServer = {
  name: 'teaching',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: teachingServerRoutes,
  facts,
  events: Object.values(teachingEvents),
  codes: [courseTemplate.need, teachingTemplate.need, rosterTemplate.need],
  consumers: calendarConsumers,
  channels: [serveChannel(timetableChannel, { may: () => Promise.resolve(true) }), serveChannel(lessonChannel)],
  constraints: {
    timetable_name_once: teachingErrors.nameTaken, timetable_version_at_once: teachingErrors.versionExists, occupancy_once: teachingErrors.conflictElsewhere,
    course_no_once: teachingErrors.courseNoTaken, course_name_once: teachingErrors.courseNameTaken,
    elective_task_name_once: electiveErrors.nameTaken, elective_offer_title_once: electiveErrors.titleTaken,
      teaching_class_name_once: electiveErrors.classNameTaken,
    change_item_open: changeErrors.sameDayTwice, change_order_no_once: changeErrors.sameDayTwice,
  },
  compose({ app }) {
    for (const template of [courseTemplate, teachingTemplate, wishTemplate, rosterTemplate]) importTemplatePort.fill(app, template)
    rekeyPort.fill(app, teachingRekey)
    erasePort.fill(app, teachingErase)
    for (const template of Object.values(teachingTemplates)) messageTemplatePort.fill(app, template)
    jobKindPort.fill(app, solveJob)
    jobKindPort.fill(app, sectionJob)
    jobKindPort.fill(app, tableImportJob)
    placeUsePort.fill(app, placesInUse)
    registerUse(app, teachingUse)
    registerEffect(app, coverEffect)
    registerProvider(app, changeProvider)
    labelPort.fill(app, { of: 'teaching.elective', labels: taskLabels })
    labelPort.fill(app, { of: 'teaching.combo', labels: (_context, codes) => Promise.resolve(new Map(codes.map(code => [code, comboName(code)]))) })
  },
}
