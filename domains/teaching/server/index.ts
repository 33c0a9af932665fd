import { join } from 'node:path'
import { erasePort, rekeyPort } from '@campus/people/server'
import { teachingErrors, teachingEvents, teachingRoutes as facts } from '@campus/teaching/contract'
import { importTemplatePort } from '@kit/server/excel'
import type { DomainServer } from '@kit/server/http'
import { courseTemplate } from './import/course.template.ts'
import { teachingTemplate } from './import/teaching.template.ts'
import { teachingErase, teachingRekey } from './person.follow.ts'
import { planRoutes } from './teaching.routes.ts'

export type { TeachingViews } from './tables.gen.ts'

export const teachingServer: DomainServer = {
  name: 'teaching',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: planRoutes,
  facts,
  events: Object.values(teachingEvents),
  codes: [courseTemplate.need, teachingTemplate.need],
  constraints: { course_no_once: teachingErrors.courseNoTaken, course_name_once: teachingErrors.courseNameTaken },
  compose({ app }) {
    for (const template of [courseTemplate, teachingTemplate]) importTemplatePort.fill(app, template)
    rekeyPort.fill(app, teachingRekey)
    erasePort.fill(app, teachingErase)
  },
}
