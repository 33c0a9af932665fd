import { join } from 'node:path'
import { calendarErrors, calendarEvents, calendarRoutes } from '@campus/calendar/contract'
import { importTemplatePort } from '@kit/server/excel'
import type { DomainServer } from '@kit/server/http'
import { bellRoutes } from './bell/bell.routes.ts'
import { specialRoutes } from './day/special.routes.ts'
import { specialTemplate } from './import/special.template.ts'
import { semesterRoutes } from './semester/semester.routes.ts'

export { createCalendar } from './plan.ts'
export type { CalendarPlan } from './plan.ts'
export { setSpecial } from './day/special.service.ts'
export { workdays } from './day/workdays.ts'
export { registerUse } from './use-port.ts'
export type { CalendarAsked, CalendarChange, CalendarUse } from './use-port.ts'
export type { CalendarViews } from './tables.gen.ts'

export const calendarServer: DomainServer = {
  name: 'calendar',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...semesterRoutes, ...specialRoutes, ...bellRoutes],
  facts: calendarRoutes,
  events: Object.values(calendarEvents),
  codes: [specialTemplate.need],
  constraints: {
    semester_once: calendarErrors.semesterTaken, semester_pkey: calendarErrors.semesterTaken, bell_name: calendarErrors.bellNameTaken, bell_section_minutes: calendarErrors.bellOrder,
  },
  compose({ app }) {
    importTemplatePort.fill(app, specialTemplate)
  },
}
