import { firmwareApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { fetchPackage } from './firmware/fetch.ts'
import { deletePackage, listPackages, takePackage } from './firmware/package.service.ts'
import { cancelTask, createTask, listHistory, listTasks, retryTask, tellTask } from './firmware/task.service.ts'

export const firmwareRoutes = implement(firmwareApi, {
  list: (ctx, asked) => listPackages(ctx, asked),
  upload: { before: (pre, form) => takePackage(pre, form) },
  delete: (ctx, asked) => deletePackage(ctx, asked),
  tasks: (ctx, asked) => listTasks(ctx, asked),
  task: (ctx, asked) => tellTask(ctx, asked),
  create: (ctx, draft) => createTask(ctx, draft),
  cancel: (ctx, asked) => cancelTask(ctx, asked),
  retry: (ctx, asked) => retryTask(ctx, asked),
  history: (ctx, asked) => listHistory(ctx, asked),
  fetch: { outside: (pre, asked) => fetchPackage(pre, asked) },
})
