import { templateFile } from '@campus/jobs/server'
import { deptApi, peopleTreeApi, studentTemplateApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { readLevel, readTree } from './dept.service.ts'
import { readPeopleLevel } from './people-tree.service.ts'

export const deptRoutes = [
  ...implement(deptApi, {
    tree: (ctx, query) => readTree(ctx, query),
    lazyTree: (ctx, query) => readLevel(ctx, query),
  }),
  ...implement(peopleTreeApi, { level: readPeopleLevel }),
  ...implement(studentTemplateApi, { student: { outside: pre => templateFile(pre, 'student') } }),
]
