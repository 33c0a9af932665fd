import { loginApi, realtimeApi } from '@campus/identity/contract'
import { jobApi, jobChannel } from '@campus/jobs/contract'
import { clientErrorApi, preferenceApi } from '@campus/school/contract'
import { call, downloadFile } from '@kit/web'
import type { KitPorts } from '@kit/web'
import { ImportEntry } from './import-entry.tsx'

/** The product's calls behind the kit's ports. */
export const productPorts: KitPorts = {
  refreshToken: async () => (await call(loginApi.refresh, {}, { quiet: true })).token,
  readPreference: async (pref_key) => (await call(preferenceApi.read, { pref_key }, { quiet: true })).value,
  savePreference: (pref_key, value) => call(preferenceApi.save, { pref_key, value }),
  reportError: (report) => call(clientErrorApi.report, report, { quiet: true }),
  job: (job_no) => call(jobApi.one, { job_no }, { quiet: true }),
  ImportEntry,
  uploadToken: async wish => (await import('./upload-token.ts')).uploadToken(wish),
  cancelJob: (job_no) => call(jobApi.cancel, { job_no }),
  jobChannel,
  downloadJob: (job_no) => downloadFile(jobApi.result, { job_no }),
  realtime: {
    ticket: (client_id) => call(realtimeApi.ticket, client_id === undefined ? {} : { client_id }, { quiet: true }),
    watch: async (client_id, channels) => void (await call(realtimeApi.watch, { client_id, channels: [...channels] }, { quiet: true })),
    poll: (client_id, since) => call(realtimeApi.poll, { client_id, since }, { quiet: true }),
  },
}
