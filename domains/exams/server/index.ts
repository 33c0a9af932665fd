import { join } from 'node:path'
import { examErrors, examEvents, examsRoutes as facts } from '@campus/exams/contract'
import type { DomainServer } from '@kit/server/http'
import { examsServerRoutes } from './exams.routes.ts'

export type { ExamsViews } from './tables.gen.ts'

export const examsServer: DomainServer = {
  name: 'exams',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: examsServerRoutes,
  facts,
  events: Object.values(examEvents),
  codes: ['exams.policy.override'],
  constraints: {
    exam_name_once: examErrors.nameTaken, exam_no_once: examErrors.noTaken, exam_place_once: examErrors.placeTaken, exam_seat_once: examErrors.seatTaken,
    exam_sitting_once: examErrors.sittingTaken, exam_duty_once: examErrors.dutyTaken, exam_room_place: examErrors.roomTwice, exam_amend_open: examErrors.amendOpen,
  },
}
