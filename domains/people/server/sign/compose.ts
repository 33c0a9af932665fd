import { jobKindPort, workKindPort } from '@campus/jobs/server'
import { listExportPort } from '@kit/server/excel'
import type { App } from '@kit/server/http'
import { changeEffectPort } from '../change/effect-port.ts'
import { precheckPort } from '../deletion/precheck-port.ts'
import { signEffect, signPrecheck } from './ending.ts'
import { signExport } from './sign.export.ts'
import { terminateJob } from './terminate.job.ts'
import { signCheck } from './termination.ts'

/** Everything of signing that other parts of the product find by their ports. */
export function composeSign(app: App): void {
  changeEffectPort.fill(app, signEffect)
  precheckPort.fill(app, signPrecheck)
  jobKindPort.fill(app, terminateJob)
  workKindPort.fill(app, signCheck)
  listExportPort.fill(app, signExport)
}
