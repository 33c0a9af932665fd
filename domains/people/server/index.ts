import { join } from 'node:path'
import { directory } from '@campus/identity/server'
import { importTemplatePort, jobKindPort } from '@campus/jobs/server'
import { bulk_export_code, peopleErrors, peopleRoutes } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import type { DomainServer } from '@kit/server/http'
import { schoolDay } from './day.ts'
import type { PeopleDb } from './db.ts'
import { deptRoutes } from './dept.routes.ts'
import { labelsOn } from './dept.service.ts'
import { exportJob } from './export/export.job.ts'
import { exportRoutes } from './export/export.routes.ts'
import { import_codes, parentTemplate, studentTemplate } from './import/templates.ts'
import { parentRoutes } from './parent.routes.ts'
import { seedSchool } from './seed.ts'
import { overfill_code } from './student-file.create.ts'
import { studentFileRoutes } from './student-file.routes.ts'
import { studentRoutes } from './student.routes.ts'

export { createDepts } from './dept.create.ts'
export type { NewDept } from './dept.create.ts'
export { deptLabel } from './dept.label.ts'
export type { LabelVersion } from './dept.label.ts'
export { linkGuardians } from './guardian.create.ts'
export type { NewGuardian } from './guardian.create.ts'
export type { IdKeys } from './id-number.ts'
export type { Origin, PersonDraft } from './person.create.ts'
export { demoClasses, writeSampleSheets } from './sample-sheet.ts'
export type { SampleClass, SampleFiles, SampleOptions } from './sample-sheet.ts'
export { deptScope, inScope, selfScope, visibleDepts } from './scope.ts'
export type { DeptScope, Tree } from './scope.ts'
export { hireStaff } from './staff.create.ts'
export type { NewStaff, StaffDraft } from './staff.create.ts'
export { enrolStudents } from './student.create.ts'
export type { NewStudent, StudentDraft } from './student.create.ts'
export type { PeopleViews } from './tables.gen.ts'

export const peopleServer: DomainServer = {
  name: 'people',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...deptRoutes, ...studentRoutes, ...studentFileRoutes, ...parentRoutes, ...exportRoutes],
  facts: peopleRoutes,
  constraints: {
    dept_version_sibling_name: peopleErrors.deptNameTaken,
    person_id_no_live: peopleErrors.idNoTaken,
    person_mobile_live: peopleErrors.mobileTaken,
    student_no_key: peopleErrors.studentNoTaken,
    student_roll_no_key: peopleErrors.rollNoTaken,
    staff_teacher_no_key: peopleErrors.teacherNoTaken,
    dept_member_one_class: peopleErrors.memberMoved,
  },
  codes: [...import_codes, bulk_export_code, overfill_code],
  seed: seedSchool,
  compose({ app }) {
    for (const template of [studentTemplate, parentTemplate]) importTemplatePort.fill(app, template)
    jobKindPort.fill(app, exportJob)
    directory.fill(app, { labels: (db, school_id, ids) => labelsOn({ db: asTables<PeopleDb>(db), school_id, me: { dept_is_exact: false } }, ids, schoolDay(app.clock.now())) })
  },
}
