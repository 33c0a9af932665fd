import { loginApi } from '@campus/identity/contract'
import { jobApi } from '@campus/jobs/contract'
import { clientErrorApi, preferenceApi } from '@campus/school/contract'
import { call, downloadFile } from '@kit/web'
import type { KitPorts } from '@kit/web'

/** The product's calls behind the kit's ports. */
export const productPorts: KitPorts = {
  refreshToken: async () => (await call(loginApi.refresh, {}, { quiet: true })).token,
  readPreference: async (pref_key) => (await call(preferenceApi.read, { pref_key }, { quiet: true })).value,
  savePreference: (pref_key, value) => call(preferenceApi.save, { pref_key, value }),
  reportError: (report) => call(clientErrorApi.report, report, { quiet: true }),
  job: (job_no) => call(jobApi.one, { job_no }, { quiet: true }),
  downloadJob: (job_no) => downloadFile(jobApi.result, { job_no }),
}
