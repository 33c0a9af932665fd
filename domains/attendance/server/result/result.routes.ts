import {
  appealApi,
  attend_reports,
  attendEventApi,
  attendFilterApi,
  correctionApi,
  correctionList,
  detailList,
  eventList,
  sealApi,
  studentDetailApi,
  studentGatherApi,
  studentOriginalApi,
  teacherDetailApi,
  teacherGatherApi,
  teacherOriginalApi,
} from '@campus/attendance/contract'
import type { AttendQuery, DetailQuery, EventQuery, GatherKind, LessonKind, Who } from '@campus/attendance/contract'
import { exportHandler } from '@kit/server/export'
import { reportExport } from '@kit/server/report'
import { implement } from '../db.ts'
import type { AttendanceCtx } from '../db.ts'
import { approveCorrection, rejectCorrection, undoCorrection } from './correction.decide.ts'
import { withEvidence } from './correction.evidence.ts'
import { pageCorrections } from './correction.list.ts'
import { addAppeal, addCorrections } from './correction.write.ts'
import { pageDetails } from './detail.service.ts'
import { pageEvents, unvoidEvent, voidEvent } from './event.service.ts'
import { readGather, readLessons } from './gather.service.ts'
import { readOptions } from './options.service.ts'
import { readRow } from './row.service.ts'
import { listPending, listSeals, reopenSeal, sealMonth } from './seal.service.ts'

const gatherOf = (who: Who, kind: GatherKind) => (ctx: AttendanceCtx, query: AttendQuery) => readGather(ctx, who, kind, query)
const lessonsOf = (who: Who, kind: LessonKind) => (ctx: AttendanceCtx, query: AttendQuery) => readLessons(ctx, who, kind, query)
const detailsOf = (who: Who) => (ctx: AttendanceCtx, query: DetailQuery) => pageDetails(ctx, who, query)
const eventsOf = (who: Who) => (ctx: AttendanceCtx, query: EventQuery) => pageEvents(ctx, who, query)

function gathers(api: typeof studentGatherApi, who: Who) {
  const of = attend_reports[who].gather
  const page = (kind: GatherKind) => gatherOf(who, kind)
  return implement(api, {
    subject: page('subject'),
    personal: page('personal'),
    personal_section: page('personal_section'),
    personal_subject: page('personal_subject'),
    classroom: page('classroom'),
    classroom_subject: page('classroom_subject'),
    classroom_section: page('classroom_section'),
    exportSubject: reportExport(api.exportSubject, of.subject, page('subject')),
    exportPersonal: reportExport(api.exportPersonal, of.personal, page('personal')),
    exportPersonalSection: reportExport(api.exportPersonalSection, of.personal_section, page('personal_section')),
    exportPersonalSubject: reportExport(api.exportPersonalSubject, of.personal_subject, page('personal_subject')),
    exportClassroom: reportExport(api.exportClassroom, of.classroom, page('classroom')),
    exportClassroomSubject: reportExport(api.exportClassroomSubject, of.classroom_subject, page('classroom_subject')),
    exportClassroomSection: reportExport(api.exportClassroomSection, of.classroom_section, page('classroom_section')),
  })
}

function details(api: typeof studentDetailApi, who: Who) {
  const { subject, classroom } = attend_reports[who].lesson
  return implement(api, {
    personal: detailsOf(who),
    subject: lessonsOf(who, 'subject'),
    classroom: lessonsOf(who, 'classroom'),
    row: (ctx, key) => readRow(ctx, who, key),
    exportPersonal: exportHandler(api.exportPersonal, detailList, detailsOf(who)),
    exportSubject: reportExport(api.exportSubject, subject, lessonsOf(who, 'subject')),
    exportClassroom: reportExport(api.exportClassroom, classroom, lessonsOf(who, 'classroom')),
  })
}

function originals(api: typeof studentOriginalApi, who: Who) {
  return implement(api, { page: eventsOf(who), export: exportHandler(api.export, eventList, eventsOf(who)) })
}

/** Everything about results that are there: reading, correcting, sealing. */
export const resultRoutes = [
  ...originals(studentOriginalApi, 'student'),
  ...originals(teacherOriginalApi, 'teacher'),
  ...details(studentDetailApi, 'student'),
  ...details(teacherDetailApi, 'teacher'),
  ...gathers(studentGatherApi, 'student'),
  ...gathers(teacherGatherApi, 'teacher'),
  ...implement(attendFilterApi, { options: (ctx, asked) => readOptions(ctx, asked) }),
  ...implement(attendEventApi, { void: (ctx, asked) => voidEvent(ctx, asked), unvoid: (ctx, asked) => unvoidEvent(ctx, asked) }),
  ...implement(correctionApi, {
    page: (ctx, query) => pageCorrections(ctx, query),
    export: exportHandler(correctionApi.export, correctionList, (ctx: AttendanceCtx, query) => pageCorrections(ctx, query)),
    add: withEvidence(addCorrections, reply => reply.correction_ids),
    approve: (ctx, verdict) => approveCorrection(ctx, verdict),
    reject: (ctx, verdict) => rejectCorrection(ctx, verdict),
    undo: (ctx, asked) => undoCorrection(ctx, asked),
  }),
  ...implement(appealApi, { add: withEvidence(addAppeal, reply => [reply.correction_id]) }),
  ...implement(sealApi, {
    list: ctx => listSeals(ctx),
    add: (ctx, asked) => sealMonth(ctx, asked),
    reopen: (ctx, asked) => reopenSeal(ctx, asked),
    pending: (ctx, asked) => listPending(ctx, asked),
  }),
]
