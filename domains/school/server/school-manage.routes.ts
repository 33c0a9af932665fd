import { school_states, schoolManageApi } from '@campus/school/contract'
import { readClosing } from './closing/closing.service.ts'
import { implement } from './db.ts'
import { exportSchools } from './school-list.export.ts'
import { listSchools } from './school-list.service.ts'
import { makeSchool, moveSchool, nameSchool } from './school-manage.service.ts'

const { active, suspended, closed } = school_states

export const schoolManageRoutes = implement(schoolManageApi, {
  page: { outside: (pre, query) => listSchools(pre, query) },
  export: { before: (pre, input) => exportSchools(pre, input) },
  add: { outside: (pre, input) => makeSchool(pre, input) },
  update: { outside: (pre, input) => nameSchool(pre, input) },
  suspend: { outside: (pre, input) => moveSchool(pre, suspended, input) },
  resume: { outside: (pre, input) => moveSchool(pre, active, input) },
  closing: { outside: (pre, input) => readClosing(pre, input) },
  close: { outside: (pre, input) => moveSchool(pre, closed, input) },
})
