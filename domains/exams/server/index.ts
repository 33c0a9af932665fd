import { join } from 'node:path'
import { examErrors, examEvents, examsRoutes as facts, examTemplates } from '@campus/exams/contract'
import { messageTemplatePort } from '@campus/messages/server'
import { erasePort, rekeyPort } from '@campus/people/server'
import { placeUsePort } from '@campus/places/server'
import { importTemplatePort } from '@kit/server/excel'
import type { DomainServer } from '@kit/server/http'
import { examsServerRoutes } from './exams.routes.ts'
import { roomTemplate } from './import/room.template.ts'
import { scoreTemplate } from './import/score.template.ts'
import { examsErase, examsRekey } from './person.follow.ts'
import { placesInUse } from './place.follow.ts'
import { examConsumers } from './presence/door.ts'

export { createExam } from './create.ts'
export type { PlannedExam } from './create.ts'
export type { ExamsViews } from './tables.gen.ts'

export const examsServer: DomainServer = {
  name: 'exams',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: examsServerRoutes,
  facts,
  events: Object.values(examEvents),
  consumers: examConsumers,
  codes: ['exams.policy.override', scoreTemplate.need, roomTemplate.need],
  constraints: {
    exam_name_once: examErrors.nameTaken, exam_no_once: examErrors.noTaken, exam_place_once: examErrors.placeTaken, exam_seat_once: examErrors.seatTaken,
    exam_sitting_once: examErrors.sittingTaken, exam_duty_once: examErrors.dutyTaken, exam_room_place: examErrors.roomTwice,
      exam_amend_open: examErrors.amendOpen, exam_review_open: examErrors.reviewOpen,
    exam_swap_open: examErrors.swapOpen,
  },
  compose({ app }) {
    for (const template of Object.values(examTemplates)) messageTemplatePort.fill(app, template)
    importTemplatePort.fill(app, scoreTemplate)
    importTemplatePort.fill(app, roomTemplate)
    rekeyPort.fill(app, examsRekey)
    erasePort.fill(app, examsErase)
    placeUsePort.fill(app, placesInUse)
  },
}
