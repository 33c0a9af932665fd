import { cloudErrors, cloudFeeApi, subAppApi } from '@campus/identity/contract'
import { subApps } from '@campus/school/contract'
import { call, readStored, toast } from '@kit/web'

/**
 * Opens a sub-application in a tab of its own (chapter 10 N7). The blank tab is made in the click, so that no blocker stops it, and pointed to the
 * signed link when the server has given one; it never learns of the console. A refusal closes it and is said here. The four cloud
 * applications ask first whether their service was set up: if not, there is no tab at all.
 */
export async function openSubApp(code: string): Promise<void> {
  const app = subApps.find(known => known.code === code)
  if (!app || ('cloud_fee' in app && !(await isInitialised()))) return
  const tab = window.open('', '_blank')
  if (!tab) {
    toast.warning('浏览器拦截了新窗口，请允许本站弹出窗口后重试')
    return
  }
  tab.opener = null
  try {
    const { url } = await call(subAppApi.link, { code: app.code })
    tab.location.replace(new URL(url, window.location.href).href)
  } catch {
    // The sentence was shown by the call.
    tab.close()
  }
}

async function isInitialised(): Promise<boolean> {
  const answer = await call(cloudFeeApi.enable, { school_id: Number(readStored('school_id')) }).catch(() => undefined)
  if (answer?.enable === 0) toast.warning(cloudErrors.cloud_not_initialised.msg)
  return answer?.enable === 1
}
