import { importTemplatePort, workKindPort } from '@campus/jobs/server'
import { listExportPort } from '@kit/server/excel'
import type { App } from '@kit/server/http'
import { below_erasers } from './below.erase.ts'
import { deleteTemplate } from './delete.template.ts'
import { deleteBatch, deletePerson } from './delete.work.ts'
import { detailExport } from './detail.export.ts'
import { erasePort } from './erase-port.ts'
import { people_erasers } from './people.erase.ts'
import { precheckPort } from './precheck-port.ts'
import { people_prechecks } from './prechecks.ts'
import { replayPerson } from './replay.ts'
import { deleteSearch } from './search.work.ts'

/** Everything of deletion that other parts of the product find by their ports. */
export function composeDeletion(app: App): void {
  importTemplatePort.fill(app, deleteTemplate)
  listExportPort.fill(app, detailExport)
  for (const kind of [deleteBatch, deletePerson, replayPerson, deleteSearch]) workKindPort.fill(app, kind)
  for (const check of people_prechecks) precheckPort.fill(app, check)
  for (const erase of [...below_erasers, ...people_erasers]) erasePort.fill(app, erase)
}
